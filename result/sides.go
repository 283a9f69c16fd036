package result

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/regressor"
	"ident/robot"
)

// Side is an estimate in a comparison: a result over the base parameters of Set, or the parameters of a robot file, if
// Result and Set are nil.
type Side struct {
	Name   string
	Result *Result
	Set    *baseparams.Set
	// Robot is the fitted robot with its joints locked; for a robot file, locked as in the result with which it is
	// compared.
	Robot *robot.Robot
}

// projected holds the base parameters of one side in terms of the reference's set: values, covariance and degrees of
// freedom, and for undetermined ones the reason.
type projected struct {
	value      []float64
	covariance *mat.SymDense // nil for a robot file, whose numbers are exact
	freedom    []float64     // +Inf for a normal distribution
	why        []string      // "" where the parameter is determined
}

// relationTolerance is the difference of two coefficients of a regrouping relation that rounding explains, relative to
// the largest coefficient. QR calls columns dependent if their residuals are below 1e-9 of their norm, and a coefficient
// is such a residual over the norm of a kept column.
const relationTolerance = 1e-8

// project expresses the reference's base parameters by those of a side. A side with relations B determines a base
// parameter K = e·χ of the reference (e over the standard parameters χ) if e = t·B has a solution: then K = t·x with
// variance t·C·tᵀ. B is an identity on its kept columns, so t equals e there, and the other columns decide whether it is
// a solution.
func (s *Side) project(reference *baseparams.Set) (*projected, error) {
	n := reference.Count()
	p := &projected{value: make([]float64, n), freedom: make([]float64, n), why: make([]string, n)}
	if s.Set == nil {
		s.fromFile(reference, p)
		return p, nil
	}
	if len(s.Result.BaseParameters) != s.Set.Count() || len(s.Result.Covariance) != s.Set.Count() {
		return nil, fmt.Errorf("%s: %d base parameters and a covariance of %d rows over a set of %d", s.Name, len(s.Result.BaseParameters), len(s.Result.Covariance), s.Set.Count())
	}
	own := relations(s.Set)
	t := mat.NewDense(n, s.Set.Count(), nil)
	for k, want := range relations(reference) {
		p.freedom[k] = math.Inf(1)
		got := map[string]float64{}
		for j, b := range s.Set.Base {
			c := want[s.Set.Columns[b].Name]
			if c == 0 {
				continue
			}
			t.Set(k, j, c)
			x := s.Result.BaseParameters[j]
			p.value[k] += c * x.Value
			if x.DegreesOfFreedom > 0 {
				p.freedom[k] = min(p.freedom[k], x.DegreesOfFreedom)
			}
			for name, b := range own[j] {
				got[name] += c * b
			}
		}
		p.why[k] = s.undetermined(reference, want, got)
	}
	x := mat.NewSymDense(s.Set.Count(), nil)
	for i, row := range s.Result.Covariance {
		for j := range row[:i+1] {
			x.SetSym(i, j, row[j])
		}
	}
	var tx, full mat.Dense
	tx.Mul(t, x)
	full.Mul(&tx, t.T())
	p.covariance = mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			p.covariance.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
	}
	return p, nil
}

// undetermined returns why a side does not determine a combination of standard parameters, or "" if it does.
func (s *Side) undetermined(reference *baseparams.Set, want, got map[string]float64) string {
	largest := 1.0
	for _, c := range want {
		largest = max(largest, math.Abs(c))
	}
	names, terms := map[string]bool{}, map[regressor.Term]bool{}
	for _, c := range s.Set.Columns {
		names[c.Name], terms[c.Term] = true, true
	}
	for _, c := range reference.Columns {
		if want[c.Name] != 0 && !terms[c.Term] {
			return fmt.Sprintf("the model of %s has no %s", s.Name, c.Term)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !names[name] {
			return fmt.Sprintf("the model of %s has no %s", s.Name, name)
		}
		if math.Abs(want[name]-got[name]) > relationTolerance*largest {
			return fmt.Sprintf("%s regroups %s otherwise", s.Name, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok && math.Abs(got[name]) > relationTolerance*largest {
			return fmt.Sprintf("%s regroups %s onto it", s.Name, name)
		}
	}
	return ""
}

// fromFile takes the parameters of a robot file, which have no standard deviations.
func (s *Side) fromFile(reference *baseparams.Set, p *projected) {
	copy(p.value, FileParameters(s.Robot, reference))
	given := Given(s.Robot, reference)
	lacks := map[string]regressor.Term{}
	for i, c := range reference.Columns {
		if !given[i] {
			lacks[c.Name] = c.Term
		}
	}
	for k, want := range relations(reference) {
		p.freedom[k] = math.Inf(1)
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if term, ok := lacks[name]; ok && p.why[k] == "" {
				p.why[k] = fmt.Sprintf("%s gives no %s", s.Name, term)
			}
		}
	}
}

// FileParameters returns the base parameters of a robot file; standard parameters that it lacks count as zero.
func FileParameters(r *robot.Robot, set *baseparams.Set) []float64 {
	chi := make([]float64, len(set.Columns))
	for i, c := range set.Columns {
		chi[i], _ = regressor.ValueOf(r, c)
	}
	return set.FromStandard(chi)
}

// Given reports, for each column of a set, whether a robot file gives its parameter.
func Given(r *robot.Robot, set *baseparams.Set) []bool {
	out := make([]bool, len(set.Columns))
	for i, c := range set.Columns {
		_, out[i] = regressor.ValueOf(r, c)
	}
	return out
}

// relations returns, for each base parameter of a set, its coefficients by the names of standard parameters.
func relations(set *baseparams.Set) []map[string]float64 {
	out := make([]map[string]float64, set.Count())
	for k, c := range set.Base {
		out[k] = map[string]float64{set.Columns[c].Name: 1}
		for d, b := range set.Beta[k] {
			if b != 0 {
				out[k][set.Columns[set.Dependent[d]].Name] = b
			}
		}
	}
	return out
}
