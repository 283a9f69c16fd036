package kinematics

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ident/robot"
)

// SolveOptions say where to look for solutions.
type SolveOptions struct {
	Near   []float64 // coordinates to search from first, and those of joints that are held; nil is zero
	Hold   []int     // coordinates that keep their value of Near; a redundant robot must hold all but six
	Starts int       // number of starts of a search; 0 is 200
	Seed   uint64
}

// Solution is a state of the joints in which the goal is reached.
type Solution struct {
	Q        []float64 // coordinates; angles within the limits if a whole number of turns brings them there, else within ±π
	Residual float64   // largest error of the components that were asked for (of the twelve entries of the pose if all were), lengths in units of Reach
	Outside  []int     // coordinates beyond their limits
	// OtherAssembly tells that the loops of a closed robot were not found to get there from the assembly that is meant by
	// a straight motion of the drives: they close in another way, or a singular state is between.
	OtherAssembly bool
	// Dexterity at the solution, of the components that were asked for. If it
	// reports idle joints, the solution is one of a continuum along them.
	Dexterity Dexterity
}

// Solutions are the states in which a goal is reached, those within limits first, nearest to Near first.
type Solutions struct {
	All      []Solution
	Complete bool   // all solutions were found, except within continuous families
	Method   string // "three axes in a point", "six axes", or "search"
	// Where there is no solution: the state that came nearest, and how far it stays away.
	Nearest  []float64
	Distance float64 // distance to the goal, m
	Angle    float64 // angle to the goal, rad
}

// Solve returns the states in which the robot reaches a goal. Errors are those of the goal and of ctx; a goal out of
// reach is none.
func (t *Tree) Solve(ctx context.Context, g Goal, opt SolveOptions) (Solutions, error) {
	g, err := g.check(t)
	if err != nil {
		return Solutions{}, err
	}
	if opt.Near == nil {
		opt.Near = make([]float64, t.dof)
	}
	t.check("Near", opt.Near)
	held := make([]bool, t.dof)
	for _, k := range opt.Hold {
		held[k] = true
	}
	if len(t.Moving(g.Link)) == 0 {
		return Solutions{}, fmt.Errorf("kinematics: no joint moves link %d of robot %q", g.Link, t.name)
	}
	if opt.Starts == 0 {
		opt.Starts = 200
	}
	s := &solver{tree: t, follower: t.newFollower(g, held), near: opt.Near, held: held}
	if g.Mask == Full {
		s.complete()
	}
	if !s.found.Complete {
		s.found.Method = "search"
		err = s.search(ctx, opt.Starts, opt.Seed)
	} else if len(s.found.All) == 0 { // out of reach: look for the nearest state
		err = s.search(ctx, min(opt.Starts, 40), opt.Seed)
	}
	if err != nil {
		return Solutions{}, err
	}
	s.order()
	return s.found, nil
}

// solver collects the solutions of one goal.
type solver struct {
	tree     *Tree
	follower *follower
	near     []float64
	held     []bool
	found    Solutions
	least    float64 // error of the nearest state
}

// complete tries the methods that miss no solution.
func (s *solver) complete() {
	chain, coords, ok := s.tree.chain(s.follower.goal, s.near, s.held)
	if !ok {
		return
	}
	for _, m := range []struct {
		name string
		run  func() ([][6]float64, bool)
	}{{"three axes in a point", chain.special}, {"six axes", chain.general}} {
		candidates, all := m.run()
		for _, x := range candidates {
			q := slices.Clone(s.near)
			for i, k := range coords {
				l := s.jointOf(k)
				if chain.slides[i] {
					x[i] *= s.tree.reach
				}
				q[k] = (x[i] - l.offset) / l.ratio
			}
			s.try(q, 30)
		}
		if all {
			s.found.Complete, s.found.Method = true, m.name
			return
		}
	}
}

// jointMap takes a coordinate to its joint's position.
type jointMap struct{ ratio, offset float64 }

func (s *solver) jointOf(coord int) jointMap {
	for _, j := range s.tree.paths[s.follower.goal.Link] {
		if l := &s.tree.links[j]; l.Coord == coord {
			return jointMap{l.Ratio, l.Offset}
		}
	}
	panic("kinematics: a coordinate that does not move the link")
}

// search descends from the state near which solutions are wanted and from random ones.
func (s *solver) search(ctx context.Context, starts int, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 0x1f83d9abfb41bd6b))
	s.try(slices.Clone(s.near), 200)
	for range starts {
		if err := ctx.Err(); err != nil {
			return err
		}
		q := slices.Clone(s.near)
		for k := range q {
			if s.held[k] {
				continue
			}
			lower, upper := s.tree.span(k)
			q[k] = lower + (upper-lower)*rng.Float64()
		}
		s.try(q, 100)
	}
	return nil
}

// span is where a coordinate is searched: its limits, or a turn, or the robot's reach.
func (t *Tree) span(coord int) (lower, upper float64) {
	far := t.reach
	if t.turns(coord) {
		far = math.Pi
	}
	lower, upper = t.lower[coord], t.upper[coord]
	switch {
	case math.IsInf(lower, 0) && math.IsInf(upper, 0):
		return -far, far
	case math.IsInf(lower, 0):
		return upper - 2*far, upper
	case math.IsInf(upper, 0):
		return lower, lower + 2*far
	}
	return lower, upper
}

// turns reports whether a coordinate is an angle.
func (t *Tree) turns(coord int) bool {
	for j := range t.links {
		if t.links[j].Coord == coord && t.links[j].Ratio == 1 && t.links[j].Kind == robot.Revolute {
			return true
		}
	}
	return false
}

// period returns the turn after which a coordinate is in the same place, 0 for a slide and for an angle
// that other joints follow.
func (t *Tree) period(coord int) float64 {
	n := 0
	for j := range t.links {
		if t.links[j].Coord == coord {
			n++
		}
	}
	if n == 1 && t.turns(coord) {
		return 2 * math.Pi
	}
	return 0
}

// distinct is the distance of two states, rad or units of reach, above which they are two solutions: where solutions
// meet, both are found to the root of the pose's error, 3e-6.
const distinct = 1e-5

// try descends from a state and keeps the state reached, if it is new.
func (s *solver) try(q []float64, steps int) {
	size := s.follower.descend(q, steps)
	if len(s.found.Nearest) == 0 || size < s.least {
		s.found.Nearest, s.least = slices.Clone(q), size
	}
	off := s.follower.off(q)
	if !(off <= reached) {
		return
	}
	for k := range q {
		s.tree.turnBack(q, k)
	}
	s.follower.off(q)
	s.follower.pose.Jacobian(s.follower.jacobian, Point{s.follower.goal.Link, s.follower.goal.Tool.P})
	d := s.freeDexterity()
	sol := Solution{Q: q, Residual: off, Dexterity: d}
	for _, o := range s.found.All {
		if s.same(o, sol) {
			return
		}
	}
	for k := range q {
		if q[k] < s.tree.lower[k]-1e-12 || q[k] > s.tree.upper[k]+1e-12 {
			sol.Outside = append(sol.Outside, k)
		}
	}
	s.found.All = append(s.found.All, sol)
}

// same reports whether two solutions are one, or two samples of one continuum: alike in the
// coordinates that its idle motions leave. Where they move all, as in a redundant arm, eight samples are enough.
func (s *solver) same(a, b Solution) bool {
	if s.tree.apart(a.Q, b.Q) < distinct {
		return true
	}
	if len(a.Dexterity.Idle) == 0 || len(a.Dexterity.Idle) != len(b.Dexterity.Idle) {
		return false
	}
	x, y, still := slices.Clone(a.Q), slices.Clone(b.Q), 0
	for k := range x {
		moves := func(v []float64) bool { return math.Abs(v[k]) > 1e-6 }
		if s.held[k] || slices.ContainsFunc(a.Dexterity.Idle, moves) || slices.ContainsFunc(b.Dexterity.Idle, moves) {
			x[k], y[k] = 0, 0
		} else {
			still++
		}
	}
	if still == 0 {
		return len(s.found.All) >= 8
	}
	return s.tree.apart(x, y) < distinct
}

// freeDexterity returns the dexterity of the joints that may move the goal's link.
func (s *solver) freeDexterity() Dexterity {
	var free Jacobian
	var coords []int
	for k, c := range s.follower.jacobian.Along(s.follower.goal.Pose.R) {
		if !s.held[k] && c != (Twist{}) {
			free, coords = append(free, c), append(coords, k)
		}
	}
	d := free.Dexterity(s.follower.goal.Mask, s.tree.reach)
	for i, v := range d.Idle {
		full := make([]float64, s.tree.dof)
		for k, x := range v {
			full[coords[k]] = x
		}
		d.Idle[i] = full
	}
	return d
}

// turnBack takes an angle by whole turns to within its limits, or to within ±π.
func (t *Tree) turnBack(q []float64, k int) {
	period := t.period(k)
	if period == 0 {
		return
	}
	q[k] = math.Remainder(q[k], period)
	if q[k] >= t.lower[k] && q[k] <= t.upper[k] {
		return
	}
	for _, turned := range []float64{q[k] + period, q[k] - period} {
		if turned >= t.lower[k] && turned <= t.upper[k] {
			q[k] = turned
			return
		}
	}
}

// apart returns the largest difference of two states, whole turns left out.
func (t *Tree) apart(a, b []float64) (worst float64) {
	for k := range a {
		d := math.Abs(a[k] - b[k])
		switch period := t.period(k); {
		case period > 0:
			d = math.Abs(math.Remainder(d, period))
		case !t.turns(k):
			d /= t.reach
		}
		worst = math.Max(worst, d)
	}
	return worst
}

// order puts solutions within limits first, and nearest to the wanted state first.
func (s *solver) order() {
	slices.SortStableFunc(s.found.All, func(a, b Solution) int {
		return cmp.Or(cmp.Compare(len(a.Outside), len(b.Outside)), cmp.Compare(s.tree.apart(a.Q, s.near), s.tree.apart(b.Q, s.near)))
	})
	if len(s.found.All) > 0 {
		s.found.Nearest = nil
		return
	}
	s.found.Distance, s.found.Angle = s.follower.away(s.found.Nearest)
}
