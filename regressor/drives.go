package regressor

import (
	"fmt"
	"maps"
	"slices"

	"ident/internal/lanes"
	"ident/robot"
)

// driveCoordinate is a drive's coordinate s and its derivatives over a batch of lanes, with other quantities that a law
// may need.
type driveCoordinate struct {
	s, ds, dds []float64
	load       []float64 // measured torque of the coordinate, where a term needs it
	current    []float64 // motor current, likewise
	time       []float64 // since the run began, likewise
	state      []float64 // of heat, temperature or presliding, where the column has one
	speed      float64   // the Stribeck velocity of the joint
}

// law is the torque of a unit parameter along a drive's own coordinate s:
//
//	torque = d/dt momentum + rest
//	ṡ·torque = d/dt energy, or is lost
//
// The joints that the drive acts on get the torque times their weights, by virtual
// work. A nil momentum is zero; a nil energy means that the power is lost; a nil
// rest is the torque itself where there is no momentum, and zero where there is one.
type law struct {
	torque, momentum, rest, energy func(dst []float64, x *driveCoordinate)
	signal                         signal
}

// signal identifies a law whose torque is a signal of the motion: Pullback can differentiate it, and the program of the
// torques contains it.
type signal int

const (
	signalNone         signal = iota
	signalRate                // ṡ
	signalAcceleration        // s̈
	signalOne                 // 1
	signalSign                // the sign of ṡ
)

// each applies a function of one number to a signal of the coordinate.
func each(f func(x float64) float64, of func(x *driveCoordinate) []float64) func([]float64, *driveCoordinate) {
	return func(dst []float64, x *driveCoordinate) {
		for i, v := range of(x)[:len(dst)] {
			dst[i] = f(v)
		}
	}
}

func place(x *driveCoordinate) []float64 { return x.s }
func rate(x *driveCoordinate) []float64  { return x.ds }

// dissipative returns the law of a torque that depends only on the rate.
func dissipative(f func(ds float64) float64) law { return law{torque: each(f, rate)} }

// stored returns the law of a torque that derives from a potential.
func stored(torque, potential func(s float64) float64) law {
	return law{torque: each(torque, place), energy: each(potential, place)}
}

// drive is the column of a law of a joint's drive, or of a drive shared by several joints: s = offset + Σ weights[k]·q
// of coords[k].
type drive struct {
	placement
	law     law
	offset  float64
	speed   float64                     // Stribeck velocity, 0 where the law has none
	state   func(in *Batch) [][]float64 // channels of the column's state, nil for none
	stateAt int                         // of the column among them
	weights []float64
}

// newDrive returns the part for a column of a joint term.
func newDrive(c *chain, r *robot.Robot, col Column, t Term) (part, error) {
	decl, _ := lookup(col.Term)
	l := &c.links[col.Link]
	d := &drive{placement: placement{link: -1, coords: []int{l.coord}}, law: decl.params[col.Param].law, offset: l.offset, weights: []float64{l.ratio}}
	if col.Drive > 0 {
		d.coords, d.weights, d.offset = nil, nil, 0
		shared := r.Drives[col.Drive-1]
		for _, j := range slices.Sorted(maps.Keys(shared.Weights)) {
			if j < 0 || j >= len(c.links) || c.links[j].coord < 0 {
				return nil, fmt.Errorf("robot %q: the drive at joint %q acts on link number %d, which has no moving joint", r.Name, col.Owner, j+1)
			}
			w := shared.Weights[j] * c.links[j].ratio
			d.offset += shared.Weights[j] * c.links[j].offset
			// A joint and its mimics share one coordinate and one row.
			if k := slices.Index(d.coords, c.links[j].coord); k >= 0 {
				d.weights[k] += w
				continue
			}
			d.coords, d.weights = append(d.coords, c.links[j].coord), append(d.weights, w)
		}
	}
	if col.Term == Stribeck || col.Term == StribeckV {
		v, err := StribeckVelocities(r, t)
		if err != nil {
			return nil, err
		}
		d.speed = v[l.coord]
	}
	return d, nil
}

func (d *drive) with(at placement) part {
	c := *d
	c.placement = at
	return &c
}

func (d *drive) stores() bool { return d.law.energy != nil }

// coordinate computes the drive's coordinate in the workspace.
func (d *drive) coordinate(ws *Workspace) *driveCoordinate {
	x, in, k := &ws.drive, &ws.batch, d.coords[0]
	x.speed = d.speed
	if len(d.weights) == 1 && d.weights[0] == 1 && d.offset == 0 {
		x.s, x.ds = ws.cut(in.Q[k]), ws.cut(in.DQ[k])
		if in.DDQ != nil {
			x.dds = ws.cut(in.DDQ[k])
		}
	} else {
		x.s, x.ds, x.dds = ws.sums[0][:ws.n], ws.sums[1][:ws.n], ws.sums[2][:ws.n]
		lanes.Fill(x.s, d.offset)
		lanes.Fill(x.ds, 0)
		lanes.Fill(x.dds, 0)
		for i, w := range d.weights {
			lanes.Axpy(x.s, w, ws.cut(in.Q[d.coords[i]]))
			lanes.Axpy(x.ds, w, ws.cut(in.DQ[d.coords[i]]))
			if in.DDQ != nil {
				lanes.Axpy(x.dds, w, ws.cut(in.DDQ[d.coords[i]]))
			}
		}
	}
	if in.Load != nil {
		x.load = ws.cut(in.Load[k])
	}
	if in.Current != nil {
		x.current = ws.cut(in.Current[k])
	}
	if d.state != nil {
		x.state = ws.cut(d.state(in)[d.stateAt])
	}
	if in.Time != nil {
		x.time = ws.cut(in.Time)
	}
	return x
}

// spread writes a part of a law, times their weights, into the rows of the joints on which the drive acts. A nil part is
// zero.
func (d *drive) spread(b *Block, x *driveCoordinate, part func([]float64, *driveCoordinate), ws *Workspace) {
	for k, w := range d.weights {
		dst := d.column(b, k, 0, ws)
		if part == nil {
			clear(dst)
			continue
		}
		part(dst, x)
		if w != 1 {
			for i := range dst {
				dst[i] *= w
			}
		}
	}
}

func (d *drive) torque(b *Block, ws *Workspace) { d.spread(b, d.coordinate(ws), d.law.torque, ws) }

func (d *drive) momentum(d1, d2 *Block, ws *Workspace) {
	x, rest := d.coordinate(ws), d.law.rest
	if rest == nil && d.law.momentum == nil {
		rest = d.law.torque
	}
	d.spread(d1, x, d.law.momentum, ws)
	d.spread(d2, x, rest, ws)
}

func (d *drive) energy(h *Block, ws *Workspace) {
	x, dst := d.coordinate(ws), ws.cut(h.Joint[0][d.columns[0]])
	if d.law.energy != nil {
		d.law.energy(dst, x)
		return
	}
	d.law.torque(dst, x)
	for l := range dst {
		dst[l] *= x.ds[l]
	}
}

func (d *drive) adjoint(gamma *Block, ad *Adjoint) {
	var to [][]float64
	switch d.law.signal {
	case signalRate:
		to = ad.grad.dq
	case signalAcceleration:
		to = ad.grad.ddq
	default:
		return
	}
	for k, row := range d.coords {
		g := gamma.Joint[row][d.at[k][0]][ad.first:][:ad.n]
		for i, w := range d.weights {
			dst, factor := to[d.coords[i]][ad.first:][:ad.n], d.weights[k]*w
			for t, v := range g {
				dst[t] += factor * v
			}
		}
	}
}
