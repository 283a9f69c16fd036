package excite

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"ident/robot"
	"ident/robot/format"
)

// chainOf is a URDF of a chain of revolute joints with the given limits.
func chainOf(limits ...string) string {
	var b strings.Builder
	b.WriteString(`<robot name="chain"><link name="l0"/>`)
	for i, l := range limits {
		fmt.Fprintf(&b, `<link name="l%d"/><joint name="j%d" type="revolute"><parent link="l%d"/><child link="l%d"/><axis xyz="0 0 1"/><limit %s/></joint>`, i+1, i+1, i, i+1, l)
	}
	b.WriteString(`</robot>`)
	return b.String()
}

// What exporters write where they know no limits must not send a joint to its stop: a joint of the Panda between −3.07
// and −0.07 rad was sent to +1.88 by ±2π of a file of frames.
func TestPlaceholdersAreNoLimits(t *testing.T) {
	for name, c := range map[string]struct {
		limits  []string
		refused []int
	}{
		"a turn either way without a drive":   {[]string{`lower="-6.2832" upper="6.2832" effort="0" velocity="0"`, `lower="-1" upper="2" effort="5" velocity="1"`}, []int{0}},
		"6.28 without a torque":               {[]string{`lower="-6.28" upper="6.28" effort="0" velocity="3"`, `lower="-1" upper="2" effort="5" velocity="1"`}, []int{0}},
		"one range without a drive":           {[]string{`lower="-3.14" upper="3.14" effort="0" velocity="0"`, `lower="-3.14" upper="3.14" effort="0" velocity="0"`}, []int{0, 1}},
		"one range, torque and speed":         {[]string{`lower="-3.14" upper="3.14" effort="100" velocity="1"`, `lower="-3.14" upper="3.14" effort="100" velocity="1"`, `lower="-3.14" upper="3.14" effort="100" velocity="1"`}, []int{0, 1, 2}},
		"zeros":                               {[]string{`lower="0" upper="0" effort="0" velocity="0"`, `lower="-1" upper="2" effort="5" velocity="1"`}, []int{0}},
		"a range without an end":              {[]string{`lower="-1e16" upper="1e16" effort="100" velocity="3"`, `lower="-1" upper="1e9" effort="5" velocity="1"`, `lower="-100" upper="100" effort="5" velocity="1"`}, []int{0, 1}},
		"an arm that turns twice":             {[]string{`lower="-6.2832" upper="6.2832" effort="330" velocity="2"`, `lower="-6.2832" upper="6.2832" effort="330" velocity="2"`, `lower="-6.2832" upper="6.2832" effort="54" velocity="3"`}, nil},
		"limits of each joint without torque": {[]string{`lower="-2.9" upper="2.9" effort="0" velocity="2"`, `lower="-1.7" upper="1.7" effort="0" velocity="2"`}, nil},
	} {
		r, err := format.Read([]byte(chainOf(c.limits...)), "urdf", "chain.urdf", robot.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var refused []int
		for i, l := range LimitsOf(r) {
			if math.IsNaN(l.Lower) {
				refused = append(refused, i)
			}
		}
		if !slices.Equal(refused, c.refused) {
			t.Errorf("%s: joints %v have no position limits, want %v", name, refused, c.refused)
		}
		if len(refused) == 0 {
			continue
		}
		// Velocity limits that are given do not make limits of placeholders.
		for i := range r.Links {
			r.Links[i].Joint.Velocity = 1
		}
		if _, _, err := resolve(LimitsOf(r), 0.05); err == nil || !strings.Contains(err.Error(), "position limits") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLimitSources(t *testing.T) {
	limits := []Limits{
		{Joint: "a", Lower: -1, Upper: 1, Velocity: 1, Accel: 4, From: LimitOrigins{LimitOrigins: robot.LimitOrigins{Velocity: "--velocity-limits", Accel: assumed}}},
		{Joint: "b", Lower: -1, Upper: 1, Velocity: 1, Accel: 4, Power: 3, From: LimitOrigins{LimitOrigins: robot.LimitOrigins{Velocity: "--velocity-limits"}, Power: "ident.yaml"}},
	}
	want := []string{"position: robot file", "velocity: --velocity-limits", "acceleration: assumed (a); robot file (b)", "power: ident.yaml (b)"}
	if got := LimitSources(limits); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
