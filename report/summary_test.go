package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ident/result"
)

// A summary is one screen, whatever the robot, with the grade, both errors and every joint that fits.
func TestSummary(t *testing.T) {
	for _, c := range []struct{ joints, width, lines int }{{1, 0, 22}, {7, 0, 22}, {30, 0, 22}, {7, 80, 28}, {7, 60, 35}, {30, 40, 60}} {
		joints, columns := c.joints, c.width
		if columns == 0 {
			columns = textWidth
		}
		res := newFixture(joints, 500).res
		for i := range 5 {
			res.Grade.Reasons = append(res.Grade.Reasons, result.Reason{ID: "x", Why: fmt.Sprintf("reason %d: %s", i, strings.Repeat("a long sentence ", 8)), Fix: strings.Repeat("a cure ", 13), Makes: result.Unusable})
		}
		res.Grade.Value = result.Unusable
		var b bytes.Buffer
		Summary(&b, res, c.width)
		text := b.String()
		lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
		if len(lines) > c.lines { // and three of the command, for the places
			t.Errorf("%d joints: %d lines", joints, len(lines))
		}
		for _, l := range lines {
			if n := len([]rune(l)); n > columns {
				t.Errorf("%d columns: %s", n, l)
			}
		}
		for _, want := range []string{"unusable: torques ", " % on motion not seen, ", "reason 1", "weak", shortNames(res.Joints, 9)[0]} {
			if joints == 30 && strings.HasPrefix(want, "a") {
				continue // the worst ones are shown
			}
			if !strings.Contains(text, want) {
				t.Errorf("%d joints: no %q in\n%s", joints, want, text)
			}
		}
		if strings.Contains(text, "reason 4") {
			t.Error("more than three reasons")
		}
	}
}

// The columns of a table of joints hold their headings.
func TestJointColumns(t *testing.T) {
	for _, c := range []struct {
		joints, want string
		width        int
	}{
		{"a b", "a b", 9},
		{"waist flange_turn", "waist flange_turn", 11},
		{"arm_joint_1 arm_joint_2", "1 2", 9},
	} {
		names, width := JointColumns(strings.Fields(c.joints))
		if strings.Join(names, " ") != c.want || width != c.width {
			t.Errorf("%q of width %d, want %q of %d", names, width, c.want, c.width)
		}
	}
}
