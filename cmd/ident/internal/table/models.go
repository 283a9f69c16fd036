package table

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"gonum.org/v1/gonum/stat"

	"ident/identify"
	"ident/identify/regression"
	"ident/internal/digits"
	"ident/result"
)

// Models is the JSON document of a fit by several models.
type Models struct {
	Schema     string           `json:"schema"`
	Models     []ModelFit       `json:"models"`
	Parameters []ModelParameter `json:"parameters"`
	Agreements []ModelAgreement `json:"agreements"`
	Warnings   []string         `json:"warnings,omitempty"`
}

// ModelFit is one model's fit. The error of its own rows is in its own units;
// the errors of torques compare between models.
type ModelFit struct {
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
	Method               string           `json:"how,omitempty"`
}

// ModelParameter is a base parameter by every model, in the models' order.
type ModelParameter struct {
	Name  string    `json:"name"`
	Unit  string    `json:"unit"`
	Value []float64 `json:"value"`
	Sigma []float64 `json:"sigma"`
}

// ModelAgreement is a regression.Agreement of two models.
type ModelAgreement struct {
	sentence string

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

// ModelsOf returns the document of a fit by several models, whose results are in folders within one.
func ModelsOf(f *identify.Fit, folder string) Models {
	doc := Models{Schema: "ident.fit-models/1", Warnings: f.Warnings}
	folders := f.Folders(folder)
	for i, o := range f.Models {
		doc.Models = append(doc.Models, summaryOf(o, folders[i]))
	}
	for k, b := range f.Models[0].Result.BaseParameters {
		p := ModelParameter{Name: b.Name, Unit: b.Unit}
		for _, o := range f.Models {
			own := o.Result.BaseParameters[k]
			p.Value, p.Sigma = append(p.Value, own.Value), append(p.Sigma, own.Sigma)
		}
		doc.Parameters = append(doc.Parameters, p)
	}
	for _, g := range f.Agreements {
		doc.Agreements = append(doc.Agreements, agreementOf(g, len(doc.Parameters)))
	}
	return doc
}

// agreementOf describes an agreement of models with so many parameters.
func agreementOf(g regression.Agreement, parameters int) ModelAgreement {
	return ModelAgreement{sentence: g.Sentence(parameters), A: string(g.A), B: string(g.B), Agree: g.Agree, Beyond: g.Beyond, Parameter: g.Parameter,
		Values: [2]float64{g.A0, g.B0}, Sigma: g.Sigma, Ratio: g.Ratio, Limit: g.Limit, Within: g.Within, Blocks: g.Blocks, Unknown: g.Unknown}
}

// summaryOf describes an outcome, whose result is in the folder.
func summaryOf(o *regression.Outcome, folder string) ModelFit {
	res := &o.Result
	m := ModelFit{Model: res.Model, Result: folder, OwnErrorPercent: o.OwnError, Fit: res.Fit.RelativeError, Condition: res.Condition,
		Seconds: o.Seconds, PhysicallyConsistent: res.PhysicallyConsistent, Failed: res.Failed(), Method: res.Processing.Rows}
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

// PrintModels writes the tables of a comparison.
func PrintModels(out io.Writer, doc Models) {
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
		if m.Method != "" {
			fmt.Fprintf(out, "%s: %s\n", m.Model, m.Method)
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
		fmt.Fprintln(out, g.sentence)
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
