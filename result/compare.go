package result

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"ident/internal/eigen"
)

// ComparisonSchema identifies the JSON document of a Comparison.
const ComparisonSchema = "ident.compare/1"

// Significance is the probability, over all differences of a comparison together, of calling one significant if there is
// none.
const Significance = 0.05

// Comparison compares estimates of one robot. The first side is the reference: its base parameters are the rows, and
// differences are those of the others from it.
type Comparison struct {
	Schema string         `json:"schema"`
	Robot  string         `json:"robot"`
	Joints []string       `json:"joints"`
	Sides  []ComparedSide `json:"sides"`
	Logs   []ComparedLog  `json:"logs"` // logs on which every result was, or is now, validated
	// Parameters are the base parameters of the reference.
	Parameters []ComparedParameter `json:"parameters"`
	// Apart has one entry for each side after the first, over all its differences together.
	Apart        []SideDistance `json:"apart"`
	Compared     int            `json:"compared"`    // number of differences that were tested
	Significant  int            `json:"significant"` // number of significant differences
	Significance float64        `json:"significance"`
	Warnings     []string       `json:"warnings,omitempty"`
	Notes        []string       `json:"notes,omitempty"` // further words on the agreement of the sides
	// Seal is the SHA-256 of the rest of the document; absent where it is not kept in the folder of a result.
	Seal string `json:"seal,omitempty"`
}

// ComparedSide is one estimate of a comparison.
type ComparedSide struct {
	Name      string    `json:"name"`
	Robot     string    `json:"robot,omitempty"`      // name of the robot
	RobotFile bool      `json:"robot_file,omitempty"` // the side is a robot file; its numbers are taken as exact
	Runs      int       `json:"runs,omitempty"`       // number of training logs
	Model     string    `json:"model,omitempty"`
	Estimator string    `json:"estimator,omitempty"`
	Terms     []string  `json:"terms,omitempty"`
	Grade     Level     `json:"grade,omitempty"`
	Filter    string    `json:"filter,omitempty"`
	Fit       *Relative `json:"fit_relative_error_percent,omitempty"` // error on the side's own training logs, which may differ from side to side
	// FitRMSE is that error of all joints together in FitUnit, N·m or N; absent unless the training torques are below three times their noise, where per
	// cents of them say nothing.
	FitRMSE   float64    `json:"fit_rmse,omitempty"`
	FitUnit   string     `json:"fit_unit,omitempty"`
	Held      *Relative  `json:"validation_relative_error_percent,omitempty"` // error on the side's own validation logs; absent without any, or below three times the noise
	Condition *Condition `json:"condition_number,omitempty"`
	// SharesData says that a training log is also one of the reference's. The correlation of the estimates is then
	// unknown, and the standard deviation of their difference is taken as large as possible, σ₁ + σ₂.
	SharesData bool `json:"shares_data,omitempty"`
	// Only lists the base parameters of this side that the reference lacks.
	Only []string `json:"only,omitempty"`
}

// ComparedLog holds the errors of the sides on the same rows of a log.
type ComparedLog struct {
	Log        string `json:"log"`
	SameFilter bool   `json:"same_filter"` // the filters are the same; otherwise only the errors against the raw torque can be compared
	// Errors by side; null for a side that was not compared with the log.
	Errors []*Errors `json:"errors"`
}

// ComparedParameter is a base parameter of the reference with its estimate by every side.
type ComparedParameter struct {
	Name       string         `json:"name"`
	Expression string         `json:"expression"`
	Link       string         `json:"link"`
	Joint      string         `json:"joint"`
	Unit       string         `json:"unit"`
	Sides      []SideEstimate `json:"sides"`
}

// SideEstimate is the estimate of a reference's base parameter by one side, and its difference from the reference.
type SideEstimate struct {
	Value  float64 `json:"value"`
	Sigma  float64 `json:"sigma"` // 0 for a number that is exact
	Low95  float64 `json:"low95"`
	High95 float64 `json:"high95"`
	// Missing says why the side does not determine the parameter; the other fields are then 0.
	Missing    string      `json:"missing,omitempty"`
	Mapped     bool        `json:"mapped,omitempty"` // the value combines several base parameters of the side
	Removed    bool        `json:"removed,omitempty"`
	FromPrior  bool        `json:"from_prior,omitempty"` // a prior decided more than half of the value
	Difference *Difference `json:"difference,omitempty"`
}

// Difference of a side from the reference in one parameter.
type Difference struct {
	Value       float64 `json:"value"`
	Sigma       float64 `json:"sigma"`
	Deviations  float64 `json:"deviations"` // Value by Sigma
	P           float64 `json:"p"`          // probability of as large a difference by chance, two-sided
	AdjustedP   float64 `json:"adjusted_p"` // P corrected by Holm's procedure for all differences of the comparison
	Significant bool    `json:"significant"`
}

// SideDistance is the distance of a side from the reference over all parameters that both determine.
type SideDistance struct {
	Side       string `json:"side"`
	Parameters int    `json:"parameters"`
	// Deviations is √(dᵀC⁻¹d/p), with the covariance C of the differences d of p parameters: about 1 by chance.
	Deviations float64 `json:"deviations"`
	P          float64 `json:"p"` // probability of as large a distance by chance; absent where Why says so
	Why        string  `json:"why,omitempty"`
}

// ErrNotComparable is wrapped by the errors of Compare if the sides have nothing to compare.
var ErrNotComparable = errors.New("not comparable")

// Compare compares estimates; the first result among the sides is the reference. It tests differences one by one by
// Student's t with Welch's and Satterthwaite's degrees of freedom, and adjusts the probabilities for their number by the
// procedure of Holm (1979, "A simple sequentially rejective multiple test procedure"), which assumes nothing about their
// correlation. It tests all parameters of a side together by Hotelling's T² (Anderson, "An Introduction to Multivariate
// Statistical Analysis", 5.2), with the covariances of both.
func Compare(sides []Side) (*Comparison, error) {
	first := slices.IndexFunc(sides, func(s Side) bool { return s.Result != nil })
	if first < 0 || len(sides) < 2 {
		return nil, fmt.Errorf("%w: two estimates are needed, one of them a result", ErrNotComparable)
	}
	sides = slices.Concat(sides[first:first+1], sides[:first], sides[first+1:])
	ref := sides[0]
	c := &Comparison{Schema: ComparisonSchema, Robot: ref.Result.Robot.Name, Joints: ref.Result.Joints, Significance: Significance}
	var all []*projected
	for i := range sides {
		s := &sides[i]
		if err := sameRobot(&ref, s); err != nil {
			return nil, err
		}
		p, err := s.project(ref.Set)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(p.why, "") {
			return nil, fmt.Errorf("%w: %s determines none of the %d base parameters of %s: %s", ErrNotComparable, s.Name, len(p.why), ref.Name, p.why[0])
		}
		all = append(all, p)
		c.Sides = append(c.Sides, s.describe(&ref))
	}
	for k, b := range ref.Result.BaseParameters {
		row := ComparedParameter{Name: b.Name, Expression: b.Expression, Link: b.Link, Joint: b.Joint, Unit: b.Unit}
		for i := range sides {
			row.Sides = append(row.Sides, all[i].estimate(k, &sides[i], ref.Set.Columns[ref.Set.Base[k]].Name))
		}
		c.Parameters = append(c.Parameters, row)
	}
	for i := 1; i < len(sides); i++ {
		c.differences(i, all[0], all[i])
		c.Apart = append(c.Apart, c.apart(i, all[0], all[i]))
	}
	c.adjust()
	c.sharedLogs(sides)
	return c, nil
}

// List returns results side by side, in the order of their robots' names and then their own, without a comparison of
// parameters: the robots may differ.
func List(sides []Side) *Comparison {
	c := &Comparison{Schema: ComparisonSchema, Joints: []string{}, Logs: []ComparedLog{}, Parameters: []ComparedParameter{}, Apart: []SideDistance{}, Significance: Significance}
	for i := range sides {
		side := sides[i].describe(&sides[i])
		side.SharesData, side.Only = false, nil
		c.Sides = append(c.Sides, side)
	}
	slices.SortStableFunc(c.Sides, func(a, b ComparedSide) int { return cmp.Or(cmp.Compare(a.Robot, b.Robot), cmp.Compare(a.Name, b.Name)) })
	return c
}

// Robots returns the names of the robots of the sides, ascending.
func (c *Comparison) Robots() (names []string) {
	for _, s := range c.Sides {
		names = append(names, s.Robot)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// differences tests one side against the reference, parameter by parameter.
func (c *Comparison) differences(i int, ref, other *projected) {
	shares := c.Sides[i].SharesData
	for k := range c.Parameters {
		a, b := &c.Parameters[k].Sides[0], &c.Parameters[k].Sides[i]
		if a.Missing != "" || b.Missing != "" {
			continue
		}
		d := &Difference{Value: b.Value - a.Value, Sigma: math.Hypot(a.Sigma, b.Sigma)}
		if shares {
			d.Sigma = a.Sigma + b.Sigma
		}
		if d.Sigma == 0 {
			continue // two exact numbers: there is nothing to test
		}
		d.Deviations = d.Value / d.Sigma
		d.P = studentTail(d.Deviations, freedom(a.Sigma, b.Sigma, ref.freedom[k], other.freedom[k], shares))
		b.Difference = d
	}
}

// freedom returns the degrees of freedom of a difference's standard deviation by Welch and Satterthwaite, or the
// smaller one if the estimates share data.
func freedom(a, b, va, vb float64, shares bool) float64 {
	switch {
	case a == 0:
		return vb
	case b == 0:
		return va
	case shares:
		return min(va, vb)
	}
	a, b = a*a, b*b
	return (a + b) * (a + b) / (a*a/va + b*b/vb)
}

// studentTail returns the probability that a Student variable exceeds ±z.
func studentTail(z, freedom float64) float64 {
	if freedom > 1e6 {
		return math.Erfc(math.Abs(z) / math.Sqrt2)
	}
	return min(2*distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.CDF(-math.Abs(z)), 1)
}

// adjust writes Holm's adjusted probabilities: the smallest of m counts m times, the next m − 1 times, and none is
// below the one before it.
func (c *Comparison) adjust() {
	var all []*Difference
	for k := range c.Parameters {
		for i := range c.Parameters[k].Sides {
			if d := c.Parameters[k].Sides[i].Difference; d != nil {
				all = append(all, d)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *Difference) int {
		switch {
		case a.P < b.P:
			return -1
		case a.P > b.P:
			return 1
		}
		return 0
	})
	least := 0.0
	for i, d := range all {
		least = max(least, min(float64(len(all)-i)*d.P, 1))
		d.AdjustedP, d.Significant = least, least <= Significance
		if d.Significant {
			c.Significant++
		}
	}
	c.Compared = len(all)
}

// apart returns the distance of a side from the reference, by the covariance of their differences.
func (c *Comparison) apart(i int, ref, other *projected) SideDistance {
	out := SideDistance{Side: c.Sides[i].Name}
	var at []int
	least := math.Inf(1)
	for k := range c.Parameters {
		if d := c.Parameters[k].Sides[i].Difference; d != nil {
			at = append(at, k)
			least = min(least, ref.freedom[k], other.freedom[k])
		}
	}
	// Divide the differences by their standard deviations, so that the covariance has ones on its diagonal.
	n := len(at)
	if n == 0 {
		out.Why = "no parameter has a standard deviation"
		return out
	}
	cov := mat.NewSymDense(n, nil)
	d := mat.NewVecDense(n, nil)
	scale := func(k int) float64 { return math.Sqrt(variance(ref, k, k) + variance(other, k, k)) }
	for a, k := range at {
		d.SetVec(a, c.Parameters[k].Sides[i].Difference.Value/scale(k))
		for b, l := range at[:a+1] {
			cov.SetSym(a, b, (variance(ref, k, l)+variance(other, k, l))/(scale(k)*scale(l)))
		}
	}
	values, axes, ok := eigen.Scaled(cov, true)
	if !ok {
		out.Why = "the covariance has no eigenvalues"
		return out
	}
	sum := 0.0
	for j, v := range values {
		if v <= singular*values[n-1] {
			continue // a direction that constraints or a prior hold: no chance moves it
		}
		along := mat.Dot(axes.ColView(j), d)
		sum += along * along / v
		out.Parameters++
	}
	if c.Sides[i].SharesData {
		sum /= 2 // the covariance of a difference is at most 2·(C₁ + C₂), whatever the correlation
	}
	p := float64(out.Parameters)
	out.Deviations = math.Sqrt(sum / p)
	switch {
	case least > 1e6:
		out.P = distuv.ChiSquared{K: p}.Survival(sum)
	case least > p:
		out.P = distuv.F{D1: p, D2: least - p + 1}.Survival(sum * (least - p + 1) / (least * p))
	default:
		out.Why = fmt.Sprintf("too little data for a joint test of all %d parameters (%.3g degrees of freedom)", out.Parameters, least)
	}
	return out
}

// singular is the eigenvalue of a correlation matrix, relative to the largest, below which a direction is rounding: the
// covariance comes in float64 from a factor with a condition number of at most 1e6 in a usable result.
const singular = 1e-12

func variance(p *projected, i, j int) float64 {
	if p.covariance == nil {
		return 0
	}
	return p.covariance.At(i, j)
}
