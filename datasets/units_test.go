package datasets

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestUnitsGiveSI(t *testing.T) {
	for _, c := range []struct {
		unit, si string
		factor   float64
	}{
		{"", "", 1}, {"rad", "rad", 1}, {"deg", "rad", math.Pi / 180}, {"°", "rad", math.Pi / 180}, {"rpm", "rad/s", math.Pi / 30},
		{"rev", "rad", 2 * math.Pi}, {"U/min", "rad/s", math.Pi / 30}, {"UPM", "rad/s", math.Pi / 30}, {"rad/sec", "rad/s", 1}, {"deg/sec", "rad/s", math.Pi / 180}, {"N-m", "N.m", 1}, {"deg/s", "rad/s", math.Pi / 180}, {"deg/s²", "rad/s^2", math.Pi / 180}, {"rad/s2", "rad/s^2", 1}, {"m/s/s", "m/s^2", 1},
		{"mA", "A", 1e-3}, {"N·mm", "N.m", 1e-3}, {"N.mm", "N.m", 1e-3}, {"Nm", "N.m", 1}, {"N m", "N.m", 1}, {"N*m", "N.m", 1},
		{"mm", "m", 1e-3}, {"ms", "s", 1e-3}, {"µs", "s", 1e-6}, {"ns", "s", 1e-9}, {"min", "s", 60},
	} {
		si, f, err := SI(c.unit)
		if err != nil || si != c.si || math.Abs(f-c.factor) > 1e-15*c.factor {
			t.Errorf("%q: %q %v %v", c.unit, si, f, err)
		}
		// The SI name of a unit is itself a unit without a factor: files are written with it.
		if again, f, err := SI(si); err != nil || again != si || f != 1 {
			t.Errorf("%q: its SI unit %q gives %q %v %v", c.unit, si, again, f, err)
		}
	}
	if _, _, err := SI("parsec"); !errors.Is(err, ErrUnit) {
		t.Errorf("parsec: %v", err)
	}
	for _, c := range conversions() {
		if u, f, err := SI(c.si); err != nil || u != c.si || f != 1 {
			t.Errorf("%q is not its own SI unit: %q %v %v", c.si, u, f, err)
		}
	}
}

// Grad is the degree in a table with German heads or signs of degrees; elsewhere it is asked about.
func TestGradOfGermanTables(t *testing.T) {
	for text, want := range map[string]string{
		"Zeit [s],Winkel1 [Grad]\n0,90\n":        "deg",
		"t [s],q1 [Grad],dq1 [°/s]\n0,90,0\n":    "deg",
		"Zeit;Winkel1 (Grad/s)\n0;90\n":          "deg/s",
		"t [s],q1 [Grad],tau1 [Nm]\n0,90,1\n":    "",
		"t [s],q1 [grad],current1 [A]\n0,90,1\n": "",
	} {
		l, err := OpenReader(strings.NewReader(text), int64(len(text)), "log.csv", Options{})
		if want == "" {
			if !errors.Is(err, ErrUnit) {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if err != nil || l.Channels()[1].Unit != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
