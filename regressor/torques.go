package regressor

import (
	"fmt"

	"ident/internal/lanes"
	"ident/internal/recursion"
	"ident/symbolic"
)

// Torques predicts the torques Y·χ of a motion. Of a compiled model those of the links
// come from Newton and Euler's equations as a program, without the regressor, and the
// other columns are evaluated on some hundred samples at a time, which stay in the
// second-level cache. Values differ from Model.Predict's by rounding. Torques serves
// one goroutine.
type Torques struct {
	model *Model
	ws    *Workspace
	block *Block // of all samples of a model that is not compiled; else the columns without a program

	machine *symbolic.Machine
	scratch *symbolic.Scratch
	in, out [][]float64
	chi     []float64
	batch   Batch
	rest    []restColumn
	parts   []part // of the columns without a program, those with a parameter that is not zero
}

// restColumn is a column without a program: its place in a block.
type restColumn struct{ row, at, column int }

// torqueBlock is the number of samples that are evaluated at once.
const torqueBlock = 256

// NewTorques prepares the torques of a model.
func NewTorques(m *Model) *Torques {
	if m.programs == nil {
		return &Torques{model: m, ws: m.NewWorkspace()}
	}
	t := &Torques{model: m, ws: newDriveWorkspace(), machine: m.programs.torques(),
		chi: make([]float64, len(m.columns)), out: make([][]float64, len(m.coords))}
	t.scratch = t.machine.NewScratch()
	t.block = &Block{cap: torqueBlock, Joint: make([][][]float64, len(m.mask))}
	for k, mask := range m.mask {
		t.block.Joint[k] = make([][]float64, len(mask))
	}
	for _, p := range m.programs.rest {
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

// Eval stores the torques of a batch, one slice a joint, for the parameters of the
// model's columns. It allocates nothing after the longest batch of a model that is not
// compiled. Where the loops of a robot cannot be followed it returns a *SampleError.
func (t *Torques) Eval(tau [][]float64, in Batch, chi []float64) error {
	m := t.model
	if len(chi) != len(m.columns) || len(tau) != len(m.coords) {
		panic(fmt.Sprintf("regressor: torques of %d parameters for %d joints, the model has %d columns and %d joints", len(chi), len(tau), len(m.columns), len(m.coords)))
	}
	n := len(in.Q[0])
	if t.machine == nil {
		if t.block == nil || t.block.cap < n {
			t.block = m.NewBlock(n)
		}
		t.block.Resize(n)
		m.EvalBatch(t.block, in, t.ws)
		m.Predict(tau, t.block, chi)
		return t.ws.Err()
	}
	checkMotion(m, "ddq", in.DDQ, n)
	m.checkBatch(&in, n)
	copy(t.chi, chi)
	t.parts = t.parts[:0]
	for _, p := range m.programs.rest {
		for _, c := range p.where().columns {
			if chi[c] != 0 {
				t.parts = append(t.parts, p)
				break
			}
		}
	}
	for at := 0; at < n; at += torqueBlock {
		t.part(tau, &in, at, min(at+torqueBlock, n))
	}
	return nil
}

// part evaluates the samples [from, to).
func (t *Torques) part(tau [][]float64, in *Batch, from, to int) {
	n := to - from
	t.batch.Part(in, from, to)
	t.in = append(append(append(t.in[:0], t.batch.Q...), t.batch.DQ...), t.batch.DDQ...)
	for i := range t.chi {
		t.in = append(t.in, t.chi[i:i+1])
	}
	for k := range tau {
		t.out[k] = tau[k][from:to]
	}
	t.machine.Run(t.out, t.in, n, t.scratch)
	t.ws.batch = t.batch
	t.model.sweep(t.parts, n, t.ws, nil, func(p part) { p.torque(t.block, t.ws) })
	for _, c := range t.rest {
		if v := t.chi[c.column]; v != 0 {
			lanes.Axpy(t.out[c.row], v, t.block.Joint[c.row][c.at][:n])
		}
	}
}

// compileTorques makes the program of the links' torques; its inputs are the motion and
// the parameters of all columns.
func compileTorques(m *Model) *symbolic.Machine {
	t := graphOf(m)
	params := make([]recursion.Params, len(m.chain.links))
	args := [][]symbolic.Node{t.Q, t.DQ, t.DDQ, nil}
	owner := make([]*symbolic.Node, len(m.columns))
	for _, p := range m.parts {
		if b, ok := p.(*body); ok {
			for c, column := range b.columns {
				owner[column] = &params[b.link][b.params[c]]
			}
		}
	}
	for column, own := range owner {
		n := t.G.Input(symbolic.Input{Name: fmt.Sprintf("chi_%d", column+1), Kind: symbolic.Parameter, Group: "chi", Index: column})
		if own != nil {
			*own = n
		}
		args[3] = append(args[3], n)
	}
	tau := t.Torques(t.Motions(recursion.Rates{DQ: t.DQ, DDQ: t.DDQ}, t.Gravity), params)
	var all []symbolic.Node
	for _, a := range args {
		all = append(all, a...)
	}
	return symbolic.Compile(t.G.Program("torques", all, symbolic.Result{Name: "tau", Rows: len(tau), Cols: 1, Entries: tau}))
}
