package observation

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/datasets"
	"ident/filter"
)

// heldStill returns positions of a joint that a drive holds: with noise, with an encoder that chatters by a count, creeping by a
// few deviations, or without any of it.
func heldStill(rng *rand.Rand, kind string, n int) []float64 {
	q, count := make([]float64, n), 0.0
	for i := range q {
		q[i] = 0.7
		switch kind {
		case "noise":
			q[i] += 2e-5 * rng.NormFloat64()
		case "chatter":
			if rng.Float64() < 0.02 {
				count = 1 - count
			}
			q[i] += 1e-4 * count
		case "creep":
			q[i] += 2e-5*rng.NormFloat64() + 2e-4*math.Exp(-float64(i)/float64(n))
		case "spike":
			if q[i] += 2e-5 * rng.NormFloat64(); i == n/3 {
				q[i] += 1
			}
		}
	}
	return q
}

// A joint stands whatever its noise, and moves if the motion is a hundred times the noise, for a twentieth of the log or
// slowly.
func TestStands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		rate, n := rapid.SampledFrom([]float64{50, 200, 1000}).Draw(t, "rate"), rapid.IntRange(1000, 8000).Draw(t, "rows")
		kind := rapid.SampledFrom([]string{"noise", "chatter", "creep", "spike", "exact"}).Draw(t, "kind")
		q := heldStill(rng, kind, n)
		if !Stands(q, rate) {
			t.Fatalf("%s: the joint moves", kind)
		}
		amplitude, f := 1e-4*math.Pow(10, rapid.Float64Range(2, 4).Draw(t, "decades")), rapid.Float64Range(0.05, 2).Draw(t, "Hz")
		window := int(rapid.Float64Range(0.05, 1).Draw(t, "part") * float64(n))
		for i := range window {
			q[i] += amplitude * (1 - math.Cos(2*math.Pi*(math.Ceil(f*float64(window)/rate))*float64(i)/float64(window)))
		}
		if Stands(q, rate) {
			t.Fatalf("%s: the joint stands although it moves by %g rad for %d of %d rows", kind, 2*amplitude, window, n)
		}
	})
}

// A joint that stands in a run changes no choice: neither the cut-off of the motion, nor the source of velocities, nor the
// rest of the others.
func TestStandingJointChangesNoChoice(t *testing.T) {
	const rate, n = 200, 8000
	for _, kind := range []string{"noise", "chatter", "creep", "exact"} {
		rng := rand.New(rand.NewPCG(1, 2))
		channels := []datasets.Channel{{Name: "t"}, {Name: "q1"}, {Name: "dq1"}, {Name: "q2"}, {Name: "dq2"}}
		columns := make([][]float64, len(channels))
		for i := range n {
			at := float64(i) / rate
			columns[0] = append(columns[0], at)
			columns[1] = append(columns[1], math.Sin(2*math.Pi*0.7*at)+1e-5*rng.NormFloat64())
			columns[2] = append(columns[2], 2*math.Pi*0.7*math.Cos(2*math.Pi*0.7*at)+1e-4*rng.NormFloat64())
			columns[4] = append(columns[4], 1e-3*rng.NormFloat64())
		}
		columns[3] = heldStill(rng, kind, n)
		log := datasets.FromColumns("log", channels, columns, nil)
		rows, settings := filter.LowPass{Cutoff: 10, Order: 2}, Settings{Path: Path{Differentiator: Central, Velocity: Auto, Acceleration: Auto, MotionCutoff: 50, Cutoff: 10, Order: 2, Trim: 0.5}, RemoveLag: true}
		type choices struct {
			cutoff, share float64
			velocity      string
		}
		choose := func(roles datasets.Roles) (c choices, rest RestRule) {
			run := Run{Name: "log", Log: log, Last: n, Roles: roles}
			segments, _, err := Segments(0, &run, run.Channels(true, false), false)
			if err != nil {
				t.Fatal(err)
			}
			noise, err := MeasureNoise(context.Background(), &run, segments)
			if err != nil {
				t.Fatal(err)
			}
			all := [][]JointNoise{noise}
			c.cutoff, _ = MotionCutoff(all, 50, rows)
			c.share = NoiseShare(all, Measured, rows, rows)
			choice, err := Choose(context.Background(), settings, &run, &segments[0])
			if err != nil {
				t.Fatal(err)
			}
			c.velocity = choice.Velocity
			return c, NewRestRule(all, 10)
		}
		both, rest := choose(datasets.Roles{T: "t", Q: []string{"q1", "q2"}, DQ: []string{"dq1", "dq2"}, Tau: []string{"q1", "q2"}})
		alone, own := choose(datasets.Roles{T: "t", Q: []string{"q1"}, DQ: []string{"dq1"}, Tau: []string{"q1"}})
		if both != alone || rest.Range[0] != own.Range[0] || rest.Seconds[0] != own.Seconds[0] {
			t.Errorf("%s: %+v and %v beside a joint that stands, %+v and %v without it", kind, both, rest, alone, own)
		}
	}
}
