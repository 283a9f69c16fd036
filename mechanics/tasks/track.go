package tasks

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/robot"
)

// track is a stretch with the joints at places of it, near enough that Newton's method from one of them
// stays on their branch.
type track struct {
	arm   *arm
	on    stretch
	parts []float64   // ascending, from 0 to 1
	at    []place     // of each
	low   singularity // the nearest to singular
}

// place is the joints at a part of a path, with their derivatives by that part.
type place struct {
	state  []float64 // closed state of a robot with loops
	q      []float64
	d1, d2 []float64
}

// singularity is a place with the least singular value of the demands' derivative by the joints.
type singularity struct {
	part  float64
	value float64   // lengths in units of the reach
	way   []float64 // of the joints, of unit length, that moves the demands by the value alone
}

// Steps along a path: no joint moves by more than farthest, rad or reach, from place to place, and the
// prediction of second order is off by no more than astray. Steps below shortest are those at a place where the joints' rates have no bound.
const (
	farthest = 0.1
	astray   = 1e-3
	shortest = 1e-8
)

// maxPlaces bounds the memory and time that a path of many turns asks for.
const maxPlaces = 50_000

// newTrack follows a stretch from a state that meets its beginning nearly. least is the smallest singular value that is allowed.
func (a *arm) newTrack(ctx context.Context, on stretch, from state, least float64) (*track, state, error) {
	p, err := a.newPose()
	if err != nil {
		return nil, from, err
	}
	p.state = slices.Clone(from.closed)
	t := &track{arm: a, on: on, low: singularity{value: math.Inf(1)}}
	if rows := on.rows(); rows < a.dof() {
		return nil, from, &FreeJointsError{Joints: a.names, Demands: rows}
	}
	s := newSolver(p, &t.on)
	copy(s.q, from.q)
	if ok, err := s.solve(0); err != nil {
		return nil, from, err
	} else if !ok {
		return nil, from, t.lost(s, 0, from.q)
	}
	t.keep(s, 0)
	reach := a.tree.Reach()
	for part, step := 0.0, 1.0/16; part < 1; {
		if err := ctx.Err(); err != nil {
			return nil, from, err
		}
		if step < shortest {
			return nil, from, t.lost(s, part, t.at[len(t.at)-1].q)
		}
		if len(t.at) > maxPlaces {
			return nil, from, fmt.Errorf("the joints move by more than some %g rad along the path: part it, or make it shorter", maxPlaces*farthest/2)
		}
		next := math.Min(1, part+step)
		if 1-next < step/100 {
			next = 1
		}
		last := &t.at[len(t.at)-1]
		last.predict(s.q, next-part)
		predicted := slices.Clone(s.q)
		if p.loop != nil {
			p.state = slices.Clone(last.state)
		}
		s.unbounded = false
		ok, err := s.solve(next)
		if err != nil { // loops do not close there, perhaps from a prediction too far
			step /= 2
			if step < shortest {
				return nil, from, err
			}
			continue
		}
		moved, wrong := 0.0, 0.0
		for k, x := range s.q {
			unit := 1.0
			if !a.revolute(k) {
				unit = reach
			}
			moved, wrong = math.Max(moved, math.Abs(x-last.q[k])/unit), math.Max(wrong, math.Abs(x-predicted[k])/unit)
		}
		if !ok || moved > farthest || wrong > astray {
			step /= 2
			continue
		}
		part = next
		t.keep(s, part)
		if wrong < astray/8 && moved < farthest/2 {
			step *= 2
		}
	}
	if err := t.valley(p, least); err != nil {
		return nil, from, err
	}
	end := &t.at[len(t.at)-1]
	return t, state{slices.Clone(end.q), slices.Clone(end.state)}, nil
}

// keep stores the solver's state.
func (t *track) keep(s *solver, part float64) {
	t.parts = append(t.parts, part)
	t.at = append(t.at, place{slices.Clone(s.pose.state), slices.Clone(s.q), slices.Clone(s.d1), slices.Clone(s.d2)})
	if at := s.singular(part); at.value < t.low.value {
		t.low = at
	}
}

// predict stores the joints a step further.
func (p *place) predict(q []float64, step float64) {
	for k := range q {
		q[k] = p.q[k] + step*(p.d1[k]+step/2*p.d2[k])
	}
}

// singular returns the least singular value at the solver's place.
func (s *solver) singular(part float64) singularity {
	rows, cols := s.equations.rows, s.equations.cols
	a := make([]float64, rows*cols)
	s.matrix(a)
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(rows, cols, a), mat.SVDThin) {
		return singularity{part: part}
	}
	var v mat.Dense
	svd.VTo(&v)
	return singularity{part, svd.Values(nil)[cols-1], mat.Col(nil, cols-1, &v)}
}

// valley searches the least singular value between the places next to the least of theirs, and refuses one that is too small.
func (t *track) valley(p *pose, least float64) error {
	k := slices.Index(t.parts, t.low.part)
	low, high := t.parts[max(k-1, 0)], t.parts[min(k+1, len(t.parts)-1)]
	s := newSolver(p, &t.on)
	value := func(part float64) singularity {
		if ok, err := t.solve(s, part); err != nil || !ok {
			return singularity{part: part, way: t.low.way} // no solution that Newton's method finds: singular
		}
		return s.singular(part)
	}
	golden := (math.Sqrt(5) - 1) / 2
	a, b := value(high-golden*(high-low)), value(low+golden*(high-low))
	for range 40 { // 1e-8 of the interval
		if a.value < b.value {
			high, b = b.part, a
			a = value(high - golden*(high-low))
		} else {
			low, a = a.part, b
			b = value(low + golden*(high-low))
		}
		for _, x := range []singularity{a, b} {
			if x.value < t.low.value {
				t.low = x
			}
		}
		if high-low < shortest {
			break
		}
	}
	if t.low.value < least {
		return &SingularError{Part: t.low.part, Smallest: t.low.value, Least: least, Joints: t.arm.names, Way: t.low.way}
	}
	return nil
}

// solve finds the joints at a part of the path from the nearest place.
func (t *track) solve(s *solver, part float64) (bool, error) {
	k, _ := slices.BinarySearch(t.parts, part)
	if k == len(t.parts) || k > 0 && part-t.parts[k-1] < t.parts[k]-part {
		k--
	}
	near := &t.at[k]
	near.predict(s.q, part-t.parts[k])
	if s.pose.loop != nil {
		s.pose.state = append(s.pose.state[:0], near.state...)
	}
	return s.solve(part)
}

// lost tells the reason for which a stretch cannot be followed on from a part of it.
func (t *track) lost(s *solver, part float64, q []float64) error {
	copy(s.q, q)
	d := t.on.at(part)
	off, err := s.off(&d)
	if err != nil {
		return err
	}
	at := s.singular(part)
	if off > 1e-6 || at.value > 0.02 {
		// Far from singular: the demands contradict each other, or the robot has too few joints for them.
		next := t.on.at(math.Min(1, part+1e-3))
		if off, err = s.off(&next); err != nil {
			return err
		}
		return &UnreachableError{Part: part, Deviation: off * s.reach, Demands: t.on.rows(), Joints: len(q)}
	}
	return &SingularError{Part: part, Smallest: at.value, Joints: t.arm.names, Way: at.way}
}

func (a *arm) revolute(k int) bool { return a.robot.Links[a.links[k]].Joint.Kind == robot.Revolute }
