package baseparams

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/regressor"
	"ident/robot"
)

// Standing says how a robot with a floating base stands on level ground during an experiment.
type Standing struct {
	Feet []regressor.Foot
	// Modes lists the ways of standing that occur, each with an entry per foot that says whether it sticks. A mode without
	// a foot is flight.
	Modes [][]bool
}

// QRStanding is QR for a robot that stands, sways or walks on its feet while its joint torques and the motion of its
// base are measured but the contact forces are not: the parameters that are identifiable from the combinations of the
// six rows of the base and the rows of the joints in which no contact force appears.
//
// The states are random motions under which the feet stick. Modes are stacked: a parameter that one mode shows is
// identifiable. The set must come from this function and not from the singular values of a log, because noise of the
// accelerations gives a log the full rank (estimates along those directions are biased by many standard deviations).
//
// The robot must begin with a joint of kind floating (regressor.FloatingBaseOf). A point mass at a point that never
// moves has no effect, so four feet that always stick hide one parameter each. Round feet show these by their rolling: by
// torques of m·g·ρ·φ for a mass m, a radius ρ and a turn φ, too little for a log. An estimate should then know the
// columns of Hiding beforehand, from a robot file.
func QRStanding(ctx context.Context, r *robot.Robot, terms []regressor.Term, s Standing, opt Options) (*Set, error) {
	if r.Closed() {
		return nil, closedLoops("QR of a standing robot", r)
	}
	m, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, err
	}
	for _, v := range m.StribeckVelocities() {
		if v != 0 {
			return nil, fmt.Errorf("QR of a standing robot: the term %s is not supported; leave it out", regressor.Stribeck)
		}
	}
	d := standingStates{robot: r, model: m, rng: rand.New(rand.NewPCG(opt.Seed, 0x1e95))}
	if d.base, err = regressor.FloatingBaseOf(r); err != nil {
		return nil, err
	}
	if d.sticking, err = regressor.NewSticking(r, s.Feet); err != nil {
		return nil, err
	}
	w := make([][]float64, len(m.Columns()))
	for _, mode := range s.Modes {
		if len(mode) != len(s.Feet) {
			return nil, fmt.Errorf("QR of a standing robot: a mode of %d entries for %d feet", len(mode), len(s.Feet))
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := d.add(w, mode); err != nil {
			return nil, err
		}
	}
	return qrLast(ctx, m, w, Hiding(r, m.Columns(), s.Feet))
}

// Hiding returns, for each foot, the column of its link's first moment along which the foot is farthest from the origin, or -1
// if there is none. A mass at a foot that never moves has no effect: with point feet this column is then dependent, and the
// mass is regrouped onto the other parameters. With round feet the column is of the base parameters, and shows that mass by
// the rolling alone.
func Hiding(r *robot.Robot, columns []regressor.Column, feet []regressor.Foot) []int {
	var out []int
	for _, f := range feet {
		p := r.Links[f.Link].UserFrame.Apply(f.Centre)
		axis := 0
		for k := range p {
			if math.Abs(p[k]) > math.Abs(p[axis]) {
				axis = k
			}
		}
		out = append(out, slices.IndexFunc(columns, func(c regressor.Column) bool {
			return c.Term == regressor.Links && c.Link == f.Link && c.Param == robot.MX+axis
		}))
	}
	return out
}

// qrLast is qrColumns with some columns taken last, so that these are dependent if any are.
func qrLast(ctx context.Context, m *regressor.Model, w [][]float64, last []int) (*Set, error) {
	var order []int // columns of the model, in the order taken
	for c := range w {
		if !slices.Contains(last, c) {
			order = append(order, c)
		}
	}
	order = append(order, last...)
	s := &Set{Method: "qr"}
	columns, entries := m.Columns(), make([][]float64, len(w))
	for i, c := range order {
		s.Columns, entries[i] = append(s.Columns, columns[c]), w[c]
	}
	if err := s.firstIndependent(ctx, entries, noEffect); err != nil {
		return nil, fmt.Errorf("independent columns of %d: %w", len(columns), err)
	}
	rows, zero := s.sorted(order, s.Base), s.sorted(order, s.Zero)
	dependent := s.sorted(order, s.Dependent)
	beta := make([][]float64, len(rows))
	for k, from := range rows {
		beta[k] = make([]float64, len(dependent))
		for d, at := range dependent {
			beta[k][d] = s.Beta[from][at]
		}
	}
	pick := func(list, from []int) (out []int) {
		for _, at := range from {
			out = append(out, order[list[at]])
		}
		return out
	}
	s.Base, s.Zero, s.Dependent = pick(s.Base, rows), pick(s.Zero, zero), pick(s.Dependent, dependent)
	s.Columns, s.Beta = columns, beta
	return s, nil
}

// sorted returns the places in a list of columns, which are counted in an order, by ascending columns of the model.
func (s *Set) sorted(order, list []int) []int {
	places := make([]int, len(list))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int { return order[list[a]] - order[list[b]] })
	return places
}

// standingStates draws random states of a standing robot.
type standingStates struct {
	robot    *robot.Robot
	model    *regressor.Model
	base     regressor.FloatingBase
	sticking *regressor.Sticking
	rng      *rand.Rand
}

// add appends to each column of w its entries at random states in a mode, after the elimination of the contact forces.
func (d *standingStates) add(w [][]float64, mode []bool) error {
	rows, forces := d.model.Joints(), 0
	for f, foot := range d.sticking.Feet() {
		if mode[f] {
			forces += foot.Forces()
		}
	}
	samples := 2*len(w)/max(rows-forces, 3) + 12
	draw := func(count int, spread float64) [][]float64 {
		v := make([][]float64, count)
		for k := range v {
			v[k] = make([]float64, samples)
			for i := range v[k] {
				v[k][i] = spread * (2*d.rng.Float64() - 1)
			}
		}
		return v
	}
	in := regressor.Batch{Q: draw(rows, math.Pi), DQ: draw(rows, fastest), DDQ: draw(rows, 6)}
	extend(d.model, &in, samples, d.rng)
	up := [3][]float64(draw(3, 1))
	for i := range samples {
		size := math.Sqrt(up[0][i]*up[0][i] + up[1][i]*up[1][i] + up[2][i]*up[2][i])
		for k := range up {
			up[k][i] /= size
		}
	}
	motion := regressor.BaseMotion{Rate: [3][]float64(draw(3, fastest)), Acceleration: [3][]float64(draw(3, 6)), SpecificForce: [3][]float64(draw(3, 6))}
	d.base.Fill(&in, &motion)
	c, ws := d.sticking.NewContacts(samples), d.sticking.NewWorkspace()
	d.sticking.Eval(c, in, up, ws)
	eliminations := make([]regressor.Elimination, samples)
	for i := range eliminations {
		e := &eliminations[i]
		e.Find(rows, d.forces(c, mode, i))
		d.move(&in, &motion, e.Basis, i)
	}
	d.base.Fill(&in, &motion)
	d.sticking.Eval(c, in, up, ws)
	for i := range samples {
		if err := d.accelerate(&in, &motion, c, mode, up, i); err != nil {
			return err
		}
	}
	d.base.Fill(&in, &motion)
	b := d.model.NewBlock(samples)
	d.model.EvalBatch(b, in, d.model.NewWorkspace())
	for i := range eliminations {
		for _, v := range eliminations[i].Basis {
			for col := range w {
				w[col] = append(w[col], 0)
			}
			for k := range b.Joint {
				for at, col := range d.model.Mask(k) {
					w[col][len(w[col])-1] += v[k] * b.Joint[k][at][i]
				}
			}
		}
	}
	return nil
}

// forces returns the rows by which the contact forces of a mode act at a sample, in memory of their own.
func (d *standingStates) forces(c *regressor.Contacts, mode []bool, i int) [][]float64 {
	var out [][]float64
	for _, at := range d.entries(c, mode) {
		column := make([]float64, len(c.Jacobian[at]))
		for k, row := range c.Jacobian[at] {
			column[k] = row[i]
		}
		out = append(out, column)
	}
	return out
}

// entries returns the entries of contacts that belong to the feet of a mode.
func (d *standingStates) entries(c *regressor.Contacts, mode []bool) []int {
	var out []int
	for f, foot := range d.sticking.Feet() {
		for k := range foot.Forces() {
			if mode[f] {
				out = append(out, c.First[f]+k)
			}
		}
	}
	return out
}

// move replaces the rates of a sample by random ones under which the feet stick: combinations of the basis.
func (d *standingStates) move(in *regressor.Batch, motion *regressor.BaseMotion, basis [][]float64, i int) {
	rates := make([]float64, d.model.Joints())
	for _, v := range basis {
		axpy(rates, fastest*(2*d.rng.Float64()-1), v)
	}
	at := d.base.Rows()
	for k := range 3 {
		motion.Rate[k][i] = rates[at[3+k]]
	}
	for k := len(at); k < len(rates); k++ {
		in.DQ[k][i] = rates[k]
	}
}

// accelerate changes the accelerations of a sample as little as possible so that the feet that stick feel gravity alone.
func (d *standingStates) accelerate(in *regressor.Batch, motion *regressor.BaseMotion, c *regressor.Contacts, mode []bool, up [3][]float64, i int) error {
	entries := d.entries(c, mode)
	if len(entries) == 0 {
		return nil
	}
	g := norm(d.robot.Gravity[:])
	n := d.model.Joints()
	j, wanted := mat.NewDense(len(entries), n, nil), mat.NewVecDense(len(entries), nil)
	for e, at := range entries {
		for k := range n {
			j.Set(e, k, c.Jacobian[at][k][i])
		}
		foot := 0
		for f, first := range c.First {
			if first <= at {
				foot = f
			}
		}
		target := 0.0
		if k := at - c.First[foot]; k < 3 {
			target = g * up[k][i]
		}
		wanted.SetVec(e, target-c.Motion[at][i])
	}
	var svd mat.SVD
	if !svd.Factorize(j, mat.SVDThin) {
		return fmt.Errorf("QR of a standing robot: the rows of its feet have no singular values")
	}
	rank := 0
	values := svd.Values(nil)
	for rank < len(values) && values[rank] > dependent*values[0] {
		rank++
	}
	var change mat.VecDense
	svd.SolveVecTo(&change, wanted, rank)
	at := d.base.Rows()
	for k := range 3 {
		motion.SpecificForce[k][i] += change.AtVec(at[k])
		motion.Acceleration[k][i] += change.AtVec(at[3+k])
	}
	for k := len(at); k < n; k++ {
		in.DDQ[k][i] += change.AtVec(k)
	}
	return nil
}

// HidesPointMass reports whether a mass at a point of a link, in the link's own frame, has no effect on any base
// parameter of the set: as at a foot that never moves.
func (s *Set) HidesPointMass(r *robot.Robot, link int, point [3]float64) bool {
	p := r.Links[link].UserFrame.Apply(point)
	unit := robot.InertialFromCentral(1, p, [3][3]float64{})
	chi := make([]float64, len(s.Columns))
	for c, col := range s.Columns {
		if col.Term == regressor.Links && col.Link == link && col.Body == 0 {
			chi[c] = unit[col.Param]
		}
	}
	return !slices.ContainsFunc(s.FromStandard(chi), func(x float64) bool { return math.Abs(x) > dependent })
}
