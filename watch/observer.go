package watch

import (
	"errors"
	"fmt"
	"math"

	"ident/internal/triangle"
	"ident/regressor"
	"ident/robot"
)

// Model is the model of a quiet robot.
type Model struct {
	Robot   *robot.Robot
	Torques *regressor.Model // columns of the parameters
	Values  []float64        // values of these parameters
	// Covariance of the values; rows of known values are zero. nil takes all values as exact.
	Covariance [][]float64
	// GainSigma are the relative deviations of the factors that make currents torques, by joint: a wrong factor leaves no trace in the torques of the bare
	// robot, whose parameters were identified with it, and scales what a load weighs. nil takes them as exact.
	GainSigma []float64
}

// Linear says which joints of the model are prismatic.
func (m *Model) Linear() []bool {
	var list []bool
	for _, l := range m.Torques.JointLinks() {
		list = append(list, m.Robot.Links[l].Joint.Kind == robot.Prismatic)
	}
	return list
}

// batchRows is how many rows the model is evaluated at a time, at most.
const batchRows = 64

// covarianceRows is how often the model's part of the variance is evaluated, in rows: it changes with the pose.
const covarianceRows = 16

// observer is the momentum observer of one robot. One goroutine uses it at a time; its rows allocate nothing.
type observer struct {
	m      Model
	rows   *regressor.Model // compiled
	ws     *regressor.Workspace
	d1, d2 *regressor.Block
	part   regressor.Batch
	joints int
	k      float64       // bandwidth, rad/s
	values [][]float64   // by joint: values of the columns of its mask
	root   [][][]float64 // by joint: the part of the covariance's root that its columns have, row by row

	jump     jumps
	restRate []float64 // by joint: at rest below
	jolt     jolts
	pose     poses
	// torqueStep is, by joint, the largest change of a measured torque from row to row that rows resolve: the mean between two rows is
	// known to half a larger one.
	torqueStep []float64
	// torqueBound is, by joint, the largest torque that counts: a larger one counts as the bound.
	torqueBound []float64

	// State of the filters.
	begun     bool
	t         float64
	rowsSince int
	w         [][]float64 // by joint and column of its mask
	f         []float64   // filtered measured torque
	bound     []float64   // filtered bound
	lastTau   []float64
	lastRest  []float64
	last1     [][]float64
	last2     [][]float64

	// Of the newest row.
	R, M []float64 // external torque, and the variance of the model's part
}

// newObserver prepares the observer of a model.
func newObserver(m Model, bandwidth float64) (*observer, error) {
	if m.Torques.Needs() != 0 {
		return nil, errors.New("the model has terms of more than the motion (a payload, a wrench, a load, a temperature, presliding or a contact): watch takes models of positions and velocities")
	}
	if n := len(m.Torques.Columns()); len(m.Values) != n || m.Covariance != nil && len(m.Covariance) != n {
		return nil, fmt.Errorf("the model has %d columns, but %d values with a covariance of %d rows", n, len(m.Values), len(m.Covariance))
	}
	n := m.Torques.Joints()
	o := &observer{m: m, rows: m.Torques.Compiled(), joints: n, k: bandwidth, R: make([]float64, n), M: make([]float64, n),
		f: make([]float64, n), bound: make([]float64, n), lastTau: make([]float64, n), lastRest: make([]float64, n), restRate: make([]float64, n), torqueStep: make([]float64, n), torqueBound: make([]float64, n)}
	for j := range n {
		o.torqueStep[j], o.torqueBound[j] = math.Inf(1), math.Inf(1)
	}
	o.ws, o.d1, o.d2 = o.rows.NewWorkspace(), o.rows.NewBlock(batchRows), o.rows.NewBlock(batchRows)
	o.part = regressor.Batch{Q: make([][]float64, n), DQ: make([][]float64, n), DDQ: make([][]float64, n)}
	for j := range n {
		c := len(o.rows.Mask(j))
		values := make([]float64, 0, c)
		for _, col := range o.rows.Mask(j) {
			values = append(values, m.Values[col])
		}
		o.values = append(o.values, values)
		o.w, o.last1, o.last2 = append(o.w, make([]float64, c)), append(o.last1, make([]float64, c)), append(o.last2, make([]float64, c))
	}
	if m.Covariance != nil {
		o.rootOf(m.Covariance)
	}
	o.jump.init(o)
	o.jolt.init(o)
	o.pose.init(o)
	return o, nil
}

// rootOf stores, for each joint, a root U of the covariance of its columns: w·Σ·wᵀ = ‖U·w‖².
func (o *observer) rootOf(cov [][]float64) {
	for j := range o.joints {
		l := lowerRoot(cov, o.rows.Mask(j))
		var root [][]float64
		for k := range l {
			row := make([]float64, len(l))
			for i := k; i < len(l); i++ {
				row[i] = l[i][k]
			}
			root = append(root, row)
		}
		o.root = append(o.root, root)
	}
}

// lowerRoot returns L of Σ = L·Lᵀ for the given rows and columns of a covariance. Where the covariance is only
// semidefinite, columns of L are zero.
func lowerRoot(cov [][]float64, at []int) [][]float64 {
	l := make([][]float64, len(at))
	for i := range at {
		l[i] = make([]float64, i+1)
		for k := range i + 1 {
			l[i][k] = cov[at[i]][at[k]]
		}
	}
	triangle.Lower(l, func(i int, square float64) float64 {
		if !(square > 1e-14*cov[at[i]][at[i]]) {
			return 0
		}
		return math.Sqrt(square)
	})
	return l
}

// reset forgets the rows before.
func (o *observer) reset() { o.begun = false }

// add takes rows in, one slice per joint, and calls row after each.
func (o *observer) add(t []float64, q, dq, tau [][]float64, row func(k int)) error {
	part := &o.part
	for at := 0; at < len(t); at += batchRows {
		end := min(at+batchRows, len(t))
		for j := range q {
			part.Q[j], part.DQ[j] = q[j][at:end], dq[j][at:end]
			part.DDQ[j] = part.DQ[j] // not used
		}
		o.d1.Resize(end - at)
		o.d2.Resize(end - at)
		o.rows.EvalMomentum(o.d1, o.d2, *part, o.ws)
		if err := o.ws.Err(); err != nil {
			return err
		}
		for k := at; k < end; k++ {
			o.step(t[k], k, k-at, q, dq, tau)
			row(k)
		}
	}
	return nil
}

// step filters row k of the channels, which is row b of the blocks.
func (o *observer) step(t float64, k, b int, q, dq, tau [][]float64) {
	dt := t - o.t
	o.t = t
	o.jump.at(o, k, q, dq)
	o.jolt.at(o, k, q, dq)
	o.pose.at(o, k, q)
	if !o.begun {
		// The filters begin in the steady state of the first row.
		o.begun, o.rowsSince = true, 0
		for j := range o.joints {
			for c := range o.w[j] {
				o.last1[j][c], o.last2[j][c] = o.d1.Joint[j][c][b], o.d2.Joint[j][c][b]
				o.w[j][c] = o.last2[j][c]
			}
			o.f[j] = o.torque(j, tau[j][k])
			o.lastTau[j] = o.f[j]
			o.bound[j], o.lastRest[j] = o.jump.rest[j], o.jump.rest[j]
			o.R[j] = -o.f[j]
			for c, v := range o.values[j] {
				o.R[j] += o.w[j][c] * v
			}
		}
	} else {
		h := o.k * dt / 2
		pole, gain, slope := (1-h)/(1+h), h/(1+h), o.k/(1+h)
		for j := range o.joints {
			w, values := o.w[j], o.values[j]
			n := len(w)
			last1, last2, d1, d2 := o.last1[j][:n], o.last2[j][:n], o.d1.Joint[j][:n], o.d2.Joint[j][:n]
			turn := 0.0
			if o.jolt.quick {
				// What a velocity that rows do not resolve changes beside its momentum.
				for c, v := range values {
					turn += (d2[c][b] - last2[c]) * v
				}
			}
			measured := o.torque(j, tau[j][k])
			step := measured - o.lastTau[j]
			o.f[j] = pole*o.f[j] + gain*(measured+o.lastTau[j])
			o.lastTau[j] = measured
			r := -o.f[j]
			for c, v := range values[:n] {
				x1, x2 := d1[c][b], d2[c][b]
				y := pole*w[c] + gain*(x2+last2[c]) + slope*(x1-last1[c])
				w[c], last1[c], last2[c] = y, x1, x2
				r += y * v
			}
			o.R[j] = r
			o.bound[j] = pole*o.bound[j] + gain*(o.jump.rest[j]+o.lastRest[j]) + slope*o.jolt.momentum[j] + gain*(math.Abs(turn)+math.Abs(unresolved(step, o.torqueStep[j])))
			o.lastRest[j] = o.jump.rest[j]
		}
	}
	if o.root != nil && o.rowsSince%covarianceRows == 0 {
		for j := range o.joints {
			sum := 0.0
			for k, row := range o.root[j] {
				s := 0.0
				for c := k; c < len(row); c++ {
					s += row[c] * o.w[j][c]
				}
				sum += s * s
			}
			o.M[j] = sum
		}
	}
	o.rowsSince++
}

// torque returns the part of a joint's torque that is within its bound.
func (o *observer) torque(j int, tau float64) float64 {
	return max(-o.torqueBound[j], min(o.torqueBound[j], tau))
}

// state returns the first joint whose external torque or deviation is beyond factor times the bound of its torque, -1 for none, and whether it is
// a number.
func (o *observer) state(factor float64) (joint int, finite bool) {
	for j, r := range o.R {
		most := factor * o.torqueBound[j]
		if !(math.Abs(r) <= most && o.M[j] <= most*most) {
			return j, math.Abs(r) <= math.MaxFloat64 && o.M[j] <= math.MaxFloat64
		}
	}
	return -1, true
}

// jumps are the bounds of torques of joints at rest.
type jumps struct {
	ws     *regressor.Workspace
	d1, d2 *regressor.Block
	in     regressor.Batch
	value  []float64 // by joint: the jump of its torque at a reversal
	rest   []float64 // the jump where the joint is at rest, else 0
	age    int
}

// reversalRate is a velocity that is slow beside all motion, rad/s or m/s: the model's torque jumps between it and its negative.
const reversalRate = 1e-18

func (j *jumps) init(o *observer) {
	j.ws, j.d1, j.d2 = o.rows.NewWorkspace(), o.rows.NewBlock(2), o.rows.NewBlock(2)
	j.value, j.rest = make([]float64, o.joints), make([]float64, o.joints)
	for range o.joints {
		j.in.Q, j.in.DQ, j.in.DDQ = append(j.in.Q, make([]float64, 2)), append(j.in.DQ, []float64{reversalRate, -reversalRate}), append(j.in.DDQ, make([]float64, 2))
	}
}

// at says which joints are at rest at a row, and by how much their torque may then differ from the model's.
func (j *jumps) at(o *observer, k int, q, dq [][]float64) {
	resting := false
	for i := range o.joints {
		resting = resting || math.Abs(dq[i][k]) < o.restRate[i]
	}
	if !resting {
		clear(j.rest)
		j.age = 0
		return
	}
	if j.age%covarianceRows == 0 {
		for i := range o.joints {
			j.in.Q[i][0], j.in.Q[i][1] = q[i][k], q[i][k]
		}
		o.rows.EvalMomentum(j.d1, j.d2, j.in, j.ws)
		for i := range o.joints {
			sum := 0.0
			for c, col := range o.rows.Mask(i) {
				sum += (j.d2.Joint[i][c][0] - j.d2.Joint[i][c][1]) * o.m.Values[col]
			}
			j.value[i] = math.Abs(sum)
		}
	}
	j.age++
	for i := range o.joints {
		j.rest[i] = 0
		if math.Abs(dq[i][k]) < o.restRate[i] {
			j.rest[i] = j.value[i]
		}
	}
}

// unresolved returns a change where it is beyond a limit, else 0.
func unresolved(change, limit float64) float64 {
	if math.Abs(change) > limit {
		return change
	}
	return 0
}

// jolts are the momenta of changes that are too quick for the rows. A velocity that changes from row to row by much
// more than on the quiet logs had a torque between the rows, as where a controller stops all joints at once: the
// measured torques do not show it. Joints need not change at the same instant between two rows, so their momenta do not cancel.
type jolts struct {
	ws       *regressor.Workspace
	d1, d2   *regressor.Block
	in       regressor.Batch // a row for the change of each joint's velocity
	limit    []float64       // by joint: the largest second difference of velocities that counts as resolved; nil for none
	rows     int
	v, step  []float64 // of the row before
	quick    bool      // the velocity of the newest row changed by more than the limit; in.DQ holds the change
	momentum []float64 // by joint: of what is beyond the limit
}

func (j *jolts) init(o *observer) {
	n := o.joints
	j.ws, j.d1, j.d2 = o.rows.NewWorkspace(), o.rows.NewBlock(n), o.rows.NewBlock(n)
	j.v, j.step, j.momentum = make([]float64, n), make([]float64, n), make([]float64, n)
	for range n {
		j.in.Q, j.in.DQ, j.in.DDQ = append(j.in.Q, make([]float64, n)), append(j.in.DQ, make([]float64, n)), append(j.in.DDQ, make([]float64, n))
	}
}

// at computes the momenta at a row.
func (j *jolts) at(o *observer, k int, q, dq [][]float64) {
	clear(j.momentum)
	if !o.begun {
		j.rows = 0
	}
	j.quick = false
	for i := range o.joints {
		v := dq[i][k]
		step := v - j.v[i]
		j.in.DQ[i][i] = 0
		if j.rows >= 2 && j.limit != nil {
			j.in.DQ[i][i] = unresolved(step-j.step[i], j.limit[i])
			j.quick = j.quick || j.in.DQ[i][i] != 0
		}
		j.v[i], j.step[i] = v, step
	}
	j.rows++
	if !j.quick {
		return
	}
	for i := range j.in.Q {
		for c := range j.in.Q[i] {
			j.in.Q[i][c] = q[i][k]
		}
	}
	o.rows.EvalMomentum(j.d1, j.d2, j.in, j.ws)
	for i := range o.joints {
		for row := range o.joints {
			sum := 0.0
			for c, v := range o.values[i] {
				sum += j.d1.Joint[i][c][row] * v
			}
			j.momentum[i] += math.Abs(sum)
		}
	}
}
