package doctor

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"ident/doctor/internal/projection"
	"ident/doctor/internal/trialfit"
	"ident/internal/hint"
)

// fewestWhole is the span of whole numbers from which they are taken for raw numbers of a drive: a position, a torque or a current that
// is rounded to its unit has fewer values.
const fewestWhole = 50

// whole returns the least and the largest value of a channel without a unit that holds whole numbers alone, of a span of
// fewestWhole or more.
func (rec *recording) whole(c *channel) (least, largest float64, ok bool) {
	if c.unit != "" {
		return 0, 0, false
	}
	least, largest = math.Inf(1), math.Inf(-1)
	for _, w := range rec.windows {
		for _, v := range w.cols[c.index] {
			if math.IsNaN(v) {
				continue
			}
			if v != math.Trunc(v) {
				return 0, 0, false
			}
			least, largest = min(least, v), max(largest, v)
		}
	}
	return least, largest, largest-least >= fewestWhole
}

// encoderCounts doubts whole numbers beyond any angle, and beyond the millimetres of any slide: they are counts of an encoder. c has the kind,
// the severity and the place of the finding; the counts of a turn are those of the next power of two, half of which is the middle, if no
// count is negative.
func (rec *recording) encoderCounts(f *Finding, c *channel) bool {
	const turn = 400 // degrees of a joint that turns once, and a little more
	revolute, beyond := rec.isRevolute(c.joint), float64(turn)
	if !revolute {
		beyond = longestSlide / 1e-3
		if limit := rec.limitOf(c); limit > 0 {
			beyond = 2 * beyondPosition * limit / 1e-3
		}
	}
	least, largest, ok := rec.whole(c)
	if !ok || max(-least, largest) <= beyond {
		return false
	}
	f.ID, f.Severity, f.Where, f.Value = Units, Error, "the whole log", largest
	f.Why = fmt.Sprintf("%s holds whole numbers from %g to %g: they are counts of an encoder", c.name, least, largest)
	if !revolute {
		f.Hint = fmt.Sprintf("declare them, {scale} %s=M_PER_COUNT with the metres of a count and {zero} %s=ZERO with the count of the joint's zero; the data sheet has the first", hint.Word(c.name), hint.Word(c.name))
		return true
	}
	step, zero := "2π/COUNTS", "ZERO"
	if n := math.Exp2(math.Ceil(math.Log2(largest + 1))); least >= 0 && n >= 256 && n <= 1<<24 {
		step, zero = strconv.FormatFloat(2*math.Pi/n, 'g', 6, 64), strconv.FormatFloat(n/2, 'f', 0, 64)
		f.Hint = fmt.Sprintf("declare them, for example {scale} %s=%s {zero} %s=%s for %g counts a turn with the middle as zero; the data sheet has both", hint.Word(c.name), step, hint.Word(c.name), zero, n)
		return true
	}
	f.Hint = fmt.Sprintf("declare them, {scale} %s=%s with the counts of a turn and {zero} %s=%s with the count of the joint's zero", hint.Word(c.name), step, hint.Word(c.name), zero)
	return true
}

// rawEffort doubts whole numbers of a torque beyond the joint's limit, or of a current beyond any drive of a joint: they are counts,
// thousandths, or parts of a rating. A channel that is named as a load is doubted too, unless loadsInSI.
func rawEffort(rec *recording, j joint, loadsInSI func() bool) (f Finding, ok bool) {
	c := j.effort
	least, largest, whole := rec.whole(c)
	size := max(-least, largest)
	name := strings.ToLower(c.name)
	in := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
	}
	part := in("percent", "%") || in("load") && !in("tau", "torque", "effort") && !loadsInSI() // a load torque is one in N·m
	beyond := c.role == current && size > 100 || c.role == torque && rec.limitOf(c) > 0 && size > rec.limitOf(c)
	if !part && (!whole || !beyond) || c.unit != "" {
		return f, false
	}
	f = rec.about(Units, Warning, c)
	f.Where, f.Value = "the whole log", size
	switch {
	case part:
		f.Value = max(-rec.stats(c).min, rec.stats(c).max)
		f.Why = fmt.Sprintf("%s is a load up to %.4g by its name: per cent, or thousandths, of a rating", c.name, f.Value)
		f.Hint = fmt.Sprintf("{scale} %s=RATING/100, or RATING/1000, with the rated torque of joint %s in N·m from the data sheet", hint.Word(c.name), j.name)
	case c.role == current:
		f.Why = fmt.Sprintf("%s holds whole numbers up to %g: it is in mA, or in counts of the drive", c.name, size)
		f.Hint = fmt.Sprintf("{units} %s=mA, or {scale} %s=A_PER_COUNT from the data sheet", hint.Word(c.name), hint.Word(c.name))
	default:
		f.Why = fmt.Sprintf("%s holds whole numbers up to %g, beyond the joint's limit: counts of the drive, or thousandths of a rating", c.name, size)
		f.Hint = fmt.Sprintf("{scale} %s=NM_PER_COUNT from the data sheet: RATING/1000 for thousandths of the rated torque, 0.001 for mN·m", hint.Word(c.name))
	}
	return f, true
}

// asFiled bounds the factors, as a ratio, between torques in N·m and those of the robot file's bodies. Per cent of a rating from 83 to 120 N·m are as
// near to N·m.
const asFiled = 1.2

// loadsInSI reports whether the robot file's bodies explain the torques as they are logged. The name of such a channel says nothing of its unit.
func (rec *recording) loadsInSI() bool {
	by, ok := rec.torqueFactor(true)
	return ok && by <= asFiled && by >= 1/asFiled
}

// torqueFactor returns the factor between the torques of revolute joints, or the forces of slides, and those of the robot file's bodies with friction
// of each joint: the median of those joints, half of all and two at least, that show their bodies. It is false if one of them has another
// factor.
func (rec *recording) torqueFactor(revolute bool) (factor float64, ok bool) {
	x, m := rec.fileValues(), rec.motion()
	if x == nil || len(m.T) < fewest {
		return 0, false
	}
	model, x := rec.models.Predicting(x)
	predicted := trialfit.Predict(model, x, m.Q, m.DQ, m.DDQ)
	var factors []float64
	asked := 0
	for i, j := range rec.joints {
		if j.effort == nil || j.effort.role != torque || rec.isRevolute(j.effort.joint) != revolute {
			continue
		}
		asked++
		var y, h, dq, ddq, sign, one []float64
		w := 0
		for k, t := range m.T {
			for w+1 < len(rec.windows) && rec.windows[w+1].t[0] <= t {
				w++
			}
			at := rec.windows[w]
			row := min(sort.SearchFloat64s(at.t, t), len(at.t)-1)
			if v := at.cols[j.effort.index][row]; !math.IsNaN(v+predicted[i][k]) && !math.IsInf(v+predicted[i][k], 0) {
				y, h, one = append(y, v), append(h, predicted[i][k]), append(one, 1)
				dq, ddq, sign = append(dq, m.DQ[i][k]), append(ddq, m.DDQ[i][k]), append(sign, math.Tanh(m.DQ[i][k]/max(m.SDQ[i], slowestMotion)))
			}
		}
		if len(y) < fewest {
			continue
		}
		friction := projection.Basis{Rows: len(y)}
		friction.Offer(dq, sign, ddq, one)
		both := friction.Residuals(y, h)
		own, of := projection.Norm(both[0]), projection.Norm(both[1])
		if r := projection.Dot(both[0], both[1]); !(r > fileBelieved*own*of) {
			continue
		}
		factors = append(factors, projection.Dot(both[0], both[1])/(of*of))
	}
	if 2*len(factors) < asked || len(factors) < 2 {
		return 0, false
	}
	slices.Sort(factors)
	factor = factors[len(factors)/2]
	return factor, factors[0] > factor/asFiled && factors[len(factors)-1] < factor*asFiled
}

// surelyNearer is how many times farther, as a ratio, the second of the units must be from a factor than the nearest.
const surelyNearer = 4

// torqueUnits returns the unit of all torques, or forces of slides, by the bodies of the robot file, and the factor; "" if a second unit is nearly as
// near. The last result is false if they say nothing, or the torques are in SI.
func (rec *recording) torqueUnits(revolute bool) (name string, factor float64, ok bool) {
	factor, ok = rec.torqueFactor(revolute)
	if !ok || factor <= asFiled && factor >= 1/asFiled {
		return "", factor, false
	}
	nearest, second := math.Inf(1), math.Inf(1)
	for _, unit := range unitNames(torque, revolute) {
		if d := math.Abs(math.Log(factor * si(unit))); d < nearest {
			name, nearest, second = unit, d, nearest
		} else if d < second {
			second = d
		}
	}
	if nearest > math.Log(asFiled) {
		return "", factor, false
	}
	if second < surelyNearer*nearest {
		name = ""
	}
	return name, factor, true
}
