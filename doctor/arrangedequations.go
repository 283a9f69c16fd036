package doctor

import (
	"math"

	"ident/baseparams"
	"ident/doctor/trialfit"
	"ident/internal/projection"
	"ident/regressor"
)

// searchRows is the number of rows of each joint by which an arrangement is judged.
const searchRows = 160

// arrangedMotion is the motion of every joint under an arrangement, at every so many rows.
type arrangedMotion struct {
	every            int
	q, dq, ddq, sign [][]float64
}

// searchMemory is shared by the arrangements of one search: the motion of the log at the rows that are judged, and
// memory for one arrangement at a time.
type searchMemory struct {
	logged, moved arrangedMotion
	evaluation    *evaluation
	tilted        *evaluation // of all parameters under another gravity
	file          *fileTorques
}

// motion is that of an arrangement, until the next one.
func (s *arrangementSearch) motion(a arrangement) *arrangedMotion {
	l, m := &s.memory.logged, &s.memory.moved
	if l.every == 0 {
		tr := s.fit.Equations
		l.every = max(1, len(tr.T)/searchRows)
		for j := range s.joints {
			l.q, l.dq = append(l.q, l.take(tr.Q[j])), append(l.dq, l.take(tr.FDQ[j]))
			l.ddq, l.sign = append(l.ddq, l.take(tr.FDDQ[j])), append(l.sign, l.take(tr.FSign[j]))
		}
		m.every = l.every
		for _, set := range []*[][]float64{&m.q, &m.dq, &m.ddq, &m.sign} {
			for range s.joints {
				*set = append(*set, make([]float64, len(l.q[0])))
			}
		}
	}
	for j := range s.joints {
		i, sign := a.from[j], a.sign[j]
		scale(m.q[j], l.q[i], sign, a.shift[j])
		scale(m.dq[j], l.dq[i], sign*a.clock, 0)
		scale(m.ddq[j], l.ddq[i], sign*a.clock*a.clock, 0)
		scale(m.sign[j], l.sign[i], sign, 0)
	}
	return m
}

// scale sets y to by·x + plus.
func scale(y, x []float64, by, plus float64) {
	for k, v := range x {
		y[k] = by*v + plus
	}
}

// take is x at the rows of the motion.
func (m *arrangedMotion) take(x []float64) []float64 {
	y := make([]float64, 0, len(x)/m.every+1)
	for k := 0; k < len(x); k += m.every {
		y = append(y, x[k])
	}
	return y
}

// fitOf is the own fit of a joint, nil where it has none.
func (s *arrangementSearch) fitOf(joint int) *trialfit.Joint {
	for _, o := range s.fit.Joints {
		if o.Index == joint {
			return o
		}
	}
	return nil
}

// evaluation is a model with the memory for its equations under one arrangement.
type evaluation struct {
	model  *regressor.Model
	block  *regressor.Block
	work   *regressor.Workspace
	layout *projection.Layout
	y      [][]float64   // torque of each joint
	kept   [][][]float64 // columns of each joint without its lost rows, where it has any
	slip   []int         // of each joint, the place of the joint's Coulomb friction in its mask, -1 for none
}

func (s *arrangementSearch) newEvaluation(m *regressor.Model) *evaluation {
	rows := len(s.memory.logged.q[0])
	e := &evaluation{model: m, block: m.NewBlock(rows), work: m.NewWorkspace()}
	var masks [][]int
	for j := range s.joints {
		masks = append(masks, m.Mask(j))
		slip := -1
		for i, c := range m.Mask(j) {
			if col := m.Columns()[c]; col.Term == regressor.Fs && col.Drive == 0 && s.joints[j].link == col.Link {
				slip = i
			}
		}
		e.slip, e.y = append(e.slip, slip), append(e.y, make([]float64, rows))
	}
	e.kept = make([][][]float64, len(masks))
	e.layout = projection.NewLayout(len(m.Columns()), masks)
	return e
}

// arranged are the equations of the base parameters under an arrangement, until the next one.
func (s *arrangementSearch) arranged(a arrangement) *projection.Equations {
	m := s.motion(a)
	if a.gravity != nil {
		full := s.models.WithGravity(*a.gravity)
		return s.equations(s.newEvaluation(full.Select(baseparams.QR(full, baseparams.Options{Seed: s.opt.Seed}).Base)), m, a)
	}
	if s.memory.evaluation == nil {
		s.memory.evaluation = s.newEvaluation(s.fit.Equations.Model)
	}
	return s.equations(s.memory.evaluation, m, a)
}

// screened are the equations under an arrangement whose weighted residual is not known to exceed a limit. Under
// another gravity those of all parameters go first, which save the search for the base parameters: columns that
// depend on others do no harm to that bound.
func (s *arrangementSearch) screened(a arrangement, limit float64, weights []float64) (*projection.Equations, bool) {
	if a.gravity != nil {
		model, m := s.models.WithGravity(*a.gravity), s.motion(a)
		if e := s.memory.tilted; e == nil {
			s.memory.tilted = s.newEvaluation(model)
		} else {
			e.model, e.work = model, model.NewWorkspace() // gravity changes no mask
		}
		if s.equations(s.memory.tilted, m, a).Exceed(limit, weights) {
			return nil, false
		}
	}
	eq := s.arranged(a)
	return eq, !eq.Exceed(limit, weights)
}

// equations evaluates the equations of a model under an arrangement. Velocity, acceleration and Coulomb friction are
// filtered, their products are not: the motion is well below the low-pass.
func (s *arrangementSearch) equations(e *evaluation, m *arrangedMotion, a arrangement) *projection.Equations {
	rows := len(m.q[0])
	e.model.Eval(e.block, m.q, m.dq, m.ddq, e.work)
	var joints []projection.Joint
	for j := range s.joints {
		o := s.fitOf(a.effort[j])
		if o == nil {
			continue
		}
		lost := false
		for k := range rows {
			e.y[j][k] = a.turn[j] * o.Y[k*m.every]
			lost = lost || o.Lost[k*m.every]
		}
		cols := e.block.Joint[j]
		if e.slip[j] >= 0 {
			copy(cols[e.slip[j]], m.sign[j])
		}
		if lost {
			cols = e.without(j, cols, o.Lost, m.every)
		}
		joints = append(joints, projection.Joint{Index: j, Cols: cols, Y: e.y[j], Scale: 1 / (projection.RMS(o.Y) * math.Sqrt(float64(rows)))})
	}
	return e.layout.Equations(joints)
}

// without are copies of the columns of joint j with zeros in the rows that its torque does not count.
func (e *evaluation) without(j int, cols [][]float64, lost []bool, every int) [][]float64 {
	if e.kept[j] == nil {
		for _, c := range cols {
			e.kept[j] = append(e.kept[j], make([]float64, len(c)))
		}
	}
	for i, c := range cols {
		copy(e.kept[j][i], c)
		for k := range c {
			if lost[k*every] {
				e.kept[j][i][k] = 0
			}
		}
	}
	return e.kept[j]
}
