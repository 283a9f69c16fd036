package regressor

import (
	"fmt"

	"ident/internal/lanes"
)

// Workspace is working memory for evaluations by one goroutine. It holds the last batch.
type Workspace struct {
	batch    Batch
	first, n int // samples at hand: n from first
	links    []linkState
	energy   []energyState // of EvalMomentum and EvalEnergy, made at their first use
	sin      []float64
	cos      []float64
	rate     []float64 // of the joint at hand
	acc      []float64
	pos      lanes.Vec // origin of the link's frame in its antecedent's
	tmp      lanes.Vec
	tmp2     lanes.Vec
	normal   [2]lanes.Vec // a contact's, turned from link to link
	ones     []float64
	zeros    []float64
	sums     [3][]float64    // a shared drive's coordinate, rate and acceleration
	drive    driveCoordinate // of the drive at hand
	program  programScratch  // of a compiled model, made at its first use
	closed   *closedState    // of a robot with closed loops
}

// NewWorkspace allocates working memory for the model.
func (m *Model) NewWorkspace() *Workspace {
	if m.loops != nil {
		return &Workspace{closed: m.loops.newState()}
	}
	ws := newDriveWorkspace()
	ws.links, ws.pos, ws.tmp, ws.tmp2 = m.chain.newStates(), lanes.NewVec(Lanes), lanes.NewVec(Lanes), lanes.NewVec(Lanes)
	ws.normal = [2]lanes.Vec{lanes.NewVec(Lanes), lanes.NewVec(Lanes)}
	return ws
}

// newDriveWorkspace allocates working memory for parts that need no motion of a link.
func newDriveWorkspace() *Workspace {
	ws := new(Workspace)
	for _, p := range []*[]float64{&ws.sin, &ws.cos, &ws.rate, &ws.acc, &ws.ones, &ws.zeros, &ws.sums[0], &ws.sums[1], &ws.sums[2]} {
		*p = make([]float64, Lanes)
	}
	lanes.Fill(ws.ones, 1)
	return ws
}

// cut returns the current samples of a slice that is as long as the batch.
func (ws *Workspace) cut(v []float64) []float64 { return v[ws.first : ws.first+ws.n] }

// Err returns why the last Eval of a closed robot's model ended early, a *SampleError: its rows from that sample on are
// NaN. It returns nil if Eval completed or the robot has no loops.
func (ws *Workspace) Err() error {
	if ws.closed == nil {
		return nil
	}
	return ws.closed.err
}

// Batch is a batch of samples: the motion, and the other channels that some terms need (Model.Needs).
type Batch struct {
	Q, DQ, DDQ      [][]float64  // one slice for each coordinate
	Load            [][]float64  // measured torque, one slice for each coordinate
	Current         [][]float64  // motor current, likewise
	Wrench          [6][]float64 // external force and moment on the link that the term names
	PayloadAttached []float64    // 1 where the payload is on its link, of several its number, and 0 where none is
	Time            []float64    // time since the run began, s
	Heat            [][]float64  // W, a slice per coordinate: the mean power that a joint is warm by
	Temperature     [][]float64  // temperature of each joint, one slice for each coordinate, in the unit of its channel
	Presliding      [][]float64  // -1 … 1, MaxWidths slices per coordinate: see States
	Contact         [2][]float64 // along each normal: 1 while the contact is closed and 0 otherwise, or a measured force
}

// checkMotion panics unless v has one slice per joint of the right length.
func (m *Model) checkMotion(name string, v [][]float64, rows int) {
	if len(v) != len(m.coords) {
		panic(fmt.Sprintf("regressor: %s has %d joints, the model %d", name, len(v), len(m.coords)))
	}
	for k := range v {
		if len(v[k]) != rows {
			panic(fmt.Sprintf("regressor: %s of joint %d has %d samples, the block %d", name, k+1, len(v[k]), rows))
		}
	}
}

// checkBatch panics if a batch has no positions and velocities, or lacks a channel that the model's terms need.
func (m *Model) checkBatch(in *Batch, rows int) {
	m.checkMotion("q", in.Q, rows)
	m.checkMotion("dq", in.DQ, rows)
	if m.needs&NeedLoad != 0 {
		m.checkMotion("load", in.Load, rows)
	}
	if m.needs&NeedCurrent != 0 {
		m.checkMotion("current", in.Current, rows)
	}
	if m.needs&NeedWrench != 0 {
		for k := range in.Wrench {
			if len(in.Wrench[k]) != rows {
				panic(fmt.Sprintf("regressor: wrench component %d has %d samples, the block %d", k+1, len(in.Wrench[k]), rows))
			}
		}
	}
	if m.needs&NeedContact != 0 {
		for _, c := range m.columns {
			if k := c.Param; c.Term == Contact && len(in.Contact[k]) != rows {
				panic(fmt.Sprintf("regressor: contact along normal %d has %d samples, the block %d", k+1, len(in.Contact[k]), rows))
			}
		}
	}
	if m.needs&NeedTime != 0 && len(in.Time) != rows {
		panic(fmt.Sprintf("regressor: %d times, the block has %d samples", len(in.Time), rows))
	}
	if m.needs&NeedHeat != 0 {
		m.checkMotion("heat", in.Heat, rows)
	}
	if m.needs&NeedTemperature != 0 {
		m.checkMotion("temperature", in.Temperature, rows)
	}
	if m.needs&NeedPresliding != 0 && len(in.Presliding) != MaxWidths*len(m.coords) {
		panic(fmt.Sprintf("regressor: %d slices of presliding, %d are needed", len(in.Presliding), MaxWidths*len(m.coords)))
	}
	if m.needs&NeedPayload != 0 && len(in.PayloadAttached) != rows {
		panic(fmt.Sprintf("regressor: %d samples say whether the payload is on, the block has %d", len(in.PayloadAttached), rows))
	}
}

// check panics if the block or the workspace was made for another model.
func (b *Block) check(m *Model, ws *Workspace) {
	if len(b.Joint) != len(m.mask) || len(ws.links) != len(m.chain.links) {
		panic(fmt.Sprintf("regressor: block of %d joints or workspace of %d links made for another model", len(b.Joint), len(ws.links)))
	}
}
