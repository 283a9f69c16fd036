package doctor_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"ident/datasets"
	"ident/doctor"
	draws "ident/internal/long"
)

// In a log longer than all windows together, single rows are still found, and a motion
// that happens in one part of it only is still seen.
func TestLongLog(t *testing.T) {
	draws.Only(t, "200 000 rows")
	e, l, roles := long(200_000)
	channels := l.Channels()
	cols, err := l.Columns(l.Names()...)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range channels {
		switch c.Name {
		case "q2":
			cols[i][123_456] = math.NaN()
		case "tau3":
			cols[i][150_001] = 1e9
		case "dq4":
			for k := len(cols[i]) - 1; k >= 12; k-- {
				cols[i][k] = cols[i][k-12]
			}
		case "q6", "dq6": // moves in the third twenty seconds only
			for k := range cols[i] {
				if k < 40_000 || k >= 60_000 {
					cols[i][k] = 0
					if c.Name == "q6" {
						cols[i][k] = cols[i][40_000]
					}
				}
			}
		}
	}
	found, err := doctor.Check(t.Context(), e.robot, datasets.FromColumns("long", channels, cols, nil), roles, e.opt)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		// The torques were not computed anew for a joint six that rests: the findings of the model are right.
		if f.Severity != doctor.Info && f.ID != doctor.Coupling && f.ID != doctor.Gravity && f.ID != doctor.Unexplained {
			got = append(got, fmt.Sprintf("%s %s %s", f.Severity, f.ID, f.Channel))
			for channel, row := range map[string]string{"q2": "row 123457 ", "tau3": "row 150002 "} {
				if f.Channel == channel && !strings.Contains(f.Where, row) {
					t.Error(show(f))
				}
			}
			if f.ID == doctor.LagVelocity && math.Abs(f.Value-0.012) > 1e-4 {
				t.Error(show(f))
			}
		}
	}
	if want := "[error dropout q2 error spike tau3 warning lag-velocity dq4]"; fmt.Sprint(got) != want {
		t.Errorf("found %v, want %v", got, want)
		for _, f := range found {
			t.Log(show(f))
		}
	}
}
