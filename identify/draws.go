package identify

import (
	"context"
	"fmt"
	"math"
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
	// DeviationRatio is, by base parameter, the standard deviation of the draws over that of the fit: below one where the
	// prior and feasibility say more than the data. Null for one that the fit knows exactly, or for a single draw.
	DeviationRatio []*float64 `json:"deviation_ratio"`
	// FlatPrior is true if the prior has no part in the base parameters: each draw has those of one estimate drawn from the
	// fit's covariance, or the nearest that bodies have.
	FlatPrior bool `json:"flat_prior,omitempty"`
}

// narrow is the ratio of deviations below which draws are told to be narrower than the fit: with it 95 % intervals of the
// draws are 80 % ones of the fit, and of 1,000 draws chance leaves 0.95.
const narrow = 0.65

// Narrower says in a sentence where the draws are narrower than the fit, "" if nowhere.
func (d *DrawsDocument) Narrower() string {
	count, least := 0, -1
	for k, r := range d.DeviationRatio {
		if r == nil || *r >= narrow {
			continue
		}
		if count++; least < 0 || *r < *d.DeviationRatio[least] {
			least = k
		}
	}
	if count == 0 {
		return ""
	}
	decides := "the prior and feasibility decide"
	if d.FlatPrior {
		decides = "feasibility decides"
	}
	return fmt.Sprintf("%d of %d base parameters vary less than the fit's standard deviation says, as %s there: least %s, %.2g of it",
		count, len(d.BaseNames), decides, d.BaseNames[least], *d.DeviationRatio[least])
}

// deviationRatios returns the standard deviations of draws over those of the fit.
func deviationRatios(base, covariance [][]float64) []*float64 {
	out := make([]*float64, len(covariance))
	for k := range out {
		if !(covariance[k][k] > 0) || len(base) < 2 {
			continue
		}
		var mean, square float64
		for _, x := range base {
			mean += x[k] / float64(len(base))
		}
		for _, x := range base {
			square += (x[k] - mean) * (x[k] - mean)
		}
		ratio := math.Sqrt(square / float64(len(base)-1) / covariance[k][k])
		out[k] = &ratio
	}
	return out
}

// DrawOptions say what is drawn.
type DrawOptions struct {
	Count int
	Seed  uint64
	// Deviation is the prior's relative standard deviation of parameters that the data do not determine; 0 means
	// draws.DefaultDeviation.
	Deviation float64
	Flat      bool // of DrawsDocument.FlatPrior
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
	d := &DrawsDocument{Schema: DrawsSchema, Robot: f.Result.Robot.Name, Seed: opt.Seed, FlatPrior: opt.Flat, Deviation: 100 * opt.Deviation, Files: []string{}}
	if opt.Deviation == 0 {
		d.Deviation = 100 * draws.DefaultDeviation
	}
	drawn, err := draws.Draw(ctx, &draws.Posterior{Set: f.Set, Robot: f.Robot, Standard: id.Standard(), Covariance: f.Result.Covariance, Deviation: opt.Deviation, Flat: opt.Flat}, opt.Count, opt.Seed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Folder, err)
	}
	d.Mixing, d.Standard, d.Base = drawn.Mixing, drawn.Standard, drawn.Base
	d.DeviationRatio = deviationRatios(d.Base, f.Result.Covariance)
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
