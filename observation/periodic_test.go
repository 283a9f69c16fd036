package observation_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"ident/datasets"
	"ident/observation"
)

// repeated is a run of a joint that repeats a motion of two harmonics: n samples, dt
// seconds apart, of a period in seconds, with white noise.
func repeated(n int, dt, period, noise float64) observation.Run {
	rng := rand.New(rand.NewPCG(1, 2))
	cols := make([][]float64, 3)
	for i := range n {
		w := 2 * math.Pi * float64(i) * dt / period
		cols[0] = append(cols[0], float64(i)*dt)
		cols[1] = append(cols[1], math.Sin(w)+0.3*math.Cos(3*w)+noise*rng.NormFloat64())
		cols[2] = append(cols[2], math.Cos(w))
	}
	log := datasets.FromColumns("repeated", []datasets.Channel{{Name: "t"}, {Name: "q1"}, {Name: "tau1"}}, cols, nil)
	return observation.Run{Name: "repeated", Log: log, Last: n,
		Roles: datasets.Roles{T: "t", Q: []string{"q1"}, DQ: []string{""}, DDQ: []string{""}, Tau: []string{"tau1"}}}
}

// The average has the motion's own derivatives, to the noise of its harmonics: those kept are
// known, or the ones that stand out. A harmonic of a mean of n samples altogether has an
// amplitude with a deviation of noise·√(2/n); six of those are the three harmonics' bounds,
// the acceleration of the highest weighing nine times.
func TestAveragePeriods(t *testing.T) {
	const dt, noise = 0.01, 1e-3
	for _, c := range []struct {
		name        string
		period      float64
		given, band float64
	}{
		{"found", 4, 0, 0},
		{"given", 4, 4, 0.75},
		{"between the samples", 4.003, 4.003, 0},
		{"found between the samples", 4.003, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := int(10.4 * c.period / dt)
			run := repeated(n, dt, c.period, noise)
			a, err := observation.AveragePeriods(&run, observation.Averaging{Period: c.given, Band: c.band, Pad: 0.5})
			if err != nil {
				t.Fatal(err)
			}
			if a.Periods != 10 || math.Abs(a.Period-c.period) > 5e-4 || math.Abs(a.Band-3/c.period) > 1e-3 || math.Abs(a.Pad-0.5) > dt {
				t.Errorf("%d periods of %g s, band %g Hz, pad %g s", a.Periods, a.Period, a.Band, a.Pad)
			}
			cols, err := a.Run.Log.Columns("t", "q1", a.Run.Roles.DQ[0], a.Run.Roles.DDQ[0])
			if err != nil {
				t.Fatal(err)
			}
			if want := int(math.Round(c.period/dt)) + 2*int(math.Round(a.Pad/dt)); len(cols[0]) != want {
				t.Errorf("%d rows, want %d", len(cols[0]), want)
			}
			base := 2 * math.Pi / c.period
			// A period off by 5e-4 s at most shifts the tenth by ten times that, the average by half.
			limit := 6*3*noise*math.Sqrt(2/float64(n)) + base*3*2.5e-3*math.Abs(a.Period-c.period)/5e-4
			for i, at := range cols[0] {
				w := base * at
				for order, want := range []float64{math.Sin(w) + 0.3*math.Cos(3*w), base * (math.Cos(w) - 0.9*math.Sin(3*w)), base * base * (-math.Sin(w) - 2.7*math.Cos(3*w))} {
					if e := math.Abs(cols[1+order][i] - want); !(e < limit*math.Pow(3*base, float64(order))) {
						t.Fatalf("derivative %d at %.2f s: off by %g, limit %g", order, at, e, limit*math.Pow(3*base, float64(order)))
					}
				}
			}
		})
	}
}

// Runs that do not repeat as they are said to are refused.
func TestAveragePeriodsRefuses(t *testing.T) {
	run := repeated(4000, 0.01, 4, 0)
	drifting := repeated(4000, 0.01, 4, 0)
	cols, err := drifting.Log.Columns("t", "q1", "tau1")
	if err != nil {
		t.Fatal(err)
	}
	for i := range cols[1] {
		cols[1][i] = math.Sin(1e-4 * float64(i*i) / 40)
	}
	drifting.Log = datasets.FromColumns("drifting", drifting.Log.Channels(), cols, nil)
	for name, c := range map[string]struct {
		run observation.Run
		a   observation.Averaging
	}{
		"wrong period":   {run, observation.Averaging{Period: 3.7}},
		"one period":     {run, observation.Averaging{Period: 25}},
		"few samples":    {run, observation.Averaging{Period: 0.05}},
		"no period":      {drifting, observation.Averaging{}},
		"narrow band":    {run, observation.Averaging{Period: 4, Band: 0.1}},
		"drifts in time": {drifting, observation.Averaging{Period: 4}},
	} {
		_, err := observation.AveragePeriods(&c.run, c.a)
		var want *observation.PeriodError
		if !errors.As(err, &want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
