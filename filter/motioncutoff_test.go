package filter

import (
	"math"
	"math/rand/v2"
	"testing"
)

// bandsOf are those of noisy positions.
func bandsOf(x []float64, rate float64) [][]MotionBands {
	s := NewMotionSpectrum(x, rate)
	return [][]MotionBands{{s.Bands(s.Noise(), 0, MotionBands{})}}
}

// A run that holds a joint still adds noise to the motion of another run, and does not ask for a cut-off by itself.
func TestMotionCutoffOfHeldJoint(t *testing.T) {
	const rate, n, most = 200, 8000, 50
	rows := LowPass{10, 2}
	rng := rand.New(rand.NewPCG(3, 3))
	moved, held := make([]float64, n), make([]float64, n)
	for i := range moved {
		at := float64(i) / rate
		moved[i] = math.Sin(2*math.Pi*at) + 1e-4*rng.NormFloat64()
		held[i] = 1e-3*math.Sin(2*math.Pi*0.9*at) + 1e-4*rng.NormFloat64()
	}
	alone, _ := MotionCutoff(bandsOf(moved, rate), most, rows)
	both, _ := MotionCutoff([][]MotionBands{append(bandsOf(moved, rate)[0], bandsOf(held, rate)[0]...)}, most, rows)
	// Twice the noise beside the same motion: behind the rows' filter a little lower.
	if both > alone || both < 0.8*alone {
		t.Errorf("cut-off %g Hz with a run that holds the joint, %g without it", both, alone)
	}
	if own, _ := MotionCutoff(bandsOf(held, rate), most, rows); own > 0.8*alone {
		t.Errorf("cut-off %g Hz of the run that holds the joint: the test cannot fail", own)
	}
}

// The cut-off falls with the noise and stays above the motion; a higher one would let intolerable noise through.
func TestMotionCutoff(t *testing.T) {
	const rate, n, most = 200, 8000, 50
	rows := LowPass{10, 2}
	for _, f := range []float64{0.3, 1, 3} {
		before := math.Inf(1)
		for _, sigma := range []float64{1e-6, 1e-5, 1e-4, 1e-3, 1e-2} {
			rng := rand.New(rand.NewPCG(3, 4))
			x := make([]float64, n)
			for i := range x {
				x[i] = math.Sin(2*math.Pi*f*float64(i)/rate) + sigma*rng.NormFloat64()
			}
			bands := bandsOf(x, rate)
			got, share := MotionCutoff(bands, most, rows)
			if got > before || got < f || got > most {
				t.Errorf("%g Hz under %g: cut-off %g after %g", f, sigma, got, before)
			}
			if above, tolerable := worst(bands, LowPass{got * 1.1, MotionOrder}, rows); got < most && tolerable {
				t.Errorf("%g Hz under %g: %g Hz leaves %+v, %g is too low", f, sigma, got*1.1, above, got)
			}
			if below, tolerable := worst(bands, LowPass{got, MotionOrder}, rows); !tolerable && below.Total() != share.Total() {
				t.Errorf("%g Hz under %g: %g Hz leaves %+v, not %+v", f, sigma, got, below, share)
			}
			before = got
		}
	}
	if got, share := MotionCutoff(bandsOf(make([]float64, n), rate), most, rows); got != most || share != (Share{}) {
		t.Errorf("without motion: %g Hz, %+v", got, share)
	}
	if got, _ := MotionCutoff(nil, most, rows); got != most {
		t.Errorf("without joints: %g Hz", got)
	}
}

// A narrow filter of the rows allows a wide one of the motion, up to the noise that is tolerable without it.
func TestMotionCutoffBehindRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 4))
	x := excitation(rng, 1000, 40000)
	for i := range x {
		x[i] += 1e-5 * rng.NormFloat64()
	}
	bands := bandsOf(x, 1000)
	free, _ := MotionCutoff(bands, 50, LowPass{})
	behind, _ := MotionCutoff(bands, 50, LowPass{2, 2})
	if !(behind > 1.5*free) {
		t.Errorf("%g Hz without a filter of the rows, %g Hz before one of 2 Hz", free, behind)
	}
	if noise := bands[0][0].Share(LowPass{behind, MotionOrder}, LowPass{}).Noise; noise > tolerableUnfiltered {
		t.Errorf("%g Hz passes a share of %g", behind, noise)
	}
}

// The share of noise is the power ratio of accelerations, filtered apart and differentiated twice.
func TestShareOfNoise(t *testing.T) {
	const rate, n, sigma, f, cutoff = 200.0, 40000, 1e-3, 0.8, 4.0
	rng := rand.New(rand.NewPCG(5, 4))
	motion, noise := make([]float64, n), make([]float64, n)
	x := make([]float64, n)
	for i := range x {
		motion[i], noise[i] = math.Sin(2*math.Pi*f*float64(i)/rate), sigma*rng.NormFloat64()
		x[i] = motion[i] + noise[i]
	}
	sos, err := Butterworth(MotionOrder, cutoff, rate)
	if err != nil {
		t.Fatal(err)
	}
	power := func(x []float64) float64 {
		y := append([]float64(nil), x...)
		sos.ZeroPhaseColumns([][]float64{y}, new(Work))
		v, a := make([]float64, n), make([]float64, n)
		Differentiate4(v, y, 1/rate)
		Differentiate4(a, v, 1/rate)
		sum := 0.0
		for _, w := range a[1000 : n-1000] {
			sum += w * w
		}
		return sum
	}
	got, want := bandsOf(x, rate)[0][0].Share(LowPass{cutoff, MotionOrder}, LowPass{}).Noise, power(noise)/power(motion)
	// The noise has some n·cutoff/rate = 800 independent values in the band: two standard errors are 10 %.
	if math.Abs(got/want-1) > 0.1 {
		t.Errorf("share of noise %g, by filtering %g", got, want)
	}
}

func BenchmarkMotionCutoff(b *testing.B) {
	x := excitation(rand.New(rand.NewPCG(7, 7)), 1000, 60000)
	s := NewMotionSpectrum(x, 1000)
	bands := [][]MotionBands{{s.Bands(1e-4, 0, MotionBands{})}}
	for b.Loop() {
		MotionCutoff(bands, 50, LowPass{10, 2})
	}
}
