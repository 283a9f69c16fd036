package baseparams

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"

	"ident/mechanics/loops"
	"ident/regressor"
	"ident/robot"
)

// Assembly is one way in which a robot's loops close for given positions of the driven joints.
type Assembly struct {
	// Joints holds the positions of all joints, including cut ones, in the form of robot.Robot.Assembly.
	Joints map[string]float64
	// Count is the number of base parameters of the links in this assembly.
	Count int
	// Others are the other assemblies, the most likely first.
	Others []Assembly
}

const (
	// With this many random starts, an assembly that a tenth of them reach is missed once in five hundred times.
	assemblyStarts = 60
	// Positions of the same assembly differ by less than this, the error of closing.
	sameWay = 1e-6
)

// Assemble finds how a robot's loops close for given positions of the driven joints, by name, such as from a log's first
// row. Of several assemblies it prefers the one with the fewest independent parameters, as QRLoops does, and of equals
// the most regular. The error is that of the start that came nearest to closing, or that of ctx.
func Assemble(ctx context.Context, r *robot.Robot, driven map[string]float64, opt Options) (*Assembly, error) {
	m, c, err := loopModel(r, []regressor.Term{regressor.Links})
	if err != nil {
		return nil, err
	}
	base, err := c.Near(driven)
	if err != nil {
		return nil, err
	}
	t, err := c.Assembled(nil)
	if err != nil {
		return nil, err
	}
	held, err := t.Independent()
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(opt.Seed, loopStream))
	var found []*loops.Motion
	var nearest error
	for range assemblyStarts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		start := c.RandomState(base, held, rng)
		q, err := c.Close(start, held)
		if err != nil {
			nearest = err
			continue
		}
		at, err := c.Motion(q)
		if err != nil {
			nearest = err
			continue
		}
		if !slices.ContainsFunc(found, func(o *loops.Motion) bool { return c.Same(o.Q, q, sameWay) }) {
			found = append(found, at)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("the driven joints at %s: %w", positions(driven), nearest)
	}
	type way struct {
		at    *loops.Motion
		count int
		held  int
	}
	var ways []way
	for _, at := range found {
		w := way{at: at, held: len(held)}
		if len(found) > 1 {
			s, err := qrWalk(ctx, m, c.Walk(at, rng), rng)
			if err != nil {
				return nil, err
			}
			w.count, w.held = s.Count(), len(heldLinks(m, at))
		}
		ways = append(ways, w)
	}
	sort.SliceStable(ways, func(i, j int) bool {
		a, b := ways[i], ways[j]
		switch {
		case a.held != b.held:
			return a.held < b.held
		case a.count != b.count:
			return a.count < b.count
		}
		return a.at.Margin > b.at.Margin
	})
	list := make([]Assembly, len(ways))
	for i, w := range ways {
		list[i] = Assembly{Joints: c.Named(w.at.Q), Count: w.count}
	}
	best := list[0]
	best.Others = list[1:]
	return &best, nil
}

// positions writes joints with their values, in order of their names.
func positions(joints map[string]float64) string {
	var names []string
	for name := range joints {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = fmt.Sprintf("%s = %.4g", name, joints[name])
	}
	return strings.Join(names, ", ")
}

// Passive writes the positions of the passive joints of an assembly.
func (a *Assembly) Passive(r *robot.Robot) string {
	at := map[string]float64{}
	for _, l := range r.Links {
		if v, ok := a.Joints[l.Joint.Name]; ok && l.Joint.Passive {
			if l.Joint.Kind == robot.Revolute {
				v = math.Remainder(v, 2*math.Pi)
			}
			at[l.Joint.Name] = v
		}
	}
	return positions(at)
}
