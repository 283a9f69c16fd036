package result

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/internal/digits"
	"ident/internal/spelling"
)

// Names of requirements, as in the setting accept. Those ending in a dot are followed by the name of a joint, link or
// base parameter; MassOf followed by TotalMass means all moving links.
const (
	GateGrade     = "grade"          // the worst grade that passes
	GateError     = "relative-error" // %, of all joints, on motion not seen where there is any
	GateTraining  = "training-error" // %, of all joints, on the training motion
	GateCondition = "condition-number"
	GateWeak      = "weak" // number of weak base parameters
	GateJoint     = "joints."
	GateMass      = "mass."
	GateParameter = "parameters."

	TotalMass = "total"
)

// A Requirement is a limit that the user sets for a result beforehand. Low and High bound a number, inclusive; an
// infinite one does not. Level is the worst grade of a requirement about the grade.
type Requirement struct {
	Name      string
	Low, High float64
	Level     Level
}

// A Gate is a requirement and whether a result meets it. A result without the required number does not.
type Gate struct {
	Name  string   `json:"name"` // name as in the setting accept, such as relative-error, joints.j7 or mass.total
	Pass  bool     `json:"pass"`
	Value *float64 `json:"value"`          // value in the result; null if it has none
	Low   *float64 `json:"low,omitempty"`  // lower bound; absent if there is none
	High  *float64 `json:"high,omitempty"` // upper bound; absent if there is none
	Unit  string   `json:"unit"`
	Why   string   `json:"why"`
}

// Accept fills the gates of a judged result, one for each requirement, in order.
func (res *Result) Accept(all []Requirement) {
	res.Gates = nil
	for _, r := range all {
		res.Gates = append(res.Gates, res.gate(r))
	}
}

// AcceptTorques is Accept for only the requirements on torque errors. Use it for a result on logs that it has not seen.
func (res *Result) AcceptTorques(all []Requirement) {
	res.Accept(slices.DeleteFunc(slices.Clone(all), func(r Requirement) bool {
		return r.Name != GateError && !strings.HasPrefix(r.Name, GateJoint)
	}))
}

// WeakPercent is the relative standard deviation, in percent, above which a base parameter is weak.
const WeakPercent = 30

// Weak reports whether the data determine a base parameter badly: its relative standard deviation exceeds WeakPercent
// or is undefined. A parameter without a standard deviation, of an exact fit, is not weak.
func (b *BaseParameter) Weak() bool {
	relative := b.RelativeSigmaPercent
	if relative == 0 {
		relative = 100 * b.Sigma / math.Abs(b.Value)
	}
	return !(b.Sigma == 0 || relative <= WeakPercent)
}

// FailedGates returns the gates that a result does not pass.
func FailedGates(gates []Gate) []Gate {
	return slices.DeleteFunc(slices.Clone(gates), func(g Gate) bool { return g.Pass })
}

// gate checks a requirement on the result.
func (res *Result) gate(r Requirement) Gate {
	g := Gate{Name: r.Name}
	if r.Name == GateGrade {
		g.Pass = res.Grade.Value.rank() <= r.Level.rank()
		g.Why = fmt.Sprintf("the grade is %s, required %s or better", res.Grade.Value, r.Level)
		if r.Level == Sound {
			g.Why = fmt.Sprintf("the grade is %s, required %s", res.Grade.Value, r.Level)
		}
		return g
	}
	value, what, missing := res.required(r.Name, &g)
	bounds := boundText(r.Low, r.High, g.Unit)
	if !math.IsInf(r.Low, -1) {
		g.Low = &r.Low
	}
	if !math.IsInf(r.High, 1) {
		g.High = &r.High
	}
	if missing != "" {
		g.Why = fmt.Sprintf("%s; required %s", missing, bounds)
		return g
	}
	g.Value, g.Pass = &value, value >= r.Low && value <= r.High
	number := digits.Number(value, 3)
	if !g.Pass && (number == digits.Number(r.Low, 3) || number == digits.Number(r.High, 3)) {
		number = fmt.Sprint(value) // beyond the limit by less than the digits show
	}
	g.Why = fmt.Sprintf("%s is %s, required %s", what, strings.TrimSpace(number+" "+g.Unit), bounds)
	return g
}

// required returns the number that a requirement is about and what it is, or why the result has none.
func (res *Result) required(name string, g *Gate) (value float64, what, missing string) {
	kind, of, _ := strings.Cut(name, ".")
	e, seen := res.judgedErrors(), "on the training motion"
	if res.Validation != nil {
		seen = "on " + res.Validation.Motion()
	}
	switch kind + "." {
	case GateError + ".":
		g.Unit = "%"
		if c := res.crossValidation(); c != nil && res.Validation == nil {
			if !res.Fit.Relates(-1) {
				return 0, "", res.noPerCent(&res.Fit)
			}
			return c.Percent, "the relative error on rows left out", ""
		}
		if !e.Relates(-1) {
			return 0, "", res.noPerCent(e)
		}
		return e.RelativeError.Stacked, "the relative error " + seen, ""
	case GateTraining + ".":
		g.Unit = "%"
		if !res.Fit.Relates(-1) {
			return 0, "", res.noPerCent(&res.Fit)
		}
		return res.Fit.RelativeError.Stacked, "the relative error on the training motion", ""
	case GateCondition + ".":
		return res.Condition.Scaled, "the condition number", ""
	case GateWeak + ".":
		n := 0
		for i := range res.BaseParameters {
			if res.BaseParameters[i].Weak() {
				n++
			}
		}
		return float64(n), "the number of weak base parameters", ""
	case GateJoint:
		g.Unit = "%"
		j := slices.Index(res.Joints, of)
		if j < 0 || j >= len(e.RelativeError.Joints) {
			return 0, "", fmt.Sprintf("the result has no joint %s%s", of, nearest(of, res.Joints))
		}
		if !e.Relates(j) {
			return 0, "", fmt.Sprintf("the torque of %s is below three times its noise: its error has no per cent, it is %s %s", of, digits.Number(at(e.RMSE, j), 3), res.unit(j))
		}
		return e.RelativeError.Joints[j], fmt.Sprintf("the relative error of %s %s", of, seen), ""
	case GateMass:
		g.Unit = "kg"
		return res.requiredMass(of)
	case GateParameter:
		var names []string
		for i := range res.BaseParameters {
			b := &res.BaseParameters[i]
			if b.Name == of {
				g.Unit = b.Unit
				return b.Value, of, ""
			}
			names = append(names, b.Name)
		}
		return 0, "", fmt.Sprintf("the result has no base parameter %s%s", of, nearest(of, names))
	}
	return 0, "", "nothing is known of " + name
}

// noPerCent says why errors have no per cent of the torques.
func (res *Result) noPerCent(e *Errors) string {
	return fmt.Sprintf("the torques are below three times their noise: the error has no per cent, it is %s %s", digits.Number(e.Size(), 3), res.unit(0))
}

// requiredMass returns the mass of a link, or of all that move.
func (res *Result) requiredMass(link string) (value float64, what, missing string) {
	if res.Bodies == nil {
		return 0, "", "the result has no bodies of links, so no mass is known"
	}
	if link == TotalMass {
		return res.Bodies.Total.Kg, "the mass of the links that move", ""
	}
	var names []string
	for _, l := range res.Bodies.Links {
		if l.Link == link {
			return l.Kg, "the mass of " + link, ""
		}
		names = append(names, l.Link)
	}
	return 0, "", fmt.Sprintf("the result has no mass of link %s%s", link, nearest(link, names))
}

// nearest returns a proposal of a similar name, or "".
func nearest(name string, known []string) string {
	if near := spelling.Nearest(name, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// boundText describes the numbers that pass.
func boundText(low, high float64, unit string) string {
	if unit != "" {
		unit = " " + unit
	}
	switch {
	case math.IsInf(low, -1):
		return fmt.Sprintf("%g%s or less", high, unit)
	case math.IsInf(high, 1):
		return fmt.Sprintf("%g%s or more", low, unit)
	}
	return fmt.Sprintf("%g to %g%s", low, high, unit)
}
