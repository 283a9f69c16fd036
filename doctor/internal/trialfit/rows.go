package trialfit

import (
	"context"
	"math"
	"runtime"
	"sync"

	"ident/doctor/internal/scratch"
	"ident/filter"
	"ident/regressor"
)

// The trial fit: rows of the base regressor with the torques, both through one zero-phase low-pass.
const (
	// Band is the cut-off of both sides, Hz, or a fifth of the rate where that is less: the bandwidth of the drives of
	// arms.
	Band = 10.0
	// The low-pass of the positions, before they are differentiated, has a cut-off this many times higher, so that
	// reversals, where friction changes sign, stay in place.
	trialReach = 5
	// Number of rows kept for each hertz of the cut-off. Noise after the low-pass is then nearly independent from row
	// to row, so correlated residuals mean model errors.
	rowsPerBand = 2.5
	// Highest rate at which the regressor is evaluated, Hz.
	trialRate = 1000.0
	// Number of samples in a batch at that rate; it bounds the memory of a regressor.
	batchSamples = 8192
	// Smallest number of rows per joint for a fit.
	fewestRows = 60
)

// Rows are the equations of the torque checks. All joints have rows at the same samples. Y[j] is nil for a joint j
// without a torque channel.
type Rows struct {
	Model   *regressor.Model // base columns only
	Base    []int            // indices of Model's columns in the model of all terms
	Part    float64          // fraction of the samples that the rows are made from
	samples []torqueSamples  // torques of all samples, for shifts in time
	T       []float64        // s
	// Positions and velocities at the rows, by joint, before the low-pass that both sides of the equations go through.
	Q, DQ [][]float64
	// Behind that low-pass, by joint: velocity, acceleration and sign of the velocity.
	FDQ, FDDQ, FSign [][]float64
	Sums             map[Pair][]float64 // filtered signs of the sum and difference of two joints' velocities
	sums             [][]float64        // the same, as pairs lists them
	Y                [][]float64        // torque, filtered, per joint
	W                [][][]float64      // regressor, filtered, per joint and column of its mask
	// Lost marks rows of a joint that stands or creeps: its friction is anything up to the breakaway
	// friction, and no model linear in its parameters gives it.
	Lost [][]bool

	memory scratch.Columns // of one fit at a time
}

// Signals are the samples that a log has of a robot's joints.
type Signals struct {
	Model    *regressor.Model // base columns only
	Base     []int            // indices of Model's columns in the model of all terms
	Interval float64          // interval of the uniform clock that replaces the log's clock, s
	Joints   []JointSignals   // one for each row of the model
	Segments []Segment
	Scratch  *Scratch // scratch memory for the model; nil allocates it
}

// JointSignals says how the channels of a joint are taken.
type JointSignals struct {
	Moves bool    // the joint moves; if not, it stays at the mean of its positions
	At    float64 // constant position, rad or m, if the joint has no channel
	Gain  float64 // joint torque per unit of effort, N·m or N
}

// Segment is a gap-free piece of a log. Q and Effort must have one column per joint, nil where the log has no channel.
type Segment struct {
	T         []float64 // s
	Uniform   bool      // T has the interval of the uniform clock; other segments are resampled
	Q, Effort [][]float64
	Knots     *filter.Knots // T, where it is not uniform; nil sets its own
}

// NewRows filters the log; nil where it gives too few rows, or where ctx is done.
func NewRows(ctx context.Context, in Signals) *Rows {
	sf := newSegmentFilter(&in)
	if sf == nil {
		return nil
	}
	segments, part := in.spread(rowsPerBand * sf.band)
	tr := sf.make(ctx, segments)
	if part < 1 && (tr == nil || tr.few()) {
		part, tr = 1, sf.make(ctx, in.Segments)
	}
	if tr != nil {
		tr.Part = part
	}
	return tr
}

// make filters segments of the log. It returns nil if they give too few rows or if ctx is done.
func (sf *segmentFilter) make(ctx context.Context, segments []Segment) *Rows {
	in := sf.Signals
	var todo []batch
	step, rows := batchSamples*sf.keep, 0
	for _, s := range segments {
		for from := 0; from < len(s.T); from += step {
			if p := sf.newBatch(s, from, min(len(s.T), from+step), rows); len(p.rows) > 0 {
				todo = append(todo, p)
				rows += len(p.rows)
			}
		}
	}
	if rows < fewestRows {
		return nil
	}
	tr := in.room(rows, segments)
	tr.samples = make([]torqueSamples, len(todo))
	scratch := in.Scratch
	if scratch == nil {
		scratch = new(Scratch)
	}
	var wg sync.WaitGroup
	next := make(chan int, len(todo))
	for i := range todo {
		next <- i
	}
	close(next)
	for range min(runtime.GOMAXPROCS(0), len(todo)) {
		wg.Go(func() {
			work := scratch.take(in.Model)
			if len(in.Joints) <= ManyJoints { // of more the memory is a good part of all
				defer scratch.release(work)
			}
			for i := range next {
				if ctx.Err() != nil {
					return
				}
				tr.samples[i] = sf.filter(&todo[i], tr, work)
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil
	}
	for j := range in.Joints {
		if tr.W[j] != nil {
			tr.Y[j] = tr.Torque(j, 0)
		}
	}
	return tr
}

// room allocates the given number of rows for the segments' joints.
func (in *Signals) room(rows int, segments []Segment) *Rows {
	joints := len(in.Joints)
	tr := &Rows{Model: in.Model, Base: in.Base, T: make([]float64, rows), Sums: map[Pair][]float64{}, W: make([][][]float64, joints), Y: make([][]float64, joints), Lost: make([][]bool, joints)}
	for _, set := range []*[][]float64{&tr.Q, &tr.DQ, &tr.FDQ, &tr.FDDQ, &tr.FSign} {
		*set = grid(joints, rows)
	}
	for j := range joints {
		tr.Lost[j] = make([]bool, rows)
		if segments[0].Effort[j] != nil {
			tr.W[j] = grid(len(in.Model.Mask(j)), rows)
		}
	}
	tr.sums = grid(len(pairs(joints)), rows)
	for k, s := range pairs(joints) {
		tr.Sums[s] = tr.sums[k]
	}
	return tr
}

// Torque returns the filtered torque of a joint at the times of the rows plus a shift in seconds, by cubics
// through the low-passed samples. Beyond a segment it stays at the last sample.
func (tr *Rows) Torque(j int, shift float64) []float64 {
	return tr.torque(make([]float64, 0, len(tr.T)), j, shift)
}

// torque does the same as Torque and appends the result to y.
func (tr *Rows) torque(y []float64, j int, shift float64) []float64 {
	for _, st := range tr.samples {
		s := shift / st.dt
		whole := math.Floor(s)
		f := s - whole
		x := st.y[j]
		at := func(k int) float64 { return x[min(max(k, 0), len(x)-1)] }
		// Lagrange's cubic through four samples.
		la, lb, lc, ld := -f*(f-1)*(f-2)/6, (f+1)*(f-1)*(f-2)/2, (f+1)*f*(f-2)/2, (f+1)*f*(f-1)/6
		for _, k := range st.rows {
			k += int(whole)
			if k >= 1 && k+2 < len(x) {
				s := x[k-1 : k+3 : k+3]
				y = append(y, la*s[0]+lb*s[1]-lc*s[2]+ld*s[3])
				continue
			}
			y = append(y, la*at(k-1)+lb*at(k)-lc*at(k+1)+ld*at(k+2))
		}
	}
	return y
}

// slope returns the time derivative of the filtered torque at the rows, shifted by the given seconds. The result is in
// the memory of the rows.
func (tr *Rows) slope(j int, shift float64) []float64 {
	h := tr.Interval()
	a := tr.torque(tr.column(), j, shift-h)
	defer tr.memory.Return(tr.memory.Mark())
	b := tr.torque(tr.column(), j, shift+h)
	for k := range a {
		a[k] = (b[k] - a[k]) / (2 * h)
	}
	return a
}

// column allocates one number for each row.
func (tr *Rows) column() []float64 { return tr.memory.Take(len(tr.T))[:0] }

// Interval between the samples, s.
func (tr *Rows) Interval() float64 { return tr.samples[0].dt }
