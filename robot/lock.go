package robot

import (
	"fmt"
	"math"

	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/robot/internal/words"
)

// Lock returns a copy with a joint fixed at a value (rad or m). Its link, including lumped bodies, becomes part of its
// antecedent; its children move there with new placements, without the six parameters. Joints that mimic it are locked
// accordingly. It is an error if the joint does not exist, is fixed, mimics another, or is the last moving one.
func (r *Robot) Lock(joint string, value float64) (*Robot, error) {
	k := -1
	for i := range r.Links {
		if r.Links[i].Joint.Name == joint {
			k = i
		}
	}
	where := words.Joint(joint)
	switch {
	case k < 0:
		return nil, Fault(0, where, "cannot lock it, it does not exist%s", words.DidYouMean(joint, r.JointNames()))
	case r.Links[k].Joint.Kind == Fixed:
		return nil, Fault(0, where, "cannot lock it, it is fixed")
	case math.IsNaN(value) || math.IsInf(value, 0):
		return nil, Fault(0, where, "cannot lock it at %g", value)
	case len(r.Unset) > 0:
		return nil, Fault(0, where, "cannot lock it while symbols %s have no values", words.List(r.Unset))
	}
	type follower struct {
		name  string
		value float64
	}
	var followers []follower
	for _, m := range r.Mimics {
		if m.Joint == k {
			return nil, Fault(0, where, "cannot lock it, it follows joint %q; lock that one", r.Links[m.Of].Joint.Name)
		}
		if m.Of == k {
			followers = append(followers, follower{r.Links[m.Joint].Joint.Name, m.Multiplier*value + m.Offset})
		}
	}
	for _, m := range r.Couplings {
		if m.Joint == k {
			return nil, Fault(0, where, "cannot lock it, other joints move it; lock those")
		}
	}
	if r.DOF() <= 1+len(followers) {
		return nil, Fault(0, where, "cannot lock it, no joint would move")
	}
	c := r.Clone()
	c.Mimics = nil
	for _, m := range r.Mimics {
		if m.Of != k {
			c.Mimics = append(c.Mimics, m)
		}
	}
	delete(c.Assembly, joint)
	for i := range c.Couplings {
		m := &c.Couplings[i]
		m.Offset += m.Of[k] * value
		delete(m.Of, k)
	}
	c.merge(k, value)
	for _, f := range followers {
		var err error
		if c, err = c.Lock(f.name, f.value); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// JointMotion returns the displacement of a frame by its joint's variable.
func JointMotion(kind Kind, q float64) Transform {
	t := Identity()
	if kind == Prismatic {
		t.P[2] = q
		return t
	}
	s, c := angles.Sincos(q)
	t.R = spatial.Mat{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}
	return t
}

// merge makes link k part of its antecedent, with the joint at q.
func (r *Robot) merge(k int, q float64) {
	l := r.Links[k]
	a := l.Antecedent
	at := l.Placement.Mul(JointMotion(l.Joint.Kind, q))
	if a >= 0 && l.HasInertial {
		up := &r.Links[a]
		up.Inertial = up.Inertial.Add(l.Inertial.InFrame(at))
		up.HasInertial = true
	}
	if a >= 0 && !l.Massless {
		r.Links[a].Massless, r.Links[a].Zero = false, [NumInertial]bool{}
	}
	// Bodies lumped into k keep their records, now in the frame of a.
	own := l.HasInertial
	for i := range r.Lumped {
		m := &r.Lumped[i]
		if m.Into == k {
			m.Into = a
			m.InLink = at.Mul(m.InLink)
			m.Inertial = m.Inertial.InFrame(at)
			own = own && !(m.HasInertial && l.Own == (Inertial{}))
		}
	}
	lumped := Lumped{Name: l.Name, Joint: l.Joint.Name, Into: a, InLink: at.Mul(l.UserFrame), HasInertial: own, Shapes: l.Shapes}
	if own {
		lumped.Inertial = l.Own.InFrame(at)
	}
	r.Lumped = append(r.Lumped, lumped)
	hang := func(antecedent *int, placement *Transform, mdh **MDH) {
		if *antecedent == k {
			*antecedent, *placement, *mdh = a, at.Mul(*placement), nil
		} else if *antecedent > k {
			*antecedent--
		}
	}
	for i := range r.Links {
		x := &r.Links[i]
		hang(&x.Antecedent, &x.Placement, &x.MDH)
	}
	for i := range r.Extra {
		x := &r.Extra[i]
		hang(&x.Antecedent, &x.Placement, &x.MDH)
	}
	r.Links = append(r.Links[:k], r.Links[k+1:]...)
	r.renumber(k)
	into := "the base"
	if a >= 0 {
		into = fmt.Sprintf("link %q", r.Links[a].Name)
	}
	r.Notes = append(r.Notes, Note{words.Joint(l.Joint.Name),
		fmt.Sprintf("locked at %g; link %q is lumped into %s", q, l.Name, into)})
}

// renumber shifts the link indices of records after link k was removed. A shared drive loses k's weight; if its
// parameters were named after k, they are named after the last joint on which it still acts.
func (r *Robot) renumber(k int) {
	shift := func(i *int) {
		if *i > k {
			*i--
		}
	}
	for i := range r.Lumped {
		shift(&r.Lumped[i].Into)
	}
	for i := range r.Mimics {
		shift(&r.Mimics[i].Joint)
		shift(&r.Mimics[i].Of)
	}
	for i := range r.Couplings {
		m := &r.Couplings[i]
		shift(&m.Joint)
		of := make(map[int]float64, len(m.Of))
		for l, w := range m.Of {
			shift(&l)
			of[l] = w
		}
		m.Of = of
	}
	drives := r.Drives[:0]
	for _, d := range r.Drives {
		weights := map[int]float64{}
		last := -1
		for i, w := range d.Weights {
			if i == k {
				continue
			}
			shift(&i)
			weights[i] = w
			last = max(last, i)
		}
		if len(weights) == 0 {
			continue
		}
		if d.Number == k {
			d.Number = last
		} else {
			shift(&d.Number)
		}
		d.Weights = weights
		drives = append(drives, d)
	}
	r.Drives = drives
}
