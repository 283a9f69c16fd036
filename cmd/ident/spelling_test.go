package main_test

import (
	"testing"

	"ident/internal/spelling"
)

func TestSpellingDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"torque", "torqe", 1}, {"tau1", "tau2", 1}, {"ab", "ba", 2}} {
		if got := spelling.Distance(c.a, c.b); got != c.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := spelling.Distance(c.b, c.a); got != c.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

func TestNearestSpelling(t *testing.T) {
	known := []string{"fit", "check", "train-fraction", "trim"}
	for name, want := range map[string]string{"fti": "fit", "chekc": "check", "trian-fraction": "train-fraction", "train": "train-fraction", "qqqqqq": "", "tr": "train-fraction or trim"} {
		if got := spelling.Nearest(name, known); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
