//go:build unix

package plant

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"ident/robot"
	"ident/simulate/servo"
)

// Simulated seconds a CPU second of seven joints at 1 kHz under a law, beside MuJoCo's WebAssembly build
// under node in the same run, on the same robot. IDENT_MUJOCO names a folder in which
// npm install @mujoco/mujoco has run. The two move the arm alike: MuJoCo's Euler steps of 1 ms are of first
// order and its Coulomb friction gives way before it breaks loose, so that its positions lag by some
// milliradians; a wrong mass or frame moves them by tenths.
func TestSpeedBesideMuJoCo(t *testing.T) {
	folder := os.Getenv("IDENT_MUJOCO")
	if folder == "" {
		t.Skip("IDENT_MUJOCO names no folder with @mujoco/mujoco in node_modules")
	}
	r := sevenJoints()
	model := filepath.Join(t.TempDir(), "arm.xml")
	if err := os.WriteFile(model, []byte(mjcf(r)), 0o644); err != nil {
		t.Fatal(err)
	}
	const seconds = 10
	out, err := exec.Command("node", "testdata/mujoco.mjs", folder, model, fmt.Sprint(seconds)).Output()
	if err != nil {
		if e, ok := err.(*exec.ExitError); ok {
			t.Fatalf("node: %s", e.Stderr)
		}
		t.Skipf("node: %v", err)
	}
	var theirs struct {
		Seconds float64
		Q       []float64
		Version string
	}
	if err := json.Unmarshal(out, &theirs); err != nil {
		t.Fatal(err)
	}
	m, err := NewModel(r)
	if err != nil {
		t.Fatal(err)
	}
	law := &compensated{servo.PD(slices.Repeat([]float64{400}, 7), slices.Repeat([]float64{40}, 7), slices.Repeat([]float64{1}, 7)), m, make([]float64, 7), make([]float64, 7)}
	t.Logf("MuJoCo %s, WebAssembly: %.1f simulated seconds a CPU second", theirs.Version, seconds/theirs.Seconds)
	for _, tolerance := range []float64{1e-6, 1e-10} {
		p := newPlant(t, r, Options{Tolerance: tolerance})
		var q []float64
		before := cpu(t)
		err := p.Follow(context.Background(), swing{}, Control{Law: law, Period: 1e-3}, Run{Every: 1, Samples: seconds*1000 + 1}, func(row Row) error {
			if row.Time >= seconds-1e-9 {
				q = slices.Clone(row.Q)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("plant, tolerance %g: %.1f simulated seconds a CPU second", tolerance, seconds/(cpu(t)-before))
		for i := range q {
			if math.Abs(q[i]-theirs.Q[i]) > 0.02 {
				t.Errorf("joint %d after %d s: %.4f rad, MuJoCo %.4f", i+1, seconds, q[i], theirs.Q[i])
			}
		}
	}
}

// compensated adds the torques of gravity, Coriolis and centrifugal forces in the measured motion to a law,
// MuJoCo's bias.
type compensated struct {
	servo.Controller
	model      *Model
	zero, bias []float64
}

func (c *compensated) Fresh() servo.Law { return c }

func (c *compensated) Torque(at servo.Sample, tau []float64) {
	c.Controller.Torque(at, tau)
	c.model.InverseDynamics(c.bias, at.Q, at.DQ, c.zero)
	for i, v := range c.bias {
		tau[i] += v
	}
}

// cpu is the CPU time of this process so far, s.
func cpu(t *testing.T) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Skip(err)
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

// mjcf writes a chain of revolute joints for MuJoCo.
func mjcf(r *robot.Robot) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<mujoco><compiler angle="radian"/><option timestep="0.001" gravity="%g %g %g" integrator="Euler"><flag contact="disable"/></option><worldbody>`, r.Gravity[0], r.Gravity[1], r.Gravity[2])
	for j := range r.Links {
		l := &r.Links[j]
		p, m := l.Placement, l.Inertial.Mass()
		x, y := column(p.R, 0), column(p.R, 1)
		fmt.Fprintf(&b, `<body pos="%g %g %g" xyaxes="%g %g %g %g %g %g">`, p.P[0], p.P[1], p.P[2], x[0], x[1], x[2], y[0], y[1], y[2])
		c, i := l.Inertial.FirstMoments(), l.Inertial.Origin()
		for k := range c {
			c[k] /= m
		}
		// About the mass centre: Steiner's part out.
		central := func(a, b int) float64 {
			v := i[a][b] + m*c[a]*c[b]
			if a == b {
				v -= m * (c[0]*c[0] + c[1]*c[1] + c[2]*c[2])
			}
			return v
		}
		fmt.Fprintf(&b, `<inertial mass="%g" pos="%g %g %g" fullinertia="%g %g %g %g %g %g"/>`, m, c[0], c[1], c[2], central(0, 0), central(1, 1), central(2, 2), central(0, 1), central(0, 2), central(1, 2))
		n := &l.Joint
		fmt.Fprintf(&b, `<joint type="hinge" axis="0 0 1" damping="%g" frictionloss="%g" armature="%g"/>`, n.Fv, n.Fs, n.Ia)
	}
	b.WriteString(strings.Repeat("</body>", len(r.Links)) + "</worldbody></mujoco>")
	return b.String()
}

func column(r [3][3]float64, k int) [3]float64 { return [3]float64{r[0][k], r[1][k], r[2][k]} }
