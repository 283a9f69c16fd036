package exports

import (
	"bytes"
	"fmt"
	"strconv"

	"ident/identify/folder"
	"ident/internal/spreadsheet"
	"ident/result"
)

// Document is the JSON document of ident export --to json.
type Document struct {
	Schema             string                 `json:"schema"`
	Robot              result.RobotInfo       `json:"robot"`
	Terms              []string               `json:"terms"`
	BaseParameters     []result.BaseParameter `json:"base_parameters"`
	StandardParameters []result.StdParameter  `json:"standard_parameters"`
	Covariance         [][]float64            `json:"covariance"`
	Engine             *Engine                `json:"engine,omitempty"` // with --order
	// InertiaMatrix says whether the inertia matrix of the base parameters is positive definite; absent where bodies were not judged.
	InertiaMatrix *result.InertiaMatrix `json:"inertia_matrix,omitempty"`
}

func document(res *result.Result) Document {
	return Document{Schema: "ident.export/1", Robot: res.Robot, Terms: res.Terms,
		BaseParameters: res.BaseParameters, StandardParameters: res.StandardParameters, Covariance: res.Covariance, InertiaMatrix: res.InertiaMatrix}
}

// Tables returns the parameters of a result as csv or json.
func Tables(dir, format string, seals folder.Seals) ([]byte, Remarks, error) {
	var said Remarks
	res, err := folder.ReadResult(dir, seals)
	if err != nil {
		return nil, said, err
	}
	said.inertiaMatrix(res, false)
	text, err := TableOf(res, format)
	return text, said, err
}

// TableOf returns the parameters of a result as csv or json.
func TableOf(res *result.Result, format string) ([]byte, error) {
	var b bytes.Buffer
	if format == "json" {
		err := folder.WriteJSON(&b, document(res))
		return b.Bytes(), err
	}
	num := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	rows := [][]string{{"kind", "name", "expression", "link", "frame", "unit", "value", "sigma", "relative_sigma_percent", "low95", "high95", "prior", "determined"}}
	for _, p := range res.BaseParameters {
		prior := ""
		if p.HasPrior {
			prior = num(p.Prior)
		}
		rows = append(rows, []string{"base", p.Name, p.Expression, p.Link, "mdh", p.Unit, num(p.Value), num(p.Sigma), num(p.RelativeSigmaPercent), num(p.Low95), num(p.High95), prior, "true"})
	}
	for _, p := range res.StandardParameters {
		sigma := ""
		if p.Determined {
			sigma = num(p.Sigma)
		}
		rows = append(rows, []string{"standard", p.Name, "", p.Link, p.Frame, p.Unit, num(p.Value), sigma, "", "", "", "", strconv.FormatBool(p.Determined)})
	}
	if err := spreadsheet.Write(&b, rows); err != nil {
		return nil, fmt.Errorf("writing the table: %w", err)
	}
	return b.Bytes(), nil
}
