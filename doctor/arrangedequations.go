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

func (s *arrangementSearch) arrangedMotion(a arrangement) arrangedMotion {
	tr := s.fit.Equations
	m := arrangedMotion{every: max(1, len(tr.T)/searchRows)}
	for j := range s.joints {
		i, sign := a.from[j], a.sign[j]
		m.q = append(m.q, m.take(tr.Q[i], sign, a.shift[j]))
		m.dq = append(m.dq, m.take(tr.FDQ[i], sign*a.clock, 0))
		m.ddq = append(m.ddq, m.take(tr.FDDQ[i], sign*a.clock*a.clock, 0))
		m.sign = append(m.sign, m.take(tr.FSign[i], sign, 0))
	}
	return m
}

// take is by·x + plus at the rows of the motion.
func (m *arrangedMotion) take(x []float64, by, plus float64) []float64 {
	y := make([]float64, 0, len(x)/m.every+1)
	for k := 0; k < len(x); k += m.every {
		y = append(y, by*x[k]+plus)
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

// arranged evaluates the equations under an arrangement. Velocity, acceleration and Coulomb friction are
// filtered, their products are not: the motion is well below the low-pass.
func (s *arrangementSearch) arranged(a arrangement) *projection.Equations {
	tr := s.fit.Equations
	m := s.arrangedMotion(a)
	rows := len(m.q[0])
	model := tr.Model
	if a.gravity != nil {
		full := s.withGravity(*a.gravity)
		model = full.Select(baseparams.QR(full, baseparams.Options{Seed: s.opt.Seed}).Base)
	}
	block := model.NewBlock(rows)
	model.Eval(block, m.q, m.dq, m.ddq, model.NewWorkspace())
	eq := &projection.Equations{Columns: len(model.Columns())}
	for j := range s.joints {
		o := s.fitOf(a.effort[j])
		if o == nil {
			continue
		}
		// Rows are scaled apart from the sign, which is the torque's alone.
		scale := a.turn[j] / (projection.RMS(o.Y) * math.Sqrt(float64(rows)))
		e := projection.Joint{Mask: model.Mask(j), Y: m.take(o.Y, scale, 0)}
		scale = 1 / (projection.RMS(o.Y) * math.Sqrt(float64(rows)))
		for i, c := range e.Mask {
			src := block.Joint[j][i]
			if col := model.Columns()[c]; col.Term == regressor.Fs && col.Drive == 0 && s.joints[j].link == col.Link {
				src = m.sign[j]
			}
			v := make([]float64, rows)
			for k, x := range src {
				if !o.Lost[k*m.every] {
					v[k] = scale * x
				}
			}
			e.Cols = append(e.Cols, v)
		}
		eq.Joints = append(eq.Joints, e)
	}
	return eq
}
