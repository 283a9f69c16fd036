// Package testrobot makes robots for tests: random trees, and the reference
// cases of the shared folder.
package testrobot

import (
	"embed"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"ident/internal/spatial"
	"ident/robot"
)

// Random returns a tree of n links with revolute, prismatic and, if fixed is
// set, fixed joints, random placements and physically feasible bodies. At
// least the first joint moves.
func Random(rng *rand.Rand, n int, fixed bool) *robot.Robot {
	r := &robot.Robot{Name: fmt.Sprintf("random%d", n), Gravity: [3]float64{rng.NormFloat64(), rng.NormFloat64(), -9.81}}
	for j := range n {
		kind := robot.Revolute
		switch p := rng.Float64(); {
		case p < 0.25:
			kind = robot.Prismatic
		case p < 0.35 && fixed && j > 0:
			kind = robot.Fixed
		}
		ant := j - 1
		if j > 1 && rng.Float64() < 0.3 {
			ant = rng.IntN(j) - 1
		}
		angle := func() float64 { return rng.NormFloat64() * 2 }
		length := func() float64 { return rng.NormFloat64() * 0.4 }
		mdh := robot.MDH{Gamma: angle(), B: length(), Alpha: angle(), D: length(), Theta: angle(), R: length()}
		in := Body(rng)
		r.Links = append(r.Links, robot.Link{
			Name: fmt.Sprintf("link%d", j+1), Antecedent: ant, Placement: mdh.Transform(), MDH: &mdh,
			UserFrame: robot.Identity(), Inertial: in, Own: in, HasInertial: true,
			Joint: robot.Joint{Name: fmt.Sprintf("joint%d", j+1), Kind: kind, Ia: rng.Float64(),
				Lower: math.NaN(), Upper: math.NaN(), Velocity: math.NaN(), Accel: math.NaN(), Jerk: math.NaN(), Effort: math.NaN()},
		})
	}
	return r
}

// Body returns the parameters of a random cloud of point masses.
func Body(rng *rand.Rand) robot.Inertial {
	var sum robot.Inertial
	for range 6 {
		c := spatial.Vec{rng.NormFloat64() * 0.2, rng.NormFloat64() * 0.2, rng.NormFloat64() * 0.2}
		sum = sum.Add(robot.InertialFromCentral(0.2+rng.Float64(), c, spatial.Mat{}))
	}
	return sum
}

// DataDir returns the folder of shared data, or skips the test with a line
// that names the missing folder.
func DataDir(t testing.TB) string {
	t.Helper()
	dir := shared()
	if _, err := os.Stat(dir); err != nil {
		t.Skip("reference data are absent: set IDENT_DATA to the folder that holds cases/ and data/")
	}
	return dir
}

// SharedFiles returns the files of the folder of shared data that match a pattern, none where it is absent.
func SharedFiles(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(shared(), pattern))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func shared() string {
	if dir := os.Getenv("IDENT_DATA"); dir != "" {
		return dir
	}
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..", "shared")
}

// DataSheets returns the limits of joints by the manufacturers' data sheets, as YAML.
func DataSheets() ([]byte, error) { return published.ReadFile("testdata/limits.yaml") }

// Variant is one expected base parameter set of a case.
type Variant struct {
	NBase       int      `json:"n_base"`
	ZeroEffect  []string `json:"zero_effect"`
	GroupedAway []string `json:"grouped_away"`
	Base        []struct {
		Name string             `json:"name"`
		Coef map[string]float64 `json:"coef"`
	} `json:"base"`
}

// Case is a reference robot.
type Case struct {
	Name      string             `json:"name"`
	Structure string             `json:"structure"`
	Gravity   []string           `json:"gravity"`
	G3        float64            `json:"G3"`
	Values    map[string]float64 `json:"values"`
	Variants  map[string]Variant `json:"variants"`
	Frames    []struct {
		J     int             `json:"j"`
		Ant   int             `json:"ant"`
		Sigma int             `json:"sigma"`
		Gamma json.RawMessage `json:"gamma"`
		B     json.RawMessage `json:"b"`
		Alpha json.RawMessage `json:"alpha"`
		D     json.RawMessage `json:"d"`
		Theta json.RawMessage `json:"theta"`
		R     json.RawMessage `json:"r"`
	} `json:"frames"`
	InverseDynamics struct {
		Params  map[string]float64 `json:"params"`
		Vectors []struct {
			Q   []float64 `json:"q"`
			DQ  []float64 `json:"qd"`
			DDQ []float64 `json:"qdd"`
			Tau []float64 `json:"tau"`
		} `json:"vectors"`
	} `json:"inverse_dynamics"`
}

// published are relations, counts and torque vectors from the literature, or computed by
// others; every file begins with its source.
//
//go:embed testdata/cases testdata/par testdata/limits.yaml
var published embed.FS

// Published returns a file of published numbers.
func Published(name string) ([]byte, error) { return published.ReadFile("testdata/cases/" + name) }

// PublishedPar returns a robot file of published geometry.
func PublishedPar(name string) ([]byte, error) { return published.ReadFile("testdata/par/" + name) }

// Cases reads every reference robot that is a tree.
func Cases(t testing.TB) []Case {
	t.Helper()
	files, err := published.ReadDir("testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	var out []Case
	for _, f := range files {
		if strings.HasPrefix(f.Name(), "pub_") {
			continue
		}
		if c := CaseOf(t, strings.TrimSuffix(f.Name(), ".json")); c.Structure != "closed" {
			out = append(out, c)
		}
	}
	return out
}

// CaseOf reads one reference robot, a tree or a closed one.
func CaseOf(t testing.TB, name string) Case {
	t.Helper()
	text, err := Published(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var c Case
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return c
}

// Robot builds the robot of a case, without inertials; its placements keep the
// symbols of the case.
func (c Case) Robot(t testing.TB) *robot.Robot {
	t.Helper()
	r := &robot.Robot{Name: c.Name, Symbols: c.Values}
	for k, g := range c.Gravity {
		r.Gravity[k] = c.value(t, json.RawMessage(strconv.Quote(g)))
	}
	for _, f := range c.Frames {
		mdh := robot.MDH{Gamma: c.value(t, f.Gamma), B: c.value(t, f.B), Alpha: c.value(t, f.Alpha),
			D: c.value(t, f.D), Theta: c.value(t, f.Theta), R: c.value(t, f.R),
			Text: [6]string{plainText(f.Gamma), plainText(f.B), plainText(f.Alpha), plainText(f.D), plainText(f.Theta), plainText(f.R)}}
		r.Links = append(r.Links, robot.Link{Name: fmt.Sprintf("L%d", f.J), Antecedent: f.Ant - 1, Placement: mdh.Transform(), MDH: &mdh,
			UserFrame: robot.Identity(), Joint: robot.Joint{Name: fmt.Sprintf("J%d", f.J), Kind: robot.Kind(f.Sigma)}})
	}
	return r
}

// plainText returns a JSON number as it stands, or a string without its quotes.
func plainText(raw json.RawMessage) string {
	text := strings.TrimSpace(string(raw))
	if u, err := strconv.Unquote(text); err == nil {
		return u
	}
	return text
}

// value reads a number or a short product such as "-Pi/2" or "-G3".
func (c Case) value(t testing.TB, raw json.RawMessage) float64 {
	t.Helper()
	text := plainText(raw)
	sign := 1.0
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		sign, text = -1, rest
	}
	num, den, _ := strings.Cut(text, "/")
	v := sign * c.atom(t, num)
	if den != "" {
		v /= c.atom(t, den)
	}
	return v
}

func (c Case) atom(t testing.TB, s string) float64 {
	t.Helper()
	s = strings.TrimSpace(s)
	v := 1.0
	for f := range strings.SplitSeq(s, "*") {
		f = strings.TrimSpace(f)
		switch known, ok := c.Values[f]; {
		case ok:
			v *= known
		case f == "Pi" || f == "pi":
			v *= math.Pi
		case f == "G3":
			v *= c.G3
		default:
			x, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatalf("case %s: cannot read %q", c.Name, s)
			}
			v *= x
		}
	}
	return v
}
