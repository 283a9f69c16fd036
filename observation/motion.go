package observation

import (
	"fmt"

	"ident/filter"
)

// Motion of the joints, one slice a joint and one entry a sample: rad or m, and per
// second and per second squared.
type Motion struct{ Q, DQ, DDQ [][]float64 }

// MotionFilter turns measured motion into filtered motion at one rate: a zero-phase
// low-pass on every measured signal, and five-point differences for the others. A
// differentiator other than Central takes the place of both where velocities come
// from positions. It is immutable and serves any number of goroutines.
type MotionFilter struct {
	lowpass *filter.SOS // nil for none
	local   *localFit   // nil for Central
	dt      float64
	lag     []float64 // delay of the measured velocities, by joint, in samples; nil for none
	reach   int
}

// differenceReach is the number of samples on either side that a repeated
// five-point difference depends on.
const differenceReach = 4

// NewMotionFilter designs the stage for samples dt seconds apart: Butterworth
// filters of an order, before forward-backward doubling, with a cut-off in hertz, 0
// for none, and one of Differentiators.
func NewMotionFilter(cutoff float64, order int, differentiator string, dt float64) (*MotionFilter, error) {
	m := &MotionFilter{dt: dt, reach: differenceReach}
	if cutoff > 0 {
		sos, err := butterworth(order, cutoff, 1/dt)
		if err != nil {
			return nil, err
		}
		m.lowpass = sos
		if m.reach += sos.Tail(tailTolerance); m.reach > maxReach {
			return nil, tooLong(fmt.Sprintf("a low-pass of the motion at %g Hz", cutoff), float64(m.reach))
		}
	}
	local, err := newLocalFit(differentiator, cutoff, 1/dt)
	if err != nil {
		return nil, err
	}
	if local != nil {
		m.local = local
		m.reach += local.reach
	}
	return m, nil
}

// butterworth is a low-pass, or an error where the cut-off does not fit the rate.
func butterworth(order int, cutoff, rate float64) (*filter.SOS, error) {
	sos, err := filter.Butterworth(order, cutoff, rate)
	if err != nil {
		return nil, fmt.Errorf("the filter does not fit the log's rate: %w", err)
	}
	return &sos, nil
}

// Measurement is the motion as logged, on a uniform clock. DQ and DDQ are nil where
// they are not measured or not used.
type Measurement struct {
	Q, DQ, DDQ [][]float64
	// SecondDifferences takes accelerations from positions although velocities are
	// measured.
	SecondDifferences bool
}

// MotionWork is the scratch memory of Apply, which also holds the derivatives; one
// goroutine at a time. The zero value is ready.
type MotionWork struct {
	sections filter.Work
	dq, ddq  matrix
	scratch  []float64
	measured [][]float64 // of Apply
	clock    []float64   // of the Kalman smoother
}

// Apply filters the measured signals in place and returns them with derivatives
// for those that are not measured. The derivatives live in w until the next call.
func (m *MotionFilter) Apply(in Measurement, w *MotionWork) Motion {
	joints, n := len(in.Q), len(in.Q[0])
	out := Motion{Q: in.Q, DQ: in.DQ, DDQ: in.DDQ}
	if in.DQ == nil {
		out.DQ = w.dq.resize(joints, n)
	}
	if in.DDQ == nil {
		out.DDQ = w.ddq.resize(joints, n)
	}
	if m.local != nil && in.DQ == nil {
		ddq := out.DDQ
		if in.DDQ != nil {
			ddq = w.ddq.resize(joints, n)
			m.Smooth(in.DDQ, w)
		}
		m.local.apply(in.Q, out.DQ, ddq, m.dt, w)
		return out
	}
	w.measured = append(append(append(w.measured[:0], in.Q...), in.DQ...), in.DDQ...)
	m.Smooth(w.measured, w) // more columns side by side
	if in.DQ != nil {
		m.advance(in.DQ, w)
	} else {
		for k := range joints {
			filter.Differentiate4(out.DQ[k], in.Q[k], m.dt)
		}
	}
	switch {
	case in.DDQ != nil:
	case in.SecondDifferences:
		w.scratch = grown(w.scratch, n)
		for k := range joints {
			filter.Differentiate4(w.scratch, in.Q[k], m.dt)
			filter.Differentiate4(out.DDQ[k], w.scratch, m.dt)
		}
	default:
		for k := range joints {
			filter.Differentiate4(out.DDQ[k], out.DQ[k], m.dt)
		}
	}
	return out
}

// Smooth sends columns through the low-pass of the motion, in place.
func (m *MotionFilter) Smooth(columns [][]float64, w *MotionWork) {
	if m.lowpass != nil {
		m.lowpass.ZeroPhaseColumns(columns, &w.sections)
	}
}
