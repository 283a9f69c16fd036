package report

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"math"

	"github.com/klauspost/compress/flate"

	"ident/result"
)

// seriesBytes bounds the curves of a page before compression and base 64, which together make them at most a
// third larger: with the static figures a page stays under 5 MB whatever the length of the logs.
const seriesBytes = 3_000_000

// pageSeries are the curves of the interactive figure. page/data.js decodes them.
type pageSeries struct {
	Rows    []CurveRow  `json:"rows"`
	Runs    []seriesRun `json:"runs"`
	Moments []moment    `json:"moments"`
	Logged  bool        `json:"logged"` // there are curves of the torque as logged
	File    bool        `json:"file"`   // there are curves predicted by the robot file's parameters
	Blob    string      `json:"blob"`   // base 64 of the deflated channels
}

// seriesRun is one run. Start, End and Shift place it on the axis of all runs, see lanes.
type seriesRun struct {
	Log    string          `json:"log"`
	Role   string          `json:"role"`
	Stride int             `json:"stride"` // rows for each sample, above one where the others are not known
	Start  float64         `json:"start"`
	End    float64         `json:"end"`
	Shift  float64         `json:"shift"`
	Blocks []seriesStretch `json:"blocks,omitempty"` // stretches stored at full rate
	Rest   [][][2]float64  `json:"rest,omitempty"`   // by joint, stretches at rest that are left out; absent without any
	Unused [][2]float64    `json:"unused,omitempty"` // stretches without measured samples, on the run's own clock
	Marks  []CurveMark     `json:"marks,omitempty"`
	seriesStretch
}

// seriesStretch describes samples or, with an Until, buckets. Period is the time between them, in seconds.
type seriesStretch struct {
	N      int                        `json:"n"`
	Period float64                    `json:"period"`
	T      channelSpec                `json:"t"`
	Until  *channelSpec               `json:"until,omitempty"`
	Curves map[string][][]channelSpec `json:"curves"` // kind, joint, then values or least and largest
}

// channelSpec is the offset of a channel in the inflated blob, and the values of its least and largest number;
// of times, the first and the step.
type channelSpec [3]float64

// Kinds of curves.
const (
	curveMeasured  = "measured"
	curvePredicted = "predicted" // of buckets; of samples it is measured less residual
	curveResidual  = "residual"
	curveLogged    = "logged"
	curveFile      = "file" // of buckets; of samples it is measured less fileResidual
	curveOfFile    = "fileResidual"
)

// blob collects channels.
type blob struct{ bytes.Buffer }

// missingValue stands for a value that is not finite.
const missingValue = math.MaxUint16

// channel writes values as 16-bit numbers between their least and largest, as zigzag differences in two planes.
func (b *blob) channel(values []float64) channelSpec {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if finite(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if !finite(hi - lo) {
		lo, hi = 0, 0
	}
	spec := channelSpec{float64(b.Len()), lo, hi}
	planes := make([]byte, 2*len(values))
	last := uint16(0)
	for i, v := range values {
		q := uint16(0)
		switch {
		case !finite(v):
			q = missingValue
		case hi > lo:
			scaled := (v - lo) / (hi - lo) * (missingValue - 1) // in 0 … 65534
			if q = uint16(scaled); scaled-float64(q) >= 0.5 {
				q++
			}
		}
		d := int16(q - last)
		z := uint16(d<<1) ^ uint16(d>>15)
		planes[i], planes[len(values)+i] = byte(z>>8), byte(z)
		last = q
	}
	b.Write(planes)
	return spec
}

// times writes ascending times as differences of 32-bit numbers in four planes: of a uniform clock nearly all
// are alike and take no room once deflated. Times that are not finite take the one before.
func (b *blob) times(t []float64) channelSpec {
	first, last := 0.0, 0.0
	for i, v := range t {
		if finite(v) && (i == 0 || v > last) {
			last = v
		}
		if i == 0 {
			first = last
		}
	}
	step := (last - first) / (1 << 30)
	if !(step > 0) {
		step = 1
	}
	spec := channelSpec{float64(b.Len()), first, step}
	planes := make([]byte, 4*len(t))
	before := int64(0)
	for i, v := range t {
		q := before
		if finite(v) {
			q = max(before, int64(math.Round((v-first)/step)))
		}
		d := uint32(q - before)
		for p := range 4 {
			planes[p*len(t)+i] = byte(d >> (24 - 8*p))
		}
		before = q
	}
	b.Write(planes)
	return spec
}

// text returns the blob deflated and in base 64.
func (b *blob) text() (string, error) {
	var out bytes.Buffer
	to := base64.NewEncoder(base64.StdEncoding, &out)
	z, err := flate.NewWriter(to, 4)
	if err == nil {
		_, err = z.Write(b.Bytes())
	}
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		err = to.Close()
	}
	if err != nil {
		return "", fmt.Errorf("report: curves of the page: %w", err)
	}
	return out.String(), nil
}

// newSeries encodes the runs; nil without samples.
func newSeries(ctx context.Context, res *result.Result, runs []result.ResidualRun) (*pageSeries, error) {
	ls := lanes(runs)
	if len(ls) == 0 || len(res.Joints) == 0 {
		return nil, nil
	}
	s := &pageSeries{Moments: []moment{}}
	e, _ := judged(res)
	short := shortNames(res.Joints, marginName)
	for j, name := range res.Joints {
		s.Rows = append(s.Rows, CurveRow{Name: clean(name), Short: short[j], Unit: unit(res, j), RMS: rmsTorque(ls, j), Panels: jointPanels})
	}
	for _, j := range worstJoints(res, e, shownPanels) {
		s.Rows[j].Shown = true
	}
	s.Logged, s.File = hasCurves(ls, func(r *result.ResidualRun) [][]float64 { return r.Logged }), hasCurves(ls, func(r *result.ResidualRun) [][]float64 { return r.File })
	s.Moments = worstMoments(res, ls)
	most := maxSamples(len(res.Joints), len(ls), s.Logged, s.File)
	var b blob
	for i, l := range ls {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := seriesRun{Log: clean(l.run.Log), Role: l.run.Role, Stride: 1, Start: l.start, End: l.end, Shift: l.shift, Unused: unusedStretches(l.run)}
		r.Rest = restOfJoints(l.run, res)
		if l.run.Long == nil {
			r.Stride = max(1, l.run.Stride)
		}
		source := *l.run
		if !s.Logged {
			source.Logged = nil
		}
		if !s.File {
			source.File = nil
		}
		r.seriesStretch = b.stretch(&source, most)
		if r.Until != nil {
			for _, part := range worstParts(&source, s.Moments, i) {
				r.Blocks = append(r.Blocks, b.samples(&part))
			}
		}
		s.Runs = append(s.Runs, r)
	}
	var err error
	s.Blob, err = b.text()
	return s, err
}

// torqueCurves returns the figure of a page's torques, nil without samples.
func torqueCurves(p *page) *curveFigure {
	if p.Series == nil {
		return nil
	}
	f := &curveFigure{Series: p.Series, Title: p.First.TorqueTitle, Torques: true, FileLacks: p.First.FileLacks, Moments: "worst moments",
		Words:  "Measured and predicted torque of each joint and the residual over the time of all logs; the table of residuals below has the same in numbers.",
		Legend: []Mark{{"m", "measured"}, {"p", "predicted"}, {"r", "residual"}}}
	if p.First.Unused != "" {
		f.Legend = append(f.Legend, Mark{"u", p.First.Unused})
	}
	return f
}

// jointPanels are the panels of a joint: measured and predicted torque, and the residual below them.
var jointPanels = []CurvePanel{
	{Share: 0.66, Curves: []Kind{{Kind: curveMeasured, Colour: "measured", Width: 2.2, Label: "measured"}, {Kind: curvePredicted, Colour: "predicted", Width: 1.1, Label: "predicted"}}},
	{Share: 0.34, Label: "residual", Symmetric: true, Curves: []Kind{{Kind: curveResidual, Colour: "residual", Width: 1.1}}},
}

// marginName is the width, in letters, of a name beside a panel.
const marginName = 14

// shownPanels is the number of joints whose panels are open at first: more leave none of them room.
const shownPanels = 8

// hasCurves reports whether every run has curves of a kind.
func hasCurves(ls []lane, of func(*result.ResidualRun) [][]float64) bool {
	for _, l := range ls {
		if len(of(l.run)) != len(l.run.Measured) {
			return false
		}
	}
	return true
}

// room is the number of samples, and of buckets, of a run that fit into seriesBytes: each value takes two bytes, and a
// bucket has two values of each curve.
type room struct{ samples, buckets int }

func maxSamples(joints, runs int, logged, file bool) room {
	ofSample, ofBucket := 2, 3
	if logged {
		ofSample, ofBucket = ofSample+1, ofBucket+1
	}
	if file {
		ofSample, ofBucket = ofSample+1, ofBucket+2
	}
	bytes := seriesBytes / (joints * runs)
	return room{max(100, bytes/(2*ofSample)), max(50, bytes/(4*ofBucket))}
}

// stretch writes the samples of a run or, if they are too many, the least and largest value of each bucket.
func (b *blob) stretch(run *result.ResidualRun, most room) seriesStretch {
	switch n := len(run.T); {
	case run.Long != nil:
		return b.buckets(run.Long, (len(run.Long.From)+most.buckets-1)/most.buckets, meanPeriod(run.T)/float64(run.Stride))
	case n <= most.samples:
		return b.samples(run)
	default:
		width := (n + most.buckets - 1) / most.buckets
		long := result.LongRun{Rows: width}
		for a := 0; a < n; a += width {
			long.From, long.To = append(long.From, run.T[a]), append(long.To, run.T[min(n, a+width)-1])
		}
		for j := range run.Measured {
			add := func(low, high *[][]float64, values []float64) {
				lo, hi := bounds(values, width)
				*low, *high = append(*low, lo), append(*high, hi)
			}
			add(&long.Low.Measured, &long.High.Measured, run.Measured[j])
			add(&long.Low.Predicted, &long.High.Predicted, run.Predicted[j])
			add(&long.Low.Residual, &long.High.Residual, difference(run.Measured[j], run.Predicted[j]))
			if run.Logged != nil {
				add(&long.Low.Logged, &long.High.Logged, run.Logged[j])
			}
			if run.File != nil {
				add(&long.Low.File, &long.High.File, run.File[j])
				add(&long.Low.FileResidual, &long.High.FileResidual, difference(run.Measured[j], run.File[j]))
			}
		}
		return b.buckets(&long, 1, meanPeriod(run.T))
	}
}

// samples writes every sample of a run.
func (b *blob) samples(run *result.ResidualRun) seriesStretch {
	s := seriesStretch{N: len(run.T), Period: meanPeriod(run.T), T: b.times(run.T), Curves: map[string][][]channelSpec{}}
	add := func(kind string, values []float64) {
		s.Curves[kind] = append(s.Curves[kind], []channelSpec{b.channel(values)})
	}
	for j := range run.Measured {
		add(curveMeasured, run.Measured[j])
		add(curveResidual, difference(run.Measured[j], run.Predicted[j]))
		if run.Logged != nil {
			add(curveLogged, run.Logged[j])
		}
		if run.File != nil {
			add(curveOfFile, difference(run.Measured[j], run.File[j]))
		}
	}
	return s
}

// buckets writes buckets, every so many of them as one. period is the time from row to row.
func (b *blob) buckets(l *result.LongRun, every int, period float64) seriesStretch {
	every = max(every, 1)
	n := (len(l.From) + every - 1) / every
	from, until := make([]float64, n), make([]float64, n)
	for i := range n {
		from[i], until[i] = l.From[i*every], l.To[min(len(l.To), (i+1)*every)-1]
	}
	u := channelSpec{}
	s := seriesStretch{N: n, Period: period * float64(l.Rows*every), T: b.times(from), Until: &u, Curves: map[string][][]channelSpec{}}
	u = b.times(until)
	for _, c := range []struct {
		kind      string
		low, high [][]float64
	}{
		{curveMeasured, l.Low.Measured, l.High.Measured}, {curvePredicted, l.Low.Predicted, l.High.Predicted}, {curveResidual, l.Low.Residual, l.High.Residual},
		{curveLogged, l.Low.Logged, l.High.Logged}, {curveFile, l.Low.File, l.High.File}, {curveOfFile, l.Low.FileResidual, l.High.FileResidual},
	} {
		for j := range c.low {
			lo, _ := bounds(c.low[j], every)
			_, hi := bounds(c.high[j], every)
			s.Curves[c.kind] = append(s.Curves[c.kind], []channelSpec{b.channel(lo), b.channel(hi)})
		}
	}
	return s
}

func difference(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for k := range a {
		out[k] = a[k] - b[k]
	}
	return out
}

// bounds returns the least and the largest of every width values, NaN where none is finite.
func bounds(values []float64, width int) (lo, hi []float64) {
	for a := 0; a < len(values); a += width {
		l, h := math.Inf(1), math.Inf(-1)
		for _, v := range values[a:min(len(values), a+width)] {
			if finite(v) {
				l, h = min(l, v), max(h, v)
			}
		}
		if l > h {
			l, h = math.NaN(), math.NaN()
		}
		lo, hi = append(lo, l), append(hi, h)
	}
	return lo, hi
}

// meanPeriod returns the time between samples, ignoring gaps: the median of some differences.
func meanPeriod(t []float64) float64 {
	var d []float64
	for k := 1; k < len(t); k += 1 + len(t)/1000 {
		if v := t[k] - t[k-1]; finite(v) && v > 0 {
			d = append(d, v)
		}
	}
	if len(d) == 0 {
		return 1
	}
	return median(d)
}
