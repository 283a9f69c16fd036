package regressor

import (
	"ident/internal/lanes"
	"ident/robot"
)

// wrenchTerm declares the gains of a measured wrench that the surroundings exert
// on a link, about the origin and in the axes of the link's own frame: by virtual
// work τ = Y·χ − Jᵀ·w. A gain of one says that the sensor is right; a wrench that
// needs no gains goes to the measurement vector instead.
func wrenchTerm() declaration {
	d := declaration{name: Wrench, about: "gains of a measured external wrench", of: ofNamed, needs: NeedWrench, part: newWrench, says: answers{friction: no, dry: no, filtered: yes, driven: no, perJoint: no, offered: no, file: no, form: no},
		check: func(r *robot.Robot, t Term) error { _, err := namedLink(r, t); return err }}
	for _, axis := range []string{"fx", "fy", "fz", "tx", "ty", "tz"} {
		d.params = append(d.params, parameter{kind: "W" + axis, formula: "−Jᵀ·w, " + axis, unit: [2]string{"1", "1"}, signed: true})
	}
	return d
}

// wrenchChannel is the column of one component of a measured wrench.
type wrenchChannel struct {
	placement
	axis int        // 0–2 force, 3–5 moment
	dir  [3]float64 // of the axis in frame j
	arm  [3]float64 // dir × the offset of the user's frame: moment of a unit force there
}

func newWrench(c *chain, r *robot.Robot, col Column, _ Term) (part, error) {
	link, axis := col.Link, col.Param
	u := r.Links[link].UserFrame
	p := &wrenchChannel{placement: placement{link: link, coords: c.movers(link)}, axis: axis}
	for k := range 3 {
		p.dir[k] = u.R[k][axis%3]
	}
	// The moment about the frame's origin of a force at the user's: P × dir.
	p.arm = cross(u.P, p.dir)
	return p, nil
}

func (p *wrenchChannel) with(at placement) part {
	c := *p
	c.placement = at
	return &c
}

func (p *wrenchChannel) stores() bool { return false }

func (p *wrenchChannel) torque(b *Block, ws *Workspace) {
	st := &ws.links[p.link]
	for i := range p.coords {
		p.power(p.column(b, i, 0, ws), &st.a[i], &st.v[i], ws)
	}
}

func (p *wrenchChannel) momentum(d1, d2 *Block, ws *Workspace) {
	p.clear(d1, ws)
	p.torque(d2, ws)
}

func (p *wrenchChannel) energy(h *Block, ws *Workspace) {
	p.power(ws.cut(h.Joint[0][p.columns[0]]), &ws.links[p.link].w, &ws.energy[p.link].v, ws)
}

// power returns minus the power of the measured component along the screw (a, v).
func (p *wrenchChannel) power(dst []float64, a, v *lanes.Vec, ws *Workspace) {
	w := ws.cut(ws.batch.Wrench[p.axis])
	for l := range dst {
		var power float64
		for k := range 3 {
			if p.axis < 3 {
				power += p.dir[k]*v[k][l] + p.arm[k]*a[k][l]
			} else {
				power += p.dir[k] * a[k][l]
			}
		}
		dst[l] = -power * w[l]
	}
}
