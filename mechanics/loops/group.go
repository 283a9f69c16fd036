package loops

import (
	"math"
)

// group is the loops that share dependent coordinates, and are solved together.
type group struct {
	loops   []contour
	unknown []int // coordinates to solve for
	driven  []int // places in the tracker's list of driven coordinates
	coords  []int // their coordinates
	length  float64
	equations

	jacobian        []float64 // G: unknowns × driven
	jacobianRate    []float64
	previous        []float64 // unknown coordinates before the step
	predictionError []float64 // of the unknown coordinates, at the last step
}

// clone returns a group with memory of its own.
func (g *group) clone() *group {
	n := *g
	n.loops = make([]contour, len(g.loops))
	for l := range n.loops {
		n.loops[l] = g.loops[l].clone()
	}
	unknown, entries := len(g.unknown), len(g.unknown)*len(g.driven)
	n.equations = g.equations.clone()
	n.jacobian, n.jacobianRate = make([]float64, entries), make([]float64, entries)
	n.previous, n.predictionError = make([]float64, unknown), make([]float64, unknown)
	return &n
}

// predict adds to the dependent coordinates G times the step of the driven ones,
// and the error of the last prediction: in steady steps the second derivative
// makes the same one each time.
func (g *group) predict(q, at, next []float64) {
	n := len(g.driven)
	for i, k := range g.unknown {
		q[k] += g.predictionError[i]
		for j, d := range g.driven {
			q[k] += g.jacobian[i*n+j] * (next[d] - at[d])
		}
	}
}

// close solves for the dependent coordinates from where they are, and leaves G
// and the factors of the last derivative. It returns false where that does not
// converge or is singular.
func (g *group) close(q []float64) bool {
	for i, k := range g.unknown {
		g.predictionError[i] -= q[k]
	}
	last := math.Inf(1)
	for range newtonSteps {
		size := g.evaluate(q)
		// Newton's method at least halves the mismatch or has lost its way.
		if !(size < last/2 || size <= closed) || !g.eliminate() {
			return false
		}
		last = size
		g.solve(g.r)
		for i, k := range g.unknown {
			q[k] -= g.x[i] * g.unit[i]
		}
		if size < trackingTolerance {
			g.differentiate()
			for i, k := range g.unknown {
				g.predictionError[i] += q[k]
			}
			return true
		}
	}
	return false
}

// forget drops the error of the last prediction, before a step unlike the last.
func (g *group) forget() { clear(g.predictionError) }

// differentiate solves for G.
func (g *group) differentiate() {
	nu, nd, width := len(g.unknown), len(g.driven), len(g.unit)
	for j := range nd {
		for c := range nu {
			row := g.m[g.pivotRow[c]*width : g.pivotRow[c]*width+nu]
			v := g.m[g.pivotRow[c]*width+nu+j]
			for k := range c {
				v -= row[k] * g.x[k]
			}
			g.x[c] = v
		}
		g.backward()
		for c := range nu {
			g.jacobian[c*nd+j] = -g.x[c] * g.unit[c] / g.unit[nu+j]
		}
	}
}

// motion finds rates and accelerations of the dependent coordinates.
func (g *group) motion(dq, ddq []float64) {
	nd := len(g.driven)
	for i, k := range g.unknown {
		v, a := 0.0, 0.0
		for j, d := range g.coords {
			v += g.jacobian[i*nd+j] * dq[d]
			a += g.jacobian[i*nd+j] * ddq[d]
		}
		dq[k], ddq[k] = v, a
	}
	clear(g.r)
	g.drift(dq, 1)
	g.solve(g.r)
	for i, k := range g.unknown {
		ddq[k] -= g.x[i] * g.unit[i]
	}
}

// drift adds to the right-hand side, times a factor, the accelerations of the
// mismatch at steady rates of all coordinates.
func (g *group) drift(dq []float64, f float64) {
	for l := range g.loops {
		con := &g.loops[l]
		r := g.r[con.first:]
		if con.linear != nil {
			continue
		}
		if con.plane != nil {
			x, y := con.plane.sides[0].drift(dq)
			u, v := con.plane.sides[1].drift(dq)
			r[0] += f * (x - u) / g.length
			r[1] += f * (y - v) / g.length
			continue
		}
		dv, dw := con.sides[0].drift(dq)
		ev, ew := con.sides[1].drift(dq)
		for k := range 3 {
			r[k] += f * (dv[k] - ev[k]) / g.length
			if !con.spherical {
				r[3+k] += f * (dw[k] - ew[k])
			}
		}
	}
}

// rates finds the rates of G at the rates dq of all coordinates; v is scratch.
func (g *group) rates(dq, v []float64) {
	nd := len(g.driven)
	for j, d := range g.coords {
		// v is the motion of one driven joint alone.
		clear(g.r)
		g.drift(dq, -0.5)
		for _, c := range g.coords {
			v[c] = 0
		}
		v[d] = 1
		for i, k := range g.unknown {
			v[k] = g.jacobian[i*nd+j]
		}
		g.drift(v, -0.5)
		for _, c := range g.coords {
			v[c] += dq[c]
		}
		for _, k := range g.unknown {
			v[k] += dq[k]
		}
		g.drift(v, 0.5)
		g.solve(g.r)
		for i := range g.unknown {
			g.jacobianRate[i*nd+j] = -g.x[i] * g.unit[i]
		}
	}
}
