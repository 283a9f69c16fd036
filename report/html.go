package report

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strings"

	"ident/report/scene"
	"ident/result"
)

// pageFiles are the page's templates, styles and scripts, part of the binary.
//
//go:embed page
var pageFiles embed.FS

// pageStyles and pageScripts list the files in the order of the page: later styles override earlier ones, and
// scripts share one scope.
var (
	pageStyles   = []string{"base.css", "first.css", "curves.css", "parameters.css", "figures.css", "residuals.css", "robot.css", "compared.css", "print.css"}
	curveScripts = []string{"axis.js", "pyramid.js", "data.js", "raster.js", "curves.js", "curvecontrol.js", "curvestart.js"}
	pageScripts  = slices.Concat([]string{"chrome.js"}, curveScripts, []string{"torque.js", "sectioncurves.js", "parameters.js", "tables.js", "robot.js"})
)

// gather joins files of the page.
func gather(names []string) (string, error) {
	var b strings.Builder
	for _, name := range names {
		text, err := pageFiles.ReadFile("page/" + name)
		if err != nil {
			return "", fmt.Errorf("report: %w", err)
		}
		b.Write(text)
	}
	return b.String(), nil
}

// pageFuncs returns the functions of the templates.
func pageFuncs() template.FuncMap {
	return template.FuncMap{
		"right":   func(t Table, i int) bool { return i < len(t.Right) && t.Right[i] },
		"options": unbroken,
		"drawn":   func(s Section) *curveFigure { return s.drawn },
	}
}

// optionInText matches an option of a command line.
var optionInText = regexp.MustCompile(`--[a-z][a-z-]*`)

// unbroken escapes a text and keeps the options in it from breaking at their hyphens.
func unbroken(text string) template.HTML {
	return template.HTML(optionInText.ReplaceAllString(template.HTMLEscapeString(text), `<span class="option">$0</span>`))
}

// HTML writes the report as one self-contained page: style, script and figures are inside. runs and plots must be those
// of Plots; a plot without an SVG is shown as its PNG, and left out without either. If the page cannot be made, or ctx
// is done before it is, nothing is written.
func HTML(ctx context.Context, w io.Writer, res *result.Result, runs []result.ResidualRun, plots []Plot, opt Options) error {
	if err := checkRuns(res, runs); err != nil {
		return err
	}
	t, err := template.New("").Funcs(pageFuncs()).ParseFS(pageFiles, "page/*.tmpl")
	if err != nil {
		return fmt.Errorf("report: page template: %w", err)
	}
	p := newPage(res, runs, plots, opt)
	if p.Series, err = newSeries(ctx, res, runs); err != nil {
		return err
	}
	p.Curves = torqueCurves(&p)
	if err := p.drawSections(); err != nil {
		return err
	}
	if err := p.drawRobot(runs, opt); err != nil {
		return err
	}
	style, err := gather(pageStyles)
	if err != nil {
		return err
	}
	script, err := gather(pageScripts)
	if err != nil {
		return err
	}
	if p.Scene != nil {
		figureStyle, err := scene.Style()
		if err != nil {
			return err
		}
		viewer, err := scene.Script()
		if err != nil {
			return err
		}
		style, script = figureStyle+style, viewer+script
	}
	p.Style, p.Script = template.CSS(themeStyle()+style), template.JS("\n//<![CDATA[\n"+script+"//]]>\n") // so that the page is XML too
	var buf bytes.Buffer
	buf.Grow(p.length(plots))
	if err := t.ExecuteTemplate(&buf, "page.tmpl", p); err != nil {
		return fmt.Errorf("report: page: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	// Names come from logs and robot files: html/template escapes their markup,
	// printable takes out the control characters that it lets pass.
	text := buf.Bytes()
	if !isPrintable(text) {
		text = []byte(printable(buf.String()))
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("report: write page: %w", err)
	}
	return nil
}

// length returns the approximate length of the page in bytes: figures, curves, style and script are most of it.
func (p *page) length(plots []Plot) int {
	n := len(p.Style) + len(p.Script)
	if p.Series != nil {
		n += len(p.Series.Blob)
	}
	for i := range plots {
		n += len(plots[i].SVG)
	}
	return n + n/4
}

// page is the input of the template: words and numbers ready to print.
type page struct {
	Title, Robot, Date, Version, Schema, SHA, Command string
	Style                                             template.CSS
	Script                                            template.JS
	First                                             firstScreen
	Series                                            *pageSeries
	Curves                                            *curveFigure  // of Series
	Scene                                             *scene.Scene  // nil for a page without the robot
	Figure3D                                          template.HTML // of the scene
	Bodies                                            []bodyRow     // of the scene
	TotalMass                                         *totalMass
	Gist                                              gists
	Verdict                                           judgement
	Verdicts                                          []verdictRow
	Gates                                             *gatePart // nil where the user set none
	Filter                                            string
	Rest                                              string // rows at rest left out
	Facts                                             []fact
	Logs                                              []logRow
	Findings                                          []findingRow
	Errors                                            errorTable
	Torque                                            []pagePlot
	JointResiduals                                    []jointResiduals
	TwoWide                                           bool // overviews have close-ups beside them
	Table                                             parameterTable
	BaseCount, Weak, WeakPercent                      int
	HasPrior                                          bool
	Std                                               []stdLink
	StdCount, Undetermined                            int
	Consistent                                        bool
	Infeasible                                        string // names of links and drive parameters of the free estimate
	Impossible                                        []impossibleRow
	Scaled, Raw                                       string
	Samples                                           []sampleRow
	Warnings, Notes                                   []string
	Diagnosis                                         diagnosisTable
	Choices                                           []choice
	Compared                                          *comparedPart // models or candidates
	Sections                                          []Section
}

// logRow is a log with its rows as --rows takes them.
type logRow struct{ Name, Role, Rows, SHA256 string }

type findingRow struct{ Severity, ID, Where, Why, Fix string }

type verdictRow struct {
	Pass, Advice          bool
	ID, Value, Limit, Why string
}

type errorTable struct {
	Validated bool
	Logged    bool // errors on torques as logged are known
	Rows      []errorRow
	Total     errorRow
	Runs      []runRow
}

// errorRow is one joint's errors; the validation cells are empty where there
// is none.
type errorRow struct {
	Joint, Unit                                     string
	Train, TrainRaw, RMSE, Max, Bias                string
	Valid, ValidRaw, ValidRMSE, ValidMax, ValidBias string
}

type runRow struct {
	Log, Error, Raw string
	Samples         int
}

type pagePlot struct {
	Name, Title, Caption string
	SVG                  template.HTML
	PNG                  template.URL
}

type baseRow struct {
	Name, Expression, Unit            string
	Value, Sigma, Relative, Low, High string
	Prior                             string
	Mark                              string
}

type stdLink struct {
	Link, Frame string
	Rows        []stdRow
	Impossible  bool
}

type stdRow struct {
	Name, Unit, Value, Sigma, From string
	Determined                     bool
}

type impossibleRow struct{ Link, Eigenvalue, Why string }

type sampleRow struct{ Joint, Unit, Sigma, Inflation, Effective string }
