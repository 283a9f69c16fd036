package codegen

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/codegen/source"
	"ident/internal/foreign"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/robot"
	"ident/symbolic"
)

// The generated text of every model of every reference robot, closed ones with their loops and as
// the trees that are left when these are cut, run in each installed language,
// agrees with the numeric recursions: with all terms and symbols of the geometry
// as arguments, and with base parameters and numbers.
func TestLanguages(t *testing.T) {
	long.Only(t, "TestCases evaluates the same code as a listing, and TestSignals and TestCMakeLibrary compile C")
	robots := append(closedRobots(t), testrobot.SR400(t).Cut(), testrobot.AKR3000(t).Cut())
	for _, c := range testrobot.Cases(t) {
		robots = append(robots, c.Robot(t))
	}
	made := map[int]*written{}
	unit := func(t *testing.T, k int) *written {
		if made[k] == nil {
			made[k] = writtenUnit(t, robots[k/2], k)
		}
		return made[k]
	}
	// Compilers take most of the time. With IDENT_LONG=all each robot is written in every language and in both forms; in the
	// gate in one language and one form or two, each in turn.
	count := 2 * len(robots)
	stride, first := long.Draws(1, 5, 0), long.Of(0, 0) // from the four-bar on
	for l, language := range source.Languages() {
		if language == "listing" || language == "c-batch" { // TestBatchKernel runs the latter
			continue
		}
		t.Run(language, func(t *testing.T) {
			foreign.Tool(t, language)
			var chosen []*written
			var units []source.Unit
			var states [][][][]float64
			for k := first + l%stride; k < count; k += stride {
				w := unit(t, k)
				chosen, units, states = append(chosen, w), append(units, w.unit), append(states, w.states)
			}
			for k, got := range foreign.RunAll(t, language, units, states) {
				chosen[k].check(t, got)
			}
		})
	}
}

// written is a robot's models as a unit of source text, with the inputs of each.
type written struct {
	*subject
	unit   source.Unit
	states [][][]float64
}

// writtenUnit makes the unit of a robot: of an even number with all terms and with symbols of
// the geometry as arguments, of an odd one with base parameters and numbers.
func writtenUnit(t *testing.T, r *robot.Robot, number int) *written {
	t.Helper()
	opt := Options{Terms: allTerms, Geometry: !r.Closed(), Gravity: true}
	if number%2 == 1 {
		opt = Options{Base: baseSet(t, r)}
	}
	rng := rand.New(rand.NewPCG(8, uint64(number)))
	w := &written{subject: newSubject(t, rng, r, opt), unit: source.Unit{Name: fmt.Sprintf("%s_%d", source.Identifier(r.Name), number), Maker: "ident"}}
	for _, m := range Models() {
		p, err := Build(t.Context(), m, r, opt)
		if errors.Is(err, ErrDeterminant) || errors.Is(err, ErrOpenOnly) || errors.Is(err, ErrOutside) || errors.Is(err, ErrLoopless) || errors.Is(err, ErrNoClosedForm) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		p.Name = strings.ReplaceAll(string(m), "-", "_")
		w.unit.Programs = append(w.unit.Programs, p)
		if m != FilteredStep && m != ObserverStep && m != LoopConstraints {
			w.states = append(w.states, [][]float64{w.inputs(t, p)})
			continue
		}
		// A filter's state and constants, and the motion of cut joints, are arguments that no state has.
		v := make([]float64, len(p.Inputs))
		for i, in := range p.Inputs {
			if v[i] = 0.5 + rng.Float64(); in.Group == "q" && in.Index < len(w.s.q) {
				v[i] = w.s.q[in.Index]
			}
		}
		w.states = append(w.states, [][]float64{v})
	}
	return w
}

// condition is the square of the condition of the robot's Jacobian at the first state.
func (w *written) condition() float64 {
	for i, p := range w.unit.Programs {
		if p.Name == "jacobian" {
			j := p.Eval(w.states[i][0])[0]
			var svd mat.SVD
			if svd.Factorize(mat.NewDense(6, len(j)/6, j), mat.SVDNone) {
				return svd.Cond() * svd.Cond()
			}
		}
	}
	return 1
}

// check compares the results of a language, of each program at each state, with the programs' own and
// with the numeric recursions.
func (w *written) check(t *testing.T, got [][][]float64) {
	t.Helper()
	of := map[Model][][]float64{}
	for i, p := range w.unit.Programs {
		m := Model(strings.ReplaceAll(p.Name, "_", "-"))
		of[m] = split(p, got[i][0])
		// Outputs without a numeric recursion are compared with the program's own values.
		for o, want := range p.Eval(w.states[i][0]) {
			size := 0.0
			if m == RedundantRates { // J·Jᵀ has the square of J's condition
				for _, v := range want {
					size = max(size, math.Abs(v)*w.condition())
				}
			}
			compareTo(t, w.unit.Name+", "+p.Name+" beside its program", of[m][o], want, size)
		}
	}
	run := func(m Model) [][]float64 { return of[m] }
	w.subject.check(t, run)
	newNumericKinematics(t, w.r, w.s, *LinkFrame(tipOf(t, w.r), [3]float64{}, -1)).check(t, w.unit.Name, nil, run)
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
