package report

import (
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"ident/internal/digits"
	"ident/result"
)

// newPage turns a result into the words and numbers of the page.
func newPage(res *result.Result, runs []result.ResidualRun, plots []Plot, opt Options) page {
	p := page{
		Title: opt.title(res), Robot: orDash(res.Robot.Name), Date: opt.Date, Version: opt.version(res),
		Schema: res.Schema, SHA: res.Robot.SHA256, Command: opt.Command,
		First: newFirstScreen(res, runs, plots), Gist: newGists(res, opt.Compared),
		Verdict: judge(res), Filter: filterWords(res.Processing), Rest: restWords(res), Facts: facts(res),
		Errors:    newErrorTable(res),
		BaseCount: len(res.BaseParameters), Weak: countWeak(res), WeakPercent: WeakPercent,
		StdCount: len(res.StandardParameters), Consistent: res.PhysicallyConsistent,
		Scaled: digits.Number(res.Condition.Scaled, 3), Raw: digits.Number(res.Condition.Raw, 3),
		Gates:     newGatePart(res.Gates),
		Diagnosis: newDiagnosis(res), Compared: newComparedPart(opt.Compared), Sections: opt.Sections,
		Warnings: res.Warnings, Notes: append(append([]string(nil), res.Processing.Reasons...), res.Notes...),
	}
	if res.Possibility != nil {
		p.Infeasible = strings.Join(res.Possibility.Impossible, ", ")
	}
	p.Choices, p.TotalMass = choices(res), newTotalMass(res.Bodies)
	for _, l := range res.Logs {
		p.Logs = append(p.Logs, logRow{orDash(l.Name), roleWord(l.Role), rowsWords(l), l.SHA256})
	}
	p.Findings = findingRows(res.Findings)
	for _, v := range res.Verdicts {
		p.Verdicts = append(p.Verdicts, verdictRow{v.Pass, v.Advice, v.ID, digits.Figure(v.Value), digits.Figure(v.Limit), v.Why})
	}
	for _, q := range plots {
		s := newPagePlot(q)
		switch {
		case s.SVG == "" && s.PNG == "":
		case q.Group == GroupTorque:
			p.Torque = append(p.Torque, s)
			p.TwoWide = p.TwoWide || strings.HasSuffix(q.Name, closeUpSuffix)
		} // the table draws parameters, and residuals are figures of the page's own
	}
	p.JointResiduals = residualFigures(res, runs)
	p.Table = newParameterTable(res)
	for _, b := range res.BaseParameters {
		p.HasPrior = p.HasPrior || b.HasPrior
	}
	impossible := map[string]bool{}
	for _, b := range res.Impossible {
		impossible[b.Link] = true
		least := digits.Number(b.MinEigenvalue, 3)
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
			name, unit(res, j), digits.Number(at(res.NoiseSigma, j), 3),
			digits.Number(at(res.CorrelationInflation, j), 3), digits.Number(at(res.EffectiveSamples, j), 4),
		})
	}
	return p
}

// drawSections prepares the curves of sections.
func (p *page) drawSections() error {
	p.Sections = slices.Clone(p.Sections)
	for i := range p.Sections {
		s := &p.Sections[i]
		series, err := newCurveSeries(s.Curves)
		if err != nil {
			return err
		}
		if series != nil {
			s.drawn = &curveFigure{Series: series, ID: fmt.Sprintf("section%d-", i), Title: s.Title, Words: strings.Join(s.Lines, " "), Legend: s.Legend}
		}
	}
	return nil
}

func newErrorTable(res *result.Result) errorTable {
	t := errorTable{Validated: res.Validation != nil, Logged: res.Fit.Logged()}
	row := func(name, unit string, j int) errorRow {
		f := res.Fit
		r := errorRow{
			Joint: name, Unit: unit,
			Train: percentCell(&f, j), TrainRaw: rawPercent(&f, j),
			RMSE: digits.Number(at(f.RMSE, j), 3), Max: digits.Number(at(f.MaxAbs, j), 3), Bias: digits.Bias(at(f.Bias, j), at(f.RMSE, j)),
		}
		if v := res.Validation; v != nil {
			r.Valid, r.ValidRaw = percentCell(&v.Errors, j), rawPercent(&v.Errors, j)
			r.ValidRMSE, r.ValidMax, r.ValidBias = digits.Number(at(v.RMSE, j), 3), digits.Number(at(v.MaxAbs, j), 3), digits.Bias(at(v.Bias, j), at(v.RMSE, j))
		}
		return r
	}
	for j, name := range res.Joints {
		t.Rows = append(t.Rows, row(name, unit(res, j), j))
	}
	t.Total = row("all joints", "", -1)
	if t.Validated {
		for _, r := range res.Validation.Runs {
			t.Runs = append(t.Runs, runRow{r.Log, percentCell(&r.Errors, -1), rawPercent(&r.Errors, -1), r.Samples})
		}
	}
	return t
}

func newBaseRow(b result.BaseParameter) baseRow {
	s := digits.ScaleOf(b.Value, b.Sigma)
	r := baseRow{
		Name: b.Name, Expression: b.Expression, Unit: b.Unit,
		Value: s.Print(b.Value), Sigma: digits.Deviation(b.Sigma), Relative: digits.Percent(relativeSigma(b)),
		Low: s.Print(b.Low95), High: s.Print(b.High95), Mark: mark(b),
	}
	if b.HasPrior {
		r.Prior = s.Print(b.Prior)
	}
	return r
}

// newStdRow returns the row of p; From says whether data, the file or consistency gave p.
func newStdRow(p result.StdParameter, consistent bool) stdRow {
	r := stdRow{Name: p.Name, Unit: p.Unit, Determined: p.Determined}
	if p.Determined {
		r.Value, r.Sigma, r.From = digits.ScaleOf(p.Value, p.Sigma).Print(p.Value), digits.Deviation(p.Sigma), "identified"
		return r
	}
	most := 5
	if consistent {
		most = 3 // of a choice, not of a file
	}
	r.Value, r.Sigma = digits.Number(digits.Noise(p.Value), most), digits.None
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

// findingRows returns the findings, those of one kind, severity and log as one: the first, with the joints of all.
func findingRows(found []result.Finding) (rows []findingRow) {
	at := map[result.Finding]int{}
	for _, f := range found {
		kind := result.Finding{ID: f.ID, Severity: f.Severity, Log: f.Log}
		if f.Joint == "" {
			kind.Why = f.Why
		}
		i, later := at[kind]
		if !later {
			i = len(rows)
			at[kind] = i
			rows = append(rows, findingRow{f.Severity, f.ID, orDash(f.Log), f.Why, f.Fix})
		}
		if f.Joint != "" && !strings.Contains(rows[i].Where+", ", ", "+f.Joint+", ") {
			rows[i].Where += ", " + f.Joint
		}
	}
	return rows
}
