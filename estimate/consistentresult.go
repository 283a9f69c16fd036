package estimate

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/robot"
)

// pressing is the force, in half squared deviations for the size of the prior,
// from which on a bound is said to hold a parameter back.
const pressing = 0.1

// unchanged is the outcome where the estimate itself is possible.
func (c *consistency) unchanged(s *Solution, h *path, chi []float64) *Consistent {
	out := c.out
	out.Standard, out.Base, out.Possible = chi, append([]float64(nil), s.X...), true
	out.Iterations = h.steps
	out.PriorShare = c.priorShare(s, h)
	return &out
}

// found is the outcome where it is not.
func (c *consistency) found(s *Solution, h *path, opt ConsistentOptions) *Consistent {
	out := c.out
	out.Standard = c.standard(h.z)
	out.Base = c.set.FromStandard(out.Standard)
	out.Distance = mahalanobis(s.Covariance, out.Base, s.X)
	out.Objective, out.Gap, out.Iterations = c.objective(h.z, opt.Weight), h.gap(), h.steps
	out.PriorShare = c.priorShare(s, h)
	n := 0
	for k := range c.blocks {
		b := &c.blocks[k]
		switch b.kind {
		case body:
			x := sym4(h.z[b.at : b.at+10])
			e := newSpectrum(&x)
			if v := e.least(); h.nu/v+h.mu/(v-c.margin) > pressing {
				out.AtBound = append(out.AtBound, c.links[n])
			}
			n++
		case positive:
			if (h.nu+h.mu)/h.z[b.at] > pressing {
				out.ZeroDrives = append(out.ZeroDrives, c.column[k])
			}
		}
	}
	return &out
}

// priorShare is, of each base parameter, the part of its variance from the
// rows alone that prior and bounds take away: near zero where the data decide
// and near one where they do not.
func (c *consistency) priorShare(s *Solution, h *path) []float64 {
	share := make([]float64, len(s.X))
	if len(c.offset) < len(s.X) { // not all determined: those take part
		if solver, err := newScaled(s.Stack, columnNorms(s.Stack)); err == nil {
			for _, k := range solver.undetermined() {
				share[k] = 1
			}
		}
		return share
	}
	at, inside := c.evaluate(h.z, h.nu, h.mu)
	if !inside {
		return share
	}
	var chol mat.Cholesky
	if !chol.Factorize(c.measured(at)) {
		return share
	}
	var part mat.Dense
	if err := chol.SolveTo(&part, c.cov); err != nil {
		if _, ok := err.(mat.Condition); !ok {
			return share
		}
	}
	for k := range share {
		for i := range share {
			share[k] += c.cov.At(k, i) * part.At(i, k)
		}
		if v := c.cov.At(k, k); v > 0 {
			share[k] = min(max(share[k]/v, 0), 1)
		}
	}
	return share
}

// mahalanobis is √((x−y)ᵀ·C⁺·(x−y)), with directions that have no variance left
// out.
func mahalanobis(cov [][]float64, x, y []float64) float64 {
	n := len(x)
	scaled := mat.NewSymDense(max(n, 1), nil)
	d := make([]float64, n)
	for i := range n {
		si := math.Sqrt(cov[i][i])
		if si > 0 {
			d[i] = (x[i] - y[i]) / si
		}
		for j := i; j < n; j++ {
			if sj := math.Sqrt(cov[j][j]); si > 0 && sj > 0 {
				scaled.SetSym(i, j, cov[i][j]/si/sj)
			}
		}
	}
	var eig mat.EigenSym
	if n == 0 || !eig.Factorize(scaled, true) {
		return 0
	}
	values := eig.Values(nil)
	var v mat.Dense
	eig.VectorsTo(&v)
	sum := 0.0
	for k, l := range values {
		if l <= 1e-12*values[n-1] {
			continue
		}
		dot := 0.0
		for i := range n {
			dot += v.At(i, k) * d[i]
		}
		sum += dot * dot / l
	}
	return math.Sqrt(sum)
}

// Consistency states how a physically consistent estimate came about.
type Consistency struct {
	EstimatePossible bool     `json:"estimate_possible"` // the unconstrained estimate was, and was kept
	DistanceSigma    float64  `json:"distance_sigma"`    // of this one from it, in standard deviations
	PriorWeight      float64  `json:"prior_weight"`
	Objective        float64  `json:"objective"`
	DualityGap       float64  `json:"duality_gap"`
	Iterations       int      `json:"iterations"`
	AtBound          []string `json:"at_bound,omitempty"`      // links and drive parameters that a bound holds
	PriorDecided     []string `json:"prior_decided,omitempty"` // base parameters of which prior and bounds decide more than the data
}

// DescribeConsistent fills the tables of a result as Describe does, with the
// physically consistent parameters in the place of the unconstrained ones. The
// deviations remain those of the unconstrained estimate.
func (res *Result) DescribeConsistent(r *robot.Robot, set *baseparams.Set, sol *Solution, con *Consistent, opt ConsistentOptions) {
	moved := *sol
	moved.X = con.Base
	whole := r.Clone() // every body is known now
	for _, j := range con.Nominal {
		whole.Links[j].HasInertial = true
	}
	notes := res.Notes
	res.Describe(r, set, &moved)
	res.Notes = notes // what it says of unknown bodies does not hold
	res.lift(whole, set, &moved, con.Standard)
	opt = opt.withDefaults()
	about := &Consistency{EstimatePossible: con.Possible, DistanceSigma: con.Distance, PriorWeight: opt.Weight,
		Objective: con.Objective, DualityGap: con.Gap, Iterations: con.Iterations}
	for _, j := range con.AtBound {
		about.AtBound = append(about.AtBound, r.Links[j].Name)
	}
	for _, i := range con.ZeroDrives {
		about.AtBound = append(about.AtBound, set.Columns[i].Name)
	}
	for k, share := range con.PriorShare {
		if share > 0.5 {
			about.PriorDecided = append(about.PriorDecided, set.Name(k))
		}
	}
	res.Consistency = about
	note := func(format string, a ...any) { res.Notes = append(res.Notes, fmt.Sprintf(format, a...)) }
	if con.Possible {
		note("physically consistent: the estimate is possible as it is and was kept; what the data do not determine is the prior's choice")
	} else {
		note("physically consistent: the unconstrained estimate is impossible; the nearest possible one, given here, is %.3g standard deviations away (of %d base parameters together; duality gap %.2g of %.4g)",
			con.Distance, len(con.Base), con.Gap, con.Objective)
		note("deviations and intervals are those of the unconstrained estimate around the consistent values: near a bound they do not hold")
	}
	if len(about.AtBound) > 0 {
		note("at the bound of the possible: %s", strings.Join(about.AtBound, ", "))
	}
	if len(about.PriorDecided) > 0 {
		note("the prior or a bound decided these more than the data: %s", strings.Join(about.PriorDecided, ", "))
	}
	if len(con.Nominal) > 0 {
		var names []string
		for _, j := range con.Nominal {
			names = append(names, r.Links[j].Name)
		}
		note("the robot file gives no possible body for %s: a ball of 0.01 kg·m² a kilogram, of 1 kg where no mass is given, is the prior", strings.Join(names, ", "))
	}
}
