package identify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ident/regressor"
	"ident/robot"
)

// Quantity is what is evaluated: see [Evaluator].
type Quantity string

// The quantities that an [Evaluator] evaluates.
const (
	EvaluateInverseDynamics Quantity = "inverse-dynamics"
	EvaluateRegressor       Quantity = "regressor"
	EvaluateBaseRegressor   Quantity = "base-regressor"
	EvaluateEnergy          Quantity = "energy"
	EvaluateResidual        Quantity = "residual"
)

// Quantities lists all quantities.
func Quantities() []Quantity {
	return []Quantity{EvaluateInverseDynamics, EvaluateRegressor, EvaluateBaseRegressor, EvaluateEnergy, EvaluateResidual}
}

// ParseQuantities reads a list of quantities.
func ParseQuantities(names []string) ([]Quantity, error) {
	var out []Quantity
	for _, name := range names {
		q := Quantity(name)
		if !slices.Contains(Quantities(), q) {
			var known []string
			for _, k := range Quantities() {
				known = append(known, string(k))
			}
			return nil, fmt.Errorf("%q is no quantity; they are %s", name, strings.Join(known, ", "))
		}
		if !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	return out, nil
}

// stateBatch is a batch of states.
type stateBatch struct {
	regressor.Batch
	measured [][]float64 // torques, nil where no quantity needs them
	rows     int
}

// evaluatedPart evaluates the channels of one quantity.
type evaluatedPart interface {
	channels() []EvaluatedChannel
	// eval returns the values of the channels, in the part's own memory, valid until the next call.
	eval(in *stateBatch) ([][]float64, error)
}

// parts prepares the quantities of batches of states. For few states at a time few should be true: a compiled regressor takes as long for one
// state as for 32, twice the time of the recursion for one.
func (e *Evaluator) parts(ctx context.Context, quantities []Quantity, few bool) ([]evaluatedPart, error) {
	model := (*regressor.Model).Compiled
	if few {
		model = func(m *regressor.Model) *regressor.Model { return m }
	}
	var list []evaluatedPart
	var shared *torquePart // torques and residuals have one evaluation
	for _, q := range quantities {
		switch q {
		case EvaluateInverseDynamics, EvaluateResidual:
			if shared == nil {
				m, values, err := e.Torques()
				if err != nil {
					return nil, err
				}
				shared = &torquePart{joints: e.drives(), torques: regressor.NewTorques(model(m)), values: values}
			}
			if q == EvaluateResidual {
				list = append(list, &residualPart{of: shared})
				continue
			}
			list = append(list, shared)
		case EvaluateRegressor:
			list = append(list, e.regressorPart(q, "Y", model(e.full), e.full.Names()))
		case EvaluateBaseRegressor:
			if err := e.findBase(ctx); err != nil {
				return nil, err
			}
			list = append(list, e.regressorPart(q, "Yb", model(e.full.Select(e.set.Base)), e.baseNames()))
		case EvaluateEnergy:
			m, values, err := e.Torques()
			if err != nil {
				return nil, err
			}
			list = append(list, &energyPart{model: m, ws: m.NewWorkspace(), values: values})
		}
	}
	return list, nil
}

// evaluatedDrive is the joint of a row.
type evaluatedDrive struct{ name, unit string }

// drives returns the joints of the rows.
func (e *Evaluator) drives() []evaluatedDrive {
	names := e.jointNames()
	var list []evaluatedDrive
	for i, l := range e.full.JointLinks() {
		d := evaluatedDrive{names[i], "N.m"}
		if e.Robot.Links[l].Joint.Kind == robot.Prismatic {
			d.unit = "N"
		}
		list = append(list, d)
	}
	return list
}

func (e *Evaluator) baseNames() []string {
	var names []string
	for k := range e.set.Base {
		names = append(names, e.set.Name(k))
	}
	return names
}

// sizedColumns returns memory for n columns of rows numbers, out of what there is.
func sizedColumns(cols [][]float64, n, rows int) [][]float64 {
	for len(cols) < n {
		cols = append(cols, nil)
	}
	for i := range cols {
		cols[i] = slices.Grow(cols[i][:0], rows)[:rows]
	}
	return cols[:n]
}

// torquePart is the torques of the motion.
type torquePart struct {
	joints  []evaluatedDrive
	torques *regressor.Torques
	values  []float64
	tau     [][]float64
}

func (p *torquePart) channels() []EvaluatedChannel {
	var list []EvaluatedChannel
	for i, j := range p.joints {
		list = append(list, EvaluatedChannel{Name: "tau_" + j.name, Unit: j.unit, Quantity: EvaluateInverseDynamics, Joint: i, Parameter: -1})
	}
	return list
}

func (p *torquePart) eval(in *stateBatch) ([][]float64, error) {
	p.tau = sizedColumns(p.tau, len(p.joints), in.rows)
	return p.tau, p.torques.Eval(p.tau, in.Batch, p.values)
}

// residualPart is the measured torques less those of the motion.
type residualPart struct {
	of  *torquePart
	out [][]float64
}

func (p *residualPart) channels() []EvaluatedChannel {
	list := p.of.channels()
	for i, j := range p.of.joints {
		list[i].Name, list[i].Quantity = "residual_"+j.name, EvaluateResidual
	}
	return list
}

func (p *residualPart) eval(in *stateBatch) ([][]float64, error) {
	tau, err := p.of.eval(in)
	p.out = sizedColumns(p.out, len(tau), in.rows)
	for i, x := range tau {
		for k, v := range x {
			p.out[i][k] = in.measured[i][k] - v
		}
	}
	return p.out, err
}

// regressorPart is the entries of a regressor that can be other than zero.
type regressorPart struct {
	list  []EvaluatedChannel
	model *regressor.Model
	ws    *regressor.Workspace
	block *regressor.Block
	out   [][]float64
}

func (e *Evaluator) regressorPart(q Quantity, prefix string, m *regressor.Model, names []string) *regressorPart {
	p := &regressorPart{model: m, ws: m.NewWorkspace()}
	for i, j := range e.drives() {
		for _, c := range p.model.Mask(i) {
			p.list = append(p.list, EvaluatedChannel{Name: prefix + "_" + j.name + "_" + names[c], Quantity: q, Joint: i, Parameter: c})
		}
	}
	return p
}

func (p *regressorPart) channels() []EvaluatedChannel { return p.list }

func (p *regressorPart) eval(in *stateBatch) ([][]float64, error) {
	if p.block == nil {
		p.block = p.model.NewBlock(in.rows) // the first batch is the longest
	}
	if p.block.Rows != in.rows || p.out == nil {
		p.block.Resize(in.rows)
		p.out = p.out[:0]
		for _, columns := range p.block.Joint {
			p.out = append(p.out, columns...)
		}
	}
	p.model.EvalBatch(p.block, in.Batch, p.ws)
	return p.out, p.ws.Err()
}

// energyPart is the kinetic and potential energies and the power of friction.
type energyPart struct {
	model  *regressor.Model
	ws     *regressor.Workspace
	values []float64
	block  *regressor.Block
	rest   [][]float64 // velocities of zero
	out    [][]float64
}

func (p *energyPart) channels() []EvaluatedChannel {
	channel := func(name, unit string) EvaluatedChannel {
		return EvaluatedChannel{Name: name, Unit: unit, Quantity: EvaluateEnergy, Joint: -1, Parameter: -1}
	}
	return []EvaluatedChannel{channel("kinetic", "J"), channel("potential", "J"), channel("friction_power", "W")}
}

func (p *energyPart) eval(in *stateBatch) ([][]float64, error) {
	if p.block == nil {
		p.block = p.model.NewEnergyBlock(in.rows)
		for range in.DQ {
			p.rest = append(p.rest, make([]float64, in.rows))
		}
	}
	p.block.Resize(in.rows)
	p.out = sizedColumns(p.out, 3, in.rows)
	for i := range p.out {
		clear(p.out[i])
	}
	kinetic, potential, friction := p.out[0], p.out[1], p.out[2]
	stored := p.model.Stored()
	add := func(to []float64, c int, factor float64) {
		for k, v := range p.block.Joint[0][c][:in.rows] {
			to[k] += factor * p.values[c] * v
		}
	}
	p.model.EvalEnergy(p.block, in.Batch, p.ws)
	for c := range p.values {
		if stored[c] {
			add(kinetic, c, 1)
		} else {
			add(friction, c, 1)
		}
	}
	still := regressor.Batch{Q: in.Q}
	for _, x := range p.rest {
		still.DQ = append(still.DQ, x[:in.rows])
	}
	still.DDQ = still.DQ
	p.model.EvalEnergy(p.block, still, p.ws)
	for c := range p.values {
		if stored[c] {
			add(kinetic, c, -1)
			add(potential, c, 1)
		}
	}
	return p.out, p.ws.Err()
}
