package doctor

import (
	"context"
	"math"
	"strings"
	"testing"

	"ident/datasets"
	"ident/robot"
	"ident/robot/format"
)

// A base that floats has zero forces by its mechanism: nothing is said of the channels that stand for them, nor of zeros that a
// log itself holds. Another constant is told as an effort that was not recorded.
func TestAssumedChannels(t *testing.T) {
	r, err := format.Read([]byte(`links:
  - {name: bus, joint: {name: base, kind: floating}}
  - {name: arm, joint: {name: j1}, origin: {xyz: [0.2, 0, 0.1]}, axis: [0, 1, 0]}
`), "yaml", "sat.yaml", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		assumed bool
		force   float64
		told    bool
	}{{true, 0, false}, {false, 0, false}, {false, 3, true}} {
		channels, cols := []datasets.Channel{{Name: "t", Unit: "s"}}, [][]float64{make([]float64, 2000)}
		var roles datasets.Roles
		roles.T = "t"
		for k, link := range r.Moving() {
			name := r.Links[link].Joint.Name
			q, tau := make([]float64, 2000), make([]float64, 2000)
			for i := range q {
				s := 0.005 * float64(i)
				cols[0][i] = s
				q[i] = 0.3 * math.Sin(float64(k+1)*s+float64(k))
				if tau[i] = c.force; name == "j1" {
					tau[i] = 0.5 * math.Sin(9*s)
				}
			}
			channels = append(channels, datasets.Channel{Name: "q_" + name}, datasets.Channel{Name: "tau_" + name, Assumed: c.assumed && name != "j1"})
			cols = append(cols, q, tau)
			roles.Q, roles.Tau = append(roles.Q, "q_"+name), append(roles.Tau, "tau_"+name)
			roles.DQ, roles.DDQ, roles.Current = append(roles.DQ, ""), append(roles.DDQ, ""), append(roles.Current, "")
		}
		found, err := Check(context.Background(), r, datasets.FromColumns("log", channels, cols, nil), roles, Options{})
		if err != nil {
			t.Fatal(err)
		}
		dead := 0
		for _, f := range found {
			if strings.HasPrefix(f.Channel, "tau_base") {
				dead++
			}
		}
		if (dead > 0) != c.told {
			t.Errorf("assumed %v, force %g: %d findings of the base's forces: %v", c.assumed, c.force, dead, found)
		}
	}
}
