package lint

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/robot"
	"ident/robot/format"
)

// inUnit returns the robot as a file has it whose lengths are in a unit of 1/scale m; inertias follow only if they are asked.
func inUnit(r *robot.Robot, scale float64, bodies, inertias bool) *robot.Robot {
	out := r.Clone()
	for j := range out.Links {
		l := &out.Links[j]
		for k := range 3 {
			l.Placement.P[k] *= scale
		}
		if l.Joint.Kind == robot.Prismatic {
			l.Joint.Lower, l.Joint.Upper = scale*l.Joint.Lower, scale*l.Joint.Upper
		}
		if l.Own == (robot.Inertial{}) {
			continue
		}
		c, _ := l.Own.CentreOfMass()
		central, _ := l.Own.Central()
		for a := range 3 {
			if bodies {
				c[a] *= scale
			}
			for b := range 3 {
				if inertias {
					central[a][b] *= scale * scale
				}
			}
		}
		l.Own = robot.InertialFromCentral(l.Own.Mass(), c, central)
		l.Inertial = l.Own
	}
	return out
}

func units(r *robot.Robot) (found []Finding, others int) {
	for _, f := range Bodies(r) {
		if f.ID == "units" {
			found = append(found, f)
		} else {
			others++
		}
	}
	return found, others
}

// An arm written in millimetres or centimetres as a whole is found by one warning, which names the unit of its inertias; in metres it has none.
func TestUnitsOfTheWhole(t *testing.T) {
	for _, c := range []struct {
		scale            float64
		bodies, inertias bool
		cause            string
	}{
		{1e3, true, true, "all lengths in millimetres given for metres, inertias in kg·mm² for kg·m²"},
		{1e3, true, false, "all lengths in millimetres given for metres, and not the inertias"},
		{1e3, false, false, "lengths of frames in millimetres given for metres"},
		{1e2, true, true, "all lengths in centimetres given for metres, inertias in kg·cm² for kg·m²"},
	} {
		found, others := units(inUnit(soundArm(), c.scale, c.bodies, c.inertias))
		if len(found) != 1 || found[0].Cause != c.cause || others > 0 || found[0].Severity != SeverityWarning {
			t.Errorf("%+v: %+v and %d others", c, found, others)
		}
	}
}

// Random arms of 0.1 to 2 m links and 3 to 10,000 kg/m³ in the cube of their longest offset have no such finding in metres, and one in millimetres.
func TestUnitsOfRandomArms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		r := soundArm()
		size := 0.0
		for j := 1; j < len(r.Links); j++ {
			r.Links[j].Placement.P = [3]float64{0.1 + 1.9*rng.Float64(), 0.2 * rng.Float64(), 0}
		}
		size = sizeOf(r)
		each := rapid.Float64Range(3, 1e4).Draw(t, "density") * size * size * size / 4
		for j := range r.Links {
			l := &r.Links[j]
			c := [3]float64{size / 3, 0.01, 0}
			l.Own = robot.InertialFromCentral(each, c, [3][3]float64{{each * size * size / 90}, {0, each * size * size / 40}, {0, 0, each * size * size / 40}})
			l.Inertial = l.Own
		}
		if found, _ := units(r); len(found) > 0 {
			t.Fatalf("%g m, %g kg: %+v", size, 4*each, found)
		}
		if found, _ := units(inUnit(r, 1e3, true, true)); len(found) != 1 || !strings.Contains(found[0].Cause, "kg·mm²") {
			t.Fatalf("%g m, %g kg in millimetres: %+v", size, 4*each, found)
		}
	})
}

// No robot file of the reference data is in another unit; each is found in millimetres, if it has bodies.
func TestUnitsOfReferenceFiles(t *testing.T) {
	testrobot.DataDir(t)
	files := 0
	for _, f := range testrobot.SharedFiles(t, "data/*/model/*.urdf") {
		r, err := format.Open(f, robot.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if found, _ := units(r); len(found) > 0 {
			t.Errorf("%s: %+v", f, found)
		}
		if found, _ := units(inUnit(r, 1e3, true, true)); len(found) != 1 {
			t.Errorf("%s in millimetres: %+v", f, found)
		}
		files++
	}
	t.Logf("%d files", files)
}
