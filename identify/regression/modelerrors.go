package regression

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"ident/baseparams"
	"ident/estimate"
	"ident/internal/triangle"
	"ident/regressor"
	"ident/result"
)

// Families of model errors that a fit looks for: ranges of the added terms, by joint. Scale errors have no added term.
var modelErrorFamilies = []struct {
	cause       string
	first, last int // of the added terms
}{
	{result.FrictionError, 0, frictionTerms},
	{result.DriftError, frictionTerms, frictionTerms + driftTerms},
	{result.HarmonicError, frictionTerms + driftTerms, frictionTerms + driftTerms + harmonicTerms},
	{result.PreslidingError, frictionTerms + driftTerms + harmonicTerms, addedTerms},
	{result.ScaleError, 0, 0},
}

// modelErrorChance is the significance up to which a family widens intervals. It is generous: an absent family hardly
// moves the parameters, while a missed error costs coverage. The verdict is stricter (result.ModelErrorChance).
const modelErrorChance = 0.1

// Prior standard deviations of the added columns: their torque is at most about twice the residuals', and gains are off
// by some per cent. Otherwise a column that nearly depends on the model's would take over their parameters without any
// gain.
const (
	mostAdded = 2
	mostScale = 0.05
)

// modelErrors estimates the parameters with the columns that the model may lack, from the joints' factors with added
// terms. Each joint is weighted by its own residual variance, including the correlation of the samples. A family counts
// if its columns explain more of the residuals than chance (F test). The change of the parameters is then the bias of
// leaving it out (omitted variables; Hausman 1978).
//
// Drive gains are columns of the currents: their rows are those of the last step, and the scales of torques are the gains' own.
func (e *experiment) modelErrors(factors []*triangle.Factor, set *baseparams.Set, of estimated) *result.ModelErrors {
	s, gains := of.Solution, of.estimator == estimate.Gains{}.Name()
	if factors == nil || e.cfg.Plain || e.cfg.Estimator != nil && !gains || s.Stack == nil || s.Rank < len(s.X) || len(s.Sigma) != e.model.Joints() {
		return nil
	}
	if gains {
		factors = gainsOf(set).Linearised(factors, shape(e.cfg.Model, e.model), s.X)
	}
	without, rows, ok := e.withErrors(factors, s, nil)
	if !ok {
		return nil
	}
	out := &result.ModelErrors{}
	var found []int
	for i, family := range modelErrorFamilies {
		if gains && family.cause == result.ScaleError {
			continue
		}
		with, _, ok := e.withErrors(factors, s, []int{i})
		if !ok {
			continue
		}
		d := float64(with.columns)
		free := rows - float64(len(s.X)) - d
		if d == 0 || free < 1 {
			continue
		}
		p := distuv.F{D1: d, D2: free}.Survival(max(without.rss-with.rss, 0) / d / max(without.rss/(rows-float64(len(s.X))), 1))
		if !(p < modelErrorChance) {
			continue
		}
		found = append(found, i)
		c := result.ModelError{Cause: family.cause, P: p}
		c.ShiftSigma, c.Parameter = worstShift(set, without.x, with.x, s)
		out.Causes = append(out.Causes, c)
	}
	if !slices.Contains(found, harmonicFamily) && !gains {
		out.Allowance = e.allowance(factors, s)
	}
	if len(found) == 0 {
		if out.Allowance == nil {
			return nil
		}
		out.Shift = make([]float64, len(s.X))
		return out
	}
	with, _, ok := e.withErrors(factors, s, found)
	if !ok {
		return nil
	}
	for i := range s.X {
		out.Shift = append(out.Shift, (with.x[i]-without.x[i])/math.Sqrt(s.Covariance[i][i]))
	}
	slices.SortStableFunc(out.Causes, func(a, b result.ModelError) int {
		switch {
		case a.ShiftSigma > b.ShiftSigma:
			return -1
		case a.ShiftSigma < b.ShiftSigma:
			return 1
		}
		return 0
	})
	return out
}

// harmonicFamily is the index of the harmonics in modelErrorFamilies.
const harmonicFamily = 2

// usualHarmonic is the part of a joint's torque (root mean square) that gears and bearings typically make at twice and
// three times the joint's angle, unnoticed.
const usualHarmonic = 0.005

// allowance returns, by parameter, the factor on its standard deviation for harmonics too small to show in the
// residuals: the standard deviation with their columns, of prior size usualHarmonic, over that without. The first
// harmonic is left out because gravity has it too.
func (e *experiment) allowance(factors []*triangle.Factor, s *estimate.Solution) []float64 {
	const first = frictionTerms + driftTerms + 2
	const each = harmonicTerms - 2
	p := len(s.X)
	alone, beside := triangle.New(p), triangle.New(p+each*len(factors))
	var work triangle.Work
	for k, f := range factors {
		weight := 1 / (s.Sigma[k] * math.Sqrt(s.VarianceInflation[k]))
		cols := make([][]float64, beside.N)
		for i := range cols {
			cols[i] = make([]float64, f.N)
		}
		for at, c := range e.model.Mask(k) {
			column(f, at, weight, cols[c])
		}
		// If all torques are zero, as with drive gains among the columns, there are no harmonics: the columns stay zero,
		// with a prior of one.
		deviation := 1.0
		if size := math.Sqrt((norm(f.Z)*norm(f.Z) + f.RSS) / float64(f.Rows)); size > 0 {
			deviation = usualHarmonic * size
			for j := range each {
				column(f, f.N-addedTerms+first+j, weight, cols[p+k*each+j])
			}
		}
		y := make([]float64, f.N)
		alone.Add(cols[:p], y, &work)
		beside.Add(cols, y, &work)
		for j := range each {
			hold(beside, p+k*each+j, deviation, &work)
		}
	}
	before, after := inverseNorms(alone, p), inverseNorms(beside, p)
	if before == nil || after == nil {
		return nil
	}
	for i := range after {
		after[i] /= before[i]
	}
	return after
}

// inverseNorms returns the norms of the first rows of R⁻¹: the standard deviations of these parameters for unit noise.
// It returns nil if the factor is singular.
func inverseNorms(f *triangle.Factor, first int) []float64 {
	n := f.N
	inverse := make([]float64, n) // a column of it
	out := make([]float64, first)
	for c := range n {
		for i := c; i >= 0; i-- {
			v := 0.0
			if i == c {
				v = 1
			}
			for j := i + 1; j <= c; j++ {
				v -= f.R[i*n+j] * inverse[j]
			}
			if f.R[i*n+i] == 0 {
				return nil
			}
			inverse[i] = v / f.R[i*n+i]
			if i < first {
				out[i] = math.Hypot(out[i], inverse[i])
			}
		}
	}
	return out
}

// worstShift returns the largest change of a parameter of bodies, payloads or gains, in standard deviations, and the
// parameter's name.
func worstShift(set *baseparams.Set, without, with []float64, s *estimate.Solution) (worst float64, name string) {
	for k, c := range set.Base {
		if !slices.Contains([]regressor.Term{regressor.Links, regressor.Payload, regressor.Gain}, set.Columns[c].Term) || !(s.Covariance[k][k] > 0) {
			continue
		}
		if v := math.Abs(with[k]-without[k]) / math.Sqrt(s.Covariance[k][k]); v > worst {
			worst, name = v, set.Name(k)
		}
	}
	return worst, name
}

// extended is a least-squares fit with the columns of some families added.
type extended struct {
	x       []float64 // of the model's columns
	rss     float64   // in variances of independent rows
	columns int       // added
}

// withErrors fits the model's columns together with those of families; rows is the number of independent rows.
func (e *experiment) withErrors(factors []*triangle.Factor, s *estimate.Solution, families []int) (out extended, rows float64, ok bool) {
	each := 0 // added columns per joint
	for _, i := range families {
		each += max(modelErrorFamilies[i].last-modelErrorFamilies[i].first, 1)
	}
	p := len(s.X)
	n := p + each*len(factors)
	whole := triangle.New(n)
	var work triangle.Work
	for k, f := range factors {
		variance := s.Sigma[k] * s.Sigma[k] * s.VarianceInflation[k]
		if !(variance > 0) {
			return out, 0, false
		}
		weight := 1 / math.Sqrt(variance)
		cols := make([][]float64, n)
		for i := range cols {
			cols[i] = make([]float64, f.N)
		}
		for at, c := range e.model.Mask(k) {
			column(f, at, weight, cols[c])
		}
		at := p + k*each
		for _, i := range families {
			family := modelErrorFamilies[i]
			if family.last == family.first { // the torque that the model predicts
				for from, c := range e.model.Mask(k) {
					for row := range from + 1 {
						cols[at][row] += weight * f.R[row*f.N+from] * s.X[c]
					}
				}
				at++
			}
			for j := family.first; j < family.last; j++ {
				column(f, f.N-addedTerms+j, weight, cols[at])
				at++
			}
		}
		y := make([]float64, f.N)
		for i, z := range f.Z {
			y[i] = weight * z
		}
		whole.Add(cols, y, &work)
		whole.RSS += weight * weight * f.RSS
		rows += float64(f.Rows) / s.VarianceInflation[k]
		own := float64(f.Rows) / s.VarianceInflation[k]
		at = p + k*each
		for _, i := range families {
			for range max(modelErrorFamilies[i].last-modelErrorFamilies[i].first, 1) {
				deviation := mostScale
				if modelErrorFamilies[i].cause != result.ScaleError {
					deviation = mostAdded * math.Sqrt(own) / norm(cols[at])
				}
				if hold(whole, at, deviation, &work); !math.IsInf(deviation, 0) {
					out.columns++
				}
				at++
			}
		}
	}
	x, ok := whole.Solve()
	out.x, out.rss = x[:p], whole.RSS
	return out, rows, ok
}

// hold adds a row that draws the parameter of an added column to zero, with its prior standard deviation.
func hold(whole *triangle.Factor, at int, deviation float64, work *triangle.Work) {
	row := make([][]float64, whole.N)
	for j := range row {
		row[j] = []float64{0}
	}
	row[at][0] = 1
	if !math.IsInf(deviation, 0) {
		row[at][0] = 1 / deviation
	}
	whole.Add(row, []float64{0}, work)
}

func norm(v []float64) float64 {
	n := 0.0
	for _, x := range v {
		n = math.Hypot(n, x)
	}
	return n
}

// column writes a factor's column, multiplied by a weight, to out.
func column(f *triangle.Factor, at int, weight float64, out []float64) {
	for row := range at + 1 {
		out[row] = weight * f.R[row*f.N+at]
	}
}
