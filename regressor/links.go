package regressor

import "ident/robot"

// linksTerm declares the ten inertial parameters of each link. The wrench that
// each needs is in wrench.go, its energy and momentum in momentum.go.
func linksTerm() declaration {
	return declaration{name: Links, about: "inertia, first moments and mass of each link", of: ofLinks, params: inertialParameters("")}
}

// inertialParameters are the parameters of a body, with a prefix to their names.
func inertialParameters(prefix string) []parameter {
	formulas := [robot.NumInertial]string{
		"K(ω̇)+ω×K(ω), XX", "K(ω̇)+ω×K(ω), XY", "K(ω̇)+ω×K(ω), XZ", "K(ω̇)+ω×K(ω), YY", "K(ω̇)+ω×K(ω), YZ", "K(ω̇)+ω×K(ω), ZZ",
		"force U·x, moment x×(V̇−g)", "force U·y, moment y×(V̇−g)", "force U·z, moment z×(V̇−g)", "force V̇−g",
	}
	var out []parameter
	for p, name := range robot.InertialNames {
		u := robot.InertialUnits[p]
		signed := p != robot.XX && p != robot.YY && p != robot.ZZ && p != robot.M
		out = append(out, parameter{kind: prefix + name, formula: formulas[p], unit: [2]string{u, u}, signed: signed})
	}
	return out
}
