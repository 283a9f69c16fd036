package tool

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"ident/internal/spatial"
)

// Effort of Choose.
const (
	choiceStarts = 6
	choiceSweeps = 10
	// choiceWalk is the variance of a sensor's walk from one pose to the next over that of a pose's mean: between
	// sensors that hardly drift and those that do little else.
	choiceWalk = 0.3
)

// Choose returns the orientations of a sensor, by their indices and in their order, that determine mass and centre
// best: the least mean variance under noise and a walk from pose to pose. It exchanges one orientation of n after
// another for a better one as long as there is one, from several random sets. It returns nil where no n of them
// determine both, as where gravity has one direction in the sensor's frame, or is none. It panics unless 2 ≤ n ≤
// len(turns).
func Choose(turns [][3][3]float64, gravity [3]float64, n int, seed uint64) []int {
	if n < 2 || n > len(turns) {
		panic("tool: the number of orientations must be 2 or more, and at most that of all")
	}
	f := make([]spatial.Vec, len(turns))
	for k, r := range turns {
		f[k] = spatial.Scale(1/spatial.Norm(gravity), spatial.MulTVec(r, gravity))
	}
	rng := rand.New(rand.NewPCG(seed, 0x746f6f6c))
	var best []int
	least := math.Inf(1)
	at := make([]spatial.Vec, n)
	form := formOf(n)
	value := func(set []int) float64 {
		for k, i := range set {
			at[k] = f[i]
		}
		return form.spread(at)
	}
	for range choiceStarts {
		set := rng.Perm(len(turns))[:n]
		v := value(set)
		for range choiceSweeps {
			before := v
			for k := range set {
				own := set[k]
				for i := range f {
					set[k] = i
					if w := value(set); w < v {
						v, own = w, i
					}
				}
				set[k] = own
			}
			if v > before*(1-1e-6) {
				break
			}
		}
		if v < least {
			best, least = append([]int(nil), set...), v
		}
	}
	return best
}

// form is the quadratic form of a column of values at poses, whitened and less what a bias says of it.
type form [][]float64

func formOf(n int) form {
	blocks := make([]block, n)
	for k := range blocks {
		blocks[k] = block{t: float64(k), length: 1}
	}
	errors := noise{rest: 1, motion: 1, walk: choiceWalk}
	white := make([][]float64, n) // of units
	ones := make([]float64, n)
	for k := range white {
		white[k] = make([]float64, n)
		white[k][k] = 1
		errors.whiten(blocks, white[k], white[k])
		floats.Add(ones, white[k])
	}
	out := make(form, n)
	for i := range out {
		out[i] = make([]float64, n)
		for j := range out[i] {
			out[i][j] = floats.Dot(white[i], white[j]) - floats.Dot(white[i], ones)*floats.Dot(white[j], ones)/floats.Dot(ones, ones)
		}
	}
	return out
}

// spread returns the variance of the mass plus the mean variance of the first moments for unit noise, in units of gravity, whose directions at the poses are f.
// It is infinite where they are not determined.
func (q form) spread(f []spatial.Vec) float64 {
	var s spatial.Mat
	for i, row := range q {
		var g spatial.Vec
		for j, v := range row {
			g = spatial.AddScaled(g, v, f[j])
		}
		for a := range 3 {
			for b := range 3 {
				s[a][b] += f[i][a] * g[b]
			}
		}
	}
	trace := s[0][0] + s[1][1] + s[2][2]
	// The information of the first moments, trace·1 − s, by its principal minors and its determinant.
	a, b, c := trace-s[0][0], trace-s[1][1], trace-s[2][2]
	minors := a*b - s[0][1]*s[0][1] + a*c - s[0][2]*s[0][2] + b*c - s[1][2]*s[1][2]
	det := a*(b*c-s[1][2]*s[1][2]) - s[0][1]*(s[0][1]*c+s[1][2]*s[0][2]) - s[0][2]*(s[0][1]*s[1][2]+b*s[0][2])
	if !(det > 1e-12*trace*trace*trace) {
		return math.Inf(1)
	}
	return 1/trace + minors/(3*det)
}
