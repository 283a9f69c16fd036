package project

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"ident/physical"
	"ident/robot"
)

// OwnFile is the value of the setting prior that means the robot's own file.
const OwnFile = "robot"

// totalPart is the relative standard deviation of a total mass given as a single number: data sheets include cables and
// the base.
const totalPart = 0.05

// totalMass returns the total mass of the links and its standard deviation, of a number or one with a deviation, or else
// its bounds.
func (p *Settings) totalMass() (mass, deviation float64, bounds physical.Interval, err error) {
	if m, e := strconv.ParseFloat(strings.TrimSpace(p.TotalMass), 64); e == nil && m > 0 && !math.IsInf(m, 0) {
		return m, totalPart * m, bounds, nil
	}
	if k, e := parseKnown(p.TotalMass); e == nil && k.Value > 0 && k.Sigma > 0 && 2*k.Sigma < k.Value {
		return k.Value, k.Sigma, bounds, nil
	}
	bounds, err = interval(p.TotalMass, "total-mass")
	return 0, 0, bounds, err
}

// consistentOptions returns the bounds of the settings for the fitted robot, or nil if the estimate need not be
// feasible.
func (p *Settings) consistentOptions(r *robot.Robot) (*physical.BodyOptions, error) {
	if !p.Feasible() {
		return nil, nil
	}
	opt := &physical.BodyOptions{Distance: physical.Distance(p.PriorDistance)}
	var err error
	if opt.Weight, err = p.priorWeight(); err != nil {
		return nil, err
	}
	if opt.Total, opt.TotalDeviation, opt.Bounds.TotalMass, err = p.totalMass(); err != nil {
		return nil, err
	}
	bodies := make([]physical.BodyBounds, len(r.Links))
	given := make([]bool, len(r.Links))
	for _, o := range []struct {
		key   string
		items map[string]string
		set   func(b *physical.BodyBounds, text string, frame robot.Transform) error
	}{
		{"mass", p.Mass, func(b *physical.BodyBounds, text string, _ robot.Transform) (err error) {
			b.Mass, err = interval(text, "mass")
			return err
		}},
		{"centre-box", p.CentreBox, func(b *physical.BodyBounds, text string, frame robot.Transform) (err error) {
			b.Centre, err = box(text, frame)
			return err
		}},
		{"centre-ellipsoid", p.CentreEllipsoid, func(b *physical.BodyBounds, text string, frame robot.Transform) (err error) {
			b.CentreIn, err = ellipsoid(text, "centre-ellipsoid", frame)
			return err
		}},
		{"body-ellipsoid", p.BodyEllipsoid, func(b *physical.BodyBounds, text string, frame robot.Transform) (err error) {
			b.BodyIn, err = ellipsoid(text, "body-ellipsoid", frame)
			return err
		}},
	} {
		for _, name := range slices.Sorted(maps.Keys(o.items)) {
			j := -1
			var names []string
			for i := range r.Links {
				names = append(names, r.Links[i].Name)
				if r.Links[i].Name == name {
					j = i
				}
			}
			if j < 0 {
				return nil, wrong(o.key, name, "{"+o.key+"} %s: the robot has no link of that name that moves; it has %s%s", name, strings.Join(names, ", "), didYouMean(name, names))
			}
			given[j], bodies[j].Link = true, j
			if err := o.set(&bodies[j], o.items[name], r.Links[j].UserFrame); err != nil {
				return nil, err
			}
		}
	}
	for j := range bodies {
		if given[j] {
			opt.Bounds.Bodies = append(opt.Bounds.Bodies, bodies[j])
		}
	}
	return opt, p.checkTotal(r, opt)
}

// surelyTotal is the number of standard deviations within which the masses of links must reach a total mass given as one number.
const surelyTotal = 3

// checkTotal refuses a total mass, given as one number, that masses given of links cannot have. physical compares intervals.
func (p *Settings) checkTotal(r *robot.Robot, opt *physical.BodyOptions) error {
	if opt.Total == 0 {
		return nil
	}
	low, high, bounded := 0.0, 0.0, 0
	var heavy []string
	for _, b := range opt.Bounds.Bodies {
		if low += b.Mass.Low; b.Mass.Low > 0 {
			heavy = append(heavy, r.Links[b.Link].Name)
		}
		if b.Mass.High > 0 {
			high, bounded = high+b.Mass.High, bounded+1
		}
	}
	slack := surelyTotal * opt.TotalDeviation
	switch {
	case low > opt.Total+slack:
		return wrong("total-mass", p.TotalMass, "{total-mass} %s: {mass} of %s gives these links %.4g kg at least", p.TotalMass, strings.Join(heavy, ", "), low)
	case bounded == len(r.Links) && high < opt.Total-slack:
		return wrong("total-mass", p.TotalMass, "{total-mass} %s: {mass} gives all links together %.4g kg at most", p.TotalMass, high)
	}
	return nil
}

// exactMass is half the width, relative to the mass, of the interval of a mass that is given as one number: what a scale
// resolves, and room enough for a search within it.
const exactMass = 1e-3

// interval reads LOW:HIGH; either part may be missing. A mass may also be one number, or one with its deviation, whose interval
// of 95 % it is then.
func interval(text, key string) (v physical.Interval, err error) {
	if text == "" && key != "mass" {
		return v, nil
	}
	if key == "mass" && !strings.Contains(text, ":") {
		if k, err := parseKnown(text); err == nil && k.Value > 0 && 2*k.Sigma < k.Value {
			half := max(2*k.Sigma, exactMass*k.Value)
			return physical.Interval{Low: k.Value - half, High: k.Value + half}, nil
		}
	}
	low, high, ok := strings.Cut(text, ":")
	number := func(s string) float64 {
		if s = strings.TrimSpace(s); s == "" {
			return 0
		}
		f, e := strconv.ParseFloat(s, 64)
		if e != nil || !(f > 0) || math.IsInf(f, 0) {
			ok = false
		}
		return f
	}
	v = physical.Interval{Low: number(low), High: number(high)}
	if !ok || v == (physical.Interval{}) || v.High > 0 && v.High <= v.Low {
		alone := ""
		if key == "total-mass" || key == "mass" {
			alone = ", or one number"
		}
		return v, wrong(key, text, "{"+key+"} %q: must be LOW:HIGH in kg, LOW below HIGH; one of them may be left out"+alone, text)
	}
	return v, nil
}

// box reads X0:X1,Y0:Y1,Z0:Z1 in a frame.
func box(text string, frame robot.Transform) ([]physical.HalfSpace, error) {
	var low, high [3]float64
	parts := ParseList(text)
	ok := len(parts) == 3
	for k := 0; ok && k < 3; k++ {
		lo, hi, cut := strings.Cut(parts[k], ":")
		v, err := ParseNumbers(lo + "," + hi)
		if ok = cut && err == nil && len(v) == 2 && v[0] < v[1]; ok {
			low[k], high[k] = v[0], v[1]
		}
	}
	if !ok {
		return nil, wrong("centre-box", text, "{centre-box} %q: must be X0:X1,Y0:Y1,Z0:Z1 in metres, X0 below X1 and so on", text)
	}
	return physical.Box(low, high, frame), nil
}

// ellipsoid reads six numbers: the centre and the radii along the axes of a frame.
func ellipsoid(text, key string, frame robot.Transform) (*physical.Ellipsoid, error) {
	v, err := ParseNumbers(text)
	if err != nil || len(v) != 6 || !(v[3] > 0) || !(v[4] > 0) || !(v[5] > 0) {
		return nil, wrong(key, text, "{"+key+"} %q: must be X,Y,Z,RX,RY,RZ in metres, with positive radii", text)
	}
	e := &physical.Ellipsoid{Centre: frame.Apply([3]float64{v[0], v[1], v[2]}),
		Label: fmt.Sprintf("the ellipsoid of radii %g, %g, %g m about (%g, %g, %g) m in the link's frame", v[3], v[4], v[5], v[0], v[1], v[2])}
	for k := range 3 {
		for i := range 3 {
			e.Axes[k][i] = frame.R[i][k] * v[3+k]
		}
	}
	return e, nil
}
