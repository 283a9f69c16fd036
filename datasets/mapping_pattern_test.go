package datasets

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestMapPatterns draws names of channels about a number or a joint's name, and finds each by one pattern.
func TestMapPatterns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "joints")
		before, behind := rapid.StringMatching(`[A-Z/: ]{1,8}`).Draw(t, "before"), rapid.StringMatching(`[ A-Z:\[\]]{0,6}`).Draw(t, "behind")
		joints := make([]string, n)
		channels := []Channel{{Name: "t"}}
		named, from := rapid.Bool().Draw(t, "named"), rapid.IntRange(0, 1).Draw(t, "from")
		want := make([]string, n)
		for j := range n {
			joints[j] = string(rune('a'+j)) + "_joint"
			star := fmt.Sprint(j + from)
			if named {
				star = joints[j]
			}
			want[j] = before + star + behind
			channels = append(channels, Channel{Name: want[j]})
		}
		l := FromColumns("log", channels, make([][]float64, n+1), nil)
		r, _, err := MapChannels(l, joints, map[string]string{"tau_*": before + "*" + behind})
		if err != nil || !slices.Equal(r.Tau, want) {
			t.Fatalf("%q, want %q (%v)", r.Tau, want, err)
		}
		if _, _, err := MapChannels(l, joints, map[string]string{"tau_*": "other" + before + "*"}); !errors.Is(err, ErrNoChannel) {
			t.Fatalf("%v", err)
		}
	})
}
