package gravity

import (
	"encoding/json"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/estimate"
	"ident/internal/document"
	"ident/internal/finite"
	"ident/regressor"
	"ident/robot"
)

// Schema is the version of the document.
const Schema = "ident.gravity/1"

// Document is the estimate of gravity parameters as a file. A second stage finds the parameters that it shares by the regrouping
// relations.
type Document struct {
	Schema     string         `json:"schema"`
	Robot      string         `json:"robot"`
	Terms      []string       `json:"terms"` // terms of the model whose base parameters these are
	Logs       []LogPairs     `json:"logs"`
	Pairs      int            `json:"pairs"`            // number of pairs of passes, one in each direction, in all logs
	Condition  float64        `json:"condition_number"` // condition number of the rows at rest, columns scaled to unit norm
	Shared     float64        `json:"shared_by_place"`  // fraction of the pairs' variance that pairs at the same joint position share
	Joints     []JointNoise   `json:"joints"`
	Parameters []Parameter    `json:"parameters"`
	Covariance [][]float64    `json:"covariance"`     // covariance of the parameters, in their order
	Relations  []BaseRelation `json:"relations"`      // relations of the base parameters that are named here
	Seal       string         `json:"seal,omitempty"` // SHA-256 of the rest of the document; those of version 0.4.0 have none
}

// LogPairs are the pairs of passes of one log.
type LogPairs struct {
	Log   string `json:"log"`
	Pairs int    `json:"pairs"`
}

// JointNoise is the standard deviation of a pair's mean torque from the model.
type JointNoise struct {
	Joint string  `json:"joint"`
	Sigma float64 `json:"sigma"` // N·m or N
}

// Parameter is a base parameter at rest: that of the model plus the regrouped ones, which rest does not tell apart from it.
type Parameter struct {
	Name       string     `json:"name"`
	Expression string     `json:"expression"`
	Unit       string     `json:"unit"`
	Value      float64    `json:"value"`
	Sigma      float64    `json:"sigma"`
	Regrouped  []Standard `json:"regrouped"` // base parameters of the model, with their coefficients
}

// BaseRelation is the combination of standard parameters that a base parameter is.
type BaseRelation struct {
	Base  string     `json:"base"`
	Terms []Standard `json:"terms"`
}

// Standard is a parameter of a combination.
type Standard struct {
	Parameter   string  `json:"parameter"`
	Coefficient float64 `json:"coefficient"`
}

// Document describes the estimate, of a robot with the given name and joints and of a model with the given terms.
func (e *Estimate) Document(set *baseparams.Set, name string, joints []string, terms []regressor.Term, logs []LogPairs) *Document {
	d := &Document{Schema: Schema, Robot: name, Logs: logs, Pairs: e.Pairs, Condition: e.Condition, Shared: e.Shared}
	for _, t := range terms {
		d.Terms = append(d.Terms, string(t))
	}
	for k, s := range e.Noise {
		d.Joints = append(d.Joints, JointNoise{joints[k], s})
	}
	relate := func(column int) {
		out := BaseRelation{Base: set.Name(column)}
		for _, t := range set.Relation(column).Terms {
			out.Terms = append(out.Terms, Standard{t.Parameter, t.Coefficient})
		}
		d.Relations = append(d.Relations, out)
	}
	for i, c := range e.Columns {
		p := Parameter{Name: set.Name(c), Expression: set.Relation(c).Expression, Unit: set.Columns[set.Base[c]].Unit,
			Value: e.X[i], Sigma: math.Sqrt(e.Covariance.At(i, i)), Regrouped: []Standard{}}
		for k, at := range e.Dependent {
			if b := e.Beta[i][k]; b != 0 {
				p.Regrouped = append(p.Regrouped, Standard{set.Name(at), b})
			}
		}
		d.Parameters = append(d.Parameters, p)
		relate(c)
		row := make([]float64, len(e.Columns))
		for j := range row {
			row[j] = e.Covariance.At(i, j)
		}
		d.Covariance = append(d.Covariance, row)
	}
	for _, at := range e.Dependent {
		relate(at)
	}
	return d
}

// Read reads a document.
func Read(text []byte) (*Document, error) {
	var d Document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("no document of a gravity fit: %w", err)
	}
	if d.Schema != Schema {
		return nil, fmt.Errorf("its schema is %q, but a gravity fit has the schema %q", d.Schema, Schema)
	}
	if err := d.Valid(); err != nil {
		return nil, err
	}
	return &d, nil
}

// Valid returns an error if the document contradicts itself: it has no parameters, their covariance is not one, or a number is
// not finite or a standard deviation negative.
func (d *Document) Valid() error {
	if err := finite.Check(d); err != nil {
		return err
	}
	if len(d.Parameters) == 0 {
		return fmt.Errorf("it has no parameters")
	}
	for i, p := range d.Parameters {
		if p.Sigma < 0 {
			return fmt.Errorf("the standard deviation of parameters[%d] (%s) is %g: it must not be negative", i, p.Name, p.Sigma)
		}
	}
	return document.Covariance("covariance", d.Covariance, len(d.Parameters))
}

// MismatchError says that a base parameter of the first stage does not exist in the second.
type MismatchError struct{ Parameter, Why string }

func (e *MismatchError) Error() string {
	return fmt.Sprintf("base parameter %s of the gravity fit %s; fit both stages with the same robot file, locked joints and terms", e.Parameter, e.Why)
}

// relationDigits is the relative difference of coefficients of one relation: of geometries that are printed with nine digits.
const relationDigits = 1e-8

// Posterior is Estimate.Posterior for a second stage with the given base parameters. Where one of the document is not among
// them, or is another combination of standard parameters, the error is a *MismatchError.
func (d *Document) Posterior(set *baseparams.Set) (estimate.MAP, error) {
	at := map[string]int{}
	for k, name := range set.Names() {
		at[name] = k
	}
	for _, r := range d.Relations {
		k, ok := at[r.Base]
		if !ok {
			return estimate.MAP{}, &MismatchError{r.Base, "is not a base parameter of this fit"}
		}
		have := map[string]float64{}
		for _, t := range set.Relation(k).Terms {
			have[t.Parameter] = t.Coefficient
		}
		for _, t := range r.Terms {
			if c := have[t.Parameter]; !(math.Abs(c-t.Coefficient) <= relationDigits*max(1, math.Abs(c))) {
				return estimate.MAP{}, &MismatchError{r.Base, fmt.Sprintf("has %s with the coefficient %g, here with %g", t.Parameter, t.Coefficient, c)}
			}
			delete(have, t.Parameter)
		}
		for _, p := range set.Relation(k).Terms {
			if c, more := have[p.Parameter]; more && math.Abs(c) > relationDigits {
				return estimate.MAP{}, &MismatchError{r.Base, fmt.Sprintf("has no %s, which it has here", p.Parameter)}
			}
		}
	}
	e := &Estimate{Covariance: mat.NewSymDense(len(d.Parameters), nil)}
	dependent := map[string]int{}
	for i, p := range d.Parameters {
		k, ok := at[p.Name]
		if !ok {
			return estimate.MAP{}, &MismatchError{p.Name, "is not a base parameter of this fit"}
		}
		e.Names, e.Columns, e.X = append(e.Names, p.Name), append(e.Columns, k), append(e.X, p.Value)
		for j := i; j < len(d.Parameters); j++ {
			e.Covariance.SetSym(i, j, d.Covariance[i][j])
		}
		for _, q := range p.Regrouped {
			c, ok := at[q.Parameter]
			if !ok {
				return estimate.MAP{}, &MismatchError{q.Parameter, "is not a base parameter of this fit"}
			}
			if _, seen := dependent[q.Parameter]; !seen {
				dependent[q.Parameter] = len(e.Dependent)
				e.Dependent = append(e.Dependent, c)
			}
		}
	}
	for _, p := range d.Parameters {
		row := make([]float64, len(e.Dependent))
		for _, q := range p.Regrouped {
			row[dependent[q.Parameter]] = q.Coefficient
		}
		e.Beta = append(e.Beta, row)
	}
	var factor mat.Cholesky
	if !factor.Factorize(e.Covariance) {
		return estimate.MAP{}, fmt.Errorf("the covariance of the gravity fit is not positive definite")
	}
	return e.Posterior(set.Count(), nil), nil
}

// Estimator returns the estimator of a second stage. Its prior is the document with the given text, at the given weight
// (0 means weight one: the document's own covariance). name is the name of the document, for errors.
func Estimator(name string, text []byte, weight float64) (func(*robot.Robot, *baseparams.Set) (estimate.Estimator, error), error) {
	d, err := Read(text)
	if err != nil {
		return nil, fmt.Errorf("prior %s: %w; ident gravity writes one", name, err)
	}
	return func(_ *robot.Robot, set *baseparams.Set) (estimate.Estimator, error) {
		posterior, err := d.Posterior(set)
		if err != nil {
			return nil, fmt.Errorf("prior %s: %w", name, err)
		}
		if weight > 0 {
			posterior.Weight = weight
		}
		return posterior, nil
	}, nil
}
