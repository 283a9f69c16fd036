package identify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/datasets"
	"ident/excite"
	"ident/identify"
	"ident/identify/project"
	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/mechanics/kinematics"
	"ident/robot"
	"ident/robot/format"
)

// The same tool from joint positions and from poses of the flange, with a sensor that is turned and moved in its mount: the same numbers.
func TestToolByJointsAndPoses(t *testing.T) {
	dir := t.TempDir()
	arm := filepath.Join(dir, "puma.urdf")
	if err := os.WriteFile(arm, datasets.ExampleRobot(), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := format.Open(arm, robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := kinematics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 1))
	var pool [][]float64
	for range 100 {
		q := make([]float64, tree.DOF())
		for j, l := range excite.LimitsOf(r) {
			lower, upper := l.Lower, l.Upper
			if math.IsNaN(lower) || math.IsNaN(upper) {
				lower, upper = -2, 2
			}
			q[j] = lower + (upper-lower)*rng.Float64()
		}
		pool = append(pool, q)
	}
	mount := []float64{0.01, -0.02, 0.04, 0.3, -0.2, 0.7}
	chosen, err := identify.ToolPoses(r, new(project.Settings), mount, pool, 8)
	if err != nil {
		t.Fatal(err)
	}
	sensor := robot.Transform{R: angles.RPYRotation([3]float64(mount[3:])), P: [3]float64(mount[:3])}
	last := r.Links[len(r.Links)-1]
	body, centre := 1.7, spatial.Vec{0.02, 0.01, 0.08}
	var joints, poses strings.Builder
	joints.WriteString("t,q1,q2,q3,q4,q5,q6,fx,fy,fz,tx,ty,tz\n")
	poses.WriteString("t,px,py,pz,rx,ry,rz,fx,fy,fz,tx,ty,tz\n")
	pose := tree.NewPose()
	for n, i := range chosen {
		for k := range 150 {
			q := pool[i]
			pose.Place(q)
			flange := pose.Frame(len(r.Links) - 1).Mul(last.UserFrame)
			for _, l := range r.Lumped {
				if l.Into == len(r.Links)-1 {
					flange = pose.Frame(l.Into).Mul(l.InLink)
				}
			}
			force := spatial.Scale(body, spatial.MulTVec(flange.Mul(sensor).R, r.Gravity))
			torque := spatial.Cross(centre, force)
			at := float64(150*n+k) / 50
			fmt.Fprintf(&joints, "%.2f", at)
			for _, v := range q {
				fmt.Fprintf(&joints, ",%.9f", v)
			}
			v := spatial.RotationVector(flange.R)
			fmt.Fprintf(&poses, "%.2f,%.9f,%.9f,%.9f,%.12f,%.12f,%.12f", at, flange.P[0], flange.P[1], flange.P[2], v[0], v[1], v[2])
			wrench := ""
			for c := range 3 {
				wrench += fmt.Sprintf(",%.5f", force[c]+4+0.1*rng.NormFloat64())
			}
			for c := range 3 {
				wrench += fmt.Sprintf(",%.6f", torque[c]-0.2+0.005*rng.NormFloat64())
			}
			joints.WriteString(wrench + "\n")
			poses.WriteString(wrench + "\n")
		}
	}
	var docs []*identify.ToolDocument
	for name, text := range map[string]string{"joints.csv": joints.String(), "poses.csv": poses.String()} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s := new(project.Settings)
		if name == "joints.csv" {
			s.Robot = arm
		}
		d, err := identify.New(s, s.Robot != "", path).Tool(t.Context(), identify.ToolOptions{Mount: mount})
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
		if math.Abs(d.Mass.Value-body) > 4*d.Mass.Sigma || len(d.Findings) > 0 {
			t.Errorf("%s: %v, %v", name, d.Mass, d.Findings)
		}
		for i := range 3 {
			if math.Abs(d.Centre[i].Value-centre[i]) > 4*d.Centre[i].Sigma {
				t.Errorf("%s: centre %d: %v", name, i, d.Centre[i])
			}
		}
		// In the flange's frame the centre is moved and turned with the mount.
		about, err := d.Inertial()
		if err != nil {
			t.Fatal(err)
		}
		c, _ := about.CentreOfMass()
		for i, want := range sensor.Apply(centre) {
			if math.Abs(c[i]-want) > 1e-3 {
				t.Errorf("%s: in the flange's frame %v, want %v", name, c, sensor.Apply(centre))
			}
		}
	}
	// Documents that contradict themselves are refused, and rotation vectors in degrees name their unit.
	for what, change := range map[string]func(d *identify.ToolDocument){
		"mount":    func(d *identify.ToolDocument) { d.Mount[5] = 1e300 },
		"interval": func(d *identify.ToolDocument) { m := *d.Mass; m.Low95 = 2 * m.High95; d.Mass = &m },
	} {
		d := *docs[0]
		if change(&d); d.Valid() == nil {
			t.Errorf("%s: valid", what)
		}
	}
	unsure := *docs[0]
	mass := *unsure.Mass
	mass.Sigma = mass.Value
	unsure.Mass = &mass
	if _, err := unsure.Inertial(); err == nil {
		t.Error("a mass of 1 ± 1 is exported")
	}
	turned := filepath.Join(dir, "degrees.csv")
	head, _, _ := strings.Cut(poses.String(), "\n")
	text := head + "\n"
	for k := range 200 {
		text += fmt.Sprintf("%d,0,0,0,%g,0,0,1,2,3,0,0,0\n", k, float64(k))
	}
	if err := os.WriteFile(turned, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := identify.New(new(project.Settings), false, turned).Tool(t.Context(), identify.ToolOptions{}); err == nil || !strings.Contains(err.Error(), "rx=deg") {
		t.Errorf("degrees: %v", err)
	}
	if a, b := docs[0], docs[1]; math.Abs(a.Mass.Value-b.Mass.Value) > 1e-6 || math.Abs(a.Centre[0].Value-b.Centre[0].Value) > 1e-6 {
		t.Errorf("by joints and by poses: %v and %v", a.Mass, b.Mass)
	}
}
