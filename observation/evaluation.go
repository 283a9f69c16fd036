package observation

import "ident/regressor"

// evaluation evaluates the regressor of any model for a motion: unfiltered columns of torques, momenta or energies.
type evaluation struct {
	dynamic  *regressor.Block
	kind     Kind
	capacity int // samples of the blocks

	// d1 and d2: D1·χ is the momentum, whose rate minus D2·χ is the torque; h is that of the energy.
	d1, d2, h *regressor.Block
	stored    []bool    // by column: it stores energy
	power     []float64 // q̇ᵀτ
	scratch   []float64
}

// apply evaluates the model's blocks, with zeros for unactuated joints. It returns
// the block of the dynamic model, nil for another kind.
func (e *evaluation) apply(kind Kind, model *regressor.Model, in regressor.Batch, torque [][]float64, unactuated []bool, ws *regressor.Workspace) *regressor.Block {
	n := len(in.Q[0])
	e.grow(kind, model, n)
	switch {
	case kind == Dynamic:
		e.dynamic.Resize(n)
		model.EvalBatch(e.dynamic, in, ws)
		zeroUnactuated(e.dynamic, unactuated)
		return e.dynamic
	case kind.OfEnergy():
		e.h.Resize(n)
		model.EvalEnergy(e.h, in, ws)
		e.power = e.power[:n]
		clear(e.power)
		for k := range torque {
			for i, v := range torque[k] {
				e.power[i] += in.DQ[k][i] * v
			}
		}
	default:
		e.d1.Resize(n)
		e.d2.Resize(n)
		model.EvalMomentum(e.d1, e.d2, in, ws)
		zeroUnactuated(e.d1, unactuated)
		zeroUnactuated(e.d2, unactuated)
	}
	return nil
}

// grow makes room for n samples.
func (e *evaluation) grow(kind Kind, model *regressor.Model, n int) {
	if n <= e.capacity && kind == e.kind {
		return
	}
	e.kind, e.capacity = kind, n
	switch {
	case kind == Dynamic:
		e.dynamic = model.NewBlock(n)
		return
	case kind.OfEnergy():
		e.h = model.NewEnergyBlock(n)
	default:
		e.d1, e.d2 = model.NewBlock(n), model.NewBlock(n)
	}
	e.stored = model.Stored()
	e.power, e.scratch = make([]float64, n), make([]float64, n)
}

// zeroUnactuated clears the rows of joints without a measured torque.
func zeroUnactuated(b *regressor.Block, unactuated []bool) {
	for k, none := range unactuated {
		if !none {
			continue
		}
		for _, col := range b.Joint[k] {
			clear(col)
		}
	}
}

// equation appends the columns of equation k, for a model other than the dynamic one, after the operators of f; last
// comes the measurement vector.
func (e *evaluation) equation(columns [][]float64, f *RowFilter, k int, torque func(k int) []float64) [][]float64 {
	var y []float64
	if f.kind.OfEnergy() {
		y = e.power
		for i, x := range e.h.Joint[0] {
			if e.stored[i] {
				f.change(x, e.scratch)
			} else {
				f.level(x)
			}
			columns = append(columns, x)
		}
	} else {
		y = torque(k)
		for i, x := range e.d2.Joint[k] {
			momentum := e.d1.Joint[k][i]
			f.level(x)
			f.change(momentum, e.scratch)
			for l := range x {
				x[l] += momentum[l]
			}
			columns = append(columns, x)
		}
	}
	f.level(y)
	return append(columns, y)
}

// measured returns the measured side of equation k after the operators of f, with the known torque that the measurement
// vector lacks.
func (e *evaluation) measured(f *RowFilter, k int, v *Observation) []float64 {
	y := v.measuredSide(k)
	if f.kind.OfEnergy() {
		clear(y)
		for j := range v.Torque {
			for i, dq := range v.Motion.DQ[j] {
				y[i] += dq * (v.Torque[j][i] + v.Known[j][i])
			}
		}
	}
	f.level(y)
	return y
}
