package identify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

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
	// curveBatch is the number of rows that are read at a time: 3 ms of decoding for a robot of seven joints, beside which it is
	// little that the processors, which share the channels, wait for each other.
	curveBatch = 4 * datasets.DefaultBatch
	// channelsAtOnce are read of a log of manyRows whose channels lie apart. Some writers store every value of a million rows in a
	// dictionary, which takes 16 MB of a channel while it is read, and as much until it is collected: 260 MB of eight.
	channelsAtOnce = 8
	manyRows       = 1 << 20
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
	columns := make([][]curveColumn, len(c.Session.Runs))
	for p, panel := range channelPanels {
		for j := range joints {
			unit, known := "", false
			for i := range c.Session.Runs {
				run := &c.Session.Runs[i]
				if names := panel.of(&run.Roles); j < len(names) && names[j] != "" {
					unit, known = c.unitOf(run, j, p, names[j]), true
					columns[i] = append(columns[i], curveColumn{j, panel.kind, names[j]})
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
		run := &c.Session.Runs[i]
		r := curveReader{log: run.Log, name: run.Name, clock: run.Roles.T, rows: len(joints), columns: columns[i], positions: run.Roles.Q}
		r.mark(c.Findings, func(f *project.Finding) int { return slices.Index(joints, f.Joint) })
		if err := r.read(ctx); err != nil {
			return nil, nil, fmt.Errorf("curves of %s: %w", run.Name, err)
		}
		curves.Runs, motions = append(curves.Runs, r.run), append(motions, r.motion)
	}
	return curves, motions, nil
}

// LogCurves reads a log once and returns its channels for a page, a row each, with the findings where they lie, and the
// motion of the robot by its positions, which are the names of the joints' channels. The motion has no times if there are
// no positions, or if a channel of them is not drawn. clock is the channel of the times; without one the rows are a second
// apart. labels say of channels what they are.
func LogCurves(ctx context.Context, log *datasets.Log, clock string, labels map[string]string, found []project.Finding, positions []string) (*report.Curves, scene.Run, error) {
	r := curveReader{log: log, name: log.Name(), clock: clock, positions: positions}
	curves := new(report.Curves)
	for _, ch := range log.Channels() {
		if ch.Name == clock || ch.Assumed || len(curves.Rows) == mostChannelRows {
			continue
		}
		unit := ""
		if si, _, err := datasets.SI(ch.Unit); ch.Unit != "" && err == nil {
			unit = pretty(si)
		}
		r.columns = append(r.columns, curveColumn{len(curves.Rows), "value", ch.Name})
		label := strings.TrimPrefix(strings.TrimSuffix(labels[ch.Name]+", "+unit, ", "), ", ")
		curves.Rows = append(curves.Rows, report.CurveRow{Name: ch.Name, Unit: unit, Shown: len(curves.Rows) < shownChannels,
			Panels: []report.CurvePanel{{Label: label, Share: 1, Curves: []report.Kind{{Kind: "value", Colour: "predicted", Width: 1.3}}}}})
	}
	r.rows = len(curves.Rows)
	r.mark(found, func(*project.Finding) int { return -1 })
	if err := r.read(ctx); err != nil {
		return nil, scene.Run{}, fmt.Errorf("curves of %s: %w", log.Name(), err)
	}
	curves.Runs = []report.CurveRun{r.run}
	return curves, r.motion, nil
}

// shownChannels is the number of channels that are shown at first: position, velocity, acceleration and torque of seven joints.
const shownChannels = 4 * 7

// mostChannelRows is the number of channels of a log that are drawn: those of a humanoid with three each.
const mostChannelRows = 128

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

// curveColumn is a channel of a log and its place in a figure.
type curveColumn struct {
	row           int
	kind, channel string
}

// curveReader reads the curves of one run.
type curveReader struct {
	log         *datasets.Log
	name, clock string
	rows        int // of the figure
	columns     []curveColumn
	positions   []string // channels of the joints' positions, for the motion; "" for one that the log lacks
	marks       []rowMark

	start, last float64 // s: of the first row, and of the latest since then
	run         report.CurveRun
	motion      scene.Run
}

// times returns the times of rows since the first; a row whose clock stands or goes back is where the last one was.
func (r *curveReader) times(t []float64, first int, clock []float64) []float64 {
	t = t[:0]
	for k := range clock {
		x := clock[k]
		if r.clock == "" {
			x = float64(first + k)
		}
		if math.IsNaN(r.start) && !math.IsNaN(x) {
			r.start = x
		}
		if x -= r.start; x > r.last && !math.IsInf(x, 0) {
			r.last = x
		}
		t = append(t, r.last)
	}
	return t
}

// read reads the log once, a group of channels after the other where they lie apart, and a second time up to the last mark where
// buckets have several rows.
func (r *curveReader) read(ctx context.Context) error {
	rows, size := r.log.Rows(), max(1, len(r.columns))
	if r.log.Apart() && rows > manyRows {
		size = channelsAtOnce
	}
	r.motion = scene.Run{Name: r.name, Q: make([][]float64, len(r.positions))}
	whole := len(r.positions) > 0
	for _, q := range r.positions {
		whole = whole && slices.ContainsFunc(r.columns, func(c curveColumn) bool { return c.channel == q })
	}
	r.start, r.last = math.NaN(), 0
	var groups []*report.Buckets
	for from := 0; from == 0 || from < len(r.columns); from += size {
		columns := r.columns[from:min(len(r.columns), from+size)]
		b := report.NewBuckets(len(columns), rows, mostCurveBuckets)
		if err := r.group(ctx, b, columns, from == 0, whole); err != nil {
			return err
		}
		groups = append(groups, b)
	}
	r.run = report.CurveRun{Name: r.name, Low: r.table(func(column int) []float64 { low, _ := groups[column/size].Values(column % size); return low }),
		High: r.table(func(column int) []float64 { _, high := groups[column/size].Values(column % size); return high })}
	if r.run.T, r.run.Until = groups[0].Times(); groups[0].Width() == 1 {
		r.run.Until = nil
	}
	slices.SortStableFunc(r.marks, func(a, b rowMark) int { return cmp.Compare(a.From, b.From) })
	for _, m := range r.marks {
		r.run.Marks = append(r.run.Marks, m.CurveMark)
	}
	if r.run.Until == nil || len(r.marks) == 0 {
		return nil
	}
	parts, err := closely(ctx, r.log, r.names(r.columns), r.marks)
	for _, part := range parts {
		r.last = 0
		clock := r.times(nil, part.first, part.columns[0])
		r.run.Closely = append(r.run.Closely, report.CurveRun{T: clock, Low: r.table(func(column int) []float64 { return part.columns[1+column] })})
	}
	return err
}

// names returns the channels of columns behind that of the times.
func (r *curveReader) names(columns []curveColumn) []string {
	names := make([]string, 1, len(columns)+1)
	for _, c := range columns {
		names = append(names, c.channel)
	}
	if names[0] = r.clock; r.clock == "" && len(names) > 1 {
		names[0] = names[1] // any column; without a clock times counts rows
	}
	return names
}

// group reads some columns into buckets. If the log has all positions (whole), it appends to the motion those that are among the columns. The
// first group has the times of the rows.
func (r *curveReader) group(ctx context.Context, b *report.Buckets, columns []curveColumn, first, whole bool) error {
	names, position := r.names(columns), make([]int, len(r.positions))
	if !first {
		names = names[1:]
	}
	for j, q := range r.positions {
		position[j] = slices.IndexFunc(columns, func(c curveColumn) bool { return c.channel == q })
	}
	every := max(1, r.log.Rows()/2000)
	t := make([]float64, curveBatch)
	return r.log.Scan(names, curveBatch, func(row int, cols [][]float64) error {
		if t = t[:len(cols[0])]; first {
			t, cols = r.times(t, row, cols[0]), cols[1:]
			for i := range r.marks {
				r.marks[i].find(row, t)
			}
		}
		b.Add(t, cols)
		for k := (every - row%every) % every; whole && k < len(t); k += every {
			if first {
				r.motion.T = append(r.motion.T, t[k])
			}
			for j, at := range position {
				if at >= 0 {
					r.motion.Q[j] = append(r.motion.Q[j], cols[at][k])
				}
			}
		}
		return ctx.Err()
	})
}

// table returns values by kind and row of the figure.
func (r *curveReader) table(of func(column int) []float64) map[string][][]float64 {
	out := map[string][][]float64{}
	for i, c := range r.columns {
		if out[c.kind] == nil {
			out[c.kind] = make([][]float64, r.rows)
		}
		out[c.kind][c.row] = of(i)
	}
	return out
}

// mark takes the findings about the run that lie at a place. row returns the row of one that is about no channel.
func (r *curveReader) mark(found []project.Finding, row func(*project.Finding) int) {
	for i := range found {
		f := &found[i]
		if f.Log != r.name {
			continue
		}
		m := report.CurveMark{Row: row(f), Severity: string(f.Severity), Words: f.ID + ": " + f.Why}
		if m.Severity != string(doctor.Error) && m.Severity != string(doctor.Warning) {
			m.Severity = "info"
		}
		if k := slices.IndexFunc(r.columns, func(c curveColumn) bool { return c.channel == f.Channel }); k >= 0 {
			m.Row, m.Kind = r.columns[k].row, r.columns[k].kind
		}
		var ranges []datasets.RowRange
		for _, e := range f.Repair.Edits {
			ranges = append(ranges, e.Rows...)
		}
		for _, rows := range ranges {
			r.marks = append(r.marks, rowMark{CurveMark: m, rows: rows})
		}
		for _, s := range f.Spans {
			if m.From, m.To = s[0], s[1]; len(ranges) == 0 {
				r.marks = append(r.marks, rowMark{CurveMark: m, byTime: true})
			}
		}
	}
	r.marks = r.marks[:min(len(r.marks), mostMarks)]
}

// rowsOf are rows of a log with all columns.
type rowsOf struct {
	first   int
	columns [][]float64
}

// closely returns the rows about marks, which are in order, in stretches that do not touch.
func closely(ctx context.Context, log *datasets.Log, names []string, marks []rowMark) ([]rowsOf, error) {
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
	parts := make([]rowsOf, len(wanted))
	for i := range parts {
		parts[i] = rowsOf{wanted[i][0], make([][]float64, len(names))}
	}
	err := log.Scan(names, datasets.DefaultBatch, func(first int, cols [][]float64) error {
		for i, r := range wanted {
			from, to := max(0, r[0]-first), min(len(cols[0]), r[1]-first)
			for k := range cols {
				if from < to {
					parts[i].columns[k] = append(parts[i].columns[k], cols[k][from:to]...)
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
