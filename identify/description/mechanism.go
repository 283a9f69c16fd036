package description

import (
	"ident/mechanics/loops"
	"ident/robot"
)

// Mechanism are the loops and couplings of a robot, and its mobility.
type Mechanism struct {
	Loops []string `json:"loops"`
	// At the state of Positions, where every loop is closed.
	Coordinates int                `json:"coordinates"` // of joints and of cut joints
	Equations   int                `json:"equations"`
	Constraints int                `json:"constraints"` // independent ones among the equations
	Mobility    int                `json:"mobility"`
	Driven      []string           `json:"driven"`
	Margin      float64            `json:"margin"` // smallest over largest singular value of the constraints
	Positions   map[string]float64 `json:"positions,omitempty"`
	Fault       string             `json:"fault,omitempty"` // why the fields from Coordinates to Positions are unknown
}

// describeMechanism puts the loops of a robot together and counts its motions.
func describeMechanism(r *robot.Robot) *Mechanism {
	if !r.Closed() {
		return nil
	}
	d := &Mechanism{Loops: []string{}}
	for i := range r.Loops {
		d.Loops = append(d.Loops, r.LoopName(i))
	}
	for i := range r.Couplings {
		d.Loops = append(d.Loops, r.CouplingName(i))
	}
	for _, i := range r.Independent() {
		d.Driven = append(d.Driven, r.Links[i].Joint.Name)
	}
	if len(r.Unset) > 0 {
		d.Fault = "symbols of the geometry have no values"
		return d
	}
	c, err := loops.NewClosure(r)
	if err != nil {
		d.Fault = err.Error()
		return d
	}
	at, err := c.Assembled(r.Assembly)
	if err != nil {
		d.Fault = err.Error()
		return d
	}
	d.Coordinates, d.Equations = c.DOF()+c.Cuts(), c.Equations()
	d.Constraints, d.Mobility, d.Margin, d.Positions = at.Rank, at.Mobility, at.Margin, c.Named(at.Q)
	return d
}
