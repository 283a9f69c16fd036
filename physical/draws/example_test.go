package draws_test

import (
	"context"
	"fmt"
	"math"

	"ident/baseparams"
	"ident/physical/draws"
	"ident/regressor"
	"ident/robot"
)

// A pendulum whose first moment is known to 1 %: a hundred robots like it, whose masses vary, since torques do not tell them.
func ExampleDraw() {
	r := robot.FromMDH("pendulum", []robot.MDHFrame{{Antecedent: -1, Alpha: math.Pi / 2}})
	r.Gravity = [3]float64{0, 0, -9.81}
	l := &r.Links[0]
	l.Own = robot.InertialFromCentral(2, [3]float64{0.3, 0, 0}, [3][3]float64{{0.01}, {0, 0.05}, {0, 0, 0.05}})
	l.Inertial, l.HasInertial = l.Own, true
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := draws.Posterior{Set: baseparams.QR(m, baseparams.Options{}), Robot: r}
	for _, c := range p.Set.Columns {
		v, _ := regressor.ValueOf(r, c)
		p.Standard = append(p.Standard, v)
	}
	for i := range p.Set.Base { // ZZ1, MX1, MY1
		row := make([]float64, len(p.Set.Base))
		row[i] = 0.006 * 0.006
		p.Covariance = append(p.Covariance, row)
	}
	d, err := draws.Draw(context.Background(), &p, 100, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	least, most := math.Inf(1), 0.0
	for _, x := range d.Standard {
		least, most = min(least, x[robot.M]), max(most, x[robot.M])
	}
	fmt.Printf("%d robots, mixed: %t, masses vary by more than a fifth: %t\n", len(d.Standard), d.Mixing.Reduction < draws.MostReduction, most > 1.2*least)
	// Output: 100 robots, mixed: true, masses vary by more than a fifth: true
}
