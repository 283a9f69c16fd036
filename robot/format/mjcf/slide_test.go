package mjcf_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/internal/mujocotest"
	"ident/mechanics/loops"
	"ident/robot"
	"ident/robot/format/mjcf"
)

// slides are mechanisms whose loop is cut at a slide: between the base and a link, either way round, and between two links.
func slides() map[string]string {
	foot := func(at string) string {
		return `<body name="foot" pos="` + at + `" euler="0 0 20">` + stubMass + `<joint name="d" type="slide" axis="0.8 0.6 0"/></body>`
	}
	coupler := strings.Replace(stub, `name="d"`, `name="d" type="slide" axis="0.6 0.8 0"`, 1)
	return map[string]string{
		"foot held by the base": held(foot("-0.05 -0.35 0"), `<weld body1="foot"/>`),
		"foot on the base": strings.Replace(held("", `<weld body1="rocker" body2="foot"/>`), "</worldbody>",
			foot("0.5 0 0")+"</worldbody>", 1),
		"between links": strings.Replace(fourBar(coupler, "", `<weld body1="rocker" body2="stub"/>`), `<body name="rocker" pos="0.5 0 0">`, `<body name="rocker" pos="0.5 0 0" euler="0 0 10">`, 1),
	}
}

// A loop that is cut at a slide is written with a weld, and read again it is the same mechanism.
func TestSlideIsWritten(t *testing.T) {
	opt := robot.ReadOptions{Loops: true, NoSnap: true}
	rng := rand.New(rand.NewPCG(21, 13))
	for name, text := range slides() {
		t.Run(name, func(t *testing.T) {
			r := readMJCF(t, text, opt)
			if len(r.Loops) != 1 || r.Extra[r.Loops[0].Frame].Kind != robot.Prismatic || len(r.JointNames()) != 3 {
				t.Fatalf("%d loops, joints %v", len(r.Loops), r.JointNames())
			}
			back := readMJCF(t, written(t, r), opt)
			again := readMJCF(t, written(t, back), opt) // a link that was divided before
			_, m := closedState(t, r, rng)
			want, values := parameters(t, r)
			drive := torqueAt(t, r, m, m.Q)
			for kind, got := range map[string]*robot.Robot{"written": back, "written twice": again} {
				if k := got.Extra[got.Loops[0].Frame].Kind; k != robot.Prismatic || len(got.JointNames()) != 3 {
					t.Fatalf("%s: the cut is %v, joints %v", kind, k, got.JointNames())
				}
				names, v := parameters(t, got)
				if !slices.Equal(names, want) {
					t.Fatalf("%s: base parameters %v, want %v", kind, names, want)
				}
				// As in TestWeldIsConnect.
				alike(t, kind, v, values, 1e-12)
				c, err := loops.NewClosure(got)
				if err != nil {
					t.Fatal(err)
				}
				state, err := c.Close(slices.Clone(m.Q), []int{0, 1, 2})
				if err != nil {
					t.Fatal(err)
				}
				own, err := c.Motion(state)
				if err != nil {
					t.Fatal(err)
				}
				alike(t, kind, state[3:], m.Q[3:], 1e-10)
				alike(t, kind, torqueAt(t, got, own, state), drive, 1e-10)
			}
		})
	}
}

func written(t *testing.T, r *robot.Robot) string {
	t.Helper()
	var b bytes.Buffer
	if err := mjcf.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// MuJoCo finds the written welds closed where our loops are, and its torques of the tree, along the motion of the loop, are ours.
func TestMuJoCoSlide(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 14))
	var questions []mujocotest.Question
	var names []string
	var want [][]float64
	var along [][][]float64
	for _, name := range slices.Sorted(maps.Keys(slides())) {
		r := readMJCF(t, slides()[name], robot.ReadOptions{Loops: true, NoSnap: true})
		text := written(t, r)
		tree := readMJCF(t, text, robot.ReadOptions{TreeOnly: true, NoSnap: true})
		q := mujocotest.Question{Model: text, Equalities: true}
		var torque []float64
		var motions [][]float64
		for range 20 {
			c, m := closedState(t, r, rng)
			var at []int
			for _, joint := range tree.JointNames() {
				at = append(at, slices.Index(c.Joints(), joint))
			}
			rate, acceleration := rng.NormFloat64(), rng.NormFloat64()
			slope, curve := slideAlong(t, c, m)
			rates := append(m.Rates([]float64{rate})[:3:3], slope*rate)
			accelerations := append(m.Accelerations([]float64{rate}, []float64{acceleration})[:3:3], slope*acceleration+curve*rate*rate)
			q.States = append(q.States, ordered(mujocotest.State{Q: m.Q, DQ: rates, DDQ: accelerations}, at))
			sum := 0.0
			for k, v := range torques(t, r.Cut(), mujocotest.State{Q: m.Q[:3], DQ: rates[:3], DDQ: accelerations[:3]}) {
				sum += m.G.At(k, 0) * v
			}
			var free []float64
			for _, k := range at {
				if k == 3 {
					free = append(free, slope)
				} else {
					free = append(free, m.G.At(k, 0))
				}
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
			for _, v := range gap[:6] { // the rate of the slide is known to 1e-8 only
				if open = max(open, abs(v)); abs(v) > 1e-9 {
					t.Fatalf("%s, state %d: MuJoCo's weld is open by %v", names[k], i+1, gap)
				}
			}
			sum, most := 0.0, 1.0
			for j, v := range a.Torques[i] {
				sum += along[k][i][j] * v
				most = max(most, abs(v))
			}
			// The derivatives of the slide are differences over 2e-3 of fourth order: 1e-11 of the state's rounding over the step for
			// the first, and 1e-7 for the second.
			if off = max(off, abs(sum-want[k][i])/most); abs(sum-want[k][i]) > 1e-6*most {
				t.Errorf("%s, state %d: torque along the motion %.14g, ours %.14g", names[k], i+1, sum, want[k][i])
			}
		}
	}
	t.Logf("%d slides: open by %.1e, torques agree to %.1e", len(questions), open, off)
}

// slideAlong are the first two derivatives of the slide of a loop by the driven joint.
func slideAlong(t *testing.T, c *loops.Closure, m *loops.Motion) (slope, curve float64) {
	t.Helper()
	const h = 1e-3
	at := func(step float64) float64 {
		near := slices.Clone(m.Q)
		for k := range 3 {
			near[k] += step * m.G.At(k, 0)
		}
		near[0] = m.Q[0] + step
		state, err := c.Close(near, []int{0})
		if err != nil {
			t.Fatal(err)
		}
		return state[3]
	}
	a, b, d, e, mid := at(-2*h), at(-h), at(h), at(2*h), at(0)
	return (a - 8*b + 8*d - e) / (12 * h), (-a + 16*b - 30*mid + 16*d - e) / (12 * h * h)
}
