package regressor

import (
	"fmt"
	"slices"

	"ident/robot"
)

// rotorTerm declares the spin inertia of the rotors that drive the joints, each
// carried by the link before its joint and turning about the joint's axis with
// the gear ratio n. With u that axis and ω the rate of the carrying link, the
// energy that Ir adds to a rotor held still is
//
//	½·Ir·((ω·u + n·q̇)² − (ω·u)²) = Ir·(½·n²·q̇² + n·q̇·ω·u)
//
// and so, a being the turning rate of the carrier for a unit rate of a joint k,
//
//	τ of the driven joint  n²·q̈ + n·ω̇·u
//	τ of joint k           a·(n·q̈·u + n·q̇·ω×u)
//
// the second with the gyroscopic torque. On a base that does not move n²·Ir is
// Ia. With Ia and the links in the model Ir adds no base parameter, since ω·u·q̇
// is a combination of the energies of ZZ of the driven link, the carrier's
// inertia and Ia; in place of Ia it gives the rotor its true value. The rotor's
// mass and its inertia held still belong to the link.
func rotorTerm() declaration {
	return declaration{name: Ir, about: "spin inertia of rotors that moving links carry, with their gyroscopic torques", of: ofJoint, part: newRotor, says: answers{friction: no, dry: no, filtered: no, driven: yes, perJoint: no, offered: no, file: no, form: no},
		params: []parameter{{kind: "Ir", formula: "n²·q̈ + n·ω̇·u; a·(n·q̈·u + n·q̇·ω×u)", unit: [2]string{"kg·m²", "kg·m²"}}},
		check: func(r *robot.Robot, t Term) error {
			for _, j := range r.Moving() {
				if r.Links[j].Joint.GearRatio == 0 {
					return fmt.Errorf("term %q: the gear ratio of joint %q is not known; the robot's YAML file gives it under drive: {gear_ratio: …}, and a robot of any format can be written as YAML", t, r.Links[j].Joint.Name)
				}
			}
			return argumentless(r, t)
		}}
}

// rotor is the column of one rotor. Its rows are those of the joints that move its carrier, in order, and that of the
// driven joint.
type rotor struct {
	placement
	own   int        // index into coords of the joint that it drives
	moves int        // the first so many of coords move the carrier
	gear  float64    // motor turns per unit of the coordinate
	axis  [3]float64 // in the carrier's frame
}

func newRotor(c *chain, r *robot.Robot, col Column, _ Term) (part, error) {
	j := col.Link
	l := &r.Links[j]
	p := &rotor{placement: placement{link: l.Antecedent}, gear: l.Joint.GearRatio * c.links[j].ratio}
	for k := range 3 {
		p.axis[k] = l.Placement.R[k][2]
	}
	if p.link >= 0 {
		for _, row := range c.links[p.link].rows {
			p.coords = append(p.coords, row.coord)
		}
	}
	p.moves = len(p.coords)
	p.own = slices.Index(p.coords, c.links[j].coord)
	if p.own < 0 {
		p.own, p.coords = p.moves, append(p.coords, c.links[j].coord)
	}
	return p, nil
}

func (p *rotor) with(at placement) part {
	c := *p
	c.placement = at
	return &c
}

func (p *rotor) stores() bool { return true }

func (p *rotor) torque(b *Block, ws *Workspace) {
	rate, acc := ws.cut(ws.batch.DQ[p.coords[p.own]]), ws.cut(ws.batch.DDQ[p.coords[p.own]])
	p.clear(b, ws)
	own := p.column(b, p.own, 0, ws)
	for l := range own {
		own[l] = p.gear * p.gear * acc[l]
	}
	if p.link < 0 {
		return
	}
	st, u, g := &ws.links[p.link], p.axis, p.gear
	for l := range own {
		own[l] += g * (u[0]*st.dw[0][l] + u[1]*st.dw[1][l] + u[2]*st.dw[2][l])
	}
	for i := range p.moves {
		dst := p.column(b, i, 0, ws)
		a, w := &st.a[i], &st.w
		for l := range dst {
			x := acc[l]*u[0] + rate[l]*(w[1][l]*u[2]-w[2][l]*u[1])
			y := acc[l]*u[1] + rate[l]*(w[2][l]*u[0]-w[0][l]*u[2])
			z := acc[l]*u[2] + rate[l]*(w[0][l]*u[1]-w[1][l]*u[0])
			dst[l] += g * (a[0][l]*x + a[1][l]*y + a[2][l]*z)
		}
	}
}

// momentum follows from the energy:
//
//	D1 of the driven joint  n²·q̇ + n·ω·u      D1 of joint k  n·q̇·a·u
//	D2 of joint k          −n·q̇·(ω_k×a)·u
func (p *rotor) momentum(d1, d2 *Block, ws *Workspace) {
	rate := ws.cut(ws.batch.DQ[p.coords[p.own]])
	p.clear(d1, ws)
	p.clear(d2, ws)
	own := p.column(d1, p.own, 0, ws)
	for l := range own {
		own[l] = p.gear * p.gear * rate[l]
	}
	if p.link < 0 {
		return
	}
	st, en, u, g := &ws.links[p.link], &ws.energy[p.link], p.axis, p.gear
	for l := range own {
		own[l] += g * (u[0]*st.w[0][l] + u[1]*st.w[1][l] + u[2]*st.w[2][l])
	}
	for i := range p.moves {
		x, y := p.column(d1, i, 0, ws), p.column(d2, i, 0, ws)
		a, da := &st.a[i], &en.da[i]
		for l := range x {
			x[l] += g * rate[l] * (u[0]*a[0][l] + u[1]*a[1][l] + u[2]*a[2][l])
			y[l] -= g * rate[l] * (u[0]*da[0][l] + u[1]*da[1][l] + u[2]*da[2][l])
		}
	}
}

// energy is ½·n²·q̇² + n·q̇·ω·u.
func (p *rotor) energy(h *Block, ws *Workspace) {
	dst, rate := ws.cut(h.Joint[0][p.columns[0]]), ws.cut(ws.batch.DQ[p.coords[p.own]])
	for l, r := range rate {
		spin := p.gear * r
		dst[l] = spin * spin / 2
		if p.link >= 0 {
			w := &ws.links[p.link].w
			dst[l] += spin * (p.axis[0]*w[0][l] + p.axis[1]*w[1][l] + p.axis[2]*w[2][l])
		}
	}
}
