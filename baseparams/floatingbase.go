package baseparams

import (
	"context"
	"fmt"
	"slices"

	"ident/regressor"
	"ident/robot"
)

// NullSpaceFloating is NullSpace for a robot whose base moves freely, such as a humanoid or a spacecraft. The base is a
// body with its own ten parameters, XX0 to M0 about the robot's base frame, and the six components of the wrench on it
// are torques like the others. In flight they vanish; with measured contact forces the same parameters are identifiable.
// The columns of the base come first, with Link = -1. Without the term links the base has no columns and only its motion
// counts. There are no Reasons, because those are for a fixed base.
//
// In general position a tree of n revolute joints has 7n + 10 parameters, including all ten of the base, because it can
// move every way.
//
// In the structural method the base is a link whose motions are all six from the start, each also the screw of a joint,
// so all components of its momentum under all motions are conditions.
func NullSpaceFloating(r *robot.Robot, terms []regressor.Term, opt Options) (*Set, error) {
	if r.Closed() {
		return nil, closedLoops("null space", r)
	}
	body := inserted(r, []int{AtBase}, 1)
	body.Links[0].Joint.Kind = robot.Fixed
	s, err := structuralOn(body, terms, []int{0}, true)
	if err != nil {
		return nil, err
	}
	return s.afloat(r, terms)
}

// QRFloating is QR for a robot whose base moves freely, with the columns of NullSpaceFloating. Six virtual joints, three
// prismatic and three revolute, carry the base; its parameters are those of the last one's link. If ctx is done, its
// error is returned soon.
func QRFloating(ctx context.Context, r *robot.Robot, terms []regressor.Term, opt Options) (*Set, error) {
	if r.Closed() {
		return nil, closedLoops("QR with a floating base", r)
	}
	n := len(sensorJoints)
	m, err := regressor.NewDynamic(inserted(r, []int{AtBase}, n), terms)
	if err != nil {
		return nil, err
	}
	var real []int
	for c, col := range m.Columns() {
		if col.Link >= n || col.Link == n-1 && col.Term == regressor.Links {
			real = append(real, c)
		}
	}
	m = m.Select(real)
	s, err := qrTree(ctx, m, opt.Seed, nil)
	if err != nil {
		return nil, err
	}
	return s.afloat(r, terms)
}

// afloat renames the columns of a floating robot: first the base's, if there are links' parameters, then those that the
// robot has on a fixed base.
func (s *Set) afloat(r *robot.Robot, terms []regressor.Term) (*Set, error) {
	m, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, err
	}
	var cols []regressor.Column
	if slices.Contains(terms, regressor.Links) {
		owner := r.BaseName
		if owner == "" {
			owner = "base"
		}
		for p, name := range robot.InertialNames {
			unit := s.Columns[p].Unit
			cols = append(cols, regressor.Column{Name: name + "0", Term: regressor.Links, Link: -1, Param: p, Owner: owner, Unit: unit})
		}
	}
	s.Columns = append(cols, m.Columns()...)
	return s, nil
}

// release lets a link move every way: its rates span all twists and are driven, unlike those of a sensor.
func (c *chain) release(l *member) {
	c.sense(l)
	l.driven, l.measured = l.rates, false
}

// onFixedBase returns an error for a set with columns of the base, for which SYMORO+ files have no place. It matches
// robot.ErrNotWritable.
func (s *Set) onFixedBase() error {
	if len(s.Columns) > 0 && s.Columns[0].Link < 0 {
		return fmt.Errorf("%w: %s belongs to a floating base, and a SYMORO+ file numbers the links from 1; write a LaTeX or CSV table", robot.ErrNotWritable, s.Columns[0].Name)
	}
	return nil
}
