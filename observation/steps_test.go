package observation

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/filter"
)

// trapezoids is a position with trapezoidal velocity: its acceleration steps at every so many samples, dt seconds apart.
func trapezoids(n, every int, dt float64) []float64 {
	q := make([]float64, n)
	x, v := 0.0, 0.0
	for i := range q {
		q[i] = x
		a := []float64{2, 0, -2, -2, 0, 2}[i/every%6]
		x, v = x+v*dt+a*dt*dt/2, v+a*dt
	}
	return q
}

// stepsIn finds the steps of a position with some noise, in rows behind 10 Hz.
func stepsIn(t *testing.T, q []float64, sigma, dt float64) []int {
	t.Helper()
	n := JointNoise{Acceleration: 1.6}
	n.Position.Sigma = sigma
	n.measureSteps(q, dt)
	rows, err := filter.Butterworth(2, 10, 1/dt)
	if err != nil {
		t.Fatal(err)
	}
	return newStepStage(StepsOf([]JointNoise{n}), nil, &rows, dt).find([][]float64{q}, 0, new(stepWork))
}

// A detector is no longer than the log, however short its samples are.
func TestStepDetectorInLog(t *testing.T) {
	q := trapezoids(500, 150, 1e-7)
	n := JointNoise{Acceleration: 1.6}
	n.Position.Sigma = 1e-3
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n.measureSteps(q, 1e-7)
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 1<<20 {
		t.Errorf("%d bytes for 500 samples", allocated)
	}
	if half := n.stepSeconds / 1e-7; half > 250 {
		t.Errorf("%g samples on either side of a step in 500", half)
	}
}

// Steps are found where they are, also under the noise of an encoder, and none in a harmonic motion.
func TestStepsFound(t *testing.T) {
	const dt, every, n = 0.005, 150, 6000
	q := trapezoids(n, every, dt)
	var want []int
	for p := every; p < n; p += every {
		if p/every%3 != 0 { // from deceleration to the other direction nothing steps
			want = append(want, p)
		}
	}
	if got := stepsIn(t, q, 0, dt); !slices.Equal(got, want) {
		t.Errorf("steps at %v, want %v", got, want)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	noisy := slices.Clone(q)
	for i := range noisy {
		noisy[i] += 3e-4 * rng.NormFloat64()
	}
	got := stepsIn(t, noisy, 3e-4, dt)
	if len(got) != len(want) {
		t.Fatalf("under noise %d steps at %v, want %d", len(got), got, len(want))
	}
	for i := range got {
		// The noise of the instant is a tenth of the detector's half of a sixth of a second.
		if math.Abs(float64(got[i]-want[i])) > 6 {
			t.Errorf("under noise a step at %d, want %d", got[i], want[i])
		}
	}
	for _, sigma := range []float64{0, 1e-5, 3e-4} {
		for i := range noisy {
			s := float64(i) * dt
			noisy[i] = 0.5*math.Sin(2*s) + 0.2*math.Sin(5*s+1) + sigma*rng.NormFloat64()
		}
		if got := stepsIn(t, noisy, sigma, dt); len(got) > 0 {
			t.Errorf("steps of a harmonic motion at %v", got)
		}
	}
}

// An error of the sample at a step leaves the rows, but for the tail that is cut off; rows at rest stay as they are.
func TestStepEliminated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dt := rapid.SampledFrom([]float64{0.001, 0.005, 0.008}).Draw(t, "dt")
		rows, err := filter.Butterworth(2, rapid.Float64Range(5, 12).Draw(t, "cutoff"), 1/dt)
		if err != nil {
			t.Fatal(err)
		}
		s := newStepStage(StepRule{Seconds: []float64{0.1}, Least: []float64{1}}, nil, &rows, dt)
		reach := len(s.response)
		n := 8*reach + rapid.IntRange(0, 50).Draw(t, "samples")
		at := rapid.IntRange(3*reach, n-3*reach).Draw(t, "step")
		size := float64(rapid.IntRange(1, 9).Draw(t, "size")) * rapid.SampledFrom([]float64{-1, 1e-6, 1e6}).Draw(t, "unit")
		column := make([]float64, n)
		column[at] = size
		columns := [][]float64{column}
		rows.ZeroPhaseColumns(columns, new(filter.Work))
		var atRest []bool
		if rapid.Bool().Draw(t, "rest") {
			atRest = make([]bool, n)
			for i := range at - reach/4 {
				atRest[i] = true
			}
		}
		before := slices.Clone(column)
		s.eliminate(columns, []int{at}, Extent{End: n}, atRest)
		for i, v := range column {
			switch {
			case atRest != nil && atRest[i]:
				if v != before[i] {
					t.Fatalf("row %d at rest is changed by %g", i, v-before[i])
				}
			// Beyond the response, and within it where the column is its multiple to rounding.
			case math.Abs(v) > stepTail*math.Abs(size)*s.response[0]:
				t.Fatalf("%g of %g is left %d samples from the step", v, before[i], i-at)
			}
		}
	})
}
