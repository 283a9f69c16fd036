package doctor_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/doctor"
	draws "ident/internal/long"
	"ident/robot"
)

// soundArm returns an arm with its log, of which nothing is to be said.
func soundArm(seed uint64) *experiment {
	rng := rand.New(rand.NewPCG(seed, 3))
	r := arm("three", rng, []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: half}, {Antecedent: 1, D: 0.4}})
	return run(r, rng, 100, 16).measure(rng, 0, 1e-4, 0.01)
}

// A few values of one torque that change no digit of a fit are a remark; many that spoil it are an error whose repair was tried.
func TestSpikesNeedHarm(t *testing.T) {
	for _, c := range []struct {
		rows int
		by   float64
		want doctor.Severity
	}{{3, 1.2, doctor.Info}, {40, 30, doctor.Error}} {
		e := soundArm(31)
		size := norm(e.tau[0]) // its share of the torques' squares is small
		for i := range c.rows {
			k := 150 + i*(len(e.t)-300)/c.rows
			e.tau[0][k] += c.by * size * float64(1-2*(i%2))
		}
		named := doctor.Severity("")
		for _, f := range e.findings(t) {
			if f.ID == doctor.Spike && f.Channel == "tau1" {
				named = f.Severity
				if (f.Fix != "") != (c.want == doctor.Error) || f.Tried.IsZero() {
					t.Errorf("%d rows: %s, tried %+v", c.rows, show(f), f.Tried)
				}
			} else if f.Severity == doctor.Error {
				t.Errorf("%d rows: %s", c.rows, show(f))
			}
		}
		if named != c.want && !(named == "" && c.want == doctor.Info) {
			t.Errorf("%d rows: severity %q, want %q", c.rows, named, c.want)
		}
	}
}

// A joint that reaches exactly one far pose again and again, and waits there, has no missing values: other values lead there.
func TestWaitingIsNotMissing(t *testing.T) {
	for _, c := range []struct {
		name   string
		width  float64 // of the way there, in rows; a missing value has none
		errors bool
	}{{"waits", 12, false}, {"missing", 0, true}} {
		e := soundArm(32)
		for k := range e.t {
			far := 0.0
			for _, at := range []int{200, 600, 1000, 1400} {
				far = max(far, min(1, max(0, 1-(math.Abs(float64(k-at))-1)/max(c.width, 1e-9))))
			}
			e.q[1][k] = 0.02*math.Sin(float64(k)/40)*(1-far) + 0.9*far
		}
		e.skip["dq2"] = true
		missing := false
		for _, f := range e.findings(t) {
			missing = missing || f.ID == doctor.Spike && f.Channel == "q2"
		}
		if missing != c.errors {
			t.Errorf("%s: missing values told: %v", c.name, missing)
		}
	}
}

// Of a repair of several joints only the part is kept that is needed.
func TestOneSignOfThree(t *testing.T) {
	e := soundArm(33)
	for k := range e.t {
		e.tau[1][k] = -e.tau[1][k]
	}
	l, roles := e.log()
	m, err := doctor.MendLog(t.Context(), e.robot, l, roles, nil, e.opt)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Done) != 1 || !strings.HasPrefix(m.Done[0], "tau2 times -1") {
		t.Errorf("done: %q", m.Done)
	}
}

// A repair of all joints is no less needed at one whose torque is friction, of which a free fit takes either sign.
func TestSignsOfAll(t *testing.T) {
	for _, seed := range []uint64{1, 4} {
		rng := rand.New(rand.NewPCG(seed, 3))
		r := scara(rng)
		last := &r.Links[r.Moving()[3]]
		for i := range last.Inertial {
			last.Inertial[i] *= 0.01
		}
		last.Joint.Ia, last.Joint.Fv, last.Joint.Fs = 0.01, 20, 10
		e := run(r, rng, 100, 16).measure(rng, 0, 1e-4, 0.01)
		for j := range e.tau {
			times(e.tau[j], -1)
		}
		l, roles := e.log()
		m, err := doctor.MendLog(t.Context(), e.robot, l, roles, nil, e.opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Done) != len(e.tau) {
			t.Errorf("seed %d: done: %q", seed, m.Done)
		}
	}
}

// Counts of a turn are told by the torques also where a count is coarse for the velocity; a number that is not among those that are tried
// is not taken for the next one.
func TestCoarseCounts(t *testing.T) {
	for counts, mended := range map[float64]bool{2048: true, 3600: false} {
		rng := rand.New(rand.NewPCG(35, 3))
		e := run(sixAxis(rng), rng, 500, 12).measure(rng, 0, 1e-4, 0.01)
		for j := range e.q {
			for k, v := range e.q[j] {
				e.q[j][k] = math.Round(v * counts / 2 / math.Pi)
			}
			e.skip["dq"+strconv.Itoa(j+1)] = true
		}
		l, roles := e.log()
		m, err := doctor.MendLog(t.Context(), e.robot, l, roles, nil, e.opt)
		if err != nil {
			t.Fatal(err)
		}
		if mended != (len(m.Done) == len(e.q) && strings.HasPrefix(m.Done[0], "q1 times 0.00306796")) || !mended && len(m.Done) > 0 {
			t.Errorf("%g counts: done: %q", counts, m.Done)
		}
	}
}

// All positions of a logger are in turns: the repair writes radians for each joint, also for one whose torque is dry friction and tells
// nothing of its unit.
func TestOneUnitForAll(t *testing.T) {
	mended := 0
	for seed := range uint64(draws.Of(60, 20)) {
		rng := rand.New(rand.NewPCG(36, seed))
		e := run(randomArm(rng, 3+rng.IntN(3)), rng, 100, 12).measure(rng, 0, 1e-4, 0.02)
		last := len(e.q) - 1
		for k := range e.t {
			e.tau[last][k] = 0.3*math.Copysign(1, e.dq[last][k]) + 0.1*rng.NormFloat64()
		}
		for j := range e.q {
			for k := range e.q[j] {
				e.q[j][k] /= 2 * math.Pi
				e.dq[j][k] /= 2 * math.Pi
			}
		}
		l, roles := e.log()
		m, err := doctor.MendLog(t.Context(), e.robot, l, roles, nil, e.opt)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, done := range m.Done {
			if strings.Contains(done, "times 6.28319") {
				n++
			}
		}
		if n > 0 {
			mended++
		}
		if n != 0 && n != 2*len(e.q) {
			t.Errorf("%d: done: %q", seed, m.Done)
		}
	}
	if mended == 0 {
		t.Error("no log was mended")
	}
}

// A gravity that the user has given and that the log contradicts stays an error without a fix, whose hint names the log's.
func TestGivenGravityIsContradicted(t *testing.T) {
	for _, given := range []bool{false, true} {
		e := soundArm(34)
		if e.opt.Gravity = &[3]float64{0, 0, 9.81}; given {
			e.opt.Pinned = []string{"gravity"}
		}
		said := false
		for _, f := range e.findings(t) {
			if f.ID != doctor.Gravity || f.Severity == doctor.Info {
				continue
			}
			said = said || strings.Contains(f.Advice(), "{gravity} 0,0,-9.81") && (f.Fix == "") == given && f.Repair.IsZero() == given
			if !said {
				t.Errorf("given %v: %s", given, show(f))
			}
		}
		if !said {
			t.Errorf("given %v: the log's gravity is not said", given)
		}
	}
}

// Each fix that a check prints does what it says: applied, its finding is gone or lower, and the error on motion left out is not higher.
func TestFixesHold(t *testing.T) {
	draws.Only(t, "faults of random robots with their repairs")
	faults := []struct {
		name   string
		inject func(e *experiment, j int, rng *rand.Rand)
	}{
		{"sign of a torque", func(e *experiment, j int, _ *rand.Rand) { times(e.tau[j], -1) }},
		{"degrees", func(e *experiment, j int, _ *rand.Rand) { times(e.q[j], 57.29577951308232) }},
		{"torque late", func(e *experiment, j int, _ *rand.Rand) { copy(e.tau[j][5:], slices.Clone(e.tau[j])) }},
		{"scale of a torque", func(e *experiment, j int, _ *rand.Rand) { times(e.tau[j], 0.5) }},
		{"zero of a position", func(e *experiment, j int, _ *rand.Rand) { plus(e.q[j], 0.4) }},
		{"spikes", func(e *experiment, j int, rng *rand.Rand) {
			for range 12 {
				e.tau[j][rng.IntN(len(e.t))] = 500
			}
		}},
		{"zeros", func(e *experiment, j int, rng *rand.Rand) {
			for range 30 {
				e.q[j][rng.IntN(len(e.t))] = 0
			}
		}},
		{"gravity", func(e *experiment, j int, _ *rand.Rand) {
			e.robot = e.robot.Clone()
			e.robot.Gravity = [3]float64{0, 0, 9.81}
		}},
		{"nothing", func(*experiment, int, *rand.Rand) {}},
	}
	fixes, remarks, kinds := 0, 0, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		n := rapid.IntRange(2, 5).Draw(t, "joints")
		e := run(randomArm(rng, n), rng, 100, 16).measure(rng, 0, 1e-3, 0.01)
		fault := rapid.SampledFrom(faults).Draw(t, "fault")
		fault.inject(e, rapid.IntRange(0, n-1).Draw(t, "joint"), rng)
		l, roles := e.log()
		byKind := map[string][]doctor.Finding{}
		found := e.findings(t)
		for _, f := range found {
			if f.Fix != "" && f.Severity == doctor.Info {
				t.Errorf("%s: a remark has a fix: %s", fault.name, show(f))
			}
			if strings.Contains(f.Why, "declined") {
				remarks++
			}
			if f.Fix != "" && len(f.Repair.Edits) > 0 {
				byKind[f.ID] = append(byKind[f.ID], f)
			}
		}
		if len(byKind) == 0 {
			return
		}
		m, err := doctor.MendLog(t.Context(), e.robot, l, roles, nil, e.opt)
		if err != nil {
			t.Fatal(err)
		}
		for id, set := range byKind {
			fixes++
			kinds[id]++
			for _, f := range m.Left {
				if f.ID == id && f.Channel == set[0].Channel && order(f) >= order(set[0]) && math.Abs(f.Value) >= math.Abs(set[0].Value) {
					t.Errorf("%s: after its fix: %s", fault.name, show(f))
				}
			}
			if set[0].Tried.ErrorAfter > 1.1*set[0].Tried.ErrorBefore {
				t.Errorf("%s: %s raises the error: %+v", fault.name, id, set[0].Tried)
			}
		}
	})
	t.Logf("%d kinds of fixes applied, by kind %v; %d remarks of declined repairs", fixes, kinds, remarks)
}

func plus(x []float64, by float64) {
	for k := range x {
		x[k] += by
	}
}
