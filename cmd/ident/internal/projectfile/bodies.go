package projectfile

import (
	"ident/identify/project"
	"ident/physical"
)

// physical writes the keys of priors and bounds.
func (b *Survey) physical(t *projectText) {
	p := b.p
	link := "LINK"
	if n := len(b.robot.Links); n > 0 {
		link = b.robot.Links[n-1].Name
	}
	t.key("physically-consistent", orDefault(string(p.Consistent), "auto"), p.Consistent != "", "yes, no or auto: the nearest parameters that bodies and drives can have, instead of\nthe estimate. auto takes them where they predict rows left out better.")
	t.key("prior", orDefault(p.Prior, string(project.ByData)), p.Prior != "", "Bodies that fill in what the data do not determine: robot (the robot file),\nanother robot file with the same links, none (the lengths of the links), or auto: robot.")
	t.key("prior-weight", orDefault(p.PriorWeight, "auto"), p.PriorWeight != "", "How strongly: a number, or auto, the largest up to 1 that raises the torque error by at most 1 %.\nAt one, a body twice as heavy as the prior's costs as much as an error of about one standard deviation.")
	t.key("prior-distance", orDefault(p.PriorDistance, string(physical.Entropic)), p.PriorDistance != "", "entropic, pull-back, geodesic or euclidean.")
	t.key("total-mass", orDefault(p.TotalMass, "5:50"), p.TotalMass != "", "Mass of all links that move together, kg: one number, known to 5 %, or LOW:HIGH, of which\neither may be left out.")
	t.key("mass", orExample(p.Mass, map[string]string{link: "0.5:5"}), len(p.Mass) > 0, "Masses of links.")
	t.key("centre-box", orExample(p.CentreBox, map[string]string{link: "-0.1:0.1,-0.1:0.1,-0.1:0.1"}), len(p.CentreBox) > 0, "Boxes that centres of mass lie in, m, in the links' own frames: X0:X1,Y0:Y1,Z0:Z1.")
	t.key("centre-ellipsoid", orExample(p.CentreEllipsoid, map[string]string{link: "0,0,0,0.1,0.1,0.1"}), len(p.CentreEllipsoid) > 0, "Ellipsoids that centres of mass lie in: X,Y,Z,RX,RY,RZ (centre and radii).")
	t.key("body-ellipsoid", orExample(p.BodyEllipsoid, map[string]string{link: "0,0,0,0.3,0.3,0.3"}), len(p.BodyEllipsoid) > 0, "Ellipsoids that hold whole links.")
}

// mechanism writes the settings of joints that loops tie together and of
// bases that move.
func (b *Survey) mechanism(t *projectText) {
	p := b.p
	loops := map[string]any{"passive": []string{"j2", "j3"}, "couplings": []map[string]any{{"joint": "j3", "of": map[string]float64{"j1": 1}}}}
	t.key("loops", orDefault(p.Loops, project.Section(flow(loops))), p.Loops != "", "Closed loops and couplings of a robot whose file format has none, such as URDF.")
	t.key("assembly", orExample(p.Assembly, map[string]float64{b.names[0]: 0}), len(p.Assembly) > 0, "Joint positions near which the closed loops are assembled in the right way.")
	t.key("still", orExample(p.Immobile, []string{b.names[0]}), len(p.Immobile) > 0, "Joints that stand still though their torques are measured: a base on a sensor.")
	t.key("carried", orExample(p.Unactuated, []string{b.names[0]}), len(p.Unactuated) > 0, "Joints that something unknown moves: they have no rows.")
}
