package exports_test

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ident/baseparams"
	"ident/cmd/ident/internal/exports"
	"ident/identify/project"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/physical"
	"ident/regressor"
	"ident/result"
	"ident/robot"
	"ident/robot/format"
)

// told reads parameters by joint out of a note.
func told(notes []string, head string) map[string]float64 {
	out := map[string]float64{}
	for _, n := range notes {
		if !strings.HasPrefix(n, head) {
			continue
		}
		for _, m := range regexp.MustCompile(`\w+ = (\S+) \S+ \(joint "(.*?)"\)`).FindAllStringSubmatch(n, -1) {
			v, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				panic(err)
			}
			out[m[2]] = v
		}
	}
	return out
}

// geared returns a random robot with rotors, some of which the base parameters regroup onto bodies.
func geared(rng *rand.Rand, n int) *robot.Robot {
	r := testrobot.RandomSpecial(rng, n, false)
	for i := range r.Links {
		l := &r.Links[i]
		l.HasInertial, l.Inertial = true, testrobot.Body(rng)
		l.Own = l.Inertial
		l.Joint.Ia, l.Joint.NoRotor = 0, false
		if rng.IntN(5) > 0 {
			l.Joint.Ia = math.Exp(4*rng.Float64() - 4)
		}
		l.Joint.Fo, l.Joint.Fv, l.Joint.Fs = rng.NormFloat64(), rng.Float64(), rng.Float64()
		if l.Joint.Lower < l.Joint.Upper {
			continue
		}
		l.Joint.Lower, l.Joint.Upper, l.Joint.Velocity = -1, 1, 2
	}
	return r
}

// The torques of an exported file, together with what the notes say, are those of the result: of every format, of trees with
// rotors and offsets.
func TestFileAndNotesHaveTheTorques(t *testing.T) {
	robots := long.Draws(2000, 300, 12)
	rotors, contained, regrouped := 0, 0, 0
	for seed := range robots {
		rng := rand.New(rand.NewPCG(uint64(seed), 57))
		r := geared(rng, 1+rng.IntN(6))
		m, err := regressor.NewDynamic(r, regressor.DefaultTerms())
		if err != nil {
			t.Fatal(err)
		}
		set := baseparams.QR(m, baseparams.Options{})
		chi := make([]float64, len(set.Columns))
		for i, c := range set.Columns {
			chi[i], _ = regressor.ValueOf(r, c)
		}
		ft := &project.Fitted{Result: &result.Result{}, Settings: &project.Settings{}, Source: r, Robot: r, Terms: regressor.DefaultTerms(), Set: set, X: set.FromStandard(chi)}
		for _, d := range set.Dependent {
			if set.Columns[d].Term == regressor.Ia && chi[d] > 0 {
				regrouped++
			}
		}
		for _, kind := range []string{"urdf", "sdf", "mjcf", "yaml", "par"} {
			text, said, err := exports.Robot(ft, exports.RobotOptions{Format: kind, Friction: exports.Symmetric})
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, kind, err)
			}
			back, err := format.Read(text, kind, "back", robot.ReadOptions{NoSnap: true})
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, kind, err)
			}
			if slices.ContainsFunc(said.Notes, func(n string) bool { return strings.HasPrefix(n, "gravity: ") }) {
				back.Gravity = r.Gravity
			}
			ia, fo := told(said.Notes, "rotor inertias: "), told(said.Notes, "torque offsets: ")
			if kind == "urdf" {
				in := told(said.Notes, "rotor inertias that the bodies of the URDF")
				rotors, contained = rotors+len(ia)+len(in), contained+len(in)
			}
			n := r.DOF()
			numbers := func() []float64 { return make([]float64, n) }
			want, got, q, dq, ddq, q2, dq2, ddq2 := numbers(), numbers(), numbers(), numbers(), numbers(), numbers(), numbers(), numbers()
			at := make([]int, n) // of the file's joints, which may have another order
			for k, i := range r.Moving() {
				at[k] = k
				if kind != "par" {
					at[k] = slices.Index(back.JointNames(), r.Links[i].Joint.Name)
				}
			}
			tree, other := newTree(t, r), newTree(t, back)
			for range 20 {
				for k := range q {
					q[k], dq[k], ddq[k] = rng.NormFloat64(), rng.NormFloat64(), 3*rng.NormFloat64()
					q2[at[k]], dq2[at[k]], ddq2[at[k]] = q[k], dq[k], ddq[k]
				}
				tree.InverseDynamics(want, q, dq, ddq)
				other.InverseDynamics(got, q2, dq2, ddq2)
				for k, i := range r.Moving() {
					j, b := &r.Links[i].Joint, &back.Links[back.Moving()[at[k]]].Joint
					w := want[k] + j.Fo + j.Fv*dq[k]
					g := got[at[k]] + b.Fo + fo[j.Name] + ia[j.Name]*ddq[k] + b.Fv*dq[k]
					// Notes have four to six digits.
					if size := 1 + math.Abs(w) + ia[j.Name]*math.Abs(ddq[k]); math.Abs(g-w) > 2e-5*size {
						t.Fatalf("seed %d, %s, joint %q: %g in place of %g; notes %q", seed, kind, j.Name, g, w, said.Notes)
					}
				}
			}
		}
	}
	t.Logf("%d robots: %d rotors, %d of them regrouped onto bodies, %d contained in bodies", robots, rotors, regrouped, contained)
	if contained == 0 || contained == rotors {
		t.Errorf("%d of %d rotors contained: both kinds are to be tried", contained, rotors)
	}
}

func newTree(t *testing.T, r *robot.Robot) *dynamics.Tree {
	t.Helper()
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// Contain keeps the base parameters and the feasibility of all bodies, whatever is moved.
func TestContain(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 58))
		r := geared(rng, 1+rng.IntN(5))
		m, err := regressor.NewDynamic(r, regressor.DefaultTerms())
		if err != nil {
			t.Fatal(err)
		}
		set := baseparams.QR(m, baseparams.Options{})
		chi := make([]float64, len(set.Columns))
		var rotors []int
		for i, c := range set.Columns {
			chi[i], _ = regressor.ValueOf(r, c)
			if c.Term == regressor.Ia {
				rotors = append(rotors, i)
			}
		}
		moved, contained := physical.Contain(r, set, chi, rotors)
		for _, c := range contained {
			if moved[c] != 0 {
				t.Errorf("seed %d: %s is %g", seed, set.Columns[c].Name, moved[c])
			}
		}
		before, after := set.FromStandard(chi), set.FromStandard(moved)
		for k := range before {
			if math.Abs(after[k]-before[k]) > 1e-9*(1+math.Abs(before[k])) {
				t.Errorf("seed %d: %s is %g, was %g", seed, set.Name(k), after[k], before[k])
			}
		}
		bodies := r.Clone()
		for i, c := range set.Columns {
			if c.Term == regressor.Links {
				bodies.Links[c.Link].Inertial[c.Param] = moved[i]
			}
		}
		for i := range bodies.Links {
			if l := &bodies.Links[i]; !(physical.LeastEigenvalue(l.Inertial) > 0) {
				t.Errorf("seed %d: %s", seed, physical.WhyImpossible(l.Inertial))
			}
		}
	}
}

// Notes are sentences: those of a reader too, of which the export repeats some.
func TestNotesAreSentences(t *testing.T) {
	text := `<robot name="arm"><link name="base"/><link name="l1"><inertial><origin xyz="0 0 0.1"/><mass value="2"/><inertia ixx=".1" ixy="0" ixz="0" iyy=".1" iyz="0" izz=".1"/></inertial></link>
		<joint name="j1" type="revolute"><parent link="base"/><child link="l1"/><origin xyz="0 0 1"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" velocity="1" effort="10"/></joint></robot>`
	r, err := format.Read([]byte(text), "urdf", "arm", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(m, baseparams.Options{})
	x := make([]float64, len(set.Base))
	for k, b := range set.Base {
		x[k], _ = regressor.ValueOf(r, set.Columns[b])
	}
	ft := &project.Fitted{Result: &result.Result{}, Settings: &project.Settings{}, Source: r, Robot: r, Terms: regressor.DefaultTerms(), Set: set, X: x}
	_, said, err := exports.Robot(ft, exports.RobotOptions{Format: "urdf", Friction: exports.Symmetric})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(said.Notes, func(n string) bool { return strings.HasPrefix(n, `joint "j1": 2 <origin> elements`) }) {
		t.Errorf("no note of two origins: %q", said.Notes)
	}
	for _, n := range append(said.Notes, project.NoteTexts(r)...) {
		if strings.HasPrefix(n, "{") || strings.Contains(n, "%!") {
			t.Errorf("no sentence: %s", n)
		}
	}
}
