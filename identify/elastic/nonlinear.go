package elastic

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"ident/baseparams"
	"ident/regressor"
)

// shownLevel is the probability, for each parameter, that noise alone is taken for cubic stiffness or hysteresis. With
// about fourteen such parameters in an arm, none is accepted in 97 of 100 logs of linear springs.
const shownLevel = 0.002

// withFile adds the terms for which the robot file's springs have values. A fit without them would leave them in the
// residuals.
func (t Terms) withFile(springs []Spring) Terms {
	for _, s := range springs {
		t.Cubic = t.Cubic || s.Cubic != 0
		t.WindUp = t.WindUp || s.Hysteresis != 0
	}
	return t
}

// unshown returns the cubic stiffnesses and hystereses that a fit cannot tell from zero, as indices of the base
// parameters, with a note for each. If they were kept, they would absorb noise and widen the interval of the stiffness.
func (f *Fit) unshown() (at []int, notes []string) {
	for k, p := range f.Parameters {
		c := f.Base.Columns[f.Base.Base[k]]
		kind := map[regressor.Term]string{regressor.Cubic: "cubic stiffness", regressor.WindUp: "hysteresis"}[c.Term]
		if kind == "" {
			continue
		}
		chance := 2 * distuv.StudentsT{Sigma: 1, Nu: p.Freedom}.Survival(math.Abs(p.Value)/p.Sigma)
		if chance < shownLevel && (p.Value > 0 || c.Term == regressor.Cubic) { // friction is positive
			continue
		}
		at = append(at, k)
		notes = append(notes, fmt.Sprintf("joint %q: the logs show no %s, %.3g ± %.2g %s; it is taken as zero", p.Owner, kind, p.Value, p.Sigma, p.Unit))
	}
	return at, notes
}

// less returns a model and its base set without some base parameters, which are taken as zero.
func less(full *regressor.Model, set *baseparams.Set, without []int) (*regressor.Model, *baseparams.Set) {
	drop := map[int]bool{}
	var columns, kept []int
	for _, k := range without {
		columns = append(columns, set.Base[k])
		drop[set.Base[k]] = true
	}
	for c := range set.Columns {
		if !drop[c] {
			kept = append(kept, c)
		}
	}
	return full.Select(kept), set.Without(columns)
}

// BaseOf returns the base parameters of a fit of a machine with its terms, without the spring terms that the fit did not estimate.
func BaseOf(ctx context.Context, m *Machine, t Terms, parameters []string) (*regressor.Model, *baseparams.Set, error) {
	full, set, err := m.Base(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	var zero []int
	for k, c := range set.Base {
		term := set.Columns[c].Term
		if (term == regressor.Cubic || term == regressor.WindUp) && !slices.Contains(parameters, set.Name(k)) {
			zero = append(zero, k)
		}
	}
	full, set = less(full, set, zero)
	return full, set, nil
}
