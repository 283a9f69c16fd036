package codegen

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/codegen/source"
	"ident/internal/foreign"
	"ident/internal/long"
	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

// followingTerms have a joint without heat and one with two widths of presliding.
var followingTerms = []regressor.Term{regressor.Links, regressor.Fv, "Fw:300/0/100", "Fp:600/0/20", "Ft:40", "Fh:0.01/0.02/0.005+0.05"}

// following is a subject with a batch that has the signals of its terms.
type following struct {
	*subject
	in regressor.Batch
}

func newFollowing(t *testing.T, rng *rand.Rand, r *robot.Robot) *following {
	t.Helper()
	m, err := regressor.NewDynamic(r, followingTerms)
	if err != nil {
		t.Fatal(err)
	}
	f := &following{subject: &subject{r: r, opt: Options{Terms: followingTerms}, numeric: m, s: randomState(rng, r, m.Columns())}}
	f.s.physical(rng, m.Columns())
	f.params = f.s.chi
	one := func(v float64) []float64 { return []float64{v} }
	for k := range f.s.q {
		f.in.Q, f.in.DQ, f.in.DDQ = append(f.in.Q, one(f.s.q[k])), append(f.in.DQ, one(f.s.dq[k])), append(f.in.DDQ, one(f.s.ddq[k]))
		f.in.Heat, f.in.Temperature = append(f.in.Heat, one(50*rng.Float64())), append(f.in.Temperature, one(20+40*rng.Float64()))
		for range regressor.MaxWidths {
			f.in.Presliding = append(f.in.Presliding, one(2*rng.Float64()-1))
		}
	}
	f.in.Time = one(200 * rng.Float64())
	return f
}

// arguments are the values of a program's inputs, signals by the model's own states.
func (f *following) arguments(t *testing.T, p *symbolic.Program) []float64 {
	t.Helper()
	out := make([]float64, len(p.Inputs))
	rest := &symbolic.Program{}
	var at []int
	for i, in := range p.Inputs {
		link := strings.IndexAny(in.Name, "123456789")
		switch in.Group {
		case "warm":
			constants, err := regressor.StateConstants(f.r, "Fw:300/0/100")
			if err != nil {
				t.Fatal(err)
			}
			out[i] = -math.Expm1(-f.in.Time[0] / constants[in.Name[link]-'1'][0])
		case "heat":
			out[i] = f.in.Heat[in.Name[link]-'1'][0]
		case "temp":
			out[i] = f.in.Temperature[in.Name[link]-'1'][0]
		case "slip":
			out[i] = f.in.Presliding[int(in.Name[link]-'1')*regressor.MaxWidths+int(in.Name[link+1]-'a')][0]
		default:
			rest.Inputs, at = append(rest.Inputs, in), append(at, i)
		}
	}
	for k, v := range f.inputs(t, rest) {
		out[at[k]] = v
	}
	return out
}

// rows are those of the numeric model, dense, of the dynamic and the momentum form, and the energies or powers.
func (f *following) rows() (d, d1, d2 [][]float64, h []float64) {
	m := f.numeric
	y, a, b, e := m.NewBlock(1), m.NewBlock(1), m.NewBlock(1), m.NewEnergyBlock(1)
	ws := m.NewWorkspace()
	m.EvalBatch(y, f.in, ws)
	m.EvalMomentum(a, b, f.in, ws)
	m.EvalEnergy(e, f.in, ws)
	dense := func(b *regressor.Block) (out [][]float64) {
		for k := range m.Joints() {
			out = append(out, make([]float64, len(m.Columns())))
			for c, col := range m.Mask(k) {
				out[k][col] = b.Joint[k][c][0]
			}
		}
		return out
	}
	for c := range m.Columns() {
		h = append(h, e.Joint[0][c][0])
	}
	return dense(y), dense(a), dense(b), h
}

// Models with friction of temperature, heat, warming and presliding take these as arguments, and have the values of the library's model at them: as
// programs, and as text in C, Go and Python.
func TestSignals(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 3))
	r := robot.FromMDH("following", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: 0.4, D: 0.3}, {Antecedent: 1, Alpha: -1.2, D: 0.5, R: 0.1}})
	f := newFollowing(t, rng, r)
	models := []Model{InverseDynamics, ForwardDynamics, Bias, Lagrange, DynamicRegressor, EnergyRegressor, PowerRegressor, MomentumRegressor}
	u := source.Unit{Name: "following", Maker: "ident"}
	var states [][][]float64
	for _, m := range models {
		p := build(t, m, r, f.opt)
		p.Name = strings.ReplaceAll(string(m), "-", "_")
		u.Programs, states = append(u.Programs, p), append(states, [][]float64{f.arguments(t, p)})
		for _, group := range []string{"warm", "heat", "temp", "slip"} {
			has := slices.ContainsFunc(p.Inputs, func(in symbolic.Input) bool { return in.Group == group })
			said := slices.ContainsFunc(p.Doc, func(s string) bool { return strings.HasPrefix(s, group+": ") })
			if !has || !said {
				t.Errorf("%s: argument %s %v, in its head %v", m, group, has, said)
			}
		}
	}
	if p := build(t, InertiaMatrix, r, f.opt); slices.ContainsFunc(p.Inputs, func(in symbolic.Input) bool { return in.Group == "heat" }) {
		t.Error("the inertia matrix has an argument of heat")
	}
	check := func(language string, got map[Model][][]float64) {
		d, d1, d2, h := f.rows()
		compare(t, language+", D", got[DynamicRegressor][0], flat(d))
		tau := apply(d, f.s.chi)
		compare(t, language+", tau", got[InverseDynamics][0], tau)
		compare(t, language+", D1", got[MomentumRegressor][0], flat(d1))
		compare(t, language+", D2", got[MomentumRegressor][1], flat(d2))
		energy := slices.Clone(got[EnergyRegressor][0])
		power := make([]float64, len(h))
		for c := range energy {
			energy[c] += got[EnergyRegressor][1][c]
			for k := range d {
				power[c] += f.s.dq[k] * d[k][c]
			}
		}
		compare(t, language+", h + p", energy, h)
		compare(t, language+", P", got[PowerRegressor][0], power)
	}
	own := map[Model][][]float64{}
	for i, p := range u.Programs {
		own[models[i]] = p.Eval(states[i][0])
	}
	check("program", own)
	long.Only(t, "the programs' own values stand for their text")
	for _, language := range []string{"c", "go", "python"} {
		t.Run(language, func(t *testing.T) {
			foreign.Tool(t, language)
			of := map[Model][][]float64{}
			got := foreign.RunAll(t, language, []source.Unit{u}, [][][][]float64{states})[0]
			for i, p := range u.Programs {
				of[models[i]] = split(p, got[i][0])
				for o, want := range own[models[i]] {
					compare(t, p.Name+" beside its program", of[models[i]][o], want)
				}
			}
			check(language, of)
		})
	}
}
