package main

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ident/estimate"
	"ident/identify"
	"ident/robot"
)

// ownFile is the prior that is the robot's own file.
const ownFile = "robot"

// physicalFlags holds what repeatable flags give, before a project takes it.
type physicalFlags struct {
	p                                         project
	mass, box, centreEllipsoid, bodyEllipsoid []string
}

func (f *physicalFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.BoolVar(&f.p.Consistent, "physically-consistent", false, "the nearest parameters that bodies and drives can have")
	fl.StringVar(&f.p.Prior, "prior", "", "what the estimate is drawn to: robot (the robot file's own values), or another robot file with the same links")
	fl.StringVar(&f.p.PriorWeight, "prior-weight", "", "weight of the prior: auto (cross-validation on the training logs) or a number (default auto)")
	fl.StringVar(&f.p.PriorDistance, "prior-distance", "", "distance from the prior: entropic, pull-back, geodesic or euclidean (default entropic)")
	fl.StringVar(&f.p.TotalMass, "total-mass", "", "mass of all links together, LOW:HIGH in kg; either may be left out")
	fl.StringArrayVar(&f.mass, "mass", nil, "mass of a link, LINK=LOW:HIGH in kg (repeatable)")
	fl.StringArrayVar(&f.box, "centre-box", nil, "box for the centre of mass in the link's frame, LINK=X0:X1,Y0:Y1,Z0:Z1 in m (repeatable)")
	fl.StringArrayVar(&f.centreEllipsoid, "centre-ellipsoid", nil, "ellipsoid for the centre of mass, LINK=X,Y,Z,RX,RY,RZ (centre and radii, m; repeatable)")
	fl.StringArrayVar(&f.bodyEllipsoid, "body-ellipsoid", nil, "ellipsoid that holds the whole link, LINK=X,Y,Z,RX,RY,RZ (repeatable)")
}

// apply writes the flags that were given over a project.
func (f *physicalFlags) apply(given func(string) bool, p *project) error {
	if given("physically-consistent") {
		p.Consistent = f.p.Consistent
	}
	for _, o := range []struct {
		name     string
		from, to *string
	}{{"prior", &f.p.Prior, &p.Prior}, {"prior-weight", &f.p.PriorWeight, &p.PriorWeight},
		{"prior-distance", &f.p.PriorDistance, &p.PriorDistance}, {"total-mass", &f.p.TotalMass, &p.TotalMass}} {
		if given(o.name) {
			*o.to = *o.from
		}
	}
	for _, o := range []struct {
		name string
		from []string
		to   *map[string]string
	}{{"mass", f.mass, &p.Mass}, {"centre-box", f.box, &p.CentreBox},
		{"centre-ellipsoid", f.centreEllipsoid, &p.CentreEllipsoid}, {"body-ellipsoid", f.bodyEllipsoid, &p.BodyEllipsoid}} {
		if err := mergeTexts(o.to, o.from, "="); err != nil {
			return fmt.Errorf("--%s: %w", o.name, err)
		}
	}
	return nil
}

// check refuses what means nothing without --physically-consistent. drawn tells
// that the estimator has a prior too.
func (p *project) check(drawn bool) error {
	if p.PriorDistance != "" {
		if _, err := estimate.ParseDistance(p.PriorDistance); err != nil {
			return usagef("--prior-%v", err)
		}
	}
	if _, err := p.weight(); err != nil {
		return err
	}
	if p.PriorWeight != "" && p.Prior == "" {
		return usagef("--prior-weight %s: of which prior? Give --prior robot or --prior FILE", p.PriorWeight)
	}
	if p.Consistent && drawn {
		return usagef("a prior would count twice: --physically-consistent draws to --prior itself; take --estimator wls with it")
	}
	if p.Consistent {
		return nil
	}
	for _, o := range []struct {
		name  string
		given bool
	}{{"prior", p.Prior != "" && !drawn}, {"prior-distance", p.PriorDistance != ""}, {"total-mass", p.TotalMass != ""}, {"mass", len(p.Mass) > 0},
		{"centre-box", len(p.CentreBox) > 0}, {"centre-ellipsoid", len(p.CentreEllipsoid) > 0}, {"body-ellipsoid", len(p.BodyEllipsoid) > 0}} {
		if o.given {
			return usagef("--%s bears on physically consistent estimates: give --physically-consistent as well", o.name)
		}
	}
	return nil
}

// weight is that of the prior, zero where the data choose it.
func (p *project) weight() (float64, error) {
	if p.PriorWeight == "" || p.PriorWeight == "auto" {
		return 0, nil
	}
	w, err := strconv.ParseFloat(p.PriorWeight, 64)
	if err != nil || !(w > 0) || math.IsInf(w, 0) {
		return 0, usagef("--prior-weight %q: it is auto or a positive number", p.PriorWeight)
	}
	return w, nil
}

// consistentOptions turns the bounds into those of the fitted robot; nil
// where the estimate need not be possible.
func (p *project) consistentOptions(r *robot.Robot) (*estimate.ConsistentOptions, error) {
	if !p.Consistent {
		return nil, nil
	}
	opt := &estimate.ConsistentOptions{Distance: estimate.Distance(p.PriorDistance)}
	var err error
	if opt.Bounds.TotalMass, err = interval(p.TotalMass, "total-mass"); err != nil {
		return nil, err
	}
	bodies := make([]estimate.BodyBounds, len(r.Links))
	given := make([]bool, len(r.Links))
	for _, o := range []struct {
		name  string
		items map[string]string
		set   func(b *estimate.BodyBounds, text string, frame robot.Transform) error
	}{
		{"mass", p.Mass, func(b *estimate.BodyBounds, text string, _ robot.Transform) (err error) {
			b.Mass, err = interval(text, "mass")
			return err
		}},
		{"centre-box", p.CentreBox, func(b *estimate.BodyBounds, text string, frame robot.Transform) (err error) {
			b.Centre, err = box(text, frame)
			return err
		}},
		{"centre-ellipsoid", p.CentreEllipsoid, func(b *estimate.BodyBounds, text string, frame robot.Transform) (err error) {
			b.CentreIn, err = ellipsoid(text, "centre-ellipsoid", frame)
			return err
		}},
		{"body-ellipsoid", p.BodyEllipsoid, func(b *estimate.BodyBounds, text string, frame robot.Transform) (err error) {
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
				return nil, usagef("--%s %s: the robot has no link of that name that moves; it has %s", o.name, name, strings.Join(names, ", "))
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
	return opt, nil
}

// physical writes the keys of priors and bounds.
func (b *survey) physical(t *projectText) {
	p := b.p
	link := "LINK"
	if n := len(b.robot.Links); n > 0 {
		link = b.robot.Links[n-1].Name
	}
	t.key("physically-consistent", p.Consistent, p.Consistent, "The nearest parameters that bodies and drives can have, in the place of the estimate.")
	t.key("prior", orDefault(p.Prior, ownFile), p.Prior != "", "What that is drawn to: robot (the robot file's own values), or another robot file with\nthe same links.")
	t.key("prior-weight", orDefault(p.PriorWeight, "auto"), p.PriorWeight != "", "How strongly: auto (by cross-validation on the training logs) or a number. At one, a\nbody twice the prior's costs what an error of about a standard deviation does.")
	t.key("prior-distance", orDefault(p.PriorDistance, string(estimate.Entropic)), p.PriorDistance != "", "entropic, pull-back, geodesic or euclidean.")
	t.key("total-mass", orDefault(p.TotalMass, "5:50"), p.TotalMass != "", "Mass of all links together, kg, LOW:HIGH; either may be left out.")
	t.key("mass", orExample(p.Mass, map[string]string{link: "0.5:5"}), len(p.Mass) > 0, "Masses of links.")
	t.key("centre-box", orExample(p.CentreBox, map[string]string{link: "-0.1:0.1,-0.1:0.1,-0.1:0.1"}), len(p.CentreBox) > 0, "Boxes that centres of mass lie in, m, in the links' own frames: X0:X1,Y0:Y1,Z0:Z1.")
	t.key("centre-ellipsoid", orExample(p.CentreEllipsoid, map[string]string{link: "0,0,0,0.1,0.1,0.1"}), len(p.CentreEllipsoid) > 0, "Ellipsoids that centres of mass lie in: X,Y,Z,RX,RY,RZ (centre and radii).")
	t.key("body-ellipsoid", orExample(p.BodyEllipsoid, map[string]string{link: "0,0,0,0.3,0.3,0.3"}), len(p.BodyEllipsoid) > 0, "Ellipsoids that hold whole links.")
}

// physicalOptions are the bounds and the prior for a session's robot.
func (p *project) physicalOptions(s *session) (*estimate.ConsistentOptions, *identify.PriorSource, error) {
	opt, err := p.consistentOptions(s.robot)
	if err != nil {
		return nil, nil, err
	}
	prior, err := p.priorSource(s.locked)
	return opt, prior, err
}

// priorSource reads the robot of the prior and locks the joints of the fit; nil
// without one.
func (p *project) priorSource(locked map[string]float64) (*identify.PriorSource, error) {
	if p.Prior == "" {
		return nil, nil
	}
	weight, err := p.weight()
	if err != nil {
		return nil, err
	}
	out := &identify.PriorSource{Name: p.Prior, Weight: weight}
	if p.Prior == ownFile {
		return out, nil
	}
	out.Name = filepath.Base(p.Prior)
	r, err := robot.Open(p.Prior, robot.ReadOptions{NoSnap: p.NoSnap, Set: p.Set})
	if err != nil {
		return nil, fmt.Errorf("prior: %w", err)
	}
	if r, err = adjust(r, p); err != nil {
		return nil, fmt.Errorf("prior: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(locked)) {
		if r, err = r.Lock(name, locked[name]); err != nil {
			return nil, fmt.Errorf("prior %s: %w", out.Name, err)
		}
	}
	out.Robot = r
	return out, nil
}

// interval reads LOW:HIGH, of which either may be left out.
func interval(text, flag string) (v estimate.Interval, err error) {
	if text == "" {
		return v, nil
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
	v = estimate.Interval{Low: number(low), High: number(high)}
	if !ok || v == (estimate.Interval{}) || v.High > 0 && v.High <= v.Low {
		return v, usagef("--%s %q: it is LOW:HIGH in kg, the second the larger; either may be left out", flag, text)
	}
	return v, nil
}

// box reads X0:X1,Y0:Y1,Z0:Z1 in a frame.
func box(text string, frame robot.Transform) ([]estimate.HalfSpace, error) {
	var low, high [3]float64
	parts := splitList(text)
	ok := len(parts) == 3
	for k := 0; ok && k < 3; k++ {
		lo, hi, cut := strings.Cut(parts[k], ":")
		v, err := numbers(lo + "," + hi)
		if ok = cut && err == nil && len(v) == 2 && v[0] < v[1]; ok {
			low[k], high[k] = v[0], v[1]
		}
	}
	if !ok {
		return nil, usagef("--centre-box %q: it is X0:X1,Y0:Y1,Z0:Z1 in metres, each second number the larger", text)
	}
	return estimate.Box(low, high, frame), nil
}

// ellipsoid reads the centre and the radii along the axes of a frame.
func ellipsoid(text, flag string, frame robot.Transform) (*estimate.Ellipsoid, error) {
	v, err := numbers(text)
	if err != nil || len(v) != 6 || !(v[3] > 0) || !(v[4] > 0) || !(v[5] > 0) {
		return nil, usagef("--%s %q: it is X,Y,Z,RX,RY,RZ in metres, the radii positive", flag, text)
	}
	e := &estimate.Ellipsoid{Centre: frame.Apply([3]float64{v[0], v[1], v[2]}),
		Label: fmt.Sprintf("the ellipsoid of radii %g, %g, %g m about (%g, %g, %g) m in the link's frame", v[3], v[4], v[5], v[0], v[1], v[2])}
	for k := range 3 {
		for i := range 3 {
			e.Axes[k][i] = frame.R[i][k] * v[3+k]
		}
	}
	return e, nil
}
