package format

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/robot"
)

// What a file does not give back is in a note, and what a note names is not in the file.
func TestLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawTree(t)
		for i := range r.Links {
			j := &r.Links[i].Joint
			j.Ia = rapid.SampledFrom([]float64{0, 0.25, 3}).Draw(t, "ia")
			j.Fo = rapid.SampledFrom([]float64{0, -1.5}).Draw(t, "fo")
			j.Gain = rapid.SampledFrom([]float64{0, 12}).Draw(t, "gain")
			j.Passive = i > 0 && rapid.IntRange(0, 4).Draw(t, "passive") == 0 // a robot without any drive tells nothing of drives
		}
		if rapid.Bool().Draw(t, "tilted") {
			r.Gravity = [3]float64{0, 9.81, 0}
		}
		for _, kind := range []string{"urdf", "mjcf", "sdf", "par", "yaml"} {
			var b bytes.Buffer
			notes, err := Write(&b, r, kind)
			if err != nil {
				continue // such a robot cannot be written: the tests of the formats say why
			}
			back, err := Read(b.Bytes(), kind, "back", robot.ReadOptions{NoSnap: true})
			if err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			said := func(what string) bool {
				return slices.ContainsFunc(notes, func(n robot.Note) bool { return n.Where == what })
			}
			check := func(what string, lost bool) {
				if lost != said(what) {
					t.Fatalf("%s: %s lost: %v, said: %v, %v", kind, what, lost, said(what), notes)
				}
			}
			any := func(differ func(a, b *robot.Joint) bool) bool {
				for i := range r.Links {
					k := i // a SYMORO+ file numbers the links, others may order them anew
					if kind != "par" {
						k = slices.IndexFunc(back.Links, func(l robot.Link) bool { return l.Joint.Name == r.Links[i].Joint.Name })
					}
					if differ(&r.Links[i].Joint, &back.Links[k].Joint) {
						return true
					}
				}
				return false
			}
			same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
			check("rotor inertias", any(func(a, b *robot.Joint) bool { return a.Ia != b.Ia }))
			check("torque offsets", any(func(a, b *robot.Joint) bool { return a.Fo != b.Fo }))
			check("drive gains, gear ratios and motors", any(func(a, b *robot.Joint) bool { return a.Gain != b.Gain }))
			if kind != "mjcf" { // has no motor for them, which the reader takes for passive in closed chains only
				check("joints without a drive", any(func(a, b *robot.Joint) bool { return a.Passive != b.Passive }))
			}
			check("gravity", back.Gravity != r.Gravity)
			if kind != "par" {
				check("limits of acceleration and jerk", any(func(a, b *robot.Joint) bool { return !same(a.Accel, b.Accel) }))
				check("limits of velocity", any(func(a, b *robot.Joint) bool { return !same(a.Velocity, b.Velocity) }))
			}
			for _, n := range notes {
				if strings.HasPrefix(n.String(), "{") {
					t.Fatalf("%s prints %s", kind, n)
				}
			}
		}
	})
}
