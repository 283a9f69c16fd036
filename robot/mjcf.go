package robot

import (
	"errors"
	"fmt"
	"math"

	"ident/internal/angles"
	"ident/internal/mujoco"
	"ident/internal/sdf"
	"ident/internal/spatial"
	"ident/internal/xmltree"
)

// readMJCF fills r from the XML of MuJoCo.
func readMJCF(r *Robot, text []byte, opt ReadOptions) error {
	root, err := xmlRoot(text)
	if err != nil {
		return err
	}
	if root.Name != "mujoco" {
		return fault(root.Line, "", "the top element is <%s>, MuJoCo's is <mujoco>", root.Name)
	}
	m, err := mujoco.Read(root)
	if err != nil {
		return err
	}
	return ofModel(r, m, opt)
}

// readSDF fills r from a text of SDFormat; one with the models that it includes takes its place.
func readSDF(r *Robot, name string, text []byte, opt ReadOptions) error {
	text, _, err := xmltree.ToUTF8(text)
	if err != nil {
		return err
	}
	x, err := sdf.Include(text, name, sdf.Files(filesOf(name, opt)))
	var ie *sdf.IncludeError
	switch {
	case errors.As(err, &ie):
		return &FileError{Path: ie.Path, Line: ie.Line, Text: ie.Text}
	case err != nil:
		return err
	case len(x.Files) > 0:
		r.Source.of(x.Text, "sdf")
		r.Notes = append(r.Notes, Note{name, "with the models that it includes; identified parameters go into the text with them"})
		opt.files = false
		err = ofText(readSDF(r, name, x.Text, opt))
		var fe *FileError
		if errors.As(err, &fe) && fe.Line > 0 {
			fe.Path, fe.Line = x.Source(fe.Line)
		}
		return err
	}
	root, err := xmltree.Parse(text)
	if err != nil {
		return err
	}
	m, err := sdf.Read(text, root, sdf.Options{NoSnap: opt.NoSnap})
	if errors.As(x.Missed, &ie) && err != nil && opt.files {
		return &FileError{Path: ie.Path, Line: ie.Line, Text: ie.Text}
	}
	if err != nil {
		return err
	}
	return ofModel(r, m, opt)
}

// ofModel fills r from bodies.
func ofModel(r *Robot, m *mujoco.Model, opt ReadOptions) error {
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
		r.Notes = append(r.Notes, Note(n))
	}
	x := mjcfReader{model: m, opt: opt, offset: make([][3]float64, len(m.Bodies))}
	x.bodies = append(x.bodies, body{name: mjcfWorld})
	for _, i := range m.Order() {
		if err := x.body(i); err != nil {
			return err
		}
	}
	for _, t := range m.Ties {
		for i := range x.edges {
			if e := &x.edges[i]; e.joint.Name == t.Joint {
				if e.mimic != "" {
					return fault(t.Line, jointWhere(t.Joint), "two equalities make it follow other joints")
				}
				e.mimic, e.multiplier, e.offset = t.Of, t.Multiplier, t.Offset
			}
		}
	}
	r.Notes = append(r.Notes, x.notes...)
	if err := assemble(r, x.bodies, x.edges, opt); err != nil {
		return err
	}
	x.userFrames(r)
	return x.loops(r)
}

// mjcfWorld is the name of the fixed body.
const mjcfWorld = "world"

// mjcfReader turns a model into bodies whose frames lie on their joints' axes, as those of a URDF do.
type mjcfReader struct {
	model  *mujoco.Model
	opt    ReadOptions
	bodies []body
	edges  []edge
	offset [][3]float64 // of that frame, in the file's frame of the body
	notes  []Note
}

func shift(p [3]float64) Transform { return Transform{R: spatial.Eye(), P: p} }

func (x *mjcfReader) body(i int) error {
	b := &x.model.Bodies[i]
	if b.Name == mjcfWorld {
		return fault(b.Line, fmt.Sprintf("body %q", b.Name), "is the name of the world itself; rename it")
	}
	parent, at := mjcfWorld, Transform{R: cleaned(b.At.R), P: b.At.P}
	if b.Parent >= 0 {
		parent = x.model.Bodies[b.Parent].Name
		at = shift(spatial.Scale(-1, x.offset[b.Parent])).Mul(at)
	}
	own := body{name: b.Name, line: b.Line}
	if len(b.Joints) == 0 {
		x.edges = append(x.edges, edge{joint: noLimits(b.Name+".fixed", Fixed), line: b.Line, parent: parent, child: b.Name, origin: at, multiplier: 1})
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
		e.origin = at.Mul(shift(spatial.Sub(j.At, last))).Mul(e.origin)
		at = Identity()
		e.parent, e.child = parent, b.Name
		if k < len(b.Joints)-1 {
			e.child = b.Name + "." + j.Name
			x.bodies = append(x.bodies, body{name: e.child, line: j.Line, massless: true})
		}
		parent = e.child
		x.offset[i] = j.At
		if kind == "" {
			x.edges = append(x.edges, e)
			continue
		}
		u := &urdfReader{opt: x.opt}
		between, chain := u.chain(e, kind, j.Axis)
		x.bodies, x.edges, x.notes = append(x.bodies, between...), append(x.edges, chain...), append(x.notes, u.notes...)
	}
	if in := b.Inertial; in != nil {
		own.has = true
		own.inertial = InertialFromCentral(in.Mass, spatial.Sub(in.Centre, x.offset[i]), in.Central)
	}
	x.bodies = append(x.bodies, own)
	return nil
}

// joint is an edge without its ends; origin turns it back from its position at the file's reference.
func (x *mjcfReader) joint(j *mujoco.Joint) (e edge, compound string, err error) {
	e = edge{joint: noLimits(j.Name, Revolute), line: j.Line, axis: j.Axis, origin: Identity(), multiplier: 1}
	switch j.Type {
	case "slide":
		e.joint.Kind = Prismatic
	case "ball":
		return e, "spherical", nil
	case "free":
		return e, "floating", nil
	case "fixed":
		e.joint.Kind = Fixed
		return e, "", nil
	}
	if !x.opt.NoSnap {
		var said string
		if e.axis, said, err = unitAxis(j.Axis, true); err != nil {
			return e, "", fault(j.Line, jointWhere(j.Name), "%v", err)
		}
		if said != "" {
			x.notes = append(x.notes, Note{jointWhere(j.Name), "read " + said})
		}
	}
	e.joint.Lower, e.joint.Upper, e.joint.Velocity, e.joint.Effort = j.Lower, j.Upper, j.Velocity, j.Effort
	e.joint.Fv, e.joint.Fs, e.joint.Ia = j.Damping, j.FrictionLoss, j.Armature
	e.joint.Continuous = e.joint.Kind == Revolute && math.IsNaN(j.Lower)
	e.joint.Passive = len(x.model.Connects)+len(x.model.Cuts) > 0 && x.model.Driven && !j.Driven
	if j.Stiffness != 0 {
		x.notes = append(x.notes, Note{jointWhere(j.Name), fmt.Sprintf("its spring of %g about %g is not part of the model", j.Stiffness, j.Spring)})
	}
	if e.joint.Kind == Prismatic {
		e.origin.P = spatial.Scale(-j.Reference, e.axis)
	} else if j.Reference != 0 {
		// About the axis: along z, turned, and back.
		a := mujoco.Along(e.axis)
		e.origin.R = spatial.Mul(a, spatial.Mul(spatial.RotZ(-j.Reference), spatial.Transpose(a)))
	}
	return e, "", nil
}

// userFrames puts the frames of results where the file has its bodies.
func (x *mjcfReader) userFrames(r *Robot) {
	for i := range x.model.Bodies {
		for j := range r.Links {
			if l := &r.Links[j]; l.Name == x.model.Bodies[i].Name {
				l.UserFrame = l.UserFrame.Mul(shift(spatial.Scale(-1, x.offset[i])))
			}
		}
	}
}

// loops closes chains at the points that the file connects.
func (x *mjcfReader) loops(r *Robot) error {
	if len(x.model.Connects)+len(x.model.Cuts) == 0 || x.opt.TreeOnly {
		return nil
	}
	if !x.opt.Loops {
		u := &UnsupportedError{What: "closed loops", Advice: "read the tree that is left when they are cut (TreeOnly), or give a file of the tree"}
		for _, c := range x.model.Connects {
			u.Frames = append(u.Frames, fmt.Sprintf("connect of body %q", x.model.Bodies[c.Body].Name))
		}
		for _, c := range x.model.Cuts {
			u.Frames = append(u.Frames, fmt.Sprintf("weld of body %q", x.model.Bodies[c.Body].Name))
		}
		return u
	}
	for n, c := range x.model.Connects {
		l := Loop{Frame: len(r.Extra), Meets: len(r.Extra) + 1, Spherical: true}
		for k, end := range []struct {
			body int
			at   [3]float64
		}{{c.Body, c.At}, {c.On, c.OnAt}} {
			link, place := x.seat(r, end.body)
			f := ExtraFrame{Name: fmt.Sprintf("connect%d%c", n+1, 'a'+rune(k)), Antecedent: link, Kind: Fixed, Placement: place.Mul(shift(end.at)), Loop: n + 1}
			r.Extra = append(r.Extra, f)
		}
		r.Loops = append(r.Loops, l)
	}
	for n, c := range x.model.Cuts {
		e, _, err := x.joint(&c.Joint)
		if err != nil {
			return err
		}
		ends := Transform{R: angles.AlignZ(e.axis)}
		link, place := x.seat(r, c.Parent)
		on, from := x.seat(r, c.Body)
		number := len(x.model.Connects) + n + 1
		r.Loops = append(r.Loops, Loop{Frame: len(r.Extra), Meets: len(r.Extra) + 1})
		r.Extra = append(r.Extra,
			ExtraFrame{Name: c.Joint.Name, Antecedent: link, Kind: e.joint.Kind, Loop: number,
				Placement: place.Mul(Transform{R: cleaned(c.At.R), P: c.At.P}).Mul(shift(c.Joint.At)).Mul(e.origin).Mul(ends)},
			ExtraFrame{Name: c.Joint.Name + ".weld", Antecedent: on, Kind: Fixed, Loop: number, Placement: from.Mul(shift(c.Joint.At)).Mul(ends)})
	}
	return nil
}

// seat finds the link that a body is part of, and the body's frame in frame j.
func (x *mjcfReader) seat(r *Robot, i int) (int, Transform) {
	if i < 0 {
		return -1, Identity()
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
