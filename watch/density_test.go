package watch

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The density of white noise of variance v at a rate is v/rate, with exact parameters and with errors that their covariance allows. Without the
// covariance the errors count as noise.
func TestDensityIsOfNoise(t *testing.T) {
	m := seven(t)
	exactly := m
	exactly.Covariance = nil
	random := rand.New(rand.NewPCG(1, 71))
	quiet := func(m Model, errors bool) []float64 {
		of := exactly
		if errors {
			of.Values = append([]float64(nil), of.Values...)
			for i := range of.Values {
				of.Values[i] += 0.001 * random.NormFloat64()
			}
		}
		c := NewCalibrator(m, 0)
		rows := exact(t, of, 60_000, 0.1)
		c.Add(rows)
		n, err := c.Noise()
		if err != nil {
			t.Fatal(err)
		}
		density := slices.Clone(n.Density)
		for j := range density {
			mean := 0.0
			for _, f := range n.Floor[j][1:] {
				mean += f * f / float64(len(n.Floor[j])-1)
			}
			density[j] *= mean / (0.1 * 0.1 / n.RateHz)
		}
		return density
	}
	for i := range m.Covariance {
		m.Covariance[i][i] = 0.001 * 0.001
	}
	without, with, counted := quiet(exactly, false), quiet(m, true), quiet(exactly, true)
	larger := 0.0
	for j := range without {
		// 60 s have about 115 means of half a second without a rest, so a density has a deviation of 13 %.
		if without[j] < 0.6 || without[j] > 1.4 || math.Abs(math.Log(with[j]/without[j])) > 0.4 {
			t.Errorf("joint %d: densities of %.2f without errors and %.2f with, want 1", j, without[j], with[j])
		}
		larger = max(larger, counted[j]/without[j])
	}
	if larger < 2 {
		t.Errorf("errors of parameters without a covariance make densities %.2f times as large: the test could not fail", larger)
	}
}
