package baseparams

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ident/regressor"
	"ident/robot"
)

// Effect says how a change of the experiment changes the minimal set.
type Effect struct {
	Setup string `json:"setup"` // "the wrench under the base is measured too"
	Count int    `json:"count"`
	// More and Less are the parameters that become more or less identifiable by the change, in the order of the columns.
	More []Change `json:"more"`
	Less []Change `json:"less"`
}

// Change is a standard parameter whose identifiability changes.
type Change struct {
	Parameter string `json:"parameter"`
	From      string `json:"from"` // "not at all"
	To        string `json:"to"`   // "in combination"
}

// Effects returns how the minimal set of a robot's dynamic model changes with the experiment: if the wrench under the
// base is measured too, or that on each link at the end of a branch; if gravity is absent or along another axis of the
// base (a robot on a wall); and if each joint in turn is locked at zero. The sets are those of NullSpaceWith or, if it
// does not apply, QRWith. The link of a locked joint keeps its parameters, which then form one body with those of the
// link that carries it.
func Effects(ctx context.Context, r *robot.Robot, terms []regressor.Term, opt Options) ([]Effect, error) {
	ref, err := findWith(ctx, r, terms, nil, opt)
	if err != nil {
		return nil, err
	}
	var out []Effect
	try := func(setup string, r *robot.Robot, at ...int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := findWith(ctx, r, terms, at, opt)
		if err != nil {
			return fmt.Errorf("when %s: %w", setup, err)
		}
		out = append(out, effect(setup, ref, s))
		return nil
	}
	if err := try("the wrench under the base is measured too", r, AtBase); err != nil {
		return nil, err
	}
	for j := range r.Links {
		if slices.ContainsFunc(r.Links, func(l robot.Link) bool { return l.Antecedent == j }) {
			continue
		}
		if err := try(fmt.Sprintf("the wrench on %s is measured too", r.Links[j].Name), r, j); err != nil {
			return nil, err
		}
	}
	for _, g := range []struct {
		setup   string
		gravity [3]float64
	}{
		{"there is no gravity", [3]float64{}},
		{"gravity is along x of the base", [3]float64{-9.81, 0, 0}},
		{"gravity is along y of the base", [3]float64{0, -9.81, 0}},
		{"gravity is along z of the base", [3]float64{0, 0, -9.81}},
	} {
		if unit(g.gravity) == unit(r.Gravity) || unit(g.gravity) == opposite(unit(r.Gravity)) {
			continue
		}
		c := r.Clone()
		c.Gravity = g.gravity
		if err := try(g.setup, c); err != nil {
			return nil, err
		}
	}
	for j := range r.Links {
		locked := stopped(r, j)
		if locked == nil {
			continue
		}
		if err := try(fmt.Sprintf("joint %s is locked", r.Links[j].Joint.Name), locked); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func opposite(v [3]float64) [3]float64 { return [3]float64{-v[0], -v[1], -v[2]} }

func findWith(ctx context.Context, r *robot.Robot, terms []regressor.Term, at []int, opt Options) (*Set, error) {
	s, err := NullSpaceWith(r, terms, at, opt)
	var no *NotApplicableError
	if errors.As(err, &no) {
		return QRWith(ctx, r, terms, at, opt)
	}
	return s, err
}

// effect compares sets by names, because a robot with locked joints has fewer columns.
func effect(setup string, ref, s *Set) Effect {
	e := Effect{Setup: setup, Count: s.Count(), More: []Change{}, Less: []Change{}}
	now := make(map[string]Status, len(s.Columns))
	for c := range s.Columns {
		now[s.Columns[c].Name] = s.Status(c)
	}
	for c := range ref.Columns {
		from, to := ref.Status(c), now[ref.Columns[c].Name]
		change := Change{ref.Columns[c].Name, from.String(), to.String()}
		switch {
		case to > from:
			e.More = append(e.More, change)
		case to < from:
			e.Less = append(e.Less, change)
		}
	}
	return e
}

// stopped returns the robot with a joint, and its followers, locked at zero as by robot.Lock, but with separate links,
// so that parameters keep their names. It returns nil if Lock refuses the joint.
func stopped(r *robot.Robot, k int) *robot.Robot {
	if _, err := r.Lock(r.Links[k].Joint.Name, 0); err != nil {
		return nil
	}
	c := r.Clone()
	stop := func(j int, q float64) {
		l := &c.Links[j]
		move := robot.MDH{Theta: q}
		if l.Joint.Kind == robot.Prismatic {
			move = robot.MDH{R: q}
		}
		l.Joint.Kind, l.MDH, l.Placement = robot.Fixed, nil, l.Placement.Mul(move.Transform())
		for i := range c.Drives {
			delete(c.Drives[i].Weights, j)
		}
	}
	stop(k, 0)
	c.Mimics = nil
	for _, m := range r.Mimics {
		if m.Of == k {
			stop(m.Joint, m.Offset)
		} else {
			c.Mimics = append(c.Mimics, m)
		}
	}
	drives := c.Drives[:0]
	for _, d := range c.Drives {
		last := -1
		for j := range d.Weights {
			last = max(last, j)
		}
		if last < 0 {
			continue
		}
		if c.Links[d.Number].Joint.Kind == robot.Fixed {
			d.Number = last
		}
		drives = append(drives, d)
	}
	c.Drives = drives
	return c
}
