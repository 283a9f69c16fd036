package observation

import (
	"fmt"
	"math"

	"ident/filter"
	"ident/internal/hint"
)

// RowFilter is the linear filter for the measurement vector and every column of the regressor alike, at one sampling
// rate: a zero-phase low-pass, a decimation, a causal filter with real poles, or integrals over windows. It is immutable
// and safe for concurrent use.
type RowFilter struct {
	kind      Kind
	lowpass   *filter.SOS       // nil for none
	decimator *filter.Decimator // the low-pass where only a part of its rows is kept, nil for all
	fir       *filter.FIR       // the decimation, nil for none
	pole      *filter.RealPole  // of the filtered model
	window    int               // samples of a window of the energy and momentum models, 0 for none
	every     int               // samples from row to row
	delay     int               // in rows, from a row to the centre of its window or FIR support
	reach     int               // samples on either side that a row depends on
	dt        float64
}

// tailTolerance is the part of a filter's response that chunks may cut off: as small as rounding in a sum of some
// thousand terms, and far below any sensor's resolution.
const tailTolerance = 1e-12

// cubicReach is the number of samples on either side that integrals and derivatives between samples need.
const cubicReach = 4

// NewRowFilter designs the filter of both sides for samples dt seconds apart.
func NewRowFilter(s Settings, dt float64) (*RowFilter, error) {
	rate := 1 / dt
	f := &RowFilter{kind: s.Model, every: 1, dt: dt}
	cutoff := s.Cutoff
	if s.Decimate > 1 {
		cutoff = 0
		if reach := filter.DecimationReach(s.Decimate); reach > maxReach {
			return nil, tooLong(fmt.Sprintf("the filter of a decimation by %d", s.Decimate), reach)
		}
		fir := filter.DecimationFIR(s.Decimate)
		f.fir, f.every = &fir, s.Decimate
		f.reach += fir.Half()
	}
	if cutoff > 0 {
		sos, err := butterworth(s.Order, cutoff, rate)
		if err != nil {
			return nil, err
		}
		f.lowpass = sos
		f.reach += sos.Tail(tailTolerance)
		if f.reach > maxReach {
			return nil, tooLong(fmt.Sprintf("a low-pass at %.4g Hz", cutoff), float64(f.reach))
		}
		if k := keptEvery(s, rate); k > 1 {
			f.decimator, f.every = filter.NewDecimator(*sos, k), k
			f.reach += k // sums begin and end at rows
		}
	}
	switch s.Model {
	case Filtered:
		corner := s.corner(rate)
		if corner == 0 {
			return nil, hint.New("the filtered model is made by a filter, and there is none: give {cutoff} HZ or {decimate} N")
		}
		pole, err := filter.NewRealPole(s.Order, corner, rate)
		if err != nil {
			return nil, fmt.Errorf("the filtered model: %w", err)
		}
		f.pole, f.lowpass = &pole, nil
		f.reach += pole.Tail(tailTolerance)
		f.delay = -int(math.Round(pole.Delay()*rate)) / f.every
	case Energy, Momentum:
		f.lowpass, f.fir = nil, nil
		f.window = max(int(math.Min(math.Round(s.window(1/rate)*rate), 2*maxReach)), 1)
		// Half windows are the longest steps that lose nothing a window passes: its response has its first zero at its
		// inverse length.
		f.every = max(f.window/2, 1)
		f.delay = f.window / (2 * f.every)
		if f.window > maxReach {
			return nil, tooLong(fmt.Sprintf("a window of %g s", s.window(dt)), float64(f.window))
		}
		f.reach += f.window + cubicReach
	case Power:
		f.reach += differenceReach
	}
	return f, nil
}

// windowCorner: a mean over a window passes half the power at this value of frequency times length: sin(πx)/(πx) = 1/√2.
const windowCorner = 0.44295

// bareWindow is the length of windows, in seconds, without a cut-off.
const bareWindow = 0.05

// window returns the length of windows in seconds. By default they pass the band of the dynamic model's cut-off: longer
// ones average motion away, shorter ones let noise through.
func (s *Settings) window(dt float64) float64 {
	switch {
	case s.Window > 0:
		return s.Window
	case s.Decimate > 1:
		return 2 * float64(s.Decimate) * dt
	case s.Cutoff > 0:
		return windowCorner / s.Cutoff
	}
	return bareWindow
}

// corner returns the frequency, in Hz, at which the filter of the filtered model passes half the power: the dynamic
// model's cut-off or, with a decimation, half of the decimated band.
func (s *Settings) corner(rate float64) float64 {
	if s.Decimate > 1 {
		return rate / float64(4*s.Decimate)
	}
	return s.Cutoff
}

// Describe returns how rows are made, "" for the dynamic model.
func (f *RowFilter) Describe(s *Settings) string {
	switch f.kind {
	case Energy, Momentum:
		return fmt.Sprintf("integrals over %.4g s, one every %.4g s", float64(f.window)*f.dt, float64(f.every)*f.dt)
	case Filtered:
		return fmt.Sprintf("causal filter of order %d with real poles, half power at %.4g Hz; no accelerations", f.pole.Order(), s.corner(1/f.dt))
	case Power:
		return "differences of energies through the filter of both sides; no accelerations"
	}
	return ""
}

// Tail returns the number of samples after which the response of the low-pass is below tol, or 0 without a low-pass.
func (f *RowFilter) Tail(tol float64) int {
	if f.lowpass == nil {
		return 0
	}
	return f.lowpass.Tail(tol)
}

// supportTolerance is the part of a filter's response by which rows next to a payload change may depend on the other
// side: a thousandth of the error of the payload's torque while it is lifted.
const supportTolerance = 1e-3

// support returns the number of samples on either side that contribute more than supportTolerance to a row.
func (f *RowFilter) support() int {
	n := f.reach
	if f.lowpass != nil {
		n += f.lowpass.Tail(supportTolerance) - f.lowpass.Tail(tailTolerance)
	}
	if f.pole != nil {
		n += f.pole.Tail(supportTolerance) - f.pole.Tail(tailTolerance)
	}
	return n
}

// Kind returns the model whose rows the filter makes.
func (f *RowFilter) Kind() Kind { return f.kind }

// settled returns the number of samples beyond which all others together contribute less than tol to a row: Tail for a
// low-pass; for a decimation, where the sum of the taps' magnitudes on both sides is below tol.
func (f *RowFilter) settled(tol float64) int {
	if f.fir == nil {
		return f.Tail(tol)
	}
	n, sum := f.fir.Half(), 0.0
	for n > 0 {
		if sum += 2 * math.Abs(f.fir.Taps[f.fir.Half()-n]); sum >= tol {
			break
		}
		n--
	}
	return n
}

// Every returns the number of samples between rows.
func (f *RowFilter) Every() int { return f.every }

// Thins reports whether rows are fewer than samples: with a decimation or windows.
func (f *RowFilter) Thins() bool { return f.fir != nil || f.window > 0 }

// Extent is the place of samples on the clock of their segment, and which of them may be rows. Positions count from the
// first of the samples.
type Extent struct {
	Start  int // sample of the segment at position 0
	Lo, Hi int // positions [Lo, Hi) can become rows
	Begin  int // position at which the rows of the segment begin
	End    int // position at which the segment ends, minus what Trim cuts; windows end before it
}

// Empty reports whether no position may be a row.
func (x Extent) Empty() bool { return x.Lo == x.Hi }

// Rows are the entries [Lo, Hi) of columns.
type Rows struct {
	Columns [][]float64
	Lo, Hi  int
	// Measured is the measured side before known torque was moved from it; nil where it is the last column.
	Measured []float64
}

// Len returns the number of rows.
func (r Rows) Len() int { return max(r.Hi-r.Lo, 0) }

// RowWork is working memory of Apply, which also holds thinned columns. Only one goroutine at a time may use it. The
// zero value is ready to use.
type RowWork struct {
	sections filter.Work
	moments  []float64
	thinned  matrix

	abreast filter.ColumnDecimator
	side    matrix
}

// First returns the position of the first row. If rows are fewer than samples, it is the first multiple of the step on
// the segment's clock; with a decimation, the first whose support lies within the segment.
func (f *RowFilter) First(x Extent) int {
	first := x.Lo + (f.every-(x.Start+x.Lo)%f.every)%f.every
	if f.fir != nil {
		for first < f.fir.Half() {
			first += f.every
		}
	}
	return first
}

// Centre returns the time of the first row, in rows since the segment's first sample: the centre of its window or of the
// causal filter's response.
func (f *RowFilter) Centre(x Extent) int { return (x.Start+f.First(x))/f.every + f.delay }

// Apply filters columns of equal length. A low-pass of all rows works in place; a decimation, or a low-pass that keeps
// only some rows, writes into w.
func (f *RowFilter) Apply(cols [][]float64, x Extent, w *RowWork) Rows {
	if f.decimator != nil {
		return f.keep(cols, x, w)
	}
	if f.fir == nil {
		if f.lowpass != nil {
			f.lowpass.ZeroPhaseColumns(cols, &w.sections)
		}
		return Rows{Columns: cols, Lo: x.Lo, Hi: x.Hi}
	}
	first, count := f.First(x), 0
	if last := min(x.Hi, len(cols[0])-f.fir.Half()); first < last {
		count = (last - first + f.every - 1) / f.every
	}
	out := w.thinned.resize(len(cols), count)
	if count > 0 {
		for k, col := range cols {
			f.fir.Decimate(out[k], col, first, f.every)
		}
	}
	return Rows{Columns: out, Hi: count}
}

// level applies the operator of every model except the dynamic one to columns that enter by their level, such as torques
// and powers.
func (f *RowFilter) level(x []float64) {
	switch f.kind {
	case Filtered:
		f.pole.LowPass(x)
	case Power:
	default:
		filter.Integrate(x, x, f.dt)
	}
}

// change applies the operator to columns that enter by their rate of change: energies and momenta. scratch must have
// room for a column.
func (f *RowFilter) change(x, scratch []float64) {
	switch f.kind {
	case Filtered:
		f.pole.LowPassRate(x)
	case Power:
		scratch = scratch[:len(x)]
		filter.Differentiate4(scratch, x, f.dt)
		copy(x, scratch)
	}
}

// finish filters and decimates columns, which level or change must have processed before, to the rows in x.
func (f *RowFilter) finish(cols [][]float64, x Extent, w *RowWork) Rows {
	switch {
	case f.window > 0:
		return f.windows(cols, x, w)
	case f.pole != nil && f.fir == nil:
		return Rows{Columns: cols, Lo: x.Lo, Hi: x.Hi}
	}
	return f.Apply(cols, x, w)
}

// windows takes the differences of columns over windows that begin at every f.every-th sample of the segment, within
// [x.Lo, x.Hi), and end before x.End.
func (f *RowFilter) windows(cols [][]float64, x Extent, w *RowWork) Rows {
	first, count := f.First(x), 0
	if last := min(x.Hi, x.End-f.window); first < last {
		count = (last - first + f.every - 1) / f.every
	}
	out := w.thinned.resize(len(cols), count)
	for k, col := range cols {
		for i := range out[k] {
			at := first + i*f.every
			out[k][i] = col[at+f.window] - col[at]
		}
	}
	return Rows{Columns: out, Hi: count}
}
