package doctor_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/doctor"
	draws "ident/internal/long"
)

// Torques that a program has made up are told with the rows, and leaving these rows out is the repair. Torques of periodic motions, coarse
// torques and joints that pause are measured.
func TestMadeUp(t *testing.T) {
	made := []struct {
		name string
		make func(rng *rand.Rand, x []float64) [][2]int
	}{
		{"sound", func(*rand.Rand, []float64) [][2]int { return nil }},
		{"coarse", func(_ *rand.Rand, x []float64) [][2]int {
			step := (slices.Max(x) - slices.Min(x)) / 200
			for k := range x {
				x[k] = step * math.Round(x[k]/step)
			}
			return nil
		}},
		{"an old buffer", func(rng *rand.Rand, x []float64) [][2]int {
			n := 40 + rng.IntN(60)
			at := len(x)/2 + rng.IntN(len(x)/4)
			copy(x[at:at+n], x[at-n:at])
			return [][2]int{{at, at + n}}
		}},
		{"lines", func(rng *rand.Rand, x []float64) [][2]int {
			n := 40 + rng.IntN(60)
			at := len(x)/2 + rng.IntN(len(x)/4)
			a, b := x[at], x[at+n]
			for k := range n {
				x[at+k] = a + (b-a)*float64(k)/float64(n)
			}
			return [][2]int{{at, at + n}}
		}},
	}
	for seed := range uint64(draws.Of(12, 3)) {
		for _, m := range made {
			rng := rand.New(rand.NewPCG(seed, 23))
			e := soundArm(seed + 500)
			j := int(seed) % len(e.q)
			for k := range e.tau[j] {
				e.tau[j][k] = math.Round(e.tau[j][k]*1e6) / 1e6 // as printed
			}
			rows := m.make(rng, e.tau[j])
			l, roles := e.log()
			found, err := doctor.Check(t.Context(), e.robot, l, roles, e.opt)
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(found, func(f doctor.Finding) bool { return f.ID == doctor.Dropout })
			switch {
			case rows == nil && at >= 0:
				t.Errorf("seed %d, %s: %s", seed, m.name, show(found[at]))
			case rows != nil && (at < 0 || found[at].Channel != roles.Tau[j] || math.Abs(float64(len(e.tau[j]))*found[at].Value-float64(rows[0][1]-rows[0][0])) > 3):
				t.Errorf("seed %d, joint %d, %s of rows %v: %v", seed, j+1, m.name, rows, found)
			}
		}
	}
}
