package loads

import (
	"math"

	"ident/mechanics/dynamics"
	"ident/robot"
)

// Bearing is the load of a joint's bearings: along its axis, without the drive's part, and across it. Null is a load that
// the motion does not determine: the bodies of a plane loop share the forces across its plane by their stiffness.
type Bearing struct {
	Joint  string   `json:"joint"` // name of the joint; for a cut joint the name of its frame
	Link   string   `json:"link"`
	Axial  *Peak    `json:"axial_force"`        // N; of a sliding joint the drive's
	Radial *Peak    `json:"radial_force"`       // N
	Tilt   *Peak    `json:"tilting_moment"`     // N·m, about the frame's origin
	Twist  *Peak    `json:"moment_along"`       // N·m; of a turning joint the drive's
	RMS    *float64 `json:"rms_radial_force"`   // N
	Moment *float64 `json:"rms_tilting_moment"` // N·m
	Drive  string   `json:"drive"`              // "force" for a sliding joint, "moment" for a turning one, "" for a fixed one

	radial, tilt float64
}

func newBearing(joint, link string, kind robot.Kind) Bearing {
	b := Bearing{Joint: joint, Link: link, Axial: new(Peak), Radial: new(Peak), Tilt: new(Peak), Twist: new(Peak)}
	switch kind {
	case robot.Revolute:
		b.Drive = "moment"
	case robot.Prismatic:
		b.Drive = "force"
	}
	return b
}

// prepareBearings lists the joints of links with bodies, and those at the cuts of loops.
func (c *computation) prepareBearings() {
	out := c.report
	for j := range c.r.Links {
		if l := &c.r.Links[j]; !l.Massless {
			out.Bearings, c.bearings = append(out.Bearings, newBearing(l.Joint.Name, l.Name, l.Joint.Kind)), append(c.bearings, j)
		}
	}
	cuts := 0
	for _, l := range c.r.Loops {
		frame := &c.r.Extra[l.Frame]
		carrier := frame.Antecedent
		for carrier <= -2 {
			carrier = c.r.Extra[-2-carrier].Antecedent
		}
		link := ""
		if carrier >= 0 {
			link = c.r.Links[carrier].Name
		}
		out.Bearings, c.bearings = append(out.Bearings, newBearing(frame.Name, link, frame.Kind)), append(c.bearings, len(c.r.Links)+cuts)
		cuts++
	}
	c.wrenches, c.shared = make([]dynamics.Wrench, len(c.r.Links)+cuts), make([][6]bool, len(c.r.Links)+cuts)
}

// react finds the wrenches in the joints at the sample.
func (c *computation) react() {
	if c.closure == nil {
		for j := range c.wrenches {
			c.wrenches[j] = c.re.Joint(j)
		}
		return
	}
	all, err := c.inLoops()
	if err != nil {
		for i := range c.shared {
			c.shared[i] = [6]bool{true, true, true, true, true, true}
		}
		c.note("bearing loads are not computed: %v", err)
		return
	}
	for i, w := range all {
		c.wrenches[i] = w.Wrench
		for k, shared := range w.Undetermined {
			c.shared[i][k] = c.shared[i][k] || shared
		}
	}
}

// takeBearings adds the wrenches of a sample at time t, s, whose weight is w.
func (c *computation) takeBearings(t, w float64) {
	c.react()
	for i, j := range c.bearings {
		b, f := &c.report.Bearings[i], c.wrenches[j]
		radial, tilt := math.Hypot(f.Force[0], f.Force[1]), math.Hypot(f.Moment[0], f.Moment[1])
		b.Axial.take(f.Force[2], t)
		b.Radial.take(radial, t)
		b.Tilt.take(tilt, t)
		b.Twist.take(f.Moment[2], t)
		b.radial += w * radial * radial
		b.tilt += w * tilt * tilt
	}
}

// finishBearings computes the root mean squares, and takes out the loads that are not determined.
func (c *computation) finishBearings() {
	out, left := c.report, 0
	for i, j := range c.bearings {
		b, shared := &out.Bearings[i], c.shared[j]
		rms, moment := math.Sqrt(b.radial/out.Duration), math.Sqrt(b.tilt/out.Duration)
		b.RMS, b.Moment = &rms, &moment
		if shared[2] {
			b.Axial = nil
		}
		if shared[0] || shared[1] {
			b.Radial, b.RMS = nil, nil
		}
		if shared[3] || shared[4] {
			b.Tilt, b.Moment = nil, nil
		}
		if shared[5] {
			b.Twist = nil
		}
		if shared != [6]bool{} {
			left++
		}
	}
	if left > 0 {
		c.note("loads of %d joints in closed loops depend partly on the stiffness of the bodies; these loads are left out here, and the series have the solution with the smallest forces at the cuts", left)
	}
}
