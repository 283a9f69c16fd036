package tasks

import (
	"context"
	"math"
	"testing"

	"ident/internal/spatial"
	"ident/robot"
)

// rx90 is the RX90 of Khalil and Kleinfinger's table, D3 = RL4 = 0.45 m.
func rx90() *robot.Robot {
	r := robot.FromMDH("RX90", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: math.Pi / 2}, {Antecedent: 1, D: 0.45},
		{Antecedent: 2, Alpha: -math.Pi / 2, R: 0.45}, {Antecedent: 3, Alpha: math.Pi / 2}, {Antecedent: 4, Alpha: -math.Pi / 2}})
	return r
}

// shorter returns the robot without its last joints.
func shorter(r *robot.Robot, joints int) *robot.Robot {
	r.Links = r.Links[:joints]
	return r
}

func plan(t testing.TB, r *robot.Robot, task Task) *Motion {
	t.Helper()
	m, err := Plan(context.Background(), r, task)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func near(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.12g, want %.12g ± %.2g", name, got, want, tolerance)
	}
}

// The task of the source (Vukobratović and Potkonjak 1985, 3.11): 0.298511 m in 0.9 s by a triangular profile. Its figures
// are ours, from the printed points; the geometry of its robot is lost, and any that reaches them will do.
func TestLineOfTheSource(t *testing.T) {
	hold := map[string]float64{"J4": 0, "J5": 0.5, "J6": 0}
	start := [3]float64{0.425, 0.167, 0.571}
	m := plan(t, rx90(), Task{Start: Start{Point: &start, Joints: map[string]float64{"J5": 0.5, "J3": 0.5}},
		Segments: []Segment{{To: [3]float64{0.368, 0.365, 0.355}, Joints: hold, Profile: Triangular, Time: 0.9}}})
	leg := m.Legs()[0]
	near(t, "length", leg.Length, 0.298511, 5e-7)
	near(t, "speed", leg.Speed, 0.663358, 5e-7)
	near(t, "acceleration", leg.Accelerate, 1.474130, 5e-7)
	// The tip's, by differences in the middle of the way up.
	const h = 1e-4
	var x [3][3]float64
	for i := range x {
		x[i], _ = m.Tip(0.2 + float64(i-1)*h)
	}
	a := spatial.Scale(1/(h*h), spatial.Sub(spatial.Add(x[0], x[2]), spatial.Scale(2, x[1])))
	near(t, "acceleration by differences", spatial.Norm(a), 1.474130, 1e-5)
	end, _ := m.Tip(0.9)
	near(t, "end", spatial.Norm(spatial.Sub(end, spatial.Vec{0.368, 0.365, 0.355})), 0, 1e-11)
}

// flange is a tip beside the last frame.
var flange = robot.Transform{R: spatial.RotX(0.3), P: [3]float64{0.05, 0.02, 0.08}}

// blocks are the adjustment blocks of the source with robots of as many joints, from one state to the tip of another.
func blocks(t *testing.T) map[string]Task {
	euler, _ := ParseSequence("xyx")
	directed, _ := ParseSequence("z-yx")
	out := map[string]Task{}
	add := func(name string, joints int, make func(tip robot.Transform) Segment) {
		from, to := map[string]float64{}, map[string]float64{}
		for k := range joints {
			j := "J" + string(rune('1'+k))
			from[j] = []float64{0.2, 0.3, 0.9, 0.3, 0.8, -0.2}[k]
			to[j] = from[j] + []float64{0.4, -0.2, 0.25, 0.3, -0.2, 0.5}[k]
		}
		r, tip := shorter(rx90(), joints), Tip{Frame: flange}
		if name == "B1" { // along the x axis the five joints are nearly singular
			tip.Frame.R = spatial.RotZ(math.Pi / 2)
		}
		there := plan(t, r, Task{Tip: tip, Start: Start{Joints: to}, Segments: []Segment{{Kind: Wait, Time: 1}}})
		var end robot.Transform
		end.P, end.R = there.Tip(0)
		s := make(end)
		s.Time = 1.5
		out[name] = Task{Tip: tip, Start: Start{Joints: from}, Segments: []Segment{s}}
	}
	add("A1", 4, func(e robot.Transform) Segment { return Segment{To: e.P, Joints: map[string]float64{"J4": 0.7}} })
	add("A2", 4, func(e robot.Transform) Segment {
		return Segment{To: Cylindrical.from(e.P), Coordinates: Cylindrical, Joints: map[string]float64{"J4": 0.7}}
	})
	add("A3", 4, func(e robot.Transform) Segment {
		return Segment{To: Spherical.from(e.P), Coordinates: Spherical, Joints: map[string]float64{"J4": 0.7}}
	})
	add("B1", 5, func(e robot.Transform) Segment {
		return Segment{To: e.P, Orientation: Orientation{By: PartialAngles, Sequence: directed, Angles: directed.Angles(e.R)}}
	})
	add("C1", 6, func(e robot.Transform) Segment {
		return Segment{To: e.P, Orientation: Orientation{By: Angles, Sequence: euler, Angles: euler.Angles(e.R)}}
	})
	add("C2", 6, func(e robot.Transform) Segment {
		return Segment{To: e.P, Orientation: Orientation{By: Angles, Sequence: directed, Angles: directed.Angles(e.R)}}
	})
	add("C3", 6, func(e robot.Transform) Segment {
		axis := [3]float64{1, 0, 0}
		return Segment{To: e.P, Orientation: Orientation{By: Direction, Direction: spatial.MulVec(e.R, axis), Axis: axis}, Joints: map[string]float64{"J6": 0.3}}
	})
	return out
}

// All seven blocks: the tip is where the task asks for it, at every time, and rates and accelerations are the derivatives of positions.
func TestBlocks(t *testing.T) {
	for name, task := range blocks(t) {
		t.Run(name, func(t *testing.T) {
			m := plan(t, shorter(rx90(), len(task.Start.Joints)), task)
			on, n := &m.runs[0].track.on, m.DOF()
			q, dq, ddq := make([]float64, n), make([]float64, n), make([]float64, n)
			var side [5][3][]float64
			for i := range side {
				for o := range side[i] {
					side[i][o] = make([]float64, n)
				}
			}
			for i := range 31 {
				at := 1.5 * float64(i) / 30
				m.Eval(at, q, dq, ddq)
				u, _, _ := m.runs[0].law.at(at / 1.5)
				d := on.at(u)
				p, rot := m.Tip(at)
				near(t, "position", spatial.Norm(spatial.Sub(p, d.p)), 0, 1e-9)
				switch {
				case on.attitude == nil:
				case on.pointing:
					near(t, "direction", spatial.Norm(spatial.Sub(spatial.MulVec(rot, on.axis), spatial.MulVec(d.r, on.axis))), 0, 1e-9)
				default:
					near(t, "orientation", spatial.Norm(spatial.RotationVector(spatial.Mul(spatial.Transpose(d.r), rot))), 0, 1e-9)
				}
				for _, h := range on.held {
					near(t, "held joint", q[h.joint], h.from+u*(h.to-h.from), 1e-12)
				}
				if i == 0 || i == 30 {
					continue
				}
				// Differences of the fourth order: h⁴/30 of the fifth derivative, up to 1e6, and the rounding of Newton's
				// method, 1e-11 of a position, 1e-10 of a velocity, over h.
				const h = 1e-3
				for j, v := range side {
					m.Eval(at+float64(j-2)*h, v[0], v[1], v[2])
				}
				for k := range q {
					slope := func(o int) float64 {
						return (8*(side[3][o][k]-side[1][o][k]) - (side[4][o][k] - side[0][o][k])) / (12 * h)
					}
					near(t, "velocity", dq[k], slope(0), 1e-6)
					near(t, "acceleration", ddq[k], slope(1), 1e-5)
				}
			}
			end := on.at(1)
			p, _ := m.Tip(m.Duration())
			near(t, "end", spatial.Norm(spatial.Sub(p, end.p)), 0, 1e-11)
			t.Logf("%d places, smallest singular value %.3g", len(m.runs[0].track.parts), m.runs[0].track.low.value)
		})
	}
}

// The angles of an orientation give it back, for every sequence.
func TestSequences(t *testing.T) {
	for _, text := range []string{"xyx", "xzx", "yxy", "yzy", "zxz", "zyz", "xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "z-yx", "-xyx", "x-y-x", "-x-y-z"} {
		s, err := ParseSequence(text)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 60 {
			x := float64(i)
			r := s.Rotation([3]float64{math.Sin(x) * 3, math.Sin(2.3*x) * 3, math.Sin(3.1*x+1) * 3})
			if i == 7 { // outer axes in line
				r = s.Rotation([3]float64{1, 0, 0.5})
			}
			back := s.Rotation(s.Angles(r))
			near(t, text, spatial.Norm(spatial.RotationVector(spatial.Mul(spatial.Transpose(r), back))), 0, 1e-7)
		}
	}
	for _, text := range []string{"", "xy", "xxy", "xyyx", "abc", "x-", "xyx-"} {
		if _, err := ParseSequence(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// Profiles: ends, derivatives by differences, and the largest values that are stated.
func TestProfiles(t *testing.T) {
	for _, l := range []law{{kind: Quintic}, {kind: Triangular}, {kind: Parabolic}, {Trapezoidal, 1. / 3}, {Trapezoidal, 0.5}, {Trapezoidal, 0.1}} {
		s, _, _ := l.at(0)
		e, _, _ := l.at(1)
		near(t, "beginning", s, 0, 0)
		near(t, "end", e, 1, 1e-15)
		peak, steep := 0.0, 0.0
		const h = 1e-5
		for i := range 2000 {
			u := (float64(i) + 0.5) / 2000
			a, _, _ := l.at(u - h)
			b, d, dd := l.at(u)
			c, _, _ := l.at(u + h)
			near(t, "velocity", d, (c-a)/(2*h), 1e-4)
			if !atBreak(l, u, h) {
				near(t, "acceleration", dd, (a-2*b+c)/(h*h), 1e-4)
			}
			peak, steep = max(peak, d), max(steep, math.Abs(dd))
		}
		near(t, l.kind.String()+" peak", peak, l.peak(), 2e-3)
		near(t, l.kind.String()+" steepest", steep, l.steepest(), 1e-2)
	}
}

func atBreak(l law, u, h float64) bool {
	for _, b := range l.breaks() {
		if math.Abs(u-b) <= h {
			return true
		}
	}
	return false
}
