package datasets

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

func TestExampleLog(t *testing.T) {
	l, err := ExampleLog()
	if err != nil {
		t.Fatal(err)
	}
	if len(exampleLog) > 1<<20 {
		t.Errorf("the embedded log has %d bytes, more than 1 MiB", len(exampleLog))
	}
	want := "t q1 q2 q3 q4 q5 q6 dq1 dq2 dq3 dq4 dq5 dq6 tau1 tau2 tau3 tau4 tau5 tau6"
	if got := strings.Join(l.Names(), " "); got != want || l.Rows() != 6001 || l.Name() != "puma560" {
		t.Errorf("%s: %d rows of %s", l.Name(), l.Rows(), got)
	}
	if l.Meta()["ident.robot"] != string(ExampleRobot()) || l.Meta()["ident.robot.format"] != "urdf" {
		t.Error("the log does not carry the example robot")
	}
	if roles, _, err := MapChannels(l, []string{"waist", "shoulder", "elbow", "wrist_roll", "wrist_bend", "flange_turn"}, nil); err != nil || roles.Tau[5] != "tau6" {
		t.Errorf("%+v %v", roles, err)
	}
	cols, err := l.Columns(l.Names()...)
	if err != nil {
		t.Fatal(err)
	}
	for c, x := range cols {
		for i, v := range x {
			if math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) > 150 {
				t.Fatalf("%s, row %d: %g", l.Names()[c], i+1, v)
			}
		}
	}
	if cols[0][0] != 0 || cols[0][6000] != 60 {
		t.Errorf("from %g to %g s", cols[0][0], cols[0][6000])
	}
	// Closing one leaves the next as it is.
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if again, err := ExampleLog(); err != nil || again.Rows() != 6001 {
		t.Error(err)
	} else if q, err := again.Column("q1"); err != nil || q[100] != cols[1][100] {
		t.Errorf("%v %v", q[100], err)
	}
}

func TestExampleRobotIsACopy(t *testing.T) {
	a := ExampleRobot()
	clear(a)
	if !bytes.HasPrefix(ExampleRobot(), []byte("<?xml")) {
		t.Error("a caller changed the embedded robot")
	}
}
