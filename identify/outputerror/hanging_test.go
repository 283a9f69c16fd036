package outputerror

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ident/baseparams"
	"ident/estimate"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/regressor"
	"ident/result"
	"ident/robot"
	"ident/simulate/plant"
	"ident/simulate/servo"
)

// The forty robots take some minutes of a processor: go test ./identify/outputerror -run Hanging -robots 40 -v
var (
	robots = flag.Int("robots", 2, "robots of the hanging test")
	from   = flag.Int("from", 0, "seed of the first")
)

// hanging is a robot of limbs on a base that is held, with drives of plausible sizes, under a law with known gains.
type hanging struct {
	*experiment
	law    *Law
	rate   float64 // of the log, Hz
	run    *Run
	motion *swing
}

// newHanging draws a robot of 6 to 29 joints on limbs of three to seven, a law pd or pv, its rate, its delay, and a log whose rate need not divide it.
func newHanging(t testing.TB, seed uint64) *hanging {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 640))
	joints := 6 + rng.IntN(24)
	var frames []robot.MDHFrame
	for left := joints; left > 0; {
		n := min(left, 3+rng.IntN(5))
		left -= n
		for i := range n {
			f := robot.MDHFrame{Antecedent: len(frames) - 1, Alpha: []float64{0, math.Pi / 2, -math.Pi / 2}[rng.IntN(3)], D: 0.1 + 0.2*rng.Float64()}
			if i == 0 {
				f.Antecedent, f.Gamma, f.Alpha, f.D = -1, 2*math.Pi*rng.Float64(), math.Pi/2+0.5*rng.NormFloat64(), 0.2
			}
			frames = append(frames, f)
		}
	}
	r := robot.FromMDH(fmt.Sprintf("hanging-%d", seed), frames)
	kp, kd, size := make([]float64, joints), make([]float64, joints), make([]float64, joints)
	for i := range r.Links {
		l := &r.Links[i]
		m := 0.3 + 1.2*rng.Float64()
		l.Inertial, l.HasInertial = testrobot.Body(rng), true
		f := m / l.Inertial[9]
		for k := range l.Inertial {
			l.Inertial[k] *= f * 0.05 // bodies of the size of a leg's: a tenth of a metre
		}
		for k := 6; k < 9; k++ {
			l.Inertial[k] *= 2
		}
		l.Inertial[9] = m
		l.Joint.Ia, l.Joint.Fv, l.Joint.Fs = 0.01+0.03*rng.Float64(), 0.1+0.3*rng.Float64(), 0.1+0.4*rng.Float64()
		size[i] = 0.8 + 0.4*rng.Float64()
	}
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	mass := make([]float64, joints*joints)
	tree.InertiaMatrix(mass, make([]float64, joints))
	for k := range kp { // loops of 3 to 5 Hz, damped by half, stiffer than gravity
		w, m := 2*math.Pi*(3+2*rng.Float64()), mass[k*joints+k]
		kp[k], kd[k] = m*w*w, m*w+0.5
	}
	h := &hanging{experiment: &experiment{robot: r, kp: kp, kd: kd, delay: 0.006 * rng.Float64(),
		terms: []regressor.Term{regressor.Links, regressor.Ia, regressor.Fv, regressor.Fs, regressor.Fo}}, motion: newSwing(joints, seed, size)}
	h.motion.omega *= 3
	if h.subject, err = NewSubject(r, h.terms, nil, baseparams.Options{}); err != nil {
		t.Fatal(err)
	}
	h.truth = h.subject.file()
	if h.plant, err = plant.New(r, plant.Options{}); err != nil {
		t.Fatal(err)
	}
	h.law = &Law{P: kp, D: kd, Forward: float64(rng.IntN(2)), Period: 1 / []float64{400, 500, 1000}[rng.IntN(3)], Late: true}
	h.rate = []float64{199.9, 190, 250, 333}[rng.IntN(4)]
	for try := 0; ; try++ { // a law that cannot hold the robot gets a shorter delay and softer dampers
		err := h.log(t, rng)
		if err == nil {
			return h
		}
		if try == 12 {
			t.Fatal(err)
		}
		h.delay /= 2
		for k := range kd {
			kd[k], kp[k] = 0.7*kd[k], 0.85*kp[k]
		}
	}
}

// log simulates twelve seconds, and reads commands and positions with noise of 0.1 mrad at the log's own times.
func (h *hanging) log(t testing.TB, rng *rand.Rand) error {
	t.Helper()
	const seconds = 12
	n, steps := len(h.kp), int(seconds/h.law.Period)+1
	q, dq := table(n, steps), table(n, steps)
	c := plant.Control{Law: servo.Controller{P: h.kp, D: h.kd, Forward: h.law.Forward}, Period: h.law.Period, Delay: h.delay}
	at := 0
	if err := h.plant.Follow(t.Context(), h.motion, c, plant.Run{Every: 1, Samples: steps}, func(row plant.Row) error {
		for k := range n {
			q[k][at], dq[k][at] = row.Q[k], row.DQ[k]
		}
		at++
		return nil
	}); err != nil {
		return err
	}
	rows := int((seconds - 0.01) * h.rate)
	h.run = &Run{Name: "log", Interval: 1 / h.rate, Command: table(n, rows), Position: table(n, rows)}
	r, dr, ddr := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range rows {
		when := float64(i) / h.rate
		h.motion.Eval(when, r, dr, ddr)
		k := int(when / h.law.Period)
		part := when/h.law.Period - float64(k)
		for j := range n {
			x, _ := hermite(q[j][k], q[j][k+1], dq[j][k]*h.law.Period, dq[j][k+1]*h.law.Period, part)
			h.run.Command[j][i], h.run.Position[j][i] = r[j], x+1e-4*rng.NormFloat64()
		}
	}
	return nil
}

// named returns the law that the friction of the linear estimate under pd names.
func (h *hanging) named(t testing.TB) float64 {
	t.Helper()
	law := *h.law
	law.Forward = 1
	f := &fit{subject: h.subject, law: &law, joints: len(h.kp), runs: []*clocked{clock(h.run, law.Period, 0.5)}}
	if err := f.prepare(); err != nil {
		t.Fatal(err)
	}
	f.parts = f.limbs()
	f.cone = f.newCone()
	under, without := f.viscous()
	if (&result.Commanded{Viscous: under, ViscousWithout: without}).WithoutVelocity() {
		return 0
	}
	return 1
}

// Robots that hang, of 6 to 29 joints, under laws with and without a velocity command, with delays and with logs whose rates do not divide that of the law: the law
// is named by the friction, and intervals of all parameters hold the truth.
func TestHanging(t *testing.T) {
	long.Only(t, "TestLimbs and TestCoverage hold its parts")
	right, held, total, beyond, fitted, joints := 0, 0, 0, 0, 0, 0
	for seed := *from; seed < *from+*robots; seed++ {
		h := newHanging(t, uint64(seed))
		joints += len(h.kp)
		if h.named(t) == h.law.Forward {
			right++
		}
		e, err := Fit(t.Context(), h.subject, h.law, []*Run{h.run}, Options{})
		if err != nil {
			t.Logf("robot %d, %d joints: %v", seed, len(h.kp), err)
			continue
		}
		fitted++
		in, of := 0, 0
		truth := append(append([]float64{}, h.truth...), h.delay)
		for i, x := range truth {
			z := math.Abs(e.X[i]-x) / math.Sqrt(e.Covariance[i][i])
			if z <= estimate.StudentQuantile(e.DegreesOfFreedom[i]) {
				in++
			}
			if z > 3 {
				beyond++
			}
			of++
		}
		held, total = held+in, total+of
		t.Logf("robot %d: %d joints, law of %g Hz, forward %g, log of %g Hz, delay %.2f ms (found %.2f ± %.2f): %d of %d intervals hold", seed, len(h.kp), 1/h.law.Period, h.law.Forward, h.rate,
			1e3*h.delay, 1e3*e.X[len(h.truth)], 1e3*math.Sqrt(e.Covariance[len(h.truth)][len(h.truth)]), in, of)
	}
	t.Logf("%d robots of %d joints: the law is named in %d, %d are fitted; %d of %d intervals hold (%.1f %%), %d beyond 3 σ", *robots, joints, right, fitted, held, total, 100*float64(held)/float64(max(total, 1)), beyond)
	if right < *robots || fitted < *robots || float64(held) < 0.9*float64(total) {
		t.Error("a law is not named, a robot not fitted, or intervals are too short")
	}
}
