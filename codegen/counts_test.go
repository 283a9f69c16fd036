package codegen

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"ident/baseparams"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

var update = flag.Bool("update", false, "rewrite docs/operation-counts.md")

var links = []regressor.Term{regressor.Links}

// general returns a serial robot of n revolute joints without any special
// angle or length, its first frame being that of the base at q1 = 0, as the
// convention has it.
func general(n int) *robot.Robot {
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	frames := []robot.MDHFrame{{Antecedent: -1}}
	for j := 1; j < n; j++ {
		frames = append(frames, robot.MDHFrame{Antecedent: j - 1, Alpha: 0.3 + rng.Float64(), D: rng.Float64(), R: rng.Float64()})
	}
	return robot.FromMDH(fmt.Sprintf("general %dR", n), frames)
}

func baseSet(t testing.TB, r *robot.Robot) *baseparams.Set {
	t.Helper()
	if r.Closed() {
		m, err := regressor.NewDynamic(r, links)
		if err != nil {
			t.Fatal(err)
		}
		return baseparams.QR(m, baseparams.Options{})
	}
	s, err := baseparams.NullSpace(r, links, baseparams.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func build(t testing.TB, m Model, r *robot.Robot, opt Options) *symbolic.Program {
	t.Helper()
	p, err := Build(t.Context(), m, r, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bound is a number of multiplications and additions printed in the SYMORO+
// user's guide.
type bound struct{ mul, add int }

func newtonEulerBound(n int) bound { return bound{92*n - 127, 81*n - 117} }

func filteredBound(n int) bound {
	return bound{4*n*n*n + 23*n*n - 16*n - 12, 3*n*n*n + 12*n*n - 27*n + 9}
}

func (b bound) check(t testing.TB, what string, c symbolic.Counts) {
	t.Helper()
	if c.Mul+c.Div > b.mul || c.Add > b.add {
		t.Errorf("%s: %d multiplications and %d additions, the guide has %d and %d", what, c.Mul+c.Div, c.Add, b.mul, b.add)
	}
}

// The counts that the guide prints for general robots (sections 3.5.2.3 and
// appendix 4.5), for n > 2.
func TestBoundsOfGeneralRobots(t *testing.T) {
	for n := 3; n <= 12; n++ {
		r := general(n)
		opt := Options{Base: baseSet(t, r)}
		newtonEulerBound(n).check(t, r.Name+" Newton-Euler", build(t, InverseDynamics, r, opt).Counts())
		filteredBound(n).check(t, r.Name+" filtered", build(t, FilteredRegressor, r, opt).Counts())
	}
}

// The table in docs/operation-counts.md, which -update writes anew. The counts
// that the guide prints for two robots are bounds.
func TestOperationCounts(t *testing.T) {
	long.Only(t, "counts the operations of every model")
	cases := testrobot.Cases(t)
	var b bytes.Buffer
	b.WriteString(countsHead)
	row := func(cells ...any) {
		for _, c := range cells {
			if v, ok := c.(symbolic.Counts); ok {
				c = fmt.Sprintf("%d/%d", v.Mul+v.Div, v.Add)
			}
			fmt.Fprintf(&b, "| %v ", c)
		}
		b.WriteString("|\n")
	}
	printed := map[string]bound{"puma560_akb": {720, 635}, "stanford": {612, 524}}
	b.WriteString("\n## General serial robots of n revolute joints\n\n" +
		"| n | Newton-Euler, guide | ours | filtered model, guide | ours |\n|---|---|---|---|---|\n")
	for n := 3; n <= 8; n++ {
		r := general(n)
		opt := Options{Base: baseSet(t, r)}
		ne, f := newtonEulerBound(n), filteredBound(n)
		row(n, fmt.Sprintf("%d/%d", ne.mul, ne.add), build(t, InverseDynamics, r, opt).Counts(),
			fmt.Sprintf("%d/%d", f.mul, f.add), build(t, FilteredRegressor, r, opt).Counts())
	}
	b.WriteString("\n## Robots\n\n| robot | joints | base parameters | inverse dynamics | the same, standard parameters | general bound 92n-127/81n-117 | filtered model | guide |\n" +
		"|---|---|---|---|---|---|---|---|\n")
	for _, c := range cases {
		r := c.Robot(t)
		opt := Options{Base: baseSet(t, r)}
		filtered := build(t, FilteredRegressor, r, opt).Counts()
		guide := ""
		if p, ok := printed[c.Name]; ok {
			p.check(t, c.Name+" filtered", filtered)
			guide = fmt.Sprintf("%d/%d", p.mul, p.add)
		}
		general := ""
		if n := serialRevolute(r); n > 2 {
			ne := newtonEulerBound(n)
			ne.check(t, c.Name+" Newton-Euler", build(t, InverseDynamics, r, opt).Counts())
			general = fmt.Sprintf("%d/%d", ne.mul, ne.add)
		}
		row(c.Name, r.DOF(), opt.Base.Count(), build(t, InverseDynamics, r, opt).Counts(),
			build(t, InverseDynamics, r, Options{}).Counts(), general, filtered, guide)
	}
	b.WriteString("\n## Other models, base parameters\n\n| robot | inertia matrix | bias | A, B, C, Q | forward dynamics | dynamic regressor | the same, standard | energy | power | sines and cosines of the dynamic regressor |\n" +
		"|---|---|---|---|---|---|---|---|---|---|\n")
	for _, c := range cases {
		r := c.Robot(t)
		opt := Options{Base: baseSet(t, r)}
		cells := []any{c.Name}
		for _, m := range []Model{InertiaMatrix, Bias, Lagrange, ForwardDynamics, DynamicRegressor} {
			cells = append(cells, build(t, m, r, opt).Counts())
		}
		cells = append(cells, build(t, DynamicRegressor, r, Options{}).Counts())
		for _, m := range []Model{EnergyRegressor, PowerRegressor} {
			cells = append(cells, build(t, m, r, opt).Counts())
		}
		row(append(cells, build(t, DynamicRegressor, r, opt).Counts().Trig)...)
	}
	kinematicCounts(t, &b, row)
	closedCounts(t, &b, row)
	path := filepath.Join("..", "docs", "operation-counts.md")
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, b.Bytes()) {
		t.Errorf("docs/operation-counts.md is not what this test makes; go test ./codegen -run TestOperationCounts -update writes it anew:\n%s", b.Bytes())
	}
}

// kinematicCounts writes the table of the kinematic models; sines and cosines are left out.
func kinematicCounts(t *testing.T, b *bytes.Buffer, row func(cells ...any)) {
	b.WriteString("\n## Kinematic models of the last link, along the axes of the base\n\n" +
		"Determinants and inverses are of all six rows, in blocks where axes meet. A dash marks what does not exist: a Jacobian that is not\n" +
		"square, an inverse of a block of more than three rows, angles that are singular everywhere,\n" +
		"joints that are not redundant, or an arm without a closed form.\n\n" +
		"| robot | transform | jacobian | determinant | inverse | velocities | accelerations | jdot-qdot | operational, Euler angles | redundant rates | inverse geometry |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, c := range testrobot.Cases(t) {
		r := c.Robot(t)
		cells := []any{c.Name}
		for _, m := range KinematicModels() {
			p, err := Build(t.Context(), m, r, Options{})
			switch {
			case errors.Is(err, ErrDeterminant), errors.Is(err, ErrNoClosedForm):
				cells = append(cells, "–")
			case err != nil:
				t.Fatal(err)
			default:
				cells = append(cells, p.Counts())
			}
		}
		row(cells...)
	}
}

// closedCounts writes the table of closed robots beside their cut trees.
func closedCounts(t *testing.T, b *bytes.Buffer, row func(cells ...any)) {
	b.WriteString("\n## Closed robots\n\n" +
		"Models of the driven joints with loops closed by formulas, and for comparison those of the tree that is left when the loops are cut.\n" +
		"The tree's models take the motion of passive joints as given, and their torques are not yet those of the drives. Base parameters each.\n\n" +
		"| robot | joints | base parameters | inverse dynamics | inertia matrix | bias | forward dynamics | dynamic regressor | energy | filtered model | loop solution | A, B, C, Q | joint wrenches, standard |\n" +
		"|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, closed := range []*robot.Robot{testrobot.SR400(t), testrobot.AKR3000(t)} {
		for _, r := range []*robot.Robot{closed, closed.Cut()} {
			opt := Options{Base: baseSet(t, r)}
			name := r.Name
			if !r.Closed() {
				name += ", cut tree"
			}
			cells := []any{name, nil, len(opt.Base.Base)}
			for _, m := range []Model{InverseDynamics, InertiaMatrix, Bias, ForwardDynamics, DynamicRegressor, EnergyRegressor, FilteredRegressor} {
				p := build(t, m, r, opt)
				if m == InverseDynamics {
					cells[1] = p.Outputs[0].Rows
				}
				cells = append(cells, p.Counts())
			}
			if r.Closed() {
				cells = append(cells, build(t, LoopSolution, r, Options{}).Counts())
			} else {
				cells = append(cells, "")
			}
			row(append(cells, build(t, Lagrange, r, opt).Counts(), build(t, JointWrenches, r, Options{}).Counts())...)
		}
	}
}

// serialRevolute returns the number of joints of a serial robot of revolute
// joints, 0 for others.
func serialRevolute(r *robot.Robot) int {
	for j := range r.Links {
		if r.Links[j].Antecedent != j-1 || r.Links[j].Joint.Kind != robot.Revolute {
			return 0
		}
	}
	return len(r.Links)
}

const countsHead = `# Operation counts

Multiplications/additions of the programs that package codegen generates, and those that the SYMORO+ user's guide prints. Divisions count as
multiplications, subtractions as additions, sines and cosines are counted
apart. Changes of sign are not counted, as in the guide: inverse dynamics has none,
the filtered models some dozens where an entry is the negative of a product.
Parameters are the base parameters of the links unless a column says
otherwise; the geometry is numeric, gravity along -z of the base.

A robot is "general" when its frames have no special angle or length but those
that the choice of the first frame gives (α1 = d1 = r1 = 0). The guide's figures
for that case are 92n-127/81n-117 for inverse dynamics (n > 2) and
(4n³+23n²-16n-12)/(3n³+12n²-27n+9) for the filtered model.

    IDENT_LONG=1 go test ./codegen -run TestOperationCounts -update

writes this page, and without -update checks it.
`
