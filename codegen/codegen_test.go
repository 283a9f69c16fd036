package codegen

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/baseparams"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
	"ident/symbolic"
)

// fataler is a test or a property's test.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// state is a motion of a robot, with values for a program's other inputs.
type state struct {
	q, dq, ddq, tau []float64
	chi             []float64 // standard parameters, in the order of the model's columns
	gravity         [3]float64
}

func randomState(rng *rand.Rand, r *robot.Robot, columns []regressor.Column) state {
	n := len(r.Independent())
	draw := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		return v
	}
	return state{draw(n), draw(n), draw(n), draw(n), draw(len(columns)), r.Gravity}
}

// physical puts the parameters of real bodies and drives instead of the
// random ones, so that the inertia matrix is positive definite.
func (s *state) physical(rng *rand.Rand, columns []regressor.Column) {
	bodies := map[int]robot.Inertial{}
	for i, c := range columns {
		switch c.Term {
		case regressor.Links:
			if _, ok := bodies[c.Link]; !ok {
				bodies[c.Link] = testrobot.Body(rng)
			}
			s.chi[i] = bodies[c.Link][c.Param]
		case regressor.Ia:
			s.chi[i] = 0.1 + rng.Float64()
		}
	}
}

// inputs returns the values of a program's inputs.
func (s *state) inputs(t fataler, r *robot.Robot, p *symbolic.Program, params []float64) []float64 {
	t.Helper()
	out := make([]float64, len(p.Inputs))
	for i, in := range p.Inputs {
		switch in.Group {
		case "q":
			out[i] = s.q[in.Index]
		case "dq":
			out[i] = s.dq[in.Index]
		case "T": // a pose
			out[i] = []float64{0.8, -0.6, 0, 0.4, 0.6, 0.8, 0, 0.2, 0, 0, 1, 0.3}[in.Index]
		case "Tr":
			out[i] = []float64{0.8, -0.6, 0, 0.4, 0.6, 0.8, 0, 0.2, 0, 0, 1, 0.3}[in.Index]
		case "v":
			out[i] = s.ddq[in.Index] // any rates
		case "qr", "dqr", "ddqr", "kp", "kv", "limit", "free", "vr", "ar", "gains": // any reference and gains
			out[i] = 0.7 + 0.1*float64(in.Index)
		case "z":
			out[i] = s.dq[in.Index]
		case "ddq":
			out[i] = s.ddq[in.Index]
		case "tau":
			out[i] = s.tau[in.Index]
		case "K":
			out[i] = params[in.Index]
		case "g":
			out[i] = s.gravity[in.Index]
		case "geometry":
			out[i] = r.Symbols[in.Name]
		default:
			t.Fatalf("input %s of group %q is unknown", in.Name, in.Group)
		}
	}
	return out
}

// regressorRows evaluates the numeric regressor, dense, one row a coordinate.
func regressorRows(m *regressor.Model, s state) [][]float64 {
	b := m.NewBlock(1)
	batch := func(v []float64) [][]float64 {
		out := make([][]float64, len(v))
		for i := range v {
			out[i] = v[i : i+1]
		}
		return out
	}
	m.Eval(b, batch(s.q), batch(s.dq), batch(s.ddq), m.NewWorkspace())
	rows := make([][]float64, m.Joints())
	for k := range rows {
		rows[k] = make([]float64, len(m.Columns()))
		for c, col := range m.Mask(k) {
			rows[k][col] = b.Joint[k][c][0]
		}
	}
	return rows
}

// momentumRows evaluates D1, D2 and the energies, or powers where a parameter
// stores none, numerically.
func momentumRows(m *regressor.Model, s state) (d1, d2 [][]float64, h []float64) {
	in := regressor.Batch{}
	for i := range s.q {
		in.Q, in.DQ = append(in.Q, s.q[i:i+1]), append(in.DQ, s.dq[i:i+1])
	}
	a, b, e := m.NewBlock(1), m.NewBlock(1), m.NewEnergyBlock(1)
	ws := m.NewWorkspace()
	m.EvalMomentum(a, b, in, ws)
	m.EvalEnergy(e, in, ws)
	for k := range m.Joints() {
		d1, d2 = append(d1, make([]float64, len(m.Columns()))), append(d2, make([]float64, len(m.Columns())))
		for c, col := range m.Mask(k) {
			d1[k][col], d2[k][col] = a.Joint[k][c][0], b.Joint[k][c][0]
		}
	}
	for c := range m.Columns() {
		h = append(h, e.Joint[0][c][0])
	}
	return d1, d2, h
}

// tolerance of the comparisons with the numeric recursions, relative to the
// largest entry compared: the accuracy required of generated code.
const tolerance = 1e-12

func compare(t fataler, what string, got, want []float64) {
	t.Helper()
	compareTo(t, what, got, want, 0)
}

// compareTo is compare for sums of terms of a size, if that is larger.
func compareTo(t fataler, what string, got, want []float64, size float64) {
	t.Helper()
	for _, v := range want {
		size = max(size, math.Abs(v))
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d entries, want %d", what, len(got), len(want))
	}
	for i := range want {
		if d := math.Abs(got[i] - want[i]); !(d <= tolerance*max(size, 1e-3)) {
			t.Fatalf("%s: entry %d is %.17g, want %.17g, off by %.2g of %.2g", what, i, got[i], want[i], d, size)
		}
	}
}

func flat(rows [][]float64) []float64 {
	var out []float64
	for _, r := range rows {
		out = append(out, r...)
	}
	return out
}

func apply(rows [][]float64, x []float64) []float64 {
	out := make([]float64, len(rows))
	for i, r := range rows {
		for c, v := range r {
			out[i] += v * x[c]
		}
	}
	return out
}

// subject is a robot in a state, with options for its programs.
type subject struct {
	r       *robot.Robot
	opt     Options
	numeric *regressor.Model
	s       state
	params  []float64 // of the programs: standard or base
	keep    []int     // the columns that they are
}

func newSubject(t fataler, rng *rand.Rand, r *robot.Robot, opt Options) *subject {
	t.Helper()
	terms := opt.Terms
	if len(terms) == 0 {
		terms = []regressor.Term{regressor.Links}
	}
	numeric, err := regressor.NewDynamic(r, terms)
	if err != nil {
		t.Fatalf("%v", err)
	}
	columns := numeric.Columns()
	b := &subject{r: r, opt: opt, numeric: numeric, keep: make([]int, len(columns))}
	if r.Closed() {
		b.s = closedState(t, rng, r, numeric)
	} else {
		b.s = randomState(rng, r, columns)
	}
	b.s.physical(rng, columns)
	b.s.tau = apply(regressorRows(numeric, b.s), b.s.chi)
	for i := range b.keep {
		b.keep[i] = i
	}
	b.params = b.s.chi
	if opt.Base != nil {
		b.params, b.keep = opt.Base.FromStandard(b.s.chi), opt.Base.Base
	}
	return b
}

// inputs returns the values of a program's inputs.
func (b *subject) inputs(t fataler, p *symbolic.Program) []float64 {
	t.Helper()
	return b.s.inputs(t, b.r, p, b.params)
}

// checkRobot compares every model of a robot with the numeric recursions, for
// standard or base parameters.
func checkRobot(t fataler, rng *rand.Rand, r *robot.Robot, opt Options) {
	t.Helper()
	b := newSubject(t, rng, r, opt)
	b.check(t, func(model Model) [][]float64 {
		p, err := Build(context.Background(), model, r, opt)
		if err != nil {
			t.Fatalf("%s of %s: %v", model, r.Name, err)
		}
		return p.Eval(b.inputs(t, p))
	})
}

// check compares the programs' results with the numeric recursions.
func (b *subject) check(t fataler, run func(Model) [][]float64) {
	t.Helper()
	r, s, numeric, keep := b.r, b.s, b.numeric, b.keep
	name := func(model Model) string { return r.Name + ", " + string(model) }
	pick := func(rows [][]float64) [][]float64 {
		out := make([][]float64, len(rows))
		for i := range rows {
			for _, c := range keep {
				out[i] = append(out[i], rows[i][c])
			}
		}
		return out
	}
	at := func(dq, ddq []float64) [][]float64 {
		moved := s
		moved.dq, moved.ddq = dq, ddq
		return regressorRows(numeric, moved)
	}
	zero := make([]float64, len(s.q))
	rows := at(s.dq, s.ddq)
	d := run(DynamicRegressor)
	compare(t, name(DynamicRegressor), d[0], flat(pick(rows)))
	tau := run(InverseDynamics)
	want := apply(rows, s.chi)
	compare(t, name(InverseDynamics), tau[0], want)
	h := run(Bias)
	rest := apply(at(s.dq, zero), s.chi)
	compare(t, name(Bias), h[0], rest)
	inertia := make([][]float64, len(s.q))
	still := apply(at(zero, zero), s.chi)
	for j := range s.q {
		unit := make([]float64, len(s.q))
		unit[j] = 1
		col := apply(at(zero, unit), s.chi)
		for i := range col {
			inertia[i] = append(inertia[i], col[i]-still[i])
		}
	}
	a := run(InertiaMatrix)
	compare(t, name(InertiaMatrix), a[0], flat(inertia))
	checkLagrange(t, run, name, s, inertia, at, numeric)
	power := run(PowerRegressor)
	work := make([]float64, len(numeric.Columns()))
	for i, row := range rows {
		for c, v := range row {
			work[c] += s.dq[i] * v
		}
	}
	compare(t, name(PowerRegressor), power[0], pick([][]float64{work})[0])
	d1, d2, h0 := momentumRows(numeric, s)
	momenta := run(MomentumRegressor)
	compare(t, name(MomentumRegressor)+" D1", momenta[0], flat(pick(d1)))
	compare(t, name(MomentumRegressor)+" D2", momenta[1], flat(pick(d2)))
	energy := run(EnergyRegressor)
	for c := range energy[0] {
		energy[0][c] += energy[1][c]
	}
	compare(t, name(EnergyRegressor), energy[0], pick([][]float64{h0})[0])
	switch {
	case b.opt.Base == nil && !r.Closed():
		b.checkWrenches(t, run)
	case len(b.opt.Terms) == 0 && b.opt.Base == nil:
		b.checkClosedWrenches(t, run(JointWrenches))
	}
	// The torques of the accelerations found are those given, to the rounding of
	// the largest term of their sums.
	ddq := run(ForwardDynamics)
	size := 0.0
	for i := range inertia {
		size = max(size, math.Abs(rest[i]))
		for j, v := range inertia[i] {
			size = max(size, math.Abs(v*ddq[0][j]))
		}
	}
	compareTo(t, name(ForwardDynamics), apply(at(s.dq, ddq[0]), s.chi), want, size)
}

// checkLagrange compares A, C and Q with torques, and B by the torques of a
// motion without accelerations.
func checkLagrange(t fataler, run func(Model) [][]float64, name func(Model) string, s state,
	inertia [][]float64, at func(dq, ddq []float64) [][]float64, numeric *regressor.Model) {
	t.Helper()
	n := len(s.q)
	zero := make([]float64, n)
	l := run(Lagrange)
	if n == 1 { // without B
		l = [][]float64{l[0], nil, l[1], l[2]}
	}
	compare(t, name(Lagrange)+" A", l[0], flat(inertia))
	// Friction is no part of the four.
	chi := slices.Clone(s.chi)
	for c, stored := range numeric.Stored() {
		if !stored {
			chi[c] = 0
		}
	}
	compare(t, name(Lagrange)+" Q", l[3], apply(at(zero, zero), chi))
	got := make([]float64, n)
	for i := range n {
		at := 0
		for j := range n {
			got[i] += l[2][i*n+j] * s.dq[j] * s.dq[j]
			for k := j + 1; k < n; k++ {
				got[i] += l[1][i*n*(n-1)/2+at] * s.dq[j] * s.dq[k]
				at++
			}
		}
		got[i] += l[3][i]
	}
	compare(t, name(Lagrange)+" B, C", got, apply(at(s.dq, zero), chi))
	for j := range n {
		unit := make([]float64, n)
		unit[j] = 1
		col := make([]float64, n)
		for i := range n {
			col[i] = l[2][i*n+j] + l[3][i]
		}
		compare(t, name(Lagrange)+" C", col, apply(at(unit, zero), chi))
	}
}

var (
	simple   = []regressor.Term{regressor.Links, regressor.Ia, regressor.Fv, regressor.Fs, regressor.Fo, regressor.Spring}
	allTerms = append(simple[:len(simple):len(simple)], regressor.Asymmetric, regressor.Quadratic, "Tr:2+3.5")
)

// Every model of every reference robot, with symbolic and numeric geometry.
func TestCases(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for i, c := range testrobot.Cases(t) {
		if i%long.Of(1, 12) != 0 {
			continue // every sixth without IDENT_LONG
		}
		r := c.Robot(t)
		for _, terms := range [][]regressor.Term{nil, simple} {
			opt := Options{Terms: terms}
			checkRobot(t, rng, r, opt)
			opt.Geometry, opt.Gravity = true, true
			checkRobot(t, rng, r, opt)
			used := terms
			if used == nil {
				used = []regressor.Term{regressor.Links}
			}
			m, err := regressor.NewDynamic(r, used)
			if err != nil {
				t.Fatal(err)
			}
			set := baseparams.QR(m, baseparams.Options{})
			checkRobot(t, rng, r, Options{Terms: terms, Base: set, Geometry: true})
			checkRobot(t, rng, r, Options{Terms: terms, Base: set})
		}
	}
}

// Random trees with mimic joints and shared drives.
func TestRandomTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 9))
		links := rapid.IntRange(1, 6).Draw(t, "links")
		var r *robot.Robot
		if rapid.Bool().Draw(t, "special") {
			r = testrobot.RandomSpecial(rng, links, true)
		} else {
			r = testrobot.Random(rng, links, true)
		}
		if rapid.Bool().Draw(t, "placements alone") {
			for j := range r.Links {
				r.Links[j].MDH = nil
			}
		}
		moving := r.Moving()
		if len(moving) == 0 {
			return
		}
		if len(moving) > 1 && rapid.Bool().Draw(t, "drive") {
			r.Drives = append(r.Drives, robot.Drive{Number: moving[1], Weights: map[int]float64{moving[0]: 0.5, moving[1]: -2}})
		}
		if len(moving) > 2 && rapid.Bool().Draw(t, "mimic") {
			r.Mimics = append(r.Mimics, robot.Mimic{Joint: moving[2], Of: moving[0], Multiplier: -1.5, Offset: 0.3})
		}
		terms := allTerms
		if !slices.ContainsFunc(moving, func(j int) bool { return r.Links[j].Joint.Kind == robot.Prismatic }) {
			terms = append(terms[:len(terms):len(terms)], regressor.Balance)
		}
		checkRobot(t, rng, r, Options{Terms: terms, Gravity: rapid.Bool().Draw(t, "gravity")})
	})
}

// The energy of the standard parameters is that of package dynamics.
func TestEnergy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
		r := testrobot.Random(rng, rapid.IntRange(1, 7).Draw(t, "links"), true)
		tree, err := dynamics.New(r)
		if err != nil {
			t.Fatal(err)
		}
		terms := []regressor.Term{regressor.Links, regressor.Ia}
		p, err := Build(t.Context(), EnergyRegressor, r, Options{Terms: terms})
		if err != nil {
			t.Fatal(err)
		}
		m, err := regressor.NewDynamic(r, terms)
		if err != nil {
			t.Fatal(err)
		}
		s := randomState(rng, r, m.Columns())
		// Kinetic and potential energy, and the energies of single parameters, may be far larger than their sum, and each has
		// the error of its own size.
		got, size := 0.0, 0.0
		for c, h := range p.Eval(s.inputs(t, r, p, nil))[0] {
			v, _ := regressor.ValueOf(r, m.Columns()[c])
			got += h * v
			size += math.Abs(h * v)
		}
		compareTo(t, "energy", []float64{got}, []float64{tree.KineticEnergy(s.q, s.dq) + tree.PotentialEnergy(s.q)}, size)
	})
}

// Robots from URDF files, whose placements are transforms.
func TestFiles(t *testing.T) {
	long.Only(t, "TestCases and TestRandomTrees stand for it")
	files := testrobot.SharedFiles(t, "data/*/model/*.urdf")
	rng := rand.New(rand.NewPCG(2, 3))
	for _, f := range append(files, filepath.Join("..", "datasets", "example", "puma560.urdf")) {
		r, err := format.Open(f, robot.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		checkRobot(t, rng, r, Options{Terms: allTerms})
		m, err := regressor.NewDynamic(r, simple)
		if err != nil {
			t.Fatal(err)
		}
		checkRobot(t, rng, r, Options{Terms: simple, Base: baseparams.QR(m, baseparams.Options{})})
	}
}

// Robots and terms without a program are refused with a remedy.
func TestRefusals(t *testing.T) {
	r := general(3)
	for what, c := range map[string]struct {
		model Model
		r     *robot.Robot
		opt   Options
		want  string
	}{
		"unknown model": {"hessian", r, Options{}, "the models are inverse-dynamics"},
		"other base":    {InverseDynamics, general(4), Options{Base: baseSet(t, r)}, "other terms or another robot"},
		"other term":    {InverseDynamics, r, Options{Terms: []regressor.Term{regressor.Links, regressor.Stribeck + ":0.1"}}, "symbolic form"},
		"nothing moves": {InverseDynamics, robot.FromMDH("fixed", []robot.MDHFrame{{Antecedent: -1, Kind: robot.Fixed}}), Options{}, "no moving joint"},
		"no value": {InverseDynamics, &robot.Robot{Name: "r", Unset: []string{"D3"}, Links: []robot.Link{{Antecedent: -1, Joint: robot.Joint{Name: "j"},
			MDH: &robot.MDH{D: math.NaN(), Text: [6]string{"0", "0", "0", "D3", "0", "0"}}}}}, Options{}, "D3"},
		"name taken": {InverseDynamics, &robot.Robot{Name: "r", Unset: []string{"q1"}, Links: []robot.Link{{Antecedent: -1, Joint: robot.Joint{Name: "j"},
			MDH: &robot.MDH{D: math.NaN(), Text: [6]string{"0", "0", "0", "q1", "0", "0"}}}}}, Options{Geometry: true}, "position of joint j"},
	} {
		if _, err := Build(t.Context(), c.model, c.r, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want a word of %q", what, err, c.want)
		}
	}
	for _, m := range Models() {
		if got, err := ParseModel(string(m)); got != m || err != nil {
			t.Errorf("%s: %v", m, err)
		}
	}
}
