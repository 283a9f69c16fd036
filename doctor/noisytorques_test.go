package doctor_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ident/doctor"
	draws "ident/internal/long"
)

// White noise on the torques, up to ten times the torques themselves, is no cause: the log tells less, and nothing else. Torques of another motion
// are told.
func TestNoisyTorques(t *testing.T) {
	logs := draws.Of(120, 12)
	named, told := 0, 0
	for seed := range uint64(logs) {
		rng := rand.New(rand.NewPCG(57, seed))
		arm := randomArm(rng, 2+rng.IntN(4))
		e := run(arm, rng, 100, 10+20*rng.Float64())
		other := run(arm, rng, 100, 31)
		noise := []float64{0.5, 1, 2, 5, 10}[rng.IntN(5)]
		causes := func(f doctor.Finding) bool { return f.Severity != doctor.Info && f.ID != doctor.Units }
		if found := e.measure(rng, 0, 1e-4, noise).findings(t); slices.ContainsFunc(found, causes) {
			named++
			t.Logf("%d, noise %g: %s", seed, noise, show(found[slices.IndexFunc(found, causes)]))
		}
		for j := range e.tau {
			e.tau[j] = slices.Clone(other.tau[j][:len(e.t)])
		}
		found := e.measure(rng, 0, 1e-4, 0.1).findings(t)
		if slices.ContainsFunc(found, causes) {
			told++
		}
	}
	t.Logf("of %d noisy logs %d have a cause; of as many with torques of another motion %d are told", logs, named, told)
	if named > 0 || told < logs {
		t.Fail()
	}
}

// Torques without friction are a remark if the robot file has none either, and a warning if it has.
func TestTorquesWithoutFriction(t *testing.T) {
	for seed := range uint64(draws.Of(20, 4)) {
		rng := rand.New(rand.NewPCG(58, seed))
		file := randomArm(rng, 3+rng.IntN(3))
		smooth := file.Clone()
		for i := range smooth.Links {
			smooth.Links[i].Joint.Fv, smooth.Links[i].Joint.Fs = 0, 0
		}
		e := run(smooth, rng, 100, 20).measure(rng, 0, 1e-4, 0.01)
		of := func(severity doctor.Severity) func(f doctor.Finding) bool {
			return func(f doctor.Finding) bool { return f.ID == doctor.TorqueKind && f.Severity == severity }
		}
		if found := e.findings(t); !slices.ContainsFunc(found, of(doctor.Info)) || slices.ContainsFunc(found, func(f doctor.Finding) bool { return f.Severity != doctor.Info }) {
			t.Errorf("%d: %v", seed, found)
		}
		if e.robot = file; !slices.ContainsFunc(e.findings(t), of(doctor.Warning)) {
			t.Errorf("%d: the friction of the file is not missed", seed)
		}
	}
}
