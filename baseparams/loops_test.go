package baseparams

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/mechanics/loops"
	"ident/regressor"
	"ident/robot"
)

// closedCase reads a closed reference robot's file with its loops, and the
// sets that are expected.
func closedCase(t testing.TB, name string) (*robot.Robot, testrobot.Case) {
	t.Helper()
	c, r := testrobot.CaseOf(t, name), testrobot.OpenClosed(t, name+".par", nil)
	return bindCase(t, name, r, c.Values), c
}

// bindCase gives a closed reference robot the values of a case's symbols.
func bindCase(t testing.TB, name string, r *robot.Robot, of map[string]float64) *robot.Robot {
	t.Helper()
	// The case and the file write the same symbols in other ways.
	known := map[string]string{"d3": "D3", "d4": "D4", "d7": "D7", "r8": "RL8", "g13": "gam13", "d13": "D13", "g14": "gam14", "d14": "D14"}
	values := map[string]float64{}
	for k, v := range of {
		if other, ok := known[k]; ok && name == "akr3000" {
			k = other
		}
		values[k] = v
	}
	r, err := r.Bind(values)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The two closed robots of the guide: counts, parameters without effect, names
// and coefficients, with and without the drives' rotor inertias.
func TestClosedReferenceRobots(t *testing.T) {
	long.Only(t, "takes seconds")
	for _, name := range []string{"sr400", "akr3000"} {
		r, c := closedCase(t, name)
		for variant, terms := range map[string][]regressor.Term{
			"links_only":     {regressor.Links},
			"with_active_Ia": {regressor.Links, regressor.Ia},
		} {
			t.Run(name+"/"+variant, func(t *testing.T) {
				for seed := range uint64(long.Of(3, 0)) {
					s, err := QRLoops(t.Context(), r, terms, Options{Seed: seed})
					if err != nil {
						t.Fatal(err)
					}
					compare(t, s, c.Variants[variant])
					if s.Gap < 1e6 {
						t.Errorf("gap %.3g", s.Gap)
					}
				}
			})
		}
	}
}

// The relations of the SR400 (FORMULAS 3.4) at other lengths, drawn until the
// loop closes.
func TestSR400Relations(t *testing.T) {
	r, _ := closedCase(t, "sr400")
	r.Symbols = nil
	r, err := r.Bind(nil)
	if err != nil || len(r.Unset) != 5 {
		t.Fatal(r.Unset, err)
	}
	bound, v, err := Generic(r, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := QRLoops(t.Context(), bound, linksAndRotors, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Count() != 42 || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "42 or 50") {
		t.Errorf("%d base parameters, warnings %q", s.Count(), s.Warnings)
	}
	for _, want := range []struct {
		base, parameter string
		coefficient     float64
	}{
		{"ZZ1R", "Ia1", 1}, {"ZZ1R", "M5", v["d2"]*v["d2"] + v["d3"]*v["d3"] + v["d4"]*v["d4"]},
		{"XX2R", "M6", -v["d3"] * v["d3"]}, {"XX2R", "XX8", 1}, {"XZ2R", "MZ3", -v["d3"]}, {"ZZ2R", "Ia2", 1},
		{"XX3R", "MZ4", 2 * v["RL4"]}, {"XX3R", "M4", v["RL4"]*v["RL4"] - v["d4"]*v["d4"]}, {"XX3R", "M8", v["d8"] * v["d8"]},
		{"XY3R", "M4", -v["d4"] * v["RL4"]}, {"YZ3R", "MZ8", v["d8"]}, {"ZZ3R", "Ia7", 1},
		{"MY3R", "MX8", -v["d8"] / v["d3"]}, {"MX7R", "M8", v["d8"]}, {"MX7R", "MX8", -v["d8"] / v["d3"]},
	} {
		found := math.NaN()
		for _, rel := range s.Relations() {
			for _, term := range rel.Terms {
				if rel.Base == want.base && term.Parameter == want.parameter {
					found = term.Coefficient
				}
			}
		}
		if !(math.Abs(found-want.coefficient) <= 1e-9*(1+math.Abs(want.coefficient))) {
			t.Errorf("%s: coefficient of %s is %.12g, want %.12g", want.base, want.parameter, found, want.coefficient)
		}
	}
	for _, col := range s.Columns {
		if col.Name == "Ia3" || col.Name == "Ia8" {
			t.Errorf("%s of a passive joint is a parameter", col.Name)
		}
	}
}

// Two pairs of equal bars from one pivot: a parallelogram, which has a mass
// matrix A, B and C·cos + D·sin, and not the pairs folded back onto the pivot,
// each turning as one body.
func TestFoldedBars(t *testing.T) {
	r := robot.FromMDH("bars", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.5}, {Antecedent: -1}, {Antecedent: 2, D: 0.5}})
	r.Links[1].Joint.Passive, r.Links[3].Joint.Passive = true, true
	r.Extra = []robot.ExtraFrame{
		{Name: "5", Antecedent: 3, Kind: robot.Revolute, Placement: robot.MDH{D: 0.5}.Transform()},
		{Name: "6", Antecedent: 1, Kind: robot.Fixed, Placement: robot.MDH{D: 0.5}.Transform()},
	}
	r.Loops = []robot.Loop{{Frame: 0, Meets: 1}}
	for seed := range uint64(5) {
		s, err := QRLoops(t.Context(), r, []regressor.Term{regressor.Links}, Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if s.Count() != 4 || len(s.Warnings) != 0 {
			t.Errorf("seed %d: %v, warnings %q", seed, s.Names(), s.Warnings)
		}
	}
	s, err := QRLoops(t.Context(), r, []regressor.Term{regressor.Links}, Options{Start: []float64{0.3, math.Pi, 1.2, math.Pi}})
	if err != nil {
		t.Fatal(err)
	}
	if s.Count() != 2 || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "do not let J2, J4 move") {
		t.Errorf("folded: %v, warnings %q", s.Names(), s.Warnings)
	}
}

// A start picks the way in which the loop closes.
func TestLoopStart(t *testing.T) {
	r, _ := closedCase(t, "sr400")
	links := []regressor.Term{regressor.Links}
	open := []float64{0, 0.9, math.Pi/2 - 0.9, 0, 0, 0, 0, 0.9}
	// The bars crossed: link 8 turned to the other side of the diagonal.
	d3, d8 := 1.0, 0.35
	x, y := d3*math.Cos(0.9)-d8, d3*math.Sin(0.9)
	crossed := slices.Clone(open)
	crossed[7] = 2*math.Atan2(y, x) - 0.9
	tip := [2]float64{d8 + d3*math.Cos(crossed[7]) - d3*math.Cos(0.9), d3*math.Sin(crossed[7]) - d3*math.Sin(0.9)}
	crossed[2] = math.Atan2(tip[1], tip[0]) + math.Pi/2 - 0.9
	for want, start := range map[int][]float64{39: open, 47: crossed} {
		s, err := QRLoops(t.Context(), r, links, Options{Start: start})
		if err != nil {
			t.Fatal(err)
		}
		if s.Count() != want || len(s.Warnings) != 0 {
			t.Errorf("%d base parameters, want %d; warnings %q", s.Count(), want, s.Warnings)
		}
	}
	if _, err := QRLoops(t.Context(), r, links, Options{Start: open[:3]}); err == nil {
		t.Error("a start of three coordinates is accepted")
	}
}

func TestLoopsRefused(t *testing.T) {
	r, _ := closedCase(t, "akr3000")
	links := []regressor.Term{regressor.Links}
	var no *NotApplicableError
	if _, err := NullSpace(r, links, Options{}); !errors.As(err, &no) || !strings.Contains(err.Error(), "frame 11 meets frame 13") {
		t.Errorf("null space: %v", err)
	}
	bars := fourBar([4]float64{3, 0.3, 0.4, 0.5}, 0)
	var ce *loops.ClosureError
	if _, err := QRLoops(t.Context(), bars, links, Options{}); !errors.As(err, &ce) || !strings.Contains(err.Error(), "frame 4 meets frame 5") {
		t.Errorf("bars too short: %v", err)
	}
	for i := range bars.Links {
		bars.Links[i].Joint.Passive = true
	}
	if _, err := QRLoops(t.Context(), bars, links, Options{}); err == nil || !strings.Contains(err.Error(), "passive") {
		t.Errorf("no drive: %v", err)
	}
}

// fourBar is a four-bar with sides ground, crank, coupler and rocker, its plane
// turned by an angle.
func fourBar(sides [4]float64, alpha float64) *robot.Robot {
	r := robot.FromMDH("four-bar", []robot.MDHFrame{
		{Antecedent: -1, Alpha: alpha}, {Antecedent: 0, D: sides[1]}, {Antecedent: -1, Alpha: alpha, D: sides[0]},
	})
	r.Links[1].Joint.Passive, r.Links[2].Joint.Passive = true, true
	r.Extra = []robot.ExtraFrame{
		{Name: "4", Antecedent: 1, Kind: robot.Revolute, Placement: robot.MDH{D: sides[2]}.Transform()},
		{Name: "5", Antecedent: 2, Kind: robot.Fixed, Placement: robot.MDH{D: sides[3]}.Transform()},
	}
	r.Loops = []robot.Loop{{Frame: 0, Meets: 1}}
	return r
}

// On random four-bars: bodies with the same base parameters have the same torques
// at the drive, by mechanics independent of regressors.
func TestFourBarTorques(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 11))
		side := func() float64 { return 0.3 + 0.7*rng.Float64() }
		sides := [4]float64{side(), side(), side(), side()}
		if longest := slices.Max(sides[:]); sides[0]+sides[1]+sides[2]+sides[3]-2*longest < 0.1 {
			t.Skip("does not close")
		}
		r := fourBar(sides, rng.NormFloat64())
		c, err := loops.NewClosure(r)
		if err != nil {
			t.Fatal(err)
		}
		at, err := c.Assemble(rng)
		if err != nil {
			t.Fatal(err)
		}
		s, err := QRLoops(t.Context(), r, []regressor.Term{regressor.Links}, Options{Start: at.Q[:c.DOF()]})
		if err != nil {
			t.Fatal(err)
		}
		if s.Count() > 8 {
			t.Fatalf("%d base parameters: %v", s.Count(), s.Names())
		}
		chi, prior := make([]float64, len(s.Columns)), make([]float64, len(s.Columns))
		for i := range chi {
			chi[i], prior[i] = rng.NormFloat64(), rng.NormFloat64()
		}
		lifted := s.Lift(s.FromStandard(chi), prior)
		w := c.Walk(at, rng)
		for range 3 {
			at = w.Next()
			rates := []float64{rng.NormFloat64()}
			dq, ddq := at.Rates(rates), at.Accelerations(rates, []float64{rng.NormFloat64()})
			torque := func(chi []float64) (sum, size float64) {
				b := r.Clone()
				for i, col := range s.Columns {
					b.Links[col.Link].Inertial[col.Param] = chi[i]
				}
				tree, err := dynamics.New(b)
				if err != nil {
					t.Fatal(err)
				}
				tau := make([]float64, c.DOF())
				tree.InverseDynamics(tau, at.Q[:c.DOF()], dq, ddq)
				for k := range tau {
					sum += at.G.At(k, 0) * tau[k]
					size += math.Abs(at.G.At(k, 0) * tau[k])
				}
				return sum, size
			}
			a, n1 := torque(chi)
			b, n2 := torque(lifted)
			if math.Abs(a-b) > 1e-8*(n1+n2) {
				t.Fatalf("torque %.12g, with the same base parameters %.12g (%d of them)", a, b, s.Count())
			}
		}
	})
}

func BenchmarkQRLoopsAKR(b *testing.B) {
	r, _ := closedCase(b, "akr3000")
	for b.Loop() {
		if _, err := QRLoops(b.Context(), r, linksAndRotors, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
