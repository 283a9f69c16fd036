package doctor

import (
	"fmt"
	"math"

	"ident/doctor/internal/projection"
	"ident/doctor/internal/trialfit"
	"ident/internal/spatial"
	"ident/robot"
)

// tiltLeast is the tilt of gravity in rad below which it matters less than the errors of a rigid model.
const tiltLeast = 0.025

// tilts returns hypotheses of gravity in another direction than the robot's, by two small rotations.
func tilts(rec *recording, t *trialfit.Stacked) []contradiction {
	g := rec.robot.Gravity
	size := math.Sqrt(g[0]*g[0] + g[1]*g[1] + g[2]*g[2])
	if size == 0 {
		return nil
	}
	a, b := projection.Across(g)
	tilt := func(dir [3]float64) []float64 {
		for i := range dir {
			dir[i] *= size
		}
		return t.OfGravity(rec.models.WithGravity(dir).Select(t.Equations.Base))
	}
	cols := [][]float64{tilt(a), tilt(b)}
	angle := func(g trialfit.Gain) float64 { return math.Hypot(g.Coef[0], g.Coef[1]) }
	return []contradiction{{
		question: question{kind: gravityTilt},
		cols:     cols,
		matters:  func(g trialfit.Gain) bool { return angle(g) > tiltLeast },
		accept: func(found trialfit.Gain) (Finding, bool) {
			f := Finding{ID: Gravity, Severity: Warning, Value: angle(found), Limit: tiltLeast, Where: "the whole log"}
			var v [3]float64
			s := 0.0
			for i := range v {
				v[i] = g[i] + size*(found.Coef[0]*a[i]+found.Coef[1]*b[i])
				s += v[i] * v[i]
			}
			for i := range v {
				v[i] *= size / math.Sqrt(s)
			}
			f.Why = fmt.Sprintf("the torques fit a gravity that is %.2g° from the robot's: (%.3g, %.3g, %.3g) and not (%.3g, %.3g, %.3g); the base is mounted differently from the robot file",
				angle(found)*180/math.Pi, v[0], v[1], v[2], g[0], g[1], g[2])
			f.Fix = fmt.Sprintf("{gravity} %.4g,%.4g,%.4g", v[0], v[1], v[2])
			f.Repair = Repair{Settings: []Setting{{Key: "gravity", Value: fmt.Sprintf("[%.5g, %.5g, %.5g]", v[0], v[1], v[2])}}}
			if first := rec.robot.Links[rec.joints[0].link]; rec.isRevolute(0) && first.Antecedent < 0 && about(first.Placement, g, v) {
				f.Group = []string{Gravity, Offset}
				f.Why += fmt.Sprintf("; or the zero of joint %s is off by that angle, because gravity would be turned about the axis of that joint", rec.joints[0].name)
				f.Fix += "; or, if a spirit level shows that the base is mounted right, correct that zero"
			}
			t.Extend(cols)
			return f, true
		},
		overrules: true,
	}}
}

// aboutAxis is the least cosine between a rotation of gravity and an axis for which the rotation counts as one about
// that axis.
const aboutAxis = 0.95

// about reports whether gravity is rotated about the z axis of a joint's frame. A tilted base then looks the same as a
// zero of that joint.
func about(frame robot.Transform, from, to [3]float64) bool {
	turn := spatial.Cross(from, to)
	z := [3]float64{frame.R[0][2], frame.R[1][2], frame.R[2][2]}
	return math.Abs(spatial.Dot(turn, z)) > aboutAxis*math.Sqrt(spatial.Dot(turn, turn))
}
