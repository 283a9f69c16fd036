package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"ident/result"
)

// The page's template and its style sheet, both part of the binary.
var (
	//go:embed page.tmpl
	pageTemplate string
	//go:embed page.css
	pageStyle string
)

// HTML writes the report as one page that refers to nothing outside itself:
// style and plots are inside, there is no script. The plots are those of
// Plots; a plot without an SVG is shown as its PNG, one with neither is left
// out. Nothing is written when the page cannot be made.
func HTML(w io.Writer, res *result.Result, plots []Plot, opt Options) error {
	t, err := template.New("page").Parse(pageTemplate)
	if err != nil {
		return fmt.Errorf("report: page template: %w", err)
	}
	var buf bytes.Buffer
	if err := t.Execute(&buf, newPage(res, plots, opt)); err != nil {
		return fmt.Errorf("report: page: %w", err)
	}
	// Names come from logs and robot files: html/template escapes their markup,
	// printable takes out the control characters that it lets pass.
	if _, err := io.WriteString(w, printable(buf.String())); err != nil {
		return fmt.Errorf("report: write page: %w", err)
	}
	return nil
}

// page is the input of the template: words and numbers ready to print.
type page struct {
	Title, Robot, Date, Version, Schema, SHA string
	Style                                    template.CSS
	Verdict                                  judgement
	Verdicts                                 []verdictRow
	Filter                                   string
	Facts                                    []fact
	Logs                                     []result.LogInfo
	Errors                                   errorTable
	Torque, Residual, Parameter              []pagePlot
	TwoWide                                  bool // overviews have close-ups beside them
	Base                                     []baseLink
	BaseCount, Weak, WeakPercent             int
	HasPrior                                 bool
	Std                                      []stdLink
	StdCount, Undetermined                   int
	Consistent                               bool
	Impossible                               []impossibleRow
	Scaled, Raw                              string
	Samples                                  []sampleRow
	Warnings, Notes                          []string
	Diagnosis                                diagnosisTable
	Choices                                  []choiceRow
	ChoiceReasons                            []string
}

type verdictRow struct {
	Pass, Advice          bool
	ID, Value, Limit, Why string
}

type errorTable struct {
	Validated bool
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

type baseLink struct {
	Link, Joint string
	Rows        []baseRow
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
	Name, Unit, Value, Sigma string
	Determined               bool
}

type impossibleRow struct{ Link, Eigenvalue, Why string }

type sampleRow struct{ Joint, Unit, Sigma, Inflation, Effective string }
