package observation

import (
	"fmt"

	"ident/filter"
)

// Motion of the joints, one slice per joint, one entry per sample: Q in rad or m, DQ per second, DDQ per second squared.
type Motion struct{ Q, DQ, DDQ [][]float64 }

// MotionFilter turns measured motion into filtered motion at one sampling rate: a zero-phase low-pass on every measured
// signal, and five-point differences for the others. If velocities come from positions, a differentiator other than
// Central replaces both. It is immutable and safe for concurrent use.
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

// NewMotionFilter designs the filter for samples dt seconds apart: a Butterworth filter of the given order, before
// forward-backward filtering doubles it, with cutoff in hertz (0 for none), and one of Differentiators.
func NewMotionFilter(cutoff float64, order int, differentiator string, dt float64) (*MotionFilter, error) {
	m := &MotionFilter{dt: dt, reach: differenceReach}
	if cutoff > 0 {
		sos, err := butterworth(order, cutoff, 1/dt)
		if err != nil {
			return nil, err
		}
		m.lowpass = sos
		if m.reach += sos.Tail(tailTolerance); m.reach > maxReach {
			return nil, tooLong(fmt.Sprintf("a low-pass of the motion at %.4g Hz", cutoff), float64(m.reach))
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

// butterworth returns a low-pass, or an error if the cut-off does not fit the sampling rate.
func butterworth(order int, cutoff, rate float64) (*filter.SOS, error) {
	sos, err := filter.Butterworth(order, cutoff, rate)
	if err != nil {
		return nil, fmt.Errorf("the filter does not fit the log's rate: %w", err)
	}
	return &sos, nil
}

// Measurement is the logged motion on a uniform clock. DQ and DDQ are nil if they are not measured or not used.
type Measurement struct {
	Q, DQ, DDQ [][]float64
	// SecondDifferences computes accelerations from positions even if velocities are measured.
	SecondDifferences bool
}

// MotionWork is working memory of Apply, which also holds the derivatives. Only one goroutine at a time may use it. The
// zero value is ready to use.
type MotionWork struct {
	sections filter.Work
	dq, ddq  matrix
	scratch  []float64
	measured [][]float64 // of Apply
	clock    []float64   // of the Kalman smoother
}

// Apply filters the measured signals in place and returns them with derivatives for those that are not measured. The
// derivatives are valid until the next call with w.
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

// Smooth filters columns by the low-pass of the motion, in place.
func (m *MotionFilter) Smooth(columns [][]float64, w *MotionWork) {
	if m.lowpass != nil {
		m.lowpass.ZeroPhaseColumns(columns, &w.sections)
	}
}
