package excite

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

const (
	// splineSteps are the places in each interval between two points at which the spline and the motion are compared.
	splineSteps = 8
	// splineExcess is the part of the design's largest velocity or acceleration by which the spline's may be larger without
	// a note: less than the margins that a design keeps to its limits.
	splineExcess = 0.05
	// splineError is the part of a joint's range by which the spline may differ from the motion without a note.
	splineError = 0.01
	// farAway is a position, rad or m, that no joint of an arm has.
	farAway = 1e4
)

// Notes says where a controller that joins the points of a program by a spline exceeds the motion of the design, or
// loses it: points are rare if the motion is fast. The spline is cubic and at rest at both ends; ROS 2 joins points with
// velocities and accelerations by polynomials of degree five. Where the spline exceeds a limit, the note says so.
func (l *ProgramLanguage) Notes(m Motion, opt ProgramOptions) []string {
	if l.check(m, opt) != nil {
		return nil // such a program is not written
	}
	step := 1 / l.Rate(opt.Rate)
	n := int(math.Ceil(m.Duration()/step - 1e-9))
	if n < 1 {
		return nil
	}
	dof := m.DOF()
	at := func(t float64) (q, dq, ddq []float64) {
		q, dq, ddq = make([]float64, dof), make([]float64, dof), make([]float64, dof)
		m.Eval(min(t, m.Duration()), q, dq, ddq)
		return q, dq, ddq
	}
	points := make([][3][]float64, n+1)
	for k := range points {
		points[k][0], points[k][1], points[k][2] = at(float64(k) * step)
	}
	pieces := make([][][6]float64, dof) // coefficients of each interval in its own time from 0 to 1
	for i := range dof {
		pieces[i] = pieceOf(points, i, step, l.Name == "ros2")
	}
	var low, high, off, v, a, vs, as = fill(dof, math.Inf(1)), fill(dof, math.Inf(-1)), fill(dof, 0), fill(dof, 0), fill(dof, 0), fill(dof, 0), fill(dof, 0)
	for k := range n {
		for s := range splineSteps + 1 {
			u := float64(s) / splineSteps
			q, dq, ddq := at((float64(k) + u) * step)
			for i := range dof {
				low[i], high[i] = min(low[i], q[i]), max(high[i], q[i])
				v[i], a[i] = max(v[i], math.Abs(dq[i])), max(a[i], math.Abs(ddq[i]))
				p, dp, ddp := polynomial(pieces[i][k], u, step)
				off[i] = max(off[i], math.Abs(p-q[i]))
				vs[i], as[i] = max(vs[i], math.Abs(dp)), max(as[i], math.Abs(ddp))
			}
		}
	}
	var notes []string
	for i := range opt.Limits {
		x := &opt.Limits[i]
		var parts []string
		say := func(what string, spline, design, limit float64) {
			if !(spline > (1+splineExcess)*design) {
				return
			}
			text := fmt.Sprintf("%.2f times the %s of the design", spline/design, what)
			if limit > 0 && spline > limit {
				text += fmt.Sprintf(" (%.2f times the limit)", spline/limit)
			}
			parts = append(parts, text)
		}
		say("velocity", vs[i], v[i], x.Velocity)
		say("acceleration", as[i], a[i], x.Accel)
		if span := high[i] - low[i]; off[i] > splineError*span {
			parts = append(parts, fmt.Sprintf("positions that differ by up to %.2g %% of its range", 100*off[i]/span))
		}
		if len(parts) > 0 {
			notes = append(notes, fmt.Sprintf("joint %q: a spline through points every %.4g s has %s; design a slower motion, or give a higher rate if the controller takes it", x.Joint, step, strings.Join(parts, ", ")))
		}
	}
	return notes
}

func fill(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }

// pieceOf returns the polynomials of a joint between the points: of degree five by their velocities and accelerations, or
// a cubic spline at rest at its ends.
func pieceOf(points [][3][]float64, joint int, step float64, quintic bool) [][6]float64 {
	n := len(points) - 1
	q, slope := make([]float64, n+1), make([]float64, n+1) // rad, and rad a step
	for k := range points {
		q[k], slope[k] = points[k][0][joint], points[k][1][joint]*step
	}
	out := make([][6]float64, n)
	if quintic {
		for k := range out {
			d, s0, s1 := q[k+1]-q[k], slope[k], slope[k+1]
			a0, a1 := points[k][2][joint]*step*step, points[k+1][2][joint]*step*step
			out[k] = [6]float64{q[k], s0, a0 / 2, 10*d - 6*s0 - 4*s1 - 1.5*a0 + a1/2, -15*d + 8*s0 + 7*s1 + 1.5*a0 - a1, 6*d - 3*s0 - 3*s1 - a0/2 + a1/2}
		}
		return out
	}
	// Slopes with continuous second derivatives: s[k-1] + 4·s[k] + s[k+1] = 3·(q[k+1] − q[k-1]), eliminated forwards.
	slope[0], slope[n] = 0, 0
	ratio := make([]float64, n+1)
	for k := 1; k < n; k++ {
		pivot := 4 - ratio[k-1]
		ratio[k] = 1 / pivot
		slope[k] = (3*(q[k+1]-q[k-1]) - slope[k-1]) / pivot
	}
	for k := n - 1; k > 0; k-- {
		slope[k] -= ratio[k] * slope[k+1]
	}
	for k := range out {
		d, s0, s1 := q[k+1]-q[k], slope[k], slope[k+1]
		out[k] = [6]float64{q[k], s0, 3*d - 2*s0 - s1, s0 + s1 - 2*d}
	}
	return out
}

// polynomial returns the value and the derivatives by time of a polynomial at a part of an interval.
func polynomial(c [6]float64, u, step float64) (p, dp, ddp float64) {
	for k := 5; k >= 0; k-- {
		ddp = ddp*u + 2*dp
		dp = dp*u + p
		p = p*u + c[k]
	}
	return p, dp / step, ddp / (step * step)
}

// places refuses positions that no joint has: beyond its limits, or anywhere far away.
func (l *ProgramLanguage) places(m Motion, opt ProgramOptions) error {
	q, dq, ddq := fill(m.DOF(), 0), fill(m.DOF(), 0), fill(m.DOF(), 0)
	step := 1 / l.Rate(opt.Rate)
	for k := range int(math.Ceil(m.Duration()/step-1e-9)) + 1 {
		m.Eval(min(float64(k)*step, m.Duration()), q, dq, ddq)
		for i, v := range q {
			x := &opt.Limits[i]
			low, high := -farAway, farAway
			if x.Lower < x.Upper && !x.Continuous && x.Placeholder == "" {
				low, high = x.Lower, x.Upper
			}
			spare := 1e-6 * (1 + math.Abs(v)) // the rounding of a motion that touches its limit
			if !(v >= low-spare && v <= high+spare) {
				return &ProgramLimitError{l.Name, fmt.Sprintf("joint %q would be at %.6g; positions from %.6g to %.6g are written", x.Joint, v, low, high)}
			}
		}
	}
	return nil
}
