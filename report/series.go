package report

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"math"

	"ident/result"
)

// seriesBytes bounds the curves of a page before compression and base 64, which together make them at most a
// third larger: with the static figures a page stays under 5 MB whatever the length of the logs.
const seriesBytes = 3_000_000

// pageSeries are the curves of the interactive figure. page/data.js decodes them.
type pageSeries struct {
	Joints []seriesJoint `json:"joints"`
	Runs   []seriesRun   `json:"runs"`
	Worst  []moment      `json:"worst"`
	Blob   string        `json:"blob"` // base 64 of the deflated channels
}

type seriesJoint struct {
	Name  string `json:"name"`
	Unit  string `json:"unit"`
	Shown bool   `json:"shown"`
}

// seriesRun is one run. Start, End and Shift place it on the axis of all runs, see lanes.
type seriesRun struct {
	Log   string  `json:"log"`
	Role  string  `json:"role"`
	Start float64 `json:"start"`
	End   float64 `json:"end"`
	Shift float64 `json:"shift"`
	seriesStretch
}

// seriesStretch is a number of samples, or of buckets, which have an Until. Period is the time from one to the
// next, in seconds.
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
			lo, hi = math.Min(lo, v), math.Max(hi, v)
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
			q = uint16(math.Round((v - lo) / (hi - lo) * (missingValue - 1)))
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

// text is the blob deflated and in base 64.
func (b *blob) text() (string, error) {
	var out bytes.Buffer
	to := base64.NewEncoder(base64.StdEncoding, &out)
	z, err := flate.NewWriter(to, flate.BestCompression)
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
func newSeries(res *result.Result, runs []result.ResidualRun) (*pageSeries, error) {
	ls := lanes(runs)
	if len(ls) == 0 || len(res.Joints) == 0 {
		return nil, nil
	}
	s := &pageSeries{Worst: []moment{}}
	e, _ := judged(res)
	for j, name := range res.Joints {
		s.Joints = append(s.Joints, seriesJoint{Name: clean(name), Unit: unit(res, j)})
	}
	for _, j := range worstJoints(res, e, shownPanels) {
		s.Joints[j].Shown = true
	}
	most := mostSamples(len(res.Joints), len(ls))
	var b blob
	for _, l := range ls {
		s.Runs = append(s.Runs, seriesRun{Log: clean(l.run.Log), Role: l.run.Role, Start: l.start, End: l.end, Shift: l.shift,
			seriesStretch: b.stretch(l.run, most)})
	}
	s.Worst = worstMoments(res, ls)
	var err error
	s.Blob, err = b.text()
	return s, err
}

// shownPanels is the number of joints whose panels are open at first: more leave none of them room.
const shownPanels = 8

// mostSamples is the number of samples of a run for which seriesBytes has room: measured torque and residual of
// each joint take two bytes each.
func mostSamples(joints, runs int) int { return max(500, seriesBytes/(4*joints*runs)) }

// stretch writes the samples of a run, or where they are more than most the least and the largest of buckets
// of them, three curves of two values instead of two of one.
func (b *blob) stretch(run *result.ResidualRun, most int) seriesStretch {
	n := len(run.T)
	s := seriesStretch{N: n, Curves: map[string][][]channelSpec{}}
	residual := make([]float64, n)
	less := func(j int) []float64 {
		for k, m := range run.Measured[j] {
			residual[k] = m - run.Predicted[j][k]
		}
		return residual
	}
	if n <= most {
		s.Period, s.T = meanPeriod(run.T), b.times(run.T)
		for j := range run.Measured {
			s.Curves[curveMeasured] = append(s.Curves[curveMeasured], []channelSpec{b.channel(run.Measured[j])})
			s.Curves[curveResidual] = append(s.Curves[curveResidual], []channelSpec{b.channel(less(j))})
		}
		return s
	}
	width := (n + most/3 - 1) / (most / 3) // rows of a bucket
	s.N = (n + width - 1) / width
	from, until := make([]float64, s.N), make([]float64, s.N)
	for i := range s.N {
		from[i], until[i] = run.T[i*width], run.T[min(n, (i+1)*width)-1]
	}
	s.Period = meanPeriod(run.T) * float64(width)
	s.T = b.times(from)
	u := b.times(until)
	s.Until = &u
	for j := range run.Measured {
		for kind, values := range map[string][]float64{curveMeasured: run.Measured[j], curvePredicted: run.Predicted[j], curveResidual: less(j)} {
			lo, hi := bounds(values, width)
			s.Curves[kind] = append(s.Curves[kind], []channelSpec{b.channel(lo), b.channel(hi)})
		}
	}
	return s
}

// bounds are the least and the largest of every width values, NaN where none is finite.
func bounds(values []float64, width int) (lo, hi []float64) {
	for a := 0; a < len(values); a += width {
		l, h := math.Inf(1), math.Inf(-1)
		for _, v := range values[a:min(len(values), a+width)] {
			if finite(v) {
				l, h = math.Min(l, v), math.Max(h, v)
			}
		}
		if l > h {
			l, h = math.NaN(), math.NaN()
		}
		lo, hi = append(lo, l), append(hi, h)
	}
	return lo, hi
}

// meanPeriod is the time from sample to sample, without the gaps: the median of some differences.
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
