package tool

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
)

// Effort of Choose.
const (
	choiceStarts = 6
	choiceSweeps = 10
	// choiceWalk is the variance of a sensor's walk from one pose to the next over that of a pose's mean: between sensors that hardly drift and those that
	// do little else.
	choiceWalk = 0.3
)

// Choose returns the orientations of a sensor, by their indices and in their order, that determine mass and centre best: the least mean variance under noise and a walk from
// pose to pose. It exchanges one orientation of n after another for a better one as long as there is one, from several random sets.
// It returns nil where no n of them determine both, as where gravity has one direction in the sensor's frame, or is none. It panics unless 2 ≤ n ≤ len(turns).
func Choose(turns [][3][3]float64, gravity [3]float64, n int, seed uint64) []int {
	if n < 2 || n > len(turns) {
		panic("tool: no choice of so many orientations")
	}
	f := make([]spatial.Vec, len(turns))
	for k, r := range turns {
		f[k] = spatial.Scale(1/spatial.Norm(gravity), spatial.MulTVec(r, gravity))
	}
	rng := rand.New(rand.NewPCG(seed, 0x746f6f6c))
	var best []int
	least := math.Inf(1)
	at := make([]spatial.Vec, n)
	value := func(set []int) float64 {
		for k, i := range set {
			at[k] = f[i]
		}
		return spreadOfValues(at)
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

// spreadOfValues returns the variance of the mass plus the mean variance of the first moments for unit noise, in units of gravity.
func spreadOfValues(f []spatial.Vec) float64 {
	n := len(f)
	blocks := make([]block, n)
	for k := range blocks {
		blocks[k] = block{t: float64(k), length: 1}
	}
	errors := noise{rest: 1, motion: 1, walk: choiceWalk}
	ones, column := make([]float64, n), make([]float64, n)
	for k := range ones {
		ones[k] = 1
	}
	errors.whiten(blocks, ones, ones)
	square := 0.0
	for _, v := range ones {
		square += v * v
	}
	// The whitened parts of gravity, less what a bias says.
	var g [3][]float64
	for i := range g {
		for k := range column {
			column[k] = f[k][i]
		}
		g[i] = make([]float64, n)
		errors.whiten(blocks, column, g[i])
		along := 0.0
		for k := range ones {
			along += ones[k] * g[i][k]
		}
		for k := range ones {
			g[i][k] -= along / square * ones[k]
		}
	}
	var s spatial.Mat
	for i := range 3 {
		for j := range 3 {
			for k := range n {
				s[i][j] += g[i][k] * g[j][k]
			}
		}
	}
	trace := s[0][0] + s[1][1] + s[2][2]
	information := mat.NewSymDense(3, nil)
	for i := range 3 {
		for j := i; j < 3; j++ {
			information.SetSym(i, j, -s[i][j])
		}
		information.SetSym(i, i, trace-s[i][i])
	}
	var c mat.Cholesky
	if !c.Factorize(information) {
		return math.Inf(1)
	}
	var inverse mat.SymDense
	if c.InverseTo(&inverse) != nil {
		return math.Inf(1)
	}
	return 1/trace + mat.Trace(&inverse)/3
}
