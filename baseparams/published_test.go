package baseparams

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

var linksAndRotors = []regressor.Term{regressor.Links, regressor.Ia}

// routes runs every method on a robot.
func routes(t testing.TB, r *robot.Robot, terms []regressor.Term) (rules, null, qr *Set) {
	t.Helper()
	rules, err := Symbolic(r, terms, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if null, err = NullSpace(r, terms, Options{}); err != nil {
		t.Fatal(err)
	}
	m, err := regressor.NewDynamic(r, terms)
	if err != nil {
		t.Fatal(err)
	}
	return rules, null, QR(m, Options{})
}

func published(t *testing.T, name string, to any) {
	t.Helper()
	text, err := testrobot.Published(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatal(err)
	}
}

func caseRobot(t *testing.T, name string) *robot.Robot {
	t.Helper()
	for _, c := range testrobot.Cases(t) {
		if c.Name == name {
			return c.Robot(t)
		}
	}
	t.Fatal("no case ", name)
	return nil
}

// RX90 term by term against the listing that OpenSYMORO printed: its equations
// are linear in the standard parameters, so a unit of each gives a column of
// coefficients.
func TestRX90Listing(t *testing.T) {
	var pub struct {
		Equations []string `json:"regp_equations"`
		Table     []string `json:"regp_table"`
		N         int      `json:"n_base"`
	}
	published(t, "pub_rx90_opensymoro.json", &pub)
	r := caseRobot(t, "rx90")
	kinds := strings.Fields(pub.Table[0])[1:]
	listed := map[string]string{} // base column → name in the listing
	for _, line := range pub.Table[1:] {
		f := strings.Fields(line)
		for k, cell := range f[1:] {
			if cell != "0" {
				listed[strings.Replace(kinds[k], "IA", "Ia", 1)+f[0]] = strings.Replace(cell, "IA", "Ia", 1)
			}
		}
	}
	if len(listed) != pub.N {
		t.Fatalf("the listing has %d parameters, and says %d", len(listed), pub.N)
	}
	rules, null, qr := routes(t, r, linksAndRotors)
	for _, s := range []*Set{rules, null, qr} {
		if s.Count() != pub.N {
			t.Errorf("%s: %d base parameters, want %d", s.Method, s.Count(), pub.N)
		}
		unit := make([]float64, len(s.Columns))
		for c, col := range s.Columns {
			unit[c] = 1
			got := s.FromStandard(unit)
			unit[c] = 0
			values := map[string]float64{"D3": 0.45, "RL4": 0.45, "C3": 1, "S3": 1, "C4": 1, "S4": 1}
			for _, other := range s.Columns {
				values[strings.Replace(other.Name, "Ia", "IA", 1)], values[other.Name] = 0, 0
			}
			values[strings.Replace(col.Name, "Ia", "IA", 1)], values[col.Name] = 1, 1
			for _, eq := range pub.Equations {
				name, right, _ := strings.Cut(eq, " = ")
				e, err := symbolic.Parse(right)
				if err != nil {
					t.Fatal(err)
				}
				values[name] = e.Eval(values)
			}
			for k, b := range s.Base {
				name, ok := listed[s.Columns[b].Name]
				if !ok {
					t.Fatalf("%s: %s is not in the listing", s.Method, s.Name(k))
				}
				if d := math.Abs(got[k] - values[name]); !(d <= 1e-12) {
					t.Errorf("%s: %s in %s is %.15g, listed %.15g", s.Method, col.Name, s.Name(k), got[k], values[name])
				}
			}
		}
	}
}

// The relations come out as the papers write them.
func TestRX90Text(t *testing.T) {
	s, err := Symbolic(caseRobot(t, "rx90"), linksAndRotors, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"ZZ1R": "ZZ1 + Ia1 + YY2 + YY3 + D3²·(M3 + M4 + M5 + M6)",
		"XX2R": "XX2 - YY2 - D3²·(M3 + M4 + M5 + M6)",
		"XZ2R": "XZ2 - D3·MZ3",
		"XX3R": "XX3 - YY3 + YY4 + 2·RL4·MZ4 + RL4²·(M4 + M5 + M6)",
		"MY3R": "MY3 + MZ4 + RL4·(M4 + M5 + M6)",
		"MY2":  "MY2",
	}
	for k, r := range s.Relations() {
		if w, ok := want[r.Base]; ok && r.Expression != w {
			t.Errorf("%s = %s, want %s", r.Base, r.Expression, w)
		}
		delete(want, r.Base)
		if r.Base == "XX2R" {
			tex := `\mathit{XXR}_{2} = \mathit{XX}_{2} - \mathit{YY}_{2} - D_{3}^{2}\,\left(M_{3} + M_{4} + M_{5} + M_{6}\right)`
			if got := s.LaTeX(k); got != tex {
				t.Errorf("LaTeX %s, want %s", got, tex)
			}
			if x := r.Terms[2]; x.Exact != "-D3²" || x.Coefficient != -0.45*0.45 {
				t.Errorf("term %+v", x)
			}
		}
	}
	for name := range want {
		t.Errorf("no %s", name)
	}
}

// The Panda's 43 coefficients have the names that their authors chose.
func TestPandaNames(t *testing.T) {
	var pub struct {
		Coefficients []struct{ Name string }
	}
	published(t, "pub_panda_gaz.json", &pub)
	rules, null, qr := routes(t, caseRobot(t, "panda"), []regressor.Term{regressor.Links})
	for _, s := range []*Set{rules, null, qr} {
		kept := map[string]bool{}
		for _, c := range s.Base {
			kept[s.Columns[c].Name] = true
		}
		for _, c := range pub.Coefficients {
			if !kept[c.Name] {
				t.Errorf("%s: %s is not kept", s.Method, c.Name)
			}
		}
		if len(kept) != 43 || len(pub.Coefficients) != 43 {
			t.Errorf("%s: %d kept, %d published, want 43", s.Method, len(kept), len(pub.Coefficients))
		}
	}
}

// The WAM's 48 printed combinations belong to frames at the far end of each
// link. Carried over, each vanishes on every direction that the set calls
// invisible, and together with the count that makes the row spaces equal.
func TestWAMPrinted(t *testing.T) {
	var pub struct {
		DH          [][]any  `json:"dh_standard"`
		Expressions []string `json:"inertial_base_expressions"`
	}
	published(t, "pub_wam7_sousa.json", &pub)
	r := &robot.Robot{Name: "wam", Gravity: robot.StandardGravity}
	far := make([]robot.Transform, len(pub.DH)) // the printed frame in the joint's frame
	place := robot.Identity()
	for j, row := range pub.DH {
		alpha := 0.0
		if s, ok := row[0].(string); ok {
			alpha = math.Pi / 2
			if strings.HasPrefix(s, "-") {
				alpha = -alpha
			}
		}
		far[j] = robot.MDH{Theta: 0, R: row[2].(float64)}.Transform().Mul(robot.MDH{D: row[1].(float64)}.Transform()).Mul(robot.MDH{Alpha: alpha}.Transform())
		r.Links = append(r.Links, robot.Link{Antecedent: j - 1, Placement: place, UserFrame: robot.Identity()})
		place = far[j]
	}
	printed := make([]symbolic.Expr, len(pub.Expressions))
	for i, text := range pub.Expressions {
		e, err := symbolic.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		printed[i] = e
	}
	rules, null, qr := routes(t, r, linksAndRotors)
	for _, s := range []*Set{rules, null, qr} {
		if s.Count() != 48 || len(pub.Expressions) != 48 {
			t.Fatalf("%s: %d parameters, %d printed, want 48", s.Method, s.Count(), len(pub.Expressions))
		}
		for c := range s.Columns {
			if s.keeps(c) {
				continue
			}
			// The invisible direction of this column.
			unit := make([]float64, len(s.Columns))
			unit[c] = 1
			invisible := s.Lift(make([]float64, s.Count()), unit)
			values := map[string]float64{}
			for j := range r.Links {
				var in robot.Inertial
				for i, col := range s.Columns {
					switch {
					case col.Link == j && col.Term == regressor.Links:
						in[col.Param] = invisible[i]
					case col.Link == j:
						values["Ia_"+col.Name[2:]] = invisible[i]
					}
				}
				n := string(rune('1' + j))
				for p, v := range in.InFrame(far[j].Inv()) {
					name := []string{"L_" + n + "xx", "L_" + n + "xy", "L_" + n + "xz", "L_" + n + "yy", "L_" + n + "yz", "L_" + n + "zz", "l_" + n + "x", "l_" + n + "y", "l_" + n + "z", "m_" + n}[p]
					values[name] = v
				}
			}
			for _, e := range printed {
				if v := e.Eval(values); !(math.Abs(v) < 1e-12) {
					t.Errorf("%s: %s is %.3g on the invisible direction of %s", s.Method, e, v, s.Columns[c].Name)
				}
			}
		}
	}
}
