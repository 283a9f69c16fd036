package doctor_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/doctor"
	"ident/internal/findingkind"
	draws "ident/internal/long"
	"ident/result"
)

// logFault is one fault of a log.
type logFault struct {
	name   string
	inject func(e *experiment, j int, rng *rand.Rand)
}

// logFaults are faults of one channel, of the file, and none.
func logFaults() []logFault {
	return []logFault{
		{"nothing", func(*experiment, int, *rand.Rand) {}},
		{"sign of a torque", func(e *experiment, j int, _ *rand.Rand) { times(e.tau[j], -1) }},
		{"scale of a torque", func(e *experiment, j int, rng *rand.Rand) { times(e.tau[j], 0.3+0.4*rng.Float64()) }},
		{"torque late", func(e *experiment, j int, rng *rand.Rand) { copy(e.tau[j][3+rng.IntN(5):], slices.Clone(e.tau[j])) }},
		{"zero of a position", func(e *experiment, j int, rng *rand.Rand) { plus(e.q[j], 0.2+0.4*rng.Float64()) }},
		{"degrees", func(e *experiment, j int, _ *rand.Rand) { times(e.q[j], 57.29577951308232) }},
		{"torque of another joint", func(e *experiment, j int, _ *rand.Rand) {
			k := (j + 1) % len(e.tau)
			e.tau[j], e.tau[k] = e.tau[k], e.tau[j]
		}},
		{"drift", func(e *experiment, j int, rng *rand.Rand) {
			size := (0.5 + rng.Float64()) * norm(e.tau[j])
			for k := range e.tau[j] {
				e.tau[j][k] += size * float64(k) / float64(len(e.t))
			}
		}},
		{"velocity with an offset", func(e *experiment, j int, rng *rand.Rand) { plus(e.dq[j], (0.4+rng.Float64())*norm(e.dq[j])) }},
		{"a stretch missing", func(e *experiment, _ int, rng *rand.Rand) {
			at := 300 + rng.IntN(len(e.t)-700)
			t := slices.Clone(e.t)
			e.cut(at, at+30)
			copy(e.t, t)
		}},
		{"upside down", func(e *experiment, _ int, _ *rand.Rand) {
			e.robot = e.robot.Clone()
			e.robot.Gravity[2] *= -1
		}},
	}
}

// Laws of causes, on random logs of each fault:
//   - The grade does not depend on names: whatever causes are named for what torques have above their noise, it is that of the same findings
//     under any other name.
//   - No reason survives its own test: what was tried and declined has no command and no repair; what is written was tried, is a reason, and
//     leaves no more on stretches left out.
//   - One fact is one finding: of one fault no two kinds of finding stand as causes, and no channel has two.
func TestLawsOfCauses(t *testing.T) {
	var named, declined, written, logs, several int
	for seed := range uint64(draws.Of(12, 1)) {
		for i, fault := range logFaults() {
			rng := rand.New(rand.NewPCG(seed*100+uint64(i), 61))
			e := randomLog(rng)
			e.opt.Attested = seed%2 == 1
			fault.inject(e, rng.IntN(len(e.q)), rng)
			logs++
			found := e.findings(t)
			name := fmt.Sprintf("%s, %d", fault.name, seed)
			named += gradedAlike(t, name, found)
			d, w := heldToTrials(t, name, found)
			declined, written = declined+d, written+w
			if causesOf(t, name, found) > 1 {
				several++
			}
		}
	}
	t.Logf("%d logs, %d with causes of several kinds; %d findings of an excess, %d repairs declined, %d written", logs, several, named, declined, written)
	if 10*several > logs {
		t.Errorf("%d of %d logs with one fault have causes of several kinds", several, logs)
	}
	if named == 0 || written == 0 {
		t.Error("no cause is named, or none has a repair: this test cannot fail")
	}
}

// gradedAlike gives what torques have in excess every other name, and returns the number of these findings.
func gradedAlike(t *testing.T, name string, found []doctor.Finding) (named int) {
	graded := func(call string) result.Level {
		named = 0
		var of []result.Finding
		for _, f := range found {
			id := f.ID
			if f.Excess != "" {
				named++
				id = cmp.Or(call, id)
			}
			of = append(of, result.Finding{ID: id, Severity: string(f.Severity), Joint: f.Joint, Why: f.Why, Excess: string(f.Excess)})
		}
		return result.GradeOf(nil, of).Value
	}
	is := graded("")
	for _, kind := range findingkind.Table() {
		if other := graded(kind.ID); other != is {
			t.Errorf("%s: %s, and %s where causes are called %s", name, is, other, kind.ID)
		}
	}
	return named
}

// heldToTrials compares findings with the outcome of their trials.
func heldToTrials(t *testing.T, name string, found []doctor.Finding) (declined, written int) {
	for _, f := range found {
		switch f.Tried.Outcome {
		case "declined":
			declined++
			if f.Fix != "" || !f.Repair.IsZero() {
				t.Errorf("%s: declined, with a fix: %s", name, show(f))
			}
		case "written":
			written++
			if f.Severity == doctor.Info || f.Repair.IsZero() {
				t.Errorf("%s: written, without a reason: %s", name, show(f))
			}
			if f.Tried.ErrorAfter > 1.05*f.Tried.ErrorBefore {
				t.Errorf("%s: its repair makes the log worse: %s, %+v", name, show(f), f.Tried)
			}
		default:
			if len(f.Repair.Edits) > 0 && f.Fix != "" && f.Severity != doctor.Info {
				t.Errorf("%s: a repair that was not tried: %s", name, show(f))
			}
		}
	}
	return declined, written
}

// causesOf returns the number of kinds that stand as causes.
func causesOf(t *testing.T, name string, found []doctor.Finding) int {
	var kinds []string
	seen := map[string]bool{}
	for _, f := range found {
		if f.Severity == doctor.Info || !findingkind.Of(f.ID).Cause {
			continue
		}
		if !slices.Contains(kinds, f.ID) {
			kinds = append(kinds, f.ID)
		}
		if f.Channel != "" && seen[f.Channel] {
			t.Errorf("%s: %s has two causes: %v", name, f.Channel, gravest(found))
		}
		seen[f.Channel] = true
	}
	if len(kinds) > 1 {
		t.Logf("%s: %v", name, gravest(found))
	}
	return len(kinds)
}
