package doctor

import (
	"fmt"
	"math"
	"slices"
)

// checkSigns decides which torques have the wrong sign. Friction that drives is the first witness: it
// needs no other joint and no known body. The other is the fit of all joints together, in which a torque
// that is turned either falls into place or not.
func (p *patient) checkSigns(t *together) {
	var suspects []int
	for k, o := range t.joints {
		if o.drives && !p.mirrored(t, k) {
			suspects = append(suspects, k)
		}
	}
	if p.arranged {
		return
	}
	now := dot(t.rest, t.rest)
	if len(suspects) > 0 && t.turned(suspects) <= now*(1+neutral) {
		for _, k := range suspects {
			p.turn(t, k)
		}
		t.settle()
		now = dot(t.rest, t.rest)
		suspects = nil
	}
	// One by one, whichever helps most: a torque whose friction is hidden, or does not exist.
	for range t.joints {
		best, least := -1, 0.5*now
		for k := range t.joints {
			if s := t.turned([]int{k}); s < least && t.joints[k].power >= 0 || s < least && t.joints[k].drives {
				best, least = k, s
			}
		}
		if against, _ := t.worst(); best < 0 || against < 2 {
			break
		}
		p.turn(t, best)
		suspects = slices.DeleteFunc(suspects, func(k int) bool { return k == best })
		t.settle()
		now = dot(t.rest, t.rest)
	}
	for _, k := range suspects {
		o := t.joints[k]
		j := p.joints[o.joint]
		f := p.about(FrictionNotDissipative, Warning, j.effort)
		f.Value, f.Limit = o.power, -sureEnough*o.powerSD
		f.Where = "the whole log"
		f.Why = fmt.Sprintf("the friction of joint %s gives %.3g ± %.2g W on average instead of taking it, although the sign of %s fits the other joints: friction was compensated in the drive before the torque was logged, or the torque comes late",
			j.name, -o.power, 2*o.powerSD, j.effort.name)
		f.Fix = "log the torque before friction compensation; or --terms links,Ia,Fo if the friction parameters are of no use"
		p.add(f)
	}
}

// worst is the largest misfit of the joints.
func (t *together) worst() (against, relative float64) {
	for k := range t.joints {
		a, r := t.misfit(k)
		against, relative = math.Max(against, a), math.Max(relative, r)
	}
	return against, relative
}

// turned is the sum of squares with the signs of some torques turned.
func (t *together) turned(joints []int) float64 {
	n := len(t.tr.t)
	y := slices.Clone(t.y)
	for _, k := range joints {
		for i := k * n; i < (k+1)*n; i++ {
			y[i] = -y[i]
		}
	}
	r := t.basis.residual(y)
	return dot(r, r)
}

// turn reports a wrong sign and turns it.
func (p *patient) turn(t *together, k int) {
	o := t.joints[k]
	j := p.joints[o.joint]
	f := p.about(Sign, Error, j.effort)
	f.Value, f.Limit = -1, 1
	f.Where = "the whole log"
	if o.drives {
		f.Why = fmt.Sprintf("%s has the wrong sign: with it the friction of joint %s would give %.3g ± %.2g W on average", j.effort.name, j.name, -o.power, 2*o.powerSD)
	} else {
		f.Why = fmt.Sprintf("%s has the wrong sign: the other joints' equations fit it only when it is turned", j.effort.name)
	}
	f.Fix = fmt.Sprintf("ident check --fix FILE writes a log with %s turned", j.effort.name)
	f.Repair = Repair{Edits: []Edit{{Channel: j.effort.name, Scale: -1}}}
	if j.effort.role == current && p.opt.Gains != nil {
		f.Fix += fmt.Sprintf("; or turn the sign of the gain of joint %s in --gains", j.name)
	}
	p.add(f)
	for i := range o.y {
		o.y[i], o.rest[i] = -o.y[i], -o.rest[i]
	}
	o.drives, o.turned = false, !o.turned
}
