package doctor

import (
	"fmt"
	"slices"
	"strings"
)

// Gravity on the ground is between 9.764 (Huascarán) and 9.834 m/s² (Arctic Ocean). standardGravity is what stands in their place.
const leastGravity, mostGravity, standardGravity = 9.76, 9.84, 9.80665

// gravitySize tries gravity of the size that it has on the ground where another is declared, and a warning says that torques and robot disagree. If the
// error falls and a warning goes with it, that size is the cause: it returns a finding of it, with those that an examination under the right
// size has too. Otherwise it returns the findings as they are.
func (m *mending) gravitySize(found findings) (findings, error) {
	g := m.robot.Gravity
	if m.opt.Gravity != nil {
		g = *m.opt.Gravity
	}
	size := norm3(g)
	if size == 0 || size >= leastGravity && size <= mostGravity || !slices.ContainsFunc(found, func(f Finding) bool { return f.Severity != Info }) {
		return found, nil
	}
	g = scaled(unit3(g), standardGravity)
	o := m.with(func(opt *Options) { opt.Gravity = &g })
	t := outcome(m.leftOut(m.cols), o.leftOut(m.cols))
	if t.Outcome != written || t.ErrorAfter > muchBetter*t.ErrorBefore {
		return found, nil
	}
	left := o.examined(m.cols)
	if o.fault != nil {
		return found, o.fault
	}
	excess := Excess("")
	kept := slices.DeleteFunc(slices.Clone(found), func(x Finding) bool {
		gone := x.Severity != Info && !slices.ContainsFunc(left, func(y Finding) bool { return x.ID == y.ID && x.Channel == y.Channel })
		if gone {
			excess = max(excess, x.Excess)
		}
		return gone
	})
	if len(kept) == len(found) {
		return found, nil
	}
	f := Finding{Excess: excess, ID: Gravity, Severity: Error, Value: size, Limit: pick(size < leastGravity, leastGravity, mostGravity), Where: "the whole log", Tried: t}
	f.Why = fmt.Sprintf("gravity is declared as %.4g m/s², which is nowhere on the ground: a fit leaves %.3g %% with it, and %.3g %% with %.4g", size, 100*t.ErrorBefore, 100*t.ErrorAfter, standardGravity)
	value := fmt.Sprintf("%.6g, %.6g, %.6g", g[0], g[1], g[2])
	f.Fix, f.Repair = "{gravity} "+strings.ReplaceAll(value, " ", ""), setting("gravity", "", "["+value+"]")
	if slices.Contains(m.opt.Pinned, "gravity") {
		f.Hint, f.Fix, f.Repair = "give gravity in m/s², "+f.Fix, "", Repair{}
	}
	return append(kept, f), nil
}
