package observation

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// DrawNoise draws noise of the measured size for every motion channel of the sources. Each source has its own draw,
// which does not depend on the order of the runs.
func DrawNoise(rng *rand.Rand, noise [][]JointNoise, sources []Source) [][][]float64 {
	var out [][][]float64
	high, low := rng.Uint64(), rng.Uint64()
	for i := range sources {
		rng := rand.New(rand.NewPCG(high^sources[i].mark(), low))
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

// marks is the number of values of each position channel that enter a mark.
const marks = 64

// mark returns a hash of the source's positions that is the same for the same log on every processor. It uses rows as
// logged: resampled ones are rounded differently where products and sums are fused.
func (s *Source) mark() uint64 {
	if s.logged != 0 {
		return s.logged
	}
	h := noMark
	for _, q := range s.Positions(s.Samples) {
		for k := 0; k < len(q); k += len(q)/marks + 1 {
			h.add(q[k])
		}
	}
	return uint64(h)
}

// markLogged computes the mark of a resampled source from the first rows of its segment.
func (s *Source) markLogged(ctx context.Context, rows int) error {
	seg := s.Segment
	rows = min(rows, seg.Last-seg.First)
	h, step := noMark, rows/marks+1
	err := s.Run.Log.Slice(seg.First, seg.First+rows).Scan(s.Run.Roles.Q, scanRows, func(first int, cols [][]float64) error {
		for k := (step - first%step) % step; k < len(cols[0]); k += step {
			for _, q := range cols {
				h.add(q[k])
			}
		}
		return ctx.Err()
	})
	s.logged = uint64(h)
	return err
}

// fnv is a hash of numbers (FNV-1a by words).
type fnv uint64

const noMark fnv = 14695981039346656037

// add adds one number; all NaN count as one value.
func (h *fnv) add(x float64) {
	if math.IsNaN(x) {
		x = 0
	}
	*h = (*h ^ fnv(math.Float64bits(x))) * 1099511628211
}

func normal(rng *rand.Rand, sigma float64, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = sigma * rng.NormFloat64()
	}
	return x
}

// Perturbed returns copies of the sources with noise, times sign, added to their motion.
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
