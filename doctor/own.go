package doctor

import "math"

// own is one joint's equation fitted by itself, with the columns that it has. It knows nothing of the
// other joints' torques, so that a wrong sign or scale of one torque leaves every own fit as good as it
// was: what it leaves over is the noise of that joint.
type own struct {
	joint   int
	lost    []bool // rows that do not count: they are zero everywhere
	rows    int    // those that do
	cols    []int  // of the trial's model
	basis   basis
	y       []float64
	rest    []float64
	lag     float64 // that has been taken out of y
	lagSD   float64
	sigma   float64 // of a row's residual
	inflate float64 // of variances, by the correlation of the rows
	shifts  bool    // the shift of the torques in time can be seen at all
	extra   [][]float64
	// Friction that drives, and how much.
	drives         bool
	turned         bool // its torque was found to have the wrong sign, and has been turned here
	power, powerSD float64
}

func (tr *trial) newOwn(j int) *own {
	o := &own{joint: j, lost: tr.lost[j], cols: tr.model.Mask(j), basis: basis{rows: len(tr.t)}}
	for _, l := range o.lost {
		if !l {
			o.rows++
		}
	}
	// A fit with nearly as many columns as rows proves nothing.
	if o.rows < max(fewestRows, 3*len(tr.w[j])) {
		return nil
	}
	for _, c := range tr.w[j] {
		o.basis.offer(o.masked(c))
	}
	o.y = o.masked(tr.y[j])
	o.settle()
	return o
}

// masked is a column with the rows that do not count set to zero.
func (o *own) masked(x []float64) []float64 {
	y := make([]float64, len(x))
	for k, v := range x {
		if !o.lost[k] {
			y[k] = v
		}
	}
	return y
}

// size is the RMS of the joint's torque.
func (o *own) size() float64 { return norm(o.y) / math.Sqrt(float64(o.rows)) }

// added fits extra columns to what the joint's own fit leaves.
func (o *own) added(cols ...[]float64) (gain, bool) {
	masked := make([][]float64, len(cols))
	for i, c := range cols {
		masked[i] = o.masked(c)
	}
	return added(&o.basis, o.rest, o.rows, o.inflate, masked...)
}

// settle projects the torque anew and estimates its noise.
func (o *own) settle() {
	o.rest = o.basis.residual(o.y)
	free := float64(max(o.rows-len(o.basis.q), 1))
	o.sigma = norm(o.rest) / math.Sqrt(free)
	o.inflate = inflation(o.rest)
}

// inflation is the factor by which correlation of the residuals exceeds the variance of independent
// ones: 1 + 2·Σρ over the first lags, as far as they are positive (Bartlett 1946; Geyer's initial
// positive sequence, 1992).
func inflation(x []float64) float64 {
	total := dot(x, x)
	if total == 0 {
		return 1
	}
	sum := 1.0
	for lag := 1; lag < len(x)/8; lag++ {
		rho := dot(x[lag:], x[:len(x)-lag]) / total
		if rho <= 0.05 {
			break
		}
		sum += 2 * rho
	}
	return sum
}

// gain says what columns, added to a fit, take away of its residual.
type gain struct {
	coef   []float64 // of the columns
	share  float64   // of the residual sum of squares
	effect float64   // RMS of what the columns contribute to the residual
	sure   float64   // how many standard deviations the contribution is from nothing
	sd     float64   // of the first coefficient
	score  float64   // of the hypothesis among others
}

// added fits extra columns to the residual of a basis, of which so many rows count. inflate is the
// correlation's factor on variances.
func added(b *basis, rest []float64, rows int, inflate float64, cols ...[]float64) (gain, bool) {
	left := basis{rows: b.rows}
	for _, c := range cols {
		v := b.residual(c)
		// A column of which less than a thousandth is left was told by the model already.
		if norm(v) > 1e-3*norm(c) {
			left.offer(v)
		} else {
			left.offered++
		}
	}
	k := float64(len(left.q))
	if k == 0 || len(left.kept) == 0 || (len(cols) == 1 && left.kept[0] != 0) {
		return gain{}, false
	}
	before := dot(rest, rest)
	g := gain{coef: left.solve(rest)}
	after := left.residual(rest)
	rss := dot(after, after)
	if before <= 0 {
		return gain{}, false
	}
	n := float64(rows - len(b.q))
	g.share = 1 - rss/before
	g.effect = math.Sqrt(math.Max(before-rss, 0) / float64(rows))
	if free := n - k; free > 10 && rss > 0 {
		inflate = math.Min(inflate, math.Max(inflation(after), 1))
		noise := rss / free * inflate
		g.sure = math.Sqrt((before - rss) / k / noise)
		g.sd = math.Sqrt(noise) / left.r[0][0]
		effective := n / inflate
		g.score = effective*math.Log(before/rss) - k*math.Log(effective)
	}
	return g, true
}
