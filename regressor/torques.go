package regressor

import (
	"fmt"
	"slices"

	"ident/internal/lanes"
	"ident/mechanics/recursion"
	"ident/symbolic"
)

// Torques predicts the torques Y·χ of a motion. For a compiled model a program computes the links' torques by
// Newton-Euler, without the regressor, with rotor inertia, viscous and Coulomb friction and offsets; other columns are
// evaluated for some hundred samples at a time, which fit into the second-level cache. Values differ from
// Model.Predict's by rounding. Several sets of parameters share the links' motion. Only one goroutine at a time may use
// it.
type Torques struct {
	model *Model
	sets  int // of parameters
	ws    *Workspace
	block *Block // of all samples of a model that is not compiled; else the columns without a program

	machine *symbolic.Machine
	scratch *symbolic.Scratch
	in, out [][]float64
	signs   [][]float64 // of the velocities, one slice per joint
	chi     []float64   // of all sets
	batch   Batch
	others  []part // those without a program
	rest    []restColumn
	parts   []part // of the others, those with a parameter that is not zero in some set
}

// restColumn is the place in a block of a column without a program.
type restColumn struct{ row, at, column int }

// torqueBlock is the number of samples evaluated at once.
const torqueBlock = 512

// maxSets is the largest number of parameter sets of Torques.
const maxSets = 2

// NewTorques returns a Torques for one set of parameters.
func NewTorques(m *Model) *Torques { return NewTorquesOf(m, 1) }

// NewTorquesOf returns a Torques for one or two sets of parameters.
func NewTorquesOf(m *Model, sets int) *Torques {
	if sets < 1 || sets > maxSets {
		panic(fmt.Sprintf("regressor: torques of %d sets of parameters: there are one or two", sets))
	}
	t := &Torques{model: m, sets: sets, out: make([][]float64, sets*len(m.coords))}
	if m.programs == nil {
		t.ws = m.NewWorkspace()
		return t
	}
	t.ws, t.machine = newDriveWorkspace(), m.programs.torques[sets-1]()
	t.chi, t.signs = make([]float64, sets*len(m.columns)), make([][]float64, len(m.coords))
	for k := range t.signs {
		t.signs[k] = make([]float64, torqueBlock)
	}
	t.scratch = t.machine.NewScratch()
	t.block = &Block{cap: torqueBlock, Joint: make([][][]float64, len(m.mask))}
	for k, mask := range m.mask {
		t.block.Joint[k] = make([][]float64, len(mask))
	}
	for _, p := range m.programs.rest {
		if d, ok := p.(*drive); ok && d.hasProgram() {
			continue
		}
		t.others = append(t.others, p)
		at := p.where()
		for i, row := range at.coords {
			for c, column := range at.columns {
				t.rest = append(t.rest, restColumn{row, at.at[i][c], column})
				t.block.Joint[row][at.at[i][c]] = make([]float64, torqueBlock)
			}
		}
	}
	return t
}

// Eval writes the torques of a batch to tau, one slice per joint, for parameters chi, one per column. With two sets, those
// of the second follow those of the first, in chi and tau. Without a compiled model it allocates nothing after the
// longest batch. If the robot's loops cannot be followed, the error is a *SampleError.
func (t *Torques) Eval(tau [][]float64, in Batch, chi []float64) error {
	m := t.model
	if len(chi) != t.sets*len(m.columns) || len(tau) != t.sets*len(m.coords) {
		panic(fmt.Sprintf("regressor: torques of %d parameters for %d joints, the model has %d columns and %d joints, and there are %d sets", len(chi), len(tau), len(m.columns), len(m.coords), t.sets))
	}
	n := len(in.Q[0])
	if t.machine == nil {
		return t.byColumns(tau, in, chi)
	}
	m.checkMotion("ddq", in.DDQ, n)
	m.checkBatch(&in, n)
	copy(t.chi, chi)
	t.parts = t.parts[:0]
	for _, p := range t.others {
		if slices.ContainsFunc(p.where().columns, func(c int) bool { return chi[c] != 0 || t.sets > 1 && chi[len(m.columns)+c] != 0 }) {
			t.parts = append(t.parts, p)
		}
	}
	for at := 0; at < n; at += torqueBlock {
		t.part(tau, &in, at, min(at+torqueBlock, n))
	}
	return nil
}

// byColumns sums columns of the regressor, for as many samples as fit into the second-level cache; with closed loops,
// which are followed along the motion, for all.
func (t *Torques) byColumns(tau [][]float64, in Batch, chi []float64) error {
	m, all := t.model, len(in.Q[0])
	n := all
	if m.Loops() == nil {
		n = min(all, torqueBlock)
	}
	if t.block == nil || t.block.cap < n {
		t.block = m.NewBlock(n)
	}
	for at := 0; at < all; at += n {
		to := min(at+n, all)
		t.batch.Part(&in, at, to)
		t.block.Resize(to - at)
		m.EvalBatch(t.block, t.batch, t.ws)
		for k := range tau {
			t.out[k] = tau[k][at:to]
		}
		for s := range t.sets {
			m.Predict(t.out[s*len(m.coords):][:len(m.coords)], t.block, chi[s*len(m.columns):][:len(m.columns)])
		}
	}
	return t.ws.Err()
}

// part evaluates the samples [from, to).
func (t *Torques) part(tau [][]float64, in *Batch, from, to int) {
	n := to - from
	t.batch.Part(in, from, to)
	t.in = append(append(append(t.in[:0], t.batch.Q...), t.batch.DQ...), t.batch.DDQ...)
	for k, dq := range t.batch.DQ {
		lanes.Signs(t.signs[k][:n], dq)
		t.in = append(t.in, t.signs[k][:n])
	}
	for i := range t.chi {
		t.in = append(t.in, t.chi[i:i+1])
	}
	for k := range tau {
		t.out[k] = tau[k][from:to]
	}
	t.machine.Run(t.out, t.in, n, t.scratch)
	t.ws.batch = t.batch
	t.model.sweep(t.parts, n, t.ws, nil, func(p part) { p.torque(t.block, t.ws) })
	for s := range t.sets {
		chi, out := t.chi[s*len(t.model.columns):], t.out[s*len(t.model.coords):]
		for _, c := range t.rest {
			if v := chi[c.column]; v != 0 {
				lanes.Axpy(out[c.row], v, t.block.Joint[c.row][c.at][:n])
			}
		}
	}
}

// hasProgram reports whether the drive's torque is a signal that the program of the torques contains. A drive of several
// joints has its own velocity, whose sign is none of the joints'.
func (d *drive) hasProgram() bool {
	return d.law.signal != signalNone && (d.law.signal != signalSign || len(d.coords) == 1)
}

// node returns the symbolic signal of the drive, from the motion and the signs of its velocities.
func (d *drive) node(t *recursion.Tree, signs []symbolic.Node) symbolic.Node {
	of := t.DQ
	switch d.law.signal {
	case signalOne:
		return t.G.Int(1)
	case signalSign:
		if d.weights[0] < 0 {
			return -signs[d.coords[0]]
		}
		return signs[d.coords[0]]
	case signalAcceleration:
		of = t.DDQ
	}
	var sum symbolic.Node
	for i, w := range d.weights {
		sum = t.G.Add(sum, t.G.Mul(t.G.Float(w), of[d.coords[i]]))
	}
	return sum
}

// compileTorques compiles the torques of the links, and of drives whose torque is a signal of the motion, for the given
// number of parameter sets. Its inputs are the motion, the signs of the velocities and the parameters of all columns,
// set after set.
func (m *Model) compileTorques(sets int) *symbolic.Machine {
	t := m.graph()
	var signs, chi, tau []symbolic.Node
	for c := range t.DQ {
		signs = append(signs, t.G.Input(symbolic.Input{Name: fmt.Sprintf("sign_%d", c+1), Kind: symbolic.Motion, Group: "sign", Index: c}))
	}
	motions := t.Motions(recursion.Rates{DQ: t.DQ, DDQ: t.DDQ}, t.Gravity)
	for range sets {
		params, own := make([]recursion.Params, len(m.chain.links)), make([]symbolic.Node, len(m.columns))
		for column := range own {
			at := len(chi)
			own[column] = t.G.Input(symbolic.Input{Name: fmt.Sprintf("chi_%d", at+1), Kind: symbolic.Parameter, Group: "chi", Index: at})
			chi = append(chi, own[column])
		}
		for _, p := range m.parts {
			if b, ok := p.(*body); ok {
				for c, column := range b.columns {
					params[b.link][b.params[c]] = own[column]
				}
			}
		}
		of := t.Torques(motions, params)
		for _, p := range m.programs.rest {
			if d, ok := p.(*drive); ok && d.hasProgram() {
				x := d.node(t, signs)
				for i, w := range d.weights {
					row := d.coords[i]
					of[row] = t.G.Add(of[row], t.G.Mul(t.G.Mul(t.G.Float(w), own[d.columns[0]]), x))
				}
			}
		}
		tau = append(tau, of...)
	}
	all := slices.Concat(t.Q, t.DQ, t.DDQ, signs, chi)
	return symbolic.Compile(t.G.Program("torques", all, symbolic.Result{Name: "tau", Rows: len(tau), Cols: 1, Entries: tau}))
}
