package regressor

import "ident/internal/lanes"

// stroke is a drive's own coordinate s over a batch of lanes, and what else a
// law may depend on.
type stroke struct {
	s, ds, dds []float64
	load       []float64 // measured torque of the coordinate, where a term needs it
	current    []float64 // motor current, likewise
	speed      float64   // the Stribeck velocity of the joint
}

// law is the torque of a unit parameter along a drive's own coordinate s:
//
//	torque = d/dt momentum + rest
//	ṡ·torque = d/dt energy, or is lost
//
// The joints that the drive acts on get the torque times their weights, which
// is what virtual work asks for. A nil momentum is zero; a nil energy means that
// the power is lost; a nil rest is the torque itself where there is no momentum,
// and zero where there is one.
type law struct {
	torque, momentum, rest, energy func(dst []float64, x *stroke)
}

// each makes a law's part of a function of one number.
func each(f func(x float64) float64, of func(x *stroke) []float64) func([]float64, *stroke) {
	return func(dst []float64, x *stroke) {
		for i, v := range of(x)[:len(dst)] {
			dst[i] = f(v)
		}
	}
}

func place(x *stroke) []float64 { return x.s }
func rate(x *stroke) []float64  { return x.ds }

// dissipative is the law of a torque that depends on the rate alone.
func dissipative(f func(ds float64) float64) law { return law{torque: each(f, rate)} }

// stored is the law of a torque that derives from a potential.
func stored(torque, potential func(s float64) float64) law {
	return law{torque: each(torque, place), energy: each(potential, place)}
}

// strokeOf fills the workspace's stroke of a drive for n samples from first.
func (m *Model) strokeOf(d *drivePlan, in *Batch, ws *Workspace, first, n int) *stroke {
	x := &ws.stroke
	x.speed = d.speed
	if len(d.weights) == 1 && d.weights[0].w == 1 && d.offset == 0 {
		k := d.weights[0].coord
		x.s, x.ds = in.Q[k][first:first+n], in.DQ[k][first:first+n]
		if in.DDQ != nil {
			x.dds = in.DDQ[k][first : first+n]
		}
	} else {
		x.s, x.ds, x.dds = ws.sums[0][:n], ws.sums[1][:n], ws.sums[2][:n]
		lanes.Fill(x.s, d.offset)
		lanes.Fill(x.ds, 0)
		lanes.Fill(x.dds, 0)
		for _, w := range d.weights {
			lanes.Axpy(x.s, w.w, in.Q[w.coord][first:first+n])
			lanes.Axpy(x.ds, w.w, in.DQ[w.coord][first:first+n])
			if in.DDQ != nil {
				lanes.Axpy(x.dds, w.w, in.DDQ[w.coord][first:first+n])
			}
		}
	}
	k := d.weights[0].coord
	if in.Load != nil {
		x.load = in.Load[k][first : first+n]
	}
	if in.Current != nil {
		x.current = in.Current[k][first : first+n]
	}
	return x
}

// spread writes a law's part into the rows of the joints that the drive acts
// on, times their weights. A nil part is zero.
func (d *drivePlan) spread(b *Block, x *stroke, part func([]float64, *stroke), first, n int) {
	for k, w := range d.weights {
		dst := b.Joint[w.coord][d.at[k]][first : first+n]
		if part == nil {
			clear(dst)
			continue
		}
		part(dst, x)
		if w.w != 1 {
			for i := range dst {
				dst[i] *= w.w
			}
		}
	}
}

// sign is -1, 0 or 1; NaN stays NaN.
func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}
