package order

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/internal/eigen"
	"ident/internal/spatial"
)

// Principal returns the principal moments of a central inertia, and the principal axes as the columns of axes. They
// form a right-handed frame; of the 24 possible ones it is the one nearest to the body's own.
func Principal(central [3][3]float64) (moments [3]float64, axes [3][3]float64, err error) {
	s := mat.NewSymDense(3, nil)
	for i := range 3 {
		for k := i; k < 3; k++ {
			s.SetSym(i, k, (central[i][k]+central[k][i])/2)
		}
	}
	values, v, ok := eigen.Scaled(s, true)
	if !ok {
		return moments, axes, errors.New("the principal axes of the inertia were not found")
	}
	best := -1.0
	for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		near := 0.0
		for i, k := range order {
			near += math.Abs(v.At(i, k))
		}
		if near <= best+1e-12 { // the first of equals
			continue
		}
		best = near
		for i, k := range order {
			moments[i] = values[k]
			sign := math.Copysign(1, v.At(i, k))
			for row := range 3 {
				axes[row][i] = sign * v.At(row, k)
			}
		}
	}
	if spatial.Dot(axes[0], spatial.Cross(axes[1], axes[2])) < 0 { // turn the axis that is farthest from its own over
		far := 0
		for i := range 3 {
			if axes[i][i] < axes[far][far]-1e-12 {
				far = i
			}
		}
		for row := range 3 {
			axes[row][far] = -axes[row][far]
		}
	}
	return moments, axes, nil
}
