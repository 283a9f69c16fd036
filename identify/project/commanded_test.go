package project

import (
	"math"
	"testing"

	"ident/datasets"
)

// A commanded position is no torque that is to be mapped; a torque beside it is.
func TestCommandedPositionIsNoTorque(t *testing.T) {
	n := 400
	cols := make([][]float64, 4)
	for k := range n {
		x := float64(k) / 40
		cols[0] = append(cols[0], x)
		cols[1] = append(cols[1], math.Sin(x))
		cols[2] = append(cols[2], math.Sin(x+0.1)) // the command leads
		cols[3] = append(cols[3], 12*math.Cos(x))
	}
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"t", "q_hip", "r_hip"}, "CHANNEL"},
		{[]string{"t", "q_hip", "r_hip", "tq_hip"}, "tq_hip"},
	} {
		var channels []datasets.Channel
		for _, name := range c.names {
			channels = append(channels, datasets.Channel{Name: name})
		}
		l := datasets.FromColumns("log", channels, cols[:len(c.names)], nil)
		if got := unused(l, datasets.Roles{T: "t", Q: []string{"q_hip"}}, "tau", "hip"); got != c.want {
			t.Errorf("%v: %q is proposed as the torque, want %q", c.names, got, c.want)
		}
	}
}
