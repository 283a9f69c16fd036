package doctor

import (
	"math"
	"runtime"
	"sync"

	"ident/baseparams"
	"ident/regressor"
)

// The trial fit: rows of the base regressor with the torques, both through one zero-phase low-pass.
const (
	// Cut-off of both sides, Hz, or a fifth of the rate where that is less: what drives of arms follow.
	trialBand = 10.0
	// Positions are passed this much further before they are differentiated, so that the reversals, at
	// which friction changes sign, stay where they are.
	trialReach = 5
	// Rows kept for every hertz of the cut-off. Noise through the low-pass is nearly independent from one
	// row to the next then, and a correlation of the rows is one of the model's errors.
	rowsPerBand = 2.5
	// The rate at which the regressor is evaluated at most, Hz.
	trialRate = 1000.0
	// Samples of a piece, which bound the memory of a regressor.
	pieceSamples = 8192
	// Rows below which nothing is fitted, for each joint.
	fewestRows = 60
)

// trial is what the torque checks look at. Rows are the same samples for every joint; a joint without an
// effort has no y.
type trial struct {
	model  *regressor.Model // base columns only
	set    *baseparams.Set
	pieces []*piece
	step   float64 // of a row, s
	band   float64 // cut-off, Hz
	t      []float64
	// Motion at the rows, before the low-pass of both sides.
	q, dq [][]float64
	// After it: velocity, acceleration and its sign, per joint.
	fdq, fddq, fsgn [][]float64
	sums            map[pair][]float64 // signs of sums and differences of two joints' velocities, filtered
	y               [][]float64        // torque, filtered
	w               [][][]float64
	// lost marks rows of a joint that stands or creeps: its friction is anything up to that of breaking
	// loose, which no model linear in its parameters tells.
	lost [][]bool
}

// newTrial makes the rows, or returns nil where the log has too few.
func (p *patient) newTrial() *trial {
	model, set := p.model, p.baseSet()
	tr := &trial{model: model.Select(set.Base), set: set}
	if len(set.Base) == 0 {
		return nil
	}
	for _, j := range p.joints {
		if j.q == nil && j.effort != nil {
			return nil // its own motion is unknown; checkMissing has said so
		}
	}
	rate := 1 / p.clock.Median
	if p.clock.Uniform {
		rate = 1 / p.clock.Period
	}
	tr.band = math.Min(trialBand, rate/5)
	type stretch struct {
		w        *window
		from, to int
	}
	var todo []stretch
	for _, w := range p.windows {
		for _, s := range p.soundAll(w) {
			for from := s[0]; from < s[1]; from += pieceSamples * max(1, int(rate/trialRate)) {
				todo = append(todo, stretch{w, from, min(s[1], from+pieceSamples*max(1, int(rate/trialRate)))})
			}
		}
	}
	made := make([]*piece, len(todo))
	var wg sync.WaitGroup
	next := make(chan int, len(todo))
	for i := range todo {
		next <- i
	}
	close(next)
	for range min(runtime.GOMAXPROCS(0), len(todo)) {
		wg.Go(func() {
			ws := tr.model.NewWorkspace()
			for i := range next {
				made[i] = p.newPiece(tr, todo[i].w, todo[i].from, todo[i].to, ws)
			}
		})
	}
	wg.Wait()
	for _, pc := range made {
		if pc != nil {
			tr.pieces = append(tr.pieces, pc)
		}
	}
	tr.gather(len(p.joints))
	if len(tr.t) < fewestRows {
		return nil
	}
	return tr
}

// gather puts the pieces' rows below each other.
func (tr *trial) gather(joints int) {
	for _, set := range []*[][]float64{&tr.q, &tr.dq, &tr.fdq, &tr.fddq, &tr.fsgn, &tr.y} {
		*set = make([][]float64, joints)
	}
	tr.w = make([][][]float64, joints)
	tr.lost = make([][]bool, joints)
	tr.sums = map[pair][]float64{}
	for i, pc := range tr.pieces {
		for k, s := range pairs(joints) {
			tr.sums[s] = append(tr.sums[s], pc.sums[k]...)
		}
		tr.step = pc.dt * float64(stride(pc.rows))
		for _, k := range pc.rows {
			tr.t = append(tr.t, pc.t0+float64(k)*pc.dt)
		}
		q, dq := pc.at(pc.q), pc.at(pc.dq)
		for j := range joints {
			for _, s := range []struct {
				to   [][]float64
				from [][]float64
			}{{tr.q, q}, {tr.dq, dq}, {tr.fdq, pc.fdq}, {tr.fddq, pc.fddq}, {tr.fsgn, pc.fsgn}} {
				s.to[j] = append(s.to[j], s.from[j]...)
			}
			tr.lost[j] = append(tr.lost[j], pc.lost[j]...)
			if pc.y[j] == nil {
				continue
			}
			if i == 0 {
				tr.w[j] = make([][]float64, len(pc.w[j]))
			}
			for c := range tr.w[j] {
				tr.w[j][c] = append(tr.w[j][c], pc.w[j][c]...)
			}
		}
		// Motion and regressor of all samples have served; the torques are still to be shifted.
		pc.w, pc.fdq, pc.fddq, pc.fsgn, pc.q, pc.dq, pc.ddq, pc.sgn, pc.sums, pc.lost = nil, nil, nil, nil, nil, nil, nil, nil, nil, nil
	}
	for j := range joints {
		if tr.w[j] != nil {
			tr.y[j] = tr.torque(j, 0)
		}
	}
}

func stride(rows []int) int {
	if len(rows) < 2 {
		return 1
	}
	return rows[1] - rows[0]
}

// torque is the filtered torque of a joint at the times of the rows plus a shift, by cubics through the
// samples; the low-pass leaves nothing that they would miss. Beyond a piece it stays at the last sample.
func (tr *trial) torque(j int, shift float64) []float64 {
	y := make([]float64, 0, len(tr.t))
	for _, pc := range tr.pieces {
		s := shift / pc.dt
		whole := math.Floor(s)
		f := s - whole
		x := pc.y[j]
		at := func(k int) float64 { return x[min(max(k, 0), len(x)-1)] }
		for _, k := range pc.rows {
			k += int(whole)
			a, b, c, d := at(k-1), at(k), at(k+1), at(k+2)
			// Lagrange's cubic through four samples.
			y = append(y, -f*(f-1)*(f-2)/6*a+(f+1)*(f-1)*(f-2)/2*b-(f+1)*f*(f-2)/2*c+(f+1)*f*(f-1)/6*d)
		}
	}
	return y
}

// slope is the time derivative of the filtered torque at the rows plus a shift.
func (tr *trial) slope(j int, shift float64) []float64 {
	h := tr.pieces[0].dt
	a, b := tr.torque(j, shift-h), tr.torque(j, shift+h)
	for k := range a {
		a[k] = (b[k] - a[k]) / (2 * h)
	}
	return a
}
