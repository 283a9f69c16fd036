package identify

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"ident/identify/project"
	"ident/internal/output"
	"ident/report"
	"ident/report/scene"
	"ident/watch"
)

// WatchPage collects the content of a page about a watched robot in bounded memory: the first and the latest thousand events, the counts of all, and
// external torques, payload and positions in pieces of time. The zero value is empty.
type WatchPage struct {
	events []watch.Event
	later  []watch.Event // behind the first thousand, the latest at the end
	more   int           // between the two
	counts map[watch.Kind]int
	poses  []watchPose // at the first thousand events
	pieces []watchPiece
	length float64 // s of a piece
	rows   int
}

// watchPose is where the robot is at a time.
type watchPose struct {
	t float64
	q []float64
}

// watchPiece holds a piece of time: the extremes of the external torques, and pose, limits and payload at its beginning.
type watchPiece struct {
	watchPose
	until       float64
	low, high   []float64
	least, most []float64 // limits of the external torque, beyond which one row is an alarm
	mass, sigma float64   // of the payload; NaN without one
}

// mostPieces is the largest number of pieces; beyond it, pairs are merged.
const mostPieces = 2000

// mostClocks is the largest number of times that a page follows a clock that goes back.
const mostClocks = 20

// Add takes in a row of w.
func (p *WatchPage) Add(w *Watching, row *watch.Row) {
	if !row.Extra {
		p.rows++
	}
	for _, e := range row.Events {
		p.take(e)
	}
	if math.IsNaN(row.Observer[0]) {
		return
	}
	if len(row.Events) > 0 && len(p.poses) < halfEvents {
		p.poses = append(p.poses, watchPose{row.T, slices.Clone(w.q)})
	}
	if p.length == 0 {
		p.length = 0.01
	}
	if n := len(p.pieces); n > 0 && row.T < p.pieces[n-1].t+p.length && row.T >= p.pieces[n-1].t {
		last := &p.pieces[n-1]
		last.until = row.T
		last.widen(row.Observer, row.Observer)
		return
	}
	if len(p.pieces) == mostPieces {
		p.halve()
	}
	a := watchPiece{watchPose: watchPose{row.T, slices.Clone(w.q)}, until: row.T, low: slices.Clone(row.Observer), high: slices.Clone(row.Observer), mass: math.NaN(), sigma: math.NaN()}
	for j, x := range row.Observer {
		known, limit := x-row.Unexplained[j], w.Limit(j)
		a.least, a.most = append(a.least, known-limit), append(a.most, known+limit)
	}
	if b := row.Payload; b != nil {
		a.mass, a.sigma = b.Mass, b.Sigma
	}
	p.pieces = append(p.pieces, a)
}

// firstEvents is the number of events beside the robot; all are in the table.
const firstEvents = 6

// halfEvents is half of the number of events that a page lists.
const halfEvents = 1000

// take takes in an event. The end of one that was told takes its place.
func (p *WatchPage) take(e watch.Event) {
	if e.Over {
		for _, list := range [][]watch.Event{p.later, p.events} {
			for i := len(list) - 1; i >= 0; i-- {
				if began := &list[i]; began.Type == e.Type && began.Joint == e.Joint && !began.Over && (began.T == e.Since || began.Since == e.Since) {
					e.T = began.T
					*began = e
					return
				}
			}
		}
		return // it is among those that are only counted
	}
	if p.counts == nil {
		p.counts = map[watch.Kind]int{}
	}
	p.counts[e.Type]++
	if len(p.events) < halfEvents {
		p.events = append(p.events, e)
		return
	}
	if len(p.later) == 2*halfEvents {
		p.later = p.later[:copy(p.later, p.later[halfEvents:])]
		p.more += halfEvents
	}
	p.later = append(p.later, e)
}

// listed returns the events that the page shows, and how many it leaves out.
func (p *WatchPage) listed() (list []watch.Event, more int) {
	later := p.later[max(0, len(p.later)-halfEvents):]
	return slices.Concat(p.events, later), p.more + len(p.later) - len(later)
}

func (a *watchPiece) widen(low, high []float64) {
	for j := range a.low {
		a.low[j], a.high[j] = min(a.low[j], low[j]), max(a.high[j], high[j])
	}
}

// halve makes one piece of two, unless the clock goes back between them.
func (p *WatchPage) halve() {
	out := p.pieces[:0]
	for i := 0; i < len(p.pieces); i++ {
		a := p.pieces[i]
		if i+1 < len(p.pieces) && p.pieces[i+1].t >= a.t {
			i++
			b := p.pieces[i]
			a.until = b.until
			a.widen(b.low, b.high)
		}
		out = append(out, a)
	}
	p.pieces, p.length = out, 2*p.length
}

// Write writes the HTML page to path. The page shows command unchanged, nothing for "".
func (p *WatchPage) Write(path, command string, w *Watching) error {
	page := &report.ScenePage{Title: "Events of " + cmp.Or(w.saved.Fitted.Result.Robot.Name, "robot"), Version: project.Version, Command: command,
		CurvesTitle: "External torques", Moments: "events"}
	var err error
	if page.Scene, err = scene.New(w.Model.Robot); err != nil {
		page.Missing = "The robot is not drawn: " + err.Error()
	}
	events, more := p.listed()
	table := report.Table{Head: []string{"time, s", "event", "joint", "standard deviations", "limit", "what"}, Right: []bool{true, false, false, true, true, false}}
	for i, e := range events {
		if i == halfEvents && more > 0 {
			table.Rows = append(table.Rows, []string{"", "", "", "", "", fmt.Sprintf("%d further events are counted, and not listed", more)})
		}
		z, limit := "", ""
		if e.Z != 0 {
			z, limit = fmt.Sprintf("%.1f", math.Abs(e.Z)), fmt.Sprintf("%.1f", e.Limit)
		}
		table.Rows = append(table.Rows, []string{fmt.Sprintf("%.3f", e.T), string(e.Type), e.Joint, z, limit, e.Text})
		if e.Type != watch.End && len(page.Findings) < firstEvents {
			page.Findings = append(page.Findings, report.SceneFinding{Severity: "warning", Where: fmt.Sprintf("%.2f s", e.T), Text: e.Text})
		}
	}
	for _, k := range []watch.Kind{watch.Collision, watch.Contact, watch.Payload, watch.LoadOrContact, watch.Drift, watch.Sensor, watch.Blind} {
		if p.counts[k] > 0 {
			page.Headlines = append(page.Headlines, report.Headline{Name: string(k), Value: fmt.Sprint(p.counts[k])})
		}
	}
	if len(events) == 0 {
		page.Headlines = []report.Headline{{Name: "events", Value: "0"}}
	}
	alarms := "false alarms about as often as stated"
	if w.Noise.AtMost() {
		alarms = "false alarms at most as often as stated"
	}
	page.About = fmt.Sprintf("%d rows · noise of %.3g s of quiet logs at %.4g Hz · observer of %.3g rad/s · %s", p.rows, w.Noise.Seconds, w.Noise.RateHz, w.Noise.Bandwidth, alarms)
	page.Sections = []report.Section{{Title: "Events", Gist: fmt.Sprint(len(events) + more), Open: true, Tables: []report.Table{table}}}
	if len(p.pieces) > 1 {
		runs := p.runs()
		page.Curves = p.curves(runs, events, w)
		page.Legend = []report.Mark{{Class: "p", Text: "external torque, least to largest"}, {Class: "within", Text: "below the limit of one row, about what a payload takes (cut where a joint at rest has a larger one)"},
			{Class: "event", Text: "event, from begin to end"}}
		if page.Scene != nil {
			if err := page.Scene.Play(p.motions(runs, len(page.Scene.Coordinates))); err != nil {
				page.Scene.Notes = append(page.Scene.Notes, "the motion is not shown: "+err.Error())
			}
		}
	}
	return output.Write(path, func(out io.Writer) error { return report.Scene(out, page) })
}

// runs cuts the pieces where the clock goes back. What follows the first mostClocks is left out.
func (p *WatchPage) runs() (list [][]watchPiece) {
	from := 0
	for k := 1; k <= len(p.pieces) && len(list) < mostClocks; k++ {
		if k == len(p.pieces) || p.pieces[k].t < p.pieces[k-1].t {
			list, from = append(list, p.pieces[from:k]), k
		}
	}
	return list
}

// motions returns the poses of the runs. Those of events are kept: others within a frame's time of them are left out.
func (p *WatchPage) motions(runs [][]watchPiece, coordinates int) (list []scene.Run) {
	total := 0.0
	for _, run := range runs {
		total += run[len(run)-1].until - run[0].t
	}
	frame := scene.FrameSeconds(total, coordinates)
	for i, run := range runs {
		r := scene.Run{Name: fmt.Sprintf("part %d", i+1)}
		var poses []watchPose
		first, last := run[0].t, run[len(run)-1].until
		for _, pose := range p.poses {
			if pose.t >= first && pose.t <= last && (len(poses) == 0 || pose.t >= poses[len(poses)-1].t+frame) {
				poses = append(poses, pose)
			}
		}
		events := len(poses)
		for _, a := range run {
			k, _ := slices.BinarySearchFunc(poses[:events], a.t, func(x watchPose, t float64) int { return cmp.Compare(x.t, t) })
			if (k == 0 || a.t > poses[k-1].t+frame) && (k == events || a.t < poses[k].t-frame) {
				poses = append(poses, a.watchPose)
			}
		}
		slices.SortFunc(poses, func(a, b watchPose) int { return cmp.Compare(a.t, b.t) })
		if len(poses) > 0 {
			r.Q = make([][]float64, len(poses[0].q))
		}
		for _, pose := range poses {
			r.T = append(r.T, pose.t)
			for j, q := range pose.q {
				r.Q[j] = append(r.Q[j], q)
			}
		}
		list = append(list, r)
	}
	return list
}

// curves returns a row for each joint, and one for the payload if there is one.
func (p *WatchPage) curves(runs [][]watchPiece, events []watch.Event, w *Watching) *report.Curves {
	res := w.saved.Fitted.Result
	c := &report.Curves{}
	for j, name := range res.Joints {
		c.Rows = append(c.Rows, report.CurveRow{Name: name, Unit: res.JointUnits[j], Shown: true, Panels: []report.CurvePanel{{Share: 1,
			Curves: []report.Kind{{Kind: "limit", Colour: "grid", Width: 1, Label: "limit"}, {Kind: "torque", Colour: "predicted", Width: 1.2, Label: "torque"}}}}})
	}
	joints := len(c.Rows)
	if slices.ContainsFunc(p.pieces, func(a watchPiece) bool { return !math.IsNaN(a.mass) }) {
		c.Rows = append(c.Rows, report.CurveRow{Name: "payload", Unit: "kg", Shown: true, Panels: []report.CurvePanel{{Share: 1,
			Curves: []report.Kind{{Kind: "interval", Colour: "grid", Width: 1, Label: "95 %"}, {Kind: "mass", Colour: "residual", Width: 1.5, Label: "mass"}}}}})
	}
	most := p.mostLimits()
	for i, run := range runs {
		r := report.CurveRun{Name: fmt.Sprintf("part %d", i+1), Low: map[string][][]float64{}, High: map[string][][]float64{}}
		if len(runs) == 1 {
			r.Name = "the log"
		}
		for _, kind := range []string{"limit", "torque", "interval", "mass"} {
			r.Low[kind], r.High[kind] = make([][]float64, len(c.Rows)), make([][]float64, len(c.Rows))
		}
		add := func(kind string, row int, low, high float64) {
			r.Low[kind][row], r.High[kind][row] = append(r.Low[kind][row], low), append(r.High[kind][row], high)
		}
		for k, a := range run {
			until := a.until
			if k+1 < len(run) && run[k+1].t < a.t+2*p.length {
				until = run[k+1].t // there is no time between
			}
			r.T, r.Until = append(r.T, a.t), append(r.Until, until)
			for j := range joints {
				add("torque", j, a.low[j], a.high[j])
				add("limit", j, max(a.least[j], -most[j]), min(a.most[j], most[j]))
			}
			if len(c.Rows) > joints {
				add("mass", joints, a.mass, a.mass)
				add("interval", joints, a.mass-1.96*a.sigma, a.mass+1.96*a.sigma)
			}
		}
		r.Marks = marksOf(events, run[0].t, run[len(run)-1].until, res.Joints, len(c.Rows) > joints)
		c.Runs = append(c.Runs, r)
	}
	return c
}

// mostLimits returns, by joint, up to where limits are drawn: as far as the external torques go, or one and a half times the median limit. At rest friction
// makes limits many times larger, and torques would be flat lines beside them.
func (p *WatchPage) mostLimits() []float64 {
	out := make([]float64, len(p.pieces[0].low))
	for j := range out {
		var limits []float64
		for _, a := range p.pieces {
			out[j] = max(out[j], -a.low[j], a.high[j])
			limits = append(limits, (a.most[j]-a.least[j])/2)
		}
		slices.Sort(limits)
		out[j] = max(out[j], 1.5*limits[len(limits)/2])
	}
	return out
}

// marksOf returns the events between two times as marks from their begin to their end.
func marksOf(events []watch.Event, first, last float64, joints []string, carries bool) (list []report.CurveMark) {
	for i, e := range events {
		m := report.CurveMark{Row: slices.Index(joints, e.Joint), From: e.T, To: e.T, Severity: "warning", Words: e.Text}
		over := func(x watch.Event) bool { return false }
		switch e.Type {
		case watch.End:
			continue
		case watch.Contact, watch.Collision:
			over = func(x watch.Event) bool {
				return x.Type == watch.End && x.Since == e.T || x.Type == watch.Payload && x.Since == e.T
			}
		case watch.LoadOrContact:
			m.Severity, m.From = "info", e.Since
			over = func(x watch.Event) bool { return x.Type == watch.End || x.Type == watch.Payload }
		case watch.Payload:
			if *e.Mass == 0 {
				continue // the end of the one before
			}
			if m.From, m.Row = e.Since, -1; carries {
				m.Row = len(joints)
			}
			m.To = last
			over = func(x watch.Event) bool { return x.Type == watch.Payload }
		case watch.Sensor, watch.Blind:
			m.Severity = "error"
			m.From, m.To = min(e.T, cmp.Or(e.Since, e.T)), max(e.T, e.Until)
		}
		for _, x := range events[i+1:] {
			if over(x) {
				m.To = x.T
				if x.Type == watch.Payload {
					m.To = x.Since
				}
				break
			}
		}
		if m.From >= first-1e-9 && m.From <= last {
			m.To = max(m.From, min(m.To, last))
			list = append(list, m)
		}
	}
	return list
}
