package project

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/datasets"
	"ident/identify/regression"
	"ident/regressor"
	"ident/robot"
)

// WithoutGravity is the value of the setting torque for logs whose driver has subtracted gravity.
const WithoutGravity = "gravity-compensated"

// wholeTorque is the prefix, before the joint's number, of the channels that hold such torques plus the gravity of the
// robot file's bodies.
const wholeTorque = "whole_torque"

// addGravity adds gravity to the torques of logs without it: the weight of the robot file's bodies at the logged
// positions, assuming the driver uses the same model.
func (s *Session) addGravity(ctx context.Context, p *Settings) error {
	if p.Torque != WithoutGravity && (p.Torque != "" || !datasets.PresetGravityCompensated(p.Preset)) {
		return nil
	}
	g, err := newFileGravity(s.Robot)
	if err != nil {
		return err
	}
	for i := range s.Runs {
		if err := g.addTo(ctx, &s.Runs[i]); err != nil {
			return err
		}
	}
	alone, err := throughGravityAlone(s.Robot, p.Seed)
	if err != nil {
		return err
	}
	text := "{torque} gravity-compensated: the gravity of the robot file's bodies is added to the torques; it must be what the driver took out"
	if len(alone) > 0 {
		text += fmt.Sprintf("; %s act through gravity alone: this log does not determine them, and they keep the values of the file", strings.Join(alone, ", "))
	}
	s.Notes = append(s.Notes, text)
	return nil
}

// fileGravity evaluates the torques that hold a robot file's bodies at rest.
type fileGravity struct {
	model  *regressor.Model
	values []float64
	block  *regressor.Block
	ws     *regressor.Workspace
	still  [][]float64 // zeros, a joint each
	torque [][]float64
}

// gravityBatch is the number of rows evaluated at once.
const gravityBatch = 1024

func newFileGravity(r *robot.Robot) (*fileGravity, error) {
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
	if err != nil {
		return nil, err
	}
	g := &fileGravity{model: m, values: make([]float64, len(m.Columns())), block: m.NewBlock(gravityBatch), ws: m.NewWorkspace()}
	heavy := false
	for c, col := range m.Columns() {
		if v, ok := regressor.ValueOf(r, col); ok {
			g.values[c], heavy = v, heavy || v != 0
		}
	}
	if !heavy || r.Gravity == [3]float64{} {
		return nil, wrong("torque", WithoutGravity, "{torque} gravity-compensated: the robot file has no bodies, or no gravity, to compute what the driver took out; {gravity} 0,0,0 fits what is left")
	}
	for range m.Joints() {
		g.still, g.torque = append(g.still, make([]float64, gravityBatch)), append(g.torque, make([]float64, gravityBatch))
	}
	return g, nil
}

// addTo maps a run to channels that include gravity.
func (g *fileGravity) addTo(ctx context.Context, run *regression.Run) error {
	roles := &run.Roles
	from := roles.Tau
	if run.Gains != nil {
		from = roles.Current
	}
	if len(roles.Q) != g.model.Joints() || slices.Contains(roles.Q, "") || slices.Contains(from, "") {
		return wrong("torque", WithoutGravity, "%s: {torque} gravity-compensated needs a position and a torque, or a current with its gain, of every joint", run.Name)
	}
	n := len(roles.Q)
	made := make([][]float64, n)
	err := run.Log.Scan(append(slices.Clone(roles.Q), from...), 0, func(_ int, cols [][]float64) error {
		for k := range made {
			made[k] = append(made[k], cols[n+k]...)
		}
		for at := 0; at < len(cols[0]); at += gravityBatch {
			rows := min(gravityBatch, len(cols[0])-at)
			in := regressor.Batch{}
			for k := range n {
				in.Q, in.DQ, in.DDQ = append(in.Q, cols[k][at:at+rows]), append(in.DQ, g.still[k][:rows]), append(in.DDQ, g.still[k][:rows])
			}
			g.block.Resize(rows)
			g.model.EvalBatch(g.block, in, g.ws)
			g.model.Predict(g.torque, g.block, g.values)
			for k := range made {
				per := 1.0
				if run.Gains != nil {
					per = 1 / run.Gains[k]
				}
				to := made[k][len(made[k])-len(cols[0])+at:]
				for i, v := range g.torque[k][:rows] {
					to[i] += per * v
				}
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	whole := make([]string, n)
	for k := range made {
		if whole[k] = fmt.Sprintf("%s%d", wholeTorque, k+1); run.Log.Has(whole[k]) {
			return wrong("torque", WithoutGravity, "%s: it has a channel %s already; with the whole torques in the log, leave {torque} gravity-compensated out", run.Name, whole[k])
		}
		run.Log = run.Log.WithColumn(datasets.Channel{Name: whole[k]}, made[k])
	}
	if run.Gains != nil {
		roles.Current = whole
	} else {
		roles.Tau = whole
	}
	return nil
}

// throughGravityAlone returns the names of the robot's base parameters that no motion without gravity determines.
func throughGravityAlone(r *robot.Robot, seed uint64) ([]string, error) {
	base := func(g [3]float64) (*regressor.Model, []int, error) {
		c := r.Clone()
		c.Gravity = g
		m, err := regressor.NewDynamic(c, []regressor.Term{regressor.Links})
		if err != nil {
			return nil, nil, err
		}
		return m, baseparams.QR(m, baseparams.Options{Seed: seed}).Base, nil
	}
	m, with, err := base(r.Gravity)
	if err != nil {
		return nil, err
	}
	_, without, err := base([3]float64{})
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range with {
		if !slices.Contains(without, c) {
			out = append(out, m.Columns()[c].Name)
		}
	}
	return out, nil
}
