package report

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/result"
)

// trendRun is a run of one joint that swings, with a residual of white noise and the friction given.
func trendRun(friction func(dq float64) float64) result.ResidualRun {
	rng := rand.New(rand.NewPCG(9, 4))
	run := result.ResidualRun{Role: "train", Stride: 1, Measured: make([][]float64, 1), Predicted: make([][]float64, 1), Position: make([][]float64, 1)}
	for k := range 20_000 {
		t := 0.005 * float64(k)
		q, dq := math.Sin(1.3*t)+0.4*math.Sin(3.1*t), 1.3*math.Cos(1.3*t)+1.24*math.Cos(3.1*t)
		run.T = append(run.T, t)
		run.Position[0] = append(run.Position[0], q)
		run.Predicted[0] = append(run.Predicted[0], 10*q)
		run.Measured[0] = append(run.Measured[0], 10*q+friction(dq)+0.1*rng.NormFloat64())
	}
	return run
}

// Friction that is missing shows over velocity, with its size and its share, and noise alone nowhere.
func TestTrendOverVelocity(t *testing.T) {
	coulomb := trendRun(func(dq float64) float64 { return 0.1 * math.Copysign(1, dq) })
	points := residualPoints([]result.ResidualRun{coulomb}, "train", 0, result.Processing{})
	over := trendOver(points, func(p residualPoint) float64 { return p.dq }, true, float64(len(points)))
	// Friction of 0.1 beside noise of deviation 0.1 is half of the power. The share of n samples deviates by about
	// 2·√(s·(1-s)²/n)·… below 1 %; five times that is the limit, with the interval about zero half and half.
	if math.Abs(over.share-0.5) > 0.05 {
		t.Errorf("share %g, want 0.5", over.share)
	}
	for b, m := range over.mean {
		v := over.lo + (float64(b)+0.5)*(over.hi-over.lo)/trendBins
		// 50 samples and more in each: the mean deviates by less than 0.1/√50, and six of that are the limit.
		if finite(m) && math.Abs(v) > 0.1 && math.Abs(m-math.Copysign(0.1, v)) > 6*0.1/math.Sqrt(50) {
			t.Errorf("mean %g at %g rad/s", m, v)
		}
	}
	noise := residualPoints([]result.ResidualRun{trendRun(func(float64) float64 { return 0 })}, "train", 0, result.Processing{})
	for _, of := range []func(residualPoint) float64{func(p residualPoint) float64 { return p.dq }, func(p residualPoint) float64 { return p.q }} {
		if over := trendOver(noise, of, false, float64(len(noise))); over.share > 0.01 {
			t.Errorf("noise has a share of %g", over.share)
		}
	}
	// Few independent samples tell nothing, and a joint at rest has no trend.
	if over := trendOver(noise, func(p residualPoint) float64 { return p.q }, false, 20); !math.IsNaN(over.share) {
		t.Errorf("twenty samples have a share of %g", over.share)
	}
	if trendOver(noise, func(residualPoint) float64 { return 1 }, false, 1e4) != nil {
		t.Error("a joint at rest has a trend")
	}
}

// The spectrum is a density: its integral is the variance, and a sine stands at its frequency.
func TestSpectrum(t *testing.T) {
	run := trendRun(func(float64) float64 { return 0 })
	for k, at := range run.T {
		run.Measured[0][k] += 0.2 * math.Sin(2*math.Pi*7*at)
	}
	d := spectrum([]result.ResidualRun{run}, "train", 0)
	if d == nil {
		t.Fatal("no spectrum")
	}
	peak, power := 0, 0.0
	for k := range d.f {
		if d.residual[k] > d.residual[peak] {
			peak = k
		}
		if k > 0 {
			power += (d.residual[k] + d.residual[k-1]) / 2 * (d.f[k] - d.f[k-1])
		}
	}
	if ratio := d.f[peak] / 7; ratio < 0.93 || ratio > 1.07 { // a point is 8 % wide at the top
		t.Errorf("the sine of 7 Hz stands at %g Hz", d.f[peak])
	}
	// Noise 0.01 and the sine 0.02; the trapezoids over points 8 % wide are off by some of those at the sine.
	if math.Abs(power-0.03) > 0.006 {
		t.Errorf("the integral is %g, the variance 0.03", power)
	}
	run.Stride = 2
	if spectrum([]result.ResidualRun{run}, "train", 0) != nil {
		t.Error("a run of which every other row is stored has a spectrum")
	}
}

// Every joint has its figures, with no number that is none.
func TestResidualFigures(t *testing.T) {
	for name, f := range fixtures() {
		for _, g := range residualFigures(f.res, f.runs) {
			for _, s := range g.Figures {
				text := s.Title + s.Left + s.Right + s.Top + s.Bottom
				for _, p := range append(s.Areas, s.Lines...) {
					text += string(p.D)
				}
				if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
					t.Errorf("%s, %s: %s", name, g.Joint, text)
				}
			}
		}
	}
	f := newFixture(3, 4000)
	got := residualFigures(f.res, f.runs)
	if len(got) != 3 || len(got[0].Figures) != 6 || !strings.Contains(got[0].Gist, "velocity explains") {
		t.Fatalf("%d joints, %d figures, %q", len(got), len(got[0].Figures), got[0].Gist)
	}
	for k, title := range []string{"Friction: ", "Over velocity", "Over position", "Spectrum", "Histogram: standard deviation", "Autocorrelation"} {
		if s := got[0].Figures[k].Title; !strings.HasPrefix(s, title) {
			t.Errorf("figure %d is %q, want %q", k+1, s, title)
		}
	}
}
