package regression

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
	"ident/regressor"
	"ident/robot"
)

// Every model gives the dynamic one's parameters from a log without noise. The error
// is that of differences and integrals between samples:
// they are exact for cubics, so of the fourth order in ω·T. At 500 Hz the fastest
// rates, products of up to three times the highest harmonic of 0.5 Hz each, have
// (2π·1.5/500)⁴ = 1e-7, times a factor below one, and the condition number of the
// estimate, 40 or so, on top: 1e-6 is asked. The dynamic model, whose motion is
// measured whole, has nothing to difference: 1e-8.
func TestModelsAgreeWithoutNoise(t *testing.T) {
	r := arm(4)
	rec := simulate(t, r, newTrajectory(4, 1, 0.1), steady(500, float64(long.Of(30, 12))))
	run := rec.run("a")
	for _, kind := range Kinds() {
		for name, change := range map[string]func(*Config){
			"low-pass":   func(c *Config) { c.Cutoff = 10 },
			"decimation": func(c *Config) { c.Decimate = 10 },
			"order 1":    func(c *Config) { c.Cutoff, c.Order = 10, 1 },
			"trimmed":    func(c *Config) { c.Cutoff, c.Trim = 10, 0.5 },
			"chunks":     func(c *Config) { c.Cutoff, c.chunk = 10, 1000 },
		} {
			if !long.Set() && name != "decimation" {
				continue
			}
			cfg := exact()
			cfg.Model = kind
			change(&cfg)
			out, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{run}, nil, cfg)
			if err != nil {
				t.Fatalf("%s, %s: %v", kind, name, err)
			}
			limit := 1e-6
			if kind == Dynamic {
				limit = 1e-8
			}
			e := distance(estimates(out), truth(out, r))
			t.Logf("%s, %s: off by %.2g, condition %.3g, rows %d", kind, name, e, out.Result.Condition.Scaled, out.Result.Samples.Used)
			if !(e < limit) {
				t.Errorf("%s, %s: parameters are off by %g, limit %g", kind, name, e, limit)
			}
		}
	}
}

// noisyTorques logs an arm with white noise on the torques.
func noisyTorques(tb testing.TB, r *robot.Robot, seed uint64, sigma float64) *record {
	rec := simulate(tb, r, newTrajectory(len(r.Links), seed, 0.2), steady(100, 30))
	rng := rand.New(rand.NewPCG(seed, 77))
	for k := range rec.tau {
		for i := range rec.tau[k] {
			rec.tau[k][i] += sigma * rng.NormFloat64()
		}
	}
	return rec
}

// Noise on the torques alone does not set the models apart: with a chance of 5 % a
// pair at most, of 24 logs and ten pairs no more than 24 are. A velocity channel
// that is a fiftieth too large does: the dynamic model takes the accelerations
// from their own channel and the others the rates.
func TestModelsDisagreeOnlyForAReason(t *testing.T) {
	long.Only(t, "TestModelsAgreeWithoutNoise stands for it")
	r := arm(2)
	cfg := exact()
	cfg.Cutoff, cfg.Trim = 8, 0.3
	count := func(spoil func(*record)) (pairs, apart int) {
		for seed := range uint64(long.Of(24, 6)) {
			rec := noisyTorques(t, r, seed, 0.2)
			spoil(rec)
			c, err := FitModels(t.Context(), r, regressor.DefaultTerms(), []Run{rec.run("a")}, nil, cfg, Kinds())
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range c.Agreements {
				if g.Unknown != "" || g.Blocks == 0 {
					t.Fatalf("%s and %s: nothing can be said: %+v", g.A, g.B, g)
				}
				if g.A != Dynamic {
					continue
				}
				pairs++
				if !g.Agree {
					apart++
				}
			}
		}
		return pairs, apart
	}
	pairs, apart := count(func(*record) {})
	t.Logf("%d of %d pairs apart", apart, pairs)
	// Binomial: 96 pairs at 5 % are 4.8 ± 2.1 if they were independent; the four
	// pairs of a log are not, which doubles the deviation at most. 3.6 of these are allowed.
	if n := float64(pairs); float64(apart) > 0.05*n+3.6*2*math.Sqrt(0.05*0.95*n) {
		t.Errorf("%d of %d pairs were called apart for torque noise", apart, pairs)
	}
	pairs, apart = count(func(rec *record) {
		for k := range rec.dq {
			for i := range rec.dq[k] {
				rec.dq[k][i] *= 1.02
			}
		}
	})
	t.Logf("%d of %d pairs apart with a wrong velocity", apart, pairs)
	if apart < pairs/2 {
		t.Errorf("%d of %d pairs were called apart for a wrong velocity", apart, pairs)
	}
}

// Over many logs of the same motion, with noise on the torques, every model's
// estimates scatter about the truth by their own deviations, though rows of the
// energy and momentum models overlap; and the difference of two models by its own.
// The mean square of t with b degrees is b/(b−2), 1.1 for the 20 or so blocks, and
// 24 logs estimate it to 30 %, less for the number of parameters: 1.7 at most, and 0.5
// at least, twice as far from 1.1 and 1 for a quarter of the logs. Differences between models with rows for each joint may be as small
// as 1.5⁻² of their deviation squared (see Agreement).
func TestDeviationsOfModels(t *testing.T) {
	long.Only(t, "TestModelsAgreeWithoutNoise and estimate.TestCoverage stand for it")
	r := arm(2)
	cfg := exact()
	cfg.Cutoff, cfg.Trim = 8, 0.3
	n := long.Of(24, 0)
	logs := float64(n)
	wider := math.Sqrt(24 / logs)
	ratio, own := map[Kind]float64{}, map[Kind]float64{}
	for seed := range uint64(n) {
		rec := noisyTorques(t, r, 1, 0)
		rng := rand.New(rand.NewPCG(seed, 78))
		for k := range rec.tau {
			for i := range rec.tau[k] {
				rec.tau[k][i] += 0.2 * rng.NormFloat64()
			}
		}
		c, err := FitModels(t.Context(), r, regressor.DefaultTerms(), []Run{rec.run("a")}, nil, cfg, Kinds())
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range c.Outcomes {
			want := truth(o, r)
			for k, p := range o.Result.BaseParameters {
				z := (p.Value - want[k]) / p.Sigma
				own[Kinds()[i]] += z * z / (float64(len(want)) * logs)
			}
		}
		for i, o := range c.Outcomes[1:] {
			d, s, _ := spread(c.Outcomes[0], o)
			for k := range d {
				ratio[Kinds()[i+1]] += d[k] * d[k] / (s[k] * s[k]) / (float64(len(d)) * logs)
			}
		}
	}
	for kind, v := range own {
		t.Logf("%s: squared errors are %.3f of what is said", kind, v)
		if !(v > 1-0.5*wider && v < 1.1+0.6*wider) {
			t.Errorf("%s: squared errors are %.3g times their said variance", kind, v)
		}
	}
	for kind, v := range ratio {
		t.Logf("%s: squared differences are %.3f of what is said", kind, v)
		if !(v > 1-0.7*wider && v < 1.1+0.6*wider) {
			t.Errorf("dynamic and %s: squared differences are %.3g times their said variance", kind, v)
		}
	}
}
