package baseparams

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"ident/mechanics/loops"
	"ident/regressor"
	"ident/robot"
)

// assemblies is the number of random assemblies for each loop in the search for the ways in which a mechanism closes. A
// parallelogram and its crossed twin occur about equally often.
const assemblies = 8

// QRLoops finds the minimal set of a robot with closed loops, as QR does: that of the torques at its drives, Gᵀ·W·χ with
// W the regressor of its tree and G = ∂q_tree/∂q_active, at random states that keep the loops closed. Passive joints
// have no rotor inertia and no offset; their friction counts.
//
// A mechanism may close in several ways, some of which make more parameters act alike: a parallelogram compared with the
// same bars crossed. Among the assemblies in which the most joints move (bars of equal lengths may also fold onto each
// other), QRLoops takes the one with the fewest parameters, because such coincidences are intended, and a warning names
// assemblies with more. Options.Start, or else the robot's own Assembly, overrides this. If ctx is done, its error is
// returned soon.
func QRLoops(ctx context.Context, r *robot.Robot, terms []regressor.Term, opt Options) (*Set, error) {
	m, c, err := loopModel(r, terms)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(opt.Seed, loopStream))
	start, err := givenStart(r, c, opt)
	if err != nil {
		return nil, err
	}
	if start != nil {
		s, err := qrWalk(ctx, m, c.Walk(start, rng), rng)
		if err != nil {
			return nil, err
		}
		s.warnHeld(r, heldLinks(m, start))
		return s, nil
	}
	// Assemblies in which more joints move go first.
	var best *Set
	var stuck []int
	counts := map[int]bool{}
	for range min(assemblies*max(len(r.Loops), 1), 4*assemblies) {
		start, err := c.Assemble(rng)
		if err != nil {
			return nil, err
		}
		s, err := qrWalk(ctx, m, c.Walk(start, rng), rng)
		if err != nil {
			return nil, err
		}
		h := heldLinks(m, start)
		switch {
		case best == nil || len(h) < len(stuck):
			best, stuck, counts = s, h, map[int]bool{s.Count(): true}
		case len(h) == len(stuck):
			counts[s.Count()] = true
			if s.Count() < best.Count() {
				best, stuck = s, h
			}
		}
	}
	best.warnHeld(r, stuck)
	if len(counts) > 1 {
		best.Warnings = append(best.Warnings, fmt.Sprintf("the loops close in several ways, with %s base parameters; these %d are of the way with the fewest, as a parallelogram has against the same bars crossed",
			either(slices.Sorted(maps.Keys(counts))), best.Count()))
	}
	return best, nil
}

// givenStart returns the closed state near Options.Start or else near the robot's own assembly, nil if neither is given.
func givenStart(r *robot.Robot, c *loops.Closure, opt Options) (*loops.Motion, error) {
	start := opt.Start
	if start == nil && len(r.Assembly) > 0 {
		var err error
		if start, err = c.Near(r.Assembly); err != nil {
			return nil, err
		}
	}
	if start == nil {
		return nil, nil
	}
	if len(start) != c.DOF() && len(start) != c.DOF()+c.Cuts() {
		return nil, fmt.Errorf("robot %q: the start has %d coordinates; the tree has %d", r.Name, len(start), c.DOF())
	}
	q, err := c.Close(start, nil)
	if err != nil {
		return nil, err
	}
	return c.Motion(q)
}

// loopStream keeps the draws of closed states apart from others of a seed.
const loopStream = 0x100b

// qrAssembly is QRLoops for a model with a known assembly.
func qrAssembly(ctx context.Context, m *regressor.Model, opt Options) (*Set, error) {
	rng := rand.New(rand.NewPCG(opt.Seed, loopStream))
	t := m.Loops()
	return qrWalk(ctx, m.Tree(), t.Closure().Walk(t.Start(), rng), rng)
}

// loopModel returns the model of a closed robot's tree with the columns that
// it has, and the closing of its loops.
func loopModel(r *robot.Robot, terms []regressor.Term) (*regressor.Model, *loops.Closure, error) {
	c, err := loops.NewClosure(r)
	if err != nil {
		return nil, nil, err
	}
	m, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, nil, err
	}
	return m.Tree(), c, nil
}

// heldLinks returns the links whose joints the loops keep from moving.
func heldLinks(m *regressor.Model, at *loops.Motion) []int {
	var links []int
	for k, link := range m.JointLinks() {
		most := 0.0
		for l := range at.Mobility {
			most = max(most, math.Abs(at.FreeRate(k, l)))
		}
		// Rounding is far below this, motion far above.
		if most < 1e-6 {
			links = append(links, link)
		}
	}
	return links
}

// warnHeld adds a warning about joints that cannot move: no mechanism is built like that.
func (s *Set) warnHeld(r *robot.Robot, links []int) {
	if len(links) == 0 {
		return
	}
	names := make([]string, len(links))
	for i, j := range links {
		names[i] = r.Links[j].Joint.Name
	}
	s.Warnings = append(s.Warnings, fmt.Sprintf("the loops do not let %s move; check the frames at the cuts", strings.Join(names, ", ")))
}

// qrWalk finds the minimal set over states of one walk.
func qrWalk(ctx context.Context, m *regressor.Model, w *loops.Walk, rng *rand.Rand) (*Set, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return qrColumns(ctx, m, loopRegressor(m, w, rng))
}

// loopRegressor evaluates the model at states of a walk and projects its rows onto the free motions. These span the same
// space as G's columns, so the same columns are independent as in Gᵀ·W; but they are orthonormal, while G grows without
// limit where the drives hardly hold the mechanism.
func loopRegressor(m *regressor.Model, w *loops.Walk, rng *rand.Rand) [][]float64 {
	joints, n := m.Joints(), len(m.Columns())
	// Torques of several motions at one state determine mass matrix and weight separately; one motion does not.
	const motions = 3
	var states []*loops.Motion
	rows := 0
	for rows < 2*n+40 {
		at := w.Next()
		for range motions {
			states = append(states, at)
			rows += at.Mobility
		}
	}
	q, dq, ddq := lists(joints, len(states)), lists(joints, len(states)), lists(joints, len(states))
	for i, at := range states {
		v := make([]float64, at.Mobility)
		a := make([]float64, at.Mobility)
		for k := range v {
			v[k], a[k] = 3*rng.NormFloat64(), 6*rng.NormFloat64()
		}
		rates, accs := at.FreeMotion(v, a)
		for k := range joints {
			q[k][i], dq[k][i], ddq[k][i] = at.Q[k], rates[k], accs[k]
		}
	}
	b := m.NewBlock(len(states))
	in := regressor.Batch{Q: q, DQ: dq, DDQ: ddq}
	extend(m, &in, len(states), rng)
	m.EvalBatch(b, in, m.NewWorkspace())
	out := lists(n, rows)
	row := 0
	for i, at := range states {
		for l := range at.Mobility {
			for k := range joints {
				f := at.FreeRate(k, l)
				for p, c := range m.Mask(k) {
					out[c][row] += f * b.Joint[k][p][i]
				}
			}
			row++
		}
	}
	return out
}

func lists(n, length int) [][]float64 {
	v := make([][]float64, n)
	for k := range v {
		v[k] = make([]float64, length)
	}
	return v
}

// either lists numbers: "2, 3 or 4".
func either(numbers []int) string {
	var b strings.Builder
	for i, n := range numbers {
		switch {
		case i > 0 && i == len(numbers)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, n)
	}
	return b.String()
}
