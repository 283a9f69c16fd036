package flexible

import (
	"math"
	"math/rand/v2"
)

// Base is a set of parameters that torques and deflections determine, out of some.
type Base struct {
	Columns []int       // indices of the base parameters, ascending
	Regroup [][]float64 // by parameter: how much a unit of it adds to each base parameter
	Moving  int         // parameters with a column that is not zero
}

// Base finds the base parameters by orthogonal elimination over random states: a parameter is kept if its column, over all
// coordinates and states, is no sum of those kept before it. Parameters without influence and those that are regrouped have no
// place in Columns.
func (a *Arm) Base(parameters []Parameter) Base {
	rng := rand.New(rand.NewPCG(13, 62)) // any states do; the same ones give the same bits
	states := 20 + 3*len(parameters)/a.size
	n := a.size * states
	column := make([][]float64, len(parameters))
	for i := range column {
		column[i] = make([]float64, 0, n)
	}
	w := a.NewWork()
	rows := make([]float64, a.size*len(parameters))
	z, dz, ddz := make([]float64, a.size), make([]float64, a.size), make([]float64, a.size)
	for range states {
		for i := range z {
			z[i], dz[i], ddz[i] = deflection*rng.NormFloat64(), rng.NormFloat64(), 10*rng.NormFloat64()
		}
		for _, at := range a.at {
			z[at] = math.Pi * (2*rng.Float64() - 1)
		}
		w.Regressor(rows, parameters, z, dz, ddz)
		for s := range a.size {
			for i := range column {
				column[i] = append(column[i], rows[s*len(parameters)+i])
			}
		}
	}
	var b Base
	var q [][]float64    // orthonormal
	var made [][]float64 // each of q by the columns kept
	for i, c := range column {
		size := norm(c)
		part := make([]float64, len(q))
		if size > 0 {
			b.Moving++
			rest := append([]float64{}, c...)
			for range 2 { // once more against rounding (Parlett's "twice is enough")
				for k := range q {
					s := 0.0
					for x, v := range q[k] {
						s += v * rest[x]
					}
					for x, v := range q[k] {
						rest[x] -= s * v
					}
					part[k] += s
				}
			}
			// Columns of products of deflections are 10⁻³ of others; sums of rounding are 10⁻¹³.
			if left := norm(rest); left > 1e-9*size {
				for x := range rest {
					rest[x] /= left
				}
				own := make([]float64, len(q)+1)
				for k := range q {
					for x, v := range made[k] {
						own[x] -= part[k] * v / left
					}
				}
				own[len(q)] = 1 / left
				q, made, b.Columns = append(q, rest), append(made, own), append(b.Columns, i)
				b.Regroup = append(b.Regroup, nil)
				continue
			}
		}
		by := make([]float64, len(q))
		for k := range q {
			for x, v := range made[k] {
				by[x] += part[k] * v
			}
		}
		b.Regroup = append(b.Regroup, by)
	}
	for i := range b.Regroup {
		by := make([]float64, len(b.Columns))
		copy(by, b.Regroup[i])
		b.Regroup[i] = by
	}
	for k, i := range b.Columns {
		b.Regroup[i][k] = 1
	}
	return b
}

// deflection is a random amplitude of the search for base parameters, m.
const deflection = 0.05

// Values regroups values of all parameters onto the base parameters.
func (b Base) Values(chi []float64) []float64 {
	out := make([]float64, len(b.Columns))
	for i, by := range b.Regroup {
		for k, v := range by {
			out[k] += v * chi[i]
		}
	}
	return out
}

func norm(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}
