package outputerror

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"syscall"
	"testing"
)

// The search takes twenty times the fit, minutes: go test ./identify/outputerror -run BlackBox -blackbox -v
var blackBox = flag.Bool("blackbox", false, "fit by a search over simulations too")

// processor is the time of the processor that this process has taken, s.
func processor(t *testing.T) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + 1e-6*float64(u.Utime.Usec+u.Stime.Usec)
}

// A search that sees only the sum of squares of simulations (the evolution strategy of one parent and one child with the rule of
// one success in five, Rechenberg 1973), from parameters within 5 % of the truth, against the fit from the log alone: the error left after twenty times
// the fit's processor time.
func TestBlackBox(t *testing.T) {
	if !*blackBox {
		t.Skip("takes minutes: give -blackbox")
	}
	x := puma(t)
	law, run := x.law(1), x.run(t, 1, 20, 1, 5e-5)
	begin := processor(t)
	e, err := Fit(context.Background(), x.subject, law, []*Run{run}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	fitted := processor(t) - begin
	f, p := x.prepared(t, law, run, nil)
	const beyond = 1e6 // rad², the cost of parameters that cannot be simulated
	sum := func(p parameters) float64 {
		m, err := f.simulate(context.Background(), f.runs[0], p)
		if err != nil {
			return beyond
		}
		s := 0.0
		for _, r := range f.residualsOf([]*motion{m}, p)[0].residual {
			for _, v := range r {
				s += v * v
			}
		}
		if math.IsNaN(s) {
			return beyond
		}
		return s
	}
	truth := x.all(law)
	at := func(relative []float64) parameters {
		step := make([]float64, len(truth))
		for i := range step {
			step[i] = relative[i] * (math.Abs(truth[i]) + 1e-3)
		}
		return f.moved(p, step, 1)
	}
	own := p.clone()
	copy(own.x, e.X)
	copy(own.gains, e.X[f.gainAt():])
	own.delay = e.X[f.delayAt()]
	least := sum(own)
	rng := rand.New(rand.NewPCG(1, 1))
	start := make([]float64, len(truth))
	for i := range start {
		start[i] = 0.05 * (2*rng.Float64() - 1)
	}
	first := sum(at(start))
	if !(first < beyond) {
		t.Fatal("the search begins where nothing can be simulated")
	}
	begin = processor(t)
	evaluations, best, size := 0, first, 0.02
	x0, candidate := start, make([]float64, len(start))
	for best > least && processor(t)-begin < 20*fitted {
		for i := range candidate {
			candidate[i] = x0[i] + size*rng.NormFloat64()
		}
		evaluations++
		s := sum(at(candidate))
		if s < best {
			x0, candidate, best = candidate, x0, s
			size *= 1.5
		} else {
			size *= math.Pow(1.5, -0.25)
		}
	}
	searched := processor(t) - begin
	t.Logf("fit: %.1f s, root of the sum of squares %.3g rad; search: %.1f s, %d simulations, from %.3g to %.3g rad", fitted, math.Sqrt(least), searched, evaluations, math.Sqrt(first), math.Sqrt(best))
	if best <= least && searched < 20*fitted {
		t.Errorf("the search reached the fit's residual in %.1f s", searched)
	}
}
