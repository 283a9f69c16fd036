package symbolic

import (
	"errors"
	"testing"
)

// Selected outputs have the values that they had among all, and nothing else is computed.
func TestSelect(t *testing.T) {
	g := NewGraph()
	x, y := g.Input(Input{Name: "x"}), g.Input(Input{Name: "y"})
	p := g.Program("f", []Node{x, y}, Result{Name: "a", Rows: 2, Cols: 2, Entries: []Node{g.Sin(x), g.Mul(x, y), 0, g.Atan2(y, x)}},
		Result{Name: "v", Rows: 2, Cols: 1, Entries: []Node{g.Add(x, y), g.Div(x, y)}})
	in := []float64{0.3, -1.7}
	all := p.Eval(in)
	s, err := p.Select(t.Context(), []string{"v2", "a_2_2", "v"})
	if err != nil {
		t.Fatal(err)
	}
	got := s.Eval(in)
	for i, want := range [][]float64{{all[1][1]}, {all[0][3]}, all[1]} {
		for k := range want {
			if got[i][k] != want[k] {
				t.Errorf("output %d is %v, want %v", i, got[i], want)
			}
		}
	}
	if c := s.Counts(); c.Mul != 0 || c.Trig != 1 || c.Add != 1 || c.Div != 1 {
		t.Errorf("operations %+v", c)
	}
	for _, name := range []string{"w", "v3", "a_1"} {
		if _, err := p.Select(t.Context(), []string{name}); !errors.Is(err, ErrOutput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	m := Compile(p)
	out := make([][]float64, m.Entries())
	for i := range out {
		out[i] = make([]float64, 1)
	}
	m.Run(out, [][]float64{in[:1], in[1:]}, 1, m.NewScratch())
	if out[3][0] != all[0][3] {
		t.Errorf("the machine's atan2 is %v, want %v", out[3][0], all[0][3])
	}
}
