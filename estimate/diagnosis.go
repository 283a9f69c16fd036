package estimate

// Diagnosis holds the tests of a fit.
type Diagnosis struct {
	Residuals       []ResidualTest   `json:"residuals,omitempty"` // by joint
	Runs            *RunsTest        `json:"runs,omitempty"`      // agreement of several training runs; nil with one run
	CrossValidation *CrossValidation `json:"cross_validation,omitempty"`
	Terms           []TermTest       `json:"terms,omitempty"` // by joint: friction or drift that the model lacks
	Bootstrap       *Bootstrap       `json:"bootstrap,omitempty"`
}

// Diagnose compares the runs in a reduction and cross-validates them.
func (r *Reduction) Diagnose(weighting Weighting) (*Diagnosis, error) {
	d := new(Diagnosis)
	var err error
	if d.Runs, err = r.CompareRuns(); err != nil {
		return nil, err
	}
	d.CrossValidation, err = r.CrossValidate(weighting)
	return d, err
}

// TermTest holds the parts of one joint's residuals that terms outside the model would explain.
type TermTest struct {
	Friction Explained `json:"friction"` // another friction curve over velocity
	Drift    Explained `json:"drift"`    // offset and friction that change with time
}

// Explained is the share of a joint's residual power that added columns explain.
type Explained struct {
	Percent float64 `json:"percent"`
	P       float64 `json:"p"` // probability that chance explains as much; correlation is taken into account
}

// chance is the significance level for added terms: one in a thousand, because some tens of them are tested.
const chance = 1e-3

// Significant reports whether the columns explain more than chance would.
func (e Explained) Significant() bool { return e.P <= chance }
