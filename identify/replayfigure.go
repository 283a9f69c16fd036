package identify

import (
	"fmt"
	"math"
	"slices"

	"ident/internal/digits"
	"ident/report"
	"ident/simulate/replay"
)

// drawnReplay is the motion that a replay simulated, beside the measured one, for a page. Of the starts of a record it draws those
// that do not overlap. Like the curves of logs it keeps buckets of long records, and every state only of some stretches.
type drawnReplay struct {
	records []*replay.Record
	runs    []*drawnRecord // by record
	sums    []deviation    // by joint, of all drawn stretches
	left    bool           // a curve left its range
}

// deviation is that of the simulated motion from the measured one: sums of squares, and the largest.
type deviation struct {
	position, velocity, most float64
	states                   int
}

// drawnRecord is the figure of one record.
type drawnRecord struct {
	buckets   *report.Buckets
	closely   []report.CurveRun
	part      replayStates // that is being simulated
	lead      replayStates // measured states of a bucket before it, kept with it so that no bucket covers its begin
	kept      bool         // the last stretch is in closely
	stretches int
	start     float64      // of the last start, s since the first sample
	out       []bool       // by joint: the last start left the range
	end       float64      // last time that is drawn
	within    [][2]float64 // by joint: the range of positions that are drawn, twice as wide as the measured one
}

// replayStates are states on times of the log: columns by kind, then by joint.
type replayStates struct {
	t       []float64
	columns [][]float64
}

// Kinds of curves of a replay, in the order of the columns.
var replayKinds = []string{"position", "simulated", "deviation", "velocity", "rate"}

// replayGap is the time, s, between measured states where nothing is simulated: that of the simulated ones.
const replayGap = 0.005

// mostReplayVelocities is the number of joints of a figure with velocities: three panels for each take 132 px, and four joints the
// height of a window.
const mostReplayVelocities = 4

func newDrawnReplay(records []*replay.Record) *drawnReplay {
	d := &drawnReplay{records: records, sums: make([]deviation, len(records[0].Q))}
	for _, rec := range records {
		rows := int(float64(rec.Samples()) * rec.Interval / replayGap)
		r := &drawnRecord{start: -1, end: -1, buckets: report.NewBuckets(len(replayKinds)*len(rec.Q), rows, max(100, mostCurveBuckets/len(records)))}
		for _, q := range rec.Q {
			lo, hi := slices.Min(q), slices.Max(q)
			r.within = append(r.within, [2]float64{lo - (hi-lo)/2, hi + (hi-lo)/2})
		}
		r.part.columns, r.lead.columns = make([][]float64, len(replayKinds)*len(rec.Q)), make([][]float64, len(replayKinds)*len(rec.Q))
		d.runs = append(d.runs, r)
	}
	return d
}

// visit takes a simulated state in.
func (d *drawnReplay) visit(rec *replay.Record, start, now float64, q, dq []float64) {
	r := d.runs[slices.Index(d.records, rec)]
	if now == start {
		if start <= r.end {
			return
		}
		d.flush(r)
		d.measured(rec, r, start)
		r.start, r.out = start, make([]bool, len(q))
		r.stretches++
	}
	if start == r.start {
		d.add(rec, r, now, q, dq)
	}
}

// add adds a state to the present part; without q only the measured one.
func (d *drawnReplay) add(rec *replay.Record, r *drawnRecord, now float64, q, dq []float64) {
	n := len(rec.Q)
	mq, mdq := make([]float64, n), make([]float64, n)
	rec.State(now, mq, mdq)
	r.part.t, r.end = append(r.part.t, rec.Start+now), now
	for j := range n {
		values := [...]float64{mq[j], math.NaN(), math.NaN(), mdq[j], math.NaN()}
		if q != nil {
			off := q[j] - mq[j]
			s := &d.sums[j]
			s.position, s.velocity, s.most, s.states = s.position+off*off, s.velocity+(dq[j]-mdq[j])*(dq[j]-mdq[j]), max(s.most, math.Abs(off)), s.states+1
			r.out[j] = r.out[j] || !(r.within[j][0] <= q[j] && q[j] <= r.within[j][1])
			if !r.out[j] {
				values[1], values[2], values[4] = q[j], 1e3*off, dq[j]
			}
			d.left = d.left || r.out[j]
		}
		for k, v := range values {
			r.part.columns[k*n+j] = append(r.part.columns[k*n+j], v)
		}
	}
}

// measured adds the measured states between the last state and a time, at least one of them so that stretches stay apart.
func (d *drawnReplay) measured(rec *replay.Record, r *drawnRecord, until float64) {
	if r.end < 0 || until <= r.end {
		return
	}
	from, n, width := r.end, max(1, int((until-r.end)/replayGap)-1), r.buckets.Width()
	for k := range n {
		d.add(rec, r, from+(until-from)*float64(k+1)/float64(n+1), nil, nil)
		if width > 1 && n >= 2*width {
			if k < width && r.kept {
				r.closely[len(r.closely)-1].T = append(r.closely[len(r.closely)-1].T, r.part.t[len(r.part.t)-1])
				for i, c := range r.part.columns {
					rows := r.closely[len(r.closely)-1].Low[replayKinds[i/len(rec.Q)]]
					rows[i%len(rec.Q)] = append(rows[i%len(rec.Q)], c[len(c)-1])
				}
			}
			if k >= n-width {
				r.lead.t = append(r.lead.t, r.part.t[len(r.part.t)-1])
				for i, c := range r.part.columns {
					r.lead.columns[i] = append(r.lead.columns[i], c[len(c)-1])
				}
			}
		}
		if len(r.part.t) == curveBatch {
			d.empty(r)
		}
	}
	d.empty(r)
}

// flush ends a stretch. Of buckets its states are kept as well, for one in as many stretches as there are records.
func (d *drawnReplay) flush(r *drawnRecord) {
	if len(r.part.t) == 0 {
		return
	}
	if r.kept = r.buckets.Width() > 1 && r.stretches%len(d.records) == 0; r.kept {
		var own [][]float64
		for i, c := range r.part.columns {
			own = append(own, slices.Concat(r.lead.columns[i], c))
		}
		r.closely = append(r.closely, report.CurveRun{T: slices.Concat(r.lead.t, r.part.t), Low: byKind(own, len(d.sums))})
	}
	r.lead = replayStates{columns: make([][]float64, len(r.part.columns))}
	d.empty(r)
}

// empty moves the present part to the buckets.
func (d *drawnReplay) empty(r *drawnRecord) {
	r.buckets.Add(r.part.t, r.part.columns)
	r.part.t = r.part.t[:0]
	for i := range r.part.columns {
		r.part.columns[i] = r.part.columns[i][:0]
	}
}

// finish ends the figure with the measured motion behind the last stretches.
func (d *drawnReplay) finish() {
	for i, r := range d.runs {
		rec := d.records[i]
		d.flush(r)
		d.measured(rec, r, float64(rec.Samples()-1)*rec.Interval)
	}
}

// byKind returns columns by kind and joint.
func byKind(columns [][]float64, joints int) map[string][][]float64 {
	out := map[string][][]float64{}
	for k, kind := range replayKinds {
		out[kind] = columns[k*joints : (k+1)*joints]
	}
	return out
}

// section returns the section of a page on the replay.
func (d *ReplayDocument) section() report.Section {
	s := report.Section{Title: "Replay", Open: true, Lines: d.Notes}
	if d.drawn == nil {
		for _, v := range d.Verdicts {
			s.Gist = v.Why
		}
		return s
	}
	percent := func(h ReplayHorizon) float64 { return h.Percent }
	driven, of := "under the logged torques, without a controller", "the motion"
	if d.Controller != "" {
		percent = func(h ReplayHorizon) float64 { return h.PercentOfLaw }
		driven, of = "from the logged commands under the controller "+d.Controller, "the controller's own error"
	}
	horizons := report.Table{Caption: "Error of position after a time without correction, all joints and all starts, % of " + of,
		Head: []string{"After, s", "Identified", "Robot file", "Starts", "Diverged"}, Right: []bool{true, true, true, true, true}}
	longest := 0.0
	for i, h := range d.Identified {
		row := []string{digits.Number(h.HorizonS, 3), digits.Number(percent(h), 3), "", fmt.Sprint(h.Starts), fmt.Sprint(h.Lost)}
		if i < len(d.File) {
			row[2] = digits.Number(percent(d.File[i]), 3)
		}
		horizons.Rows = append(horizons.Rows, row)
		longest = max(longest, h.HorizonS)
		if h.HorizonS == judgedHorizon && d.Controller == "" || h.HorizonS == judgedUnderLaw && d.Controller != "" {
			s.Gist = fmt.Sprintf("after %g s off by %s %% of %s", h.HorizonS, digits.Number(percent(h), 3), of)
		}
	}
	joints := report.Table{Caption: "Simulated less measured motion, over the drawn stretches",
		Head: []string{"Joint", "RMS", "Largest", "", "RMS of velocity", ""}, Right: []bool{false, true, true, false, true, false}}
	c := &report.Curves{}
	for j, name := range d.Joints {
		small := map[string]string{"rad": "mrad", "m": "mm"}[d.Units[j]]
		sum, n := d.drawn.sums[j], math.Max(1, float64(d.drawn.sums[j].states))
		joints.Rows = append(joints.Rows, []string{name, digits.Number(1e3*math.Sqrt(sum.position/n), 3), digits.Number(1e3*sum.most, 3), small,
			digits.Number(1e3*math.Sqrt(sum.velocity/n), 3), small + "/s"})
		c.Rows = append(c.Rows, replayRow(name, d.Units[j], small, len(d.Joints) <= mostReplayVelocities))
		c.Rows[j].Shown = j < mostReplayRows
	}
	stretches := 0
	for i, r := range d.drawn.runs {
		run := report.CurveRun{Name: d.drawn.records[i].Name, Closely: r.closely}
		var low, high [][]float64
		for k := range len(replayKinds) * len(d.Joints) {
			lo, hi := r.buckets.Values(k)
			low, high = append(low, lo), append(high, hi)
		}
		run.Low = byKind(low, len(d.Joints))
		if run.T, run.Until = r.buckets.Times(); r.buckets.Width() == 1 {
			run.Until = nil
		} else {
			run.High = byKind(high, len(d.Joints))
		}
		c.Runs = append(c.Runs, run)
		stretches += r.stretches
	}
	what := fmt.Sprintf("The identified model runs forward %s, in %d × %g s, each from the measured position and velocity at its start.",
		driven, stretches, longest)
	if d.drawn.left {
		what += " Curves end where they leave the measured range by half of it; the tables count all."
	}
	s.Lines = append([]string{what}, d.Notes...)
	s.Curves, s.Tables = c, []report.Table{joints, horizons}
	s.Legend = []report.Mark{{Class: "m", Text: "measured, filtered"}, {Class: "p", Text: "simulated"}, {Class: "r", Text: "simulated less measured"}}
	return s
}

// mostReplayRows is the number of joints that are shown at first, as of torques.
const mostReplayRows = 8

// replayRow returns the panels of a joint.
func replayRow(name, unit, small string, velocity bool) report.CurveRow {
	rate := unit + "/s"
	pair := func(label string, unit *string, measured, simulated string) report.CurvePanel {
		return report.CurvePanel{Label: label + ", " + *unit, Unit: unit, Share: 0.5, Curves: []report.Kind{
			{Kind: measured, Colour: "measured", Width: 2.2, Label: "measured"}, {Kind: simulated, Colour: "predicted", Width: 1.1, Label: "simulated"}}}
	}
	row := report.CurveRow{Name: name, Unit: unit, Panels: []report.CurvePanel{pair("position", &unit, "position", "simulated"),
		{Label: "deviation, " + small, Unit: &small, Share: 0.3, Symmetric: true, Curves: []report.Kind{{Kind: "deviation", Colour: "residual", Width: 1.1}}}}}
	if velocity {
		row.Panels = append(row.Panels, pair("velocity", &rate, "velocity", "rate"))
	}
	return row
}
