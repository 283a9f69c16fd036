package report

import (
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"

	"ident/result"
)

// newPage turns a result into the words and numbers of the page.
func newPage(res *result.Result, runs []result.ResidualRun, plots []Plot, opt Options) page {
	p := page{
		Title: opt.title(res), Robot: orDash(res.Robot.Name), Date: opt.Date, Version: opt.version(res),
		Schema: res.Schema, SHA: res.Robot.SHA256, Command: opt.Command,
		First: newFirstScreen(res, runs, plots), Gist: newGists(res),
		Verdict: judge(res), Filter: filterWords(res.Processing), Rest: restLines(res), Facts: facts(res),
		Errors:    newErrorTable(res),
		BaseCount: len(res.BaseParameters), Weak: countWeak(res), WeakPercent: WeakPercent,
		StdCount: len(res.StandardParameters), Consistent: res.PhysicallyConsistent,
		Scaled: number(res.Condition.Scaled, 3), Raw: number(res.Condition.Raw, 3),
		Diagnosis: newDiagnosis(res),
		Warnings:  res.Warnings, Notes: append(append([]string(nil), res.Processing.Reasons...), res.Notes...),
	}
	p.Choices, p.ChoiceReasons = choiceRows(res)
	for _, l := range res.Logs {
		p.Logs = append(p.Logs, logRow{orDash(l.Name), roleWord(l.Role), rowsWords(l), l.SHA256})
	}
	for _, f := range res.Findings {
		where := f.Log
		if f.Joint != "" {
			where += ", " + f.Joint
		}
		p.Findings = append(p.Findings, findingRow{f.Severity, f.ID, orDash(where), f.Why, f.Fix})
	}
	for _, v := range res.Verdicts {
		p.Verdicts = append(p.Verdicts, verdictRow{v.Pass, v.Advice, v.ID, figure4(v.Value), figure4(v.Limit), v.Why})
	}
	for _, q := range plots {
		s := newPagePlot(q)
		switch {
		case s.SVG == "" && s.PNG == "":
		case q.Group == GroupTorque:
			p.Torque = append(p.Torque, s)
			p.TwoWide = p.TwoWide || strings.HasSuffix(q.Name, closeUpSuffix)
		case q.Group == GroupParameter: // the table draws them
		default:
			p.Residual = append(p.Residual, s)
		}
	}
	p.JointResiduals = residualFigures(res, runs, p.Residual)
	p.Table = newParameterTable(res)
	for _, b := range res.BaseParameters {
		p.HasPrior = p.HasPrior || b.HasPrior
	}
	impossible := map[string]bool{}
	for _, b := range res.Impossible {
		impossible[b.Link] = true
		least := number(b.MinEigenvalue, 3)
		if b.Parameter != "" {
			least = orDash("")
		}
		p.Impossible = append(p.Impossible, impossibleRow{b.Link, least, orDash(b.Why)})
	}
	for _, g := range stdByLink(res.StandardParameters) {
		l := stdLink{Link: orDash(g.Link), Frame: frameWords(g.Joint), Impossible: impossible[g.Link]}
		for _, s := range g.Params {
			l.Rows = append(l.Rows, newStdRow(s, res.Consistency != nil))
			if !s.Determined {
				p.Undetermined++
			}
		}
		p.Std = append(p.Std, l)
	}
	for j, name := range res.Joints {
		p.Samples = append(p.Samples, sampleRow{
			name, unit(res, j), number(at(res.NoiseSigma, j), 3),
			number(at(res.CorrelationInflation, j), 3), number(at(res.EffectiveSamples, j), 4),
		})
	}
	return p
}

func newErrorTable(res *result.Result) errorTable {
	t := errorTable{Validated: res.Validation != nil}
	row := func(name, unit string, get func(result.Relative) float64, j int) errorRow {
		f := res.Fit
		r := errorRow{
			Joint: name, Unit: unit,
			Train: percent(get(f.RelativeError)), TrainRaw: percent(get(f.RelativeErrorRaw)),
			RMSE: number(at(f.RMSE, j), 3), Max: number(at(f.MaxAbs, j), 3), Bias: bias(at(f.Bias, j), at(f.RMSE, j)),
		}
		if v := res.Validation; v != nil {
			r.Valid, r.ValidRaw = percent(get(v.RelativeError)), percent(get(v.RelativeErrorRaw))
			r.ValidRMSE, r.ValidMax, r.ValidBias = number(at(v.RMSE, j), 3), number(at(v.MaxAbs, j), 3), bias(at(v.Bias, j), at(v.RMSE, j))
		}
		return r
	}
	for j, name := range res.Joints {
		t.Rows = append(t.Rows, row(name, unit(res, j), func(r result.Relative) float64 { return at(r.Joints, j) }, j))
	}
	t.Total = row("all joints", "", func(r result.Relative) float64 { return r.Stacked }, -1)
	if t.Validated {
		for _, r := range res.Validation.Runs {
			t.Runs = append(t.Runs, runRow{r.Log, percent(r.RelativeError.Stacked), percent(r.RelativeErrorRaw.Stacked), r.Samples})
		}
	}
	return t
}

func newBaseRow(b result.BaseParameter) baseRow {
	s := scaleOf(b.Value, b.Sigma)
	r := baseRow{
		Name: b.Name, Expression: b.Expression, Unit: b.Unit,
		Value: s.print(b.Value), Sigma: deviation(b.Sigma), Relative: percent(relativeSigma(b)),
		Low: s.print(b.Low95), High: s.print(b.High95), Mark: mark(b),
	}
	if b.HasPrior {
		r.Prior = s.print(b.Prior)
	}
	return r
}

// newStdRow tells identified standard parameters from those that the file or consistency gave.
func newStdRow(p result.StdParameter, consistent bool) stdRow {
	r := stdRow{Name: p.Name, Unit: p.Unit, Determined: p.Determined}
	if p.Determined {
		r.Value, r.Sigma, r.From = scaleOf(p.Value, p.Sigma).print(p.Value), deviation(p.Sigma), "identified"
		return r
	}
	digits := 5
	if consistent {
		digits = 3 // of a choice, not of a file
	}
	r.Value, r.Sigma = number(noise(p.Value), digits), noNumber
	switch {
	case p.Frame == "user":
		r.From = "converted"
	case consistent:
		r.From = "chosen by consistency"
	case p.Sigma > 0:
		r.From = "data, with the file's" // it carries a base parameter, of which the file gives the rest
	default:
		r.From = "from the file"
	}
	return r
}

// frameWords says in which frame a link's parameters are given.
func frameWords(frame string) string {
	switch frame {
	case "mdh":
		return "frame of the joint"
	case "user":
		return "link frame of the robot file"
	}
	return frame
}

// newPagePlot prepares a plot for the page. The SVG comes from Plots, which
// escapes every name in it; it is the only markup that the page takes over.
func newPagePlot(q Plot) pagePlot {
	s := pagePlot{Name: q.Name, Title: q.Title, Caption: q.Caption}
	if len(q.SVG) > 0 {
		svg := string(q.SVG)
		if i := strings.Index(svg, "<svg"); i > 0 {
			svg = svg[i:]
		}
		s.SVG = template.HTML(svg)
	} else if len(q.PNG) > 0 {
		s.PNG = template.URL(fmt.Sprintf("data:image/png;base64,%s", base64.StdEncoding.EncodeToString(q.PNG)))
	}
	return s
}
