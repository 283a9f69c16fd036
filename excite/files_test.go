package excite

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"ident/internal/spatial"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/urdf"
)

// shapesOf draws a spline, point-to-point or Fourier motion of two joints, or a sum
// or a sequence of such.
func shapesOf(t *rapid.T) Motion {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	duration := rapid.Float64Range(0.5, 5).Draw(t, "duration")
	one := func() Motion {
		var b basis = newSplines(rapid.IntRange(7, 12).Draw(t, "pieces"), duration)
		switch rapid.IntRange(0, 2).Draw(t, "shape") {
		case 0:
			b = newPointToPoint(rapid.IntRange(2, 6).Draw(t, "segments"), duration)
		case 1:
			b = newFourier(rapid.IntRange(2, 5).Draw(t, "harmonics"), duration, true)
		}
		weight := grid(2, b.size())
		for i := range weight {
			for v := range weight[i] {
				weight[i][v] = rng.NormFloat64()
			}
		}
		return b.motion([]string{"a", "b"}, []float64{0.3, -1}, weight)
	}
	switch rapid.IntRange(0, 3).Draw(t, "form") {
	case 0:
		return &Sum{one(), one()}
	case 1:
		return &Sequence{[]Motion{one(), one(), one()}}
	}
	return one()
}

// Every motion is at rest at both ends, its derivatives agree with differences of its
// positions, and its bounds hold.
func TestMotions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := shapesOf(t)
		at := func(x float64) (s [4][2]float64) {
			m.Eval(x, s[0][:], s[1][:], s[2][:])
			m.Jerk(x, s[3][:])
			return s
		}
		top := [5]float64{}
		for o := 1; o < 5; o++ {
			top[o] = max(m.Bound(0, o), m.Bound(1, o))
		}
		for _, x := range []float64{0, m.Duration()} {
			now := at(x)
			for o, s := range now[1:3] {
				if math.Abs(s[0]) > 1e-12*top[o+1] || math.Abs(s[1]) > 1e-12*top[o+1] {
					t.Fatalf("derivative %d at %g s is %v", o+1, x, s)
				}
			}
		}
		x := rapid.Float64Range(0, 1).Draw(t, "at") * m.Duration()
		for _, k := range append(m.Knots(), 0, m.Duration()) {
			if math.Abs(x-k) < 2e-3*m.Duration() {
				return // a difference across a knot sees another polynomial
			}
		}
		h := 4e-4 * m.Duration()
		for o := range 3 {
			for i := range 2 {
				got := at(x)[o+1][i]
				want := slope8(h, func(d float64) float64 { return at(x + d)[o][i] })
				// The formula's error is far below rounding over the step.
				if math.Abs(got-want) > 1e-9*(1+top[o+1])+1e-12*(1+top[max(o, 1)])/h {
					t.Fatalf("derivative %d of joint %d at %g s: %g, differences %g", o+1, i+1, x, got, want)
				}
				if math.Abs(got) > top[o+1]*(1+1e-12) {
					t.Fatalf("derivative %d is %g, bound %g", o+1, got, top[o+1])
				}
			}
		}
	})
}

// A polynomial lies within its Bernstein coefficients, which exceed it little.
func TestHull(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c quintic
		for k := range c {
			c[k] = rapid.Float64Range(-3, 3).Draw(t, "c")
		}
		order := rapid.IntRange(0, 4).Draw(t, "order")
		p := Polynomials{At: []float64{0, 2}, C: [][]quintic{{c}}}
		b := bernstein(nil, c, order, 2)
		bound, peak, size := 0.0, 0.0, 0.0
		for _, x := range b {
			bound = max(bound, math.Abs(x))
		}
		for k, x := range c {
			size += math.Abs(x) * math.Pow(float64(k), float64(order))
		}
		var s [3][1]float64
		for k := range 1001 {
			at := 2 * float64(k) / 1000
			p.Eval(at, s[0][:], s[1][:], s[2][:])
			x := s[min(order, 2)][0]
			if order == 3 {
				p.Jerk(at, s[0][:])
				x = s[0][0]
			} else if order == 4 {
				x = (24*c[4] + 120*c[5]*at/2) / 16
			}
			peak = max(peak, math.Abs(x))
		}
		if peak > bound+1e-12*(1+size) {
			t.Fatalf("peak %g above bound %g", peak, bound)
		}
		if bound-peak > 0.1*(1+size) {
			t.Fatalf("bound %g far above the peak %g", bound, peak)
		}
	})
}

// For any variables, splines and point-to-point motions, alone and above other
// motions, stay within the limits.
func TestShapesInsideTheirLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		axes := []axis{{half: 1, vel: 2, acc: 5, jerk: 40}, {centre: -0.5, half: 0.4, vel: 1, acc: 9}}
		for i := range axes {
			a := &axes[i]
			a.full = Limits{Lower: a.centre - a.half, Upper: a.centre + a.half, Velocity: a.vel, Accel: a.acc, Jerk: a.jerk}
		}
		duration := rapid.Float64Range(1, 8).Draw(t, "duration")
		var b basis = newSplines(10, duration)
		if rapid.Bool().Draw(t, "vias") {
			b = newPointToPoint(5, duration)
		}
		s := newSearchSpace(axes, b, duration, 30, nil, leastUse)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		z := make([]float64, s.vars)
		for v := range z {
			z[v] = 3 * rng.NormFloat64()
		}
		newLimitMap(s).feasible(z, z, 1<<rapid.IntRange(3, 10).Draw(t, "p"))
		if margins, bad := check(s.trajectory(z), axes); bad != 0 {
			t.Fatalf("%d violations: %+v", bad, margins)
		}
	})
}

func TestMotionJSONKeepsTheBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := shapesOf(t)
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		back, err := ReadMotion(text)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(m, back); d != "" {
			t.Fatal(d)
		}
	})
}

func FuzzReadMotion(f *testing.F) {
	f.Add([]byte(`{"schema":"ident.trajectory/1","period_s":2,"joints":[{"name":"a","q0":1,"a":[1,-1],"b":[2,-1]}]}`))
	f.Add([]byte(`{"schema":"ident.polynomials/1","knots_s":[0,1,2],"joints":[{"name":"a","c":[[0,0,0,1,0,0],[1,2]]}]}`))
	f.Add([]byte(`{"schema":"ident.motions/1","form":"sum","parts":[{"schema":"ident.polynomials/1","knots_s":[0,1],"joints":[{"c":[[0]]}]},{"schema":"ident.polynomials/1","knots_s":[0,1],"joints":[{"c":[[0]]}]}]}`))
	f.Add([]byte(`{"schema":"ident.motions/1","form":"sequence","parts":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ReadMotion(text)
		if err != nil {
			return
		}
		n := m.DOF()
		for _, x := range []float64{-1, 0, 0.3, m.Duration(), 1e300} {
			m.Eval(x, make([]float64, n), make([]float64, n), make([]float64, n))
			m.Jerk(x, make([]float64, n))
		}
		m.Knots()
		m.Bound(0, 4)
		if _, err := json.Marshal(m); err != nil {
			t.Fatalf("a motion that was read cannot be written: %v", err)
		}
	})
}

func TestROSMessages(t *testing.T) {
	tr := &Trajectory{Period: 2, Joints: []string{"a"}, Q0: []float64{1}, A: [][]float64{{1, -1}}, B: [][]float64{{2, -1}}}
	var y, j bytes.Buffer
	if err := WriteROS(&y, tr, 10, nil, false); err != nil {
		t.Fatal(err)
	}
	if err := WriteROS(&j, tr, 10, nil, true); err != nil {
		t.Fatal(err)
	}
	var a, b rosTrajectory
	if err := yaml.Unmarshal(y.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(j.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(a, b); d != "" {
		t.Error(d)
	}
	if last := a.Points[len(a.Points)-1]; len(a.Points) != 21 || last.Time != (rosTime{2, 0}) || a.Points[3].Time != (rosTime{0, 300000000}) || last.Velocities[0] != 0 {
		t.Errorf("%d points, the last %+v", len(a.Points), last)
	}
}

const solids = `<robot name="s"><link name="base"><collision><origin xyz="0 0 -0.5"/><geometry><box size="1 1 1"/></geometry></collision></link>
<joint name="j" type="revolute"><parent link="base"/><child link="a"/><origin xyz="0 0 0.2"/><axis xyz="0 1 0"/></joint>
<link name="a"><collision><origin xyz="0 0 0.3" rpy="0 1.5707963267948966 0"/><geometry><cylinder radius="0.05" length="0.4"/></geometry></collision>
<collision><geometry><mesh filename="a.stl"/></geometry></collision></link>
<joint name="w" type="fixed"><parent link="a"/><child link="tool"/><origin xyz="0.1 0 0.6"/></joint>
<link name="tool"><visual><geometry><box size="0.3 0.2 0.1"/></geometry></visual></link>
<joint name="k" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 0.5"/><axis xyz="0 0 1"/></joint>
<link name="b"><inertial><origin xyz="0 0 0.2"/><mass value="3"/><inertia ixx="0.0125" ixy="0" ixz="0" iyy="0.0125" iyz="0" izz="0.001"/></inertial></link></robot>`

// Capsules contain the bodies that they are fitted to.
func TestCapsulesContainTheirBodies(t *testing.T) {
	r, err := format.Read([]byte(solids), "urdf", "s.urdf", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	all, boxes, err := Capsules(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, meshes, _ := urdf.Solids(r); meshes != 1 || len(boxes) != 1 || boxes[0].Name != "base" {
		t.Errorf("%d meshes, boxes %+v", meshes, boxes)
	}
	p := treeOf(r).NewSamplePose()
	q := [][]float64{{0}, {0}}
	p.Place(q, nil, 0)
	from := map[string]int{}
	contains := func(name string, x spatial.Vec) bool {
		for _, c := range all {
			if c.Name != name {
				continue
			}
			a, b := p.Point(c.Link, c.A), p.Point(c.Link, c.B)
			s, _ := nearestOfSegments(a, b, x, x)
			if spatial.Norm(spatial.Sub(spatial.AddScaled(a, s, spatial.Sub(b, a)), x)) <= c.Radius+1e-12 {
				return true
			}
		}
		return false
	}
	for _, c := range all {
		from[c.From]++
	}
	if from["collision"] != 1 || from["visual"] != 2 || from["inertia"] != 1 {
		t.Errorf("capsules %+v", all)
	}
	for _, x := range []struct {
		name string
		at   spatial.Vec
	}{
		{"a", spatial.Vec{0.2, 0, 0.55}}, {"a", spatial.Vec{-0.2, 0.05, 0.5}}, // the cylinder lies along x at 0.5
		{"tool", spatial.Vec{0.25, 0.1, 0.85}}, {"tool", spatial.Vec{-0.05, -0.1, 0.75}}, // the box about (0.1, 0, 0.8)
		{"b", spatial.Vec{0, 0, 0.9 + 0.09}}, // a rod of ±0.1 along z about 0.9
	} {
		if !contains(x.name, x.at) {
			t.Errorf("%v is no part of %s", x.at, x.name)
		}
	}
	if contains("a", spatial.Vec{0, 0, 0.65}) || contains("b", spatial.Vec{0.2, 0, 0.9}) {
		t.Error("a capsule is far larger than its body")
	}
}

func TestPictures(t *testing.T) {
	r := elbow()
	tr := &Trajectory{Period: 2, Joints: []string{"a<b", "", "c"}, Q0: make([]float64, 3), A: grid(3, 2), B: grid(3, 2)}
	var b strings.Builder
	if err := Preview(&b, tr, LimitsOf(r)); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Count(text, "<polyline") != 9 || !strings.Contains(text, "a&lt;b") || strings.Contains(text, "NaN") {
		t.Error("the preview lacks a curve, or a name is not escaped")
	}
	b.Reset()
	if err := Filmstrip(&b, tr, r, []Capsule{{Link: 1, Radius: 0.1}}, []KeepOut{{Max: [3]float64{1, 1, 1}}}, 6); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Count(text, "<polyline") != 6 || strings.Contains(text, "NaN") {
		t.Error("the filmstrip lacks a frame")
	}
}
