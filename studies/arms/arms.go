// Package arms has the simulated arms and the rough robot files of the studies.
package arms

import (
	"math"
	"math/rand/v2"

	"ident/robot"
)

// body is a mass, kg, with its centre and its gyration radii about it along the axes of its frame, m.
type body struct {
	mass     float64
	centre   [3]float64
	gyration [3]float64
}

// All returns six arms with known bodies: five have the kinematics and body sizes of real arms, and one stands on a rail.
func All() []*robot.Robot {
	const half = math.Pi / 2
	seven := []robot.MDHFrame{{Antecedent: -1, R: 0.333}, {Antecedent: 0, Alpha: -half}, {Antecedent: 1, Alpha: half, R: 0.316}, {Antecedent: 2, Alpha: half, D: 0.0825},
		{Antecedent: 3, Alpha: -half, D: -0.0825, R: 0.384}, {Antecedent: 4, Alpha: half}, {Antecedent: 5, Alpha: half, D: 0.088}}
	ur := []robot.MDHFrame{{Antecedent: -1, R: 0.1807}, {Antecedent: 0, Alpha: half}, {Antecedent: 1, D: -0.6127}, {Antecedent: 2, D: -0.5716, R: 0.174}, {Antecedent: 3, Alpha: half, R: 0.12}, {Antecedent: 4, Alpha: -half, R: 0.1166}}
	puma := []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: -half, R: 0.2435}, {Antecedent: 1, D: 0.4318, R: -0.0934}, {Antecedent: 2, D: -0.0203, Alpha: half, R: 0.4331}, {Antecedent: 3, Alpha: -half}, {Antecedent: 4, Alpha: half}}
	light := []robot.MDHFrame{{Antecedent: -1, R: 0.31}, {Antecedent: 0, Alpha: half}, {Antecedent: 1, Alpha: -half, R: 0.4}, {Antecedent: 2, Alpha: -half}, {Antecedent: 3, Alpha: half, R: 0.39}, {Antecedent: 4, Alpha: half}, {Antecedent: 5, Alpha: -half}}
	small := []robot.MDHFrame{{Antecedent: -1, R: 0.32}, {Antecedent: 0, Alpha: -half}, {Antecedent: 1, D: 0.225, R: 0.035}, {Antecedent: 2, Alpha: half, R: 0.225}, {Antecedent: 3, Alpha: -half}, {Antecedent: 4, Alpha: half}}
	urBodies := []body{{7.4, [3]float64{0.02, 0, -0.03}, [3]float64{0.07, 0.07, 0.06}}, {13.1, [3]float64{-0.24, 0, 0.16}, [3]float64{0.06, 0.22, 0.22}}, {4.0, [3]float64{-0.27, 0, 0.07}, [3]float64{0.05, 0.2, 0.2}},
		{2.1, [3]float64{0, -0.02, 0.01}, [3]float64{0.05, 0.04, 0.05}}, {2.0, [3]float64{0, 0.02, 0.01}, [3]float64{0.05, 0.04, 0.05}}, {0.6, [3]float64{0, 0, -0.03}, [3]float64{0.03, 0.03, 0.03}}}
	out := []*robot.Robot{
		built("seven joints, 17 kg", seven, []body{{3.1, [3]float64{0, -0.03, -0.07}, [3]float64{0.09, 0.08, 0.05}}, {3.4, [3]float64{0, -0.06, 0.03}, [3]float64{0.08, 0.05, 0.08}}, {3.0, [3]float64{0.03, 0.04, -0.06}, [3]float64{0.07, 0.07, 0.05}},
			{2.6, [3]float64{-0.04, 0.05, 0.03}, [3]float64{0.06, 0.06, 0.06}}, {3.0, [3]float64{0, 0.04, -0.12}, [3]float64{0.1, 0.1, 0.04}}, {1.3, [3]float64{0.05, 0, 0}, [3]float64{0.03, 0.05, 0.05}}, {0.7, [3]float64{0.01, 0, 0.08}, [3]float64{0.04, 0.04, 0.03}}}),
		built("seven joints, 14 kg", light, []body{{2.7, [3]float64{0, -0.02, -0.08}, [3]float64{0.07, 0.07, 0.04}}, {2.7, [3]float64{0, 0.08, 0.02}, [3]float64{0.08, 0.04, 0.07}}, {2.6, [3]float64{0, 0.02, -0.08}, [3]float64{0.07, 0.07, 0.04}},
			{2.6, [3]float64{0, -0.08, 0.02}, [3]float64{0.07, 0.04, 0.07}}, {1.7, [3]float64{0, -0.02, -0.1}, [3]float64{0.06, 0.06, 0.04}}, {1.6, [3]float64{0, 0, 0.01}, [3]float64{0.04, 0.04, 0.04}}, {0.3, [3]float64{0, 0, 0.06}, [3]float64{0.02, 0.02, 0.02}}}),
		built("six joints, 29 kg", ur, urBodies),
		built("six joints, 34 kg", puma, []body{{10, [3]float64{0, 0.02, -0.05}, [3]float64{0.12, 0.1, 0.1}}, {17.4, [3]float64{0.068, 0.006, -0.016}, [3]float64{0.1, 0.16, 0.17}}, {4.8, [3]float64{0, -0.07, 0.014}, [3]float64{0.12, 0.06, 0.12}},
			{0.82, [3]float64{0, 0, -0.019}, [3]float64{0.05, 0.05, 0.03}}, {0.34, [3]float64{0, -0.004, 0}, [3]float64{0.03, 0.02, 0.03}}, {0.29, [3]float64{0.01, 0, 0.052}, [3]float64{0.02, 0.02, 0.02}}}),
		built("six joints, 23 kg", small, []body{{7.5, [3]float64{0.02, -0.03, -0.08}, [3]float64{0.1, 0.09, 0.07}}, {7.0, [3]float64{0.11, 0.01, 0.1}, [3]float64{0.06, 0.1, 0.1}}, {5.0, [3]float64{0, -0.03, 0.05}, [3]float64{0.07, 0.06, 0.06}},
			{2.3, [3]float64{0, 0.02, -0.07}, [3]float64{0.06, 0.06, 0.04}}, {0.8, [3]float64{0, 0.01, 0.01}, [3]float64{0.03, 0.03, 0.03}}, {0.3, [3]float64{0, 0, 0.05}, [3]float64{0.02, 0.02, 0.02}}}),
	}
	onRail := append([]robot.MDHFrame{{Antecedent: -1, Alpha: half}}, ur...)
	for i := range onRail[1:] {
		onRail[i+1].Antecedent++
	}
	onRail[0].Kind, onRail[1].Alpha = robot.Prismatic, -half
	return append(out, built("rail, 59 kg", onRail, append([]body{{30, [3]float64{0, 0, 0.1}, [3]float64{0.15, 0.15, 0.15}}}, urBodies...)))
}

// Floating returns the third arm of All on a base of 30 kg that moves freely, whose motion and wrench are measured.
func Floating() *robot.Robot {
	const half = math.Pi / 2
	arm := All()[2]
	r := robot.FromMDH("floating, 59 kg", []robot.MDHFrame{{Antecedent: -1, Kind: robot.Prismatic}, {Antecedent: 0, Alpha: -half, Theta: half, Kind: robot.Prismatic}, {Antecedent: 1, Alpha: half, Kind: robot.Prismatic},
		{Antecedent: 2}, {Antecedent: 3, Alpha: half, Theta: half}, {Antecedent: 4, Alpha: half}})
	for j := range r.Links {
		r.Links[j].Joint.Virtual, r.Links[j].Massless = true, j < 5
	}
	base := &r.Links[5]
	base.Inertial = robot.InertialFromCentral(30, [3]float64{0, 0, 0.1}, [3][3]float64{{0.7, 0, 0}, {0, 0.7, 0}, {0, 0, 0.7}})
	base.Own, base.HasInertial = base.Inertial, true
	for _, l := range arm.Links {
		l.Name, l.Joint.Name = "A"+l.Name, "A"+l.Joint.Name
		l.Antecedent += 6
		r.Links = append(r.Links, l)
	}
	return r
}

func built(name string, frames []robot.MDHFrame, bodies []body) *robot.Robot {
	r := robot.FromMDH(name, frames)
	for j, b := range bodies {
		l, g := &r.Links[j], b.gyration
		xx, yy, zz := b.mass*g[0]*g[0], b.mass*g[1]*g[1], b.mass*g[2]*g[2]
		l.Inertial = robot.InertialFromCentral(b.mass, b.centre, [3][3]float64{{yy + zz, 0, 0}, {0, xx + zz, 0}, {0, 0, xx + yy}})
		l.Own, l.HasInertial = l.Inertial, true
		size := b.mass * 0.1
		l.Joint.Ia, l.Joint.Fv, l.Joint.Fs, l.Joint.Fo = size, 3*size, 4*size, 0.2*size
	}
	return r
}

// Kind is a kind of robot file.
type Kind struct {
	Name     string
	rough    float64 // deviation of the masses' logarithms
	one, all float64 // factors of one link, and of all
	None     bool    // without bodies
}

// Kinds returns those that the study of bodies tries.
func Kinds() []Kind {
	return []Kind{{Name: "e^0.1", rough: 0.1, one: 1, all: 1}, {Name: "e^0.3", rough: 0.3, one: 1, all: 1}, {Name: "e^0.6", rough: 0.6, one: 1, all: 1},
		{Name: "one link ×3", rough: 0.1, one: 3, all: 1}, {Name: "all ×3", rough: 0.1, one: 1, all: 3}, {Name: "none", None: true}}
}

// File returns a robot file of that kind: masses scaled, inertias with them, centres moved by 20 mm along each axis at
// most, and the rotors of slides as rough as the masses.
func (k Kind) File(r *robot.Robot, rng *rand.Rand) *robot.Robot {
	out := r.Clone()
	wrong := 1 + rng.IntN(len(out.Links)-1)
	for j := range out.Links {
		l := &out.Links[j]
		if l.Massless {
			continue
		}
		if k.None {
			l.Inertial, l.Own, l.HasInertial = robot.Inertial{}, robot.Inertial{}, false
			continue
		}
		by := k.all * math.Exp(k.rough*rng.NormFloat64())
		if j == wrong {
			by *= k.one
		}
		m := by * l.Inertial.Mass()
		centre, _ := l.Inertial.CentreOfMass()
		central, _ := l.Inertial.Central()
		for a := range 3 {
			centre[a] += 0.02 * (2*rng.Float64() - 1)
			for b := range 3 {
				central[a][b] *= by
			}
		}
		l.Inertial = robot.InertialFromCentral(m, centre, central)
		l.Own = l.Inertial
	}
	for j := range out.Links {
		if n := &out.Links[j].Joint; n.Kind == robot.Prismatic { // its rotor is weighed with the bodies
			n.Ia *= math.Exp(k.rough * rng.NormFloat64())
		}
	}
	return out
}
