package identify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/datasets"
	"ident/identify/project"
	"ident/internal/hint"
	"ident/regressor"
)

// EvaluationSchema is the version of EvaluationDocument.
const EvaluationSchema = "ident.evaluate/1"

// EvaluationDocument describes what was evaluated and written.
type EvaluationDocument struct {
	Schema         string               `json:"schema"`
	Robot          string               `json:"robot"`
	States         string               `json:"states"`
	Output         string               `json:"output"`     // file that was written
	Rows           int                  `json:"rows"`       // number of states
	Incomplete     int                  `json:"incomplete"` // number of states with a value that is not a number; their quantities are not numbers either
	Joints         []string             `json:"joints"`
	Terms          []regressor.Term     `json:"terms"`
	Parameters     []EvaluatedParameter `json:"parameters"`                // parameters of the regressor's columns
	BaseParameters []EvaluatedParameter `json:"base_parameters,omitempty"` // parameters of the base regressor's columns
	Channels       []EvaluatedChannel   `json:"channels"`                  // channels of the file, in its order
}

// EvaluatedParameter is a column of a regressor.
type EvaluatedParameter struct {
	Name  string   `json:"name"`
	Unit  string   `json:"unit"`
	Value *float64 `json:"value,omitempty"` // value in the robot file or the identified one; absent for standard parameters of a result
}

// EvaluatedChannel is a channel of the file.
type EvaluatedChannel struct {
	Name      string   `json:"name"`
	Unit      string   `json:"unit,omitempty"`
	Quantity  Quantity `json:"quantity,omitempty"` // quantity of the channel; absent for the clock
	Joint     int      `json:"joint"`              // index of the joint, from 0; -1 if the channel belongs to none
	Parameter int      `json:"parameter"`          // column of the regressor, from 0; -1 if the channel is no column
}

// Evaluate evaluates quantities at the states of a log, and writes them to the file at path, whose extension says the format.
// A clock of the states is copied. A missing channel is an error that names it.
func (e *Evaluator) Evaluate(ctx context.Context, s *project.Settings, l *datasets.Log, quantities []Quantity, path string) (*EvaluationDocument, error) {
	parts, err := e.parts(ctx, quantities, false)
	if err != nil {
		return nil, err
	}
	in, err := e.open(s, l, quantities)
	if err != nil {
		return nil, err
	}
	doc := e.document(l, path)
	if in.clock != "" {
		doc.Channels = append(doc.Channels, EvaluatedChannel{Name: "t", Unit: "s", Joint: -1, Parameter: -1})
	}
	for _, p := range parts {
		doc.Channels = append(doc.Channels, p.channels()...)
	}
	if slices.Contains(quantities, EvaluateBaseRegressor) {
		doc.BaseParameters = e.baseParameters()
	}
	channels := make([]datasets.Channel, len(doc.Channels))
	for i, c := range doc.Channels {
		channels[i] = datasets.Channel{Name: c.Name, Unit: c.Unit}
	}
	meta := map[string]string{"ident.evaluate": "robot " + e.Robot.Name}
	return doc, datasets.Write(path, channels, meta, func(w *datasets.Writer) error {
		return in.scan(ctx, l, func(first int, batch *stateBatch, t []float64) error {
			var cols [][]float64
			if t != nil {
				cols = append(cols, t)
			}
			for _, p := range parts {
				more, err := p.eval(batch)
				if err != nil {
					return rowError(l, first, err)
				}
				cols = append(cols, more...)
			}
			doc.Rows += batch.rows
			doc.Incomplete += incompleteStates(batch)
			return w.Append(cols)
		})
	})
}

// rowError names the row of a state that cannot be evaluated.
func rowError(l *datasets.Log, first int, err error) error {
	var at *regressor.SampleError
	if errors.As(err, &at) {
		return fmt.Errorf("%s, row %d: %w", l.Name(), first+at.Sample+1, at.Err)
	}
	return fmt.Errorf("%s, rows from %d: %w", l.Name(), first+1, err)
}

// incompleteStates counts the states with a value that is no number.
func incompleteStates(in *stateBatch) int {
	n := 0
	for k := range in.rows {
		bad := false
		for _, group := range [][][]float64{in.Q, in.DQ, in.DDQ, in.measured} {
			for _, x := range group {
				bad = bad || math.IsNaN(x[k])
			}
		}
		if bad {
			n++
		}
	}
	return n
}

func (e *Evaluator) document(l *datasets.Log, path string) *EvaluationDocument {
	doc := &EvaluationDocument{Schema: EvaluationSchema, Robot: e.Robot.Name, States: l.Name(), Output: path, Joints: e.jointNames(), Terms: e.Terms, Parameters: []EvaluatedParameter{}}
	for i, c := range e.full.Columns() {
		p := EvaluatedParameter{Name: c.Name, Unit: c.Unit}
		if e.chi != nil {
			p.Value = &e.chi[i]
		}
		doc.Parameters = append(doc.Parameters, p)
	}
	return doc
}

func (e *Evaluator) baseParameters() []EvaluatedParameter {
	values := e.base
	if values == nil && len(e.withoutInertial()) == 0 {
		values = e.set.FromStandard(e.chi)
	}
	var list []EvaluatedParameter
	for k, c := range e.set.Base {
		p := EvaluatedParameter{Name: e.set.Name(k), Unit: e.full.Columns()[c].Unit}
		if values != nil {
			p.Value = &values[k]
		}
		list = append(list, p)
	}
	return list
}

// stateSource is the channels of the states, each group in the order of the joints.
type stateSource struct {
	clock            string // "" for none
	q, dq, ddq, tau  []string
	zeroAcceleration bool // no quantity needs accelerations
}

// open finds the channels that the quantities need.
func (e *Evaluator) open(s *project.Settings, l *datasets.Log, quantities []Quantity) (*stateSource, error) {
	joints := e.jointNames()
	override := datasets.PresetChannels(s.Preset, s.Map, l)
	roles, _, err := datasets.MapChannels(l, joints, override)
	timeless := errors.Is(err, datasets.ErrNoClock)
	if timeless {
		roles, _, err = datasets.MapChannels(l.WithConstant(datasets.Channel{Name: "t", Unit: "s"}, 0), joints, override)
	}
	if err != nil {
		return nil, err
	}
	in := &stateSource{clock: roles.T, q: roles.Q, dq: roles.DQ, ddq: roles.DDQ}
	if timeless {
		in.clock = ""
	}
	if len(quantities) == 1 && quantities[0] == EvaluateEnergy {
		in.ddq, in.zeroAcceleration = nil, true
	}
	if slices.Contains(quantities, EvaluateResidual) {
		in.tau = roles.Tau
	}
	return in, in.complete(l, joints)
}

// complete names the channels that are missing.
func (in *stateSource) complete(l *datasets.Log, joints []string) error {
	for _, g := range []struct {
		what, short string
		names       []string
	}{{"position", "q", in.q}, {"velocity", "dq", in.dq}, {"acceleration", "ddq", in.ddq}, {"torque", "tau", in.tau}} {
		var missing []string
		for i, name := range g.names {
			if name == "" {
				missing = append(missing, fmt.Sprintf("%s%d (joint %s)", g.short, i+1, joints[i]))
			}
		}
		if len(missing) > 0 {
			return hint.Errorf("map", "", "%s has no %s: %s; add the channels (zeros for a robot at rest), or name them with {map} %s1=CHANNEL. Its channels are %s",
				l.Name(), g.what, strings.Join(missing, ", "), g.short, strings.Join(l.Names(), ", "))
		}
	}
	return nil
}

// scan calls fn with the states, batch after batch.
func (in *stateSource) scan(ctx context.Context, l *datasets.Log, fn func(first int, batch *stateBatch, t []float64) error) error {
	groups := [][]string{in.q, in.dq, in.ddq, in.tau}
	if in.clock != "" {
		groups = append(groups, []string{in.clock})
	}
	var zeros [][]float64
	return l.Scan(slices.Concat(groups...), datasets.DefaultBatch, func(first int, cols [][]float64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch := &stateBatch{rows: len(cols[0])}
		take := func(names []string) [][]float64 {
			part := cols[:len(names)]
			cols = cols[len(names):]
			return part
		}
		batch.Q, batch.DQ, batch.DDQ, batch.measured = take(in.q), take(in.dq), take(in.ddq), take(in.tau)
		if in.zeroAcceleration {
			zeros = sizedColumns(zeros, len(in.q), batch.rows)
			batch.DDQ = zeros
		}
		var t []float64
		if len(cols) > 0 {
			t = cols[0]
		}
		return fn(first, batch, t)
	})
}
