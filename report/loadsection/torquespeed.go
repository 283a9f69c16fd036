package loadsection

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"ident/mechanics/loads"
	"ident/report"
)

// legend explains the diagrams; those of joints have no continuous torque.
func legend(motors bool) []report.Mark {
	out := []report.Mark{{Class: "dot", Text: "samples of the motion, braking below"}, {Class: "dot over", Text: "beyond the limit"}, {Class: "solid", Text: "limit at the speed"}}
	if motors {
		out = append(out, report.Mark{Class: "dashed", Text: "continuous torque, for the root mean square"})
	}
	return out
}

// bounds are the limits of a drive in its plane: the largest torque at a speed, driving and braking, +Inf for none.
type bounds struct {
	at         func(speed float64) (driving, braking float64)
	speed      float64   // largest, 0 where none is known
	kinks      []float64 // speeds where a bound bends
	continuous float64   // torque, 0 where it is not known
	effort     float64   // the largest torque where it is one at all speeds, 0 otherwise
}

// ofMotor returns the limits of a motor's shaft; false where it has none.
func ofMotor(m *loads.Motor) (bounds, bool) {
	b := bounds{at: m.Line, speed: m.NoLoad, continuous: m.Continuous}
	if m.Stall > 0 && m.Peak > 0 && m.Peak < m.Stall {
		b.kinks = []float64{m.NoLoad * (1 - m.Peak/m.Stall)}
	}
	return b, m.Stall > 0 || m.Peak > 0 || m.Continuous > 0
}

// ofJoint returns the limits of a robot file; false where it has none.
func ofJoint(d *loads.Drive) (bounds, bool) {
	b, effort := bounds{}, math.Inf(1)
	if d.Limit != nil {
		effort, b.effort = *d.Limit, *d.Limit
	}
	if d.Fastest != nil {
		b.speed = *d.Fastest
	}
	b.at = func(float64) (float64, float64) { return effort, effort }
	return b, d.Limit != nil || d.Fastest != nil
}

// diagrams returns the diagrams of the drives with limits; a motor stands for its drive.
func diagrams(r *loads.Report, drives bool) []report.Figure {
	var out []report.Figure
	if drives {
		motors := map[string]bool{}
		for _, u := range r.Motors {
			motors[u.Joint] = true
		}
		for i := range r.Drives {
			d := &r.Drives[i]
			if b, ok := ofJoint(d); ok && !motors[d.Joint] {
				rate := "rad/s"
				if d.Unit == "N" {
					rate = "m/s"
				}
				out = append(out, draw(d.Joint, d.Plane, b, d.Unit, rate))
			}
		}
		return out
	}
	uses := []*loads.MotorUse{}
	for i := range r.Motors {
		uses = append(uses, &r.Motors[i])
	}
	for i := range r.Sizing {
		if u := r.Sizing[i].Use; u != nil {
			uses = append(uses, u)
		}
	}
	for _, u := range uses {
		if b, ok := ofMotor(&u.Motor); ok {
			out = append(out, draw(strings.TrimSpace(u.Joint+" "+u.Motor.Name), u.Plane, b, "N·m", "rad/s"))
		}
	}
	return out
}

// plot is a diagram with its scales.
type plot struct {
	bounds
	fast, most, least float64 // extents
}

// scales sets the extents to those of points and limits, with a rim.
func (p *plot) scales(points loads.Plane) {
	p.fast, p.most, p.least = p.speed, p.continuous, -p.continuous
	for i, v := range points.Speed {
		p.fast, p.most, p.least = math.Max(p.fast, v), math.Max(p.most, points.Torque[i]), math.Min(p.least, points.Torque[i])
	}
	driving, _ := p.at(0)
	if !math.IsInf(driving, 1) {
		// The braking line rises beyond the stall torque; as much of it as the driving one is in view.
		p.most, p.least = math.Max(p.most, driving), math.Min(p.least, -driving)
	}
	if p.fast == 0 {
		p.fast = 1
	}
	if p.most == p.least {
		p.most, p.least = 1, -1
	}
	spare := 0.15 * (p.most - p.least)
	p.fast, p.most, p.least = 1.04*p.fast, p.most+spare, p.least-spare
}

// place returns a point of the drawing, at its edge where it lies outside.
func (p *plot) place(speed, torque float64) string {
	torque = math.Max(p.least, math.Min(p.most, torque))
	return fmt.Sprintf("%.1f %.1f", report.FigureWidth*speed/p.fast, report.FigureHeight*(p.most-torque)/(p.most-p.least))
}

// steps is the number of edges of a bound's polygon, so that a bound which leaves the view does so within a percent or two of its speed.
const steps = 64

// limits returns the area within the bounds and its rim: from rest along the driving bound to the largest speed and
// back along the braking one.
func (p *plot) limits() (area, rim string) {
	end := p.fast
	if p.speed > 0 {
		end = p.speed
	}
	if driving, _ := p.at(0); math.IsInf(driving, 1) {
		if p.speed > 0 {
			rim = "M" + p.place(end, p.most) + "L" + p.place(end, p.least)
		}
		return "", rim
	}
	var upper, lower []string
	speeds := slices.Clone(p.kinks)
	for k := range steps + 1 {
		speeds = append(speeds, end*float64(k)/steps)
	}
	slices.Sort(speeds)
	for _, v := range speeds {
		driving, braking := p.at(v)
		upper, lower = append(upper, p.place(v, driving)), append(lower, p.place(v, -braking))
	}
	slices.Reverse(lower)
	rim = "M" + strings.Join(append(upper, lower...), "L")
	return rim + "Z", rim
}

// draw draws the points of a plane against its bounds.
func draw(name string, points loads.Plane, b bounds, unit, rate string) report.Figure {
	p := plot{bounds: b}
	p.scales(points)
	f := report.Figure{Title: name, XLabel: "speed, " + rate, Left: "0", Right: fmt.Sprintf("%.3g", p.fast), Top: fmt.Sprintf("%.3g %s", p.most, unit), Bottom: fmt.Sprintf("%.3g", p.least)}
	line := func(class, d string) {
		if d != "" {
			f.Lines = append(f.Lines, report.Path{Class: class, D: template.HTML(d)})
		}
	}
	area, rim := p.limits()
	if area != "" {
		f.Areas = append(f.Areas, report.Path{Class: "allowed", D: template.HTML(area)})
	}
	line("zero", "M"+p.place(0, 0)+"L"+p.place(p.fast, 0))
	line("limit-line", rim)
	if c := p.continuous; c > 0 {
		for _, v := range []float64{c, -c} {
			line("steady-line", "M"+p.place(0, v)+"L"+p.place(p.fast, v))
		}
	}
	var within, beyond strings.Builder
	over, most := 0, 0.0
	for i, v := range points.Speed {
		tau := points.Torque[i]
		driving, braking := p.at(v)
		limit := driving
		if tau < 0 {
			limit = braking
		}
		to := &within
		if math.Abs(tau) > limit || p.speed > 0 && v > p.speed {
			to, over = &beyond, over+1
		}
		most = math.Max(most, math.Abs(tau)/limit)
		fmt.Fprintf(to, "M%sh0", p.place(v, tau))
	}
	line("points", within.String())
	line("points over", beyond.String())
	switch {
	case over > 0:
		f.Title += ": beyond its limits"
	case most > 0 && b.effort > 0:
		f.Title += fmt.Sprintf(": up to %.0f %% of %.4g %s", 100*most, b.effort, unit)
	case most > 0:
		f.Title += fmt.Sprintf(": up to %.0f %% of its limit", 100*most)
	}
	if b.speed > 0 {
		f.XLabel += fmt.Sprintf(", limit %.4g", b.speed)
	}
	f.Words = fmt.Sprintf("Torque of %s over its speed to %.3g %s: %s", name, p.fast, rate, f.Title)
	return f
}
