package trialfit

import (
	"math"
	"slices"

	"ident/doctor/internal/projection"
	"ident/internal/triangle"
	"ident/regressor"
)

// Change is a change of the signals: joint j gets Sign[j]·(motion of joint From[j]) + Shift[j], and Turn[j] times the
// torque of joint Effort[j].
type Change struct {
	From, Effort []int
	Sign, Turn   []float64
	Shift        []float64
	Clock        float64 // factor on velocities; its square is the factor on accelerations
}

// NoChange returns the change of n joints that leaves all signals as they are.
func NoChange(joints int) Change {
	c := Change{From: make([]int, joints), Effort: make([]int, joints), Sign: make([]float64, joints), Turn: make([]float64, joints), Shift: make([]float64, joints), Clock: 1}
	for j := range joints {
		c.From[j], c.Effort[j], c.Sign[j], c.Turn[j] = j, j, 1, 1
	}
	return c
}

// moves reports whether two changes give different motions.
func (c *Change) moves(other *Change) bool {
	return c.Clock == other.Clock && slices.Equal(c.From, other.From) && slices.Equal(c.Sign, other.Sign) && slices.Equal(c.Shift, other.Shift)
}

// judgedRows is the number of rows per joint from which a change is judged.
const judgedRows = 160

// JointEquations are the equations of all joints at a few of the rows, with the residuals of a fit with common parameters.
type JointEquations = projection.Equations

// Rearranged are the equations of a fit under changes of its signals, one change after the other, in few of its rows. Two changes
// that leave the same motion, such as another order of the torques alone, share its regressor and the factors of it.
type Rearranged struct {
	fit    *Stacked
	every  int
	logged [4][][]float64 // position, velocity, acceleration and sign of the velocity, of the log, per joint
	none   Change
	own    Moved // of the log's motion
	other  Moved // of another one
	side   []int // of every joint, the place of its torque in torques; -1 without a fit

	work     triangle.Work
	torques  [][]float64 // at the rows
	scales   []float64   // one over the norm that they would have in all rows
	lost     [][]bool
	anyLost  []bool
	torqueOf int // the fit's torques, by the number of its changes
}

// Moved is the motion after a change, at the rows: a column for each joint.
type Moved struct {
	Q, DQ, DDQ, Sign [][]float64
	change           Change
	equations        *RearrangedModel // of the base parameters
	evaluated        bool             // with this motion
	Torques          [][]float64      // memory for the caller, who sets Predicted if the torques belong to this motion
	Predicted        bool
}

// NewRearranged returns the equations of a fit whose signals may then be changed: exchanged, reversed in sign, scaled or shifted.
// The signals are those of fit.Equations, thinned to at most judgedRows rows.
func NewRearranged(fit *Stacked) *Rearranged {
	tr := fit.Equations
	joints := tr.Model.Joints()
	r := &Rearranged{fit: fit, every: max(1, len(tr.T)/judgedRows), none: NoChange(joints), torqueOf: -1}
	for i, set := range [][][]float64{tr.Q, tr.FDQ, tr.FDDQ, tr.FSign} {
		for _, x := range set {
			r.logged[i] = append(r.logged[i], r.thinned(x))
		}
	}
	r.side = slices.Repeat([]int{-1}, joints)
	for k, o := range fit.Joints {
		r.side[o.Index] = k
		r.lost, r.anyLost = append(r.lost, make([]bool, r.Rows())), append(r.anyLost, false)
		for i := range r.lost[k] {
			r.lost[k][i] = o.Lost[i*r.every]
			r.anyLost[k] = r.anyLost[k] || r.lost[k][i]
		}
	}
	for _, m := range []*Moved{&r.own, &r.other} {
		m.Q, m.DQ, m.DDQ, m.Sign = grid(joints, r.Rows()), grid(joints, r.Rows()), grid(joints, r.Rows()), grid(joints, r.Rows())
		m.Torques = grid(joints, r.Rows())
	}
	return r
}

// Rows returns the number of rows on which arrangements are judged.
func (r *Rearranged) Rows() int { return (len(r.fit.Equations.T) + r.every - 1) / r.every }

// thinned returns the entries of a column of the fit at the judged rows.
func (r *Rearranged) thinned(x []float64) []float64 {
	y := make([]float64, 0, r.Rows())
	for k := 0; k < len(x); k += r.every {
		y = append(y, x[k])
	}
	return y
}

// Motion returns the motion after a change. It is valid until a change with another motion.
func (r *Rearranged) Motion(c *Change) *Moved {
	m := &r.other
	if c.moves(&r.none) {
		m = &r.own
	}
	if m.change.Clock != 0 && m.change.moves(c) {
		return m
	}
	before := m.change
	m.change, m.evaluated, m.Predicted = *c, false, false
	for j := range m.Q {
		i, sign := c.From[j], c.Sign[j]
		if before.Clock == c.Clock && before.From[j] == i && before.Sign[j] == sign && before.Shift[j] == c.Shift[j] {
			continue // as it was
		}
		scale(m.Q[j], r.logged[0][i], sign, c.Shift[j])
		scale(m.DQ[j], r.logged[1][i], sign*c.Clock, 0)
		scale(m.DDQ[j], r.logged[2][i], sign*c.Clock*c.Clock, 0)
		scale(m.Sign[j], r.logged[3][i], sign, 0)
	}
	return m
}

// scale sets y to by·x + plus.
func scale(y, x []float64, by, plus float64) {
	for k, v := range x {
		y[k] = by*v + plus
	}
}

// Torque returns the torque of a joint of the log at the rows, and the rows that do not count, where it is zero; the
// caller must not change them. Both are nil where the joint has no fit.
func (r *Rearranged) Torque(joint int) (y []float64, lost []bool) {
	if r.torqueOf != r.fit.changes {
		r.torqueOf, r.torques, r.scales = r.fit.changes, nil, nil
		r.own.evaluated, r.other.evaluated = false, false
		for _, o := range r.fit.Joints {
			r.torques = append(r.torques, r.thinned(o.Y))
			r.scales = append(r.scales, 1/(projection.RMS(o.Y)*math.Sqrt(float64(r.Rows()))))
		}
	}
	if k := r.side[joint]; k >= 0 {
		return r.torques[k], r.lost[k]
	}
	return nil, nil
}

// RearrangedModel is a model with the memory for its equations under one change.
type RearrangedModel struct {
	model  *regressor.Model
	block  *regressor.Block
	work   *regressor.Workspace
	layout *projection.Layout
	kept   [][][]float64 // columns of each joint without its lost rows, where it has any
	held   [][]int       // of each joint, the torques that are right-hand sides of its columns; nil without a factor to share
	slip   []int         // of each joint, the place of the joint's Coulomb friction in its mask, -1 for none
}

// Of is memory for equations of a model.
func (r *Rearranged) Of(m *regressor.Model) *RearrangedModel {
	e := &RearrangedModel{model: m, block: m.NewBlock(r.Rows()), work: m.NewWorkspace()}
	var masks [][]int
	for j, link := range m.JointLinks() {
		masks = append(masks, m.Mask(j))
		slip := -1
		for i, c := range m.Mask(j) {
			if col := m.Columns()[c]; col.Term == regressor.Fs && col.Drive == 0 && col.Link == link {
				slip = i
			}
		}
		e.slip = append(e.slip, slip)
	}
	e.kept, e.held = make([][][]float64, len(masks)), make([][]int, len(masks))
	e.layout = projection.NewLayout(len(m.Columns()), masks, &r.work)
	return e
}

// Use has the memory serve a model that differs in gravity alone.
func (e *RearrangedModel) Use(m *regressor.Model) { e.model = m }

// Equations returns the equations of the base parameters after a change. They are valid until the next change.
func (r *Rearranged) Equations(c *Change) *JointEquations {
	m := r.Motion(c)
	if m.equations == nil {
		m.equations = r.Of(r.fit.Equations.Model)
	}
	r.Torque(0)
	fresh := !m.evaluated
	m.evaluated = true
	return r.equations(m.equations, m, c, fresh)
}

// EquationsOf returns the equations of another model after a change. They are valid until the next change.
func (r *Rearranged) EquationsOf(e *RearrangedModel, c *Change) *JointEquations {
	r.Torque(0)
	return r.equations(e, r.Motion(c), c, true)
}

// equations evaluates the equations of a model under a change, with a new motion or that of the change before.
// Velocity, acceleration and Coulomb friction are filtered before they are multiplied, not their products: the motion
// is well below the low-pass.
func (r *Rearranged) equations(e *RearrangedModel, m *Moved, c *Change, fresh bool) *JointEquations {
	if fresh {
		e.model.Eval(e.block, m.Q, m.DQ, m.DDQ, e.work)
		for j, at := range e.slip {
			e.held[j] = nil
			if at >= 0 {
				copy(e.block.Joint[j][at], m.Sign[j])
			}
		}
	}
	var joints []projection.Joint
	for j, effort := range c.Effort {
		own := r.side[effort]
		if own < 0 {
			continue
		}
		cols := e.block.Joint[j]
		if r.anyLost[own] {
			cols = e.without(j, cols, r.lost[own])
		}
		held := e.held[j]
		if same := slices.Index(held, own); same < 0 {
			e.held[j] = r.sides(j, c)
		}
		in := projection.Joint{Index: j, Cols: cols, Side: slices.Index(e.held[j], own), Turn: c.Turn[j], Scale: r.scales[own], Same: slices.Contains(held, own)}
		for _, k := range e.held[j] {
			in.Sides = append(in.Sides, r.torques[k])
		}
		if r.anyLost[own] {
			e.held[j] = nil // the columns are those of this torque alone
		}
		joints = append(joints, in)
	}
	return e.layout.Equations(joints)
}

// sides returns the indices of the torques that may be right-hand sides of joint j, together with the torque that
// change c gives it. If only this joint has its own motion, these are all torques; otherwise its own torque and that of
// the motion's joint. A torque with lost rows stands alone, because the columns would have to leave out the same rows.
func (r *Rearranged) sides(j int, c *Change) (out []int) {
	own := r.side[c.Effort[j]]
	for i, k := range r.side {
		may := i == c.From[j] || i == j
		if c.moves(&r.none) {
			may = len(r.side) <= ManyJoints || i-j <= 1 && j-i <= 1 // of more only neighbours are exchanged
		}
		if k >= 0 && (k == own || may && !r.anyLost[own] && !r.anyLost[k]) {
			out = append(out, k)
		}
	}
	return out
}

// without returns copies of the columns of joint j, with zeros in the rows that are lost for its torque.
func (e *RearrangedModel) without(j int, cols [][]float64, lost []bool) [][]float64 {
	if e.kept[j] == nil {
		e.kept[j] = grid(len(cols), len(lost))
	}
	for i, c := range cols {
		copy(e.kept[j][i], c)
		for k, l := range lost {
			if l {
				e.kept[j][i][k] = 0
			}
		}
	}
	return e.kept[j]
}
