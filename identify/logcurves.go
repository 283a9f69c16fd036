package identify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"ident/datasets"
	"ident/doctor"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/report"
	"ident/report/scene"
	"ident/robot"
)

const (
	// mostCurveBuckets is the number of buckets of a channel on a page: six for each pixel of a wide window.
	mostCurveBuckets = 8000
	// closeRows is the number of rows that are kept to either side of a mark.
	closeRows = 128
	// mostMarks of a run are drawn: more make a page of nothing else.
	mostMarks = 200
	// mostClose is the number of stretches of a run that are kept with every row.
	mostClose = 20
)

// channelPanels are the panels of a joint, in the order of a page.
var channelPanels = []struct {
	kind, colour string
	of           func(*datasets.Roles) []string
}{
	{"position", "measured", func(r *datasets.Roles) []string { return r.Q }},
	{"velocity", "measured", func(r *datasets.Roles) []string { return r.DQ }},
	{"acceleration", "measured", func(r *datasets.Roles) []string { return r.DDQ }},
	{"torque", "predicted", func(r *datasets.Roles) []string { return r.Tau }},
	{"current", "predicted", func(r *datasets.Roles) []string { return r.Current }},
	{"voltage", "predicted", func(r *datasets.Roles) []string { return r.Voltage }},
}

// Curves reads the logs once and returns the channels of their joints for a page, with the findings where they lie, and
// the motion of the robot in each run. Times count from the first row of a run. Of long logs the curves have the least
// and the largest value of each channel in buckets of rows, and every row about findings.
func (c *Checked) Curves(ctx context.Context) (*report.Curves, []scene.Run, error) {
	joints := project.JointNames(c.Session.Robot)
	curves := &report.Curves{Rows: make([]report.CurveRow, len(joints))}
	for j, name := range joints {
		curves.Rows[j] = report.CurveRow{Name: name, Shown: j < 12}
	}
	for p, panel := range channelPanels {
		for j := range joints {
			unit, known := "", false
			for i := range c.Session.Runs {
				run := &c.Session.Runs[i]
				if names := panel.of(&run.Roles); j < len(names) && names[j] != "" {
					unit, known = c.unitOf(run, j, p, names[j]), true
				}
			}
			if known {
				curves.Rows[j].Panels = append(curves.Rows[j].Panels, report.CurvePanel{Label: panel.kind + ", " + unit, Unit: &unit, Share: 1,
					Curves: []report.Kind{{Kind: panel.kind, Colour: panel.colour, Width: 1.3}}})
			}
		}
	}
	var motions []scene.Run
	for i := range c.Session.Runs {
		run, motion, err := c.curvesOf(ctx, &c.Session.Runs[i], joints)
		if err != nil {
			return nil, nil, fmt.Errorf("curves of %s: %w", c.Session.Runs[i].Name, err)
		}
		curves.Runs, motions = append(curves.Runs, run), append(motions, motion)
	}
	return curves, motions, nil
}

// unitOf returns the unit in which the log gives a channel of a joint.
func (c *Checked) unitOf(run *regression.Run, joint, panel int, channel string) string {
	for _, ch := range run.Log.Channels() {
		if si, _, err := datasets.SI(ch.Unit); ch.Name == channel && ch.Unit != "" && err == nil {
			return pretty(si)
		}
	}
	r := c.Session.Robot
	length, effort := "rad", "N·m"
	if i, ok := project.JointIndex(r, project.JointNames(r)[joint]); ok && r.Links[i].Joint.Kind == robot.Prismatic {
		length, effort = "m", "N"
	}
	return [...]string{length, length + "/s", length + "/s²", effort, "A", "V"}[panel]
}

// pretty returns a unit as pages write it.
func pretty(si string) string {
	if p, ok := map[string]string{"N.m": "N·m", "rad/s^2": "rad/s²", "m/s^2": "m/s²"}[si]; ok {
		return p
	}
	return si
}

// curvesOf reads one run.
func (c *Checked) curvesOf(ctx context.Context, run *regression.Run, joints []string) (out report.CurveRun, motion scene.Run, err error) {
	var names []string
	at := map[[2]int]int{} // panel and joint: column
	for p, panel := range channelPanels {
		for j, name := range panel.of(&run.Roles) {
			if name != "" {
				at[[2]int{p, j}] = len(names)
				names = append(names, name)
			}
		}
	}
	marks := c.marksOf(run, joints)
	rows := run.Log.Rows()
	buckets := report.NewBuckets(len(names), rows, mostCurveBuckets)
	every := max(1, rows/2000)
	motion = scene.Run{Name: run.Name, Q: make([][]float64, len(joints))}
	whole := true // every joint has a position
	for j := range joints {
		_, ok := at[[2]int{0, j}]
		whole = whole && ok
	}
	start, last := math.NaN(), 0.0
	t := make([]float64, 0, datasets.DefaultBatch)
	names = append([]string{run.Roles.T}, names...)
	err = run.Log.Scan(names, datasets.DefaultBatch, func(first int, cols [][]float64) error {
		t = t[:0]
		for _, x := range cols[0] {
			if math.IsNaN(start) && !math.IsNaN(x) {
				start = x
			}
			if x -= start; x > last { // a clock that stands or goes back leaves the row where the last one was
				last = x
			}
			t = append(t, last)
		}
		buckets.Add(t, cols[1:])
		for i := range marks {
			marks[i].find(first, t)
		}
		for k := (every - first%every) % every; whole && k < len(t); k += every {
			motion.T = append(motion.T, t[k])
			for j := range joints {
				motion.Q[j] = append(motion.Q[j], cols[1+at[[2]int{0, j}]][k])
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return out, motion, err
	}
	low, high := map[string][][]float64{}, map[string][][]float64{}
	for p, panel := range channelPanels {
		for j := range joints {
			var lo, hi []float64
			if column, ok := at[[2]int{p, j}]; ok {
				lo, hi = buckets.Values(column)
			}
			low[panel.kind], high[panel.kind] = append(low[panel.kind], lo), append(high[panel.kind], hi)
		}
	}
	out = report.CurveRun{Name: run.Name, Low: low, High: high}
	if out.T, out.Until = buckets.Times(); buckets.Width() == 1 {
		out.Until = nil
	}
	slices.SortStableFunc(marks, func(a, b rowMark) int { return cmp.Compare(a.From, b.From) })
	for _, m := range marks {
		out.Marks = append(out.Marks, m.CurveMark)
	}
	if out.Until == nil || len(marks) == 0 {
		return out, motion, nil
	}
	parts, err := closely(ctx, run.Log, names, marks)
	for _, part := range parts {
		values := map[string][][]float64{}
		for p, panel := range channelPanels {
			for j := range joints {
				var v []float64
				if column, ok := at[[2]int{p, j}]; ok {
					v = part[1+column]
				}
				values[panel.kind] = append(values[panel.kind], v)
			}
		}
		for k := range part[0] {
			part[0][k] -= start
		}
		out.Closely = append(out.Closely, report.CurveRun{T: part[0], Low: values})
	}
	return out, motion, err
}

// closely returns the columns of the rows about marks, which are in order, in stretches that do not touch.
func closely(ctx context.Context, log *datasets.Log, names []string, marks []rowMark) ([][][]float64, error) {
	var wanted []datasets.RowRange
	for _, m := range marks {
		for _, row := range [2]int{m.rows[0], m.rows[1] - 1} {
			r := datasets.RowRange{max(0, row-closeRows), min(log.Rows(), row+closeRows)}
			if n := len(wanted); n > 0 && r[0] <= wanted[n-1][1] {
				wanted[n-1][1] = max(wanted[n-1][1], r[1])
			} else if n < mostClose && r[0] < r[1] {
				wanted = append(wanted, r)
			}
		}
	}
	parts := make([][][]float64, len(wanted))
	for i := range parts {
		parts[i] = make([][]float64, len(names))
	}
	err := log.Scan(names, datasets.DefaultBatch, func(first int, cols [][]float64) error {
		for i, r := range wanted {
			from, to := max(0, r[0]-first), min(len(cols[0]), r[1]-first)
			for k := range cols {
				if from < to {
					parts[i][k] = append(parts[i][k], cols[k][from:to]...)
				}
			}
		}
		if len(wanted) == 0 || first >= wanted[len(wanted)-1][1] {
			return datasets.ErrStop
		}
		return ctx.Err()
	})
	return parts, err
}

// rowMark is a mark with its rows. Before the log is read, either its times are known or its rows.
type rowMark struct {
	report.CurveMark
	rows   datasets.RowRange
	byTime bool
	found  [2]bool // begin and end have both
}

// find takes in the times of rows, of which first is the first, and completes the mark if it lies among them.
func (m *rowMark) find(first int, t []float64) {
	for e, at := range [2]*float64{&m.From, &m.To} {
		k := m.rows[e] - e - first
		if m.byTime {
			k, _ = slices.BinarySearch(t, *at)
		}
		if m.found[e] || k < 0 || k >= len(t) {
			continue
		}
		m.found[e], m.rows[e] = true, first+k+e
		if !m.byTime {
			*at = t[k]
		}
	}
}

// marksOf returns the findings that lie at a place of a run.
func (c *Checked) marksOf(run *regression.Run, joints []string) (marks []rowMark) {
	for _, f := range c.Findings {
		if f.Log != run.Name {
			continue
		}
		m := report.CurveMark{Row: slices.Index(joints, f.Joint), Severity: string(f.Severity), Words: f.ID + ": " + f.Why}
		if m.Severity != string(doctor.Error) && m.Severity != string(doctor.Warning) {
			m.Severity = "info"
		}
		for _, panel := range channelPanels {
			if j := slices.Index(panel.of(&run.Roles), f.Channel); j >= 0 && f.Channel != "" {
				m.Row, m.Kind = j, panel.kind
			}
		}
		var ranges []datasets.RowRange
		for _, e := range f.Repair.Edits {
			ranges = append(ranges, e.Rows...)
		}
		for _, r := range ranges {
			marks = append(marks, rowMark{CurveMark: m, rows: r})
		}
		for _, s := range f.Spans {
			if m.From, m.To = s[0], s[1]; len(ranges) == 0 {
				marks = append(marks, rowMark{CurveMark: m, byTime: true})
			}
		}
	}
	return marks[:min(len(marks), mostMarks)]
}
