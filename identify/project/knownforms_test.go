package project

import (
	"math"
	"testing"
)

// A known mass of a link is one number, with its deviation, or an interval.
func TestMassOfALink(t *testing.T) {
	for text, want := range map[string][2]float64{"4.8": {4.7952, 4.8048}, "4.8±0.05": {4.7, 4.9}, "5±2%": {4.8, 5.2}, "4:5": {4, 5}, "4:": {4, 0}} {
		v, err := interval(text, "mass")
		if err != nil || math.Abs(v.Low-want[0]) > 1e-9 || math.Abs(v.High-want[1]) > 1e-9 {
			t.Errorf("%s: %v, %v, want %v", text, v, err, want)
		}
	}
	for _, text := range []string{"-4.8", "0", "4.8±3", "heavy", "5:4"} {
		if v, err := interval(text, "mass"); err == nil {
			t.Errorf("%s: %v", text, v)
		}
	}
}

// Several known values stand in one option, or in one each.
func TestKnownValuesInOneOption(t *testing.T) {
	known, _ := Lookup("known")
	for _, texts := range [][]string{{"M3=4.8,M2=17±2%"}, {"M3=4.8", "M2=17±2%"}, {" M3=4.8 , M2=17±0.34 "}} {
		s := new(Settings)
		if err := known.Set(s, texts...); err != nil || s.Known["M3"] != (Known{4.8, 0}) || math.Abs(s.Known["M2"].Sigma-0.34) > 1e-12 {
			t.Errorf("%q: %v, %v", texts, s.Known, err)
		}
	}
	if err := known.Set(new(Settings), "M3=4,8"); err == nil {
		t.Error("M3=4,8 is taken")
	}
}
