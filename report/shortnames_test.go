package report

import (
	"slices"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Words that all joints share tell nothing; the others stay as far as the column goes.
func TestShortNames(t *testing.T) {
	for _, c := range []struct {
		width       int
		names, want []string
	}{
		{9, []string{"lwr_0_joint", "lwr_1_joint"}, []string{"0", "1"}},
		{9, []string{"joint_1", "joint_2", "joint_12"}, []string{"1", "2", "12"}},
		{16, []string{"shoulder_pan_joint", "elbow_joint"}, []string{"shoulder_pan", "elbow"}},
		{9, []string{"left_shoulder", "right_shoulder", "left_knee"}, []string{"l_should…", "r_should…", "left_knee"}},
		{10, []string{"left_hip_roll", "waist"}, []string{"l_hip_roll", "waist"}},
		{9, []string{"j1", "j2"}, []string{"j1", "j2"}},
		{9, []string{"arm_", "arm_2"}, []string{"arm_", "arm_2"}},
		{9, []string{"alone_joint_of_a_slide"}, []string{"a_j_o_a_…"}},
	} {
		if got := shortNames(c.names, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q become %q, want %q", c.names, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.String(), 1, 5).Draw(t, "names")
		width := rapid.IntRange(1, 20).Draw(t, "width")
		for _, s := range shortNames(names, width) {
			if utf8.RuneCountInString(s) > width {
				t.Fatalf("%q is wider than %d", s, width)
			}
		}
	})
}
