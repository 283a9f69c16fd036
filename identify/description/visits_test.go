package description

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/kinematics"
	"ident/robot"
)

// visitingArm is a random arm of six joints with limits of ±2.5 rad.
func visitingArm(rng *rand.Rand) *robot.Robot {
	r := testrobot.Random(rng, 6, false)
	for j := range r.Links {
		l := &r.Links[j].Joint
		l.Kind, l.Lower, l.Upper = robot.Revolute, -2.5, 2.5
		r.Links[j].Antecedent = j - 1
	}
	return r
}

// writtenPoses is the pose of the last link at a state, as text.
func writtenPoses(t *testing.T, r *robot.Robot, q []float64) string {
	t.Helper()
	tree, err := kinematics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	p := tree.NewPose()
	p.Place(q)
	f := p.Frame(5).Mul(r.Links[5].UserFrame)
	var out []string
	for i := range 3 {
		out = append(out, fmt.Sprintf("%.17g %.17g %.17g %.17g", f.R[i][0], f.R[i][1], f.R[i][2], f.P[i]))
	}
	return strings.Join(out, " ")
}

// StatesOfPoses reach their poses, keep the limits with the margin, and are no farther from the one before than the state that
// the pose was made from.
func TestStatesOfPoses(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 1))
	for range 5 {
		r := visitingArm(rng)
		var poses []Pose
		var made [][]float64
		for k := range 4 {
			q := make([]float64, 6)
			for i := range q {
				q[i] = 2 * (2*rng.Float64() - 1)
			}
			made, poses = append(made, q), append(poses, Pose{fmt.Sprintf("pose %d", k+1), writtenPoses(t, r, q)})
		}
		got, err := StatesOfPoses(t.Context(), r, Tip{}, poses, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		for k, q := range got {
			// Twelve entries of lengths near one, to the solver's residual of 1e-9 and its digits.
			a, b := strings.Fields(writtenPoses(t, r, q)), strings.Fields(poses[k].Text)
			for i := range a {
				var x, y float64
				fmt.Sscan(a[i], &x)
				fmt.Sscan(b[i], &y)
				if math.Abs(x-y) > 1e-7 {
					t.Errorf("pose %d: entry %d is %g, want %g", k+1, i+1, x, y)
				}
			}
			far, could := 0.0, 0.0
			for i := range q {
				if math.Abs(q[i]) > 0.9*2.5 {
					t.Errorf("pose %d: joint %d at %g", k+1, i+1, q[i])
				}
				from := 0.0
				if k > 0 {
					from = got[k-1][i]
				}
				far, could = math.Max(far, math.Abs(q[i]-from)), math.Max(could, math.Abs(made[k][i]-from))
			}
			if far > could+1e-6 {
				t.Errorf("pose %d is %g away, its own state %g", k+1, far, could)
			}
		}
	}
}

// A pose that is out of reach, or beyond limits, or no pose, is named.
func TestUnreachablePose(t *testing.T) {
	long.Only(t, "searches poses that are out of reach")
	rng := rand.New(rand.NewPCG(71, 2))
	r := visitingArm(rng)
	here := writtenPoses(t, r, []float64{0.3, 0.4, -0.5, 0.6, 0.7, -0.2})
	for why, text := range map[string]string{"out of reach; the nearest state is": "90,0,0", "is not a number": "here", "2 numbers": "1,2"} {
		_, err := StatesOfPoses(t.Context(), r, Tip{}, []Pose{{"pose 1", here}, {"pose 2 (p.txt, line 7)", text}}, 0)
		bad := new(UnreachableError)
		if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), "pose 2 (p.txt, line 7), "+text) || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for j := range r.Links {
		r.Links[j].Joint.Lower, r.Links[j].Joint.Upper = 0.1, 0.2
	}
	if _, err := StatesOfPoses(t.Context(), r, Tip{}, []Pose{{"pose 1", here}}, 0); err == nil || !strings.Contains(err.Error(), "beyond the limits of joints") {
		t.Errorf("narrow limits: %v", err)
	}
}

// Any text has states within the limits, or an error.
func FuzzReadPoses(f *testing.F) {
	f.Add("# m\n0.4 0.5 0\n0.3,0.6,0 # tray\n")
	f.Add("0.2,0.1,0,0,0,1.2\n1 0 0 0.4 0 1 0 0.5 0 0 1 0\n")
	f.Add("1e308,nan,-inf\n\x00\n,,,\n")
	r := robot.FromMDH("arm", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.5}})
	for j := range r.Links {
		r.Links[j].Joint.Lower, r.Links[j].Joint.Upper = -2, 2
	}
	f.Fuzz(func(t *testing.T, text string) {
		poses, err := parsePoses("fuzz", text)
		if err != nil {
			return
		}
		states, err := StatesOfPoses(t.Context(), r, Tip{At: &[3]float64{0.4, 0, 0}}, poses[:min(len(poses), 2)], 0.1)
		if err != nil {
			return
		}
		for _, q := range states {
			for _, v := range q {
				if !(math.Abs(v) <= 1.8) {
					t.Fatalf("state %v beyond the limits", q)
				}
			}
		}
	})
}
