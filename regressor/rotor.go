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
// Ia. With Ia and the links in the model Ir adds no base parameter, since
// ω·u·q̇ is what ZZ of the driven link, the carrier's inertia and Ia make of it;
// in place of Ia it gives the rotor its true value. The rotor's mass and its inertia held still belong to the link.
func rotorTerm() declaration {
	return declaration{name: Ir, about: "spin inertia of rotors that moving links carry, with their gyroscopic torques", of: ofJoint,
		params: []parameter{{kind: "Ir", formula: "n²·q̈ + n·ω̇·u; a·(n·q̈·u + n·q̇·ω×u)", unit: [2]string{"kg·m²", "kg·m²"}}},
		check: func(r *robot.Robot, t Term) error {
			for _, j := range r.Moving() {
				if r.Links[j].Joint.GearRatio == 0 {
					return fmt.Errorf("term %q: the gear ratio of joint %q is not known; the robot's YAML file gives it under drive: {gear_ratio: …}, and ident robot FILE --to yaml writes one from any format", t, r.Links[j].Joint.Name)
				}
			}
			return argumentless(r, t)
		}}
}

// rotorPlan is one rotor.
type rotorPlan struct {
	column  int
	carrier int // link, -1 for the base
	coord   int
	gear    float64    // motor turns a unit of the coordinate
	axis    [3]float64 // in the carrier's frame
	coords  []int      // rows that it has entries in
	at      []int
}

func (m *Model) newRotor(r *robot.Robot, c, j int) rotorPlan {
	l := &r.Links[j]
	p := rotorPlan{column: c, carrier: l.Antecedent, coord: m.links[j].coord, gear: l.Joint.GearRatio * m.links[j].ratio}
	for k := range 3 {
		p.axis[k] = l.Placement.R[k][2]
	}
	p.coords = []int{p.coord}
	if p.carrier >= 0 {
		for _, row := range m.links[p.carrier].rows {
			if !slices.Contains(p.coords, row.coord) {
				p.coords = append(p.coords, row.coord)
			}
		}
	}
	return p
}

// row returns the rotor's column in the block of a coordinate.
func (p *rotorPlan) row(b *Block, coord, first, n int) []float64 {
	return b.Joint[coord][p.at[slices.Index(p.coords, coord)]][first : first+n]
}

// evalRotor writes the column of a rotor.
func (m *Model) evalRotor(p *rotorPlan, b *Block, in *Batch, ws *Workspace, first, n int) {
	rate, acc := in.DQ[p.coord][first:first+n], in.DDQ[p.coord][first:first+n]
	for _, c := range p.coords {
		clear(p.row(b, c, first, n))
	}
	own := p.row(b, p.coord, first, n)
	for l := range own {
		own[l] = p.gear * p.gear * acc[l]
	}
	if p.carrier < 0 {
		return
	}
	st, u, g := &ws.links[p.carrier], p.axis, p.gear
	for l := range own {
		own[l] += g * (u[0]*st.dw[0][l] + u[1]*st.dw[1][l] + u[2]*st.dw[2][l])
	}
	for i := range m.links[p.carrier].rows {
		dst := p.row(b, m.links[p.carrier].rows[i].coord, first, n)
		a, w := &st.a[i], &st.w
		for l := range dst {
			x := acc[l]*u[0] + rate[l]*(w[1][l]*u[2]-w[2][l]*u[1])
			y := acc[l]*u[1] + rate[l]*(w[2][l]*u[0]-w[0][l]*u[2])
			z := acc[l]*u[2] + rate[l]*(w[0][l]*u[1]-w[1][l]*u[0])
			dst[l] += g * (a[0][l]*x + a[1][l]*y + a[2][l]*z)
		}
	}
}
