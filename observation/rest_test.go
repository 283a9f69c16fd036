package observation

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/filter"
)

// Samples are at rest by the definition: within the margin of an interval whose positions stay within the range.
func TestRestByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n, window, margin := rapid.IntRange(1, 120).Draw(t, "samples"), rapid.IntRange(2, 12).Draw(t, "window"), rapid.IntRange(0, 5).Draw(t, "margin")
		q := make([]float64, n)
		for i := range q {
			if i > 0 {
				q[i] = q[i-1]
			}
			if rng.Float64() < 0.3 {
				q[i] += rng.NormFloat64()
			}
		}
		want := make([]bool, n)
		for first := 0; first+window <= n; first++ {
			if s := q[first : first+window]; slices.Max(s)-slices.Min(s) <= 0.5 {
				for i := max(first-margin, 0); i < min(first+window+margin, n); i++ {
					want[i] = true
				}
			}
		}
		stage := restStage{within: []float64{0.5}, window: []int{window}, margin: margin}
		got := stage.tell([][]float64{q}, new(restWork))[0]
		if got == nil {
			got = make([]bool, n)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("positions %v: at rest %v, want %v", q, got, want)
		}
	})
}

// restOfMotion is the share of the samples of a motion that are at rest, at 200 Hz under a cut-off of 10 Hz, and
// the mask.
func restOfMotion(t *testing.T, q []float64, sigma float64) (float64, []bool) {
	t.Helper()
	const rate = 200
	rng := rand.New(rand.NewPCG(3, uint64(1e9*sigma)))
	q = slices.Clone(q)
	for i := range q {
		q[i] += sigma * rng.NormFloat64()
	}
	s := filter.NewMotionSpectrum(q, rate)
	noise := JointNoise{Position: filter.NoiseOf(q, s)}
	noise.Acceleration = s.Derivative(noise.Position.Sigma, 2)
	stage := newRestStage(NewRestRule([][]JointNoise{{noise}}, 10), 10, 1./rate)
	mask := stage.tell([][]float64{q}, new(restWork))[0]
	count := 0
	for _, still := range mask {
		if still {
			count++
		}
	}
	return float64(count) / float64(len(q)), mask
}

// A motion that reverses is not at rest, whatever the noise; one with stops of half a second is, in each of them and
// not far beyond.
func TestRestOfMotions(t *testing.T) {
	const rate, n = 200, 8000
	swing, stops := make([]float64, n), make([]float64, n)
	for i := range swing {
		at := float64(i) / rate
		swing[i] = math.Sin(2*math.Pi*0.5*at) + 0.2*math.Sin(2*math.Pi*1.3*at)
		cycle, s := math.Modf(at / 2) // a second and a half of motion, half a second of rest
		s = min(s/0.75, 1)
		stops[i] = s * s * s * (10 - 15*s + 6*s*s)
		if int(cycle)%2 == 1 {
			stops[i] = 1 - stops[i]
		}
	}
	for _, sigma := range []float64{0, 1e-5, 1e-4, 1e-3} {
		if share, _ := restOfMotion(t, swing, sigma); share > 0 {
			t.Errorf("noise of %g: %.1f %% of a swinging motion are at rest", sigma, 100*share)
		}
		share, mask := restOfMotion(t, stops, sigma)
		for i := range stops {
			if at := math.Mod(float64(i)/rate, 2); at > 1.55 && at < 1.95 && !mask[i] {
				t.Fatalf("noise of %g: no rest at %g s", sigma, float64(i)/rate)
			}
		}
		// The slow ends of a move are told from rest as soon as they leave the noise: 6 sigma are 10·s³ of a move. The
		// margin is half a period, the reach of differences and a sample.
		slow := 2*0.75*math.Cbrt(6*sigma/10) + 2*(0.05+5./rate)/2
		if want := 0.25 + slow; share > want {
			t.Errorf("noise of %g: %.1f %% at rest, at most %.1f %% stand still or cannot be told from it", sigma, 100*share, 100*want)
		}
	}
}

// Noise, quantum and acceleration of zero leave a joint that stands still at rest.
func TestRestOfStillJoint(t *testing.T) {
	if share, _ := restOfMotion(t, make([]float64, 1000), 0); share != 1 {
		t.Errorf("%.0f %% of a constant position are at rest", 100*share)
	}
}

// BenchmarkRest tells the rest of a joint that moves, and of one that stands half of the time.
func BenchmarkRest(b *testing.B) {
	for _, c := range []struct {
		name  string
		still float64
	}{{"moving", 0}, {"half", 0.5}} {
		b.Run(c.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			q := make([]float64, 1<<14)
			for i := range q {
				q[i] = math.Max(math.Sin(float64(i)/400), c.still*2-1) + 1e-4*rng.NormFloat64()
			}
			stage := restStage{within: []float64{6e-4}, window: []int{100}, margin: 10}
			var w restWork
			positions := [][]float64{q}
			b.SetBytes(int64(8 * len(q)))
			for b.Loop() {
				stage.tell(positions, &w)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(q)), "ns/sample")
		})
	}
}

// A sample is marked if one within reach is, on whichever side.
func TestWiden(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		marked, reach := rapid.SliceOfN(rapid.Bool(), 0, 40).Draw(t, "marked"), rapid.IntRange(0, 12).Draw(t, "reach")
		got := Widen(marked, reach)
		for i := range marked {
			want := slices.Contains(marked[max(i-reach, 0):min(i+reach+1, len(marked))], true)
			if got[i] != want {
				t.Fatalf("sample %d is %v", i, got[i])
			}
		}
	})
}
