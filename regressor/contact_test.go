package regressor

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// The columns of a contact do the work of the normal force on the point where it
// acts, by differences of its place in the base frame; energies give the same.
func TestContactDoesItsWork(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 47))
	for range 5 {
		r := testrobot.Random(rng, 4, true)
		for j := range r.Links {
			r.Links[j].UserFrame = testrobot.Random(rng, 1, false).Links[0].Placement
		}
		point := [3]float64{0.2, -0.1, 0.3}
		normals := [][3]float64{{1, 2, -2}, {0, 3, 4}}
		m := modelOf(t, r, "contact:link4@0.2/-0.1/0.3/1/2/-2/0/3/4")
		tree, err := dynamics.New(r)
		if err != nil {
			t.Fatal(err)
		}
		n := m.Joints()
		in := batchOf(rng, n, Lanes+3)
		h := m.NewEnergyBlock(Lanes + 3)
		m.EvalEnergy(h, in, m.NewWorkspace())
		place := func(i int, h float64) [3]float64 {
			q := make([]float64, n)
			for k := range q {
				q[k] = in.Q[k][i] + h*in.DQ[k][i]
			}
			x := tree.Poses(q)[3].Mul(r.Links[3].UserFrame)
			out := x.P
			for k := range 3 {
				for l := range 3 {
					out[k] += x.R[k][l] * point[l]
				}
			}
			return out
		}
		for i := range Lanes + 3 {
			const step = 1e-5
			before, after := place(i, -step), place(i, step)
			for which, name := range []string{"Fn4", "Fnb4"} {
				normal := normals[which]
				size := math.Sqrt(normal[0]*normal[0] + normal[1]*normal[1] + normal[2]*normal[2])
				want := 0.0
				for k := range 3 {
					want -= in.Contact[which][i] * normal[k] / size * (after[k] - before[k]) / (2 * step)
				}
				work := 0.0
				for k, row := range column(t, m, in, name) {
					work += in.DQ[k][i] * row[i]
				}
				if !(math.Abs(work-want) < 1e-7*(1+math.Abs(want))) {
					t.Fatalf("%s: power %g, want %g", name, work, want)
				}
				if got := h.Joint[0][which][i]; !close(got, work) {
					t.Fatalf("%s: power %g of the energy model, %g of the rows", name, got, work)
				}
			}
		}
	}
}

// An incomplete contact is refused with a remedy.
func TestContactsThatCannotBe(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(6, 48)), 3, false)
	for term, want := range map[Term]string{
		"contact":                                 "name of a link",
		"contact:hand@0/0/0/0/0/1":                "link1, link2, link3",
		"contact:link3":                           "is no number",
		"contact:link3@0/0/0":                     "3 numbers",
		"contact:link3@0/0/0/0/0/0":               "no direction",
		"contact:link3@0/0/0/0/NaN/1":             `"NaN" is no number`,
		"contact:link3@0/0/0/0/1/1/0/-2/-2.00001": "parallel",
	} {
		if _, err := NewDynamic(r, []Term{term}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want a line with %q", term, err, want)
		}
	}
	if _, err := NewDynamic(r, []Term{"contact:link3@0/0/0/0/0/1", "contact:link2@0/0/0/0/0/1"}); err == nil || !strings.Contains(err.Error(), "once") {
		t.Errorf("two contacts: %v", err)
	}
	// A link's name may hold the mark of the numbers.
	r.Links[2].Name = "tool@wrist"
	at := ContactAt("tool@wrist", []float64{0, 0, 0.1, 0, 0, -2})
	p, err := PointOf(r, at)
	if err != nil || p.Link != 2 || p.Point != [3]float64{0, 0, 0.1} || len(p.Normals) != 1 || p.Normals[0] != [3]float64{0, 0, -1} {
		t.Errorf("%s reads as %+v, %v", at, p, err)
	}
	if terms, err := ParseTerms("links," + string(at)); err != nil || terms[1] != at {
		t.Errorf("%s in a list reads as %v, %v", at, terms, err)
	}
	if m := modelOf(t, r, at); len(m.Columns()) != 1 || m.Columns()[0].Name != robot.ParameterName("Fn", 2) {
		t.Errorf("columns %v", m.Names())
	}
}
