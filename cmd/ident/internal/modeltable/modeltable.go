// Package modeltable has the document and the tables of a fit by several models.
package modeltable

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"gonum.org/v1/gonum/stat"

	"ident/identify"
	"ident/internal/digits"
	"ident/result"
)

// Document is the JSON document of a fit by several models.
type Document struct {
	Schema     string      `json:"schema"`
	Models     []Summary   `json:"models"`
	Parameters []Parameter `json:"parameters"`
	Agreements []Agreement `json:"agreements"`
	Warnings   []string    `json:"warnings,omitempty"`
}

// Summary is one model's fit. The error of its own rows is in its own units;
// the errors of torques compare between models.
type Summary struct {
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

// Parameter is a base parameter by every model, in the models' order.
type Parameter struct {
	Name  string    `json:"name"`
	Unit  string    `json:"unit"`
	Value []float64 `json:"value"`
	Sigma []float64 `json:"sigma"`
}

// Agreement is an identify.Agreement of two models.
type Agreement struct {
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

// AgreementOf describes an agreement.
func AgreementOf(g identify.Agreement) Agreement {
	return Agreement{A: string(g.A), B: string(g.B), Agree: g.Agree, Beyond: g.Beyond, Parameter: g.Parameter,
		Values: [2]float64{g.A0, g.B0}, Sigma: g.Sigma, Ratio: g.Ratio, Limit: g.Limit, Within: g.Within, Blocks: g.Blocks, Unknown: g.Unknown}
}

// SummaryOf describes an outcome, whose result is in the folder.
func SummaryOf(o *identify.Outcome, folder string) Summary {
	res := &o.Result
	m := Summary{Model: res.Model, Result: folder, OwnErrorPercent: o.OwnError, Fit: res.Fit.RelativeError, Condition: res.Condition,
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

// Print writes the tables of a comparison.
func Print(out io.Writer, doc Document) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
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
	fmt.Fprintln(out)
	for _, m := range doc.Models {
		if m.How != "" {
			fmt.Fprintf(out, "%s: %s\n", m.Model, m.How)
		}
	}
	fmt.Fprintln(out)
	w = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
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
	fmt.Fprintln(out)
	for _, g := range doc.Agreements {
		fmt.Fprintln(out, g.Sentence(len(doc.Parameters)))
	}
	fmt.Fprintln(out)
	for _, m := range doc.Models {
		word := "result "
		if m.Failed {
			word = "result (verdicts fail) "
		}
		fmt.Fprintf(out, "%s%s\n", word, m.Result)
	}
}

// Sentence says in words whether two models agree.
func (g Agreement) Sentence(parameters int) string {
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
