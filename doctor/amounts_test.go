package doctor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/doctor"
	draws "ident/internal/long"
)

// A torque without its sign is an error of its channel, whatever the file's bodies are; sound logs, those that lift one torque above zero, and
// joints that only move one way have none.
func TestAmounts(t *testing.T) {
	told, asked := 0, 0
	for seed := range uint64(draws.Of(60, 6)) {
		rng := rand.New(rand.NewPCG(seed, 51))
		sound := randomLog(rng)
		j, turns := 0, 0 // the torque that goes through zero most often
		for i, tau := range sound.tau {
			n := 0
			for k, x := range tau[1:] {
				if x*tau[k] < 0 {
					n++
				}
			}
			if n > turns {
				j, turns = i, n
			}
		}
		is := func(f doctor.Finding) bool {
			return f.ID == doctor.Sign && f.Severity == doctor.Error && f.Channel == fmt.Sprintf("tau%d", j+1)
		}
		if f := sound.findings(t); slices.ContainsFunc(f, is) {
			t.Errorf("%d: a sound log: %v", seed, f)
		}
		lifted := sound.clone()
		least := slices.Min(lifted.tau[j])
		for k := range lifted.tau[j] {
			lifted.tau[j][k] -= least
		}
		if f := lifted.findings(t); slices.ContainsFunc(f, is) {
			t.Errorf("%d: a torque that touches zero: %v", seed, f)
		}
		e := sound.clone()
		for k, x := range e.tau[j] {
			e.tau[j][k] = math.Abs(x)
		}
		if turns < 12 {
			continue // too few for a name
		}
		asked++
		if slices.ContainsFunc(e.findings(t), is) {
			told++
		}
	}
	t.Logf("%d of %d amounts told", told, asked)
	if asked == 0 || 4*told < 3*asked {
		t.Errorf("%d of %d amounts told", told, asked)
	}
}
