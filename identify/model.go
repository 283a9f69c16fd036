package identify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/estimate"
	"ident/filter"
	"ident/regressor"
)

// Kind is an identification model: how rows are made of a robot's motion and
// torques. All kinds have the same columns.
type Kind string

// The models. Those other than the dynamic one look at no acceleration.
const (
	Dynamic  Kind = "dynamic"  // F(τ) = F(Y)·χ
	Energy   Kind = "energy"   // ∫q̇ᵀτ dt = Δh·χ between instants
	Power    Kind = "power"    // F(q̇ᵀτ) = F(d/dt h)·χ
	Filtered Kind = "filtered" // F(τ) = (F'(D1) + F(D2))·χ, F causal with real poles
	Momentum Kind = "momentum" // ∫τ dt = (ΔD1 + ∫D2 dt)·χ between instants
)

// Kinds lists the models.
func Kinds() []Kind { return []Kind{Dynamic, Energy, Power, Filtered, Momentum} }

// UnknownKindError names a model that there is not.
type UnknownKindError struct{ Name string }

func (e *UnknownKindError) Error() string {
	var names []string
	for _, k := range Kinds() {
		names = append(names, string(k))
	}
	return fmt.Sprintf("there is no model %q; the models are %s, and several may be given, separated by commas", e.Name, strings.Join(names, ", "))
}

// ParseKinds reads a list of models. An unknown one is an *UnknownKindError.
func ParseKinds(list string) ([]Kind, error) {
	var out []Kind
	for name := range strings.SplitSeq(list, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" {
			continue
		}
		if !slices.Contains(Kinds(), Kind(name)) {
			return nil, &UnknownKindError{name}
		}
		if !slices.Contains(out, Kind(name)) {
			out = append(out, Kind(name))
		}
	}
	if len(out) == 0 {
		out = []Kind{Dynamic}
	}
	return out, nil
}

// ofEnergy tells whether the model has one row a sample for all joints.
func (k Kind) ofEnergy() bool { return k == Energy || k == Power }

// The mean over a window passes half the power at this frequency times the
// window's length: sin(πx)/(πx) = 1/√2.
const windowCorner = 0.44295

// bareWindow is the length of windows, in seconds, where there is no cut-off to
// take it from.
const bareWindow = 0.05

// window is the length of windows in seconds. By default they pass the band that
// the cut-off of the dynamic model passes: longer ones average away motion that it
// sees, and shorter ones let through noise that it does not.
func (c *Config) window(dt float64) float64 {
	switch {
	case c.Window > 0:
		return c.Window
	case c.Decimate > 1:
		return 2 * float64(c.Decimate) * dt
	case c.Cutoff > 0:
		return windowCorner / c.Cutoff
	}
	return bareWindow
}

// corner is the frequency at which the filter of the filtered model passes half
// the power: the cut-off of the dynamic one; with a decimation, which follows, half
// of what it keeps.
func (c *Config) corner(rate float64) float64 {
	if c.Decimate > 1 {
		return rate / float64(4*c.Decimate)
	}
	return c.Cutoff
}

// newRows makes the filters by which a model other than the dynamic one makes its
// rows.
func (f *filters) newRows(cfg *Config, rate float64) error {
	switch cfg.Model {
	case Filtered:
		corner := cfg.corner(rate)
		if corner == 0 {
			return fmt.Errorf("the filtered model is made by a filter, and there is none: give --cutoff HZ or --decimate N")
		}
		pole, err := filter.NewRealPole(cfg.Order, corner, rate)
		if err != nil {
			return fmt.Errorf("the filtered model: %w", err)
		}
		f.pole, f.both = &pole, nil
		f.overlap += pole.Tail(tailTolerance)
		f.middle = -int(math.Round(pole.Delay()*rate)) / f.every
	case Energy, Momentum:
		f.both, f.fir = nil, nil
		f.window = max(int(math.Round(cfg.window(1/rate)*rate)), 1)
		// Half windows are the longest steps that miss nothing a window passes: its
		// response has its first zero at the inverse of its length.
		f.every = max(f.window/2, 1)
		f.middle = f.window / (2 * f.every)
		f.overlap += f.window + cubicReach
	case Power:
		f.overlap += differenceReach
	}
	return nil
}

// cubicReach is the number of samples on either side that integrals and
// derivatives between samples look at.
const cubicReach = 4

// describe says how rows were made, "" where it is the dynamic model's way.
func (f *filters) describe(cfg *Config, dt float64) string {
	switch cfg.Model {
	case Energy, Momentum:
		return fmt.Sprintf("integrals over %.4g s, one every %.4g s", float64(f.window)*dt, float64(f.every)*dt)
	case Filtered:
		return fmt.Sprintf("causal filter of order %d with real poles, half power at %.4g Hz; no accelerations", f.pole.Order(), cfg.corner(1/dt))
	case Power:
		return "differences of energies through the filter of both sides; no accelerations"
	}
	return ""
}

// unitless says that deviations of rows are not torques of joints.
func (k Kind) unitless() bool { return k != Dynamic && k != Filtered }

// shape returns the masks of the equations of a sample: one for each joint, or one
// with all columns.
func (k Kind) shape(m *regressor.Model) [][]int {
	if !k.ofEnergy() {
		masks := make([][]int, m.Joints())
		for j := range masks {
			masks[j] = m.Mask(j)
		}
		return masks
	}
	all := make([]int, len(m.Columns()))
	for c := range all {
		all[c] = c
	}
	return [][]int{all}
}

// modelRows holds the blocks that models other than the dynamic one evaluate.
type modelRows struct {
	d1, d2, h *regressor.Block
	stored    []bool
	power     []float64
	scratch   []float64
}

// evaluate fills the blocks of the chunk at hand with energies or momenta.
func (w *worker) evaluate(in regressor.Batch) {
	n := len(in.Q[0])
	r := &w.rowsOf
	if n > r.size() {
		r.stored = w.model.Stored()
		r.power, r.scratch = make([]float64, n), make([]float64, n)
		if w.cfg.Model.ofEnergy() {
			r.h = w.model.NewEnergyBlock(n)
		} else {
			r.d1, r.d2 = w.model.NewBlock(n), w.model.NewBlock(n)
		}
	}
	if w.cfg.Model.ofEnergy() {
		r.h.Resize(n)
		w.model.EvalEnergy(r.h, in, w.ws)
		power := r.power[:n]
		clear(power)
		for k := range w.joints {
			for i, v := range w.raw[k] {
				power[i] += in.DQ[k][i] * v
			}
		}
		return
	}
	r.d1.Resize(n)
	r.d2.Resize(n)
	w.model.EvalMomentum(r.d1, r.d2, in, w.ws)
	w.silence(r.d1)
	w.silence(r.d2)
}

func (r *modelRows) size() int { return len(r.power) }

// equation returns the columns of one equation of the chunk, the last being the
// known side, and which of their positions are rows.
func (w *worker) equation(k int, c *chunk, f *filters, own span) ([][]float64, span) {
	w.columns = w.columns[:0]
	r := &w.rowsOf
	dt := c.seg.dt
	var level, change func(x []float64)
	switch w.cfg.Model {
	case Dynamic:
		copy(w.tau[k], w.raw[k])
		w.columns = append(append(w.columns, w.block.Joint[k]...), w.tau[k])
		return w.through(w.columns, c, f, own)
	case Filtered:
		level, change = f.pole.LowPass, f.pole.LowPassRate
	case Power:
		level = func([]float64) {}
		change = func(x []float64) {
			scratch := r.scratch[:len(x)]
			filter.Differentiate4(scratch, x, dt)
			copy(x, scratch)
		}
	default:
		level = func(x []float64) { filter.Integrate(x, x, dt) }
		change = func([]float64) {}
	}
	var known []float64
	if w.cfg.Model.ofEnergy() {
		known = r.power[:len(w.raw[0])]
		for i, x := range r.h.Joint[0] {
			if r.stored[i] {
				change(x)
			} else {
				level(x)
			}
			w.columns = append(w.columns, x)
		}
	} else {
		known = w.tau[k]
		copy(known, w.raw[k])
		for i, x := range r.d2.Joint[k] {
			y := r.d1.Joint[k][i]
			level(x)
			change(y)
			for l := range x {
				x[l] += y[l]
			}
			w.columns = append(w.columns, x)
		}
	}
	level(known)
	w.columns = append(w.columns, known)
	if f.window > 0 {
		return w.windows(w.columns, c, f, own)
	}
	if f.pole != nil && f.fir == nil {
		return w.columns, own
	}
	return w.through(w.columns, c, f, own)
}

// windows takes the differences of columns over windows that begin at every
// f.every-th sample of the segment, among the chunk's own, and end before its cut
// end.
func (w *worker) windows(cols [][]float64, c *chunk, f *filters, own span) ([][]float64, span) {
	first := f.firstRow(c, own)
	cut := int(w.cfg.Trim/c.seg.dt + 0.5)
	last := min(own.hi, c.seg.n-cut-f.window-c.lo)
	count := 0
	if first < last {
		count = (last - first + f.every - 1) / f.every
	}
	w.growThinned(len(cols) * count)
	out := w.thinCols[:0]
	for k, x := range cols {
		dst := w.thinned[k*count : (k+1)*count : (k+1)*count]
		for i := range dst {
			at := first + i*f.every
			dst[i] = x[at+f.window] - x[at]
		}
		out = append(out, dst)
	}
	w.thinCols = out
	return out, span{0, count}
}

// annotate states in a result how its rows were made.
func (e *experiment) annotate(res *estimate.Result) error {
	res.Model = string(e.cfg.Model)
	if e.cfg.Model == Dynamic {
		return nil
	}
	seg := &e.segments[0][0]
	f, err := newFilters(e.cfg, 1/seg.dt)
	if err != nil {
		return err
	}
	res.Processing.Rows = f.describe(e.cfg, seg.dt)
	if e.cfg.Model.unitless() {
		// Deviations of rows of energy or momentum are no torques of joints.
		res.NoiseSigma, res.CorrelationInflation, res.EffectiveSamples = nil, nil, nil
	}
	return nil
}
