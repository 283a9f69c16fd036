package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"gonum.org/v1/gonum/stat"

	"ident/identify"
	"ident/internal/digits"
	"ident/project"
	"ident/result"
)

// several tells whether --model names more than one.
func several(list string) bool {
	kinds, err := identify.ParseKinds(list)
	return err == nil && len(kinds) > 1
}

// modelsDoc is the JSON document of a fit by several models.
type modelsDoc struct {
	Schema     string           `json:"schema"`
	Models     []modelSummary   `json:"models"`
	Parameters []modelParameter `json:"parameters"`
	Agreements []modelAgreement `json:"agreements"`
	Warnings   []string         `json:"warnings,omitempty"`
}

// modelSummary is one model's fit. The error of its own rows is in its own units;
// the errors of torques compare between models.
type modelSummary struct {
	Model                string           `json:"model"`
	Result               string           `json:"result"` // folder
	Rows                 int              `json:"rows"`
	OwnErrorPercent      float64          `json:"own_relative_error_percent"`
	Fit                  result.Relative  `json:"relative_error_percent"`
	Validation           *result.Relative `json:"validation_relative_error_percent,omitempty"`
	Condition            result.Condition `json:"condition_number"`
	Seconds              float64          `json:"seconds"`
	MedianRelativeSigma  float64          `json:"median_relative_sigma_percent"`
	PhysicallyConsistent bool             `json:"physically_consistent"`
	Failed               bool             `json:"failed"` // some verdict
	How                  string           `json:"how,omitempty"`
}

// modelParameter is a base parameter by every model, in the models' order.
type modelParameter struct {
	Name  string    `json:"name"`
	Unit  string    `json:"unit"`
	Value []float64 `json:"value"`
	Sigma []float64 `json:"sigma"`
}

// modelAgreement is an identify.Agreement of two models.
type modelAgreement struct {
	A         string     `json:"a"`
	B         string     `json:"b"`
	Agree     bool       `json:"agree"`
	Beyond    int        `json:"beyond"`
	Parameter string     `json:"parameter"`
	Values    [2]float64 `json:"values"`
	Sigma     float64    `json:"sigma_of_difference"`
	Ratio     float64    `json:"ratio"`
	Limit     float64    `json:"limit"`
	Within    float64    `json:"largest_in_own_sigmas"`
	Blocks    int        `json:"blocks"`
	Unknown   string     `json:"unknown,omitempty"`
}

// fitModels fits one data set by several models and prints the comparison. Each
// result is a folder of its own within the fit's.
func fitModels(ctx context.Context, s streams, p *project.Settings, paths []string, opt fitOptions, asJSON bool) error {
	job, err := loadFit(ctx, s, p, paths, opt)
	if err != nil {
		return err
	}
	defer job.close()
	kinds, err := project.Models(p)
	if err != nil {
		return err
	}
	found, err := identify.FitModels(ctx, job.Session.Robot, job.Terms, job.Train, job.Validate, job.cfg, kinds)
	if err != nil {
		return err
	}
	job.bar.end()
	doc := modelsDoc{Schema: "ident.fit-models/1", Warnings: job.warnings}
	failed := false
	var sides []result.Side
	for _, o := range found.Outcomes {
		if err := job.Complete(ctx, o, Version, job.warnings); err != nil {
			return err
		}
		sides = append(sides, result.Side{Name: o.Result.Model, Result: &o.Result, Set: o.Base, Robot: job.Session.Robot})
	}
	compared, err := result.Compare(sides)
	if err != nil {
		return fmt.Errorf("comparing models: %w", err)
	}
	for _, g := range found.Agreements {
		compared.Notes = append(compared.Notes, agreementOf(g).sentence(len(compared.Parameters)))
	}
	job.drawing.Compared = compared
	for _, o := range found.Outcomes {
		folder := filepath.Join(job.folder, o.Result.Model)
		if err := s.during("writing the result and its report", func() error { return project.WriteResult(ctx, folder, o, job.Session.Source, job.drawing) }); err != nil {
			return err
		}
		failed = failed || o.Result.Failed()
		doc.Models = append(doc.Models, summaryOf(o, folder))
	}
	for k, b := range found.Outcomes[0].Result.BaseParameters {
		mp := modelParameter{Name: b.Name, Unit: b.Unit}
		for _, o := range found.Outcomes {
			own := o.Result.BaseParameters[k]
			mp.Value, mp.Sigma = append(mp.Value, own.Value), append(mp.Sigma, own.Sigma)
		}
		doc.Parameters = append(doc.Parameters, mp)
	}
	for _, g := range found.Agreements {
		doc.Agreements = append(doc.Agreements, agreementOf(g))
	}
	if asJSON {
		err = project.WriteJSON(s.data, doc)
	} else {
		printModels(s, doc)
	}
	if err == nil && failed {
		return errVerdict
	}
	return err
}

func agreementOf(g identify.Agreement) modelAgreement {
	return modelAgreement{A: string(g.A), B: string(g.B), Agree: g.Agree, Beyond: g.Beyond, Parameter: g.Parameter,
		Values: [2]float64{g.A0, g.B0}, Sigma: g.Sigma, Ratio: g.Ratio, Limit: g.Limit, Within: g.Within, Blocks: g.Blocks, Unknown: g.Unknown}
}

func summaryOf(o *identify.Outcome, folder string) modelSummary {
	res := &o.Result
	m := modelSummary{Model: res.Model, Result: folder, OwnErrorPercent: o.OwnError, Fit: res.Fit.RelativeError, Condition: res.Condition,
		Seconds: o.Seconds, PhysicallyConsistent: res.PhysicallyConsistent, Failed: res.Failed(), How: res.Processing.Rows}
	for _, n := range o.Reduction.Rows() {
		m.Rows += n
	}
	if res.Validation != nil {
		m.Validation = &res.Validation.RelativeError
	}
	var sigmas []float64
	for _, b := range res.BaseParameters {
		sigmas = append(sigmas, b.RelativeSigmaPercent)
	}
	slices.Sort(sigmas)
	m.MedianRelativeSigma = stat.Quantile(0.5, stat.Empirical, sigmas, nil)
	return m
}

func printModels(s streams, doc modelsDoc) {
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	cell := func(format string, a ...any) { fmt.Fprintf(w, format+"\t", a...) }
	cell("model")
	for _, h := range []string{"rows", "own error %", "torque error %", "validation %", "condition", "median sigma %", "seconds"} {
		cell("%s", h)
	}
	fmt.Fprintln(w)
	for _, m := range doc.Models {
		cell("%s", m.Model)
		cell("%d", m.Rows)
		cell("%.3f", m.OwnErrorPercent)
		cell("%.3f", m.Fit.Stacked)
		if m.Validation != nil {
			cell("%.3f", m.Validation.Stacked)
		} else {
			cell("–")
		}
		cell("%s", digits.Number(m.Condition.Scaled, 3))
		cell("%.3g", m.MedianRelativeSigma)
		cell("%.3g", m.Seconds)
		fmt.Fprintln(w)
	}
	w.Flush()
	fmt.Fprintln(s.out)
	for _, m := range doc.Models {
		if m.How != "" {
			fmt.Fprintf(s.out, "%s: %s\n", m.Model, m.How)
		}
	}
	fmt.Fprintln(s.out)
	w = tabwriter.NewWriter(s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	cell("parameter")
	for _, m := range doc.Models {
		cell("%s", m.Model)
		cell("sigma")
	}
	cell("unit")
	fmt.Fprintln(w)
	for _, b := range doc.Parameters {
		cell("%s", b.Name)
		for i := range b.Value {
			cell("%.5g", b.Value[i])
			cell("%.2g", b.Sigma[i])
		}
		cell("%s", b.Unit)
		fmt.Fprintln(w)
	}
	w.Flush()
	fmt.Fprintln(s.out)
	for _, g := range doc.Agreements {
		fmt.Fprintln(s.out, g.sentence(len(doc.Parameters)))
	}
	fmt.Fprintln(s.out)
	for _, m := range doc.Models {
		word := "result "
		if m.Failed {
			word = "result (verdicts fail) "
		}
		fmt.Fprintf(s.out, "%s%s\n", word, m.Result)
	}
}

// sentence says in words whether two models agree.
func (g modelAgreement) sentence(parameters int) string {
	pair := g.A + " and " + g.B
	if g.Unknown != "" {
		return pair + ": " + g.Unknown
	}
	from := fmt.Sprintf("%d time blocks", g.Blocks)
	if g.Blocks == 0 {
		from = "the bound of deviations that are wholly correlated"
	}
	worst := fmt.Sprintf("%s is %.4g and %.4g, %.2g deviations of the difference apart, limit %.2g, from %s", g.Parameter, g.Values[0], g.Values[1], g.Ratio, g.Limit, from)
	if g.Agree {
		return fmt.Sprintf("%s agree: at most %s", pair, worst)
	}
	if g.Within < 1 {
		return fmt.Sprintf("%s differ in %d of %d parameters, by %.2g of their own deviations at most: most clearly, %s", pair, g.Beyond, parameters, g.Within, worst)
	}
	return fmt.Sprintf("%s DISAGREE in %d of %d parameters, by up to %.2g of their own deviations: most, %s", pair, g.Beyond, parameters, g.Within, worst)
}
