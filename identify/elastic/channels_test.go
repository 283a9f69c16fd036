package elastic

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/datasets"
)

// The channels of a log are read on the clock on which every fit reads them: stamps that jitter about a steady clock do not move the
// samples, a row that is missing is bridged, and a gap is refused with its row.
func TestClockOfChannels(t *testing.T) {
	const rows, rate = 2000, 100.0
	rng := rand.New(rand.NewPCG(7, 8))
	motion := func(at float64) float64 { return math.Sin(3*at) + 0.4*math.Cos(7.3*at) }
	steady, jittered, q, tau := make([]float64, rows), make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for i := range rows {
		steady[i] = float64(i) / rate
		jittered[i] = steady[i] + 0.1/rate*rng.NormFloat64()
		q[i], tau[i] = motion(steady[i]), 2*motion(steady[i]+0.1)
	}
	read := func(times, q, tau []float64) (*Log, []string, error) {
		l := datasets.FromColumns("log", []datasets.Channel{{Name: "t"}, {Name: "q1"}, {Name: "tau1"}}, [][]float64{times, q, tau}, nil)
		return logOf(l, "t", []string{"q1", ""}, nil, nil, []string{"tau1"}, nil, nil)
	}
	for name, times := range map[string][]float64{"steady": steady, "jittered": jittered} {
		l, notes, err := read(times, q, tau)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !slices.Equal(l.X[0], q) || !slices.Equal(l.Tau[0], tau) || l.X[1] != nil || len(notes) != 0 {
			t.Errorf("%s: the samples are not the rows; %q", name, notes)
		}
		if math.Abs(l.Rate/rate-1) > 1e-3 {
			t.Errorf("%s: %g Hz", name, l.Rate)
		}
	}
	without := func(x []float64, from, to int) []float64 { return slices.Delete(slices.Clone(x), from, to) }
	l, notes, err := read(without(steady, 700, 701), without(q, 700, 701), without(tau, 700, 701))
	if err != nil {
		t.Fatal(err)
	}
	// A cubic between rows that are 2h apart is off by h⁴/24 of the fourth derivative, below 3e3.
	if l.Samples() != rows || len(notes) != 1 || math.Abs(l.X[0][700]-q[700]) > 3e3*math.Pow(1/rate, 4)/24 || math.Abs(l.X[0][699]-q[699]) > 1e-12 {
		t.Errorf("%d samples, %q, %g in the missing row for %g", l.Samples(), notes, l.X[0][700], q[700])
	}
	if _, _, err := read(without(steady, 700, 760), without(q, 700, 760), without(tau, 700, 760)); err == nil || !strings.Contains(err.Error(), "after row 700;") {
		t.Errorf("a gap of 0.6 s: %v", err)
	}
}
