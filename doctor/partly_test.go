package doctor_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ident/doctor"
	draws "ident/internal/long"
)

// Torques that something adds from some time on are no cause of the whole log: the driver has taken out no gravity, no clock, frame or direction of
// gravity is wrong. What happened in time is told, or what is left is.
func TestTouchedInAPart(t *testing.T) {
	draws.Only(t, "the corpus of faults")
	whole := []string{doctor.TorqueKind, doctor.ClockRate, doctor.Gravity, doctor.Geometry, doctor.Asymmetry, doctor.Smoothed}
	inTime := []string{doctor.Drift, doctor.Contact, doctor.Payload, doctor.Unexplained}
	named, told := 0, 0
	const logs = 60
	for seed := range uint64(logs) {
		rng := rand.New(rand.NewPCG(80, seed))
		e := run(randomArm(rng, 3+rng.IntN(3)), rng, 100, 5+5*rng.Float64()).measure(rng, 0, 1e-4, 0.001+0.01*rng.Float64())
		from := int(float64(len(e.t)) * (0.35 + 0.4*rng.Float64()))
		for _, j := range rng.Perm(len(e.q))[:1+rng.IntN(2)] {
			by := (0.2 + 1.3*rng.Float64()) * norm(e.tau[j])
			for k := from; k < len(e.t); k++ {
				e.tau[j][k] += by
			}
		}
		of := func(ids []string) func(f doctor.Finding) bool {
			return func(f doctor.Finding) bool { return f.Severity != doctor.Info && slices.Contains(ids, f.ID) }
		}
		found := e.findings(t)
		if i := slices.IndexFunc(found, of(whole)); i >= 0 {
			named++
			t.Logf("%d, from row %d of %d: %s", seed, from, len(e.t), show(found[i]))
		}
		if slices.ContainsFunc(found, of(inTime)) {
			told++
		}
	}
	t.Logf("of %d logs %d are told; of %d a cause of the whole log is named", logs, told, named)
	if named > 0 || told < logs*9/10 {
		t.Fail()
	}
}
