package filter

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
)

// jitteredLog is a log of joints that move by sums of sines, on a clock of the given rate whose rows wander by jitter (rms, s) in truth,
// or only by their stamps, which are rounded.
type jitteredLog struct {
	rate, jitter, rounding float64
	real                   bool
}

func (l jitteredLog) draw(rng *rand.Rand, rows, joints int) (stamps []float64, q [][]float64) {
	stamps = make([]float64, rows)
	q = make([][]float64, joints)
	type wave struct{ a, f, p float64 }
	waves := make([][5]wave, joints)
	for c := range waves {
		q[c] = make([]float64, rows)
		for k := range waves[c] {
			waves[c][k] = wave{0.5 * rng.NormFloat64() / float64(k+1), 0.1 * float64(k+1), 2 * math.Pi * rng.Float64()}
		}
	}
	noise := math.Pow(10, -5.5+1.5*rng.Float64())
	for k := range stamps {
		at := float64(k) / l.rate
		off := l.jitter * max(-3, min(3, rng.NormFloat64()))
		stamps[k] = math.Round((at+off)/l.rounding) * l.rounding
		if l.real {
			at += off
		}
		for c := range q {
			for _, w := range waves[c] {
				q[c][k] += w.a * math.Sin(2*math.Pi*w.f*at+w.p)
			}
			q[c][k] += noise * rng.NormFloat64()
		}
	}
	return stamps, q
}

// Stamps that jitter about the clock of the rows are told from rows that were sampled at jittered times: where a clock is found, no log is
// read by the wrong times.
func TestStampsOrRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 8))
	logs := long.Of(2000, 40)
	var right, wrong, undecided, none [2]int
	for i := range logs {
		l := jitteredLog{rate: 20 * math.Pow(25, rng.Float64()), jitter: 1e-4 * math.Pow(30, rng.Float64()), real: i%2 == 1}
		l.rounding = []float64{1e-4, 1e-3}[rng.IntN(2)]
		if l.real && l.rounding > l.jitter { // rounding is noise of the stamps too
			l.rounding = 1e-5
		}
		kind := i % 2
		stamps, q := l.draw(rng, int(20*l.rate), 1+rng.IntN(6))
		times := NewTimes(stamps)
		clock, _, ok := times.Jittered(times.Clock())
		if !ok {
			none[kind]++
			continue
		}
		test := NewStampTest(len(q), len(stamps))
		test.Take(clock.All(), stamps, q)
		share, sigma, ok := test.Share()
		switch noise, sampled := test.Verdict(); {
		case sampled && l.real || noise && !l.real:
			right[kind]++
		case !noise && !sampled:
			undecided[kind]++
		default:
			wrong[kind]++
			t.Errorf("log %d, %+v: share %.3g ± %.3g, %v", i, l, share, sigma, ok)
		}
	}
	t.Logf("of %d logs, by stamps that are noise and rows that jitter: right %d, wrong %d, undecided %d, without a clock %d", logs, right, wrong, undecided, none)
	if right[0] < logs/5 || right[1] < logs/5 {
		t.Errorf("right in %d of %d logs only", right, logs)
	}
}

// Missing rows do not shift the clock behind them, and a clock that wanders is none.
func TestJitteredKeepsCount(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 57))
	var stamps, truth []float64
	for k := range 3000 {
		if k == 700 || k == 701 || k%997 == 0 && k > 0 {
			continue
		}
		truth = append(truth, float64(k)*0.02)
		stamps = append(stamps, float64(k)*0.02+0.001*rng.NormFloat64())
	}
	times := NewTimes(stamps)
	clock, rms, ok := times.Jittered(times.Clock())
	if !ok || math.Abs(rms-0.001) > 1e-4 {
		t.Fatalf("clock %v, rms %g", ok, rms)
	}
	for k, at := range clock.All() {
		if math.Abs(at-truth[k]) > 2e-4 {
			t.Fatalf("row %d is at %g s for %g", k, at, truth[k])
		}
	}
	for k, at := 0, 0.0; k < len(stamps); k++ {
		at += 0.02 + 0.001*rng.NormFloat64()
		stamps[k] = at
	}
	times = NewTimes(stamps)
	if _, _, ok := times.Jittered(times.Clock()); ok {
		t.Error("intervals that vary by themselves are no jitter about a clock")
	}
}
