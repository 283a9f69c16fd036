package regression

import (
	"ident/estimate"
	"ident/estimate/summary"
	"ident/observation"
	"ident/regressor"
)

// FixedPath is the signal path that an identification resolved, for use with other runs.
type FixedPath struct {
	Settings    observation.Settings
	Rest        string           // RestAuto, RestKeep or RestDrop
	RemoveSteps bool             // leave out samples at steps of accelerations
	Wide        bool             // reduce rows with the columns of all friction terms that can be chosen
	Offered     []regressor.Term // names of further terms whose columns the rows also have
	MaxBlocks   int              // upper limit of time blocks per run: beyond it blocks are merged; 0 for no limit
}

// follow copies the signal-path settings from c.Fixed, if set, into c.
func (c *Config) follow() {
	if c.Fixed == nil {
		return
	}
	s := &c.Fixed.Settings
	c.resolved, c.motionAuto = true, false
	c.Path, c.Model, c.Window, c.keepRate = s.Path, s.Model, s.Window, s.KeepRate
	c.Rest, c.RestRule = c.Fixed.Rest, &s.Rest
}

// settings returns the path's settings for a configuration, which may have decided on rows at rest.
func (p *FixedPath) settings(c *Config) observation.Settings {
	s := p.Settings
	s.Model, s.KeepRate, s.Rest = c.Model, c.keepRate, observation.RestRule{}
	if c.Rest != RestKeep && c.RestRule != nil {
		s.Rest = *c.RestRule
	}
	return s
}

func (p *FixedPath) choice() observation.Choice {
	return observation.Choice{Velocity: p.Settings.Velocity, VelocityLag: p.Settings.VelocityLag, Acceleration: p.Settings.Acceleration}
}

// removesSteps reports whether samples at steps of the acceleration are removed.
func (c *Config) removesSteps() bool {
	if c.Fixed != nil {
		return c.Fixed.RemoveSteps
	}
	return !c.Plain && !c.keepSteps && c.Servo == nil
}

// pathOf returns the signal path of an experiment.
func pathOf(e *experiment) *FixedPath {
	if e.cfg.Fixed != nil {
		return e.cfg.Fixed
	}
	p := &FixedPath{Settings: e.cfg.settings(), Rest: e.cfg.Rest, RemoveSteps: e.cfg.removesSteps()}
	p.Settings.Velocity, p.Settings.VelocityLag, p.Settings.Acceleration, p.Settings.RemoveLag = e.choice.Velocity, e.choice.VelocityLag, e.choice.Acceleration, false
	return p
}

// coarsened returns r with its time blocks merged to at most the path's MaxBlocks.
func coarsened(e *experiment, r reduction) reduction {
	if e.cfg.Fixed == nil || e.cfg.Fixed.MaxBlocks == 0 {
		return r
	}
	out := reduction{sum: estimate.NewReduction(r.sum.Columns(), r.sum.Masks()), added: r.added}
	var work estimate.Work
	for i, blocks := range blocksByRun(r, e.training) {
		for _, b := range summary.CoarsenBlocks(blocks, e.cfg.Fixed.MaxBlocks, &work) {
			out.sum.Append(estimate.TimeBlock{Run: i, Joints: b.Joints, State: b.State})
			out.rest = append(out.rest, estimate.TimeBlock{Run: i, Joints: b.AtRest})
		}
	}
	return out
}

// blocksByRun returns the time blocks of a reduction by run, in the form of summaries.
func blocksByRun(r reduction, runs int) [][]summary.Block {
	out := make([][]summary.Block, runs)
	for i, b := range r.sum.Blocks() {
		out[b.Run] = append(out[b.Run], summary.Block{Joints: b.Joints, AtRest: r.rest[i].Joints, State: b.State})
	}
	return out
}
