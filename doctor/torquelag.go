package doctor

import (
	"fmt"
	"ident/internal/projection"
	"math"
)

// Limits on lags of torques behind the motion.
const (
	// Part of the joint's residual sum of squares that a lag must explain, and for a warning: friction with a
	// memory turns a torque's phase too, by up to half of the sum of squares on measured logs.
	lagShare = 0.2
	lagClear = 0.6
	// A lag must be at least this part of a sample, found to a tenth.
	lagLeast = 0.7
	// Uncertainty of a lag from one reversal, of a sample: the step of friction falls anywhere between two
	// samples, 1/√12 of one, and an encoder that hardly counts there moves it by as much.
	lagDoubt = 0.3
	// Contribution of a lag to the torque, of its RMS.
	lagEffect = 0.0005
	// Search of lags, s.
	lagSearch = 0.15
	lagStep   = 0.01
)

// torqueLag is the delay of a joint's torque behind the motion, s.
type torqueLag struct {
	lag, sd float64
	seen    bool // a shift of the torque in time can be seen at all
}

// lagOf finds by how much the joint's torque comes late: y(t) = W(t - lag)·χ. To first order a lag adds
// -lag·dy/dt, a column like any other; larger ones are searched in steps first, well inside the quarter
// period of the low-pass within which first order leads to the right place.
func lagOf(tr *torqueRows, f *jointFit, interval float64) torqueLag {
	j := f.joint
	lag, least := 0.0, projection.Dot(f.rest, f.rest)
	for k := 1; float64(k)*lagStep <= lagSearch; k++ {
		for _, l := range []float64{float64(k) * lagStep, -float64(k) * lagStep} {
			r := f.basis.Residual(f.masked(tr.torque(j, l)))
			if s := projection.Dot(r, r); s < 0.8*least {
				lag, least = l, s
			}
		}
	}
	var found torqueLag
	settled := false
	for range 10 {
		rest := f.basis.Residual(f.masked(tr.torque(j, lag)))
		g, ok := added(&f.basis, rest, f.rows, projection.Inflation(rest), f.masked(tr.slope(j, lag)))
		if !ok {
			return found
		}
		found.seen, found.sd = true, math.Hypot(g.sd, lagDoubt*interval/math.Sqrt(float64(max(tr.reversals(j), 1))))
		step := -g.coef[0]
		// Half a search step keeps a doubtful column from running away.
		lag += math.Max(math.Min(step, lagStep/2), -lagStep/2)
		if settled = math.Abs(step) < 1e-2*tr.interval(); settled {
			break
		}
	}
	// A thin motion has no quarter period in which to come to rest, and shows no lag.
	if math.Abs(lag) > lagSearch || !settled {
		return torqueLag{sd: found.sd}
	}
	found.lag = lag
	return found
}

// reversals counts those of a joint.
func (tr *torqueRows) reversals(j int) int {
	n, last := 0, 0.0
	for _, v := range tr.dq[j] {
		if v*last < 0 {
			n++
		}
		if v != 0 {
			last = v
		}
	}
	return n
}

// commonLag is the weighted mean of the joints' lags, if they agree: a bus or a filter delays all torques
// alike, and all joints together determine by how much.
func commonLag(lags []torqueLag) (lag, sd float64, ok bool) {
	var sum, weight float64
	n := 0
	for _, l := range lags {
		if l.seen && l.sd > 0 {
			sum += l.lag / (l.sd * l.sd)
			weight += 1 / (l.sd * l.sd)
			n++
		}
	}
	if n < 3 {
		return 0, 0, false
	}
	lag, sd = sum/weight, 1/math.Sqrt(weight)
	chi2 := 0.0
	for _, l := range lags {
		if l.seen && l.sd > 0 {
			chi2 += (l.lag - lag) * (l.lag - lag) / (l.sd * l.sd)
		}
	}
	return lag, sd, chi2 < 3*float64(n-1)
}

// removeLags reports lags that are worth their correction, and takes those alone out of the fits.
func removeLags(rec *recording, tr *torqueRows, fits []*jointFit) (found findings) {
	dt := rec.clock.Median
	lags := make([]torqueLag, len(fits))
	for j, f := range fits {
		if f != nil {
			lags[j] = lagOf(tr, f, dt)
		}
	}
	common, commonSD, agreed := commonLag(lags)
	agreed = agreed && math.Abs(common) > lagLeast*dt && math.Abs(common) > 5*commonSD
	for j, o := range fits {
		l := lags[j]
		if agreed {
			l.lag, l.sd = common, commonSD
		}
		if !l.seen || math.Abs(l.lag) < lagLeast*dt || math.Abs(l.lag) < 5*l.sd {
			continue
		}
		before := projection.Dot(o.rest, o.rest)
		y := o.masked(tr.torque(o.joint, l.lag))
		r := o.basis.Residual(y)
		after := projection.Dot(r, r)
		effect := math.Sqrt(math.Max(before-after, 0)/float64(o.rows)) / o.size()
		// One delay of all torques needs no further proof from each.
		if !agreed && (1-after/before < lagShare || effect < lagEffect) {
			continue
		}
		left := projection.Norm(r) / projection.Norm(y)
		if left > 2*leftOver {
			continue
		}
		j := rec.joints[o.joint]
		f := rec.about(LagTorque, Warning, j.effort)
		f.Value, f.Limit = l.lag, lagLeast*dt
		f.Where = "the whole log"
		late := pick(l.lag > 0, "behind", "ahead of")
		f.Why = fmt.Sprintf("%s runs %.4g s (%.2f samples, 95 %% interval %.2f to %.2f) %s the motion: with that the model leaves %.2g %% of it unexplained, without %.2g %%; it was filtered or sampled apart from the positions",
			j.effort.name, math.Abs(l.lag), math.Abs(l.lag)/dt, math.Abs(l.lag)/dt-1.96*l.sd/dt, math.Abs(l.lag)/dt+1.96*l.sd/dt, late,
			100*left, 100*math.Sqrt(before)/projection.Norm(y))
		f.Fix = fmt.Sprintf("ident check --fix FILE writes a log with %s moved by %.6g s", j.effort.name, -l.lag)
		f.Repair = Repair{Edits: []Edit{{Channel: j.effort.name, Advance: l.lag}}}
		if left > leftOver || !agreed && 1-after/before < lagClear {
			f.Severity = Info
		} else {
			o.setTorque(y)
		}
		found.add(f)
	}
	return found
}
