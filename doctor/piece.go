package doctor

import (
	"math"
	"slices"

	"ident/filter"
	"ident/regressor"
)

// piece is a stretch of samples on one uniform clock.
type piece struct {
	t0, dt     float64
	rows       []int // samples that are rows
	y          [][]float64
	q, dq, ddq [][]float64
	sgn        [][]float64
	w          [][][]float64 // at the rows only, filtered
	fdq, fddq  [][]float64   // at the rows only, filtered
	fsgn       [][]float64
	sums       [][]float64 // as pairs lists them
	lost       [][]bool    // per joint and row: see trial.lost
}

// pair is the sum (+1) or difference (-1) of two joints.
type pair struct {
	a, b int
	sign float64
}

func pairOf(a, b int, sign float64) pair { return pair{min(a, b), max(a, b), sign} }

// pairs lists the joints that may share a drive: neighbours, and the next but one, as in wrists whose
// motors sit in the forearm.
func pairs(joints int) []pair {
	var out []pair
	for a := range joints {
		for b := a + 1; b < min(a+3, joints); b++ {
			out = append(out, pair{a, b, 1}, pair{a, b, -1})
		}
	}
	return out
}

// soundAll cuts a window into stretches in which time advances without long gaps and every position and
// effort is believable.
func (p *patient) soundAll(w *window) [][2]int {
	n := len(w.cols[0])
	bad := make([]bool, n)
	for _, c := range p.channels {
		if c.role != position && c != p.joints[c.joint].effort {
			continue
		}
		limit := c.bound
		if p.beyondLimit(c) {
			limit *= 100
		}
		for k, v := range w.cols[c.index] {
			if !(math.Abs(v) <= limit) {
				bad[k] = true
			}
		}
	}
	for _, row := range p.spikes {
		if row >= w.first && row < w.first+n {
			bad[row-w.first] = true
		}
	}
	t := p.t[w.first : w.first+n]
	var out [][2]int
	from := 0
	cut := func(to, next int) {
		if to-from >= 4*fewest {
			out = append(out, [2]int{from, to})
		}
		from = next
	}
	for k := range t {
		if bad[k] || math.IsNaN(t[k]) || math.IsInf(t[k], 0) {
			cut(k, k+1)
			continue
		}
		if k > from && !(t[k] > t[k-1] && t[k]-t[k-1] < math.Max(longGap, 5*p.clock.Median)) {
			cut(k, k)
		}
	}
	cut(n, n)
	return out
}

// newPiece filters a stretch and evaluates the regressor on it; nil where the stretch is too short.
func (p *patient) newPiece(tr *trial, w *window, from, to int, ws *regressor.Workspace) *piece {
	t := p.t[w.first+from : w.first+to]
	dt := p.clock.Median
	if p.clock.Uniform {
		dt = p.clock.Period
	}
	n := len(t)
	if !p.clock.Uniform {
		n = filter.Grid(t[0], t[len(t)-1], dt)
		if n > 4*len(t) {
			return nil
		}
	}
	column := func(c *channel) []float64 {
		x := make([]float64, n)
		if p.clock.Uniform {
			copy(x, w.cols[c.index][from:to])
		} else {
			filter.Resample(x, t, w.cols[c.index][from:to], t[0], dt)
		}
		return x
	}
	rate := 1 / dt
	keep := max(1, int(rate/trialRate))
	motion, err := filter.Butterworth(2, math.Min(trialReach*tr.band, 0.4*rate), rate)
	if err != nil {
		return nil
	}
	pc := &piece{t0: t[0], dt: dt * float64(keep)}
	joints := len(p.joints)
	pc.y = make([][]float64, joints)
	var effort [][]float64
	for j, jt := range p.joints {
		var q []float64
		dq, ddq := make([]float64, n), make([]float64, n)
		switch {
		case jt.q == nil:
			q = make([]float64, n)
			for k := range q {
				q[k] = p.opt.Lock[jt.name]
			}
		case p.isStill(jt):
			q = column(jt.q)
			mean := 0.0
			for _, v := range q {
				mean += v / float64(n)
			}
			for k := range q {
				q[k] = mean
			}
		default:
			q = column(jt.q)
			motion.ZeroPhase(q, q, nil)
			filter.Differentiate4(dq, q, dt)
			filter.Differentiate4(ddq, dq, dt)
		}
		pc.q, pc.dq, pc.ddq = append(pc.q, thin(q, keep)), append(pc.dq, thin(dq, keep)), append(pc.ddq, thin(ddq, keep))
		if jt.effort != nil {
			y := column(jt.effort)
			if jt.effort.role == current && jt.gain != 0 {
				for k := range y {
					y[k] *= jt.gain
				}
			}
			if keep > 1 { // what would alias, far above the band of both sides
				motion.ZeroPhase(y, y, nil)
			}
			pc.y[j] = thin(y, keep)
			effort = append(effort, pc.y[j])
		}
	}
	rate /= float64(keep)
	both, err := filter.Butterworth(2, tr.band, rate)
	if err != nil {
		return nil
	}
	n = len(pc.q[0])
	// A thousandth of the response is far below what any model explains of a torque.
	tail := both.Tail(1e-3)
	if n-2*tail < fewest/2 {
		return nil
	}
	stride := max(1, int(math.Round(rate/(rowsPerBand*tr.band))))
	for k := tail; k < n-tail; k += stride {
		pc.rows = append(pc.rows, k)
	}
	pc.signs(both, tr.band)
	block := tr.model.NewBlock(n)
	tr.model.Eval(block, pc.q, pc.dq, pc.ddq, ws)
	cols := effort
	for j := range block.Joint {
		if pc.y[j] != nil {
			cols = append(cols, block.Joint[j]...)
		}
	}
	signals := [][][]float64{cloneAll(pc.dq), cloneAll(pc.ddq), cloneAll(pc.sgn), nil}
	for _, s := range pairs(joints) {
		x := make([]float64, n)
		for k := range x {
			x[k] = sgn(pc.dq[s.a][k] + s.sign*pc.dq[s.b][k])
		}
		signals[3] = append(signals[3], x)
	}
	for _, s := range signals {
		cols = append(cols, s...)
	}
	both.ZeroPhaseColumns(cols, nil)
	pc.w = make([][][]float64, joints)
	for j := range block.Joint {
		if pc.y[j] != nil {
			pc.w[j] = pc.at(block.Joint[j])
		}
	}
	pc.fdq, pc.fddq, pc.fsgn = pc.at(signals[0]), pc.at(signals[1]), pc.at(signals[2])
	pc.sums = pc.at(signals[3])
	return pc
}

// signs takes the signs of velocities that are told from zero, and leaves the others to lose. What the
// velocity has above the band of both sides is noise, for nearly all of its samples.
func (pc *piece) signs(both filter.SOS, band float64) {
	pc.sgn = make([][]float64, len(pc.dq))
	pc.lost = make([][]bool, len(pc.dq))
	for j, v := range pc.dq {
		pc.lost[j] = make([]bool, len(pc.rows))
		smooth := make([]float64, len(v))
		both.ZeroPhase(smooth, v, nil)
		size := make([]float64, len(v))
		for k := range v {
			size[k] = math.Abs(v[k] - smooth[k])
		}
		noise := 1.4826 * median(size)
		least := math.Min(3*noise, 0.02*rms(v))
		pc.sgn[j] = make([]float64, len(v))
		for k, x := range v {
			if math.Abs(x) > least {
				pc.sgn[j][k] = sgn(x)
			}
		}
		pc.lose(j, v, 1/band)
	}
}

// A joint that reverses crosses its noise in a few milliseconds. One that stays in it for a quarter of a
// period of the low-pass stands, and the low-pass carries that for most of a period to either side.
const (
	standing = 0.25
	carried  = 0.8
)

// lose looks at the stretches of a joint that have no sign yet. Those of a joint that stands lose their
// velocity, and the rows that standing reaches are marked; period is that of the low-pass in seconds. In a
// reversal the velocity's own sign is right but for noise, which errs to either side alike.
func (pc *piece) lose(j int, v []float64, period float64) {
	lost, sign := pc.lost[j], pc.sgn[j]
	least, reach := int(standing*period/pc.dt), int(carried*period/pc.dt)
	from := -1
	mark := func(to int) {
		switch {
		case from < 0:
		case to-from > least:
			clear(v[from:to])
			for i, row := range pc.rows {
				lost[i] = lost[i] || row >= from-reach && row < to+reach
			}
		default:
			for k := from; k < to; k++ {
				sign[k] = sgn(v[k])
			}
		}
		from = -1
	}
	for k := range sign {
		switch {
		case sign[k] != 0:
			mark(k)
		case from < 0:
			from = k
		}
	}
	mark(len(sign))
}

// at picks the rows of columns.
func (pc *piece) at(cols [][]float64) [][]float64 {
	out := make([][]float64, len(cols))
	for i, c := range cols {
		out[i] = make([]float64, len(pc.rows))
		for k, row := range pc.rows {
			out[i][k] = c[row]
		}
	}
	return out
}

func thin(x []float64, keep int) []float64 {
	if keep == 1 {
		return x
	}
	return every(x, keep)
}

func cloneAll(x [][]float64) [][]float64 {
	out := make([][]float64, len(x))
	for i := range x {
		out[i] = slices.Clone(x[i])
	}
	return out
}
