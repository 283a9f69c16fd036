package elastic

import (
	"fmt"
	"math"

	"ident/estimate"
	"ident/filter"
	"ident/observation"
	"ident/regressor"
)

// Options of a fit. Zero values choose the defaults.
type Options struct {
	Terms Terms
	// Cutoff is the low-pass of both sides, Hz: by rule a tenth of the rate, or three times the highest
	// resonance that the robot file leads to, whichever is lower.
	Cutoff float64
}

// motionReach is the cut-off of the positions' low-pass, before differentiation, over that of both sides. In the band
// of the latter, the response of the former is then within 1e-4 of one.
const motionReach = 4

// equations holds the rows of one log: those of motors, links and sensors.
type equations struct {
	masks   [][]int
	columns [][][]float64
	y       [][]float64
	rest    [][]bool // rows of drives near rest, which are left out; nil for none
	rate    float64  // of the rows, Hz
}

// rows returns the rows of a log with all positions: those of the model, and for each torque sensor
//
//	τ_J = K·δ + D·δ̇ + …
//
// The drives' torques are taken late seconds before. If timed, the rows of drives have a last column, for a change of
// late.
func (m *Machine) rows(model *regressor.Model, l *Log, cutoff, late float64, timed bool) (*equations, error) {
	dt := 1 / l.Rate
	wide := 0.0
	if l.DDX == nil {
		wide = math.Min(motionReach*cutoff, 0.45*l.Rate)
	}
	motion, err := observation.NewMotionFilter(wide, 4, observation.Central, dt)
	if err != nil {
		return nil, fmt.Errorf("elastic: %w", err)
	}
	both, err := observation.NewRowFilter(observation.Settings{Model: observation.Dynamic, Path: observation.Path{Order: 2, Cutoff: cutoff}, KeepRate: 4 * cutoff}, dt)
	if err != nil {
		return nil, fmt.Errorf("elastic: %w", err)
	}
	var work observation.MotionWork
	x := motion.Apply(observation.Measurement{Q: copies(l.X), DQ: copies(l.DX), DDQ: copies(l.DDX)}, &work)
	n := l.Samples()
	block := model.NewBlock(n)
	block.Resize(n)
	model.Eval(block, x.Q, x.DQ, x.DDQ, model.NewWorkspace())
	out := &equations{rate: l.Rate / float64(both.Every())}
	columns := model.Columns()
	for k := range model.Joints() {
		y := make([]float64, n)
		var rest []bool
		if m.driven(k) {
			acting(y, l.Tau[k], late, l.Rate)
			if hasFriction(model, k) {
				rest = l.atRest(k, cutoff)
				if wide > 0 {
					markReversals(rest, x.DQ[k])
				}
			}
		}
		out.rest = append(out.rest, rest)
		out.add(append([]int(nil), model.Mask(k)...), block.Joint[k], y)
	}
	for i, s := range m.Springs {
		if l.Sensor == nil || l.Sensor[i] == nil {
			continue
		}
		at, sign := s.Motor, 1.0
		if at < 0 {
			at, sign = s.Q, -1
		}
		var mask []int
		var own [][]float64
		for c, col := range model.Mask(at) {
			if columns[col].Drive == 0 {
				continue
			}
			v := append([]float64(nil), block.Joint[at][c]...)
			for i := range v {
				v[i] *= sign
			}
			mask, own = append(mask, col), append(own, v)
		}
		out.add(mask, own, append([]float64(nil), l.Sensor[i]...))
		out.rest = append(out.rest, nil)
	}
	tail := both.Tail(1e-6)
	if wide > 0 {
		tail *= 2 // the low-pass of the motion is wider, and ends sooner
	}
	extent := observation.Extent{Lo: tail, Hi: n - tail, Begin: tail, End: n - tail}
	if extent.Empty() || (n-2*tail)/both.Every() < len(columns) {
		return nil, fmt.Errorf("%s: %d samples, of which filters at %.3g Hz need %d; give a longer log or a higher cut-off", l.Name, n, cutoff, 2*tail)
	}
	if wide > 0 {
		out.smoothSteps(columns, motion, &work)
	}
	for k := range model.Joints() {
		if timed && m.driven(k) {
			slope := make([]float64, n)
			filter.Differentiate4(slope, out.y[k], dt)
			out.masks[k], out.columns[k] = append(out.masks[k], len(columns)), append(out.columns[k], slope)
		}
	}
	leak := restLeak
	if l.DDX != nil {
		leak = exactLeak
	}
	var rows observation.RowWork
	out.through(both, extent, leak, wide > 0, &rows)
	return out, nil
}

// through passes the rows through the filter of both sides, which thins them. It marks rows so near rest that more than
// the fraction leak of the friction at rest remains in them.
func (e *equations) through(both *observation.RowFilter, extent observation.Extent, leak float64, smoothed bool, work *observation.RowWork) {
	reach := both.Tail(leak)
	if smoothed {
		reach *= 2
	}
	first := both.First(extent)
	for k := range e.y {
		if e.rest[k] != nil {
			e.rest[k] = spreadRest(e.rest[k], first, both.Every(), (extent.Hi-first+both.Every()-1)/both.Every(), reach)
		}
		all := append(append([][]float64(nil), e.columns[k]...), e.y[k])
		got := both.Apply(all, extent, work)
		for c := range all {
			all[c] = append([]float64(nil), got.Columns[c][got.Lo:got.Hi]...)
		}
		e.columns[k], e.y[k] = all[:len(all)-1], all[len(all)-1]
	}
}

// Fractions of the friction at rest that may remain in rows near it: for measured logs and for exact ones.
const (
	restLeak  = 0.01
	exactLeak = 1e-12
)

// hasFriction reports whether a coordinate has Coulomb friction in the model.
func hasFriction(model *regressor.Model, k int) bool {
	for _, c := range model.Mask(k) {
		if model.Columns()[c].Term == regressor.Fs {
			return true
		}
	}
	return false
}

// driven reports whether a coordinate of x has a drive.
func (m *Machine) driven(i int) bool {
	for q := range m.Links {
		if m.DriveOf(q) == i {
			return true
		}
	}
	return false
}

func (e *equations) add(mask []int, columns [][]float64, y []float64) {
	e.masks, e.columns, e.y = append(e.masks, mask), append(e.columns, columns), append(e.y, y)
}

// smoothSteps passes measured torques, and columns with the sign of a velocity, through the low-pass of the motion. The
// other columns have passed it with the positions.
func (e *equations) smoothSteps(columns []regressor.Column, f *observation.MotionFilter, w *observation.MotionWork) {
	for k := range e.y {
		var through [][]float64
		for c, at := range e.masks[k] {
			switch columns[at].Term {
			case regressor.Fs, regressor.WindUp:
				through = append(through, e.columns[k][c])
			}
		}
		f.Smooth(append(through, e.y[k]), w)
	}
}

func copies(x [][]float64) [][]float64 {
	if x == nil {
		return nil
	}
	out := make([][]float64, len(x))
	for i, c := range x {
		if c != nil {
			out[i] = append([]float64(nil), c...)
		}
	}
	return out
}

// blockRows returns the number of rows of a time block: a quarter of a second, or as many as a factor needs if that is
// more.
func blockRows(of []*equations) int {
	widest := 0
	for _, mask := range of[0].masks {
		widest = max(widest, len(mask))
	}
	return max(int(of[0].rate/4), 2*widest)
}

// reduce returns the reduction of the rows of all logs, in time blocks of blockRows.
func reduce(columns int, of []*equations) *estimate.Reduction {
	block := blockRows(of)
	sum := estimate.NewReduction(columns, of[0].masks)
	var work estimate.Work
	for run, e := range of {
		n := len(e.y[0])
		for lo := 0; lo < n; lo += block {
			b := sum.NewBlock(run)
			for k := range e.y {
				e.addTo(b.Joints[k], k, lo, min(lo+block, n), &work)
			}
			sum.Append(b)
		}
	}
	return sum
}

// addTo adds rows [lo, hi) of an equation to a factor, except those near rest.
func (e *equations) addTo(f *estimate.Factor, k, lo, hi int, work *estimate.Work) {
	part := make([][]float64, len(e.columns[k]))
	for lo < hi {
		end := lo
		for end < hi && !e.left(k, end) {
			end++
		}
		if end > lo {
			for c, col := range e.columns[k] {
				part[c] = col[lo:end]
			}
			f.Add(part, e.y[k][lo:end], work)
		}
		lo = end + 1
	}
}

// left reports whether a row of an equation is left out.
func (e *equations) left(k, row int) bool { return e.rest[k] != nil && e.rest[k][row] }
