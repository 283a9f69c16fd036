package flexible

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Frequencies returns the natural frequencies of small vibrations about z without gravity, rad/s, in increasing order:
// with the joints locked one for each amplitude, with free joints one for each coordinate, of which those of the arm's
// free motion are zero.
func (w *Work) Frequencies(z []float64, locked bool) ([]float64, error) {
	w.size(z)
	w.move(z, make([]float64, w.arm.size))
	w.inertiaMatrix()
	var of []int // coordinates
	at := make([]int, 0, w.arm.size)
	for j := range w.arm.links {
		if !locked {
			of, at = append(of, w.arm.at[j]), append(at, -1)
		}
		for k := range w.arm.links[j].First {
			of, at = append(of, w.arm.at[j]+1+k), append(at, j)
		}
	}
	n := len(of)
	if n == 0 {
		return nil, nil
	}
	inertia, stiffness := mat.NewSymDense(n, nil), mat.NewDense(n, n, nil)
	for i := range n {
		for k := range n {
			if k >= i {
				inertia.SetSym(i, k, w.mass[of[i]*w.arm.size+of[k]])
			}
			if at[i] >= 0 && at[i] == at[k] {
				first := w.arm.at[at[i]] + 1
				stiffness.Set(i, k, w.arm.links[at[i]].Stiffness[of[i]-first][of[k]-first])
			}
		}
	}
	var factor mat.Cholesky
	if !factor.Factorize(inertia) {
		return nil, fmt.Errorf("%w: a vibration moves no mass", ErrSingular)
	}
	// L⁻¹·K·L⁻ᵀ has the squares as eigenvalues.
	var l mat.TriDense
	factor.LTo(&l)
	var half, whole mat.Dense
	if err := half.Solve(&l, stiffness); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSingular, err)
	}
	if err := whole.Solve(&l, half.T()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSingular, err)
	}
	symmetric := mat.NewSymDense(n, nil)
	for i := range n {
		for k := i; k < n; k++ {
			symmetric.SetSym(i, k, (whole.At(i, k)+whole.At(k, i))/2)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(symmetric, false) {
		return nil, fmt.Errorf("%w: the vibrations have no eigenvalues", ErrSingular)
	}
	out := e.Values(nil)
	for i, v := range out {
		out[i] = math.Sqrt(max(v, 0))
	}
	return out, nil
}
