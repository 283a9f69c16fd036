package tasks

import (
	"context"
	"math"
	"strings"
	"testing"

	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/robot"
)

const everything = `
tip: {link: J6, at: [0.05, 0.02, 0.08], rpy: [Pi/6, 0, 0]}
start:
  joints: {J2: 0.3, J3: 0.9, J5: 0.8}
  point: [0.3, 0.2, 0.4]
  orientation: {direction: [1, 0, -1], axis: [0, 0, 1]}
limits: {acceleration: 40, velocity: {J1: 3}}
least_singular: 1e-4
profile: trapezoidal
speed: 0.2
acceleration: 1
orientation: fixed
segments:
  - line: [0.35, 0.2, 0.4]
    blend: 0.01
  - line: [0.35, 0.25, 0.4]
    time: 1.5
  - arc: {center: [0.3, 0.25, 0.4], axis: [0, 0, 1], angle: Pi/3}
    orientation: {turn: 0.2, axis: [0, 0, 1]}
  - line: [0, 0, -0.05]
    relative: true
    time: least
    force: [0, 0, 12]
    profile: triangular
  - wait: 0.5
  - line: [0.4, 0.5, 0.35]
    coordinates: cylindrical
    orientation: {direction: fixed}
    joints: {J6: 0.2}
    time: 2
    profile: parabolic
  - point: [0.3, 0.1, 0.45]
    time: 1
  - joints: {J1: 0.5, J4: 0.1}
    time: 1
`

// A file with everything in it: kinds, times and the tip at the ends.
func TestReadTask(t *testing.T) {
	task, err := Read([]byte(everything))
	if err != nil {
		t.Fatal(err)
	}
	m := plan(t, rx90(), task)
	legs := m.Legs()
	kinds := ""
	for _, l := range legs {
		kinds += l.Kind.String() + " "
	}
	if kinds != "line arc line wait line point joints " {
		t.Fatal(kinds)
	}
	// The blend takes 2·0.01 m of corner for a quarter of a circle of 0.01 m.
	near(t, "blended length", legs[0].Length, 0.1-0.02+math.Pi/2*0.01, 1e-12)
	near(t, "time", legs[0].Time, 1.5, 0)
	// Of the arc: 0.05·π/3 m at 0.2 m/s, ramps of 0.2 s: 0.0524/0.2 + 0.2 s.
	near(t, "arc's time", legs[1].Time, 0.05*math.Pi/3/0.2+0.2, 1e-12)
	near(t, "arc's speed", legs[1].Speed, 0.2, 1e-12)
	near(t, "arc's acceleration", legs[1].Accelerate, 1, 1e-12)
	if legs[2].Time != legs[2].Least || legs[2].Quantity != "acceleration" {
		t.Errorf("%+v", legs[2])
	}
	p, _ := m.Tip(1.5)
	near(t, "end of the first", spatial.Norm(spatial.Sub(p, spatial.Vec{0.35, 0.25, 0.4})), 0, 1e-11)
	p, _ = m.Tip(legs[5].Begin)
	near(t, "end in cylindrical coordinates", spatial.Norm(spatial.Sub(p, spatial.Vec{0.4 * math.Cos(0.5), 0.4 * math.Sin(0.5), 0.35})), 0, 1e-11)
	p, _ = m.Tip(legs[6].Begin)
	near(t, "point", spatial.Norm(spatial.Sub(p, spatial.Vec{0.3, 0.1, 0.45})), 0, 1e-10)
	// The force against the tip: power of the torques less that at rest is F·v, by virtual work.
	q, dq, ddq, tau := make([]float64, 6), make([]float64, 6), make([]float64, 6), make([]float64, 6)
	at := legs[2].Begin + 0.4*legs[2].Time
	m.Eval(at, q, dq, ddq)
	f := m.Push(at, q, tau)
	power := 0.0
	for k := range tau {
		power -= tau[k] * dq[k]
	}
	const h = 1e-5
	a, _ := m.Tip(at - h)
	b, _ := m.Tip(at + h)
	// v by differences: h² of the jerk, which a triangular profile has none of.
	near(t, "power of the force", power, spatial.Dot(f, spatial.Scale(1/(2*h), spatial.Sub(b, a))), 1e-6)
	if f != [3]float64{0, 0, 12} || m.Push(0.1, q, tau) != [3]float64{} {
		t.Errorf("force %v", f)
	}
}

// Texts that are no task are refused with the line and the field.
func TestReadRefuses(t *testing.T) {
	for text, why := range map[string]string{
		"":                                                  "empty",
		"segments: [{line: [1, 2]}]":                        "two",
		"segments: [{line: [1, 2, x]}]":                     "no number",
		"segments: [{lines: [1, 2, 3]}]":                    "lines not found",
		"segment: []":                                       "segment not found",
		"segments: [{time: 1}]":                             "one of line",
		"segments: [{line: [1,2,3], wait: 1}]":              "one of line",
		"profile: cubic\nsegments: [{line: [1,2,3]}]":       "no profile",
		"segments: [{arc: {via: [1,2,3]}}]":                 "via and to",
		"segments: [{arc: {vias: [1,2,3]}}]":                "vias not found",
		"segments: [{line: [1,2,3], components: xx}]":       "components",
		"segments: [{line: [1,2,3], coordinates: polar}]":   "coordinates",
		"orientation: upright\nsegments: [{line: [1,2,3]}]": "upright",
		"orientation: {up: 1}\nsegments: [{line: [1,2,3]}]": "up not found",
		"orientation: {axes: xxy, angles: [1,2,3]}\nsegments: [{line: [1,2,3]}]":       "neighbours",
		"orientation: {turn: 1, direction: [0,0,1]}\nsegments: [{line: [1,2,3]}]":      "one of angles",
		"orientation: {axes: xyx, angles: [1]}\nsegments: [{line: [1,2,3]}]":           "1 angles",
		"limits: 5\nsegments: [{line: [1,2,3]}]":                                       "none, or",
		"limits: {speed: 5}\nsegments: [{line: [1,2,3]}]":                              "there are velocity",
		"segments: [{wait: 1, time: 2}]":                                               "already",
		"segments: [{line: [1,2,3]}]\n---\nsegments: []":                               "more than one",
		"start: {point: [1,2]}\nsegments: [{line: [1,2,3]}]":                           "start: point",
		"segments: [{line: [1,2,3], orientation: {direction: [1, 2, up]}, time: 1}]":   "direction",
		"segments: [{arc: {via: [1,2,3], to: [1,2,3]}, coordinates: spherical}]":       "spherical",
		"segments: [{line: [1,2,3], relative: true, coordinates: cylindrical}]":        "cylindrical",
		"segments: [{line: [1,2,3], orientation: [1, 2]}]":                             "",
		"least_singular: -1\nsegments: [{line: [1,2,3]}]":                              "least_singular",
		"segments: [{line: [1,2,3], orientation: {turn: 1, axis: [1, 2]}, profile: }]": "axis",
	} {
		if why == "two" {
			why = "2 numbers, not three"
		}
		if _, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Any text is read or refused.
func FuzzTask(f *testing.F) {
	f.Add([]byte(everything))
	f.Add([]byte("segments: [{arc: {via: [1, 0, 0], to: [0, 1, 0]}, time: least, orientation: {turn: 1}}]"))
	f.Add([]byte("orientation: {axes: z-yx, angles: [1, 2]}\nstart: {point: [1, 2, 3]}\nsegments: [{wait: 1}]"))
	r := robot.FromMDH("planar", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.4}})
	f.Fuzz(func(t *testing.T, text []byte) {
		task, err := Read(text)
		if err != nil || len(task.Segments) > 2 {
			return
		}
		if m, err := Plan(context.Background(), r, task); err == nil && !(m.Duration() > 0) {
			t.Errorf("a motion of %g s", m.Duration())
		}
	})
}

// A robot with loops: the SR400's tip on a line by its six driven joints.
func TestClosedRobot(t *testing.T) {
	r := testrobot.SR400(t)
	a, err := newArm(r, Tip{})
	if err != nil {
		t.Fatal(err)
	}
	start := map[string]float64{}
	for i, name := range a.names {
		start[name] = []float64{0.1, 0.2, -0.3, 0.2, 0.7, 0.1}[i]
	}
	task := Task{Unlimited: true, Start: Start{Joints: start}, Segments: []Segment{{To: [3]float64{0.1, 0.15, -0.1}, Relative: true, Orientation: Orientation{By: Fixed}, Time: 1}}}
	m := plan(t, r, task)
	p0, r0 := m.Tip(0)
	for i := range 11 {
		at := float64(i) / 10
		p, rot := m.Tip(at)
		s, _, _ := m.runs[0].law.at(at)
		near(t, "place", spatial.Norm(spatial.Sub(p, spatial.AddScaled(p0, s, task.Segments[0].To))), 0, 1e-9)
		near(t, "orientation", spatial.Norm(spatial.RotationVector(spatial.Mul(spatial.Transpose(r0), rot))), 0, 1e-9)
	}
	n := m.DOF()
	v := func() []float64 { return make([]float64, n) }
	q, dq, ddq, before, after, rate := v(), v(), v(), v(), v(), v()
	const h = 1e-4
	m.Eval(0.4, q, dq, ddq)
	m.Eval(0.4-h, before, rate, v())
	m.Eval(0.4+h, after, v(), v())
	later := v()
	m.Eval(0.4+h, v(), later, v())
	for k := range q {
		near(t, "velocity", dq[k], (after[k]-before[k])/(2*h), 1e-5)
		near(t, "acceleration", ddq[k], (later[k]-rate[k])/(2*h), 1e-4)
	}
}
