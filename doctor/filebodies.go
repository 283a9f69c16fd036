package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/doctor/internal/projection"
	"ident/doctor/internal/trialfit"
	"ident/internal/hint"
	"ident/regressor"
)

// Limits on the evidence of the robot file's bodies. Files often hold placeholders or CAD figures without cables, covers
// and motors, so only gross contradictions count.
const (
	// The correlation of the file's prediction with the torque less friction from which the file is taken to describe
	// this robot.
	fileBelieved = 0.9
	// A ratio of the two that exceeds any error of a CAD model.
	fileFactor = 2.5
	// The largest ratio between the joints' factors: gains and gears of one arm differ by less.
	fileAlike = 8
	// The least part of a joint's torque that the bodies must produce.
	fileShare = 0.3
	// Standard deviations below zero of the acceleration energy at which the torques, not gravity, are reversed.
	turnedSure = 4.0
)

// fileBodies compares the scale of all torques with the bodies of the robot file: the one scale that the joints'
// equations alone cannot determine. before holds the findings of earlier stages.
func fileBodies(rec *recording, t *trialfit.Stacked, before findings) (f Finding, ok bool) {
	x := rec.fileValues()
	if x == nil {
		return f, false
	}
	tr := t.Equations
	m, x := rec.models.Predicting(x)
	pred := trialfit.Predict(m, x, tr.Q, tr.FDQ, tr.FDDQ)
	var factors []float64
	var first *trialfit.Joint
	for _, o := range t.Joints {
		j := o.Index
		if rec.joints[j].effort.role == current && rec.joints[j].gain == 0 {
			continue
		}
		friction := projection.Basis{Rows: len(tr.T)}
		ones := make([]float64, len(tr.T))
		for k := range ones {
			ones[k] = 1
		}
		friction.Offer(o.Masked(tr.FDQ[j]), o.Masked(tr.FSign[j]), o.Masked(tr.FDDQ[j]), o.Masked(ones))
		both := friction.Residuals(o.Y, o.Masked(pred[j]))
		y, h := both[0], both[1]
		if projection.Norm(y) < fileShare*projection.Norm(o.Y) {
			continue
		}
		r := projection.Dot(y, h) / (projection.Norm(y) * projection.Norm(h))
		if math.Abs(r) < fileBelieved {
			continue
		}
		if first == nil {
			first = o
		}
		factors = append(factors, projection.Dot(y, h)/projection.Dot(h, h))
	}
	// If fewer than half of the joints show it, the fault is at these joints and not in a unit.
	if len(factors) < 2 || 2*len(factors) < len(t.Joints)-1 {
		return f, false
	}
	slices.Sort(factors)
	lo, hi := factors[0], factors[len(factors)-1]
	if hi < -1/fileFactor && lo > -fileFactor {
		g := rec.robot.Gravity
		// Inertia distinguishes reversed torques from reversed gravity.
		if energy, sd := t.Energy(rec.models.WithGravity([3]float64{}).Select(t.Equations.Base)); energy < -turnedSure*sd {
			f = Finding{ID: Sign, Severity: Error, Value: factors[len(factors)/2], Limit: 1, Where: "the whole log", Fix: "{mend} writes a log with the sign of all torques reversed"}
			for _, o := range t.Joints {
				f.Repair.Edits = append(f.Repair.Edits, Edit{Channel: rec.joints[o.Index].effort.name, Scale: -1})
			}
			f.Why = fmt.Sprintf("all torques have the wrong sign: those that the robot file's bodies predict are opposite at %d joints, and the inertia of the whole robot would be negative", len(factors))
			return f, true
		}
		f = Finding{ID: Gravity, Severity: Error, Value: factors[len(factors)/2], Limit: 1, Where: "the whole log", ofFile: true}
		f.Why = fmt.Sprintf("the torques that the robot file's bodies predict are opposite to those of %d joints, whose friction has the right sign: gravity points the other way", len(factors))
		f.Fix = fmt.Sprintf("{gravity} %.4g,%.4g,%.4g", 0-g[0], 0-g[1], 0-g[2])
		f.Repair = setting("gravity", "", fmt.Sprintf("[%.5g, %.5g, %.5g]", 0-g[0], 0-g[1], 0-g[2]))
		return f, true
	}
	if !(lo > 0 && hi < fileAlike*lo && (hi < 1/fileFactor || lo > fileFactor)) || before.has(Units, rec.joints[first.Index].effort) {
		return f, false
	}
	if f, ok := inMilliamperes(rec, factors[len(factors)/2]); ok {
		return f, true
	}
	f = Finding{ID: CurrentAsTorque, Severity: Warning}
	f.Value, f.Limit, f.Where = factors[len(factors)/2], 1/fileFactor, "the whole log"
	f.Why = fmt.Sprintf("the torques of %d joints are %.3g to %.3g times what the robot file's bodies predict, in the same form: motor currents, motor-side torques or another unit",
		len(factors), lo, hi)
	f.Fix = "name them as motor currents, {map} i1=CHANNEL for each joint, with {gains}; or declare their unit with {units}"
	return f, true
}

// inMilliamperes says that all currents are in mA, if their torques by the gains are about a thousand times those of the file's bodies.
func inMilliamperes(rec *recording, factor float64) (f Finding, ok bool) {
	if math.Abs(math.Log(factor/1000)) > math.Log(fileFactor) {
		return f, false
	}
	f = Finding{ID: Units, Severity: Warning, Value: factor, Limit: 1, Where: "the whole log"}
	for _, j := range rec.joints {
		switch {
		case j.effort == nil:
			continue
		case j.effort.role != current || j.effort.declared() != 1:
			return f, false
		}
		r := unit(j.effort.name, "mA", 1e-3)
		f.Repair.Settings, f.Repair.Edits = append(f.Repair.Settings, r.Settings...), append(f.Repair.Edits, r.Edits...)
	}
	first := f.Repair.Edits[0].Channel
	f.Why = fmt.Sprintf("the torques by the currents and their gains are about %.3g times what the bodies of the robot file need: %s and the other currents are in mA", factor, first)
	f.Fix = fmt.Sprintf("{units} %s=mA, and so for the other currents", hint.Word(first))
	return f, true
}

// fileValues returns the parameters of the robot file's bodies, one per column of the model of all terms, or nil if the
// file has none. The load that the run carries, once weighed, is among them.
func (rec *recording) fileValues() []float64 {
	m := rec.models.Full()
	x := make([]float64, len(m.Columns()))
	any := false
	for c, col := range m.Columns() {
		if col.Term != regressor.Links || !rec.robot.Links[col.Link].HasInertial {
			continue
		}
		if v, ok := regressor.ValueOf(rec.robot, col); ok && v != 0 {
			x[c], any = v, true
		}
	}
	if !any {
		return nil
	}
	for c, col := range m.Columns() {
		if rec.carries != nil && col.Term == regressor.Links && col.Link == rec.carries.Link {
			x[c] += rec.load[col.Param]
		}
	}
	return x
}
