package watch

import (
	"math"

	"ident/regressor"
)

// poses measure how the noise of the observer goes with the pose: the noise of velocities counts as momentum, by the inertias of the pose and of what is
// carried.
type poses struct {
	ws     *regressor.Workspace
	d1, d2 *regressor.Block
	in     regressor.Batch
	load   *load // nil where nothing is ever carried
	stale  bool  // what is carried has changed since the columns were evaluated
	Inertial
	next   [][]float64 // by joint that moves and joint that feels it: square of the momentum that the velocity's noise is taken for, at the pose of the round
	square [][]float64 // those that count
	sum    []float64   // by joint that feels it
	factor []float64   // by joint: what the deviation of the noise is multiplied by
	every  int         // rows from column to column
}

// Inertial is the noise of the observer that comes from velocities.
type Inertial struct {
	Velocity []float64 `json:"velocity"` // by joint: standard deviation of a velocity, rad/s or m/s
	Square   []float64 `json:"square"`   // by joint: mean square, on quiet logs, of the momentum that it is taken for
	Share    []float64 `json:"share"`    // by joint: part of the observer's variance that goes with that square
}

// poseSeconds is how often the column of a joint is renewed, one joint after the other. A round of seven joints takes a quarter of a second, in which a
// pose changes little: all of its columns are those of its beginning.
const poseSeconds = 0.032

// poseRows returns the number of rows of that time.
func (n *Noise) poseRows() int { return max(1, int(poseSeconds*n.RateHz+0.5)) }

func (p *poses) init(o *observer) {
	n := o.joints
	p.ws, p.d1, p.d2 = o.rows.NewWorkspace(), o.rows.NewBlock(n), o.rows.NewBlock(n)
	p.sum, p.factor = make([]float64, n), make([]float64, n)
	for j := range n {
		p.in.Q, p.in.DQ, p.in.DDQ = append(p.in.Q, make([]float64, n)), append(p.in.DQ, make([]float64, n)), append(p.in.DDQ, make([]float64, n))
		p.next, p.square = append(p.next, make([]float64, n)), append(p.square, make([]float64, n))
		p.factor[j] = 1
	}
}

// at renews the column of a joint at a row, and all at the first.
func (p *poses) at(o *observer, k int, q [][]float64) {
	switch {
	case p.Velocity == nil:
	case !o.begun || p.stale:
		p.stale = false
		p.columns(o, k, q)
		for i := range q {
			copy(p.square[i], p.next[i])
		}
		p.total()
	case o.rowsSince%p.every == 0:
		i := o.rowsSince / p.every % o.joints
		if i == 0 {
			p.columns(o, k, q)
		}
		copy(p.square[i], p.next[i])
		p.total()
	}
}

// columns evaluates the momenta that the noise of each velocity is taken for, all at once.
func (p *poses) columns(o *observer, k int, q [][]float64) {
	for j := range q {
		for i := range p.in.Q[j] {
			p.in.Q[j][i], p.in.DQ[j][i] = q[j][k], 0
		}
		p.in.DQ[j][j] = p.Velocity[j]
	}
	o.rows.EvalMomentum(p.d1, p.d2, p.in, p.ws)
	carries := p.load != nil && p.load.carries()
	if carries {
		p.load.rows.EvalMomentum(p.load.pose1, p.load.pose2, p.in, p.load.ws)
	}
	for i := range q {
		for j := range q {
			x := 0.0
			for c, v := range o.values[j] {
				x += p.d1.Joint[j][c][i] * v
			}
			if carries {
				for c, param := range p.load.rows.Mask(j) {
					x += p.load.pose1.Joint[j][c][i] * p.load.carried[param]
				}
			}
			p.next[i][j] = x * x
		}
	}
}

func (p *poses) total() {
	for j := range p.sum {
		p.sum[j] = 0
		for i := range p.square {
			p.sum[j] += p.square[i][j]
		}
		if p.Share != nil && p.Square[j] > 0 {
			p.factor[j] = math.Sqrt(1 + p.Share[j]*(p.sum[j]/p.Square[j]-1))
		}
	}
}

// inertial measures the part of the noise that goes with the pose: the slope of the squares, in units of their mean at each speed, over the squares
// of the momenta, in units of theirs.
func (c *Calibrator) inertial(n *Noise, traces []trace) {
	skip := n.settling()
	for j := range n.RestRate {
		sum, rows := 0.0, 0.0
		for i, run := range c.runs {
			for k := skip; k < len(run.T); k++ {
				sum, rows = sum+traces[i].pose[j][k], rows+1
			}
		}
		mean := sum / rows
		up, square := 0.0, 0.0
		for i, run := range c.runs {
			for k := skip; k < len(run.T) && mean > 0; k++ {
				e := beyond(traces[i].r[j][k], traces[i].bound[j][k]) / n.floorAt(j, run.DQ[j][k])
				x := traces[i].pose[j][k]/mean - 1
				up, square = up+x*(min(e*e, mostSquare)-1), square+x*x
			}
		}
		share := 0.0
		if square > 0 {
			share = max(0, min(1, up/square))
		}
		n.Inertial.Square, n.Inertial.Share = append(n.Inertial.Square, mean), append(n.Inertial.Share, share)
		for i := range c.runs {
			for k, x := range traces[i].pose[j] {
				f := 1.0
				if mean > 0 {
					f = math.Sqrt(1 + share*(x/mean-1))
				}
				traces[i].pose[j][k] = f
			}
		}
	}
}

// mostSquare bounds the normalised squares of which inertial takes the slope: a few larger ones, as of a stop, are no noise of velocities.
const mostSquare = 16
