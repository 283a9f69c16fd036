package identify

import (
	"fmt"
	"slices"

	"ident/filter"
	"ident/internal/triangle"
	"ident/regressor"
)

// choices is what "auto" became for all runs of an identification.
type choices struct {
	velocity     string // "measured" or "position"
	acceleration string // "measured", "velocity" or "position"
	reasons      []string
}

// filters are the filters of one segment's rate.
type filters struct {
	motion  *filter.SOS      // nil for none
	rates   *differentiator  // in place of it and of differences where velocities come from positions; nil for none
	both    *filter.SOS      // the parallel low-pass, nil for none
	fir     *filter.FIR      // the decimation, nil for none
	pole    *filter.RealPole // of the filtered model
	window  int              // samples of a window of the energy and momentum models, 0 for none
	every   int              // samples from row to row
	middle  int              // rows by which the middle of what a row is made of comes after it
	overlap int
}

// differenceReach is the number of samples beside its own that a repeated
// five-point difference looks at.
const differenceReach = 4

// tailTolerance is the part of a filter's response that blocks may cut off: no
// more than rounding leaves of a sum of some thousand terms, and far below the
// resolution of any sensor.
const tailTolerance = 1e-12

func newFilters(cfg *Config, rate float64) (*filters, error) {
	f := &filters{every: 1, overlap: differenceReach}
	motion, both := cfg.MotionCutoff, cfg.Cutoff
	if cfg.Decimate > 1 {
		both = 0
		fir := filter.DecimationFIR(cfg.Decimate)
		f.fir, f.every = &fir, cfg.Decimate
		f.overlap += fir.Half()
	}
	for _, d := range []struct {
		cutoff float64
		to     **filter.SOS
	}{{motion, &f.motion}, {both, &f.both}} {
		if d.cutoff == 0 {
			continue
		}
		sos, err := filter.Butterworth(cfg.Order, d.cutoff, rate)
		if err != nil {
			return nil, fmt.Errorf("the filter does not fit the log's rate: %w", err)
		}
		*d.to = &sos
		f.overlap += sos.Tail(tailTolerance)
	}
	var err error
	if f.rates, err = newDifferentiator(cfg, rate); err != nil {
		return nil, err
	}
	if f.rates != nil {
		f.overlap += f.rates.reach
	}
	if err := f.newRows(cfg, rate); err != nil {
		return nil, err
	}
	return f, nil
}

// plan says how a segment is cut into chunks, in whole steps of the decimation
// and of the time blocks. The regressor of a short chunk stays in the second-level
// cache between its evaluation and its reduction; of a longer one, less is spent
// on the overlap. Own samples are sixteen times the overlap within these bounds,
// and never less than twice. A target other than zero stands for the rule.
func (f *filters) plan(blockSamples, target int) chunkPlan {
	if target == 0 {
		target = min(max(16*f.overlap, shortChunk), longChunk)
	}
	core := max(target, 2*f.overlap)
	switch {
	case blockSamples <= core:
		core -= core % blockSamples
	default:
		parts := (blockSamples + core - 1) / core
		core = (blockSamples + parts - 1) / parts
		core += (f.every - core%f.every) % f.every
	}
	return chunkPlan{core: core, overlap: f.overlap}
}

const (
	shortChunk = 2048
	longChunk  = 8192
)

// worker holds the scratch memory of one goroutine.
type worker struct {
	cfg    *Config
	model  *regressor.Model
	joints int
	choice choices

	block     *regressor.Block
	capacity  int
	ws        *regressor.Workspace
	work      filter.Work
	dq, ddq   [][]float64
	tau       [][]float64
	raw       [][]float64
	pred      [][]float64
	columns   [][]float64
	part      [][]float64
	tri       triangle.Work
	mergeWork triangle.Work
	rowsOf    modelRows
	runs      []Run
	needs     regressor.Need
	known     *knownSide // nil where nothing is known
	load      [][]float64
	carried   []float64
	closed    []float64 // ones, of contacts that are always closed
	thinned   []float64
	thinCols  [][]float64
	clock     []float64 // of the differentiator
	scratch   []float64
}

// layout says which of a chunk's channels are what; -1 where absent.
type layout struct {
	q, dq, ddq, tau int // index of the first joint's channel
	wrench          int // of the first of the six
	contact         int // of the first normal
	idle            int // of the first redundant drive
}

// layoutOf lists the channels to read of a run: time, then positions, and
// whatever else the choices need.
func layoutOf(run *Run, choice choices) (layout, []string) {
	l := layout{q: 0, dq: -1, ddq: -1}
	channels := append([]string{run.Roles.T}, run.Roles.Q...)
	add := func(names []string) int {
		at := len(channels) - 1
		channels = append(channels, names...)
		return at
	}
	if choice.velocity == "measured" {
		l.dq = add(run.Roles.DQ)
	}
	if choice.acceleration == "measured" {
		l.ddq = add(run.Roles.DDQ)
	}
	l.tau = add(run.torques())
	l.idle = add(run.Redundant)
	if run.Wrench[0] != "" {
		l.wrench = add(run.Wrench[:])
	}
	if run.Contact[0] != "" {
		l.contact = add(run.contacts())
	}
	return l, channels
}

func newWorker(cfg *Config, model *regressor.Model, choice choices) *worker {
	w := &worker{cfg: cfg, model: model, joints: model.Joints(), choice: choice, ws: model.NewWorkspace()}
	return w
}

func (w *worker) resize(n int) {
	if n > w.capacity {
		w.capacity = n
		w.block = w.model.NewBlock(n)
		for _, p := range []*[][]float64{&w.dq, &w.ddq, &w.tau, &w.raw, &w.pred} {
			store := make([]float64, w.joints*n)
			*p = make([][]float64, w.joints)
			for k := range *p {
				(*p)[k] = store[k*n : (k+1)*n : (k+1)*n]
			}
		}
	}
	w.block.Resize(n)
	for _, p := range [][][]float64{w.dq, w.ddq, w.tau, w.raw, w.pred} {
		for k := range p {
			p[k] = p[k][:n]
		}
	}
}

// rows computes the dynamic regressor of a chunk, unfiltered, from the filtered
// motion, and the torque as logged in w.raw.
func (w *worker) rows(c *chunk, f *filters, ch layout, gains []float64) {
	w.model.EvalBatch(w.block, w.motion(c, f, ch, gains), w.ws)
	w.silence(w.block)
}

// silence empties the rows of joints that something unknown moves: what an
// equation without torque says is nothing.
func (w *worker) silence(b *regressor.Block) {
	for k, l := range w.model.JointLinks() {
		if !slices.Contains(w.cfg.Carried, l) {
			continue
		}
		clear(w.raw[k])
		for _, col := range b.Joint[k] {
			clear(col)
		}
	}
}

// motion filters and differentiates the motion of a chunk, and puts the torque as
// logged in w.raw.
func (w *worker) motion(c *chunk, f *filters, ch layout, gains []float64) regressor.Batch {
	n := len(c.data[0])
	w.resize(n)
	pick := func(at int) [][]float64 { return c.data[at : at+w.joints] }
	q := pick(ch.q)
	smooth := func(cols [][]float64) {
		if f.motion != nil {
			f.motion.ZeroPhaseColumns(cols, &w.work)
		}
	}
	dq, ddq := w.dq, w.ddq
	apart := f.rates == nil || ch.dq >= 0
	if apart {
		smooth(q)
	} else {
		rates := *f.rates // chunks of one segment are worked on at once: each worker has its own scratch
		rates.clock, rates.scratch = w.clock[:0], w.scratch[:0]
		rates.apply(q, dq, ddq, c.seg.dt)
		w.clock, w.scratch = rates.clock, rates.scratch
	}
	switch {
	case !apart:
	case ch.dq >= 0:
		dq = pick(ch.dq)
		smooth(dq)
	default:
		for k := range dq {
			filter.Differentiate4(dq[k], q[k], c.seg.dt)
		}
	}
	switch {
	case ch.ddq >= 0:
		ddq = pick(ch.ddq)
		smooth(ddq)
	case !apart:
	case w.choice.acceleration == "position" && ch.dq >= 0:
		for k := range ddq {
			filter.Differentiate4(w.tau[k], q[k], c.seg.dt)
			filter.Differentiate4(ddq[k], w.tau[k], c.seg.dt)
		}
	default:
		for k := range ddq {
			filter.Differentiate4(ddq[k], dq[k], c.seg.dt)
		}
	}
	for k, v := range pick(ch.tau) {
		gain := 1.0
		if gains != nil {
			gain = gains[k]
		}
		for i, x := range v {
			w.raw[k][i] = gain * x
		}
	}
	if drives := len(w.runs[c.seg.run].Redundant); drives > 0 {
		w.model.Share(w.raw, c.data[ch.idle:ch.idle+drives], q, w.ws)
	}
	in := regressor.Batch{Q: q, DQ: dq, DDQ: ddq}
	w.extend(&in, c, ch)
	return in
}

// span is what a chunk may use of itself: its own samples less the run's cut
// ends, as positions in its data.
type span struct{ lo, hi int }

func (w *worker) own(c *chunk) span {
	cut := int(w.cfg.Trim/c.seg.dt + 0.5)
	first, last := max(c.first, cut), min(c.last, c.seg.n-cut)
	if last < first {
		last = first
	}
	return span{first - c.lo, last - c.lo}
}

// firstRow is the position of the first row of the fit within a chunk: where not
// every sample is one, the first multiple of the step on the segment's clock, and
// with a decimation the first whose support lies within the segment.
func (f *filters) firstRow(c *chunk, own span) int {
	first := own.lo + (f.every-(c.lo+own.lo)%f.every)%f.every
	if f.fir != nil {
		for first < f.fir.Half() {
			first += f.every
		}
	}
	return first
}

func (w *worker) growThinned(need int) {
	if cap(w.thinned) < need {
		w.thinned = make([]float64, need)
	}
}

// through sends columns through the filter of both sides, in place for a
// low-pass, thinned for a decimation, and returns which of their positions are
// rows of the fit.
func (w *worker) through(cols [][]float64, c *chunk, f *filters, own span) ([][]float64, span) {
	if f.fir == nil {
		if f.both != nil {
			f.both.ZeroPhaseColumns(cols, &w.work)
		}
		return cols, own
	}
	first, count := f.firstRow(c, own), 0
	if last := min(own.hi, len(c.data[0])-f.fir.Half()); first < last {
		count = (last - first + f.every - 1) / f.every
	}
	w.growThinned(len(cols) * count)
	out := w.thinCols[:0]
	for k := range cols {
		dst := w.thinned[k*count : (k+1)*count : (k+1)*count]
		if count > 0 {
			f.fir.Decimate(dst, cols[k], first, f.every)
		}
		out = append(out, dst)
	}
	w.thinCols = out
	return out, span{0, count}
}
