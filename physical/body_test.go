package physical

import (
	"strings"
	"testing"

	"ident/robot"
)

func TestReason(t *testing.T) {
	body := robot.InertialFromCentral(2, [3]float64{0.1, 0, 0}, [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
	if LeastEigenvalue(body) <= 0 {
		t.Errorf("a ball has the eigenvalue %g", LeastEigenvalue(body))
	}
	for why, change := range map[string]func(*robot.Inertial){
		"mass -2 kg is not positive": func(p *robot.Inertial) { p[robot.M] = -2 },
		"about the centre of mass":   func(p *robot.Inertial) { p[robot.YY] = 0 },
		"triangle inequality":        func(p *robot.Inertial) { p[robot.XX] = 3 },
	} {
		p := body
		change(&p)
		if !(LeastEigenvalue(p) < 0) || !strings.Contains(WhyImpossible(p), why) {
			t.Errorf("%s: least eigenvalue %g, %q", why, LeastEigenvalue(p), WhyImpossible(p))
		}
	}
}
