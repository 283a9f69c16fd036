package codegen

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/codegen/source"
	"ident/internal/foreign"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/robot"
	"ident/symbolic"
)

// A build of the text in each installed language gives the results that the file of vectors has at its arguments, read from
// its JSON as a user's test bench would: models, control laws, inverse geometry and loops of an arm, a SCARA and a slider-crank.
func TestVectorsAsText(t *testing.T) {
	languages := []string{"c"}
	if long.Set() {
		languages = []string{"c", "cpp", "go", "python", "matlab", "fortran", "julia"}
	}
	rng := rand.New(rand.NewPCG(71, 1))
	crank := testrobot.Weigh(testrobot.SliderCrank(0.4, 1.1), rng)
	crank.Name = "crank"
	assemble(t, crank)
	arm := testrobot.Weigh(reference(t, "ur10"), rng)
	scara := testrobot.Weigh(reference(t, "scara_rrpr"), rng)
	models := []Model{InverseDynamics, ForwardDynamics, Jacobian, ComputedTorque, GravityCompensation, InverseGeometry, LoopSolution}
	robots := []*robot.Robot{crank, scara}
	if long.Set() {
		robots = append(robots, arm)
	}
	var units []source.Unit
	var states [][][][]float64
	var docs []source.VectorsDocument
	for _, r := range robots {
		u := source.Unit{Name: source.Identifier(r.Name), Maker: "ident"}
		for _, m := range models {
			p, err := Build(t.Context(), m, r, Options{Terms: rotors})
			if errors.Is(err, ErrLoopless) || errors.Is(err, ErrNoClosedForm) || errors.Is(err, ErrOpenOnly) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			p.Name = strings.ReplaceAll(string(m), "-", "_")
			u.Programs = append(u.Programs, p)
		}
		if len(u.Programs) < 5 {
			t.Fatalf("%s: %d functions", r.Name, len(u.Programs))
		}
		file, err := source.Vectors(u, 4, 7)
		if err != nil {
			t.Fatal(err)
		}
		var doc source.VectorsDocument
		if err := json.Unmarshal(file.Text, &doc); err != nil {
			t.Fatal(err)
		}
		of := make([][][]float64, len(u.Programs))
		for k, p := range u.Programs {
			for _, v := range doc.Vectors {
				if v.Function == p.Name {
					of[k] = append(of[k], argumentsOf(t, p, v))
				}
			}
			if len(of[k]) == 0 {
				t.Errorf("%s: no vector of %s", r.Name, p.Name)
			}
		}
		units, states, docs = append(units, u), append(states, of), append(docs, doc)
	}
	for _, language := range languages {
		t.Run(language, func(t *testing.T) {
			foreign.Tool(t, language)
			for i, got := range foreign.RunAll(t, language, units, states) {
				for k, p := range units[i].Programs {
					n := 0
					for _, v := range docs[i].Vectors {
						if v.Function != p.Name {
							continue
						}
						for o, values := range split(p, got[k][n]) {
							compareTo(t, units[i].Name+", "+p.Name+", "+p.Outputs[o].Name, values, v.Results[p.Outputs[o].Name], 1e3)
						}
						n++
					}
				}
			}
		})
	}
}

// argumentsOf returns the inputs of a program from the named arguments of a vector.
func argumentsOf(t *testing.T, p *symbolic.Program, v source.Vector) []float64 {
	t.Helper()
	in := make([]float64, len(p.Inputs))
	for i, x := range p.Inputs {
		name, at := x.Group, x.Index
		if x.Group == "" || x.Kind == symbolic.Geometry {
			name, at = x.Name, 0
		}
		if at >= len(v.Arguments[name]) {
			t.Fatalf("%s: no argument %s[%d] in the file", p.Name, name, at)
		}
		in[i] = v.Arguments[name][at]
	}
	return in
}
