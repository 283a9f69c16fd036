package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"ident/physical"
	"ident/project"
)

// physicalFlags holds what repeatable flags give, before a project takes it.
type physicalFlags struct {
	p                                         project.Settings
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
func (f *physicalFlags) apply(given func(string) bool, p *project.Settings) error {
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
		if err := project.MergeTexts(o.to, o.from, "="); err != nil {
			return fmt.Errorf("--%s: %w", o.name, err)
		}
	}
	return nil
}

// physical writes the keys of priors and bounds.
func (b *survey) physical(t *projectText) {
	p := b.p
	link := "LINK"
	if n := len(b.robot.Links); n > 0 {
		link = b.robot.Links[n-1].Name
	}
	t.key("physically-consistent", p.Consistent, p.Consistent, "The nearest parameters that bodies and drives can have, in the place of the estimate.")
	t.key("prior", orDefault(p.Prior, project.OwnFile), p.Prior != "", "What that is drawn to: robot (the robot file's own values), or another robot file with\nthe same links.")
	t.key("prior-weight", orDefault(p.PriorWeight, "auto"), p.PriorWeight != "", "How strongly: auto (by cross-validation on the training logs) or a number. At one, a\nbody twice the prior's costs what an error of about a standard deviation does.")
	t.key("prior-distance", orDefault(p.PriorDistance, string(physical.Entropic)), p.PriorDistance != "", "entropic, pull-back, geodesic or euclidean.")
	t.key("total-mass", orDefault(p.TotalMass, "5:50"), p.TotalMass != "", "Mass of all links together, kg, LOW:HIGH; either may be left out.")
	t.key("mass", orExample(p.Mass, map[string]string{link: "0.5:5"}), len(p.Mass) > 0, "Masses of links.")
	t.key("centre-box", orExample(p.CentreBox, map[string]string{link: "-0.1:0.1,-0.1:0.1,-0.1:0.1"}), len(p.CentreBox) > 0, "Boxes that centres of mass lie in, m, in the links' own frames: X0:X1,Y0:Y1,Z0:Z1.")
	t.key("centre-ellipsoid", orExample(p.CentreEllipsoid, map[string]string{link: "0,0,0,0.1,0.1,0.1"}), len(p.CentreEllipsoid) > 0, "Ellipsoids that centres of mass lie in: X,Y,Z,RX,RY,RZ (centre and radii).")
	t.key("body-ellipsoid", orExample(p.BodyEllipsoid, map[string]string{link: "0,0,0,0.3,0.3,0.3"}), len(p.BodyEllipsoid) > 0, "Ellipsoids that hold whole links.")
}
