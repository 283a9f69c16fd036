package report

import (
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strings"

	"ident/report/scene"
)

// Curves is a figure of channels over time: a row of panels for each joint or channel above one time axis, on which the
// runs follow one another. All pages draw it by the same script: the reader zooms, moves, points, and goes from mark to
// mark.
type Curves struct {
	Rows []CurveRow
	Runs []CurveRun
}

// CurveRow is the panels of one joint or channel, one below the other.
type CurveRow struct {
	Name   string       `json:"name"`
	Short  string       `json:"short"` // name within the width of the figure's margin; the page sets it
	Unit   string       `json:"unit"`
	Shown  bool         `json:"shown"`         // the row is open at first
	RMS    float64      `json:"rms,omitempty"` // root mean square of the measured torque, 0 if it is not known
	Panels []CurvePanel `json:"panels"`
}

// CurvePanel draws curves on one scale.
type CurvePanel struct {
	Label     string    `json:"label,omitempty"`     // in the margin; "" for the row's unit
	Unit      *string   `json:"unit,omitempty"`      // nil for the row's
	Share     float64   `json:"share"`               // part of the row's height, in any unit
	Symmetric bool      `json:"symmetric,omitempty"` // zero is in the middle
	Limits    []float64 `json:"limits,omitempty"`    // lower and upper limit, beyond which the panel is tinted; nil for none
	Curves    []Kind    `json:"curves"`
}

// Kind is a curve of a panel: the name of its values in each run, and how it is drawn.
type Kind struct {
	Kind   string  `json:"kind"`
	Colour string  `json:"colour"` // measured, predicted or residual; grid for a band
	Width  float64 `json:"width"`  // CSS pixels
	Label  string  `json:"label,omitempty"`
}

// CurveRun is the values of one run. Low and High hold them by kind and row; a row without a kind has nil there. Without
// Until each value is a sample, and High is not read. Otherwise values are the least and the largest of a bucket of rows
// between T and Until.
type CurveRun struct {
	Name      string
	T, Until  []float64 // s, ascending
	Low, High map[string][][]float64
	Marks     []CurveMark
	Closely   []CurveRun // stretches of a run of buckets with every sample, ascending and disjoint
}

// CurveMark is a finding or an event on the time axis of its run.
type CurveMark struct {
	Row      int     `json:"row"`            // index of the row, -1 for all
	Kind     string  `json:"kind,omitempty"` // of the panel; "" for all panels of the row
	From     float64 `json:"from"`           // s
	To       float64 `json:"to"`             // s; From for a moment
	Severity string  `json:"severity"`       // error, warning or info
	Words    string  `json:"words"`
}

// curveFigure is the input of the template of curves.
type curveFigure struct {
	Series       *pageSeries
	ID           string // before the names of its elements; "" for the only figure of a page, or the first
	Title, Words string // Words describe the figure to readers who cannot see it
	Legend       []Mark
	Moments      string // what the moments are
	Torques      bool   // measured and predicted torques can be exchanged for others
	FileLacks    string // torques that the robot file does not predict
}

// Motion returns curves of one run: rows have panels for as many quantities, whose values are by quantity and row. A
// quantity has the same label in all rows, and units and limits by row; limits may be nil.
func Motion(name string, t []float64, rows []string, quantities ...Quantity) *Curves {
	c := &Curves{Runs: []CurveRun{{Name: name, T: t, Low: map[string][][]float64{}}}}
	for i, row := range rows {
		r := CurveRow{Name: row, Shown: true}
		for _, q := range quantities {
			p := CurvePanel{Label: q.Label + ", " + q.Units[i], Unit: &q.Units[i], Share: 1, Curves: []Kind{{Kind: q.Label, Colour: "predicted", Width: 1.3}}}
			if q.Limits != nil {
				p.Limits = q.Limits[i]
			}
			r.Panels = append(r.Panels, p)
		}
		c.Rows = append(c.Rows, r)
	}
	for _, q := range quantities {
		c.Runs[0].Low[q.Label] = q.Values
	}
	return c
}

// Quantity is one of the quantities of [Motion].
type Quantity struct {
	Label  string
	Units  []string    // by row
	Values [][]float64 // by row; nil for a row without the quantity
	Limits [][]float64 // by row: lower and upper limit, nil for none
}

// newCurveSeries encodes the curves for a page; nil if no run has a sample.
func newCurveSeries(c *Curves) (*pageSeries, error) {
	if c == nil || len(c.Rows) == 0 {
		return nil, nil
	}
	s := &pageSeries{Rows: c.Rows, Moments: []moment{}}
	var names []string
	for _, r := range c.Rows {
		names = append(names, r.Name)
	}
	for i, short := range shortNames(names, marginName) {
		s.Rows[i].Name, s.Rows[i].Short = clean(s.Rows[i].Name), short
	}
	spans := make([][2]float64, len(c.Runs))
	for i := range c.Runs {
		r := &c.Runs[i]
		if spans[i] = [2]float64{math.Inf(1), math.Inf(-1)}; len(r.T) > 0 {
			spans[i] = [2]float64{r.T[0], r.T[len(r.T)-1]}
		}
		if n := len(r.Until); n > 0 {
			spans[i][1] = r.Until[n-1]
		}
	}
	var b blob
	for i, p := range placed(spans) {
		if !p.drawn {
			continue
		}
		run := &c.Runs[i]
		r := seriesRun{Log: clean(run.Name), Stride: 1, Start: p.start, End: p.end, Shift: p.shift, Marks: run.Marks, seriesStretch: b.run(run, len(c.Runs))}
		if r.Until != nil {
			for k := range run.Closely {
				r.Blocks = append(r.Blocks, b.run(&run.Closely[k], len(c.Runs)))
			}
		}
		for _, m := range run.Marks {
			s.Moments = append(s.Moments, moment{Run: len(s.Runs), Row: m.Row, T: m.From, Until: m.To, Words: m.Words})
		}
		s.Runs = append(s.Runs, r)
	}
	if len(s.Runs) == 0 {
		return nil, nil
	}
	var err error
	s.Blob, err = b.text()
	return s, err
}

// run writes the values of a run. Samples beyond the room of the page become buckets.
func (b *blob) run(r *CurveRun, runs int) seriesStretch {
	values := 0
	for _, rows := range r.Low {
		for _, v := range rows {
			if v != nil {
				values++
			}
		}
	}
	if most := seriesBytes / (max(values, 1) * runs * 4); r.Until == nil && len(r.T) > 2*most {
		r = r.reduced((len(r.T) + most - 1) / most)
	}
	s := seriesStretch{N: len(r.T), Period: meanPeriod(r.T), T: b.times(r.T), Curves: map[string][][]channelSpec{}}
	if r.Until != nil {
		u := b.times(r.Until)
		s.Until = &u
	}
	for _, kind := range slices.Sorted(maps.Keys(r.Low)) {
		for row, low := range r.Low[kind] {
			specs := []channelSpec{}
			if low != nil {
				specs = append(specs, b.channel(low))
			}
			if low != nil && r.Until != nil {
				specs = append(specs, b.channel(r.High[kind][row]))
			}
			s.Curves[kind] = append(s.Curves[kind], specs)
		}
	}
	return s
}

// reduced returns the run in buckets of width samples.
func (r *CurveRun) reduced(width int) *CurveRun {
	out := &CurveRun{Name: r.Name, Low: map[string][][]float64{}, High: map[string][][]float64{}, Marks: r.Marks, Closely: r.Closely}
	for a := 0; a < len(r.T); a += width {
		out.T, out.Until = append(out.T, r.T[a]), append(out.Until, r.T[min(len(r.T), a+width)-1])
	}
	for kind, rows := range r.Low {
		for _, v := range rows {
			var lo, hi []float64
			if v != nil {
				lo, hi = bounds(v, width)
			}
			out.Low[kind], out.High[kind] = append(out.Low[kind], lo), append(out.High[kind], hi)
		}
	}
	return out
}

// Drawn is a figure of curves for a page that is not written here: its elements, and the document that showCurves of the
// script of [Assets] draws into them.
type Drawn struct {
	Figure template.HTML
	Series json.RawMessage
}

// Draw returns the figure of curves, nil if no run has a sample. moments says what its marks are.
func (c *Curves) Draw(title, moments string, legend []Mark) (*Drawn, error) {
	s, err := newCurveSeries(c)
	if err != nil || s == nil {
		return nil, err
	}
	t, err := template.New("").Funcs(pageFuncs()).ParseFS(pageFiles, "page/curves.tmpl")
	if err != nil {
		return nil, fmt.Errorf("report: template of curves: %w", err)
	}
	var figure strings.Builder
	if err := t.ExecuteTemplate(&figure, "curves", &curveFigure{Series: s, Title: title, Words: "Channels over time.", Legend: legend, Moments: moments}); err != nil {
		return nil, fmt.Errorf("report: curves: %w", err)
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("report: curves: %w", err)
	}
	return &Drawn{template.HTML(printable(figure.String())), text}, nil
}

// Assets returns the style of all pages, and the script that draws curves and robots: showCurves(document) draws into the
// figure of [Curves.Draw], startRobot(figure, scene) into that of [scene.Scene.Figure], and inStep(view, player) gives
// both one time. The script wants buttons theme and print on the page.
func Assets() (style, script string, err error) {
	if style, err = gather([]string{"base.css", "first.css", "curves.css", "figures.css", "scene/scene.css", "print.css"}); err != nil {
		return "", "", err
	}
	figure, err := scene.Style()
	if err != nil {
		return "", "", err
	}
	viewer, err := scene.Script()
	if err != nil {
		return "", "", err
	}
	script, err = gather(append([]string{"chrome.js"}, curveScripts[:len(curveScripts)-1]...))
	return themeStyle() + figure + style, viewer + script, err
}
