package gravity

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// places are the ways of the pairs, by joint: from the lowest to the highest position of both passes.
type places [][][2]float64

func (p places) add(l *Log, pair Pair) {
	for k, q := range l.Q {
		low, high := math.Inf(1), math.Inf(-1)
		for _, side := range [2][2]int{pair.Forward, pair.Back} {
			for _, v := range q[side[0]:side[1]] {
				low, high = min(low, v), max(high, v)
			}
		}
		p[k] = append(p[k], [2]float64{low, high})
	}
}

// overlap returns the correlation of the means, over two ways, of a torque that is a function of the place and has none
// between different places: the way in common, as a part of the geometric mean of both. These correlations are scalar
// products of functions of the place, so that matrices of them have no negative eigenvalues.
func overlap(a, b [2]float64) float64 {
	wa, wb := a[1]-a[0], b[1]-b[0]
	if wa == 0 || wb == 0 { // a joint that stands
		if a == b {
			return 1
		}
		return 0
	}
	return max(0, min(a[1], b[1])-max(a[0], b[0])) / math.Sqrt(wa*wb)
}

// common is the part of the errors that pairs at the same place of a joint share. With rows weighted to errors of variance 1
//
//	R = I + ρ·O,  O of the overlaps of different pairs of one joint
//
// is the covariance of the errors, M = I − U·Uᵀ makes residuals of them, and the two sums of the residuals r have the means
//
//	E rᵀr = tr M + ρ·tr MO,  E rᵀOr = tr MO + ρ·tr MOMO
//
// times one factor, of whose quotient ρ comes (quadratic forms and their means, as Rao 1971 has them; the sums over places are those of
// cluster-robust covariances, Liang and Zeger 1986, with the degrees of freedom that the estimate takes). One ρ for all joints, since few
// poses of one joint lie at one place.
type common struct {
	r      []float64
	u, o   *mat.Dense // U and O·U, rows by joint and pair
	gram   *mat.Dense // UᵀOU
	pairs  int
	shared float64
}

func newCommon(at places, u *mat.Dense, r []float64) *common {
	rows, n := u.Dims()
	c := &common{r: r, u: u, o: mat.NewDense(rows, n, nil), gram: mat.NewDense(n, n, nil), pairs: len(at[0])}
	var squares, crossed, all, twice float64 // rᵀr, rᵀOr, tr OO, tr UᵀOOU
	for k := range at {
		for i := range at[k] {
			row := k*c.pairs + i
			squares += r[row] * r[row]
			to := c.o.RawRowView(row)
			for j := range at[k] {
				if i == j {
					continue
				}
				s := overlap(at[k][i], at[k][j])
				if s == 0 {
					continue
				}
				all += s * s
				crossed += s * r[row] * r[k*c.pairs+j]
				for m, v := range u.RawRowView(k*c.pairs + j) {
					to[m] += s * v
				}
			}
			twice += dot(to, to)
		}
	}
	c.gram.Mul(u.T(), c.o)
	free := float64(rows - n)
	mo := -mat.Trace(c.gram)
	momo := all - 2*twice
	for i := range n {
		for j := range n {
			momo += c.gram.At(i, j) * c.gram.At(j, i)
		}
	}
	// As many equations tell no smaller part of independent errors than one of them is; and without residuals nothing is shared.
	if below := squares*momo - crossed*mo; below > 0 {
		c.shared = min(max(0, (crossed*free-squares*mo)/below), 1-1/float64(rows))
	}
	return c
}

// squares returns the squares of a joint's residuals, and their mean where its errors have the variance 1: the trace of its
// part of MRM.
func (c *common) squares(k int) (sum, mean float64) {
	for i := k * c.pairs; i < (k+1)*c.pairs; i++ {
		sum += c.r[i] * c.r[i]
		u, o := c.u.RawRowView(i), c.o.RawRowView(i)
		mean += 1 - dot(u, u) - 2*c.shared*dot(u, o)
		for a := range u {
			mean += c.shared * u[a] * dot(c.gram.RawRowView(a), u)
		}
	}
	return sum, mean
}

// between is UᵀRU.
func (c *common) between() *mat.Dense {
	n, _ := c.gram.Dims()
	out := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			out.Set(i, j, c.shared*c.gram.At(i, j))
		}
		out.Set(i, i, 1+out.At(i, i))
	}
	return out
}
