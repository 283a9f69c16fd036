package identify

import (
	"context"
	"fmt"
	"slices"

	"ident/internal/hint"
	"ident/physical/draws"
	"ident/regressor"
	"ident/result"
)

// DrawsSchema is the version of DrawsDocument.
const DrawsSchema = "ident.draws/1"

// DrawsDocument is robots that were drawn from a result.
type DrawsDocument struct {
	Schema    string       `json:"schema"`
	Robot     string       `json:"robot"`
	Seed      uint64       `json:"seed"`
	Deviation float64      `json:"prior_deviation_percent"` // relative standard deviation of parameters that the data do not determine
	Mixing    draws.Mixing `json:"mixing"`
	Names     []string     `json:"names"`      // names of the standard parameters
	BaseNames []string     `json:"base_names"` // names of the base parameters
	Files     []string     `json:"files"`      // robot file of each draw; empty if no files were written
	Standard  [][]float64  `json:"standard"`   // standard parameters of each draw
	Base      [][]float64  `json:"base"`       // base parameters of each draw
}

// DrawOptions say what is drawn.
type DrawOptions struct {
	Count int
	Seed  uint64
	// Deviation is the prior's relative standard deviation of parameters that the data do not determine; 0 means
	// draws.DefaultDeviation.
	Deviation float64
}

// Draw draws feasible robots from what a result knows. The middle one is the exported robot. Results of elastic joints,
// of estimated drive gains, and of models with payloads or other bodies beside the links have no draws.
func (s *Saved) Draw(ctx context.Context, opt DrawOptions) (*DrawsDocument, error) {
	if s.Elastic() {
		return nil, ErrElastic
	}
	f := s.Fitted
	if len(f.Result.Gains) > 0 {
		return nil, fmt.Errorf("%s: the result has estimated drive gains: give them as the setting gains, fit again, and draw from that result", s.Folder)
	}
	if len(f.Result.Covariance) != f.Set.Count() {
		return nil, fmt.Errorf("%s: the result has no covariance of its base parameters, from which robots are drawn", s.Folder)
	}
	for _, c := range f.Set.Columns {
		if c.Term == regressor.Payload || c.Body > 0 {
			return nil, hint.Errorf("terms", "", "%s: the model has a payload, which is no part of the robot: fit the runs without it ({terms}), and draw from that result", s.Folder)
		}
	}
	id := f.Identified()
	d := &DrawsDocument{Schema: DrawsSchema, Robot: f.Result.Robot.Name, Seed: opt.Seed, Deviation: 100 * opt.Deviation, Files: []string{}}
	if opt.Deviation == 0 {
		d.Deviation = 100 * draws.DefaultDeviation
	}
	drawn, err := draws.Draw(ctx, &draws.Posterior{Set: f.Set, Robot: f.Robot, Standard: id.Standard(), Covariance: f.Result.Covariance, Deviation: opt.Deviation}, opt.Count, opt.Seed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Folder, err)
	}
	d.Mixing, d.Standard, d.Base = drawn.Mixing, drawn.Standard, drawn.Base
	for k, c := range f.Set.Columns {
		d.Names = append(d.Names, c.Name)
		if slices.Contains(f.Set.Base, k) {
			d.BaseNames = append(d.BaseNames, f.Set.Name(len(d.BaseNames)))
		}
	}
	return d, nil
}

// Drawn returns the robot of a draw.
func (s *Saved) Drawn(d *DrawsDocument, draw int) *result.Identified {
	f := s.Fitted
	id := result.NewIdentifiedFrom(f.Source, f.Robot, f.Set, d.Base[draw], d.Standard[draw])
	id.Robot.Name = f.Result.Robot.Name
	return id
}
