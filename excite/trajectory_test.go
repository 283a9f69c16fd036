package excite

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ident/internal/long"
)

// candidates draws a search space of one to three joints and a feasible point in it.
func candidates(t *rapid.T) (*searchSpace, []float64) {
	n := rapid.IntRange(1, 3).Draw(t, "joints")
	axes := make([]axis, n)
	for i := range axes {
		half := rapid.Float64Range(0.05, 7).Draw(t, "half")
		centre := rapid.Float64Range(-3, 3).Draw(t, "centre")
		axes[i] = axis{centre: centre, half: half, vel: rapid.Float64Range(0.1, 20).Draw(t, "vel"), acc: rapid.Float64Range(0.1, 100).Draw(t, "acc")}
		a := &axes[i]
		a.full = Limits{Lower: centre - half, Upper: centre + half, Velocity: a.vel, Accel: a.acc}
	}
	period := rapid.Float64Range(0.5, 5).Draw(t, "period")
	s := newSearchSpace(axes, newFourier(rapid.IntRange(2, 8).Draw(t, "harmonics"), period, false), period, 30, nil, leastUse)
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	z := s.draw(rng, newLimitMap(s))
	if rapid.Bool().Draw(t, "outside") {
		for v := range z {
			z[v] = 3 * rng.NormFloat64()
		}
		newLimitMap(s).feasible(z, z, 1<<rapid.IntRange(3, 10).Draw(t, "p"))
	}
	return s, z
}

func TestRestsAtBothEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, z := candidates(t)
		tr := s.trajectory(z).(*Trajectory)
		n := tr.DOF()
		q, dq, ddq, end := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		tr.Eval(0, q, dq, ddq)
		tr.Eval(tr.Period, end, dq, ddq)
		for i := range n {
			if q[i] != end[i] || dq[i] != 0 || math.Abs(ddq[i]) > 1e-14*s.axes[i].acc*float64(tr.Harmonics()*tr.Harmonics()) {
				t.Fatalf("joint %d: starts at %g, ends at %g with velocity %g and acceleration %g", i+1, q[i], end[i], dq[i], ddq[i])
			}
		}
	})
}

// Differences of the eighth order against the exact derivatives.
func TestDerivatives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, z := candidates(t)
		tr := s.trajectory(z).(*Trajectory)
		n := tr.DOF()
		at := rapid.Float64Range(0, 1).Draw(t, "at") * tr.Period
		h := 0.02 * tr.Period / float64(tr.Harmonics())
		weights := [...]float64{4. / 5, -1. / 5, 4. / 105, -1. / 280}
		q, dq, ddq, other := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		dPos, dVel := make([]float64, n), make([]float64, n)
		for k, w := range weights {
			for _, sign := range []float64{1, -1} {
				tr.Eval(at+sign*h*float64(k+1), q, dq, other)
				for i := range n {
					dPos[i] += sign * w * q[i] / h
					dVel[i] += sign * w * dq[i] / h
				}
			}
		}
		tr.Eval(at, q, dq, ddq)
		for i := range n {
			// The formula's error is (lωh)⁸/630 of the largest derivative.
			if math.Abs(dPos[i]-dq[i]) > 1e-9*s.axes[i].vel+1e-12/h || math.Abs(dVel[i]-ddq[i]) > 1e-9*s.axes[i].acc+1e-12*s.axes[i].vel/h {
				t.Fatalf("joint %d: dq %g, differences %g; ddq %g, differences %g", i+1, dq[i], dPos[i], ddq[i], dVel[i])
			}
		}
	})
}

// For any variables, the feasible point stays within the limits at all times.
func TestInsideItsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, z := candidates(t)
		margins, violations := check(s.trajectory(z), s.axes)
		if violations != 0 {
			t.Fatalf("%d violations: %+v", violations, margins)
		}
	})
}

// The peak between the points of a grid is at most the grid's peak times the
// factor, and a cosine with its crest half-way between two points attains it.
func TestBoundBetweenSamples(t *testing.T) {
	for _, n := range []int{2, 5, 11} {
		k := 4 * n
		factor := 1 / math.Cos(math.Pi*float64(n)/float64(k))
		peak := func(samples int, f func(x float64) float64) float64 {
			m := 0.0
			for i := range samples {
				m = max(m, math.Abs(f(2*math.Pi*float64(i)/float64(samples))))
			}
			return m
		}
		crest := func(x float64) float64 { return math.Cos(float64(n) * (x - math.Pi/float64(k))) }
		if got := factor * peak(k, crest); math.Abs(got-1) > 1e-12 {
			t.Errorf("%d harmonics: bound of a cosine between the points is %g, want 1", n, got)
		}
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		for range long.Of(300, 40) {
			c := make([]float64, 2*n+1)
			for i := range c {
				c[i] = rng.NormFloat64()
			}
			f := func(x float64) float64 {
				y := c[0]
				for l := 1; l <= n; l++ {
					y += c[2*l-1]*math.Sin(float64(l)*x) + c[2*l]*math.Cos(float64(l)*x)
				}
				return y
			}
			if bound, true := factor*peak(k, f), peak(400*n, f); true > bound {
				t.Fatalf("%d harmonics: peak %g above its bound %g", n, true, bound)
			}
		}
	}
}

func TestSampleCoversThePeriod(t *testing.T) {
	tr := &Trajectory{Period: 2, Q0: []float64{1}, A: [][]float64{{1, -1}}, B: [][]float64{{2, -1}}}
	ts, q, dq, ddq := Sample(tr, 1000, 2)
	if len(ts) != 2001 || len(q[0]) != 2001 || ts[2000] != 2 || dq[0][2000] != 0 || q[0][0] != q[0][2000] || ddq[0][2000] != 0 {
		t.Errorf("%d samples to %g s, end at %g with velocity %g", len(ts), ts[len(ts)-1], q[0][2000], dq[0][2000])
	}
}

func TestJSONKeepsTheBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, z := candidates(t)
		tr := s.trajectory(z).(*Trajectory)
		text, err := json.Marshal(tr)
		if err != nil {
			t.Fatal(err)
		}
		var back Trajectory
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(*tr, back); d != "" {
			t.Fatal(d)
		}
	})
}

func FuzzTrajectoryJSON(f *testing.F) {
	f.Add([]byte(`{"schema":"ident.trajectory/1","period_s":2,"joints":[{"name":"a","q0":1,"a":[1,-1],"b":[2,-1]}]}`))
	f.Add([]byte(`{"schema":"ident.trajectory/1","period_s":1e308,"joints":[{"a":[],"b":[]},{"a":[1],"b":null}]}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var tr Trajectory
		if json.Unmarshal(text, &tr) != nil {
			return
		}
		n := tr.DOF()
		tr.Eval(0.1, make([]float64, n), make([]float64, n), make([]float64, n))
		if _, err := json.Marshal(&tr); err != nil {
			t.Fatalf("a trajectory that was read cannot be written: %v", err)
		}
	})
}

// A batch has the bits of single evaluations, beyond the first period too and across
// the parts in which it is computed.
func TestBatchIsEval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, z := candidates(t)
		tr := s.trajectory(z).(*Trajectory)
		n, rows := tr.DOF(), rapid.IntRange(1, 150).Draw(t, "rows")
		times := make([]float64, rows)
		var got [3][][]float64
		for o := range got {
			for range n {
				got[o] = append(got[o], make([]float64, rows))
			}
		}
		for k := range times {
			times[k] = 3 * tr.Period * float64(k) / float64(rows)
		}
		tr.EvalBatch(times, got[0], got[1], got[2])
		want := [3][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}
		for k, at := range times {
			tr.Eval(at, want[0], want[1], want[2])
			for o := range got {
				for i := range n {
					if got[o][i][k] != want[o][i] {
						t.Fatalf("joint %d, derivative %d at %g s: %v in a batch, %v alone", i+1, o, at, got[o][i][k], want[o][i])
					}
				}
			}
		}
	})
}
