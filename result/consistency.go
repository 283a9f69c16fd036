package result

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/estimate"
	"ident/physical"
	"ident/regressor"
	"ident/robot"
)

// Consistency says how a physically consistent estimate was found.
type Consistency struct {
	EstimatePossible bool              `json:"estimate_possible"` // whether the unconstrained estimate is feasible; it is then kept unless the prior has more than its default weight
	DistanceSigma    float64           `json:"distance_sigma"`    // distance to the unconstrained estimate, in standard deviations
	Prior            string            `json:"prior"`             // source: "robot", or a file
	PriorDistance    physical.Distance `json:"prior_distance"`
	PriorWeight      float64           `json:"prior_weight"`
	Objective        float64           `json:"objective"`
	DualityGap       float64           `json:"duality_gap"`
	Iterations       int               `json:"iterations"`
	AtBound          []string          `json:"at_bound,omitempty"`      // links and drive parameters at the boundary of the feasible set
	BoundsHeld       []string          `json:"bounds_held,omitempty"`   // active bounds on masses and centres
	PriorDecided     []string          `json:"prior_decided,omitempty"` // base parameters that prior and bounds decide more than the data
}

// PossibleReport says whether the base parameters of an estimate are feasible.
type PossibleReport struct {
	Possible      bool     `json:"possible"`
	Proved        bool     `json:"proved"` // if both this and Possible are false, neither feasible bodies nor a proof of infeasibility was found
	DistanceSigma float64  `json:"distance_sigma"`
	LimitSigma    float64  `json:"limit_sigma"`          // 95 % quantile of that distance where chance made it
	Impossible    []string `json:"impossible,omitempty"` // infeasible links and negative drive parameters
	// Combination of base parameters that is never negative for a feasible robot, by descending part without those below
	// a millionth of the largest; ValueSigma is its value at the estimate, in standard deviations.
	Combination []Part  `json:"combination,omitempty"`
	ValueSigma  float64 `json:"value_sigma"`
}

// Part is one base parameter in a combination.
type Part struct {
	Parameter   string  `json:"parameter"`
	Coefficient float64 `json:"coefficient"`
}

// DescribePossibility records whether the estimate is feasible; can must be the nearest feasible one.
func (res *Result) DescribePossibility(r *robot.Robot, set *baseparams.Set, can *physical.Estimate) {
	about := res.possibility(r, set, can)
	res.Possibility = about
	switch {
	case can.Possible:
		res.Notes = append(res.Notes, "the estimate is physically possible: there are bodies and drives that have these base parameters")
	case can.Impossibility == nil:
		res.Notes = append(res.Notes, fmt.Sprintf("neither bodies that have these base parameters nor a proof that there are none were found; the nearest estimate known to be possible is %.3g standard deviations away", can.Distance))
	default:
		res.Notes = append(res.Notes, fmt.Sprintf("no robot has these base parameters: %s cannot exist with them; the nearest feasible estimate ({physically-consistent}) is %.3g standard deviations away (%d parameters together)",
			enumerate(about.Impossible), can.Distance, len(set.Base)))
	}
}

func (res *Result) possibility(r *robot.Robot, set *baseparams.Set, can *physical.Estimate) *PossibleReport {
	about := &PossibleReport{Possible: can.Possible, Proved: can.Possible || can.Impossibility != nil, DistanceSigma: can.Distance, LimitSigma: can.Limit}
	if proof := can.Impossibility; proof != nil {
		about.ValueSigma = proof.Value
		for _, j := range proof.Bodies {
			about.Impossible = append(about.Impossible, r.Links[j].Name)
		}
		for _, i := range proof.Drives {
			about.Impossible = append(about.Impossible, set.Columns[i].Name)
		}
		about.Combination = res.combination(set, proof)
	}
	return about
}

// noPart is the part of a parameter in a proof, relative to the largest, that is not listed. The multipliers come from
// an optimum found to 1e-4 (by package physical), so smaller ones are rounding of the solver.
const noPart = 1e-4

// combination returns the parameters of a proof by descending part, in standard deviations, down to noPart.
func (res *Result) combination(set *baseparams.Set, proof *physical.Impossibility) []Part {
	parts := make([]float64, len(proof.Combination))
	for k, c := range proof.Combination {
		parts[k] = math.Abs(c) * res.BaseParameters[k].Sigma
	}
	var out []Part
	for _, k := range byPart(parts) {
		out = append(out, Part{Parameter: set.Name(k), Coefficient: proof.Combination[k]})
	}
	return out
}

// byPart returns the indices of parts in descending order, without those below noPart of the largest.
func byPart(parts []float64) []int {
	order := make([]int, len(parts))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(parts[b], parts[a]) })
	for i, k := range order {
		if !(parts[k] > noPart*parts[order[0]]) {
			return order[:i]
		}
	}
	return order
}

func enumerate(names []string) string {
	switch len(names) {
	case 0:
		return "some body"
	case 1:
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " together"
}

// DescribeConsistent fills the tables of a result like Describe, with the physically consistent parameters. The
// standard deviations remain those of the unconstrained estimate.
func (res *Result) DescribeConsistent(r *robot.Robot, set *baseparams.Set, sol *estimate.Solution, bodies *physical.BodyEstimate, opt physical.BodyOptions) {
	con := &bodies.Estimate
	moved := *sol
	moved.X = con.Base
	notes := res.Notes
	res.Describe(r, set, &moved)
	res.Notes = notes // its notes on unknown bodies do not hold
	res.liftBodies(r, set, &moved, con)
	kept := con.Possible && bodies.Weight <= physical.NominalWeight
	about := &Consistency{EstimatePossible: con.Possible, DistanceSigma: con.Distance, Prior: "robot", PriorDistance: opt.Distance, PriorWeight: bodies.Weight,
		Objective: con.Objective, DualityGap: con.Gap, Iterations: con.Iterations, BoundsHeld: con.Held}
	if about.PriorDistance == "" {
		about.PriorDistance = physical.Entropic
	}
	switch {
	case opt.Geometry:
		about.Prior = "geometry"
	case opt.Name != "":
		about.Prior = opt.Name
	}
	for _, j := range con.AtBound {
		about.AtBound = append(about.AtBound, r.Links[j].Name)
	}
	for _, i := range con.ZeroDrives {
		about.AtBound = append(about.AtBound, set.Columns[i].Name)
	}
	for k, share := range con.PriorShare {
		b := &res.BaseParameters[k]
		if b.PriorShare, b.PriorDecided = share, share > priorDecides; b.PriorDecided {
			about.PriorDecided = append(about.PriorDecided, set.Name(k))
		}
	}
	res.Consistency = about
	res.Possibility = res.possibility(r, set, bodies.Nearest)
	note := func(format string, a ...any) { res.Notes = append(res.Notes, fmt.Sprintf(format, a...)) }
	switch {
	case kept:
		note("physically consistent: the estimate is possible as it is and was kept; what the data do not determine is the prior's choice")
	case con.Possible:
		note("physically consistent: the unconstrained estimate is possible; the prior moved it by %.3g standard deviations (of %d base parameters together; duality gap %.2g of %.4g)",
			con.Distance, len(con.Base), con.Gap, con.Objective)
	default:
		note("physically consistent: the free estimate is impossible; the nearest under data and prior is %.3g standard deviations away (%d base parameters together; duality gap %.2g of %.4g)",
			con.Distance, len(con.Base), con.Gap, con.Objective)
		if len(res.Possibility.Impossible) > 0 {
			note("with the unconstrained base parameters %s could not exist", enumerate(res.Possibility.Impossible))
		}
	}
	if !kept {
		note("standard deviations and intervals are those of the unconstrained estimate around the consistent values: near a bound, and where the prior decided, they do not hold")
	}
	if bodies.Weight > physical.NominalWeight {
		note("drawn to the values of %s with weight %.3g (%s distance)", about.Prior, bodies.Weight, about.PriorDistance)
	}
	if len(about.AtBound) > 0 {
		note("at the bound of the possible: %s", strings.Join(about.AtBound, ", "))
	}
	if len(about.BoundsHeld) > 0 {
		note("held back by bounds: %s", strings.Join(about.BoundsHeld, "; "))
	}
	if len(about.PriorDecided) > 0 {
		note("the prior or a bound decided these more than the data: %s", strings.Join(about.PriorDecided, ", "))
	}
}

// liftBodies fills the standard parameters with those of feasible bodies.
func (res *Result) liftBodies(r *robot.Robot, set *baseparams.Set, sol *estimate.Solution, of *physical.Estimate) {
	whole := r.Clone() // every body is known now
	for i, c := range set.Columns {
		if c.Term == regressor.Links && i < len(of.Standard) {
			whole.Links[c.Link].HasInertial = true
		}
	}
	for j, body := range of.Completed {
		whole.Links[j].Inertial = body
	}
	notes := res.Notes
	res.lift(whole, set, sol, of.Standard)
	res.Notes = notes // its notes on unknown bodies do not hold
}
