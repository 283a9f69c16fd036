package elastic

import (
	"context"
	"fmt"

	"ident/baseparams"
	"ident/regressor"
)

// Base returns the minimal set of parameters of a machine's model, by QR of the regressor at random
// states of links and motors. Columns carry the machine's names.
func (m *Machine) Base(ctx context.Context, t Terms) (*regressor.Model, *baseparams.Set, error) {
	model, err := m.Model(t)
	if err != nil {
		return nil, nil, err
	}
	set, err := baseparams.QRContext(ctx, model, baseparams.Options{})
	if err != nil {
		return nil, nil, fmt.Errorf("elastic: %w", err)
	}
	return model, m.rename(set), nil
}

// BaseNullSpace returns the same set as Base, but from the structure of the robot. A spring's row of the motor holds K·δ, D·δ̇ … as
// linearly independent functions of the deflection, which no inertia nor friction of the motor is;
// its parameters are therefore determined whatever the links are, and leave the relations of
// the others as they are without them.
func (m *Machine) BaseNullSpace(t Terms) (*baseparams.Set, error) {
	rigid := m.Extended.Clone()
	rigid.Drives = nil
	var terms []regressor.Term
	for _, term := range t.list() {
		if term != regressor.Elastic && term != regressor.Cubic && term != regressor.WindUp {
			terms = append(terms, term)
		}
	}
	set, err := baseparams.NullSpace(rigid, terms, baseparams.Options{})
	if err != nil {
		return nil, fmt.Errorf("elastic: %w", err)
	}
	model, err := m.Model(t)
	if err != nil {
		return nil, err
	}
	out := &baseparams.Set{Method: set.Method, Columns: model.Columns(), Gap: set.Gap, Warnings: set.Warnings}
	at := make([]int, 0, len(set.Columns)) // of the rigid set's columns in the model
	for i, c := range model.Columns() {
		if c.Drive == 0 {
			at = append(at, i)
		}
	}
	kept := map[int]int{}
	for k, c := range set.Base {
		kept[at[c]] = k
	}
	for _, c := range set.Zero {
		out.Zero = append(out.Zero, at[c])
	}
	for _, c := range set.Dependent {
		out.Dependent = append(out.Dependent, at[c])
	}
	for i, c := range out.Columns {
		k, ok := kept[i]
		switch {
		case ok:
			out.Beta = append(out.Beta, set.Beta[k])
		case c.Drive > 0:
			out.Beta = append(out.Beta, make([]float64, len(set.Dependent)))
		default:
			continue
		}
		out.Base = append(out.Base, i)
	}
	return m.rename(out), nil
}

// rename gives a set's columns the machine's names.
func (m *Machine) rename(set *baseparams.Set) *baseparams.Set {
	columns := make([]regressor.Column, len(set.Columns))
	for i, c := range set.Columns {
		columns[i] = c
		columns[i].Name = m.Name(c)
	}
	set.Columns = columns
	return set
}
