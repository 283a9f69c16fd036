package doctor

import (
	"fmt"
	"math"

	"ident/doctor/internal/projection"
	"ident/doctor/internal/trialfit"
)

// Limits on lags of torques behind the motion.
const (
	// The parts of the joint's residual sum of squares that a lag must explain to be reported, and to be a warning.
	// Friction with memory shifts a torque's phase too, by up to half of the sum of squares on measured logs.
	lagShare = 0.2
	lagClear = 0.6
	// The least lag in samples, determined to a tenth of a sample.
	lagLeast = 0.7
	// The part of a lag that must remain when friction with memory is fitted too.
	lagBeside = 0.5
	// The least contribution of a lag to the torque, relative to its RMS.
	lagEffect = 0.0005
)

// removeLags reports lags worth correcting, and removes only those from the fits.
func removeLags(rec *recording, tr *trialfit.Rows, fits []*trialfit.Joint) (found findings) {
	dt := rec.clock.Median
	lags := make([]trialfit.Lag, len(fits))
	for j, f := range fits {
		if f != nil {
			lags[j] = f.Lag(tr, dt)
		}
	}
	found.keep(unseenLags(lags, dt))
	common, commonSD, agreed := trialfit.CommonLag(lags)
	agreed = agreed && math.Abs(common) > lagLeast*dt && math.Abs(common) > 5*commonSD
	for j, o := range fits {
		l := lags[j]
		if agreed {
			l.Seconds, l.SD = common, commonSD
		}
		if !l.Seen || math.Abs(l.Seconds) < lagLeast*dt || math.Abs(l.Seconds) < 5*l.SD {
			continue
		}
		if !agreed && !l.Coarse && l.Share < lagShare/2 {
			continue // no lag within the search explains twice as much as the best
		}
		everywhere := true
		if !agreed {
			l, everywhere = tr.LagBetweenReversals(o.Index, l, lagLeast*dt)
		}
		before := projection.Dot(o.Rest, o.Rest)
		y := o.Masked(tr.Torque(o.Index, l.Seconds))
		r := o.Basis.Residual(y)
		after := projection.Dot(r, r)
		effect := math.Sqrt(math.Max(before-after, 0)/float64(o.Rows)) / o.Size()
		// If all torques have the same delay, each needs no further proof.
		if !agreed && (1-after/before < lagShare || effect < lagEffect) {
			continue
		}
		left := projection.Norm(r) / projection.Norm(y)
		if everywhere && !agreed {
			beside := tr.LagBesideMemory(o.Index)
			everywhere = math.Abs(beside.Seconds) >= max(lagLeast*dt, 5*beside.SD) && beside.Seconds/l.Seconds >= lagBeside
		}
		unclear := left > leftOver || !agreed && (1-after/before < lagClear || !everywhere)
		if left > 2*leftOver || unclear && l.Coarse && !agreed {
			continue
		}
		j := rec.joints[o.Index]
		f := rec.about(LagTorque, Warning, j.effort)
		f.Value, f.Limit = l.Seconds, lagLeast*dt
		f.Where = "the whole log"
		late := pick(l.Seconds > 0, "behind", "ahead of")
		f.Why = fmt.Sprintf("%s runs %.4g s (%.2f samples, 95 %% interval %.2f to %.2f) %s the motion: the model leaves %.2g %% with that, %.2g %% without; it was filtered, or sampled by another clock",
			j.effort.name, math.Abs(l.Seconds), math.Abs(l.Seconds)/dt, math.Abs(l.Seconds)/dt-1.96*l.SD/dt, math.Abs(l.Seconds)/dt+1.96*l.SD/dt, late,
			100*left, 100*math.Sqrt(before)/projection.Norm(y))
		f.Fix = fmt.Sprintf("{mend} writes a log with %s moved by %.6g s", j.effort.name, -l.Seconds)
		f.Repair = Repair{Edits: []Edit{{Channel: j.effort.name, Advance: l.Seconds}}}
		if unclear {
			f.Severity, f.Repair = Info, Repair{}
			f.Fix = fmt.Sprintf("change nothing unless %s is known to be delayed: friction with a memory, and joints that stick at reversals, look the same; a faster motion distinguishes them", j.effort.name)
		} else {
			o.SetTorque(y)
		}
		found.add(f)
	}
	return found
}
