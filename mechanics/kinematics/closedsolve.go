package kinematics

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/mechanics/loops"
)

// Solve returns the states in which a closed robot reaches a goal: Q, Near and Hold are in coordinates of its tree,
// as those of Tree.Solve, and Hold lists active joints. Near is a state near which the loops close, nil for
// the robot's assembly.
//
// Where six joints, passive ones among them, lead to the goal's link as an arm, its states are those of the arm, and the
// loops are closed by the other joints from several starts. Any robot is searched by damped least squares in its active
// joints, J = J_tree·G, from states on a random walk of its assembly. Neither method proves that all states were found.
func (c *Closed) Solve(ctx context.Context, g Goal, opt SolveOptions) (Solutions, error) {
	g, err := g.check(c.tree)
	if err != nil {
		return Solutions{}, err
	}
	if len(c.tree.Moving(g.Link)) == 0 {
		return Solutions{}, fmt.Errorf("kinematics: no joint moves link %d of robot %q", g.Link, c.tree.name)
	}
	for _, k := range opt.Hold {
		if !slices.Contains(c.active, k) {
			return Solutions{}, fmt.Errorf("kinematics: coordinate %d of robot %q is passive and cannot be held: its loops move it", k+1, c.tree.name)
		}
	}
	if opt.Starts == 0 {
		opt.Starts = 40
	}
	s := &closedSolver{c: c, goal: g, held: opt.Hold, rng: rand.New(rand.NewPCG(opt.Seed, 0x510e527fade682d1)),
		follower: c.tree.newFollower(g, make([]bool, c.tree.dof)), found: Solutions{Method: "search"}}
	if err := s.begin(opt.Near); err != nil {
		return Solutions{}, err
	}
	if g.Mask == Full {
		if err := s.byArm(ctx); err != nil {
			return Solutions{}, err
		}
	}
	if len(s.found.All) == 0 {
		if err := s.search(ctx, opt.Starts); err != nil {
			return Solutions{}, err
		}
	}
	s.order()
	return s.found, nil
}

// closedSolver collects the solutions of one goal of a closed robot.
type closedSolver struct {
	c        *Closed
	goal     Goal
	held     []int
	rng      *rand.Rand
	follower *follower
	start    *loops.Motion // on the assembly that is meant
	known    [][]float64   // states on that assembly, the start first
	found    Solutions
	states   [][]float64 // of found, with the cut joints
	least    float64     // error of the nearest state
}

// begin closes the loops near a state of the tree.
func (s *closedSolver) begin(near []float64) (err error) {
	c := s.c
	if s.start, err = c.closure.Assembled(c.assembly); err != nil {
		return err
	}
	if near != nil {
		c.tree.check("Near", near)
		q := append(slices.Clone(near), s.start.Q[c.tree.dof:]...)
		closed, err := c.closure.Close(q, c.active)
		if err != nil && len(s.held) > 0 {
			return fmt.Errorf("kinematics: the loops do not close where joints are held: %w", err)
		} else if err != nil {
			if closed, err = c.closure.Close(q, nil); err != nil {
				return err
			}
		}
		if s.start, err = c.closure.Motion(closed); err != nil {
			return err
		}
	}
	s.known = [][]float64{s.start.Q}
	return nil
}

// byArm takes the states of the arm to the goal's link and closes the loops with the arm's joints held.
func (s *closedSolver) byArm(ctx context.Context) error {
	c := s.c
	if len(s.held) > 0 {
		return nil // joints beside the arm would have to stay
	}
	arm := &solver{tree: c.tree, follower: c.tree.newFollower(s.goal, make([]bool, c.tree.dof)), near: s.start.Q[:c.tree.dof], held: make([]bool, c.tree.dof)}
	arm.complete()
	if !arm.found.Complete {
		return nil
	}
	var coords []int
	for _, j := range c.tree.paths[s.goal.Link] {
		coords = append(coords, c.tree.links[j].Coord)
	}
	for _, a := range arm.found.All {
		if err := ctx.Err(); err != nil {
			return err
		}
		q := slices.Clone(s.start.Q)
		for _, k := range coords {
			q[k] = a.Q[k]
		}
		for i := range 16 {
			from := q
			if i > 0 {
				from = c.closure.RandomState(q, coords, s.rng)
			}
			if closed, err := c.closure.Close(from, coords); err == nil {
				s.keep(closed)
			}
		}
	}
	if len(s.found.All) == 0 {
		return nil
	}
	s.found.Method = arm.found.Method + ", loops from 16 starts"
	walk := c.closure.Walk(s.start, s.rng)
	for range 20 {
		s.known = append(s.known, walk.Next().Q)
	}
	for i := range s.found.All {
		s.found.All[i].OtherAssembly = !s.onAssembly(s.states[i])
	}
	return nil
}

// onAssembly reports whether a state is reached from one of the five nearest known ones by a straight motion of the
// drives.
func (s *closedSolver) onAssembly(q []float64) bool {
	c := s.c
	far := func(a []float64) (sum float64) {
		for _, k := range c.active {
			d := s.difference(k, q[k], a[k])
			sum += d * d
		}
		return sum
	}
	near := slices.Clone(s.known)
	slices.SortStableFunc(near, func(a, b []float64) int { return cmp.Compare(far(a), far(b)) })
	for _, from := range near[:min(5, len(near))] {
		t, err := c.closure.Track(from)
		if err != nil {
			continue
		}
		path, along := t.NewPath(1), t.Continue()
		drive := loops.Drive{}
		for _, k := range t.Driven() {
			drive.Q = append(drive.Q, []float64{from[k] + s.difference(k, q[k], from[k])})
			drive.DQ = append(drive.DQ, []float64{0})
		}
		if _, err := along.Track(path, drive, 0, 1, true); err != nil {
			continue
		}
		reached := make([]float64, len(q))
		for k := range reached {
			reached[k] = path.Q[k][0]
		}
		if c.closure.Same(reached, q, distinct) {
			return true
		}
	}
	return false
}

// difference returns the difference of two values of a coordinate, of an angle that turns alone without whole turns.
func (s *closedSolver) difference(k int, a, b float64) float64 {
	if s.turns(k) {
		return math.Remainder(a-b, 2*math.Pi)
	}
	return a - b
}

// turns reports whether a whole turn of a coordinate changes nothing.
func (s *closedSolver) turns(k int) bool { return !s.c.coupled[k] && s.c.tree.period(k) > 0 }

// search descends from the start and from states on a walk along the assembly.
func (s *closedSolver) search(ctx context.Context, starts int) error {
	walk := s.c.closure.Walk(s.start, s.rng)
	at := s.start
	for i := range starts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i > 0 {
			at = walk.Next()
		}
		q := slices.Clone(at.Q)
		if i > 0 && len(s.held) > 0 {
			for _, k := range s.held {
				q[k] = s.start.Q[k]
			}
			closed, err := s.c.closure.Close(q, s.held)
			if err != nil {
				continue
			}
			q = closed
		}
		q, size := s.descend(q, 60)
		if len(s.found.Nearest) == 0 || size < s.least {
			s.found.Nearest, s.least = slices.Clone(q[:s.c.tree.dof]), size
		}
		s.keep(q)
	}
	return nil
}

// descend moves the active joints until the goal's error no longer falls: the damped least squares of trees, with the loops
// closed after each step.
func (s *closedSolver) descend(q []float64, steps int) ([]float64, float64) {
	f, c, n := s.follower, s.c, len(s.c.active)
	size, mu := f.residual(q[:c.tree.dof]), 1.0
	rows := len(f.rows)
	var a mat.Dense
	normal, right, step := mat.NewSymDense(rows, nil), mat.NewVecDense(rows, nil), mat.NewVecDense(n, nil)
	for range steps {
		if size < reached/1e3 {
			break
		}
		m, err := c.closure.Motion(q)
		if err != nil {
			break
		}
		f.linearise()
		a.Reset()
		a.Mul(f.a, m.G)
		for i, k := range c.active {
			if slices.Contains(s.held, k) {
				for r := range rows {
					a.Set(r, i, 0)
				}
			}
		}
		copy(right.RawVector().Data, f.error)
		better := false
		for range 8 {
			normal.SymOuterK(1, &a)
			for r := range rows {
				normal.SetSym(r, r, normal.At(r, r)+mu*size*size+1e-300)
			}
			var chol mat.Cholesky
			var y mat.VecDense
			if !chol.Factorize(normal) {
				mu = math.Max(mu*10, 1e-12)
				continue
			}
			if err := chol.SolveVecTo(&y, right); err != nil && math.IsInf(chol.Cond(), 1) {
				mu *= 10
				continue
			}
			step.MulVec(a.T(), &y)
			if next, ok := s.step(q, m, step.RawVector().Data); ok {
				if e := f.residual(next[:c.tree.dof]); e < size {
					better = e < size*(1-1e-9)
					q, size, mu = next, e, math.Max(mu/5, 1e-10)
					break
				}
			}
			mu *= 8
		}
		if !better {
			break
		}
	}
	return q, f.residual(q[:c.tree.dof])
}

// step moves the active joints by a step, half a radian or metre at most, and closes the loops.
func (s *closedSolver) step(q []float64, m *loops.Motion, step []float64) ([]float64, bool) {
	longest := 0.0
	for _, v := range step {
		longest = math.Max(longest, math.Abs(v))
	}
	scale := -math.Min(1, 0.5/longest)
	next := slices.Clone(q)
	for k := range s.c.tree.dof {
		for i, v := range step {
			next[k] += scale * m.G.At(k, i) * v
		}
	}
	for i, k := range s.c.active {
		next[k] = q[k] + scale*step[i]
	}
	closed, err := s.c.closure.Close(next, s.c.active)
	return closed, err == nil
}

// keep takes a closed state that reaches the goal, if it is new.
func (s *closedSolver) keep(q []float64) {
	c := s.c
	off := s.follower.off(q[:c.tree.dof])
	if !(off <= reached) {
		return
	}
	m, err := c.closure.Motion(q)
	if err != nil {
		return // a singular state of the loops: its drives do not determine it
	}
	for k := range c.tree.dof {
		if s.turns(k) {
			c.tree.turnBack(q, k)
		}
	}
	for _, o := range s.states {
		if c.closure.Same(o, q, distinct) {
			return
		}
	}
	c.motion = m
	c.Pose.Place(q[:c.tree.dof])
	sol := Solution{Q: slices.Clone(q[:c.tree.dof]), Residual: off, Dexterity: s.dexterity(m)}
	for i, o := range s.found.All {
		if s.continuum(o, sol, s.states[i], q) {
			return
		}
	}
	for k, v := range sol.Q {
		if v < c.tree.lower[k]-1e-12 || v > c.tree.upper[k]+1e-12 {
			sol.Outside = append(sol.Outside, k)
		}
	}
	s.found.All, s.states = append(s.found.All, sol), append(s.states, slices.Clone(q))
}

// continuum reports whether two solutions are samples of one continuum: alike in the coordinates that their idle motions
// leave. Where they move all, eight samples are enough.
func (s *closedSolver) continuum(a, b Solution, x, y []float64) bool {
	if len(a.Dexterity.Idle) == 0 || len(a.Dexterity.Idle) != len(b.Dexterity.Idle) {
		return false
	}
	x, y = slices.Clone(x), slices.Clone(y)
	still := 0
	for k := range b.Q {
		moves := func(v []float64) bool { return math.Abs(v[k]) > 1e-6 }
		if slices.ContainsFunc(a.Dexterity.Idle, moves) || slices.ContainsFunc(b.Dexterity.Idle, moves) {
			x[k], y[k] = 0, 0
		} else {
			still++
		}
	}
	for k := len(b.Q); k < len(x); k++ {
		x[k], y[k] = 0, 0 // cut joints follow
	}
	if still == 0 {
		return len(s.found.All) >= 8
	}
	return s.c.closure.Same(x, y, distinct)
}

// dexterity returns the dexterity of the active joints that may move; idle motions are in coordinates of the tree.
func (s *closedSolver) dexterity(m *loops.Motion) Dexterity {
	c := s.c
	all := make(Jacobian, len(c.active))
	c.Jacobian(all, Point{s.goal.Link, s.goal.Tool.P})
	var free Jacobian
	var of []int
	for i, column := range all.Along(s.goal.Pose.R) {
		if !slices.Contains(s.held, c.active[i]) && column != (Twist{}) {
			free, of = append(free, column), append(of, i)
		}
	}
	d := free.Dexterity(s.goal.Mask, c.tree.reach)
	for i, v := range d.Idle {
		full := make([]float64, c.tree.dof)
		for k := range full {
			for x, w := range v {
				full[k] += m.G.At(k, of[x]) * w
			}
		}
		d.Idle[i] = full
	}
	return d
}

// order puts solutions on the assembly that is meant first, then those within limits, nearest to the start first.
func (s *closedSolver) order() {
	apart := func(q []float64) (worst float64) {
		for k := range q {
			worst = math.Max(worst, math.Abs(s.difference(k, q[k], s.start.Q[k])))
		}
		return worst
	}
	other := func(a Solution) int {
		if a.OtherAssembly {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(s.found.All, func(a, b Solution) int {
		return cmp.Or(cmp.Compare(other(a), other(b)), cmp.Compare(len(a.Outside), len(b.Outside)), cmp.Compare(apart(a.Q), apart(b.Q)))
	})
	if len(s.found.All) > 0 {
		s.found.Nearest = nil
		return
	}
	s.found.Distance, s.found.Angle = s.follower.away(s.found.Nearest)
}
