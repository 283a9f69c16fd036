package doctor

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"ident/doctor/internal/projection"
	"ident/doctor/internal/trialfit"
	"ident/judge"
)

// Excess says what was measured of the torques beside a named cause. A grade follows from the excess: a cause explains it, and makes no
// grade where there is none.
type Excess string

// Excesses, as in documents.
const (
	ExcessMeasured Excess = "measured"
	ExcessNone     Excess = "none"
)

const (
	// excessOver is the least mean square of a residual over that of its noise, in ln: what chance makes of a few hundred rows is less.
	excessOver = 0.2
	// excessPart is the part of the torque's changes that is neither explained nor noise from which a fit is doubtful. Sound logs of six
	// simulated robots have at most 0.005, of a Panda, a UR10e and a drive 0.047 (friction that warms up, and laws that the model lacks).
	excessPart = 0.055
	// excessLargest is the part of the largest torque of the robot that it must be as well: the sensor of a wrist resolves no less, and the
	// limits of effort in robot files are often placeholders.
	excessLargest = 0.01
)

// measureExcess returns what a free fit of all joints leaves of each torque above its noise. It knows no causes: whatever may explain the
// excess is another finding.
func measureExcess(ctx context.Context, rec *recording, tr *trialfit.Rows, fits []*trialfit.Joint) (found findings) {
	t := trialfit.NewStacked(ctx, tr, fits)
	if t == nil || t.Rows < 3*t.Basis.Rank() {
		return nil
	}
	if len(t.Joints) > 1 && slices.ContainsFunc(t.Joints, func(o *trialfit.Joint) bool {
		j := rec.joints[o.Index]
		return j.effort.role == current && j.gain == 0
	}) {
		return nil // currents without gains have a scale of their own each, which no fit of all joints knows
	}
	n := len(tr.T)
	lag := judge.Lag / math.Min(trialfit.Band, 0.2/rec.interval())
	freedom := float64(t.Rows) / float64(t.Rows-t.Basis.Rank())
	largest := 0.0
	for _, o := range t.Joints {
		largest = max(largest, o.Size())
	}
	for k, o := range t.Joints {
		rest, later := make([]float64, 0, n), make([]float64, 0, n)
		var torque projection.Moments
		for i := range n {
			if o.Lost[i] {
				continue
			}
			rest = append(rest, t.Rest[k*n+i]/t.Weights[k])
			at := math.NaN()
			for m := i + 1; m < n && tr.T[m]-tr.T[i] < 1.5*lag; m++ {
				if tr.T[m]-tr.T[i] > 0.75*lag {
					if !o.Lost[m] {
						at = t.Rest[k*n+m] / t.Weights[k]
					}
					break
				}
			}
			later = append(later, at)
			torque.Add(o.Y[i])
		}
		if torque.Rows < fewest {
			continue
		}
		var mean, squares float64
		torque.Join(torque.Rows, &mean, &squares)
		changes := math.Sqrt(squares / float64(torque.Rows))
		s, floor := freedom*judge.Squares(rest, nil), judge.Floor(rest, later)
		if !(floor > 0) || !(changes > 0) || !(s > floor) {
			continue
		}
		over, left := math.Log(s/floor), math.Sqrt(s-floor)
		if over < excessOver || left < excessPart*changes || left < excessLargest*largest {
			continue
		}
		f := rec.about(Unexplained, Warning, rec.joints[o.Index].effort)
		f.Value, f.Limit, f.Where = left/changes, excessPart, "the whole log"
		f.Why = fmt.Sprintf("%.2g %% of the changes of %s are neither explained by any bodies and friction of this robot nor noise, which is %.2g %%",
			100*left/changes, rec.joints[o.Index].effort.name, 100*math.Sqrt(floor)/changes)
		f.Fix = "look at what the check finds beside it, at the joint's residual over time and position, and at the robot file"
		found.add(f)
	}
	// A fault of one joint leaves a part of itself at its neighbours.
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(b.Value, a.Value) })
	return found
}

// unlessExplained returns findings after their trials, with what was measured of an excess whose causes were all refuted by them.
func (f findings) unlessExplained(measured findings) findings {
	if slices.ContainsFunc(f, func(x Finding) bool {
		return x.Severity != Info && (x.ID == Unexplained || x.Excess == ExcessMeasured || x.replaces || x.slipped)
	}) {
		return f
	}
	return append(f, measured...)
}

// ofExcess returns findings about torques with what was measured of their excess: causes where there is one, which then explain it, or the
// excess alone. A grade follows from the excess, whether a cause has a name or not.
func (f findings) ofExcess(measured findings) findings {
	named := slices.ContainsFunc(f, func(x Finding) bool { return x.Severity != Info })
	if !named {
		return append(f, measured...)
	}
	for i := range f {
		if !f[i].replaces {
			f[i].Excess = pick(len(measured) > 0, ExcessMeasured, ExcessNone)
		}
	}
	return f
}
