package doctor_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/doctor"
	draws "ident/internal/long"
)

// A position that steps once is told with its row, and its repair leaves what a sound log leaves; no coupling and no drift stands beside it.
func TestSlip(t *testing.T) {
	for seed := range uint64(draws.Of(60, 9)) {
		rng := rand.New(rand.NewPCG(seed, 21))
		e := soundArm(seed + 300)
		j := int(seed) % len(e.q)
		row := len(e.t)/5 + rng.IntN(len(e.t)*3/5)
		by := math.Copysign(0.05+0.25*rng.Float64(), rng.Float64()-0.5)
		for k := row; k < len(e.t); k++ {
			e.q[j][k] += by
		}
		l, roles := e.log()
		found, err := doctor.Check(t.Context(), e.robot, l, roles, e.opt)
		if err != nil {
			t.Fatal(err)
		}
		slip := slices.IndexFunc(found, func(f doctor.Finding) bool {
			return f.ID == doctor.Offset && f.Channel == roles.Q[j] && strings.Contains(f.Why, "slipped")
		})
		if slip < 0 {
			t.Fatalf("joint %d, row %d, %.3f: %v", j+1, row, by, found)
		}
		edit := found[slip].Repair.Edits
		if len(edit) != 1 || edit[0].Since != row || !(math.Abs(edit[0].Offset/by+1) < 0.05) {
			t.Errorf("joint %d, row %d, %.3f: %+v", j+1, row, by, found[slip])
		}
		for _, f := range found {
			if f.Severity != doctor.Info && (f.ID == doctor.Coupling || f.ID == doctor.Drift) {
				t.Errorf("joint %d, row %d, %.3f: %s", j+1, row, by, show(f))
			}
		}
	}
}

// A value that returns, a turn's wrap, a stretch that all joints miss, a gap that the clock shows, a print in steps and a sound log are no slips.
func TestNoSlip(t *testing.T) {
	steps := map[string]func(e *experiment){
		"sound": func(*experiment) {},
		"a spike": func(e *experiment) {
			e.q[1][700] += 0.2
		},
		"two rows off": func(e *experiment) {
			e.q[1][700] += 0.2
			e.q[1][701] += 0.2
		},
		"a wrap": func(e *experiment) {
			for k := 700; k < len(e.t); k++ {
				e.q[1][k] -= 2 * math.Pi
			}
		},
		"a print in hundredths": func(e *experiment) {
			for _, q := range e.q {
				for k := range q {
					q[k] = math.Round(100*q[k]) / 100
				}
			}
		},
		"rows missing": func(e *experiment) {
			for _, x := range slices.Concat(e.q, e.dq, e.ddq, e.tau) {
				copy(x[700:], x[760:])
			}
		},
		"a gap": func(e *experiment) {
			for _, x := range slices.Concat(e.q, e.dq, e.ddq, e.tau) {
				copy(x[700:], x[760:])
			}
			for k := 700; k < len(e.t); k++ {
				e.t[k] += 60 * (e.t[1] - e.t[0])
			}
		},
	}
	for name, of := range steps {
		for seed := range uint64(4) {
			e := soundArm(seed + 70)
			of(e)
			for _, f := range e.findings(t) {
				if strings.Contains(f.Why, "slipped") {
					t.Errorf("%s: %s", name, show(f))
				}
			}
		}
	}
}

// A bit of an encoder that is always 0 is told as steps there and back, and its repair leaves the positions of the joint but for a turn of the
// whole.
func TestStuckBit(t *testing.T) {
	for seed := range uint64(draws.Of(24, 4)) {
		rng := rand.New(rand.NewPCG(seed, 22))
		e := soundArm(seed + 340)
		j := int(seed) % len(e.q)
		lsb := 2 * math.Pi / (1 << 19)
		span := slices.Max(e.q[j]) - slices.Min(e.q[j])
		bit := 1 << int(math.Log2(span/lsb/(3+4*rng.Float64())))
		was := slices.Clone(e.q[j])
		for k, q := range was {
			e.q[j][k] = float64((int(math.Round(q/lsb))+1<<20)&^bit-1<<20) * lsb
		}
		l, roles := e.log()
		found, err := doctor.Check(t.Context(), e.robot, l, roles, e.opt)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(found, func(f doctor.Finding) bool {
			return f.ID == doctor.Offset && f.Channel == roles.Q[j] && f.Severity == doctor.Warning && math.Abs(f.Value/lsb/float64(bit)-1) < 0.02
		})
		if at < 0 {
			t.Fatalf("seed %d, joint %d, %.3f: %v", seed, j+1, float64(bit)*lsb, found)
		}
		if lead := found[0]; lead.Severity == doctor.Error || len(found[at].Repair.Edits) < 3 {
			t.Errorf("seed %d, joint %d: %s with %d edits", seed, j+1, show(lead), len(found[at].Repair.Edits))
		}
		names, cols := l.Names(), [][]float64{}
		for _, n := range names {
			x, err := l.Column(n)
			if err != nil {
				t.Fatal(err)
			}
			cols = append(cols, x)
		}
		mended, _ := doctor.Mend(names, cols, slices.Index(names, roles.T), []doctor.Finding{found[at]}, nil)
		x := mended[slices.Index(names, roles.Q[j])]
		least, most := math.Inf(1), math.Inf(-1)
		for k := range x {
			least, most = min(least, x[k]-was[k]), max(most, x[k]-was[k])
		}
		if most-least > 0.1*float64(bit)*lsb {
			t.Errorf("seed %d, joint %d: the repaired positions differ by %.4f rad", seed, j+1, most-least)
		}
	}
}
