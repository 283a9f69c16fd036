package observation

import (
	"math"
	"math/rand/v2"
	"slices"
)

// DrawNoise draws noise of the measured size for every motion channel of the sources. A source has its own draw, which does not
// depend on the order of the runs.
func DrawNoise(rng *rand.Rand, noise [][]JointNoise, sources []Source) [][][]float64 {
	var out [][][]float64
	high, low := rng.Uint64(), rng.Uint64()
	for i := range sources {
		rng := rand.New(rand.NewPCG(high^mark(&sources[i]), low))
		joints := noise[sources[i].Segment.Run]
		positions, velocities := sources[i].Motion(sources[i].Samples)
		var columns [][]float64
		for k := range positions {
			columns = append(columns, normal(rng, joints[k].Position.Sigma, len(positions[k])))
		}
		for k := range velocities {
			columns = append(columns, normal(rng, joints[k].Velocity.Sigma, len(velocities[k])))
		}
		out = append(out, columns)
	}
	return out
}

// mark is a number of the source's positions, the same for the same log (FNV-1a by words).
func mark(s *Source) uint64 {
	h := uint64(14695981039346656037)
	positions, _ := s.Motion(s.Samples)
	for _, q := range positions {
		for k := 0; k < len(q); k += len(q)/64 + 1 {
			h = (h ^ math.Float64bits(q[k])) * 1099511628211
		}
	}
	return h
}

func normal(rng *rand.Rand, sigma float64, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = sigma * rng.NormFloat64()
	}
	return x
}

// Perturbed adds noise to copies of the sources' motion.
func Perturbed(sources []Source, noise [][][]float64, sign float64) []Source {
	out := slices.Clone(sources)
	for i := range out {
		out[i].Samples = slices.Clone(out[i].Samples)
		for c, x := range out[i].Samples {
			out[i].Samples[c] = slices.Clone(x)
		}
		positions, velocities := out[i].Motion(out[i].Samples)
		for k, x := range slices.Concat(positions, velocities) {
			for j := range x {
				x[j] += sign * noise[i][k][j]
			}
		}
	}
	return out
}
