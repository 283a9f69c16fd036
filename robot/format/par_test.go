package format

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ident/robot"
	"ident/robot/format/par"
	"ident/robot/format/yaml"
	"ident/robot/internal/expression"
)

func TestExpressions(t *testing.T) {
	values := map[string]float64{"a": 2, "d12": 3}
	for text, want := range map[string]float64{
		"1": 1, "-1.5e-3": -1.5e-3, "Pi/2": math.Pi / 2, "-pi/2": -math.Pi / 2, "2*a+1": 5, "a**2^0.5": math.Pow(2, math.Sqrt2),
		"-a^2": -4, "2^-1": .5, "(1+a)*(d12-1)": 6, "d12*cos(Pi/3)": 1.5, "-a - -a": 0, "8/2/2": 2, "1-2-3": -4, "sqrt(4)": 2, ".5": .5,
		"cos(Pi/2)": 0, "atan(1)": math.Pi / 4, "+a": 2, "2E2": 200,
	} {
		e, err := expression.Parse(text)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if got := e.Eval(values); got != want {
			t.Errorf("%s = %g, want %g", text, got, want)
		}
		back, err := expression.Parse(e.String())
		if err != nil || back.Eval(values) != want {
			t.Errorf("%s written as %s: %v", text, e, err)
		}
	}
	for _, bad := range []string{"", "1+", "(1", "1)", "2 3", "a,b", "1e", "1..2", "@", "*2", strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300)} {
		if _, err := expression.Parse(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestParSamples(t *testing.T) {
	for file, want := range map[string]struct {
		name    string
		links   int
		dof     int
		unset   string
		gravity [3]float64
		loops   int
	}{
		"sr400.par":            {"sr400", 8, 8, "RL4 d2 d3 d4 d8", [3]float64{0, 0, -9.81}, 1},
		"akr3000.par":          {"AKR3000", 10, 10, "D3 D4 D7 RL8", [3]float64{0, 0, -9.81}, 2},
		"fivebar.par":          {"testLoop", 4, 4, "d", [3]float64{0, 0, -9.81}, 1},
		"rx90.par":             {"RX90", 6, 6, "RL4 d3", [3]float64{0, 0, -9.8}, 0},
		"galou_puma.par":       {"puma", 6, 6, "d3 d4 rl3 rl4", [3]float64{0, 0, -9.81}, 0},
		"galou_RX90num.par":    {"RX90", 6, 6, "RL4 d3", [3]float64{0, 0, -9.8}, 0},
		"galou_stanford.par":   {"stanford", 6, 6, "R2", [3]float64{0, 0, -9.81}, 0},
		"galou_orthoglide.par": {"Orthoglide", 15, 15, "a d4", [3]float64{0, -9.81, 0}, 0},
		"RX90.par":             {"RX90", 7, 7, "d3 d4 d6 d7", [3]float64{0, 0, -9.81}, 2},
		"SR400.par":            {"SR400", 8, 8, "d2 d3 d4 d8 r4", [3]float64{0, 0, -9.81}, 1},
		"galou_sr400.par":      {"sr400", 8, 8, "RL4 d2 d3 d4 d8", [3]float64{0, 0, -9.81}, 1},
		"AKR3000.par":          {"AKR3000", 10, 10, "D3 D4 D7 RL8", [3]float64{0, 0, -9.81}, 2},
		"galou_AKR3000.par":    {"AKR3000", 10, 10, "D3 D4 D7 RL8", [3]float64{0, 0, -9.81}, 2},
		"TwoLoops.par":         {"TwoLoops", 8, 8, "d12 d3 d4 d7 g12", [3]float64{0, 0, -9.81}, 2},
		"testLoop.par":         {"testLoop", 4, 4, "d", [3]float64{0, 0, -9.81}, 1},
	} {
		path := filepath.Join("..", "..", "internal", "testrobot", "testdata", "par", file)
		if _, err := os.Stat(path); err != nil { // one of the shared folder
			if path = filepath.Join(dataRoot(), "cases", "par_samples", file); os.Getenv("IDENT_DATA") == "" {
				if _, err := os.Stat(path); err != nil {
					continue
				}
			}
		}
		r, err := Open(path, robot.ReadOptions{})
		if want.loops > 0 {
			var ue *robot.UnsupportedError
			if !errors.As(err, &ue) || len(ue.Frames) != want.loops {
				t.Errorf("%s: got %v, want %d loops refused", file, err, want.loops)
			}
			r, err = Open(path, robot.ReadOptions{TreeOnly: true})
		}
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if r.Name != want.name || len(r.Links) != want.links || r.DOF() != want.dof || r.Gravity != want.gravity {
			t.Errorf("%s: %s, %d links, %d joints, gravity %v", file, r.Name, len(r.Links), r.DOF(), r.Gravity)
		}
		if got := strings.Join(r.Unset, " "); got != want.unset {
			t.Errorf("%s: unset %q, want %q", file, got, want.unset)
		}
		if want.loops > 0 && len(r.Extra) != 2*want.loops {
			t.Errorf("%s: %d extra frames", file, len(r.Extra))
		}
		for _, l := range r.Links {
			if l.HasInertial {
				t.Errorf("%s: link %s has an inertial, its symbols have no values", file, l.Name)
			}
		}
	}
}

func TestParOwnVariableIsNoOffset(t *testing.T) {
	path := dataPath(t, "cases", "par_samples", "galou_orthoglide.par")
	r, err := Open(path, robot.ReadOptions{Set: map[string]float64{"a": 0.5, "d4": 0.3, "g2": 9.81}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Links[1].MDH.R != -0.5 || r.Links[1].MDH.Text[5] != "-a" || r.Links[3].MDH.Theta != 0 || len(r.Unset) != 0 {
		t.Errorf("link 2: %+v, link 4: %+v, unset %v", r.Links[1].MDH, r.Links[3].MDH, r.Unset)
	}
	if r.Gravity != [3]float64{0, 9.81, 0} {
		t.Errorf("gravity %v", r.Gravity)
	}
	_, err = Open(path, robot.ReadOptions{Set: map[string]float64{"D4": 0.5}})
	if err == nil || !strings.Contains(err.Error(), `"D4"`) || !strings.Contains(err.Error(), "a, d4") {
		t.Errorf("unknown symbol: %v", err)
	}
	if _, err := r.Bind(map[string]float64{"a": math.Inf(1)}); err == nil {
		t.Error("an infinite value is accepted")
	}
	again, err := r.Bind(map[string]float64{"a": 1})
	if err != nil || again.Links[1].MDH.R != -1 || r.Links[1].MDH.R != -0.5 {
		t.Errorf("binding again: %v %v", again.Links[1].MDH, err)
	}
}

const parArm = `(* SYMORO+ (* nested *) Robotname = 'arm' *)
NL = 3
nj = 3
NF = 3
Type = 0 (* Simple *)
Ant = {0,1,
       2}
SIGMA = {0,1,2}
d = {0,1.9e-17,0.3}
alpha = {0,1.5708,0}
theta = {t1 + Pi/2,0,0}
r = {0,r2,0}
mu = {1,0,0}
XX = {1,XX2,0}
XY = {0,XY2,0}
XZ = {0,0,0}
YY = {1,YY2,0}
YZ = {0,0,0}
ZZ = {1,ZZ2,0}
MX = {0.5,MX2,0}
MY = {0,0,0}
MZ = {0,0,0}
M = {2,M2,0}
Ia = {0.25,IA2,0}
Fv = {3,4,0}
G = {0,0,-9.8}
`

func TestParNumbersAndTool(t *testing.T) {
	r, err := Read([]byte(parArm), "", "arm.par", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Name != "arm" || len(r.Links) != 2 || len(r.Extra) != 1 || r.Extra[0].Antecedent != 1 || r.Extra[0].Placement.P[0] != 0.3 {
		t.Fatalf("%s: %d links, extra %+v", r.Name, len(r.Links), r.Extra)
	}
	a, b := r.Links[0], r.Links[1]
	if a.Own != (robot.Inertial{1, 0, 0, 1, 0, 1, .5, 0, 0, 2}) || !a.HasInertial || b.HasInertial || b.Own != (robot.Inertial{}) {
		t.Errorf("inertials %v %v", a.Own, b.Own)
	}
	if a.Joint.Ia != .25 || a.Joint.Fv != 3 || b.Joint.Ia != 0 || b.Joint.Fv != 4 || a.Joint.Passive || !b.Joint.Passive {
		t.Errorf("joints %+v %+v", a.Joint, b.Joint)
	}
	if a.MDH.Theta != math.Pi/2 || a.MDH.Text[4] != "Pi/2" || b.MDH.Alpha != math.Pi/2 || b.MDH.D != 0 || b.Placement.R[1][1] != 0 {
		t.Errorf("geometry %+v %+v", a.MDH, b.MDH)
	}
	said := slices.ContainsFunc(r.Notes, func(n robot.Note) bool {
		return n.Where == `joint "J2"` && strings.Contains(n.Text, "alpha 1.5708 as π/2") && strings.Contains(n.Text, "1.9e-17")
	})
	if !said {
		t.Errorf("notes %+v", r.Notes)
	}
	r, err = Read([]byte(parArm), "par", "", robot.ReadOptions{NoSnap: true})
	if err != nil || r.Links[1].MDH.Alpha != 1.5708 {
		t.Errorf("no snap: %v", err)
	}
}

// Ten zeros are no body, a symbol makes zeros known, and numbers alone are a body with
// zeros that are values.
func TestParZeros(t *testing.T) {
	text := strings.NewReplacer("Ia = {0.25,IA2,0}", "Ia = {0,0,0}", "XX = {1,", "XX = {0,", "YY = {1,", "YY = {0,", "ZZ = {1,", "ZZ = {0,", "MX = {0.5,", "MX = {0,", "M = {2,", "M = {0,").Replace(parArm)
	r, err := Read([]byte(text), "", "arm.par", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := r.Links[0], r.Links[1]
	if !a.Massless || a.HasInertial || !a.Joint.NoRotor || a.KnownZero()[0] != "Ia" {
		t.Errorf("a link of zeros: %+v", a)
	}
	if want := []string{"XZ", "YZ", "MY", "MZ", "Ia"}; b.Massless || b.HasInertial || !slices.Equal(b.KnownZero(), want) {
		t.Errorf("known zeros %v of %+v, want %v", b.KnownZero(), b, want)
	}
	for _, want := range []string{`link "L1": it has no mass`, `link "L2": known to be zero, for the file gives 0: XZ, YZ, MY, MZ, Ia`} {
		if !slices.ContainsFunc(r.Notes, func(n robot.Note) bool { return strings.HasPrefix(n.Where+": "+n.Text, want) }) {
			t.Errorf("no note %q in %+v", want, r.Notes)
		}
	}
	whole, err := Read([]byte(strings.Replace(parArm, "0.25", "0", 1)), "", "arm.par", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if l := whole.Links[0]; !l.HasInertial || len(l.KnownZero()) > 0 {
		t.Errorf("a body of numbers: %+v, known zeros %v", l, l.KnownZero())
	}
	// Both writers keep them.
	for format, write := range map[string]func(io.Writer, *robot.Robot) error{"par": par.Write, "yaml": yaml.Write} {
		var text bytes.Buffer
		if err := write(&text, r); err != nil {
			t.Fatal(err)
		}
		back, err := Read(text.Bytes(), format, "back", robot.ReadOptions{})
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		for j := range r.Links {
			if l, m := r.Links[j], back.Links[j]; l.Massless != m.Massless || l.Zero != m.Zero || l.Joint.NoRotor != m.Joint.NoRotor {
				t.Errorf("%s: link %d is %+v, was %+v", format, j+1, m, l)
			}
		}
	}
	// A body that a locked joint hangs on a massless link makes a body of it.
	locked, err := r.Lock("J2", 0.1)
	if err != nil {
		t.Fatal(err)
	}
	if l := locked.Links[0]; l.Massless || l.HasInertial || l.Zero != [robot.NumInertial]bool{} {
		t.Errorf("with joint 2 locked: %+v", l)
	}
}

func TestParFaultsAreNamed(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"short list":   {"mu = {1,0,0}", "mu = {1,0}", "arm.par:13: mu: the list has 2 entries, 3 are needed"},
		"open list":    {"mu = {1,0,0}", "mu = {1,0,0", "sigma"},
		"open comment": {"(* Simple *)", "(* Simple", "arm.par:5"},
		"expression":   {"1.5708", "1.5708+", "alpha of frame 2"},
		"order":        {"Ant = {0,1,", "Ant = {2,1,", "antecedent comes before"},
		"twice":        {"mu = {1,0,0}", "d = {1,0,0}", "given twice (first in line 9)"},
		"minus":        {"t1 + Pi/2", "Pi/2 - t1", "constant plus the joint variable t1"},
		"mobile":       {"Type = 0", "is_mobile = 1\nType = 0", "mobile base"},
		"counts":       {"NL = 3", "NL = 4", "NL = 4"},
		"nonsense":     {"NL = 3", "% NL", "no assignment"},
		"infinite":     {"{0,1.9e-17,0.3}", "{0,1/0,0.3}", "d: 1/0 is not finite"},
	} {
		text := strings.Replace(parArm, c.old, c.new, 1)
		_, err := Read([]byte(text), "par", "arm.par", robot.ReadOptions{})
		if name == "open list" {
			if err == nil {
				t.Errorf("%s: accepted", name)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v does not say %q", name, err, c.want)
		}
	}
}

func FuzzPar(f *testing.F) {
	f.Add([]byte(parArm))
	addSeeds(f, "cases", "par_samples", "*.par")
	f.Add([]byte(parLoop))
	f.Fuzz(func(t *testing.T, text []byte) {
		fuzzRead(t, text, "par")
		r, err := Read(text, "par", "fuzz", robot.ReadOptions{Loops: true})
		if err != nil {
			return
		}
		for i, l := range r.Loops {
			if r.Extra[l.Meets].Kind != robot.Fixed || l.Frame == l.Meets {
				t.Fatalf("%s: %+v", r.LoopName(i), r.Extra)
			}
		}
		for _, f := range r.Extra {
			if f.Antecedent >= len(r.Links) || -2-f.Antecedent >= len(r.Extra) {
				t.Fatalf("frame %s hangs on %d", f.Name, f.Antecedent)
			}
		}
	})
}

// fuzzRead requires of any text that it gives a sound robot or an error that
// the caller can match.
func fuzzRead(t *testing.T, text []byte, format string) {
	r, err := Read(text, format, "fuzz", robot.ReadOptions{TreeOnly: true})
	if err != nil {
		var fe *robot.FileError
		var ue *robot.UnsupportedError
		if !errors.As(err, &fe) && !errors.As(err, &ue) {
			t.Fatalf("unmatched error %T: %v", err, err)
		}
		return
	}
	if r.DOF() == 0 {
		t.Fatal("nothing moves")
	}
	for i, l := range r.Links {
		if l.Antecedent >= i || l.Antecedent < -1 {
			t.Fatalf("antecedent %d of link %d", l.Antecedent, i)
		}
	}
	if len(r.Unset) == 0 {
		if _, err := r.Bind(nil); err != nil {
			t.Fatal(err)
		}
	}
}

// External wrenches and the motion of the base are read, numbers and symbols, and written again.
func TestParOutside(t *testing.T) {
	const text = "NF = 2\nNL = 2\nNJ = 2\nType = 0\nAnt = {0, 1}\nSigma = {0, 0}\nd = {0, 0.5}\nAlpha = {0, Pi/2}\n" +
		"FX = {0, FX2}\nFZ = {0, -3.5}\nCY = {0, 0}\nW0 = {0, 0, w}\nVP0 = {1, 0, 0}\n"
	r, err := Read([]byte(text), "par", "arm.par", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := r.ExternalLinks(); !slices.Equal(got, []int{1}) {
			t.Fatalf("links %v exert wrenches", got)
		}
		if w := r.Links[1].External; !math.IsNaN(w[0]) || w[2] != -3.5 || w[1] != 0 {
			t.Errorf("the wrench is %v", w)
		}
		if m := r.BaseMotion; !r.BaseMoves || !math.IsNaN(m.W[2]) || m.VP != [3]float64{1, 0, 0} || m.WP != [3]float64{} {
			t.Errorf("the base moves by %+v", m)
		}
		var b bytes.Buffer
		if err := par.Write(&b, r); err != nil {
			t.Fatal(err)
		}
		if r, err = Read(b.Bytes(), "par", "arm.par", robot.ReadOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Read([]byte(strings.Replace(text, "-3.5", "1/0", 1)), "par", "arm.par", robot.ReadOptions{}); err == nil {
		t.Error("an infinite force is read")
	}
}
