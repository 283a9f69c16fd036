package datasets

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// Units, scales and zeros by name and by pattern; a name overrides a pattern.
func TestDeclarations(t *testing.T) {
	const text = "t,q1,q2,q10,current_1\n0,2148,90,180,5\n1,2048,0,90,10\n"
	open := func(opt Options) (*Log, error) {
		return OpenReader(strings.NewReader(text), int64(len(text)), "log.csv", opt)
	}
	l, err := open(Options{Units: map[string]string{"q*": "deg", "q10": "turns", "*_1": "mA"}, Zero: map[string]float64{"q1": 2048, "q2": 45}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for name, want := range map[string]float64{"t": 0, "q1": 100 * math.Pi / 180, "q2": 45 * math.Pi / 180, "q10": 360 * math.Pi, "current_1": 5e-3} {
		x, err := l.Column(name)
		if err != nil || math.Abs(x[0]-want) > 1e-15*math.Abs(want) { // one rounding of a product, one of a quotient
			t.Errorf("%s is %v, want %v (%v)", name, x, want, err)
		}
	}
	if l, err = open(Options{Scale: map[string]float64{"q1": -0.01}, Zero: map[string]float64{"q1": 2048}}); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if x, _ := l.Column("q1"); x[0] != -1 || x[1] != 0 {
		t.Errorf("scaled to %v", x)
	}
	for _, c := range []struct {
		opt    Options
		option string
		names  string
	}{
		{Options{Units: map[string]string{"q1": "deg"}, Scale: map[string]float64{"q*": 2}}, "scale", "q1"},
		{Options{Units: map[string]string{"q*": "deg", "*1": "rad"}}, "units", "q1"},
		{Options{Units: map[string]string{"joint*": "deg"}}, "units", "joint*"},
		{Options{Scale: map[string]float64{"tau1": 2}}, "scale", "tau1"},
		{Options{Scale: map[string]float64{"q1": 0}}, "scale", "q1"},
		{Options{Zero: map[string]float64{"q1": math.NaN()}}, "zero", "q1"},
	} {
		l, err := open(c.opt)
		var d *DeclarationError
		if !errors.As(err, &d) || d.Option != c.option || !strings.Contains(err.Error(), c.names) {
			t.Errorf("%+v: %v", c.opt, err)
		}
		if err == nil {
			l.Close()
		}
	}
}
