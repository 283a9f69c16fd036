package simulate

import (
	"fmt"
	"math"

	"ident/robot"
)

// Payload is a body that a link carries at times. The zero value means none.
type Payload struct {
	Link string         `json:"link"`
	Body robot.Inertial `json:"body"` // inertial parameters in the link's own frame
	On   [][2]float64   `json:"on_s"` // intervals [from, to) in which the link carries it, s
}

// PayloadChannel is the name of the channel with the number of the attached payload, or 0.
const PayloadChannel = "payload"

// payloads returns the payloads of a run, in the order of their numbers from 1.
func (opt *Options) payloads() []Payload {
	if opt.Payload.Link == "" {
		return nil
	}
	return append([]Payload{opt.Payload}, opt.Payloads...)
}

// carriedAt returns the number of the payload attached at time t in seconds (the first if there are several), 0 for
// none.
func carriedAt(payloads []Payload, t float64) int {
	for i := range payloads {
		if payloads[i].on(t) {
			return i + 1
		}
	}
	return 0
}

// on reports whether the payload is attached at time t in seconds.
func (p *Payload) on(t float64) bool {
	for _, span := range p.On {
		if t >= span[0] && t < span[1] {
			return true
		}
	}
	return false
}

// carrying returns the robot with the payload attached.
func (p *Payload) carrying(r *robot.Robot) (*robot.Robot, error) {
	if r.Closed() {
		return nil, fmt.Errorf("simulate: robot %q has closed loops, and payloads are simulated on trees", r.Name)
	}
	for i, span := range p.On {
		if !(span[0] < span[1]) || math.IsInf(span[0], 0) || math.IsInf(span[1], 0) {
			return nil, fmt.Errorf("simulate: the payload is on from %g s to %g s (span %d); give ascending times", span[0], span[1], i+1)
		}
	}
	c := r.Clone()
	for j := range c.Links {
		if l := &c.Links[j]; l.Name == p.Link {
			l.Inertial = l.Inertial.Add(p.Body.InFrame(l.UserFrame))
			return c, nil
		}
	}
	return nil, fmt.Errorf("simulate: the payload is on link %q, which robot %q does not have", p.Link, r.Name)
}
