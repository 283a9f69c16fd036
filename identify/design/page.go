package design

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"ident/excite"
	"ident/identify/description"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/rowlist"
	"ident/report"
	"ident/report/scene"
	"ident/robot"
)

// page is the page of a designed motion.
type page struct {
	robot   *robot.Robot
	result  *excite.Result
	tip     *excite.Tip          // nil for the end of the last link
	search  []report.SearchPoint // by number of evaluations: the best criterion so far
	command string               // command line to print on the page; "" for none
	stands  bool                 // the robot stands on its feet
	lifts   bool                 // and lifts them in turn
}

// pageSamples is the number of samples of the curves, the tip's path and the motion: as many as screens have columns.
const pageSamples = 1200

// write writes the page: the moving robot with keep-outs and its tip's path, the motion of each joint within its limits,
// and the criterion during the search.
func (t *page) write(w io.Writer) error {
	r, res := t.robot, t.result
	m := res.Trajectory
	times, q, dq, ddq := excite.Sample(m, pageSamples/m.Duration(), m.Duration())
	p := &report.ScenePage{Title: "Exciting motion for " + description.Title(r), Version: project.Version, Command: t.command, Date: folder.Today().Format("2 Jan 2006"),
		About: fmt.Sprintf("%s · %.4g s, from rest to rest", rowlist.Plural(m.DOF(), "joint"), m.Duration())}
	s, err := scene.New(r)
	if err == nil && len(r.Independent()) == m.DOF() {
		p.Scene = s
		for i := range res.KeepOuts {
			s.Regions = append(s.Regions, regionOf(&res.KeepOuts[i]))
		}
		run := scene.Run{Name: "the motion", T: times, Q: q}
		if err := s.Play([]scene.Run{run}); err != nil {
			return err
		}
		link, at := s.Tip()
		if t.tip != nil {
			link, at = t.tip.Link, t.tip.At
		}
		if err := s.Trace(link, at, run); err != nil {
			return err
		}
	} else if err != nil {
		p.Missing = "The robot is not drawn: " + err.Error()
	}
	p.Headlines = []report.Headline{
		{Name: "condition number, columns of one length", Value: figureOr(res.ConditionScaled)},
		{Name: "without scaling", Value: figureOr(res.ConditionRaw)},
	}
	if res.Criterion != excite.ConditionNumber {
		p.Headlines = append(p.Headlines, report.Headline{Name: "criterion " + string(res.Criterion), Value: figureOr(res.Value)})
	}
	p.Headlines = append(p.Headlines, report.Headline{Name: "period", Value: fmt.Sprintf("%.4g s", m.Duration())})
	worst, of := math.Inf(1), ""
	for i := range res.Margins {
		if v := res.Margins[i].Worst(); v < worst {
			worst, of = v, res.Margins[i].Joint
		}
	}
	if of != "" {
		p.Headlines = append(p.Headlines, report.Headline{Name: "smallest margin to a limit", Value: fmt.Sprintf("%.1f %%, %s", 100*worst, of)})
	}
	p.Headlines = append(p.Headlines, report.Headline{Name: "evaluations", Value: strconv.Itoa(res.Evaluations)})
	if res.Violations > 0 {
		p.Findings = append(p.Findings, report.SceneFinding{Severity: "error", Text: fmt.Sprintf("%d limits are exceeded", res.Violations)})
	}
	if res.Stopped {
		p.Findings = append(p.Findings, report.SceneFinding{Severity: "note", Text: "the search was stopped: this is the best motion so far"})
	}
	for _, d := range res.Distances {
		p.Findings = append(p.Findings, report.SceneFinding{Severity: "note", Where: d.Constraint + " of " + d.Of,
			Text: fmt.Sprintf("%.3g %s at %.3g s, limit %.3g %s", d.Value, d.Unit, d.At, d.Limit, d.Unit)})
	}
	for _, text := range append(append([]string(nil), res.Defaults...), res.Notes...) {
		p.Findings = append(p.Findings, report.SceneFinding{Severity: "note", Text: text})
	}
	if len(res.Unexcited) > 0 {
		p.Findings = append(p.Findings, report.SceneFinding{Severity: "warning", Text: fmt.Sprintf("no motion that the limits allow shows %v", res.Unexcited)})
	}
	p.CurvesTitle, p.Curves = "The motion, with its limits", limitedCurves(m, res.Limits, times, [3][][]float64{q, dq, ddq})
	p.Legend = []report.Mark{{Class: "p", Text: "motion"}, {Class: "beyond", Text: "beyond the limit"}}
	p.SearchTitle, p.Search = "Condition number over the search:", t.search
	if res.Criterion != excite.ConditionNumber {
		p.SearchTitle = "Criterion over the search (" + res.Criterion.Text() + "):"
	}
	if len(t.search) > 0 { // the search works on rows of its own: its last point is that of the result
		p.Search = append(p.Search[:len(p.Search):len(p.Search)], report.SearchPoint{Evaluations: res.Evaluations, Best: p.Search[len(p.Search)-1].Best})
	}
	if t.stands {
		p.Sections = append(p.Sections, protocol(t.lifts))
	}
	p.Sections = append(p.Sections, marginSection(res))
	return report.Scene(w, p)
}

// figureOr formats a number with four digits, or as words if it is not finite.
func figureOr(v float64) string {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return "not determined"
	}
	return fmt.Sprintf("%.4g", v)
}

// limitedCurves returns the curves of the joints with their limits.
func limitedCurves(m excite.Motion, limits []excite.Limits, t []float64, motion [3][][]float64) *report.Curves {
	n := m.DOF()
	names, quantities := make([]string, n), make([]report.Quantity, len(motion))
	for o, label := range [3]string{"position", "velocity", "acceleration"} {
		quantities[o] = report.Quantity{Label: label, Units: make([]string, n), Values: motion[o], Limits: make([][]float64, n)}
	}
	for i := range n {
		names[i] = fmt.Sprintf("joint %d", i+1)
		if all := m.Names(); i < len(all) && all[i] != "" {
			names[i] = all[i]
		}
		unit := "rad"
		if i < len(limits) {
			l := limits[i]
			if l.Prismatic {
				unit = "m"
			}
			if l.Upper > l.Lower {
				quantities[0].Limits[i] = []float64{l.Lower, l.Upper}
			}
			for o, v := range [3]float64{0, l.Velocity, l.Accel} {
				if v > 0 && !math.IsInf(v, 0) {
					quantities[o].Limits[i] = []float64{-v, v}
				}
			}
		}
		for o, suffix := range [3]string{"", "/s", "/s²"} {
			quantities[o].Units[i] = unit + suffix
		}
	}
	return report.Motion("the motion", t, names, quantities...)
}

// regionOf converts a keep-out to a region of the scene.
func regionOf(k *excite.KeepOut) scene.Region {
	r := scene.Region{Name: k.Name, Min: k.Min, Max: k.Max, Normal: k.Normal, Offset: k.Offset}
	if k.Place != nil {
		p := scene.PoseOf(*k.Place)
		r.Pose = &p
	}
	return r
}

// marginSection returns the table of margins: the free part of each limit at the worst time.
func marginSection(res *excite.Result) report.Section {
	t := report.Table{Caption: "Free at the worst moment, in % of the limit, checked between the samples too; empty where there is no limit",
		Head: []string{"Joint", "Position", "Velocity", "Acceleration", "Jerk", "Torque", "Power"}, Right: []bool{false, true, true, true, true, true, true}}
	part := func(v *float64) string {
		if v == nil {
			return ""
		}
		return fmt.Sprintf("%.1f", 100**v)
	}
	for i := range res.Margins {
		m := &res.Margins[i]
		t.Rows = append(t.Rows, []string{m.Joint, part(&m.Position), part(&m.Velocity), part(&m.Acceleration), part(m.Jerk), part(m.Torque), part(m.Power)})
	}
	from := report.Table{Caption: "Where the limits come from", Head: []string{"Limit", "From"}, Right: []bool{false, false}}
	for _, s := range excite.LimitSources(res.Limits) {
		kind, source, _ := strings.Cut(s, ": ")
		from.Rows = append(from.Rows, []string{kind, source})
	}
	gist := "none is exceeded"
	if res.Violations > 0 {
		gist = fmt.Sprintf("%d exceeded", res.Violations)
	}
	return report.Section{Title: "Limits", Gist: gist, Tables: []report.Table{t, from}}
}

// WithPage adds a page named after the first file of samples, unless out already has one.
func WithPage(out []string) []string {
	for _, path := range out {
		if strings.EqualFold(filepath.Ext(path), ".html") {
			return out
		}
	}
	for _, path := range out {
		switch ext := filepath.Ext(path); strings.ToLower(ext) {
		case ".csv", ".parquet", ".arrow":
			return append(out[:len(out):len(out)], strings.TrimSuffix(path, ext)+".html")
		}
	}
	return out
}
