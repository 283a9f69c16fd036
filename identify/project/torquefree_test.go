package project

import (
	"math"
	"slices"
	"testing"

	"ident/datasets"
	"ident/identify/outputerror"
)

// The torques of a law follow its command and the positions, held back by the delay and half a period; a drive at its
// limit gives that.
func TestTorquesOfALaw(t *testing.T) {
	const dt, delay, n = 0.002, 0.004, 2000
	time, command, place := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range time {
		time[i] = dt * float64(i)
		command[i] = 0.5 * math.Sin(2*time[i])
		place[i] = 0.4 * math.Sin(2*time[i]-0.1)
	}
	l := datasets.FromColumns("log", []datasets.Channel{{Name: "t"}, {Name: "q1"}, {Name: "goal_position_1"}}, [][]float64{time, place, command}, nil)
	channels, err := CommandChannels(l, []int{1}, []string{"hinge"}, nil)
	if err != nil || channels[0] != "goal_position_1" {
		t.Fatalf("commands in %v, %v", channels, err)
	}
	law := &outputerror.Law{P: []float64{100}, D: []float64{5}, Forward: 1, Period: dt, Delay: delay, Limit: []float64{8}}
	got, err := withLawTorques(l, datasets.Roles{T: "t", Q: []string{"q1"}}, []int{1}, channels, law, []float64{0.25})
	if err != nil {
		t.Fatal(err)
	}
	cols, err := got.Columns(lawChannel(1), truePosition(1))
	if err != nil {
		t.Fatal(err)
	}
	limited := 0
	for i := 100; i < n-100; i++ {
		at := time[i] - delay - dt/2
		want := 100*(0.5*math.Sin(2*at)-0.4*math.Sin(2*at-0.1)) + 5*(math.Cos(2*at)-0.8*math.Cos(2*at-0.1))
		if math.Abs(want) > 8 {
			want, limited = math.Copysign(8, want), limited+1
		}
		// Straight lines between samples: (2·dt)²/8 of the torque, and where the limit begins a part of a sample's change.
		if math.Abs(cols[0][i]-want) > 1e-3*(math.Abs(want)+1) {
			t.Fatalf("row %d: %.6f N·m, want %.6f", i, cols[0][i], want)
		}
		if cols[1][i] != place[i]-0.25 {
			t.Fatalf("row %d: position %g, want %g less the offset", i, cols[1][i], place[i])
		}
	}
	if limited == 0 {
		t.Error("the drive was never at its limit")
	}
	if _, err := CommandChannels(l, []int{2}, []string{"elbow"}, nil); err == nil {
		t.Error("a command of a joint was found that has none")
	}
}

// A log of commands and positions gets torques of zero first, so that its joints are found.
func TestBlankTorques(t *testing.T) {
	l := datasets.FromColumns("log", []datasets.Channel{{Name: "t"}, {Name: "q1"}, {Name: "q_ref1"}}, [][]float64{{0, 0.01}, {0, 0}, {0, 0.1}}, nil)
	logs, mapped := blankTorques([]*datasets.Log{l}, []datasets.Roles{{T: "t", Q: []string{"q1"}}}, nil)
	if got := logs[0].Names(); !slices.Equal(got, []string{"t", "q1", "q_ref1", "law_torque1"}) || mapped["tau1"] != "law_torque1" || len(mapped) != 1 {
		t.Errorf("channels %q, mapped %v", got, mapped)
	}
}
