package regression

import (
	"fmt"
	"math"

	"ident/internal/hint"
	"ident/regressor"
	"ident/robot"
)

// ValueError says that a value given for a parameter is one that no body and no drive has. Why names the parameters.
type ValueError struct{ Why string }

func (e *ValueError) Error() string { return e.Naming(hint.Key).Error() }

// Naming returns the error as text with name(key) in place of each setting.
func (e *ValueError) Naming(name func(key string) string) error {
	return fmt.Errorf("%s", hint.Name(e.Why, name))
}

// certain is the number of standard deviations by which a doubted value must break a law of bodies to be refused.
const certain = 3

// checkKnown refuses values of known parameters that no body and no drive has: below zero where the parameter is not signed,
// and those of one body that no pseudo-inertia has together. With the second moments a, b, c ≥ 0 along the axes and XX = b + c, …
//
//	XX ≤ YY + ZZ,  |XY| = |Σxy| ≤ √(ab) ≤ (a + b)/2 = ZZ/2,  MX² ≤ M·a ≤ M·min(YY, ZZ)
//
// Deviations loosen each by what they make of its sides. Rounding is allowed for.
func checkKnown(columns []regressor.Column, values []float64, sigma map[string]float64) error {
	type body struct {
		term       regressor.Term
		link, body int
	}
	type given struct{ value, sigma float64 }
	bodies, names := map[body]*[robot.NumInertial]*given{}, map[body]*[robot.NumInertial]string{}
	var order []body
	for i, c := range columns {
		s := sigma[c.Name]
		ofBody := c.Term == regressor.Links || c.Term.Name() == regressor.Payload
		if !c.Signed && values[i]+certain*s < 0 {
			what := "no friction, stiffness or inertia of a drive is below zero"
			if ofBody {
				what = "no body has a mass or a moment of inertia below zero"
			}
			return &ValueError{fmt.Sprintf("{known} %s=%g: %s", c.Name, values[i], what)}
		}
		if !ofBody {
			continue
		}
		k := body{c.Term, c.Link, c.Body}
		if bodies[k] == nil {
			bodies[k], names[k], order = new([robot.NumInertial]*given), new([robot.NumInertial]string), append(order, k)
		}
		bodies[k][c.Param], names[k][c.Param] = &given{values[i], s}, c.Name
	}
	for _, k := range order {
		b, n := bodies[k], names[k]
		// beyond reports whether x² or x is certainly above what it may be.
		beyond := func(x, xs, limit, limitSigma float64) bool {
			return x-limit > certain*math.Hypot(xs, limitSigma)+1e-9*(math.Abs(x)+math.Abs(limit))
		}
		moments := [3]int{robot.XX, robot.YY, robot.ZZ}
		for i := range moments {
			p, q, r := b[moments[i]], b[moments[(i+1)%3]], b[moments[(i+2)%3]]
			if p != nil && q != nil && r != nil && beyond(p.value, p.sigma, q.value+r.value, math.Hypot(q.sigma, r.sigma)) {
				return &ValueError{fmt.Sprintf("{known} %s=%g: no moment of inertia of a body is larger than the sum of the two others, %s + %s = %.6g", n[moments[i]], p.value, n[moments[(i+1)%3]], n[moments[(i+2)%3]], q.value+r.value)}
			}
		}
		for _, o := range [][2]int{{robot.XY, robot.ZZ}, {robot.XZ, robot.YY}, {robot.YZ, robot.XX}} {
			if p, q := b[o[0]], b[o[1]]; p != nil && q != nil && beyond(math.Abs(p.value), p.sigma, q.value/2, q.sigma/2) {
				return &ValueError{fmt.Sprintf("{known} %s=%g: no product of inertia of a body is beyond half of the moment about the third axis, %s = %g", n[o[0]], p.value, n[o[1]], q.value)}
			}
		}
		mass := b[robot.M]
		if mass == nil {
			continue
		}
		for _, o := range [][3]int{{robot.MX, robot.YY, robot.ZZ}, {robot.MY, robot.XX, robot.ZZ}, {robot.MZ, robot.XX, robot.YY}} {
			first := b[o[0]]
			for _, at := range o[1:] {
				moment := b[at]
				if first == nil || moment == nil {
					continue
				}
				limit := math.Sqrt(max(mass.value, 0) * max(moment.value, 0))
				spread := math.Sqrt(max(mass.value+certain*mass.sigma, 0)*max(moment.value+certain*moment.sigma, 0)) - limit
				if beyond(math.Abs(first.value), first.sigma, limit+spread, 0) {
					return &ValueError{fmt.Sprintf("{known} %s=%g: with %s = %g and %s = %g no body has its centre there", n[o[0]], first.value, n[robot.M], mass.value, n[at], moment.value)}
				}
			}
		}
	}
	return nil
}

// rough is the factor from which a known mass and that of the robot file are doubted together: masses of rough files are
// right to a factor e^0.3, and 3 is e^(3.7·0.3).
const rough = 3

// doubtedKnown returns known masses of links, in words, that are far from those of the robot file.
func doubtedKnown(r *robot.Robot, columns []regressor.Column, values []float64) (out []string) {
	for i, c := range columns {
		if c.Term != regressor.Links || c.Param != robot.M || !r.Links[c.Link].HasInertial {
			continue
		}
		file := r.Links[c.Link].Inertial.Mass()
		if v := values[i]; file > 0 && !(v < rough*file && v*rough > file) {
			out = append(out, fmt.Sprintf("%s = %.4g kg, where the robot file says %.4g kg of %s", c.Name, v, file, c.Owner))
		}
	}
	return out
}
