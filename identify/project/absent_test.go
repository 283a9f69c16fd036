package project

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"ident/datasets"
	"ident/robot"
)

// A joint of which a log has a part only: standing still it is locked where it stands, moving it is an error that
// names the channel which is probably meant, and nothing is locked at zero that is somewhere else.
func TestHalfLoggedJoints(t *testing.T) {
	r := robot.FromMDH("arm", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.5}, {Antecedent: 1, D: 0.4}})
	names := r.JointNames()
	wave := func(at, size float64) (x []float64) {
		for k := range 50 {
			x = append(x, at+size*math.Sin(float64(k)))
		}
		return x
	}
	for _, c := range []struct {
		name     string
		channels []string
		third    float64 // amplitude of the third joint's position about 0.7
		want     string  // of the locked joint, or of the error
		locked   map[string]float64
	}{
		{"all there", []string{"q1", "q2", "q3", "tau1", "tau2", "tau3"}, 0.3, "", nil},
		{"nothing of the third", []string{"q1", "q2", "tau1", "tau2"}, 0.3, names[2] + " at 0.00", nil},
		{"standing still", []string{"q1", "q2", "q3", "tau1", "tau2"}, 0, names[2] + " at 0.70", nil},
		{"standing within the encoder's noise", []string{"q1", "q2", "q3", "tau1", "tau2"}, stillRange / 3, names[2] + " at 0.70", nil},
		{"moving without a torque", []string{"q1", "q2", "q3", "tau1", "tau2", "taux3"}, 0.3, "map tau3=taux3, or lock the joint with lock " + names[2] + "=VALUE", nil},
		{"no torque at all", []string{"q1", "q2", "q3"}, 0.3, "fit positions alone with torque none", nil},
		{"a torque without a position", []string{"q1", "q2", "qq3", "tau1", "tau2", "tau3"}, 0.3, "map q3=qq3", nil},
		{"locked by the user", []string{"q1", "q2", "q3", "tau1", "tau2"}, 0.3, "", map[string]float64{names[2]: 0.7}},
	} {
		t.Run(c.name, func(t *testing.T) {
			channels, columns := []datasets.Channel{{Name: "t"}}, [][]float64{wave(0, 0)}
			for _, name := range c.channels {
				channels = append(channels, datasets.Channel{Name: name})
				if strings.HasSuffix(name, "3") && strings.HasPrefix(name, "q") {
					columns = append(columns, wave(0.7, c.third))
				} else if strings.HasPrefix(name, "tau") {
					columns = append(columns, wave(3, 8))
				} else {
					columns = append(columns, wave(0, 1))
				}
			}
			log := datasets.FromColumns("log", channels, columns, nil)
			missing, err := absent(&Settings{}, r, []*datasets.Log{log}, names, c.locked)
			got := ""
			for _, m := range missing {
				got += fmt.Sprintf("%s at %.2f", m.joint, m.at)
			}
			if err != nil {
				got = err.Error()
			}
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
