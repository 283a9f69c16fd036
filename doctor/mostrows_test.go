package doctor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/doctor"
)

// A torque that is told as nothing below a limit, on most rows, is an error without a repair: what would be left is not the log.
func TestMostRowsStay(t *testing.T) {
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 52))
		e := run(planar(rng), rng, 125, 24).measure(rng, 2*math.Pi/(1<<19), 1e-3, 0.006)
		limit := 1.2 * norm(e.tau[1])
		for k, v := range e.tau[1] {
			if math.Abs(v) < limit {
				e.tau[1][k] = 0
			}
		}
		told := false
		for _, f := range e.findings(t) {
			left := 0
			for _, edit := range f.Repair.Edits {
				for _, span := range edit.Rows {
					left += span[1] - span[0]
				}
			}
			told = told || f.Severity == doctor.Error && f.Channel == "tau2"
			if 2*left > len(e.t) {
				t.Errorf("seed %d: a repair leaves out %d of %d rows: %s", seed, left, len(e.t), show(f))
			}
		}
		if !told {
			t.Errorf("seed %d: the torque is not told", seed)
		}
	}
}
