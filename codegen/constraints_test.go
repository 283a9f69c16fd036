package codegen

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/codegen/source"
	"ident/mechanics/loops"
	"ident/robot"
	"ident/robot/format"
)

// The constraints of closed robots, written beside their tables, close the tables' loops when both are read again, in the robot's own assembly: the reader
// tries the positions at twenty states, and the rates against their differences.
func TestConstraints(t *testing.T) {
	for _, r := range closedRobots(t) {
		var table bytes.Buffer
		if _, err := format.Write(&table, r, "par"); err != nil {
			t.Fatal(err)
		}
		f, err := Constraints(t.Context(), r, source.Unit{Name: source.Identifier(r.Name), Maker: "ident"}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if want := source.Identifier(r.Name) + ".cons"; f.Name != want || strings.Contains(string(f.Text), "\t_") {
			t.Errorf("file %s, want %s", f.Name, want)
		}
		table.Write(f.Text)
		back, err := format.Read(table.Bytes(), "par", r.Name+".par", robot.ReadOptions{Loops: true})
		if err != nil {
			t.Errorf("%s: %v\n%s", r.Name, err, f.Text)
			continue
		}
		// The assembly that the constraints give is that of the formulas: they give its positions.
		c, err := loops.NewClosure(back)
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.Assembled(back.Assembly)
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		p := build(t, LoopSolution, r, Options{})
		in := make([]float64, len(p.Inputs))
		for i, k := range c.Active() {
			in[i] = m.Q[k]
		}
		for k, want := range p.Eval(in)[0] {
			if math.Abs(math.Remainder(m.Q[k]-want, 2*math.Pi)) > 1e-9 {
				t.Errorf("%s: coordinate %d is %g, by the formulas %g", r.Name, k, m.Q[k], want)
			}
		}
	}
	r := threeRRR(rand.New(rand.NewPCG(1, 2)))
	if _, err := Constraints(t.Context(), r, source.Unit{Name: "platform"}, Options{}); !errors.Is(err, loops.ErrNoFormulas) {
		t.Errorf("3-RRR: %v", err)
	}
	if _, err := Constraints(t.Context(), general(3), source.Unit{Name: "arm"}, Options{}); !errors.Is(err, ErrLoopless) {
		t.Errorf("a tree: %v", err)
	}
}
