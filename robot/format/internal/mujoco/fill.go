package mujoco

import (
	"fmt"
	"math"

	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/robot"
	"ident/robot/internal/assembly"
	"ident/robot/internal/words"
)

// Fill fills r from the bodies of a model.
func Fill(r *robot.Robot, m *Model, opt robot.ReadOptions) error {
	if m.Name != "" {
		r.Name = m.Name
	}
	r.Gravity = m.Gravity
	if !opt.TreeOnly {
		var err error
		if m, err = m.Welded(); err != nil {
			return err
		}
	}
	for _, n := range m.Notes {
		r.Notes = append(r.Notes, robot.Note(n))
	}
	x := filler{model: m, opt: opt, offset: make([][3]float64, len(m.Bodies))}
	x.bodies = append(x.bodies, assembly.Body{Name: world})
	for _, i := range m.Order() {
		if err := x.body(i); err != nil {
			return err
		}
	}
	for _, t := range m.Ties {
		for i := range x.edges {
			if e := &x.edges[i]; e.Joint.Name == t.Joint {
				if e.Mimic != "" {
					return robot.Fault(t.Line, words.Joint(t.Joint), "two equalities make it follow other joints")
				}
				e.Mimic, e.Multiplier, e.Offset = t.Of, t.Multiplier, t.Offset
			}
		}
	}
	r.Notes = append(r.Notes, x.notes...)
	if err := assembly.Assemble(r, x.bodies, x.edges, opt); err != nil {
		return err
	}
	x.userFrames(r)
	return x.loops(r)
}

// world is the name of the fixed body.
const world = "world"

// filler turns a model into bodies whose frames lie on their joints' axes, as those of a URDF do.
type filler struct {
	model  *Model
	opt    robot.ReadOptions
	bodies []assembly.Body
	edges  []assembly.Edge
	offset [][3]float64 // of that frame, in the file's frame of the body
	notes  []robot.Note
}

func shift(p [3]float64) robot.Transform { return robot.Transform{R: spatial.Eye(), P: p} }

func (x *filler) body(i int) error {
	b := &x.model.Bodies[i]
	if b.Name == world {
		return robot.Fault(b.Line, fmt.Sprintf("body %q", b.Name), "is the name of the world itself; rename it")
	}
	parent, at := world, robot.Transform{R: cleaned(b.At.R), P: b.At.P}
	if b.Parent >= 0 {
		parent = x.model.Bodies[b.Parent].Name
		at = shift(spatial.Scale(-1, x.offset[b.Parent])).Mul(at)
	}
	own := assembly.Body{Name: b.Name, Line: b.Line}
	if len(b.Joints) == 0 {
		x.edges = append(x.edges, assembly.Edge{Joint: robot.NewJoint(b.Name+".fixed", robot.Fixed), Line: b.Line, Parent: parent, Child: b.Name, Origin: at, Multiplier: 1})
	}
	for k := range b.Joints {
		j := &b.Joints[k]
		e, kind, err := x.joint(j)
		if err != nil {
			return err
		}
		last := [3]float64{}
		if k > 0 {
			last = b.Joints[k-1].At
		}
		e.Origin = at.Mul(shift(spatial.Sub(j.At, last))).Mul(e.Origin)
		at = robot.Identity()
		e.Parent, e.Child = parent, b.Name
		if k < len(b.Joints)-1 {
			e.Child = b.Name + "." + j.Name
			x.bodies = append(x.bodies, assembly.Body{Name: e.Child, Line: j.Line, Massless: true})
		}
		parent = e.Child
		x.offset[i] = j.At
		if kind == "" {
			x.edges = append(x.edges, e)
			continue
		}
		between, row, note := assembly.Chain(e, kind, j.Axis)
		x.bodies, x.edges, x.notes = append(x.bodies, between...), append(x.edges, row...), append(x.notes, note)
	}
	if in := b.Inertial; in != nil {
		own.Has = true
		own.Inertial = robot.InertialFromCentral(in.Mass, spatial.Sub(in.Centre, x.offset[i]), in.Central)
	}
	x.bodies = append(x.bodies, own)
	return nil
}

// joint returns an edge without its ends; origin turns it back from its position at the file's reference.
func (x *filler) joint(j *Joint) (e assembly.Edge, compound string, err error) {
	e = assembly.Edge{Joint: robot.NewJoint(j.Name, robot.Revolute), Line: j.Line, Axis: j.Axis, Origin: robot.Identity(), Multiplier: 1}
	switch j.Type {
	case "slide":
		e.Joint.Kind = robot.Prismatic
	case "ball":
		return e, "spherical", nil
	case "free":
		return e, "floating", nil
	case "fixed":
		e.Joint.Kind = robot.Fixed
		return e, "", nil
	}
	if !x.opt.NoSnap {
		var said string
		if e.Axis, said, err = assembly.UnitAxis(j.Axis, true); err != nil {
			return e, "", robot.Fault(j.Line, words.Joint(j.Name), "%v", err)
		}
		if said != "" {
			x.notes = append(x.notes, robot.Note{Where: words.Joint(j.Name), Text: "read " + said})
		}
	}
	e.Joint.Lower, e.Joint.Upper, e.Joint.Velocity, e.Joint.Effort = j.Lower, j.Upper, j.Velocity, j.Effort
	e.Joint.Fv, e.Joint.Fs, e.Joint.Ia = j.Damping, j.FrictionLoss, j.Armature
	e.Joint.Continuous = e.Joint.Kind == robot.Revolute && math.IsNaN(j.Lower)
	e.Joint.Passive = len(x.model.Connects)+len(x.model.Cuts) > 0 && x.model.Driven && !j.Driven
	if j.Stiffness != 0 {
		x.notes = append(x.notes, robot.Note{Where: words.Joint(j.Name), Text: fmt.Sprintf("its spring of %g about %g is not part of the model", j.Stiffness, j.Spring)})
	}
	if e.Joint.Kind == robot.Prismatic {
		e.Origin.P = spatial.Scale(-j.Reference, e.Axis)
	} else if j.Reference != 0 {
		// About the axis: along z, turned, and back.
		a := Along(e.Axis)
		e.Origin.R = spatial.Mul(a, spatial.Mul(spatial.RotZ(-j.Reference), spatial.Transpose(a)))
	}
	return e, "", nil
}

// userFrames puts the frames of results where the file has its bodies.
func (x *filler) userFrames(r *robot.Robot) {
	for i := range x.model.Bodies {
		for j := range r.Links {
			if l := &r.Links[j]; l.Name == x.model.Bodies[i].Name {
				l.UserFrame = l.UserFrame.Mul(shift(spatial.Scale(-1, x.offset[i])))
			}
		}
	}
}

// loops closes chains at the points that the file connects.
func (x *filler) loops(r *robot.Robot) error {
	if len(x.model.Connects)+len(x.model.Cuts) == 0 || x.opt.TreeOnly {
		return nil
	}
	if !x.opt.Loops {
		u := &robot.UnsupportedError{What: "closed loops", Advice: "read the tree that is left when they are cut (TreeOnly), or give a file of the tree"}
		for _, c := range x.model.Connects {
			u.Frames = append(u.Frames, fmt.Sprintf("connect of body %q", x.model.Bodies[c.Body].Name))
		}
		for _, c := range x.model.Cuts {
			u.Frames = append(u.Frames, fmt.Sprintf("weld of body %q", x.model.Bodies[c.Body].Name))
		}
		return u
	}
	for n, c := range x.model.Connects {
		l := robot.Loop{Frame: len(r.Extra), Meets: len(r.Extra) + 1, Spherical: true}
		for k, end := range []struct {
			body int
			at   [3]float64
		}{{c.Body, c.At}, {c.On, c.OnAt}} {
			link, place := x.seat(r, end.body)
			f := robot.ExtraFrame{Name: fmt.Sprintf("connect%d%c", n+1, 'a'+rune(k)), Antecedent: link, Kind: robot.Fixed, Placement: place.Mul(shift(end.at)), Loop: n + 1}
			r.Extra = append(r.Extra, f)
		}
		r.Loops = append(r.Loops, l)
	}
	for n, c := range x.model.Cuts {
		e, _, err := x.joint(&c.Joint)
		if err != nil {
			return err
		}
		ends := robot.Transform{R: angles.AlignZ(e.Axis)}
		link, place := x.seat(r, c.Parent)
		on, from := x.seat(r, c.Body)
		number := len(x.model.Connects) + n + 1
		r.Loops = append(r.Loops, robot.Loop{Frame: len(r.Extra), Meets: len(r.Extra) + 1})
		r.Extra = append(r.Extra,
			robot.ExtraFrame{Name: c.Joint.Name, Antecedent: link, Kind: e.Joint.Kind, Loop: number,
				Placement: place.Mul(robot.Transform{R: cleaned(c.At.R), P: c.At.P}).Mul(shift(c.Joint.At)).Mul(e.Origin).Mul(ends)},
			robot.ExtraFrame{Name: c.Joint.Name + ".weld", Antecedent: on, Kind: robot.Fixed, Loop: number, Placement: from.Mul(shift(c.Joint.At)).Mul(ends)})
	}
	return nil
}

// seat finds the link that a body is part of, and the body's frame in frame j.
func (x *filler) seat(r *robot.Robot, i int) (int, robot.Transform) {
	if i < 0 {
		return -1, robot.Identity()
	}
	name := x.model.Bodies[i].Name
	for j := range r.Links {
		if r.Links[j].Name == name {
			return j, r.Links[j].UserFrame
		}
	}
	for _, l := range r.Lumped {
		if l.Name == name {
			return l.Into, l.InLink
		}
	}
	panic("robot: a body of the model is neither link nor lumped")
}

// cleaned makes entries that are rounded zeros and ones exact.
func cleaned(m [3][3]float64) [3][3]float64 {
	for i := range 3 {
		for k := range 3 {
			if v := math.Round(m[i][k]); math.Abs(m[i][k]-v) < 1e-15 {
				m[i][k] = v + 0
			}
		}
	}
	return m
}
