package regressor

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// column returns the rows of one column, [joint][sample].
func column(t *testing.T, m *Model, in Batch, name string) [][]float64 {
	t.Helper()
	b := m.NewBlock(len(in.Q[0]))
	m.EvalBatch(b, in, m.NewWorkspace())
	all := dense(m, b)
	for c, col := range m.Columns() {
		if col.Name == name {
			out := make([][]float64, m.Joints())
			for k := range out {
				out[k] = all[k][c]
			}
			return out
		}
	}
	t.Fatalf("no column %s among %v", name, m.Names())
	return nil
}

func modelOf(t *testing.T, r *robot.Robot, terms ...Term) *Model {
	t.Helper()
	m, err := NewDynamic(r, terms)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The columns of terms of joints are their formulas, in the row of the joint.
func TestFormulasOfJointTerms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 41))
	r := testrobot.Random(rng, 3, false)
	for j := range r.Links {
		r.Links[j].Joint.Kind = robot.Revolute
	}
	m := modelOf(t, r, Asymmetric, LoadFs, "Fst:0.5/1/2", "Fstv:0.5/1/2", Spring, Balance, Gain, Quadratic, "Tr:3/0/7.5+2", "Fw:5/0/8", "Ft:0.3", "Fp:5/7/0", "Fh:0.1/0/0.1+0.2")
	in := batchOf(rng, 3, 40)
	in.DQ[1][3] = 0
	v := []float64{0.5, 1, 2}
	heaviside := func(x float64) float64 {
		if x > 0 {
			return 1
		}
		return 0
	}
	stribeck := func(ds, v float64) float64 { return sign(ds) * math.Exp(-ds*ds/(v*v)) }
	for kind, f := range map[string]func(j, i int, s, ds float64) float64{
		"Fvp": func(j, i int, s, ds float64) float64 { return ds * heaviside(ds) },
		"Fvn": func(j, i int, s, ds float64) float64 { return ds * heaviside(-ds) },
		"Fsp": func(j, i int, s, ds float64) float64 { return heaviside(ds) },
		"Fsn": func(j, i int, s, ds float64) float64 { return -heaviside(-ds) },
		"Fl":  func(j, i int, s, ds float64) float64 { return math.Abs(in.Load[j][i]) * sign(ds) },
		"Fst": func(j, i int, s, ds float64) float64 { return stribeck(ds, v[j]) },
		"Fstv": func(j, i int, s, ds float64) float64 {
			const h = 1e-5 // its square is below the tolerance
			return (stribeck(ds, v[j]+h) - stribeck(ds, v[j]-h)) / (2 * h)
		},
		"Ks":  func(j, i int, s, ds float64) float64 { return s },
		"Kgs": func(j, i int, s, ds float64) float64 { return math.Sin(s) },
		"Kgc": func(j, i int, s, ds float64) float64 { return math.Cos(s) },
		"G":   func(j, i int, s, ds float64) float64 { return -in.Current[j][i] },
		"Fwv": func(j, i int, s, ds float64) float64 { return (1 - math.Exp(-in.Time[i]/[]float64{5, 1, 8}[j])) * ds },
		"Fws": func(j, i int, s, ds float64) float64 {
			return (1 - math.Exp(-in.Time[i]/[]float64{5, 1, 8}[j])) * sign(ds)
		},
		"Fwo":  func(j, i int, s, ds float64) float64 { return 1 - math.Exp(-in.Time[i]/[]float64{5, 1, 8}[j]) },
		"Ftv":  func(j, i int, s, ds float64) float64 { return (in.Temperature[j][i] - 0.3) * ds },
		"Fts":  func(j, i int, s, ds float64) float64 { return (in.Temperature[j][i] - 0.3) * sign(ds) },
		"Fto":  func(j, i int, s, ds float64) float64 { return in.Temperature[j][i] - 0.3 },
		"Fpv":  func(j, i int, s, ds float64) float64 { return in.Heat[j][i] * ds },
		"Fps":  func(j, i int, s, ds float64) float64 { return in.Heat[j][i] * sign(ds) },
		"Fpo":  func(j, i int, s, ds float64) float64 { return in.Heat[j][i] },
		"Fha":  func(j, i int, s, ds float64) float64 { return in.Presliding[MaxWidths*j][i] },
		"Fhb":  func(j, i int, s, ds float64) float64 { return in.Presliding[MaxWidths*j+1][i] },
		"Fq":   func(j, i int, s, ds float64) float64 { return ds * math.Abs(ds) },
		"Tr1s": func(j, i int, s, ds float64) float64 { return math.Sin([]float64{3, 0, 7.5}[j] * s) },
		"Tr1c": func(j, i int, s, ds float64) float64 { return math.Cos([]float64{3, 0, 7.5}[j] * s) },
		"Tr2s": func(j, i int, s, ds float64) float64 { return math.Sin(2 * s) },
		"Tr2c": func(j, i int, s, ds float64) float64 { return math.Cos(2 * s) },
	} {
		for j := range 3 {
			if j == 1 && (strings.HasPrefix(kind, "Tr1") || strings.HasPrefix(kind, "Fw") || kind == "Fha") || j < 2 && (strings.HasPrefix(kind, "Tr2") || kind == "Fhb") ||
				j == 2 && strings.HasPrefix(kind, "Fp") {
				continue // joints without the term, by their number of zero, and second numbers of joint 3 alone
			}
			got := column(t, m, in, robot.ParameterName(kind, j))
			for k := range 3 {
				for i := range got[k] {
					want := 0.0
					if k == j {
						want = f(j, i, in.Q[j][i], in.DQ[j][i])
					}
					if !(math.Abs(got[k][i]-want) <= 1e-9) {
						t.Fatalf("%s%d in row %d: %g, want %g", kind, j+1, k+1, got[k][i], want)
					}
				}
			}
		}
	}
}

// A rotor is a link that turns about the joint's axis with the gear ratio, less
// the same held still: two robots of the plain model, one with a mimic joint.
func TestRotorIsALink(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 42))
	for range 20 {
		r := testrobot.Random(rng, 5, true)
		for j := range r.Links {
			r.Links[j].Joint.GearRatio = 4 * rng.NormFloat64()
		}
		moving := r.Moving()
		j := moving[rng.IntN(len(moving))]
		if r.Links[j].Joint.Kind == robot.Prismatic {
			j = moving[0]
			r.Links[j].Joint.Kind = robot.Revolute
		}
		m := modelOf(t, r, Ir)
		in := batchOf(rng, m.Joints(), 7)
		got := column(t, m, in, robot.ParameterName("Ir", j))

		spinning, held := r.Clone(), r.Clone()
		rotor := robot.Link{Name: "rotor", Antecedent: r.Links[j].Antecedent, Placement: r.Links[j].Placement, UserFrame: robot.Identity(),
			Joint: robot.Joint{Name: "rotor", Kind: robot.Revolute}}
		n := len(r.Links)
		spinning.Links = append(spinning.Links, rotor)
		spinning.Mimics = []robot.Mimic{{Joint: n, Of: j, Multiplier: r.Links[j].Joint.GearRatio}}
		rotor.Joint.Kind = robot.Fixed
		held.Links = append(held.Links, rotor)
		name := robot.ParameterName("ZZ", n)
		with, without := column(t, modelOf(t, spinning, Links), in, name), column(t, modelOf(t, held, Links), in, name)
		for k := range got {
			for i := range got[k] {
				if want := with[k][i] - without[k][i]; !close(got[k][i], want) {
					t.Fatalf("Ir%d in row %d: %.12g, as a link %.12g", j+1, k+1, got[k][i], want)
				}
			}
		}
	}
}

// A balancing spring is one between two points: its torque is the derivative of
// ½·k·ℓ² by the joint's angle.
func TestBalanceIsASpringBetweenPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 43))
	r := testrobot.Random(rng, 1, false)
	m := modelOf(t, r, Balance)
	in := batchOf(rng, 1, 10)
	const k, a, b, s0 = 300, 0.4, 0.25, 0.7
	energy := func(s float64) float64 { return k * (a*a + b*b - 2*a*b*math.Cos(s-s0)) / 2 }
	sin, cos := column(t, m, in, "Kgs1"), column(t, m, in, "Kgc1")
	for i, s := range in.Q[0] {
		const h = 1e-4 // h²/6 of the torque is below the tolerance
		want := (energy(s+h) - energy(s-h)) / (2 * h)
		if got := k * a * b * (math.Cos(s0)*sin[0][i] - math.Sin(s0)*cos[0][i]); !(math.Abs(got-want) < 1e-6*k*a*b) {
			t.Errorf("at %g rad: %g, want %g", s, got, want)
		}
	}
}

// A payload's columns are those of its link where it is on, and zero elsewhere.
func TestPayloadIsALinkSwitched(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 44))
	r := testrobot.Random(rng, 4, true)
	m := modelOf(t, r, Links, "payload:link3")
	in := batchOf(rng, m.Joints(), 70)
	for _, p := range robot.InertialNames {
		link, load := column(t, m, in, p+"3"), column(t, m, in, "P"+p+"3")
		for k := range link {
			for i := range link[k] {
				if load[k][i] != link[k][i]*in.PayloadAttached[i] {
					t.Fatalf("P%s3 in row %d: %g, the link %g, on %g", p, k+1, load[k][i], link[k][i], in.PayloadAttached[i])
				}
			}
		}
	}
}

// The columns of a wrench do the work of the force on the point where it acts,
// and of the moment on the link's turning, both by differences of poses.
func TestWrenchDoesItsWork(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 45))
	r := testrobot.Random(rng, 4, true)
	for j := range r.Links {
		r.Links[j].UserFrame = testrobot.Random(rng, 1, false).Links[0].Placement
	}
	m := modelOf(t, r, "wrench:link4")
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	n := m.Joints()
	in := batchOf(rng, n, 6)
	pose := func(i int, h float64) robot.Transform {
		q := make([]float64, n)
		for k := range q {
			q[k] = in.Q[k][i] + h*in.DQ[k][i]
		}
		return tree.Poses(q)[3].Mul(r.Links[3].UserFrame)
	}
	for i := range 6 {
		const h = 1e-5
		now, before, after := pose(i, 0), pose(i, -h), pose(i, h)
		var velocity [6]float64 // of the user's frame, in its own axes
		for axis := range 3 {
			for k := range 3 {
				velocity[axis] += now.R[k][axis] * (after.P[k] - before.P[k]) / (2 * h)
				// Ṙ = R·[ω]ₓ: ω along x is (RᵀṘ) in row z, column y.
				velocity[3+axis] += now.R[k][(axis+2)%3] * (after.R[k][(axis+1)%3] - before.R[k][(axis+1)%3]) / (2 * h)
			}
		}
		for axis, name := range []string{"Wfx4", "Wfy4", "Wfz4", "Wtx4", "Wty4", "Wtz4"} {
			work := 0.0
			for k, row := range column(t, m, in, name) {
				work += in.DQ[k][i] * row[i]
			}
			if want := -in.Wrench[axis][i] * velocity[axis]; !(math.Abs(work-want) < 1e-7*(1+math.Abs(want))) {
				t.Errorf("%s: power %g, want %g", name, work, want)
			}
		}
	}
}

// Every column of every term has a name, a unit and a formula.
func TestTermsDescribeThemselves(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range termLines() {
		if d := e.declare(); d.name != e.name {
			t.Errorf("%s declares itself as %s", e.name, d.name)
		}
	}
	for _, in := range Terms() {
		if in.About == "" || len(in.Columns) == 0 {
			t.Errorf("%s says nothing of itself", in.Term)
		}
		for i, c := range in.Columns {
			if in.Formula[i] == "" || in.Units[i] == "" {
				t.Errorf("%s of %s: formula %q, unit %q", c, in.Term, in.Formula[i], in.Units[i])
			}
			if seen[c] {
				t.Errorf("two columns are called %s", c)
			}
			seen[c] = true
		}
		if got, err := ParseTerms(strings.ToUpper(string(in.Term))); err != nil || got[0] != in.Term {
			t.Errorf("%s reads as %v, %v", in.Term, got, err)
		}
	}
}

// An incomplete robot or term is refused with a remedy.
func TestTermsThatCannotBe(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(6, 46)), 3, false)
	r.Links[1].Joint.Kind = robot.Prismatic
	for term, want := range map[Term]string{
		"Ir": "gear_ratio", "Fst:0": "above zero", "Fst:1/2": "one for each", "Kg": "slides", "payload": "link1, link2, link3",
		"payload:hand": "link1", "wrench:": "link1", "Fv:3": "no argument", "magic": "unknown term",
	} {
		if _, err := NewDynamic(r, []Term{term}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want a line with %q", term, err, want)
		}
	}
	for _, twice := range [][]Term{{"Fst:0.1", "Fst:0.2"}, {"wrench:link1", "wrench:link2"}} {
		if _, err := NewDynamic(r, twice); err == nil || !strings.Contains(err.Error(), "once") {
			t.Errorf("%v: %v", twice, err)
		}
	}
	var unknown *UnknownTermError
	if _, err := ParseTerms("links,magic"); !errors.As(err, &unknown) || unknown.Name != "magic" {
		t.Errorf("an unknown term gives %v", err)
	}
}

// The page of models has every term, and the help names no other.
func TestTermsAreDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "models.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range Terms() {
		if !bytes.Contains(text, []byte("`"+in.Term+"`")) && !bytes.Contains(text, []byte("`"+in.Term+":")) {
			t.Errorf("docs/models.md lacks the term %s", in.Term)
		}
	}
}
