package result

import (
	"fmt"
	"math"
	"slices"
)

// Knowledge says how far the data determine the parameters of a link.
type Knowledge string

// The values of Knowledge, the best first.
const (
	Known   Knowledge = "known"   // at least half of the base parameters are known
	Weak    Knowledge = "weak"    // some base parameters are known, but less than half
	Unknown Knowledge = "unknown" // no base parameter is known
)

// JointGrade is the grade of one joint's torque and of the parameters of the link that it moves.
type JointGrade struct {
	Name string `json:"name"`
	// Torque is doubtful if the model leaves 30 % or more, whatever the size of the drive. It is unusable from 75 % if
	// that also exceeds what the drive resolves.
	Torque     Level     `json:"torque"`
	Parameters Knowledge `json:"parameters"`
}

// linkPart is the standard deviation, relative to the link's largest parameter in the same unit, up to which a
// parameter counts as known whatever its value: a small product of inertia is known to be small.
const linkPart = 0.1

// undetermined reports, for each base parameter, whether the data leave it open: its standard deviation exceeds percent
// of its value, and linkPart of the largest parameter of its link in that unit.
func (res *Result) undetermined(percent float64) []bool {
	type kind struct{ link, unit string }
	largest := map[kind]float64{}
	for _, p := range res.BaseParameters {
		k := kind{p.Link, p.Unit}
		largest[k] = max(largest[k], math.Abs(p.Value))
	}
	open := make([]bool, len(res.BaseParameters))
	for i, p := range res.BaseParameters {
		open[i] = p.RelativeSigmaPercent > percent && !(p.Sigma <= linkPart*largest[kind{p.Link, p.Unit}])
	}
	return open
}

// inertial reports whether a base parameter is one of bodies, by its unit.
func (p *BaseParameter) inertial() bool {
	return slices.Contains([]string{"kg", "kg·m", "kg·m²"}, p.Unit)
}

// gradeJoints fills the grades of the joints.
func (res *Result) gradeJoints(l Limits) {
	open := res.undetermined(l.WeakSigmaPercent)
	e, floors := res.judgedErrors(), res.torqueFloors(l)
	res.JointGrades = nil
	for k, name := range res.Joints {
		g := JointGrade{Name: name, Torque: Sound, Parameters: knowledge(res.BaseParameters, open, name)}
		switch rel := at(e.RelativeError.Joints, k); {
		case !e.Relates(k):
		case rel > l.UnusableFactor*l.JointErrorPercent && at(e.RMSE, k) > floors[k]:
			g.Torque = Unusable
		case rel > l.JointErrorPercent:
			g.Torque = Doubtful
		}
		for _, f := range res.Findings {
			if f.Joint == name && f.Severity == "error" {
				g.Torque = Unusable
			}
		}
		res.JointGrades = append(res.JointGrades, g)
	}
}

// knowledge returns the knowledge of the link that a joint moves: of its body or, if the model has none, of its drive.
func knowledge(all []BaseParameter, open []bool, joint string) Knowledge {
	count, missing := [2]int{}, [2]int{} // of bodies, of all
	for i, p := range all {
		if p.Joint != joint {
			continue
		}
		for kind, counts := range [2]bool{p.inertial(), true} {
			if counts {
				count[kind]++
				if open[i] {
					missing[kind]++
				}
			}
		}
	}
	kind := 0
	if count[0] == 0 {
		kind = 1
	}
	switch {
	case count[kind] > 0 && missing[kind] == count[kind]:
		return Unknown
	case 2*missing[kind] > count[kind]:
		return Weak
	}
	return Known
}

// judgedErrors returns the errors to expect: those on motion outside the training, if there is any, otherwise those on
// the training motion.
func (res *Result) judgedErrors() *Errors {
	if res.Validation != nil {
		return &res.Validation.Errors
	}
	return &res.Fit
}

// NotKnown returns the joints whose links have weak or unknown parameters.
func (res *Result) NotKnown() []string {
	var names []string
	for _, g := range res.JointGrades {
		if g.Parameters == Weak || g.Parameters == Unknown {
			names = append(names, g.Name)
		}
	}
	return names
}

// gradeBodies returns the grade of the bodies. Joints must be graded before.
func (res *Result) gradeBodies() *BodiesGrade {
	if !slices.ContainsFunc(res.BaseParameters, func(p BaseParameter) bool { return p.inertial() }) {
		return nil
	}
	g := res.Bodies.Grade()
	if g == nil {
		g = &BodiesGrade{Value: BodiesDetermined, Reasons: []Reason{}}
	}
	if names := res.NotKnown(); len(names) > 0 {
		g.Value = BodiesWeak
		g.Reasons = append(g.Reasons, Reason{ID: "weak-parameters", Why: fmt.Sprintf("this motion does not determine the bodies moved by %s", enumerateNames(names)), Fix: "record a motion designed for excitation", Makes: Doubtful})
	}
	set := res.GainSettings()
	if set != "" && !res.PhysicallyConsistent || len(res.Impossible) > 0 {
		switch {
		case set != "":
			why := "gains that are fitted with the bodies leave these less certain"
			if len(res.Impossible) > 0 {
				why = "a fit of drive gains does not look for feasible bodies"
			}
			g.Value = BodiesWeak
			g.Reasons = append(g.Reasons, Reason{ID: "drive-gains", Why: why, Fix: "fit the runs without a load (its standard deviations contain those of the gains only with {gain-sigma}), with " + set, Makes: Doubtful})
		case res.Bodies == nil: // the estimator looked for no bodies
			fix := "{physically-consistent}"
			if res.Commanded != nil {
				fix = "{bodies} file, which takes the bodies from the robot file"
			}
			why := "this estimator does not look for feasible bodies"
			if len(res.bounded) > 0 {
				why, fix = "no feasible bodies were found with the values that are taken as known", "check what is given of the bodies, or leave it out"
			}
			g.Value = BodiesWeak
			g.Reasons = append(g.Reasons, Reason{ID: "no-body", Why: few(impossibleLinks(res.Impossible)) + " cannot exist as identified: " + why, Fix: fix, Makes: Doubtful})
		}
	}

	for _, v := range res.Verdicts {
		if v.ID == "impossible" && !v.Pass {
			g.Value = BodiesContradicted
			g.Reasons = append([]Reason{{ID: v.ID, Why: v.Why, Fix: v.Fix, Makes: v.Makes}}, g.Reasons...)
		}
	}
	return g
}

// impossibleLinks returns the names of links with infeasible bodies, or joints with impossible drive parameters, each once.
func impossibleLinks(bodies []ImpossibleBody) []string {
	var names []string
	for _, b := range bodies {
		name := b.Link
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
