package doctor

import (
	"math"
	"runtime"
	"sync"

	"ident/regressor"
)

// The trial fit: rows of the base regressor with the torques, both through one zero-phase low-pass.
const (
	// Cut-off of both sides, Hz, or a fifth of the rate where that is less: the bandwidth of the drives of
	// arms.
	trialBand = 10.0
	// Positions are passed this much further before they are differentiated, so that the reversals, at
	// which friction changes sign, stay where they are.
	trialReach = 5
	// Rows kept for every hertz of the cut-off. Noise through the low-pass is nearly independent from one
	// row to the next then, and a correlation of the rows is one of the model's errors.
	rowsPerBand = 2.5
	// The rate at which the regressor is evaluated at most, Hz.
	trialRate = 1000.0
	// Samples of a stretch at that rate, which bound the memory of a regressor.
	stretchSamples = 8192
	// Rows below which nothing is fitted, for each joint.
	fewestRows = 60
)

// torqueRows are the equations of the torque checks. Rows are the same samples for every joint; a joint
// without an effort has no y.
type torqueRows struct {
	model   *regressor.Model // base columns only
	base    []int            // those columns in the model of all terms
	samples []torqueSamples  // torques of all samples, for shifts in time
	t       []float64
	// Motion at the rows, before the low-pass of both sides, per joint.
	q, dq [][]float64
	// After it: velocity, acceleration and sign of the velocity, per joint.
	fdq, fddq, fsgn [][]float64
	sums            map[pair][]float64 // signs of sums and differences of two joints' velocities, filtered
	y               [][]float64        // torque, filtered, per joint
	w               [][][]float64      // regressor, filtered, per joint and column of its mask
	// lost marks rows of a joint that stands or creeps: its friction is anything up to the breakaway
	// friction, and no model linear in its parameters gives it.
	lost [][]bool
}

// newTorqueRows filters the log, without the rows of outliers and those held; nil where it has too few rows.
func newTorqueRows(rec *recording, outliers []int, held []bool) *torqueRows {
	base := rec.baseSet().Base
	if len(base) == 0 {
		return nil
	}
	for _, j := range rec.joints {
		if j.q == nil && j.effort != nil {
			return nil // its own motion is unknown: checkMissing says so
		}
	}
	sf := newStretchFilter(rec, rec.model.Select(base), held)
	if sf == nil {
		return nil
	}
	type stretch struct {
		w        *window
		from, to int
	}
	var todo []stretch
	step := stretchSamples * sf.keep
	for _, w := range rec.windows {
		for _, s := range usable(rec, w, outliers) {
			for from := s[0]; from < s[1]; from += step {
				todo = append(todo, stretch{w, from, min(s[1], from+step)})
			}
		}
	}
	made := make([]*filteredStretch, len(todo))
	var wg sync.WaitGroup
	next := make(chan int, len(todo))
	for i := range todo {
		next <- i
	}
	close(next)
	for range min(runtime.GOMAXPROCS(0), len(todo)) {
		wg.Go(func() {
			work := &stretchWork{regressor: sf.model.NewWorkspace()}
			for i := range next {
				made[i] = sf.filter(todo[i].w, todo[i].from, todo[i].to, work)
			}
		})
	}
	wg.Wait()
	tr := stack(made, len(rec.joints))
	tr.model, tr.base = sf.model, base
	if len(tr.t) < fewestRows {
		return nil
	}
	return tr
}

// usable cuts a window into stretches in which time advances without long gaps and every position and
// effort is believable.
func usable(rec *recording, w *window, outliers []int) [][2]int {
	n := len(w.cols[0])
	bad := make([]bool, n)
	for _, c := range rec.channels {
		if c.role != position && c != rec.joints[c.joint].effort {
			continue
		}
		limit := c.bound
		if rec.beyondLimit(c) {
			limit *= 100
		}
		for k, v := range w.cols[c.index] {
			if !(math.Abs(v) <= limit) {
				bad[k] = true
			}
		}
	}
	for _, row := range outliers {
		if row >= w.first && row < w.first+n {
			bad[row-w.first] = true
		}
	}
	return rec.stretches(w, bad)
}

// stack puts the rows of stretches below each other; nil stretches have none.
func stack(stretches []*filteredStretch, joints int) *torqueRows {
	tr := &torqueRows{sums: map[pair][]float64{}, w: make([][][]float64, joints), lost: make([][]bool, joints)}
	for _, set := range []*[][]float64{&tr.q, &tr.dq, &tr.fdq, &tr.fddq, &tr.fsgn, &tr.y} {
		*set = make([][]float64, joints)
	}
	for _, st := range stretches {
		if st == nil {
			continue
		}
		for k, s := range pairs(joints) {
			tr.sums[s] = append(tr.sums[s], st.sums[k]...)
		}
		for _, k := range st.rows {
			tr.t = append(tr.t, st.t0+float64(k)*st.dt)
		}
		for j := range joints {
			for _, s := range []struct{ to, from [][]float64 }{{tr.q, st.q}, {tr.dq, st.dq}, {tr.fdq, st.fdq}, {tr.fddq, st.fddq}, {tr.fsgn, st.fsgn}} {
				s.to[j] = append(s.to[j], s.from[j]...)
			}
			tr.lost[j] = append(tr.lost[j], st.lost[j]...)
			if st.y[j] == nil {
				continue
			}
			if tr.w[j] == nil {
				tr.w[j] = make([][]float64, len(st.w[j]))
			}
			for c := range tr.w[j] {
				tr.w[j][c] = append(tr.w[j][c], st.w[j][c]...)
			}
		}
		tr.samples = append(tr.samples, st.torqueSamples)
	}
	for j := range joints {
		if tr.w[j] != nil {
			tr.y[j] = tr.torque(j, 0)
		}
	}
	return tr
}

// torque is the filtered torque of a joint at the times of the rows plus a shift in seconds, by cubics
// through the low-passed samples. Beyond a stretch it stays at the last sample.
func (tr *torqueRows) torque(j int, shift float64) []float64 {
	y := make([]float64, 0, len(tr.t))
	for _, st := range tr.samples {
		s := shift / st.dt
		whole := math.Floor(s)
		f := s - whole
		x := st.y[j]
		at := func(k int) float64 { return x[min(max(k, 0), len(x)-1)] }
		for _, k := range st.rows {
			k += int(whole)
			a, b, c, d := at(k-1), at(k), at(k+1), at(k+2)
			// Lagrange's cubic through four samples.
			y = append(y, -f*(f-1)*(f-2)/6*a+(f+1)*(f-1)*(f-2)/2*b-(f+1)*f*(f-2)/2*c+(f+1)*f*(f-1)/6*d)
		}
	}
	return y
}

// slope is the time derivative of the filtered torque at the rows plus a shift in seconds.
func (tr *torqueRows) slope(j int, shift float64) []float64 {
	h := tr.interval()
	a, b := tr.torque(j, shift-h), tr.torque(j, shift+h)
	for k := range a {
		a[k] = (b[k] - a[k]) / (2 * h)
	}
	return a
}

// interval between the samples, s.
func (tr *torqueRows) interval() float64 { return tr.samples[0].dt }
