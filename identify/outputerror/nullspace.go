package outputerror

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"ident/internal/triangle"
)

// NullSpaceError lists the directions in parameter space that commands and positions do not determine: a change along
// them has no effect on such logs.
type NullSpaceError struct {
	Directions [][]string // names of the parameters that take part, most involved first
	Scale      bool       // one direction is the common factor of all torques
	Gains      []string   // unknown gains, of which one fixes the factor
}

func (e *NullSpaceError) Error() string {
	if e.Scale {
		return fmt.Sprintf("only ratios are determined: inertias, friction and the gains %s have a common factor that commands and positions do not show; give the value of one gain, or the torque a control unit", strings.Join(e.Gains, ", "))
	}
	var groups []string
	for _, d := range e.Directions {
		if len(d) > 6 {
			d = append(slices.Clone(d[:6]), "…")
		}
		groups = append(groups, strings.Join(d, ", "))
	}
	return fmt.Sprintf("commands and positions do not separate %s; give the value of one parameter of each group, or leave one of their terms out", strings.Join(groups, "; "))
}

// undetermined is the singular value, relative to the largest for columns of unit norm, below which a direction belongs
// to the null space: midpoints of a simulated motion satisfy the relation between torques and columns to 1e-5.
const undetermined = 3e-5

// identifiable finds the directions that the experiment leaves open: the null space of the relation Y·x = Σ gains·errors
// along a simulated motion, where it is exact. It ignores a free delay and encoder offsets, which are not linear.
func (f *fit) identifiable(motions []*motion, p parameters) error {
	base, n := f.gainAt(), f.joints
	size := base + len(f.law.Gains)
	sum := triangle.New(size)
	var work triangle.Work
	co := newCoefficients(f.subject, f.parts)
	for i, c := range f.runs {
		m := motions[i]
		late, part := lateness(p.delay, c.period)
		at := func(x []float64, k int) float64 { return x[max(k, 0)] }
		for first := 0; first < c.samples-1; first += 4 * chunkSteps { // a quarter of the rows is enough to find the rank
			co.rowsAt(m, c.period, first)
			for k := range n {
				cols := table(size, co.samples)
				for a, column := range f.subject.Model.Mask(k) {
					copy(cols[column], co.rows.Joint[k][a][:co.samples])
				}
				for g, gain := range f.law.Gains {
					if gain.Joint != k {
						continue
					}
					for t := range co.samples {
						s := first + t - late
						now := gain.P*at(m.e[k], s) + gain.D*at(m.de[k], s)
						before := gain.P*at(m.e[k], s-1) + gain.D*at(m.de[k], s-1)
						cols[base+g][t] = -(1-part)*now - part*before
					}
				}
				for t := range co.samples {
					if m.dq[k][first+t]*m.dq[k][first+t+1] > 0 {
						continue
					}
					for i := range cols { // friction at rest, or of two signs, is not that of the columns
						cols[i][t] = 0
					}
				}
				sum.Add(cols, make([]float64, co.samples), &work)
			}
		}
	}
	directions := nullSpace(sum)
	if len(directions) == 0 {
		return nil
	}
	e := &NullSpaceError{Gains: f.law.scalingNames(), Scale: f.homogeneous() && len(directions) == 1}
	for _, d := range directions {
		var taking []int
		for i := range d {
			if math.Abs(d[i]) > 1e-3 {
				taking = append(taking, i)
			}
		}
		slices.SortFunc(taking, func(a, b int) int {
			switch {
			case math.Abs(d[a]) > math.Abs(d[b]):
				return -1
			case math.Abs(d[a]) < math.Abs(d[b]):
				return 1
			}
			return a - b
		})
		var names []string
		for _, i := range taking {
			names = append(names, f.name(i))
		}
		e.Directions = append(e.Directions, names)
	}
	return e
}

// name returns the name of a base parameter or a gain.
func (f *fit) name(i int) string {
	if i < f.gainAt() {
		return f.subject.Set.Name(i)
	}
	return f.law.Gains[i-f.gainAt()].Name
}

// rowsAt evaluates the regressor alone.
func (c *coefficients) rowsAt(m *motion, period float64, first int) {
	c.midpoints(m, period, first)
	c.rows.Resize(c.samples)
	c.model.Eval(c.rows, cut(c.at[0], c.samples), cut(c.at[1], c.samples), cut(c.at[2], c.samples), c.ws)
}

// nullSpace returns the right singular vectors, in columns of unit norm, of singular values that are zero.
func nullSpace(sum *triangle.Factor) [][]float64 {
	n := sum.N
	r := mat.NewDense(n, n, nil)
	for j := range n {
		norm := 0.0
		for i := range j + 1 {
			norm = math.Hypot(norm, sum.R[i*n+j])
		}
		for i := range j + 1 {
			if norm > 0 {
				r.Set(i, j, sum.R[i*n+j]/norm)
			}
		}
	}
	var svd mat.SVD
	if !svd.Factorize(r, mat.SVDThin) {
		return nil
	}
	values := svd.Values(nil)
	var v mat.Dense
	svd.VTo(&v)
	var out [][]float64
	for i, s := range values {
		if s <= undetermined*values[0] {
			out = append(out, mat.Col(nil, i, &v))
		}
	}
	return out
}
