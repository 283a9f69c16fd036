package watch

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// densitySeconds are the lengths of the means that measure the density of the noise, s: of motions, of the means that a load is weighed by, and of slow
// changes. The latter two count by their lower 95 % bound: the largest of three is otherwise larger than the truth.
var densitySeconds = [...]float64{0.5, gatherSeconds, 5}

// pieces are means of a quiet log over [gatherSeconds]: of the noise, in units of its deviation, and of the observer's regressor rows.
type pieces struct {
	rows int           // of a piece
	sum  [][]float64   // of the newest rows, by joint and column of its mask
	n    int           // number of these
	w    [][][]float64 // by piece, joint and column
	e    [][]float64   // by joint and piece; not a number where the joint is at rest, as its friction is not known there
}

// mostPieces is the largest number of pieces of a log: those of ten minutes, which take 3 MB a joint.
const mostPieces = longQuiet / gatherSeconds

func newPieces(o *observer, rateHz float64) *pieces {
	p := &pieces{rows: max(1, int(math.Round(gatherSeconds*rateHz)))}
	for _, w := range o.w {
		p.sum = append(p.sum, make([]float64, len(w)))
	}
	return p
}

// add takes in the observer's newest row.
func (p *pieces) add(o *observer) {
	if len(p.w) >= mostPieces {
		return
	}
	for j, w := range o.w {
		for c, x := range w {
			p.sum[j][c] += x
		}
	}
	if p.n++; p.n < p.rows {
		return
	}
	mean := make([][]float64, len(p.sum))
	for j, s := range p.sum {
		mean[j] = make([]float64, len(s))
		for c, x := range s {
			mean[j][c] = x / float64(p.n)
		}
		clear(s)
	}
	p.w, p.n = append(p.w, mean), 0
}

// scale computes the noise, and puts the regressor rows in its units.
func (p *pieces) scale(n *Noise, run Columns, tr *trace) {
	for j := range run.Q {
		e := make([]float64, len(p.w))
		for k := range p.w {
			f, bound := 0.0, 0.0
			for q := k * p.rows; q < (k+1)*p.rows; q++ {
				e[k] += tr.r[j][q]
				f += n.floorAt(j, run.DQ[j][q]) * tr.pose[j][q]
				bound += tr.bound[j][q]
			}
			if bound > 0.1*f || k*p.rows < n.settling() {
				e[k] = math.NaN()
			}
			e[k] /= f
			for c := range p.w[k][j] {
				p.w[k][j][c] *= float64(p.rows) / f
			}
		}
		p.e = append(p.e, e)
	}
}

// densities measures, by joint, the spectral density of the noise at low frequencies in units of its variance, s. The errors of the parameters, which
// have the covariance Σ, are not a part of it, because a weighing counts Σ apart: those that are most probable by the rows of a run are taken off.
func (c *Calibrator) densities(n *Noise, o *observer, traces []trace) {
	for i := range traces {
		traces[i].pieces.scale(n, c.runs[i], &traces[i])
	}
	n.Density = density(traces, n, 0)
	if c.model.Covariance == nil {
		return
	}
	all := make([]int, len(c.model.Values))
	for i := range all {
		all[i] = i
	}
	root, lost := lowerRoot(c.model.Covariance, all), 0.0
	for i := range traces {
		lost += traces[i].pieces.explain(o, root, n)
	}
	n.Density = density(traces, n, lost)
}

// explain takes off the most probable errors of the parameters, x = L·(I + Lᵀ·G·L)⁻¹·Lᵀ·b with Σ = L·Lᵀ and the normal equations G, b of the run. It
// returns how many values these cost: the trace of (I + Lᵀ·G·L)⁻¹·Lᵀ·G·L.
func (p *pieces) explain(o *observer, root [][]float64, n *Noise) (lost float64) {
	size := len(root)
	g, b := mat.NewSymDense(size, nil), mat.NewVecDense(size, nil)
	row := make([]float64, size)
	for i := range size {
		g.SetSym(i, i, 1)
	}
	turned := func(j, k int) []float64 { // Lᵀ·w
		clear(row)
		for c, col := range o.rows.Mask(j) {
			for i, x := range root[col] {
				row[i] += x * p.w[k][j][c]
			}
		}
		return row
	}
	for j, list := range p.e {
		weight := float64(p.rows) / n.RateHz / n.Density[j]
		for k, e := range list {
			if !math.IsNaN(e) {
				x := mat.NewVecDense(size, turned(j, k))
				g.SymRankOne(g, weight, x)
				b.AddScaledVec(b, weight*e, x)
			}
		}
	}
	var factor mat.Cholesky
	var inverse mat.SymDense
	var x mat.VecDense
	if !factor.Factorize(g) || factor.SolveVecTo(&x, b) != nil || factor.InverseTo(&inverse) != nil {
		return 0
	}
	for j, list := range p.e {
		for k := range list {
			list[k] -= mat.Dot(&x, mat.NewVecDense(size, turned(j, k)))
		}
	}
	return float64(size) - mat.Trace(&inverse)
}

// density returns the densities, the largest of means over each of [densitySeconds]. The values that were lost to parameters are those of all joints.
func density(traces []trace, n *Noise, lost float64) []float64 {
	out := make([]float64, len(n.RestRate))
	for _, seconds := range densitySeconds {
		square, count, all := make([]float64, len(out)), make([]float64, len(out)), 0.0
		for i := range traces {
			p := traces[i].pieces
			size := max(1, int(math.Round(seconds*n.RateHz/float64(p.rows))))
			for j, list := range p.e {
				for ; len(list) >= size; list = list[size:] {
					sum, used := 0.0, 0.0
					for _, e := range list[:size] {
						if !math.IsNaN(e) {
							sum, used = sum+e, used+1
						}
					}
					if 2*used > float64(size) {
						// A mean over B seconds of values of density S has the variance S/B.
						square[j] += sum * sum / used * float64(p.rows) / n.RateHz
						count[j], all = count[j]+1, all+1
					}
				}
			}
		}
		for j := range out {
			if count[j] < leastValues || all < 4*lost {
				continue
			}
			s := square[j] / count[j] * all / (all - lost)
			if seconds != densitySeconds[0] {
				s /= 1 + 1.645*math.Sqrt(2/count[j])
			}
			out[j] = max(out[j], s)
		}
	}
	for j := range out {
		if out[j] == 0 {
			out[j] = 2 / n.Bandwidth // of white noise behind the observer
		}
	}
	return out
}
