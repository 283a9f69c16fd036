package estimate

// Diagnosis holds the tests of a fit beyond its deviations.
type Diagnosis struct {
	Residuals       []ResidualTest   `json:"residuals,omitempty"` // by joint
	Runs            *RunsTest        `json:"runs,omitempty"`      // several training runs
	CrossValidation *CrossValidation `json:"cross_validation,omitempty"`
	Terms           []TermTest       `json:"terms,omitempty"` // by joint: terms beyond the model's
	Bootstrap       *Bootstrap       `json:"bootstrap,omitempty"`
}

// Diagnose compares the runs behind a reduction and cross-validates them.
func (r *Reduction) Diagnose(weighting Weighting) (*Diagnosis, error) {
	d := new(Diagnosis)
	var err error
	if d.Runs, err = r.CompareRuns(); err != nil {
		return nil, err
	}
	d.CrossValidation, err = r.CrossValidate(weighting)
	return d, err
}

// TermTest holds the shares of one joint's residuals that terms beyond those of the
// model would explain.
type TermTest struct {
	Friction Explained `json:"friction"` // other curves over velocity
	Drift    Explained `json:"drift"`    // offset and friction that change with time
}

// Explained is the share of a joint's residual power that added columns explain.
type Explained struct {
	Percent float64 `json:"percent"`
	P       float64 `json:"p"` // probability of so much by chance, correlation counted
}

// chance is the significance level of added terms: one in a thousand, since some tens
// of them are tested.
const chance = 1e-3

// Significant reports whether so much is more than chance.
func (e Explained) Significant() bool { return e.P <= chance }
