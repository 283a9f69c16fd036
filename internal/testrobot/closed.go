package testrobot

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/robot"
	"ident/robot/format"
)

// OpenClosed reads a file of the published robots with its loops.
func OpenClosed(t testing.TB, file string, set map[string]float64) *robot.Robot {
	t.Helper()
	text, err := PublishedPar(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := format.Read(text, "par", file, robot.ReadOptions{Loops: true, Set: set})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// SR400 returns the machine of Khalil and Creusot's guide with one parallelogram.
func SR400(t testing.TB) *robot.Robot {
	return OpenClosed(t, "sr400.par", map[string]float64{"d2": 0.25, "d3": 1, "d4": 0.22, "d8": 0.35, "RL4": 0.9})
}

// AKR3000 returns the machine of the same guide with two slides for two of its bars.
func AKR3000(t testing.TB) *robot.Robot {
	return OpenClosed(t, "akr3000.par", map[string]float64{"D3": 0.3, "D4": -0.25, "D7": 1.1, "RL8": 0.9, "gam13": 0.4, "D13": 0.35, "gam14": 2.6, "D14": 0.3})
}

// FourBar returns a plane four-bar with the given sides, ground first, in a plane of
// any direction: crank 1 carries coupler 2, rocker 3 is cut from it.
func FourBar(ground, crank, coupler, rocker, gamma, alpha float64) *robot.Robot {
	r := robot.FromMDH("four-bar", []robot.MDHFrame{
		{Antecedent: -1, Gamma: gamma, Alpha: alpha},
		{Antecedent: 0, D: crank},
		{Antecedent: -1, Gamma: gamma, Alpha: alpha, D: ground, Theta: 0.3},
	})
	r.Links[1].Joint.Passive, r.Links[2].Joint.Passive = true, true
	CutAt(r, 1, robot.MDH{D: coupler}, 2, robot.MDH{D: rocker})
	return r
}

// SliderCrank returns a crank of length 0.3 with a rod of length 0.8 to a slide that runs beside the crank's axis, in a
// plane of any direction. The crank is driven, and the rod is cut from the slide.
func SliderCrank(gamma, alpha float64) *robot.Robot {
	r := robot.FromMDH("slider-crank", []robot.MDHFrame{
		{Antecedent: -1, Gamma: gamma, Alpha: alpha},
		{Antecedent: 0, D: 0.3},
		{Antecedent: -1, Gamma: gamma, Alpha: alpha + math.Pi/2, Kind: robot.Prismatic}, // along the plane's -y
	})
	r.Links[1].Joint.Passive, r.Links[2].Joint.Passive = true, true
	// The axis of the cut is across the plane, that of the slide is along it.
	CutAt(r, 1, robot.MDH{D: 0.8}, 2, robot.MDH{Alpha: -math.Pi / 2, D: 0.1})
	return r
}

// QuickReturn returns a crank whose pin slides along an arm: the slide lies between the two joints that follow it.
func QuickReturn(gamma, alpha float64) *robot.Robot {
	r := robot.FromMDH("quick return", []robot.MDHFrame{
		{Antecedent: -1, Gamma: gamma, Alpha: alpha},
		{Antecedent: -1, Gamma: gamma, Alpha: alpha, D: -0.7, Theta: 0.3},   // the arm
		{Antecedent: 1, Alpha: math.Pi / 2, D: 0.05, Kind: robot.Prismatic}, // the block on it
	})
	r.Links[1].Joint.Passive, r.Links[2].Joint.Passive = true, true
	CutAt(r, 0, robot.MDH{D: 0.25}, 2, robot.MDH{Alpha: -math.Pi / 2})
	return r
}

// ScotchYoke returns a crank whose pin turns in a block that slides across a yoke, which slides along the plane.
func ScotchYoke(gamma, alpha float64) *robot.Robot {
	r := robot.FromMDH("scotch yoke", []robot.MDHFrame{
		{Antecedent: -1, Gamma: gamma, Alpha: alpha},
		{Antecedent: -1, Gamma: gamma, Alpha: alpha + math.Pi/2, Kind: robot.Prismatic},
		{Antecedent: 1, Gamma: math.Pi / 2, Alpha: 1.2, Kind: robot.Prismatic}, // along the plane, 1.2 rad from the yoke
	})
	r.Links[1].Joint.Passive, r.Links[2].Joint.Passive = true, true
	CutAt(r, 0, robot.MDH{D: 0.25}, 2, robot.MDH{Gamma: math.Pi / 2, Alpha: math.Pi / 2})
	return r
}

// CutAt closes a loop by a revolute joint between two links.
func CutAt(r *robot.Robot, a int, frame robot.MDH, b int, meets robot.MDH) {
	n := len(r.Extra)
	r.Extra = append(r.Extra,
		robot.ExtraFrame{Name: "k", Antecedent: a, Kind: robot.Revolute, Placement: frame.Transform()},
		robot.ExtraFrame{Name: "k+B", Antecedent: b, Kind: robot.Fixed, Placement: meets.Transform()})
	r.Loops = append(r.Loops, robot.Loop{Frame: n, Meets: n + 1})
}

// Bennett returns the over-constrained spatial loop of Bennett (1903): opposite
// sides are alike and a/sin α = b/sin β.
func Bennett() *robot.Robot {
	const a, alpha, beta = 0.5, 0.6, 1.1
	b := a * math.Sin(beta) / math.Sin(alpha)
	r := robot.FromMDH("bennett", []robot.MDHFrame{
		{Antecedent: -1},
		{Antecedent: 0, D: a, Alpha: alpha},
		{Antecedent: 1, D: b, Alpha: beta},
	})
	r.Links[1].Joint.Passive, r.Links[2].Joint.Passive = true, true
	CutAt(r, 2, robot.MDH{D: a, Alpha: alpha}, -1, robot.MDH{D: -b, Alpha: -beta})
	return r
}

// Weigh gives a robot bodies, and drives and friction with rotors at the driven
// joints only.
func Weigh(r *robot.Robot, rng *rand.Rand) *robot.Robot {
	for j := range r.Links {
		l := &r.Links[j]
		l.Inertial, l.HasInertial = Body(rng), true
		l.Own = l.Inertial
		if l.Joint.Kind == robot.Fixed {
			continue
		}
		l.Joint.Fv, l.Joint.Fs = 0.5+rng.Float64(), 0.5+rng.Float64()
		if !l.Joint.Passive {
			l.Joint.Ia, l.Joint.Fo = 0.2+0.3*rng.Float64(), rng.NormFloat64()
		}
	}
	return r
}
