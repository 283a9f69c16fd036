package mjcf_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/baseparams"
	"ident/internal/mujocotest"
	"ident/mechanics/loops"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/mjcf"
)

// fourBar is a mechanism whose last pin is closed by an equality; pin is inside the coupler, bolt inside the rocker.
func fourBar(pin, bolt, equality string) string {
	return `<mujoco model="fourbar"><option gravity="0.5 -9.7 0.3"/><default><joint axis="0 0 1"/></default><worldbody>
    <body name="crank"><inertial pos="0.1 0 0" mass="1" diaginertia="0.01 0.02 0.02"/><joint name="a" damping="0.1" armature="0.02"/>
      <body name="coupler" pos="0 0.2 0"><inertial pos="0.3 0.1 0.02" mass="2" diaginertia="0.02 0.05 0.05"/><joint name="b"/><site name="eye" pos="0.55 0.15 0"/>` + pin + `</body></body>
    <body name="rocker" pos="0.5 0 0"><inertial pos="0 0.2 0" mass="1.5" diaginertia="0.03 0.01 0.03"/><joint name="c" damping="0.2"/><site name="hole" pos="0.05 0.35 0" euler="0 0 20"/>` + bolt + `</body></worldbody>
    <equality>` + equality + `</equality><actuator><motor joint="a"/></actuator></mujoco>`
}

const (
	stubMass  = `<inertial pos="0.02 0.01 0.03" mass="0.4" diaginertia="0.001 0.002 0.002"/>`
	stub      = `<body name="stub" pos="0.55 0.15 0" euler="0 0 20">` + stubMass + `<joint name="d"/><site name="peg"/></body>`
	bolt      = `<body name="stub" pos="0.05 0.35 0" euler="0 0 20">` + stubMass + `</body>`
	stubOnTip = `<body name="stub" pos="0.55 0.15 0" euler="0 0 20">` + stubMass + `<joint name="d"/><body name="tip" pos="0 0 0.1" euler="30 0 0"/></body>`
	// An arm of three links whose last pin the world holds.
	arm = `<mujoco model="held"><option gravity="0.5 -9.7 0.3"/><default><joint axis="0 0 1"/></default><worldbody>
    <body name="crank"><inertial pos="0.1 0 0" mass="1" diaginertia="0.01 0.02 0.02"/><joint name="a"/>
      <body name="coupler" pos="0 0.2 0"><inertial pos="0.3 0.1 0.02" mass="2" diaginertia="0.02 0.05 0.05"/><joint name="b"/>
        <body name="rocker" pos="0.55 0.15 0"><inertial pos="0 -0.2 0" mass="1.5" diaginertia="0.03 0.01 0.03"/><joint name="c"/>FOOT</body></body></body></worldbody>
    <equality>EQUALITY</equality><actuator><motor joint="a"/></actuator></mujoco>`
)

func held(foot, equality string) string {
	return strings.NewReplacer("FOOT", foot, "EQUALITY", equality).Replace(arm)
}

// welds are mechanisms closed by a weld, each with the same one closed by a connect.
var welds = map[string][2]string{
	"at the reference":   {fourBar(stub, "", `<weld body1="rocker" body2="stub"/>`), pinned},
	"the other way":      {fourBar(stub, "", `<weld body1="stub" body2="rocker"/>`), pinned},
	"relpose":            {fourBar(strings.Replace(stub, "0 0 20", "0 0 -70", 1), "", `<weld body1="rocker" body2="stub" relpose="0.30565233413457105 2.571405384897486 3 0.984807753012208 0 0 0.17364817766693033" anchor="1 2 3"/>`), pinned},
	"relpose, inverse":   {fourBar(strings.Replace(stub, "0 0 20", "0 0 -70", 1), "", `<weld body1="stub" body2="rocker" relpose="-0.16669168120327948 -0.3117914101087845 0 0.984807753012208 0 0 -0.17364817766693033"/>`), pinned},
	"sites":              {fourBar(stub, "", `<weld site1="hole" site2="peg"/>`), pinned},
	"a body on the stub": {fourBar(stubOnTip, "", `<weld name="w" body1="rocker" body2="tip"/>`), pinned},
	"the world":          {held(`<body name="foot" pos="-0.05 -0.35 0">`+stubMass+`<joint name="d"/></body>`, `<weld body1="foot"/>`), held("", `<connect body1="rocker" anchor="-0.05 -0.35 0"/>`)},
	"on the world":       {held(`<body name="foot" pos="-0.05 -0.35 0">`+stubMass+`<joint name="d"/></body>`, `<weld body1="world" body2="foot" relpose="0.5 0 0 1 0 0 0"/>`), held("", `<connect body1="rocker" anchor="-0.05 -0.35 0"/>`)},
	"a ball":             {fourBar(strings.Replace(stub, `<joint name="d"/>`, `<joint name="d" type="ball"/>`, 1), "", `<weld body1="rocker" body2="stub"/>`), pinned},
}

var pinned = fourBar("", bolt, `<connect body1="rocker" body2="coupler" anchor="0.05 0.35 0"/>`)

// closedState is a random closed state of a robot with one loop.
func closedState(t *testing.T, r *robot.Robot, rng *rand.Rand) (*loops.Closure, *loops.Motion) {
	t.Helper()
	c, err := loops.NewClosure(r)
	if err != nil {
		t.Fatal(err)
	}
	m, err := c.Assemble(rng)
	if err != nil {
		t.Fatal(err)
	}
	return c, m
}

// A loop closed by a weld is the loop closed by a connect at the cut joint: the same base parameters of the same values, and the same
// torques of the drive; and so it is once written and read again.
func TestWeldIsConnect(t *testing.T) {
	opt := robot.ReadOptions{Loops: true, NoSnap: true}
	rng := rand.New(rand.NewPCG(21, 11))
	for _, name := range slices.Sorted(maps.Keys(welds)) {
		pair := welds[name]
		t.Run(name, func(t *testing.T) {
			welded := readMJCF(t, pair[0], opt)
			var b bytes.Buffer
			if err := mjcf.Write(&b, welded); err != nil {
				t.Fatal(err)
			}
			connected := readMJCF(t, pair[1], opt)
			_, m := closedState(t, connected, rng)
			want, values := parameters(t, connected)
			drive := torqueAt(t, connected, m, m.Q)
			for kind, r := range map[string]*robot.Robot{"welded": welded, "written again": readMJCF(t, b.String(), opt)} {
				if kind == "welded" && len(r.Loops) != 1 || len(r.JointNames()) != 3 { // a cut joint is written as two points of its axis
					t.Fatalf("%s: %d loops, joints %v", kind, len(r.Loops), r.JointNames())
				}
				got, v := parameters(t, r)
				if !slices.Equal(got, want) {
					t.Errorf("%s: base parameters %v, want %v", kind, got, want)
					continue
				}
				// Rows of pivoted QR with condition numbers below 1e3.
				alike(t, kind, v, values, 1e-12)
				c, err := loops.NewClosure(r)
				if err != nil {
					t.Fatal(err)
				}
				near := append(slices.Clone(m.Q[:3]), make([]float64, c.Cuts())...)
				state, err := c.Close(near, []int{0, 1, 2})
				if err != nil { // the cut joint's coordinate is free to follow
					t.Fatalf("%s: %v", kind, err)
				}
				own, err := c.Motion(state)
				if err != nil {
					t.Fatal(err)
				}
				// Newton's last step leaves 1e-12 of a state whose torques change no faster than a hundred times that.
				alike(t, kind, torqueAt(t, r, own, state), drive, 1e-10)
			}
		})
	}
}

// parameters are the names and the values of the base parameters.
func parameters(t *testing.T, r *robot.Robot) ([]string, []float64) {
	t.Helper()
	full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(full, baseparams.Options{})
	var names []string
	chi := make([]float64, len(full.Columns()))
	for c, col := range full.Columns() {
		chi[c], _ = regressor.ValueOf(r, col)
	}
	for k := range set.Count() {
		names = append(names, set.Name(k))
	}
	return names, set.FromStandard(chi)
}

// torqueAt is the torque of joint a at a closed state, for a rate of 2 rad/s and an acceleration of 3 rad/s².
func torqueAt(t *testing.T, r *robot.Robot, m *loops.Motion, q []float64) []float64 {
	t.Helper()
	cut := r.Cut()
	tau := torques(t, cut, mujocotest.State{Q: q[:3], DQ: m.Rates([]float64{2}), DDQ: m.Accelerations([]float64{2}, []float64{3})})
	sum := 0.0
	for k, v := range tau {
		sum += m.G.At(k, 0) * v
	}
	return []float64{sum}
}

// MuJoCo finds its own welds closed where ours are, at rest and in motion, and its torques of the tree, along the motion of the loop, are ours.
func TestMuJoCoWeld(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 12))
	var questions []mujocotest.Question
	var names []string
	var want [][]float64
	var along [][][]float64 // by state, the motion of MuJoCo's coordinates
	for _, name := range slices.Sorted(maps.Keys(welds)) {
		pair := welds[name]
		if name == "a ball" {
			continue // its coordinates are quaternions
		}
		r := readMJCF(t, pair[0], robot.ReadOptions{Loops: true, NoSnap: true})
		tree := readMJCF(t, pair[0], robot.ReadOptions{TreeOnly: true, NoSnap: true})
		q := mujocotest.Question{Model: pair[0], Equalities: true}
		var torque []float64
		var motions [][]float64
		for range 20 {
			c, m := closedState(t, r, rng)
			var at []int
			for _, joint := range tree.JointNames() {
				at = append(at, slices.Index(c.Joints(), joint))
			}
			rates, accelerations := m.FreeMotion([]float64{rng.NormFloat64()}, []float64{rng.NormFloat64()})
			// All axes are parallel: the angles of a chain from the world to the world add up, and so the cut joint's derivatives follow.
			sign := 1.0
			if strings.Contains(name, "world") {
				sign = -1
			}
			of := func(v []float64) []float64 { return append(slices.Clone(v[:3]), sign*v[2]-v[0]-v[1]) }
			q.States = append(q.States, ordered(mujocotest.State{Q: m.Q, DQ: of(rates), DDQ: of(accelerations)}, at))
			var free []float64
			sum := 0.0
			for k, v := range torques(t, r.Cut(), mujocotest.State{Q: m.Q[:3], DQ: rates[:3], DDQ: accelerations[:3]}) {
				sum += m.FreeRate(k, 0) * v
			}
			for _, k := range at {
				free = append(free, m.FreeRate(k, 0))
			}
			torque, motions = append(torque, sum), append(motions, free)
		}
		questions, names, want, along = append(questions, q), append(names, name), append(want, torque), append(along, motions)
	}
	open, off := 0.0, 0.0
	for k, a := range mujocotest.Inverse(t, questions) {
		if a.Error != "" {
			t.Errorf("%s: MuJoCo: %s", names[k], a.Error)
			continue
		}
		for i, gap := range a.Gaps {
			if len(gap) != 12 {
				t.Fatalf("%s: %d values of a weld, want six of place and six of rate", names[k], len(gap))
			}
			for _, v := range gap {
				// Our Newton's iterations end below 1e-12 of the mechanism's size.
				if open = max(open, abs(v)); abs(v) > 1e-9 {
					t.Fatalf("%s, state %d: MuJoCo's weld is open by %v", names[k], i+1, gap)
				}
			}
			sum, most := 0.0, 1.0
			for j, v := range a.Torques[i] {
				sum += along[k][i][j] * v
				most = max(most, abs(v))
			}
			if off = max(off, abs(sum-want[k][i])/most); abs(sum-want[k][i]) > 1e-10*most {
				t.Errorf("%s, state %d: torque along the motion %.14g, ours %.14g", names[k], i+1, sum, want[k][i])
			}
		}
	}
	t.Logf("%d welds: open by %.1e, torques agree to %.1e", len(questions), open, off)
}

// Welds that close no loop, and those that cannot be cut.
func TestWeldsWithoutLoops(t *testing.T) {
	carried := `<body name="part" pos="0 0 1">` + stubMass + `<freejoint name="loose"/></body>`
	hand := func(equality, more string) string {
		return `<mujoco><worldbody><body name="arm"><inertial pos="0.1 0 0" mass="1" diaginertia="0.01 0.02 0.02"/><joint name="a" axis="0 1 0"/><body name="hand" pos="0.3 0 0"/></body>` +
			more + `</worldbody><equality>` + equality + `</equality></mujoco>`
	}
	r := readMJCF(t, hand(`<weld body1="hand" body2="part" relpose="0 0 0.1 1 0 0 0"/>`, carried), robot.ReadOptions{NoSnap: true})
	if got := strings.Join(r.JointNames(), " "); got != "a" || len(r.Loops) != 0 || abs(r.Links[0].Inertial.Mass()-1.4) > 1e-15 {
		t.Errorf("a part in a hand: joints %s, %d loops, %g kg", got, len(r.Loops), r.Links[0].Inertial.Mass())
	}
	if len(r.Notes) == 0 || !strings.Contains(fmt.Sprint(r.Notes), `so its free joint "loose" is left out`) {
		t.Errorf("notes %v", r.Notes)
	}
	r = readMJCF(t, hand(`<weld body1="arm" body2="hand"/>`, ""), robot.ReadOptions{NoSnap: true})
	if !strings.Contains(fmt.Sprint(r.Notes), "are fixed to each other already") {
		t.Errorf("notes %v", r.Notes)
	}
	for text, part := range map[string]string{
		hand(`<weld body1="arm" body2="hand" relpose="0 0 1 1 0 0 0"/>`, ""):                                                              "fixed to each other already, in another pose",
		hand(`<weld body1="arm" body2="leg"/>`, ""):                                                                                       `no body "leg" (body2)`,
		hand(`<weld body1="arm" body2="hand" relpose="1 2"/>`, ""):                                                                        "relpose has 2 numbers",
		hand(`<weld site1="x" site2="y"/>`, ""):                                                                                           `sites "x" and "y"`,
		hand(`<weld body1="arm" relpose="0 1 0 1 0 0 0"/>`, ""):                                                                           `no position of joint "a" holds body "arm" so on the world`,
		fourBar(strings.Replace(stub, `<joint name="d"/>`, `<joint name="d"/><joint name="e"/>`, 1), "", `<weld body1="stub"/>`):          `cannot be cut at either body: the world has no joint, and body "stub" has 2 joints`,
		fourBar(stub, "", `<weld body1="crank" body2="world"/>`):                                                                          `joint "a" of body "crank" has a drive`,
		fourBar(stub, "", `<weld body1="rocker" body2="stub"/><joint joint1="d" joint2="b"/><joint joint1="c" joint2="a"/>`) + "<!-- -->": `tied to another`,
	} {
		_, err := format.Read([]byte(text), "", "arm.xml", robot.ReadOptions{Loops: true, NoSnap: true})
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v\nwant %s", err, part)
		}
	}
	if _, err := format.Read([]byte(welds["sites"][0]), "", "arm.xml", robot.ReadOptions{}); err == nil || !strings.Contains(err.Error(), `weld of body "stub"`) {
		t.Errorf("a loop where none is wanted: %v", err)
	}
}

// The user's weld stays where identified parameters go into the file.
func TestReplaceKeepsWeld(t *testing.T) {
	text := welds["sites"][0]
	p := robot.InertialFromCentral(2.5, [3]float64{0.1, 0.2, -0.1}, [3][3]float64{{0.06}, {0, 0.05}, {0, 0, 0.04}})
	out, err := mjcf.Replace([]byte(text), map[string]robot.Inertial{"rocker": p, "stub": p}, map[string]robot.Joint{"c": {Fv: 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	r := readMJCF(t, string(out), robot.ReadOptions{Loops: true, NoSnap: true})
	if !strings.Contains(string(out), `<weld site1="hole" site2="peg"/>`) || len(r.Loops) != 1 || abs(r.Links[2].Inertial.Mass()-5) > 1e-14 {
		t.Errorf("%s", out)
	}
}
