package codegen

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/codegen/source"
	"ident/internal/foreign"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/symbolic"
)

// The generated text of every model of every reference robot, closed ones with their loops and as
// the trees that are left when these are cut, run in each installed language,
// agrees with the numeric recursions: with all terms and symbols of the geometry
// as arguments, and with base parameters and numbers.
func TestLanguages(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 3))
	var subjects []*subject
	var units []source.Unit
	var states [][][][]float64
	robots := append(closedRobots(t), testrobot.SR400(t).Cut(), testrobot.AKR3000(t).Cut())
	for _, c := range testrobot.Cases(t) {
		robots = append(robots, c.Robot(t))
	}
	for n, r := range robots {
		for i, opt := range []Options{{Terms: allTerms, Geometry: !r.Closed(), Gravity: true}, {Base: baseSet(t, r)}} {
			u := source.Unit{Name: fmt.Sprintf("%s_%d%c", source.Identifier(r.Name), n, 'a'+i), Maker: "ident"}
			b := newSubject(t, rng, r, opt)
			var inputs [][][]float64
			for _, m := range Models() {
				p, err := Build(t.Context(), m, r, opt)
				if errors.Is(err, ErrDeterminant) || errors.Is(err, ErrOpenOnly) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				p.Name = strings.ReplaceAll(string(m), "-", "_")
				u.Programs = append(u.Programs, p)
				if m == FilteredStep {
					// Its state and its constants are arguments that no robot gives.
					v := make([]float64, len(p.Inputs))
					for i, in := range p.Inputs {
						if v[i] = 0.5 + rng.Float64(); in.Group == "q" {
							v[i] = b.s.q[in.Index]
						}
					}
					inputs = append(inputs, [][]float64{v})
					continue
				}
				inputs = append(inputs, [][]float64{b.inputs(t, p)})
			}
			subjects, units, states = append(subjects, b), append(units, u), append(states, inputs)
		}
	}
	// Compilers take most of the time. Each robot is written in every language with
	// IDENT_LONG, and otherwise in some, each in turn; one in a language with -short.
	stride := long.Of(1, 3, len(units))
	for l, language := range source.Languages() {
		if language == "listing" {
			continue
		}
		var which []int
		all, inputs := units, states
		var units []source.Unit
		var states [][][][]float64
		for k := l % stride; k < len(all); k += stride {
			which, units, states = append(which, k), append(units, all[k]), append(states, inputs[k])
		}
		t.Run(language, func(t *testing.T) {
			for k, got := range foreign.RunAll(t, language, units, states) {
				of := map[Model][][]float64{}
				for i, p := range units[k].Programs {
					m := Model(strings.ReplaceAll(p.Name, "_", "-"))
					of[m] = split(p, got[i][0])
					// Outputs without a numeric recursion are compared with the program's own values.
					for o, want := range p.Eval(states[k][i][0]) {
						compare(t, units[k].Name+", "+p.Name+" beside its program", of[m][o], want)
					}
				}
				b, run := subjects[which[k]], func(m Model) [][]float64 { return of[m] }
				b.check(t, run)
				newNumericKinematics(t, b.r, b.s, Frame{Link: tipOf(t, b.r), Axes: -1}).check(t, units[k].Name, nil, run)
			}
		})
	}
}

// split takes a program's outputs apart.
func split(p *symbolic.Program, values []float64) [][]float64 {
	var out [][]float64
	for i := range p.Outputs {
		n := len(p.Outputs[i].Entries)
		out = append(out, values[:n])
		values = values[n:]
	}
	return out
}
