package source

import (
	"encoding/json"
	"math"
	"testing"

	"ident/symbolic"
)

// Vectors hold what the program gives at their arguments, as many as asked, and the same ones for a seed.
func TestVectors(t *testing.T) {
	g := symbolic.NewGraph()
	var pose []symbolic.Node
	for i := range 12 {
		pose = append(pose, g.Input(symbolic.Input{Name: "T" + string(rune('a'+i)), Kind: symbolic.Motion, Group: "T", Index: i}))
	}
	x := g.Input(symbolic.Input{Name: "M1", Kind: symbolic.Parameter, Group: "K", Value: 2.5, Known: true})
	dot := symbolic.Node(0)
	for i := range 3 {
		dot = g.Add(dot, g.Mul(pose[4*i], pose[4*i+1]))
	}
	p := g.Program("f", append(pose, x), symbolic.Result{Name: "y", Rows: 2, Cols: 1, Entries: []symbolic.Node{dot, g.Mul(x, pose[3])}})
	u := Unit{Name: "unit", Programs: []*symbolic.Program{p}}
	file, err := Vectors(u, 7, 3)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := Vectors(u, 7, 3)
	if string(again.Text) != string(file.Text) || file.Name != "unit_vectors.json" {
		t.Errorf("%s differs for one seed", file.Name)
	}
	var doc struct{ Vectors []Vector }
	if err := json.Unmarshal(file.Text, &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Vectors) != 7 {
		t.Errorf("%d vectors", len(doc.Vectors))
	}
	for _, v := range doc.Vectors {
		in := append(append([]float64{}, v.Arguments["T"]...), v.Arguments["K"]...)
		want := p.Eval(in)[0]
		if got := v.Results["y"]; v.Function != "f" || len(got) != 2 || got[0] != want[0] || got[1] != want[1] || in[12] != 2.5 {
			t.Errorf("%+v, want %v", v, want)
		}
		if math.Abs(v.Results["y"][0]) > 1e-14 {
			t.Errorf("columns of a rotation have the product %g", v.Results["y"][0])
		}
	}
}
