package project

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/datasets"
	"ident/doctor"
	"ident/identify/regression"
	"ident/internal/spatial"
	"ident/internal/swaytest"
	"ident/internal/testrobot"
	"ident/observation/feet"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
)

// clamped returns the quadruped with frames at its feet, its base taken to be fixed.
func clamped(t *testing.T) *robot.Robot {
	t.Helper()
	urdf := testrobot.QuadrupedURDF(nil)
	from, to := strings.Index(urdf, `<link name="world"/>`), strings.Index(urdf, `<link name="trunk">`)
	urdf = urdf[:from] + urdf[to:]
	for _, leg := range testrobot.QuadrupedLegs {
		urdf = strings.Replace(urdf, "</robot>", `<link name="`+leg+`_foot"/><joint name="`+leg+`_end" type="fixed"><parent link="`+leg+`_calf"/><child link="`+leg+`_foot"/><origin xyz="0 0 -0.2"/></joint></robot>`, 1)
	}
	r, err := format.Read([]byte(urdf), "urdf", "dog.urdf", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Legs that stand, and a base that moves, are told from positions and a gyroscope; a hung robot whose legs move, in step or
// not, a sensor on a leg, and one that is noisy and biased are not.
func TestBaseFindings(t *testing.T) {
	r := clamped(t)
	const seconds, dt = 10, 0.005
	afloat := testrobot.Quadruped(t, nil)
	var soles []regressor.Foot
	for j := range afloat.Links {
		if strings.HasSuffix(afloat.Links[j].Name, "_calf") {
			soles = append(soles, regressor.Foot{Link: j, Centre: testrobot.QuadrupedFoot, Radius: testrobot.QuadrupedRadius})
		}
	}
	m, err := regressor.NewDynamic(afloat, []regressor.Term{regressor.Links})
	if err != nil {
		t.Fatal(err)
	}
	chi := make([]float64, len(m.Columns()))
	for c, col := range m.Columns() {
		chi[c], _ = regressor.ValueOf(afloat, col)
	}
	sway := swaytest.New(t, afloat, soles, m, chi, 3, swaytest.Options{DT: dt, Seconds: seconds, Start: []float64{0, 0.9, -1.7, 0, 0.9, -1.7, 0, 0.9, -1.7, 0, 0.9, -1.7}})
	count := len(sway.Q[0])
	hung := func(phase func(k int) float64) [][]float64 {
		out := make([][]float64, 12)
		for k := range out {
			for i := range count {
				out[k] = append(out[k], []float64{0, 0.9, -1.7}[k%3]+0.2*math.Sin(2*math.Pi*0.7*dt*float64(i)+phase(k)))
			}
		}
		return out
	}
	together, free := hung(func(k int) float64 { return float64(k % 3) }), hung(func(k int) float64 { return 2 * float64(k*k) })
	trot := hung(func(k int) float64 { return math.Pi * float64((k/3+1)/2%2) })
	quiet := func(i int) spatial.Vec { return spatial.Vec{} }
	swings := func(i int) spatial.Vec {
		return spatial.Vec{0.4 * math.Sin(5*dt*float64(i)), 0.3 * math.Cos(4*dt*float64(i)), 0}
	}
	for _, c := range []struct {
		name string
		q    [][]float64
		gyro func(i int) spatial.Vec
		want []string
	}{
		{"sway", sway.Q, func(i int) spatial.Vec {
			return spatial.Vec{sway.Base.Rate[0][i], sway.Base.Rate[1][i], sway.Base.Rate[2][i]}
		}, []string{feet.LegsStand, feet.BaseMoves}},
		{"hung, in step", together, quiet, nil},
		{"hung, trot in the air", trot, quiet, nil},
		{"hung, each its own way", free, quiet, nil},
		{"on a rope", free, swings, []string{feet.BaseMoves}},
		{"sensor on a thigh", free, func(i int) spatial.Vec {
			k := max(1, min(i, count-2))
			rate := func(joint int) float64 { return (free[joint][k+1] - free[joint][k-1]) / (2 * dt) }
			return spatial.Vec{rate(0), rate(1), 0}
		}, nil},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		channels, cols := []datasets.Channel{{Name: "t"}}, [][]float64{make([]float64, count)}
		var run regression.Run
		for k, j := range JointNames(r) {
			channels, cols = append(channels, datasets.Channel{Name: "q_" + j}), append(cols, make([]float64, count))
			run.Roles.Q = append(run.Roles.Q, "q_"+j)
			torque := make([]float64, count) // of a hung robot: what its legs need, near zero
			if c.name == "sway" {
				torque = sway.Torque[k]
			}
			channels, cols = append(channels, datasets.Channel{Name: "tau_" + j}), append(cols, torque)
			run.Roles.Tau = append(run.Roles.Tau, "tau_"+j)
			for i := range count {
				cols[0][i], cols[1+2*k][i] = dt*float64(i), c.q[k][i]+1e-4*rng.NormFloat64()
			}
		}
		for k, axis := range []string{"x", "y", "z"} {
			x := make([]float64, count)
			for i := range x {
				x[i] = c.gyro(i)[k] + 0.02 + 0.02*rng.NormFloat64()
			}
			channels, cols = append(channels, datasets.Channel{Name: "imu_w" + axis}, datasets.Channel{Name: "imu_a" + axis}), append(cols, x, make([]float64, count))
		}
		run.Log, run.Roles.T, run.Last = datasets.FromColumns(c.name, channels, cols, nil), "t", count
		var found []string
		for _, f := range baseFindings(r, &run) {
			found = append(found, f.ID)
			if len([]rune(f.Why)) > 200 || f.Severity != doctor.Error {
				t.Errorf("%s: %+v", c.name, f)
			}
		}
		if !slices.Equal(found, c.want) {
			t.Errorf("%s: found %q, want %q", c.name, found, c.want)
		}
	}
	symptom := []doctor.Finding{{ID: doctor.TorqueKind}, {ID: doctor.Spike}}
	if left := withBase([]doctor.Finding{{ID: feet.LegsStand, Severity: doctor.Error}}, symptom); len(left) != 2 || left[1].ID != doctor.Spike {
		t.Errorf("beside legs that stand: %+v", left)
	}
}

// The stance of a log is told by channels, one a foot, or by the torques.
func TestSensedStance(t *testing.T) {
	for _, c := range []struct {
		text   []string
		sensed bool
		least  float64
		bad    bool
	}{{nil, false, 0, false}, {[]string{"a", "b"}, false, 0, false}, {[]string{"auto"}, true, 0, false}, {[]string{"force>20"}, true, 20, false}, {[]string{"force>"}, false, 0, true}, {[]string{"force>-3"}, false, 0, true}} {
		s := &Settings{Standing: c.text}
		if sensed, least, err := s.SensedStance(); sensed != c.sensed || least != c.least || (err != nil) != c.bad {
			t.Errorf("%q: %t from %g N, %v", c.text, sensed, least, err)
		}
	}
}
