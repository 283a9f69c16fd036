package elastic

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"ident/estimate"
	"ident/filter"
	"ident/regressor"
)

// Options of a fit. Zero values choose the defaults.
type Options struct {
	Terms Terms
	// Cutoff is the low-pass of both sides, Hz: by rule a tenth of the rate, or three times the highest
	// resonance that the robot file leads to, whichever is lower.
	Cutoff float64
}

// equations holds the rows of one log: those of motors, links and sensors.
type equations struct {
	masks   [][]int
	columns [][][]float64
	y       [][]float64
	rest    [][]bool // rows of drives near rest, which are left out; nil for none
	rate    float64  // of the rows, Hz
}

// rows returns the rows of a log with all positions behind a cut-off, Hz: those of the model, and for each torque sensor
//
//	τ_J = K·δ + D·δ̇ + …
//
// The drives' torques are taken late seconds before. If timed, the rows of drives have a last column, for a change of
// late.
func (m *Machine) rows(model *regressor.Model, l *Log, cutoff, late float64, timed bool) (*equations, error) {
	columns := model.Columns()
	p, err := newPath(l, cutoff, len(columns))
	if err != nil {
		return nil, err
	}
	x := p.filtered(l.X, l.DX, l.DDX)
	n := l.Samples()
	block := model.NewBlock(n)
	block.Resize(n)
	model.Eval(block, x.Q, x.DQ, x.DDQ, model.NewWorkspace())
	out := &equations{rate: p.rate()}
	for k := range model.Joints() {
		y := make([]float64, n)
		var rest []bool
		if m.driven(k) {
			acting(y, l.Tau[k], late, l.Rate)
			if hasFriction(model, k) {
				rest = p.atRest(k, x.DQ[k])
			}
		}
		out.add(slices.Clone(model.Mask(k)), block.Joint[k], y, rest)
	}
	if l.Sensor != nil {
		for i, s := range m.Springs {
			if l.Sensor[i] != nil {
				out.addSensor(model, block, s, l.Sensor[i])
			}
		}
	}
	if p.smooth {
		out.smoothSteps(columns, p)
	}
	for k := range model.Joints() {
		if timed && m.driven(k) {
			slope := make([]float64, n)
			filter.Differentiate4(slope, out.y[k], 1/l.Rate)
			out.masks[k], out.columns[k] = append(out.masks[k], len(columns)), append(out.columns[k], slope)
		}
	}
	p.through(out)
	return out, nil
}

// addSensor adds the equation of a sensor that measures the torque of a spring on its link: the spring's columns in the row of its
// motor, or, with the other sign, of its link if it has none.
func (e *equations) addSensor(model *regressor.Model, block *regressor.Block, s Spring, measured []float64) {
	at, sign := s.Motor, 1.0
	if at < 0 {
		at, sign = s.Q, -1
	}
	var mask []int
	var own [][]float64
	for c, col := range model.Mask(at) {
		if model.Columns()[col].Drive == 0 {
			continue
		}
		v := slices.Clone(block.Joint[at][c])
		floats.Scale(sign, v)
		mask, own = append(mask, col), append(own, v)
	}
	e.add(mask, own, slices.Clone(measured), nil)
}

// hasFriction reports whether a coordinate has dry friction in the model.
func hasFriction(model *regressor.Model, k int) bool {
	return slices.ContainsFunc(model.Mask(k), func(c int) bool { return model.Columns()[c].Term.Traits().Dry })
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

// add adds an equation. rest tells its samples at rest, nil for none.
func (e *equations) add(mask []int, columns [][]float64, y []float64, rest []bool) {
	e.masks, e.columns, e.y, e.rest = append(e.masks, mask), append(e.columns, columns), append(e.y, y), append(e.rest, rest)
}

// smoothSteps passes measured torques, and columns that step with a velocity, through the low-pass of the motion. The
// other columns have passed it with the positions.
func (e *equations) smoothSteps(columns []regressor.Column, p *path) {
	for k := range e.y {
		through := [][]float64{e.y[k]}
		for c, at := range e.masks[k] {
			if columns[at].Term.Traits().Filtered {
				through = append(through, e.columns[k][c])
			}
		}
		p.Motion.Smooth(through, &p.motion)
	}
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
