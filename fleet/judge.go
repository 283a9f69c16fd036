package fleet

import (
	"cmp"
	"math"
	"slices"

	"ident/fleet/population"
)

// Level is the probability of any false alarm at all in a fleet that has no outlier, and again in one that does not change.
const Level = 0.01

// Estimate is the part of a robot's fit that a population needs.
type Estimate struct {
	Robot  string
	Names  []string
	Values []float64
	Sigmas []float64
}

// Population describes all robots of one model, that is with the same robot file.
type Population struct {
	File       string
	Robots     int
	Names      []string
	Parameters []population.Parameter
}

// Outlier is a parameter of a robot that differs from its model's population.
type Outlier struct {
	Parameter     string
	Value, Sigma  float64
	Centre, Tau   float64 // centre of the population, and the standard deviation between its robots
	Z, Chance     float64 // Chance is that of any such parameter in a fleet without outliers, at most
	PercentBeside float64 // difference from the centre, as percent of it
}

// Judged is a fitted robot, compared with the others.
type Judged struct {
	Fitted
	Outliers []Outlier // sorted, clearest first
	Drifts   []Change  // changes that remain significant when all robots are tested
}

// estimateOf returns the part of a fit that goes to its population.
func estimateOf(f Fitted) (string, Estimate) {
	return f.File, Estimate{f.Robot, f.Names, f.Values, f.Sigmas}
}

// populate makes the population of a model, out of robots that have the same base parameters as most.
func populate(file string, robots func(*Estimate) bool) Population {
	var all []Estimate
	for {
		var e Estimate
		if !robots(&e) {
			break
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Estimate) int { return cmp.Compare(a.Robot, b.Robot) })
	p := Population{File: file}
	if len(all) == 0 {
		return p
	}
	p.Names = all[len(all)/2].Names
	all = slices.DeleteFunc(all, func(e Estimate) bool { return !slices.Equal(e.Names, p.Names) })
	p.Robots = len(all)
	x, s := make([]float64, len(all)), make([]float64, len(all))
	for k := range p.Names {
		for i, e := range all {
			x[i], s[i] = e.Values[k], e.Sigmas[k]
		}
		p.Parameters = append(p.Parameters, population.Of(x, s))
	}
	return p
}

// judge compares robots with their populations.
type judge struct{}

func (judge) ProcessElement(f Fitted, populations func(*Population) bool) Judged {
	tests, robots := 0.0, 0.0
	var own Population
	for {
		var p Population
		if !populations(&p) {
			break
		}
		tests, robots = tests+float64(p.Robots*len(p.Parameters)), robots+float64(p.Robots)
		if p.File == f.File {
			own = p
		}
	}
	out := Judged{Fitted: f}
	if slices.Equal(own.Names, f.Names) {
		for k, p := range own.Parameters {
			z := p.Z(f.Values[k], f.Sigmas[k])
			if chance := tests * p.Probability(z); chance <= Level {
				out.Outliers = append(out.Outliers, Outlier{f.Names[k], f.Values[k], f.Sigmas[k], p.Centre, p.Scatter, z, chance, 100 * (f.Values[k] - p.Centre) / math.Abs(p.Centre)})
			}
		}
	}
	slices.SortStableFunc(out.Outliers, func(a, b Outlier) int { return -cmp.Compare(math.Abs(a.Z), math.Abs(b.Z)) })
	for _, c := range f.Changes {
		if c.Chance*robots <= Level {
			out.Drifts = append(out.Drifts, c)
		}
	}
	return out
}
