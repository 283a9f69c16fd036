package observation

import (
	"slices"

	"ident/regressor"
)

// Known is the model of parameters with given values: their torques are moved from the measured side to the model's. The
// zero value has none.
type Known struct {
	Model  *regressor.Model
	Values []float64 // value of the parameter of each column of the model
}

// Needs returns the channels that the terms of both models need.
func Needs(model *regressor.Model, known Known) regressor.Need {
	n := model.Needs()
	if known.Model != nil {
		n |= known.Model.Needs()
	}
	return n
}

// torqueStage computes the unfiltered measurement vector, and the input of the regressor, from a chunk's columns and its
// filtered motion.
type torqueStage struct {
	model *regressor.Model
	needs regressor.Need
	known knownTorque

	torque, load     matrix
	attached, closed []float64 // of the payload, of contacts that are always closed
}

func newTorqueStage(model *regressor.Model, known Known) torqueStage {
	return torqueStage{model: model, needs: Needs(model, known), known: newKnownTorque(known)}
}

// apply returns the torque of each joint minus that of the known parameters, and the batch for the regressor: the motion
// and the other signals that terms need.
func (s *torqueStage) apply(c *Chunk, motion Motion, ws *regressor.Workspace) ([][]float64, regressor.Batch) {
	run, layout := c.Source.Run, &c.Source.Layout
	joints, n := len(motion.Q), len(motion.Q[0])
	measured := layout.torque.of(c.Columns)
	torque := s.torque.resize(joints, n)
	for k, v := range measured {
		run.Torque(torque[k], k, v, motion.DQ[k])
	}
	if layout.redundant.present() {
		s.model.Share(torque, layout.redundant.of(c.Columns), motion.Q, ws)
	}
	in := regressor.Batch{Q: motion.Q, DQ: motion.DQ, DDQ: motion.DDQ}
	if s.needs&regressor.NeedLoad != 0 {
		in.Load = s.load.resize(joints, n)
		for k := range torque {
			copy(in.Load[k], torque[k])
		}
	}
	if s.needs&regressor.NeedCurrent != 0 {
		in.Current = measured
		for k := range torque {
			clear(torque[k])
		}
	}
	if s.needs&regressor.NeedWrench != 0 {
		copy(in.Wrench[:], layout.wrench.of(c.Columns))
	}
	if s.needs&regressor.NeedContact != 0 {
		in.Contact = s.contact(layout.contact.of(c.Columns), n)
	}
	c.Supply(&in, s.needs)
	if s.needs&regressor.NeedPayload != 0 {
		s.attached = grown(s.attached, n)
		if layout.payload.present() {
			run.Payload.attached(s.attached, layout.payload.of(c.Columns)[0])
		} else {
			on := run.attached()
			for i := range s.attached {
				s.attached[i] = on
			}
		}
		in.PayloadAttached = s.attached
	}
	s.known.subtract(torque, in)
	return torque, in
}

// contact returns the factors of a contact's normal forces: the run's channels (a single one counts for both normals),
// or ones.
func (s *torqueStage) contact(columns [][]float64, n int) [2][]float64 {
	switch len(columns) {
	case 0:
		for len(s.closed) < n {
			s.closed = append(s.closed, 1)
		}
		return [2][]float64{s.closed[:n], s.closed[:n]}
	case 1:
		return [2][]float64{columns[0], columns[0]}
	}
	return [2][]float64{columns[0], columns[1]}
}

// knownTorque evaluates the torques of known parameters.
type knownTorque struct {
	Known
	block  *regressor.Block
	ws     *regressor.Workspace
	torque [][]float64
	moved  []float64 // the values without those of drive gains, whose columns are the measured side; nil where no gain is known
}

func newKnownTorque(known Known) knownTorque {
	s := knownTorque{Known: known}
	if known.Model == nil {
		return s
	}
	s.ws = known.Model.NewWorkspace()
	for c, col := range known.Model.Columns() {
		if col.Term != regressor.Gain {
			continue
		}
		if s.moved == nil {
			s.moved = slices.Clone(known.Values)
		}
		s.moved[c] = 0
	}
	return s
}

// subtract subtracts the torques of the known parameters from a measured torque. Afterwards the field torque holds what
// was moved from the measured side, gains aside: gain times current is measured.
func (s *knownTorque) subtract(torque [][]float64, in regressor.Batch) {
	if s.Model == nil {
		return
	}
	n := len(torque[0])
	if s.block == nil || len(s.torque[0]) < n {
		s.block = s.Model.NewBlock(n)
		s.torque = make([][]float64, len(torque))
		for k := range s.torque {
			s.torque[k] = make([]float64, n)
		}
	}
	s.block.Resize(n)
	s.Model.EvalBatch(s.block, in, s.ws)
	s.Model.Predict(s.torque, s.block, s.Values)
	for k := range torque {
		for i := range torque[k] {
			torque[k][i] -= s.torque[k][i]
		}
	}
	if s.moved != nil {
		s.Model.Predict(s.torque, s.block, s.moved)
	}
}
