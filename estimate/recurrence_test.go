package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
)

// repeated is a log of a motion that repeats, and errors of each joint: noise that follows
// e[i] = a·e[i−1] + white noise, and an error of the model, a function of the phase with
// a flat spectrum over twice the band of the columns.
type repeated struct {
	runs    [][]int // by run, the length of each of its periods, in rows
	block   int     // rows
	noise   float64
	follows float64 // a
	model   float64 // deviation of the model's error
}

// harmonics draws a sum of the first sinusoids of a period, of unit mean square.
func harmonics(rng *rand.Rand, first, last int) func(phase float64) float64 {
	var a, p []float64
	for range last - first + 1 {
		a, p = append(a, rng.NormFloat64()*math.Sqrt(2/float64(last-first+1))), append(p, 2*math.Pi*rng.Float64())
	}
	return func(phase float64) float64 {
		sum := 0.0
		for i := range a {
			sum += a[i] * math.Sin(float64(first+i)*phase+p[i])
		}
		return sum
	}
}

// reduction draws a log, and returns it with the true parameters.
func (l repeated) reduction(rng *rand.Rand) (*Reduction, []float64) {
	d := newDense(rng, 1, []float64{0, 0, 0})
	columns, errors := make([][]func(float64) float64, 3), make([]func(float64) float64, 3)
	var places []func(float64) float64
	for k, m := range d.masks {
		places = append(places, harmonics(rng, 1, 3))
		errors[k] = harmonics(rng, 1, 20)
		for range m {
			columns[k] = append(columns[k], harmonics(rng, 1, 10))
		}
	}
	r := NewReduction(len(d.truth), d.masks)
	for run, periods := range l.runs {
		n := 0
		for _, p := range periods {
			n += p
		}
		phase := make([]float64, n)
		for i := range phase {
			phase[i] = 2 * math.Pi * float64(i) / float64(periods[0])
		}
		for k, m := range d.masks {
			d.y[k] = make([]float64, n)
			e := rng.NormFloat64()
			for i, f := range phase {
				d.y[k][i] = l.noise*e + l.model*errors[k](f)
				e = l.follows*e + math.Sqrt(1-l.follows*l.follows)*rng.NormFloat64()
			}
			for c, at := range m {
				d.w[k][c] = make([]float64, n)
				for i, f := range phase {
					d.w[k][c][i] = columns[k][c](f)
					d.y[k][i] += d.truth[at] * d.w[k][c][i]
				}
			}
		}
		for lo := 0; lo+l.block <= n; lo += l.block {
			b := d.block(r, run, lo, lo+l.block)
			b.State = make([]float64, 2*len(places))
			for k, at := range places {
				for i := lo; i < lo+l.block; i++ {
					b.State[k] += at(phase[i]) / float64(l.block)
				}
				b.State[len(places)+k] = (at(phase[lo+l.block-1]) - at(phase[lo])) / float64(l.block)
			}
			r.Append(b)
		}
	}
	return r, d.truth
}

// Errors of the model that come back with the motion are in the deviations: over many
// motions, 95 % intervals hold the truth, where those for errors that are independent from block to
// block would not. Where the model is true the deviations are widened as seldom as the test's
// level says, and the intervals hold as well.
func TestRecurrence(t *testing.T) {
	long.Only(t, "TestUnbiased and TestCoverage stand for it")
	seeds := long.Draws(1000, 200, 12)
	four := [][]int{{1000, 1000, 1000, 1000}}
	for _, c := range []struct {
		name string
		log  repeated
		true bool // the model
	}{
		{"white noise", repeated{four, 53, 1, 0, 0}, true},
		{"noise of its own colour", repeated{four, 53, 1, 0.8, 0}, true},
		{"a model's error, four periods", repeated{four, 53, 0.1, 0.8, 1}, false},
		{"a model's error in noise", repeated{four, 53, 1, 0, 0.5}, false},
		{"a model's error, two runs of one period", repeated{[][]int{{2000}, {2000}}, 53, 0.1, 0.8, 1}, false},
	} {
		var inside, alone, squares, widened float64
		for seed := range seeds {
			r, truth := c.log.reduction(rand.New(rand.NewPCG(uint64(seed), 11)))
			s, err := r.Solve(WLS, false)
			if err != nil {
				t.Fatal(err)
			}
			if s.Recurrence != nil {
				widened++
			}
			hits := 0.0
			for i, v := range s.X {
				d := math.Abs(v - truth[i])
				if d <= StudentQuantile(s.DegreesOfFreedom[i])*math.Sqrt(s.Covariance[i][i]) {
					hits++
				}
				if d <= 1.96*math.Sqrt(s.NoiseOnly()[i][i]) {
					alone++
				}
			}
			inside += hits / float64(len(truth))
			squares += hits * hits / float64(len(truth)*len(truth))
		}
		n := float64(seeds)
		share := inside / n
		deviation := math.Sqrt(max(squares/n-share*share, 0) / n)
		alone /= n * 6
		t.Logf("%s: %.1f ± %.1f %% inside, %.1f %% without widening, widened in %.1f %% of the logs", c.name, 100*share, 100*deviation, 100*alone, 100*widened/n)
		if !(share > 0.93-3*deviation && share < 0.97+3*deviation) {
			t.Errorf("%s: 95 %% intervals hold the truth in %.1f ± %.1f %%", c.name, 100*share, 100*deviation)
		}
		// The level is 5 %, of a sum of quadratic forms that is not quite normal.
		if level := 0.08; c.true && widened/n > level+3*math.Sqrt(level*(1-level)/n) {
			t.Errorf("%s: deviations widened in %.1f %% of the logs", c.name, 100*widened/n)
		}
		if !c.true && !(alone < share) {
			t.Errorf("%s: nothing to widen for", c.name)
		}
	}
}
