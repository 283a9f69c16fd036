package simulate

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"ident/excite"
)

// sample is a motion at one time.
type sample struct{ q, dq, ddq []float64 }

func newSample(n int) *sample {
	return &sample{make([]float64, n), make([]float64, n), make([]float64, n)}
}

// worstOf compares a record with the motion it was made of, away from the ends
// by the given time.
func worstOf(r *Recorded, s Sampler, skip float64) (pos, vel, acc float64) {
	n := s.DOF()
	x, y := newSample(n), newSample(n)
	for k := range 4000 {
		t := skip + (s.Duration()-2*skip)*float64(k)/3999
		s.Eval(t, x.q, x.dq, x.ddq)
		r.Eval(t, y.q, y.dq, y.ddq)
		for i := range n {
			pos, vel, acc = max(pos, math.Abs(x.q[i]-y.q[i])), max(vel, math.Abs(x.dq[i]-y.dq[i])), max(acc, math.Abs(x.ddq[i]-y.ddq[i]))
		}
	}
	return pos, vel, acc
}

// At 100 Hz a motion of 1.5 Hz comes back to the accuracy of its
// record.
func TestRecordedMotionComesBack(t *testing.T) {
	tr := wave(3)
	ts, q, dq, ddq := excite.Sample(tr, 100, tr.Period)
	for _, c := range []struct {
		name          string
		dq, ddq       [][]float64
		pos, vel, acc float64
	}{
		{"all", dq, ddq, 1e-11, 1e-8, 1e-5},
		{"position and velocity", dq, nil, 1e-7, 1e-5, 5e-3},
		{"position", nil, nil, 1e-6, 1e-4, 5e-2},
	} {
		r, err := NewRecorded(ts, q, c.dq, c.ddq)
		if err != nil {
			t.Fatal(err)
		}
		pos, vel, acc := worstOf(r, tr, 0.1)
		t.Logf("%s: %.1e rad, %.1e rad/s, %.1e rad/s²", c.name, pos, vel, acc)
		if pos > c.pos || vel > c.vel || acc > c.acc {
			t.Errorf("%s: errors %g, %g, %g above %g, %g, %g", c.name, pos, vel, acc, c.pos, c.vel, c.acc)
		}
	}
}

// A record of a polynomial of the fifth degree is that polynomial, on any clock.
func TestRecordedQuinticIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SliceOfN(rapid.Float64Range(-1, 1), 6, 6).Draw(t, "coefficients")
		f := func(x float64) (q, dq, ddq float64) {
			for n := 5; n >= 0; n-- {
				ddq = ddq*x + 2*dq
				dq = dq*x + q
				q = q*x + c[n]
			}
			return q, dq, ddq
		}
		start := rapid.Float64Range(-5, 5).Draw(t, "start")
		ts := []float64{start}
		for range rapid.IntRange(3, 8).Draw(t, "steps") {
			ts = append(ts, ts[len(ts)-1]+rapid.Float64Range(0.05, 0.4).Draw(t, "step"))
		}
		g := make([][][]float64, 3)
		for i := range g {
			g[i] = [][]float64{make([]float64, len(ts))}
		}
		for k, x := range ts {
			g[0][0][k], g[1][0][k], g[2][0][k] = f(x)
		}
		r, err := NewRecorded(ts, g[0], g[1], g[2])
		if err != nil {
			t.Fatal(err)
		}
		at := rapid.Float64Range(0, 1).Draw(t, "at") * r.Duration()
		s := newSample(1)
		r.Eval(at, s.q, s.dq, s.ddq)
		q, dq, ddq := f(start + at)
		// Values up to 8⁵ are differenced over steps of 0.05.
		if e := 1e-8 * (1 + math.Abs(q) + math.Abs(dq)); math.Abs(s.q[0]-q) > e || math.Abs(s.dq[0]-dq) > 100*e || math.Abs(s.ddq[0]-ddq) > 1e4*e {
			t.Fatalf("at %g: %g, %g, %g; wanted %g, %g, %g", at, s.q[0], s.dq[0], s.ddq[0], q, dq, ddq)
		}
	})
}

func TestRecordedStandsOutsideItsTimes(t *testing.T) {
	r, err := NewRecorded([]float64{5, 6, 7, 8}, [][]float64{{1, 2, 4, 8}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[float64]float64{-1: 1, 0: 1, 3: 8, 4: 8} {
		s := newSample(1)
		r.Eval(at, s.q, s.dq, s.ddq)
		if s.q[0] != want || (at < 0 || at > 3) && s.dq[0] != 0 {
			t.Errorf("at %g: %g moving at %g, wanted %g", at, s.q[0], s.dq[0], want)
		}
	}
}

func TestRecordedRefusals(t *testing.T) {
	good := []float64{0, 1, 2, 3}
	for name, c := range map[string]struct {
		t          []float64
		q, dq, ddq [][]float64
	}{
		"too short":       {good[:3], [][]float64{good[:3]}, nil, nil},
		"no joint":        {good, nil, nil, nil},
		"repeated time":   {[]float64{0, 1, 1, 2}, [][]float64{good}, nil, nil},
		"NaN time":        {[]float64{0, 1, math.NaN(), 2}, [][]float64{good}, nil, nil},
		"NaN position":    {good, [][]float64{{0, math.NaN(), 1, 2}}, nil, nil},
		"short velocity":  {good, [][]float64{good}, [][]float64{good[:2]}, nil},
		"other joints":    {good, [][]float64{good}, [][]float64{good, good}, nil},
		"infinite acc":    {good, [][]float64{good}, [][]float64{good}, [][]float64{{0, 0, math.Inf(1), 0}}},
		"short positions": {good, [][]float64{good[:2]}, nil, nil},
	} {
		if _, err := NewRecorded(c.t, c.q, c.dq, c.ddq); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
}
