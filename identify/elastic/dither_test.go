package elastic

import (
	"errors"
	"math"
	"strings"
	"testing"

	"ident/excite"
	"ident/robot"
	"ident/robot/format"
)

// swing is a motion of one joint.
type swing struct{}

func (swing) DOF() int { return 1 }

func (swing) Duration() float64 { return 10 }

func (swing) Periodic() bool { return true }

func (swing) Eval(t float64, q, dq, ddq []float64) {
	const w = 2 * math.Pi / 5
	sin, cos := math.Sincos(w * t)
	q[0], dq[0], ddq[0] = sin, w*cos, -w*w*sin
}

// The lines of a dither go from half the anti-resonance √(K/J) of a joint to a quarter above its resonance
// √(K·(1/J + 1/Ia)), its figures are those of its column, and doubts about rate and limits are told.
func TestDesignDither(t *testing.T) {
	r, err := format.Read([]byte(`
name: pendulum
gravity: [0, 0, -9.81]
links:
  - name: arm
    joint:
      name: shoulder
      limits: {position: [-2, 2], velocity: 3, effort: 1000}
      drive: {ia: 0.1}
      elastic: true
      stiffness: 2000
    mdh: {}
    inertial: {mass: 2, com: [0.3, 0, 0], inertia: {ixx: 0, ixy: 0, ixz: 0, iyy: 0.05, iyz: 0, izz: 0.05}}
`), "yaml", "pendulum", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := DesignDither(r, swing{})
	if err != nil {
		t.Fatal(err)
	}
	const stiffness, rotor, link = 2000, 0.1, 0.05 + 2*0.3*0.3
	first, last := 0.5*math.Sqrt(stiffness/link)/(2*math.Pi), 1.25*math.Sqrt(stiffness*(1/link+1/rotor))/(2*math.Pi)
	if math.Abs(d.Band[0]-first) > 1e-6*first || math.Abs(d.Band[1]-last) > 1e-6*last {
		t.Errorf("band %v, by the closed formulas %v to %v Hz", d.Band, first, last)
	}
	columns := d.Columns()
	if len(columns) != 1 || len(d.Joints) != 1 {
		t.Fatalf("%d columns, %d joints", len(columns), len(d.Joints))
	}
	for i, c := range columns {
		sum, most, n := 0.0, 0.0, 100000
		for k := range n {
			x := c.At(10 * float64(k) / float64(n))
			sum += x * x
			most = math.Max(most, math.Abs(x))
		}
		// Ten seconds hold no whole number of the lines' periods: the rest of one of 24 pairs of neighbours is below 1 %.
		if got := math.Sqrt(sum / float64(n)); math.Abs(got-d.Joints[i].RMS) > 0.01*d.Joints[i].RMS {
			t.Errorf("%s: root mean square %v, stated %v", c.Name, got, d.Joints[i].RMS)
		}
		if math.Abs(most-d.Joints[i].Peak) > 0.02*most {
			t.Errorf("%s: peak %v, stated %v", c.Name, most, d.Joints[i].Peak)
		}
	}
	margin := 1e-4
	notes := strings.Join(d.Notes(r, 20, []excite.Margin{{Joint: d.Joints[0].Joint, Torque: &margin}}), "\n")
	if !strings.Contains(notes, "20 samples a second") || !strings.Contains(notes, "joint "+d.Joints[0].Joint) {
		t.Errorf("notes %q", notes)
	}
	if notes := d.Notes(r, 1000, nil); len(notes) != 0 {
		t.Errorf("notes at 1 kHz: %q", notes)
	}
	r.Links[0].Joint.Elasticity.Stiffness = 0
	var missing *MissingError
	if _, err := DesignDither(r, swing{}); !errors.As(err, &missing) {
		t.Errorf("without a stiffness: %v", err)
	}
}
