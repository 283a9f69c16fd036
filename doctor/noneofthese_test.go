package doctor_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/doctor"
	"ident/internal/findingkind"
	draws "ident/internal/long"
)

// A fault that is in no table of causes is told as such, with its class and without a fix; what is told of a log says each fact once, and no
// cause stands beside an excess that nothing explains.
func TestNoneOfThese(t *testing.T) {
	kinds := map[string]func(e *experiment, size float64){
		"a factor of a torque that follows the position of another joint": func(e *experiment, size float64) {
			for k, q := range e.q[1] {
				e.tau[2][k] *= 1 + 2*size*math.Sin(2*q)
			}
		},
		"a balancer between two joints": func(e *experiment, size float64) {
			for k := range e.tau[1] {
				e.tau[1][k] += 2 * size * norm(e.tau[1]) * math.Sin(2*e.q[1][k]+e.q[2][k])
			}
		},
		"a spring that stiffens with the position of another joint": func(e *experiment, size float64) {
			for k, q := range e.q[1] {
				e.tau[1][k] += 2 * size * norm(e.tau[1]) * q * math.Tanh(3*e.q[2][k])
			}
		},
	}
	told, wrong := 0, 0
	for seed := range uint64(draws.Of(20, 4)) {
		rng := rand.New(rand.NewPCG(seed, 8))
		for _, name := range slices.Sorted(maps.Keys(kinds)) {
			of := kinds[name]
			e := soundArm(seed + 60)
			e.opt.Attested = true
			of(e, 0.15+0.3*rng.Float64())
			found := e.findings(t)
			lead := slices.IndexFunc(found, func(f doctor.Finding) bool { return f.Severity != doctor.Info && findingkind.Of(f.ID).Cause })
			if lead < 0 {
				continue
			}
			told++
			f := found[lead]
			if f.ID != doctor.Unexplained {
				wrong++
				t.Logf("%d: %s: %s %s %s", seed, name, f.ID, f.Joint, f.Why)
			} else if f.Class == "" && f.Channel == "" || f.Fix != "" && f.Channel == "" || !f.Repair.IsZero() {
				t.Errorf("%d: %s: %+v", seed, name, f)
			}
			seen := map[[3]string]bool{}
			explained := false
			for _, f := range found {
				if f.Severity == doctor.Info {
					continue
				}
				is := [3]string{f.ID, f.Joint, f.Channel}
				if seen[is] {
					t.Errorf("%d: %s: %v twice", seed, name, is)
				}
				seen[is] = true
				explained = explained || f.Explains > 0 && f.ID != doctor.Unexplained
				if f.Explains < 0 || f.Explains > 1 {
					t.Errorf("%d: %s: %s explains %g", seed, name, f.ID, f.Explains)
				}
			}
			if explained && slices.ContainsFunc(found, func(f doctor.Finding) bool { return f.ID == doctor.Unexplained && f.Severity != doctor.Info }) {
				t.Errorf("%d: %s: a cause beside an excess that nothing explains", seed, name)
			}
		}
	}
	t.Logf("%d logs told, %d with a cause of the table", told, wrong)
	if wrong*20 > told {
		t.Errorf("%d of %d logs have a cause of the table", wrong, told)
	}
}
