package doctor

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/doctor/internal/projection"
	"ident/doctor/internal/trialfit"
)

// Requirements for a hypothesis about a torque to become a finding. Real drives deviate from the model: the effect must
// be clear of noise, explain a good part of the residual, and matter relative to the torque.
const (
	// Standard deviations, of correlated residuals. With Gaussian residuals none of some thirty hypotheses on each of
	// seven joints and twenty logs exceeds five by chance; eight leave room for other distributions, and for a
	// correlation known from a few hundred rows.
	sureEnough = 8.0
	// The largest part of a torque that may remain for a finding to be more than Info: if the model leaves more, an
	// apparent lag may be missing friction.
	leftOver = 0.05
	// The largest size of a single cause, relative to the torque: a larger sensor offset would show in the torque
	// itself.
	maxOfTorque = 1.5
)

// checkTorques compares torques with the model: joint by joint first, then all joints together. It also returns what is
// measured of their excess without causes, the rows and the joints' fits, nil if the torques could not be fitted. before holds the findings so far, outliers the rows of
// single wrong values.
func checkTorques(ctx context.Context, rec *recording, outliers []int, before findings) (found, measured findings, t *trialfit.Stacked, fits []*trialfit.Joint) {
	if reason, fix, hint := motionDoubted(rec, before); reason != "" {
		f := skipped(torqueChecks, reason, fix)
		f.Hint = hint
		return findings{f}, nil, nil, nil
	}
	if rec.robot.Closed() {
		// Torques of closed loops need their multipliers; the model has no row for each joint.
		return findings{skipped(torqueChecks, "the robot has closed loops: its passive joints have no torque equation each", "fit the log and look at the residuals")}, nil, nil, nil
	}
	tr, reason := trialRows(ctx, rec, outliers, before.held(rec))
	if tr == nil {
		return findings{skipped(torqueChecks, reason, "a longer log, with all channels of the joints that move")}, nil, nil, nil
	}
	if tr.Part < 1 {
		found.add(skipped(fmt.Sprintf("torques were compared with the model in %.0f %% of the rows, in pieces spread over the log:", 100*tr.Part), fmt.Sprintf("all rows of %d joints would take too long", len(rec.joints)), "{rows} LOG:FIRST-LAST checks all rows of a part"))
	}
	coarse, hidden := coarseMotion(rec, tr, before)
	if hidden {
		return findings{skippedFor(torqueChecks, "repair the motion first", coarse)}, nil, nil, nil
	}
	fits = make([]*trialfit.Joint, len(rec.joints))
	for j := range rec.joints {
		if ctx.Err() != nil || tr.Y[j] == nil || projection.RMS(tr.Y[j]) == 0 || before.distrust(rec.joints[j]) {
			continue
		}
		if f := trialfit.NewJoint(tr, j); f != nil && f.Size() > 0 {
			fits[j] = f
		}
	}
	found.add(skippedJoints(rec, tr, fits, before)...)
	if coarse != nil { // steps bend the motion where it turns: errors alone stand out of that
		all := checkTogether(ctx, rec, trialfit.NewStacked(ctx, tr, fits), make([]frictionPower, len(fits)), nil, before)
		for _, f := range all {
			if f.Severity == Error {
				found.add(f)
			}
		}
		found.add(skippedFor("lags, scales, couplings and drift were not checked:", "the motion is in doubt first", coarse))
		return found, nil, nil, nil
	}
	measured = measureExcess(ctx, rec, tr, fits)
	found.add(removeLags(rec, tr, fits)...)
	power := make([]frictionPower, len(fits))
	coupled := map[trialfit.Pair]bool{}
	for j, f := range fits {
		if f != nil {
			power[j] = powerOfFriction(rec, tr, f)
			found.add(explain(rec, tr, f, coupled)...)
		}
	}
	t = trialfit.NewStacked(ctx, tr, fits)
	return checkTogether(ctx, rec, t, power, found, before), measured, t, fits
}

// unsteady is the part of the intervals that may deviate from the median by a quarter of it and by jitterLeast before
// positions count as badly timed. An error of a millisecond turns the phase by 4° at the 10 Hz cut-off, and by less than
// 0.5° for motion below 1 Hz.
const (
	unsteady    = 0.05
	jitterLeast = 1e-3 // s
)

// maxHeld is the largest part of held rows that may be left out: interpolation bridges gaps of a row or two far above
// the band of the motion.
const maxHeld = 0.2

// Position steps hide the accelerations if they are tooCoarse times the size that is reported, and if their noise in the
// band of the fits is coarsePart of the accelerations.
const (
	tooCoarse  = 50
	coarsePart = 0.25
)

// stepNoise returns the noise that positions in steps leave in accelerations of a band, in Hz: rounding to steps of s is white noise
// of s/√12 at the log's rate f; a part 2b/f of its power lies in the band up to b, and its acceleration has (2πb)⁴/5 of that.
func stepNoise(step, interval, band float64) float64 {
	return step * math.Sqrt(2*band*interval/12/5) * math.Pow(2*math.Pi*band, 2)
}

// coarseMotion returns the finding of coarse position steps, or nil, and whether the steps hide the accelerations.
func coarseMotion(rec *recording, tr *trialfit.Rows, before findings) (coarse *Finding, hidden bool) {
	band := math.Min(trialfit.Band, 0.2/rec.clock.Median)
	for i, f := range before {
		if !f.tooCoarse() {
			continue
		}
		coarse = &before[i]
		j := slices.IndexFunc(rec.joints, func(j joint) bool { return j.q != nil && j.q.name == f.Channel })
		noise := stepNoise(f.Value, rec.clock.Median, band)
		if j >= 0 && noise > coarsePart*projection.RMS(tr.FDDQ[j]) {
			return coarse, true
		}
	}
	return coarse, false
}

// tooCoarse reports whether a finding is about steps that bend the motion.
func (f *Finding) tooCoarse() bool { return f.ID == Quantised && f.Value > tooCoarse*f.Limit }

// coarsest returns the first finding of positions whose steps bend the motion, or nil.
func (f findings) coarsest() *Finding {
	if i := slices.IndexFunc(f, func(x Finding) bool { return x.tooCoarse() }); i >= 0 {
		return &f[i]
	}
	return nil
}

// motionDoubted returns the finding that makes torque checks meaningless, with its fix and its hint, or "". Torques are not checked
// then, because a wrong clock or a position in degrees looks like any fault of any torque.
func motionDoubted(rec *recording, before findings) (reason, fix, hint string) {
	for _, f := range before {
		doubted := false
		switch {
		case f.ID == ImpossibleScale, f.ID == ClockRate, f.ID == ClockBackward, f.ID == TimeJump, f.ID == ClockRepeat && f.Value > 0.01*float64(rec.t.Len()),
			// If more rows than maxHeld were held, the motion between them is unknown.
			f.ID == Dropout && f.Channel == rec.roles.T && f.Severity == Warning && f.Value > maxHeld:
			doubted = true
		case f.ID == ClockJitter && f.Channel == rec.roles.T && f.Severity == Warning && f.Value > unsteady:
			doubted = true // rows in another order than their times
		case f.ID == Units || f.ID == Dead && f.Severity == Error || f.ID == Stuck || f.ID == Copied || f.ID == GearRatio || f.ID == Wrapped || f.ID == Held && f.Severity != Info:
			for _, j := range rec.joints {
				doubted = doubted || j.q != nil && j.q.name == f.Channel
			}
		}
		if doubted {
			return fmt.Sprintf("the motion is in doubt first (%s of %s)", f.ID, f.Channel), f.Fix, f.Hint
		}
	}
	if rec.clock.Uniform {
		return "", "", ""
	}
	// A clock whose rate changes once is steady before and after: only short runs of such intervals count.
	off, run := 0, 0
	last, was := rec.t.At(0), 0.0
	away := func(x, y float64) bool { return math.Abs(x-y) > max(0.25*rec.clock.Median, jitterLeast) }
	end := func() {
		if away(was, rec.clock.Median) && run < fewest {
			off += run
		}
		run = 0
	}
	rec.t.Each(func(first int, part []float64) {
		for i, t := range part {
			if first+i > 0 {
				if d := t - last; away(d, was) {
					end()
					was = d
				}
				run++
			}
			last = t
		}
	})
	end()
	if float64(off) > unsteady*float64(rec.t.Len()) {
		return fmt.Sprintf("%.0f %% of the intervals are off the clock's by a quarter and more, which pairs torques with other motions", 100*float64(off)/float64(rec.t.Len())), "log the controller's own time stamps", ""
	}
	return "", "", ""
}

// distrust reports whether a joint's channels are damaged throughout, so that the model cannot judge them.
func (f findings) distrust(j joint) bool { return f.damage(j) != nil }

// damage returns the finding that makes a joint's channels untrustworthy, or nil.
func (f findings) damage(j joint) *Finding {
	for i, x := range f {
		if x.Joint != j.name || x.Severity == Info {
			continue
		}
		if x.ID == Units || x.ID == Saturated || x.ID == Wrapped || x.ID == Stuck || x.ID == Copied || x.unsigned || x.Severity == Error && x.ID == Dead || x.ID == Dropout && x.Value > pick(x.bridged(), maxHeld, zeroShare) {
			return &f[i]
		}
	}
	return nil
}

// hypothesis is a possible reason for the residual of a joint's own fit.
type hypothesis struct {
	cols    [][]float64
	share   float64       // of the residual sum of squares that it must explain
	least   float64       // effect that makes it worth a finding, of the torque's RMS
	couples trialfit.Pair // the joints whose drives it couples, of sign 0; zero for others
	finding func(g trialfit.Gain) Finding
}

// explain looks for the reasons of the residual of a joint's own fit, the best first, and adds their columns to the fit.
// coupled holds the joint pairs found to be coupled; explain adds to it.
func explain(rec *recording, tr *trialfit.Rows, f *trialfit.Joint, coupled map[trialfit.Pair]bool) (found findings) {
	if projection.Norm(f.Rest) < 1e-6*projection.Norm(f.Y) {
		return nil // exact data leave nothing to explain
	}
	open := slices.Concat(couplings(rec, tr, f, coupled), drifts(rec, tr, f), steps(rec, tr, f))
	for range 2 {
		best, at := trialfit.Gain{}, -1
		sets, least := make([][][]float64, len(open)), make([]float64, len(open))
		for i, h := range open {
			sets[i], least[i] = h.cols, h.share
		}
		gains, ok := f.AddedEach(sets, least)
		for i, h := range open {
			g, ok := gains[i], ok[i]
			// If the residual stays large, the hypothesis is not a clear reason.
			if after := math.Sqrt(1-g.Share) * projection.Norm(f.Rest); after > 2*leftOver*projection.Norm(f.Y) {
				continue
			}
			// Nor is it if it exceeds the torque and the model cancels most of it.
			if ok && len(h.cols) == 1 && math.Abs(g.Coef[0])*projection.Norm(h.cols[0]) > maxOfTorque*projection.Norm(f.Y) {
				continue
			}
			if ok && g.Share > h.share && g.Sure > sureEnough && g.Effect > h.least*f.Size() && (at < 0 || g.Score > best.Score) {
				best, at = g, i
			}
		}
		if at < 0 {
			break
		}
		h := open[at]
		found.add(h.finding(best))
		if h.couples != (trialfit.Pair{}) {
			coupled[h.couples] = true
		}
		f.Extend(h.cols)
		open = slices.Delete(open, at, at+1)
	}
	return found
}
