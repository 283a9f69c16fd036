package result

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/estimate"
	"ident/physical"
	"ident/regressor"
	"ident/robot"
)

// Payload is a body attached to a link in some runs. Deviations of quotients are of first order.
type Payload struct {
	Link   string `json:"link"`
	Number int    `json:"number,omitempty"` // number of the payload if the model has several
	// Frame is "user", the robot file's own frame of the link, if all ten parameters are known; otherwise "mdh", frame j
	// of the estimate.
	Frame      string             `json:"frame"`
	Parameters []PayloadParameter `json:"parameters"` // in the order of robot.InertialNames
	Complete   bool               `json:"complete"`   // all ten are known or determined
	// The following fields are set if Complete is true. The inertia about the centre of mass is in the order XX, XY, XZ,
	// YY, YZ, ZZ, as tensor elements.
	Mass           *Measured  `json:"mass,omitempty"`
	Centre         []Measured `json:"centre_of_mass,omitempty"`
	CentralInertia []Measured `json:"central_inertia,omitempty"`
	Possible       bool       `json:"possible"` // a body can have these parameters
	Why            string     `json:"why,omitempty"`
}

// Measured is a number with its standard deviation, which is zero if the number was given without one.
type Measured struct {
	Value float64 `json:"value"`
	Sigma float64 `json:"sigma"`
}

// PayloadParameter is one of a payload's ten parameters.
type PayloadParameter struct {
	Name       string  `json:"name"`
	Unit       string  `json:"unit"`
	Value      float64 `json:"value"`
	Sigma      float64 `json:"sigma"`
	Known      bool    `json:"known,omitempty"` // the value was given, not estimated
	Determined bool    `json:"determined"`
}

// KnownValue is the given value of a parameter, its standard deviation, and the change of the base parameters by one deviation
// (nil for an exact value).
type KnownValue struct {
	Value, Sigma float64
	Change       []float64
}

// DescribePayloads fills the table of payloads from a solution over set.Base and from given parameters. The covariance
// of sol must contain the changes by the given parameters.
func (res *Result) DescribePayloads(r *robot.Robot, set *baseparams.Set, sol *estimate.Solution, known map[string]KnownValue) {
	res.Payloads = nil
	base := make(map[int]int, len(set.Base))
	for k, c := range set.Base {
		base[c] = k
	}
	type place struct{ link, number int }
	var places []place
	at := map[string]int{} // column of a name
	for c, col := range set.Columns {
		if col.Term == regressor.Payload {
			at[col.Name] = c
			if p, n := (place{col.Link, col.Body}), len(places); n == 0 || places[n-1] != p {
				places = append(places, p)
			}
		}
	}
	for _, of := range places {
		link, l := of.link, &r.Links[of.link]
		p := Payload{Link: l.Name, Number: of.number, Frame: "mdh", Complete: true}
		var body robot.Inertial
		from := [10]int{} // base parameter of each, −1 for none
		given := [10]KnownValue{}
		for i, name := range robot.InertialNames {
			name = robot.ParameterName(regressor.PayloadPrefix(of.number)+name, link)
			par := PayloadParameter{Name: name, Unit: robot.InertialUnits[i]}
			from[i] = -1
			if v, ok := known[name]; ok {
				par.Value, par.Sigma, par.Known, par.Determined = v.Value, v.Sigma, true, true
				given[i] = v
			} else if k, ok := base[at[name]]; ok && alone(set.Beta[k]) {
				par.Value, par.Sigma, par.Determined = sol.X[k], math.Sqrt(sol.Covariance[k][k]), true
				from[i] = k
			}
			p.Complete = p.Complete && par.Determined
			body[i] = par.Value
			p.Parameters = append(p.Parameters, par)
		}
		if p.Complete {
			p.complete(l, body, from, given, sol)
		}
		res.Payloads = append(res.Payloads, p)
	}
}

// alone reports whether nothing is regrouped onto a base parameter.
func alone(beta []float64) bool {
	for _, b := range beta {
		if b != 0 {
			return false
		}
	}
	return true
}

// complete converts all ten parameters to the user's frame, and to mass, centre and central inertia.
func (p *Payload) complete(l *robot.Link, body robot.Inertial, from [10]int, given [10]KnownValue, sol *estimate.Solution) {
	to := l.UserFrame.Inv()
	// A change of frame is linear in the ten parameters.
	turn := mat.NewDense(10, 10, nil)
	cov := mat.NewDense(10, 10, nil)
	for j := range 10 {
		var unit robot.Inertial
		unit[j] = 1
		for i, v := range unit.InFrame(to) {
			turn.Set(i, j, v)
		}
		for i := range 10 {
			if from[i] >= 0 && from[j] >= 0 {
				cov.Set(i, j, sol.Covariance[from[i]][from[j]])
			}
			if g := given[j]; g.Sigma > 0 && from[i] >= 0 {
				cov.Set(i, j, g.Sigma*g.Change[from[i]])
				cov.Set(j, i, cov.At(i, j))
			} else if g.Sigma > 0 && i == j {
				cov.Set(i, i, g.Sigma*g.Sigma)
			}
		}
	}
	if l.UserFrame != robot.Identity() {
		p.Frame = "user"
	}
	body = body.InFrame(to)
	var half, own mat.Dense
	half.Mul(turn, cov)
	own.Mul(&half, turn.T())
	for i := range p.Parameters {
		p.Parameters[i].Value, p.Parameters[i].Sigma = body[i], math.Sqrt(max(own.At(i, i), 0))
	}
	if least := physical.LeastEigenvalue(body); least >= 0 {
		p.Possible = true
	} else {
		p.Why = physical.WhyImpossible(body)
	}
	if body.Mass() == 0 {
		return
	}
	var slope mat.Dense
	slope.Mul(centralSlope(body), &own)
	half.Reset()
	half.Mul(&slope, centralSlope(body).T())
	value := central(body)
	m := make([]Measured, len(value))
	for i, v := range value {
		m[i] = Measured{v, math.Sqrt(max(half.At(i, i), 0))}
	}
	p.Mass, p.Centre, p.CentralInertia = &m[0], m[1:4], m[4:]
}

// central returns mass, centre of mass and inertia about it.
func central(b robot.Inertial) [10]float64 {
	c, _ := b.CentreOfMass()
	i, _ := b.Central()
	return [10]float64{b.Mass(), c[0], c[1], c[2], i[0][0], i[0][1], i[0][2], i[1][1], i[1][2], i[2][2]}
}

// centralSlope returns the derivative of central by the ten parameters: with first moments l and mass m, c = l/m and I =
// L − ((l·l)·1 − l·lᵀ)/m.
func centralSlope(b robot.Inertial) *mat.Dense {
	m, l := b.Mass(), b.FirstMoments()
	d := mat.NewDense(10, 10, nil)
	d.Set(0, robot.M, 1)
	moment := [3]int{robot.MX, robot.MY, robot.MZ}
	pairs := [6][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}
	element := [6]int{robot.XX, robot.XY, robot.XZ, robot.YY, robot.YZ, robot.ZZ}
	for i := range 3 {
		d.Set(1+i, moment[i], 1/m)
		d.Set(1+i, robot.M, -l[i]/(m*m))
	}
	square := l[0]*l[0] + l[1]*l[1] + l[2]*l[2]
	for k, p := range pairs {
		row := 4 + k
		d.Set(row, element[k], 1)
		s := -l[p[0]] * l[p[1]]
		if p[0] == p[1] {
			s += square
			for i := range 3 {
				d.Set(row, moment[i], -2*l[i]/m)
			}
		}
		d.Set(row, robot.M, s/(m*m))
		d.Set(row, moment[p[0]], d.At(row, moment[p[0]])+l[p[1]]/m)
		d.Set(row, moment[p[1]], d.At(row, moment[p[1]])+l[p[0]]/m)
	}
	return d
}
