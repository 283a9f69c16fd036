package outputerror

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"ident/baseparams"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
	"ident/simulate/plant"
	"ident/simulate/servo"
)

// swing is a command of three harmonics of a joint each.
type swing struct {
	centre    []float64
	amplitude [][]float64
	phase     [][]float64
	omega     float64
}

func newSwing(joints int, seed uint64, size []float64) *swing {
	rng := rand.New(rand.NewPCG(seed, 77))
	s := &swing{omega: 2 * math.Pi * 0.1, centre: make([]float64, joints)}
	for k := range joints {
		var a, p []float64
		for h := 1; h <= 6; h++ {
			a, p = append(a, size[k]*(0.4+rng.Float64())/float64(3+h)), append(p, 2*math.Pi*rng.Float64())
		}
		s.amplitude, s.phase = append(s.amplitude, a), append(s.phase, p)
	}
	return s
}

// Eval starts from rest: the motion fades in over the first second.
func (s *swing) Eval(t float64, q, dq, ddq []float64) {
	for k := range q {
		q[k], dq[k], ddq[k] = s.centre[k], 0, 0
		for h, a := range s.amplitude[k] {
			w := s.omega * float64(h+1)
			sin, cos := math.Sincos(w*t + s.phase[k][h])
			q[k] += a * sin
			dq[k] += a * w * cos
			ddq[k] -= a * w * w * sin
		}
	}
}

// experiment is a robot under a PD law, and the truth.
type experiment struct {
	robot   *robot.Robot
	terms   []regressor.Term
	subject *Subject
	plant   *plant.Plant
	kp, kd  []float64
	delay   float64
	limit   []float64
	motion  *swing
	truth   []float64 // base parameters
	period  float64   // of the law, s; 0 means 0.001
}

// puma is the embedded six-joint arm with its friction and rotors.
func puma(t testing.TB) *experiment {
	t.Helper()
	r, err := format.Open("../../datasets/example/puma560.urdf", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ia := []float64{1.14, 4.71, 0.83, 0.2, 0.179, 0.193} // Armstrong, Khatib and Burdick 1986
	for i, j := range r.Moving() {
		r.Links[j].Joint.Ia = ia[i]
	}
	return newExperiment(t, r, []float64{2000, 3000, 1000, 250, 200, 200}, []float64{150, 250, 60, 12, 10, 10}, []float64{1.2, 0.9, 1.2, 1.4, 1.2, 1.5}, 0.002)
}

func newExperiment(t testing.TB, r *robot.Robot, kp, kd, size []float64, delay float64) *experiment {
	t.Helper()
	x := &experiment{robot: r, terms: []regressor.Term{regressor.Links, regressor.Ia, regressor.Fv, regressor.Fs, regressor.Fo}, kp: kp, kd: kd, delay: delay}
	var err error
	if x.subject, err = NewSubject(r, x.terms, nil, baseparams.Options{}); err != nil {
		t.Fatal(err)
	}
	x.truth = x.subject.file()
	if x.plant, err = plant.New(r, plant.Options{}); err != nil {
		t.Fatal(err)
	}
	x.motion = newSwing(len(kp), 5, size)
	return x
}

// run is a log of so many seconds, one row in every periods of a law at 1 kHz, with noise of positions and
// velocities in the law's measurements.
func (x *experiment) run(t testing.TB, seed uint64, seconds float64, every int, noise float64) *Run {
	t.Helper()
	n := len(x.kp)
	rng := rand.New(rand.NewPCG(seed, 3))
	period := x.period
	if period == 0 {
		period = 0.001
	}
	samples := int(math.Round(seconds/period))/every + 1
	r := &Run{Name: "log", Interval: period * float64(every), Command: table(n, samples), Position: table(n, samples)}
	gain := make([]float64, n)
	for k := range gain {
		gain[k] = 1
	}
	c := plant.Control{Law: servo.PD(x.kp, x.kd, gain), Period: period, Delay: x.delay, Limit: x.limit, Sense: func(q, dq []float64) {
		for k := range q {
			q[k] += noise * rng.NormFloat64()
			dq[k] += 10 * noise * rng.NormFloat64()
		}
	}}
	at := 0
	err := x.plant.Follow(context.Background(), x.motion, c, plant.Run{Every: every, Samples: samples}, func(row plant.Row) error {
		for k := range n {
			r.Command[k][at], r.Position[k][at] = row.QR[k], row.SensedQ[k]
		}
		at++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// law is the controller with the gains of the joints in known; delay unknown.
func (x *experiment) law(known int) *Law {
	n := len(x.kp)
	l := &Law{Forward: 1, P: make([]float64, n), D: make([]float64, n), Period: 0.001, Late: true, Limit: x.limit}
	for k := range n {
		if k < known {
			l.P[k] = x.kp[k]
		} else {
			l.Gains = append(l.Gains, Gain{Name: "kp" + string(rune('1'+k)), Joint: k, P: 1})
		}
		l.Gains = append(l.Gains, Gain{Name: "kd" + string(rune('1'+k)), Joint: k, D: 1})
	}
	return l
}

// all is the truth in the order of an estimate.
func (x *experiment) all(l *Law) []float64 {
	out := append([]float64(nil), x.truth...)
	for _, g := range l.Gains {
		if g.P != 0 {
			out = append(out, x.kp[g.Joint])
		} else {
			out = append(out, x.kd[g.Joint])
		}
	}
	if l.Late {
		out = append(out, x.delay)
	}
	return out
}
