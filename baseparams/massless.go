package baseparams

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ident/regressor"
	"ident/robot"
)

// solid returns the robot with a body for every massless link, a drive at every virtual joint, and unknowns for
// parameters known to be zero. It also returns the columns of that model which the robot itself lacks, nil if there are
// none: rules and null spaces work on complete robots, and Without then removes these columns.
func solid(r *robot.Robot, terms []regressor.Term) (*robot.Robot, []int, error) {
	if !slices.ContainsFunc(r.Links, func(l robot.Link) bool { return l.Massless || l.Joint.Virtual || len(l.KnownZero()) > 0 }) {
		return r, nil, nil
	}
	m, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, nil, err
	}
	whole := r.Clone()
	for j := range whole.Links {
		l := &whole.Links[j]
		l.Massless, l.Zero = false, [robot.NumInertial]bool{}
		l.Joint.Virtual, l.Joint.NoRotor = false, false
	}
	all, err := regressor.NewDynamic(whole, terms)
	if err != nil {
		return nil, nil, err
	}
	drop := []int{}
	for c, name := range all.Names() {
		if !slices.Contains(m.Names(), name) {
			drop = append(drop, c)
		}
	}
	return whole, drop, nil
}

// qrRows is QR with only some of a model's rows measured, such as the wrench on a floating base without the joint
// torques. The model must be that of a tree. The only error is that of ctx.
func qrRows(ctx context.Context, m *regressor.Model, rows []int, opt Options) (*Set, error) {
	n := len(m.Columns())
	if len(rows) == 0 || m.Tree() != nil {
		panic(fmt.Sprintf("baseparams: measured rows were given for %d joints of a model of %d (closed loops: %v)", len(rows), m.Joints(), m.Tree() != nil))
	}
	rng := rand.New(rand.NewPCG(opt.Seed, 0x1dea))
	// Twice as many entries as columns, as QR has.
	samples := max(2*n/len(rows)+8, 24)
	draw := func(spread float64) [][]float64 {
		v := lists(m.Joints(), samples)
		for k := range v {
			for i := range v[k] {
				v[k][i] = spread * (2*rng.Float64() - 1)
			}
		}
		return v
	}
	in := regressor.Batch{Q: draw(math.Pi), DQ: draw(fastest), DDQ: draw(6)}
	extend(m, &in, samples, rng)
	b := m.NewBlock(samples)
	m.EvalBatch(b, in, m.NewWorkspace())
	w := lists(n, samples*len(rows))
	for i, k := range rows {
		for a, c := range m.Mask(k) {
			copy(w[c][i*samples:], b.Joint[k][a])
		}
	}
	return qrColumns(ctx, m, w)
}
