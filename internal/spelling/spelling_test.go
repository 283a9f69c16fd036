package spelling

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"torque", "torqe", 1}, {"tau1", "tau2", 1}, {"ab", "ba", 2}} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := Distance(c.b, c.a); got != c.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"fit", "check", "train-fraction", "trim"}
	for name, want := range map[string]string{"fti": "fit", "chekc": "check", "trian-fraction": "train-fraction", "train": "train-fraction", "qqqqqq": "", "tr": "train-fraction or trim"} {
		if got := Nearest(name, known); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
