package codegen

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/codegen/source"
	"ident/internal/foreign"
	"ident/internal/long"
	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/mechanics/kinematics"
	"ident/robot"
	"ident/symbolic"
)

// standardRows builds an arm from rows of Denavit and Hartenberg's standard parameters a, α, d: joint j turns about z of frame j − 1.
func standardRows(name string, rows [][3]float64) (*robot.Robot, robot.Transform) {
	var frames []robot.MDHFrame
	before := [3]float64{}
	for j, row := range rows {
		frames = append(frames, robot.MDHFrame{Antecedent: j - 1, D: before[0], Alpha: before[1], R: row[2]})
		before = row
	}
	return robot.FromMDH(name, frames), robot.MDH{D: before[0], Alpha: before[1]}.Transform()
}

// solved evaluates an inverse geometric model: its states of margin zero or more, with the misfits of fewer than six joints.
func solved(t *testing.T, r *robot.Robot, frame *Frame, pose robot.Transform) (reached [][]float64, misfits []float64, p *symbolic.Program) {
	t.Helper()
	p, err := Build(context.Background(), InverseGeometry, r, Options{Frame: frame})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]float64{}
	for i, v := range p.Eval(entries(pose)) {
		out[p.Outputs[i].Name] = v
	}
	n := p.Outputs[0].Cols
	for i, m := range out["margin"] {
		if m >= 0 {
			reached = append(reached, out["Q"][n*i:n*i+n])
			if v := out["misfit"]; v != nil {
				misfits = append(misfits, v[i])
			}
		}
	}
	return reached, misfits, p
}

func entries(pose robot.Transform) (in []float64) {
	for i := range 3 {
		in = append(in, pose.R[i][0], pose.R[i][1], pose.R[i][2], pose.P[i])
	}
	return in
}

// reaches holds the poses of states to the one asked for.
func reaches(t *testing.T, tree *kinematics.Tree, list [][]float64, tool, want robot.Transform, what string) {
	t.Helper()
	pose := tree.NewPose()
	for _, q := range list {
		pose.Place(q)
		at := pose.Frame(len(q) - 1).Mul(tool)
		off := spatial.Norm(spatial.AddScaled(at.P, -1, want.P))
		for i := range 3 {
			for j := range 3 {
				off = math.Max(off, math.Abs(at.R[i][j]-want.R[i][j]))
			}
		}
		if !(off < 1e-9) {
			t.Fatalf("%s: state %v is %g off", what, q, off)
		}
	}
}

// The UR10 by its maker's parameters has at poses of random states the eight states, fewer out of the elbow's reach, that the numeric solver, which is complete for
// six joints, finds; each reaches the pose.
func TestInverseGeometryOfUR(t *testing.T) {
	half := math.Pi / 2
	for name, rows := range map[string][][3]float64{
		"UR10": {{0, half, 0.1273}, {-0.612, 0, 0}, {-0.5723, 0, 0}, {0, half, 0.163941}, {0, -half, 0.1157}, {0, 0, 0.0922}},
		"UR5e": {{0, half, 0.1625}, {-0.425, 0, 0}, {-0.3922, 0, 0}, {0, half, 0.1333}, {0, -half, 0.0997}, {0, 0, 0.0996}},
	} {
		r, flange := standardRows(name, rows)
		tree, err := kinematics.New(r)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(7, 7))
		frame := LinkFrame(5, [3]float64{}, -1)
		frame.Placement = flange
		states, eight := 0, 0
		for range long.Of(200, 12) {
			q := make([]float64, 6)
			for i := range q {
				q[i] = math.Pi * (2*rng.Float64() - 1)
			}
			pose := tree.NewPose()
			pose.Place(q)
			want := pose.Frame(5).Mul(flange)
			got, _, _ := solved(t, r, frame, want)
			reaches(t, tree, got, flange, want, name)
			if !among(r, got, q, 1e-6) {
				t.Errorf("%s: %v is not among %v", name, q, got)
			}
			all, err := tree.Solve(t.Context(), kinematics.Goal{Link: 5, Tool: flange, Pose: want, Mask: kinematics.Full}, kinematics.SolveOptions{Near: q})
			if err != nil {
				t.Fatal(err)
			}
			if len(all.All) != len(got) {
				t.Errorf("%s at %v: %d states, the solver has %d", name, q, len(got), len(all.All))
			}
			states += len(got)
			if len(got) == 8 {
				eight++
			}
		}
		t.Logf("%s: %d states, all eight %d times", name, states, eight)
	}
}

// Random arms of each kind have the state that made the pose, and only states that reach it; arms with fewer than six joints say by how much a pose that is none of theirs is missed.
func TestInverseGeometryOfParallelAxes(t *testing.T) {
	counts := map[string]int{}
	for seed := range uint64(long.Of(300, 30)) {
		rng := rand.New(rand.NewPCG(seed, 33))
		angle := func() float64 { return math.Pi * (2*rng.Float64() - 1) }
		length := func() float64 { return 0.2 + rng.Float64() }
		flat := func() float64 { return []float64{0, math.Pi}[rng.IntN(2)] }
		frame := func(alpha, d, r float64, kind robot.Kind) robot.MDHFrame {
			return robot.MDHFrame{Alpha: alpha, D: d, R: r, Theta: angle(), Gamma: 0, Kind: kind}
		}
		turn := robot.Revolute
		var frames []robot.MDHFrame
		kind := []string{"six, three parallel", "five, three parallel", "four, three parallel", "SCARA", "five, a wrist of two"}[seed%5]
		switch kind {
		case "SCARA":
			slide := rng.IntN(4)
			for i := range 4 {
				k := turn
				if i == slide {
					k = robot.Prismatic
				}
				frames = append(frames, frame(flat(), length(), length(), k))
			}
		case "five, a wrist of two":
			frames = []robot.MDHFrame{frame(angle(), length(), length(), turn), frame(angle(), length(), length(), turn), frame(flat(), length(), length(), turn),
				frame(angle(), length(), length(), turn), frame(0.4+rng.Float64(), 0, length(), turn)}
		default:
			frames = []robot.MDHFrame{frame(angle(), length(), length(), turn), frame(0.3+rng.Float64(), length(), length(), turn), frame(flat(), length(), length(), turn), frame(flat(), length(), length(), turn)}
			if !strings.HasPrefix(kind, "four") {
				frames = append(frames, frame(0.3+rng.Float64(), length(), length(), turn))
			}
			if strings.HasPrefix(kind, "six") {
				frames = append(frames, frame(-0.4-rng.Float64(), 0, length(), turn))
			}
		}
		for i := range frames {
			frames[i].Antecedent = i - 1
		}
		n := len(frames)
		r := robot.FromMDH("arm", frames)
		tree, err := kinematics.New(r)
		if err != nil {
			t.Fatal(err)
		}
		q := make([]float64, n)
		for i := range q {
			q[i] = 0.9 * angle()
		}
		tool := testrobot.Random(rng, 1, false).Links[0].Placement
		at := LinkFrame(n-1, [3]float64{}, -1)
		at.Placement = tool
		pose := tree.NewPose()
		pose.Place(q)
		want := pose.Frame(n - 1).Mul(tool)
		got, misfits, p := solved(t, r, at, want)
		if n < 6 {
			kept := got[:0:0]
			for i, s := range got {
				if misfits[i] < 1e-8 {
					kept = append(kept, s)
				}
			}
			got = kept
		}
		if !among(r, got, q, 1e-6) {
			t.Errorf("%s, seed %d: %v is not among %v", kind, seed, q, got)
		}
		reaches(t, tree, got, tool, want, kind)
		counts[kind] += len(got)
		if n == 6 {
			all, err := tree.Solve(t.Context(), kinematics.Goal{Link: n - 1, Tool: tool, Pose: want, Mask: kinematics.Full}, kinematics.SolveOptions{Near: q})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range all.All {
				if !among(r, got, s.Q, 1e-5) {
					t.Errorf("%s, seed %d: the solver's state %v is not among %d", kind, seed, s.Q, len(got))
				}
			}
			continue
		}
		tilted := want
		tilted.R = spatial.Mul(robot.MDH{Gamma: 0.3, Alpha: 0.4, Theta: 0.5}.Transform().R, want.R)
		if _, misfits, _ := solved(t, r, at, tilted); len(misfits) > 0 && min(misfits[0], misfits[len(misfits)-1]) < 1e-3 {
			t.Errorf("%s, seed %d: a pose that is none of its own is missed by %v", kind, seed, misfits)
		}
		if p.Outputs[0].Cols != n {
			t.Errorf("%d columns of %d joints", p.Outputs[0].Cols, n)
		}
	}
	t.Logf("states: %v", counts)
}

// Singular states are said: the wrist's sine is zero where the last axis is along the three parallel ones, and a pose beyond the reach has no state.
func TestSingularParallelAxes(t *testing.T) {
	half := math.Pi / 2
	r, flange := standardRows("UR10", [][3]float64{{0, half, 0.1273}, {-0.612, 0, 0}, {-0.5723, 0, 0}, {0, half, 0.163941}, {0, -half, 0.1157}, {0, 0, 0.0922}})
	tree, err := kinematics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	frame := LinkFrame(5, [3]float64{}, -1)
	frame.Placement = flange
	pose := tree.NewPose()
	pose.Place([]float64{0.3, -1, 0.8, 0.4, 0, -0.2})
	p, err := Build(t.Context(), InverseGeometry, r, Options{Frame: frame})
	if err != nil {
		t.Fatal(err)
	}
	singular := 0
	for i, v := range p.Eval(entries(pose.Frame(5).Mul(flange))) {
		if p.Outputs[i].Name == "wrist" {
			for _, s := range v {
				if s < 1e-7 {
					singular++
				}
			}
		}
	}
	if singular != 4 {
		t.Errorf("%d states with a singular wrist", singular)
	}
	far := pose.Frame(5).Mul(flange)
	far.P[0] += 3
	if got, _, _ := solved(t, r, frame, far); len(got) != 0 {
		t.Errorf("%d states 3 m away", len(got))
	}
	two := robot.FromMDH("flat", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 1}, {Antecedent: 1, D: 1}, {Antecedent: 2, D: 1}})
	if _, err := Build(t.Context(), InverseGeometry, two, Options{}); !errors.Is(err, ErrNoClosedForm) {
		t.Errorf("four parallel axes that turn: %v", err)
	}
}

// The models of a UR, an arm of five joints and a SCARA as text, in every installed language.
func TestParallelAxesAsText(t *testing.T) {
	long.Only(t, "TestInverseGeometryOfParallelAxes evaluates the same programs")
	half := math.Pi / 2
	ur, _ := standardRows("UR10", [][3]float64{{0, half, 0.1273}, {-0.612, 0, 0}, {-0.5723, 0, 0}, {0, half, 0.163941}, {0, -half, 0.1157}, {0, 0, 0.0922}})
	five, _ := standardRows("five", [][3]float64{{0, half, 0.3}, {0.25, 0, 0}, {0.16, 0, 0}, {0, half, 0}, {0, 0, 0.1}})
	scara := robot.FromMDH("scara", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.4}, {Antecedent: 1, D: 0.3, Alpha: math.Pi, Kind: robot.Prismatic}, {Antecedent: 2}})
	for _, language := range source.Languages() {
		if language == "listing" || language == "c-batch" {
			continue
		}
		t.Run(language, func(t *testing.T) {
			foreign.Tool(t, language)
			for _, r := range []*robot.Robot{ur, five, scara} {
				tree, err := kinematics.New(r)
				if err != nil {
					t.Fatal(err)
				}
				q := []float64{0.3, -1, 0.8, 0.4, 0.7, -0.2}[:tree.DOF()]
				pose := tree.NewPose()
				pose.Place(q)
				want := pose.Frame(len(q) - 1)
				got, _, p := solved(t, r, nil, want)
				if !among(r, got, q, 1e-6) {
					t.Errorf("%s: %v is not among %v", r.Name, q, got)
				}
				p.Name = "inverse_geometry"
				in := entries(want)
				text := foreign.Run(t, language, source.Unit{Name: r.Name, Maker: "ident", Programs: []*symbolic.Program{p}}, [][][]float64{{in}})
				for o, v := range p.Eval(in) {
					compareTo(t, language+", "+r.Name, split(p, text[0][0])[o], v, 1e4)
				}
			}
		})
	}
}

// Arms that lack the angles or lengths which the formulas divide by are refused: axes that are one line, or parallel where one has to turn another.
func TestInverseGeometryOfFlatArms(t *testing.T) {
	t.Parallel()
	right := math.Pi / 2
	type row = robot.MDHFrame
	for name, frames := range map[string][]row{
		"no upper arm":                {{R: 0.1}, {Alpha: right, R: 0.1}, {}, {D: 0.4}, {Alpha: right, R: 0.1}, {Alpha: -right, R: 0.1}},
		"no forearm":                  {{R: 0.1}, {Alpha: right, R: 0.1}, {D: 0.4}, {}, {Alpha: right, R: 0.1}, {Alpha: -right, R: 0.1}},
		"SCARA without a link":        {{R: 0.1}, {}, {Kind: robot.Prismatic, D: 0.3}, {}},
		"three parallel and a wrist":  {{R: 0.1}, {D: 0.3}, {D: 0.3}, {Alpha: right}, {Alpha: right}, {Alpha: -right}},
		"five, four of them parallel": {{R: 0.1}, {Alpha: right, D: 0.1}, {D: 0.4}, {D: 0.3}, {D: 0.2}},
	} {
		for i := range frames {
			frames[i].Antecedent = i - 1
		}
		r := robot.FromMDH(name, frames)
		if _, err := Build(context.Background(), InverseGeometry, r, Options{}); !errors.Is(err, ErrNoClosedForm) || !strings.Contains(err.Error(), "one line") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
