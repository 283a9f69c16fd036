package identify

import (
	"cmp"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"ident/identify/project"
	"ident/internal/output"
	"ident/report"
	"ident/report/scene"
	"ident/watch"
)

// WatchPage collects the content of a page about a watched robot: the first and the latest thousand events, the counts of all, and the external torques
// in pieces of time, in bounded memory. The zero value is empty.
type WatchPage struct {
	events []watch.Event
	later  []watch.Event // behind the first thousand, the latest at the end
	more   int           // between the two
	counts map[watch.Kind]int
	pieces []watchPiece
	length float64 // s of a piece
	rows   int
}

// watchPiece holds the extremes of a piece of time.
type watchPiece struct {
	t                float64
	low, high, sigma []float64
}

// mostPieces is the largest number of pieces; beyond it, pairs are merged.
const mostPieces = 2000

// Add takes in a row.
func (p *WatchPage) Add(row *watch.Row) {
	if !row.Extra {
		p.rows++
	}
	for _, e := range row.Events {
		p.take(e)
	}
	if math.IsNaN(row.Observer[0]) {
		return
	}
	if p.length == 0 {
		p.length = 0.01
	}
	if n := len(p.pieces); n == 0 || row.T >= p.pieces[n-1].t+p.length || row.T < p.pieces[n-1].t {
		if n == mostPieces {
			p.halve()
		}
		p.pieces = append(p.pieces, watchPiece{row.T, slices.Clone(row.Observer), slices.Clone(row.Observer), slices.Clone(row.Sigma)})
		return
	}
	last := &p.pieces[len(p.pieces)-1]
	last.take(row.Observer, row.Observer, row.Sigma)
}

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

func (a *watchPiece) take(low, high, sigma []float64) {
	for j := range a.low {
		a.low[j], a.high[j], a.sigma[j] = min(a.low[j], low[j]), max(a.high[j], high[j]), max(a.sigma[j], sigma[j])
	}
}

// halve makes one piece of two.
func (p *WatchPage) halve() {
	for i := 0; i < len(p.pieces); i += 2 {
		a := p.pieces[i]
		if i+1 < len(p.pieces) {
			b := p.pieces[i+1]
			a.take(b.low, b.high, b.sigma)
		}
		p.pieces[i/2] = a
	}
	p.pieces, p.length = p.pieces[:(len(p.pieces)+1)/2], 2*p.length
}

// Write writes the HTML page to path. The page shows command unchanged, nothing for "".
func (p *WatchPage) Write(path, command string, w *Watching) error {
	res := w.saved.Fitted.Result
	page := &report.ScenePage{Title: "Events of " + cmp.Or(res.Robot.Name, "robot"), Version: project.Version, Command: command}
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
		if e.Type != watch.End && len(page.Findings) < 20 {
			page.Findings = append(page.Findings, report.SceneFinding{Severity: "warning", Where: fmt.Sprintf("%.2f s", e.T), Text: e.Text})
		}
	}
	for _, k := range []watch.Kind{watch.Collision, watch.Contact, watch.Payload, watch.Drift, watch.Sensor, watch.Blind} {
		page.Headlines = append(page.Headlines, report.Headline{Name: string(k), Value: fmt.Sprint(p.counts[k])})
	}
	alarms := "false alarms about as often as stated"
	if w.Noise.AtMost() {
		alarms = "false alarms at most as often as stated"
	}
	page.About = fmt.Sprintf("%d rows · noise of %.3g s of quiet logs at %.4g Hz · observer of %.3g rad/s · %s", p.rows, w.Noise.Seconds, w.Noise.RateHz, w.Noise.Bandwidth, alarms)
	torques := report.Section{Title: "External torques", Gist: "by joint", Open: true,
		Legend: []report.Mark{{Class: "bar", Text: "least to largest in a piece of time"}, {Class: "level", Text: "three standard deviations of a quiet robot"}, {Class: "step", Text: "event"}}}
	for j, name := range res.Joints {
		if len(p.pieces) > 1 {
			torques.Figures = append(torques.Figures, p.figure(j, name, res.JointUnits[j]))
		}
	}
	page.Sections = []report.Section{{Title: "Events", Gist: fmt.Sprint(len(events) + more), Open: true, Tables: []report.Table{table}}, torques}
	return output.Write(path, func(out io.Writer) error { return report.Scene(out, page) })
}

// figure draws the external torque of a joint.
func (p *WatchPage) figure(joint int, name, unit string) report.Figure {
	low, high := 0.0, 0.0
	for _, a := range p.pieces {
		low, high = min(low, a.low[joint], -3*a.sigma[joint]), max(high, a.high[joint], 3*a.sigma[joint])
	}
	first, last := p.pieces[0].t, p.pieces[len(p.pieces)-1].t
	for _, a := range p.pieces { // a clock may go back
		first, last = min(first, a.t), max(last, a.t)
	}
	at := func(t, v float64) string {
		return fmt.Sprintf("%.1f %.1f", report.FigureWidth*(t-first)/(last-first), report.FigureHeight*(high-v)/(high-low))
	}
	f := report.Figure{Title: fmt.Sprintf("%s, %s", name, unit), XLabel: "time, s", Left: fmt.Sprintf("%.4g", first), Right: fmt.Sprintf("%.4g", last),
		Top: fmt.Sprintf("%.3g", high), Bottom: fmt.Sprintf("%.3g", low),
		Words: fmt.Sprintf("external torque of %s from %.4g to %.4g s, between %.3g and %.3g %s", name, first, last, low, high, unit)}
	var bars, upper, lower, steps strings.Builder
	for i, a := range p.pieces {
		pen := "L"
		if i == 0 {
			pen = "M"
		}
		fmt.Fprintf(&bars, "M%sL%s", at(a.t, a.low[joint]), at(a.t, a.high[joint]))
		fmt.Fprintf(&upper, "%s%s", pen, at(a.t, 3*a.sigma[joint]))
		fmt.Fprintf(&lower, "%s%s", pen, at(a.t, -3*a.sigma[joint]))
	}
	for _, e := range slices.Concat(p.events, p.later) {
		if e.Type != watch.End && (e.Joint == name || e.Joint == "") {
			fmt.Fprintf(&steps, "M%sL%s", at(e.T, low), at(e.T, high))
		}
	}
	for _, l := range []struct{ class, d string }{{"bar-line", bars.String()}, {"level-line", upper.String() + lower.String()}, {"step-line", steps.String()}} {
		if l.d != "" {
			f.Lines = append(f.Lines, report.Path{Class: l.class, D: template.HTML(l.d)})
		}
	}
	return f
}
