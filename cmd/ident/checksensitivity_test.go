package main

import (
	"bytes"
	"strings"
	"testing"

	"ident/identify/project"
)

// The best row at the cut-off of the fit is marked, with its command; a lower error at another cut-off is none to compare.
func TestBestRowOfSensitivity(t *testing.T) {
	rows := []project.Refit{{Cutoff: 10, Motion: 10, Velocity: "measured", Error: 2}, {Cutoff: 10, Motion: 8, Velocity: "central", Error: 1.8},
		{Cutoff: 10, Motion: 40, Velocity: "kalman", Error: 1.7}, {Cutoff: 5, Motion: 5, Velocity: "measured", Error: 0.5}}
	var out bytes.Buffer
	printSensitivity(streams{out: &out}, rows)
	marked := 0
	for _, line := range strings.Split(out.String(), "\n") {
		if strings.Contains(line, "<- least error") {
			if marked++; !strings.Contains(line, "kalman") {
				t.Errorf("marked: %s", line)
			}
		}
	}
	if command := "ident fit … --cutoff 10 --motion-cutoff 40 --velocity position --differentiator kalman"; marked != 1 || !strings.Contains(out.String(), command) {
		t.Errorf("%d rows marked, no %q in\n%s", marked, command, out.String())
	}
	out.Reset()
	rows[1].Error, rows[2].Error = 1.95, 1.95 // within a twentieth
	printSensitivity(streams{out: &out}, rows)
	if strings.Contains(out.String(), "least error") {
		t.Errorf("a twentieth is marked:\n%s", out.String())
	}
}

// A line of check has the first clause, and does not end at a parenthesis.
func TestClause(t *testing.T) {
	for text, want := range map[string]string{
		"dq1 runs 0.15 s (15 rows; late) behind the derivative of q1: a filter": "dq1 runs 0.15 s behind the derivative of q1",
		"on 8 rows (3 %) all torques are zero; see the driver":                  "on 8 rows all torques are zero",
		"no mark (and no end": "no mark (and no end",
	} {
		if got := clause(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
