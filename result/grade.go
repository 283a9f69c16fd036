package result

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/internal/findingkind"
)

// Level says how usable a result is.
type Level string

// The levels, the best first.
const (
	Sound    Level = "sound"    // nothing was found against it
	Doubtful Level = "doubtful" // usable with the reasons in mind
	Unusable Level = "unusable" // its parameters or its torques are wrong
)

// rank returns the order of a level, 0 for the best; an unknown one counts as the best.
func (l Level) rank() int { return slices.Index([]Level{Sound, Doubtful, Unusable}, l) }

// Grade says whether the result can be used. Torques and parameters are graded separately: poorly known parameters may
// still predict torques well.
type Grade struct {
	Value   Level    `json:"value"`   // the worse of the grades of parameters and torques
	Reasons []Reason `json:"reasons"` // reasons for both, the weightiest first
	// Torques grades the predicted torques. Only they can be unusable.
	Torques PartGrade `json:"torques,omitzero"`
	// Parameters are doubtful at worst; without a value if only torques were judged.
	Parameters PartGrade `json:"parameters,omitzero"`
	// Bodies is nil if the result has none.
	Bodies *BodiesGrade `json:"bodies,omitempty"`
}

// Parts describes the grades of torques and parameters, and the state of the bodies, in a few words; "" if they were not
// graded separately.
func (g Grade) Parts() string {
	var s []string
	if g.Torques.Value != "" {
		s = append(s, "torques "+string(g.Torques.Value))
	}
	if g.Parameters.Value != "" {
		s = append(s, "parameters "+string(g.Parameters.Value))
	}
	if g.Bodies != nil {
		s = append(s, "bodies "+strings.ReplaceAll(string(g.Bodies.Value), "-", " "))
	}
	return strings.Join(s, ", ")
}

// PartGrade is the grade of torques or of parameters. Value is "" if it was not judged, as in results of version 0.3.0.
type PartGrade struct {
	Value   Level    `json:"value"`
	Reasons []Reason `json:"reasons"` // the weightiest first
}

// A Reason against a result. ID is that of a verdict or of a finding about the logs.
type Reason struct {
	ID    string `json:"id"`
	Why   string `json:"why"`             // one sentence
	Fix   string `json:"fix"`             // the setting or the experiment that cures it
	Makes Level  `json:"makes,omitempty"` // the best level that a result with this reason has
}

// Finding is a finding of the check of the logs, reduced to what a result's reader needs.
type Finding struct {
	ID       string `json:"id"`
	Severity string `json:"severity"` // "error", "warning" or "info"
	Log      string `json:"log"`
	Joint    string `json:"joint,omitempty"`
	Why      string `json:"why"`
	Fix      string `json:"fix,omitempty"`
	// Excess is "measured" or "none" of a finding that names a cause of what torques have above their noise: the excess makes the grade,
	// whatever its cause. It is "" of other findings.
	Excess string `json:"excess,omitempty"`
}

// BrokenSeal is the id of the reason against a result whose document was changed after it was written.
const BrokenSeal = "broken-seal"

// With returns the grade with a further reason.
func (g Grade) With(r Reason) Grade {
	out := GradeFor(append(slices.Clone(g.Reasons), r))
	for _, l := range []Level{g.Value, r.Makes} { // of a document that was changed, the grade may be none of its reasons'
		if l.rank() > out.Value.rank() {
			out.Value = l
		}
	}
	if g.Parameters.Value == "" {
		out.Parameters = PartGrade{}
	}
	out.Bodies = g.Bodies
	return out
}

// GradeOf returns the grade that follows from failing verdicts and findings.
func GradeOf(verdicts []Verdict, findings []Finding) Grade {
	var reasons []Reason
	for _, v := range verdicts {
		if !v.Pass && v.Makes != "" {
			reasons = append(reasons, Reason{ID: v.ID, Why: v.Why, Fix: v.Fix, Makes: v.Makes})
		}
	}
	return GradeFor(append(reasons, findingReasons(findings)...))
}

// TorqueGradeOf returns the grade if only torques were judged, as on logs with which a finished result is compared.
func TorqueGradeOf(verdicts []Verdict) Grade {
	g := GradeOf(verdicts, nil)
	g.Parameters = PartGrade{}
	return g
}

// GradeFor returns the grade that follows from reasons.
func GradeFor(reasons []Reason) Grade {
	g := Grade{Value: worst(reasons), Reasons: append([]Reason{}, reasons...)}
	for i := range g.Reasons {
		if g.Reasons[i].ID == "controller" { // of a law that is not the log's all else is a consequence
			g.Reasons[i].Makes = g.Value
		}
	}
	slices.SortStableFunc(g.Reasons, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(b.Makes.rank(), a.Makes.rank()), cmp.Compare(place(a.ID), place(b.ID)))
	})
	torques, parameters := []Reason{}, []Reason{}
	for _, r := range g.Reasons {
		// What makes a result unusable counts against its torques.
		if r.Makes == Unusable || !slices.Contains(ofParameters, r.ID) {
			torques = append(torques, r)
		}
		if !slices.Contains(ofTorques, r.ID) {
			r.Makes = Doubtful
			parameters = append(parameters, r)
		}
	}
	g.Torques = PartGrade{Value: worst(torques), Reasons: torques}
	g.Parameters = PartGrade{Value: worst(parameters), Reasons: parameters}
	return g
}

// worst returns the level that reasons leave.
func worst(reasons []Reason) Level {
	l := Sound
	for _, r := range reasons {
		if r.Makes.rank() > l.rank() {
			l = r.Makes
		}
	}
	return l
}

// ofParameters lists reasons that do not count against the torques, unless they make the result unusable. ofTorques
// lists those that do not count against the parameters. All others count against both: if the model leaves torques
// unexplained, its parameters have absorbed a part of that.
var (
	ofParameters = []string{"impossible", "friction-sign", "motion-noise", "motion-cutoff", "weak-parameters", "condition-number", "drive-gains", "known-values", "stiffness-unsure", "velocity-law"}
	ofTorques    = []string{"expected-error", "replay"}
)

// place orders reasons of one level: a cause before its consequences, because fixing it fixes them. What the settings of a fit contradict
// comes first, then findings, then verdicts, then findings that a fit mends by itself, then all others.
func place(id string) int {
	order := slices.Concat([]string{"controller", "known-values"},
		findingkind.IDs(func(t findingkind.Traits) bool { return !t.Mended }),
		[]string{"motion-cutoff", "motion-noise", "friction-sign", "torque-error", "validation-error", "cross-validation", "runs-agree", "generalisation", "expected-error", "joint-error", "impossible",
			"condition-number", "weak-parameters"},
		findingkind.IDs(func(t findingkind.Traits) bool { return t.Mended }))
	if at := slices.Index(order, id); at >= 0 {
		return at
	}
	return len(order)
}

// findingReasons returns the findings that affect the parameters, grouped by kind.
func findingReasons(findings []Finding) []Reason {
	var out []Reason
	joints := map[string][]string{}
	for _, f := range findings {
		makes := Doubtful
		switch {
		case f.Excess == "none":
			continue
		case f.Severity == "error" && f.Excess == "":
			makes = Unusable
		case f.Severity == "info" || f.Excess == "" && findingkind.Of(f.ID).Mended:
			continue // a remark, or something that a fit mends and that torques do not contradict
		}
		if f.Joint != "" && !slices.Contains(joints[f.ID], f.Joint) {
			joints[f.ID] = append(joints[f.ID], f.Joint)
		}
		i := slices.IndexFunc(out, func(r Reason) bool { return r.ID == f.ID })
		if i < 0 {
			out = append(out, Reason{ID: f.ID, Why: f.Why, Fix: f.Fix, Makes: makes})
		} else if makes.rank() > out[i].Makes.rank() {
			out[i].Makes = makes
		}
	}
	for i := range out {
		if others := joints[out[i].ID]; len(others) > 1 {
			out[i].Why += fmt.Sprintf(" (the same on %s)", enumerateNames(others[1:]))
		}
	}
	return out
}

func enumerateNames(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	s := names[0]
	for _, n := range names[1 : len(names)-1] {
		s += ", " + n
	}
	return s + " and " + names[len(names)-1]
}

// judgeJoints looks for joints whose torque the model does not explain. A relative error alone says little: a wrist that
// carries 0.3 N·m besides sensor offsets may show 50 % and be as good as possible. So a joint's error must exceed both
// the limit in per cent and the part of its drive's rated torque that a drive resolves. Without a rating in the file, a
// part of the largest torque of all joints of its kind replaces the latter.
func (res *Result) judgeJoints(l Limits, add func(id string, value, limit float64, why string) *Verdict) {
	e, floors := res.judgedErrors(), res.torqueFloors(l)
	worst, joint := 0.0, -1
	for k, rel := range e.RelativeError.Joints {
		if k < len(e.RMSE) && e.RMSE[k] > floors[k] && rel > worst && e.Relates(k) {
			worst, joint = rel, k
		}
	}
	// The largest error beside the rated torque of its joint, however noisy the torques are. It is larger than the torque itself, too: files have
	// ratings that the measured torques exceed.
	over, beyond := 0.0, -1
	for k, rated := range res.RatedTorque {
		if k < len(e.RMSE) && rated > 0 && e.RMSE[k] > max(1, over)*rated && at(e.RelativeError.Joints, k) > 100 {
			over, beyond = e.RMSE[k]/rated, k
		}
	}
	why := "each joint's torque is explained, or its error is small beside its drive"
	if joint >= 0 {
		why = fmt.Sprintf("%.3g %% of the torque of %s (%.3g %s) is not explained", worst, res.joint(joint), e.RMSE[joint], res.unit(joint))
	}
	if beyond >= 0 && 100*over > worst {
		worst = 100 * over
		why = fmt.Sprintf("the error of %s (%.3g %s) is above the rated torque of its drive", res.joint(beyond), e.RMSE[beyond], res.unit(beyond))
	}
	v := add("joint-error", worst, l.JointErrorPercent, why)
	v.Makes, v.Fix = Doubtful, "compare other friction terms ({terms}), and look at the residuals of the joint over velocity and position"
}

// torqueFloors returns, by joint, the errors that are negligible for its drive, N·m or N.
func (res *Result) torqueFloors(l Limits) []float64 {
	e := res.judgedErrors()
	largest := map[string]float64{}
	for k := range e.RMSE {
		if rel := at(e.RelativeError.Joints, k); rel > 0 {
			unit := res.unit(k)
			largest[unit] = max(largest[unit], 100*e.RMSE[k]/rel)
		}
	}
	floors := make([]float64, max(len(res.Joints), len(e.RMSE), len(e.RelativeError.Joints)))
	for k := range floors {
		floors[k] = l.JointTorquePart * largest[res.unit(k)]
		if k < len(res.RatedTorque) && res.RatedTorque[k] > 0 {
			floors[k] = l.JointRatedPart * res.RatedTorque[k]
		}
	}
	return floors
}

func (res *Result) unit(k int) string {
	if k < len(res.JointUnits) {
		return res.JointUnits[k]
	}
	return "N·m"
}

func at(x []float64, k int) float64 {
	if k < len(x) {
		return x[k]
	}
	return 0
}

// payloadOf returns the link of the payload whose mass is the parameter of that name, and the mass; false if it is of no payload.
func (res *Result) payloadOf(name string) (link string, mass float64, ok bool) {
	for _, p := range res.Payloads {
		for _, x := range p.Parameters {
			if x.Name == name {
				return p.Link, x.Value, true
			}
		}
	}
	return "", 0, false
}

// judgeDrives looks for drive parameters significantly below zero, and for torques reversed as a whole: friction that
// generates power on most joints.
func (res *Result) judgeDrives(l Limits, add func(id string, value, limit float64, why string) *Verdict) {
	if len(res.DriveParameters) == 0 {
		return
	}
	// The sign of friction in each joint where it is beyond doubt.
	sign := map[string]int{}
	worst, name, joint := 0.0, "", ""
	for _, p := range res.DriveParameters {
		if d := -p.Deviations; d > worst {
			worst, name, joint = d, p.Name, p.Joint
		}
		switch {
		case !p.Friction || math.Abs(p.Deviations) < l.DriveDeviations:
		case p.Deviations > 0:
			sign[p.Joint] = 1
		case sign[p.Joint] == 0:
			sign[p.Joint] = -1
		}
	}
	negative := 0
	for _, s := range sign {
		if s < 0 {
			negative++
		}
	}
	why := "no friction, rotor inertia or spring is below zero by more than chance"
	if worst > l.DriveDeviations {
		why = fmt.Sprintf("%s of %s is %.3g standard deviations below zero, which no drive has", name, joint, worst)
	}
	fix := "use {physically-consistent} to keep it from going below zero; check whether the joint's torque sensor measures what its drive does"
	// A body that only the runs without it carry is the same model with the opposite sign, so the runs need no other fit.
	if link, mass, ok := res.payloadOf(name); ok && worst > l.DriveDeviations {
		why = fmt.Sprintf("the payload of %s has %.3g kg, %.3g standard deviations below zero: the runs that are said to carry it do not, and the others do", link, mass, worst)
		fix = "give {carries} the other runs"
	}
	v := add("friction-sign", worst, l.DriveDeviations, why)
	v.Makes, v.Fix = Doubtful, fix

	share := 0.0
	if n := len(sign); n > 0 {
		share = 100 * float64(negative) / float64(n)
	}
	why = "friction takes power from the joints"
	if share > l.TurnedPercent {
		why = fmt.Sprintf("friction gives power on %d of the %d joints where it is determined: the torques have the sign of the load, not of the drive", negative, len(sign))
	}
	v = add("sign", share, l.TurnedPercent, why)
	v.Makes, v.Fix = Unusable, "turn the sign of the torques (negative {gains}, or the channels of the log)"
}

// judgePossibility compares the distance of an unconstrained estimate from feasibility with chance. If the true
// parameters are feasible, the squared distance to the nearest feasible ones is at most that to the true ones. Its 95 %
// quantile, estimate.Solution.DistanceQuantile, is that of a chi-squared distribution if the residual variance is known,
// and larger if it comes from few time blocks. Within it physical.Chance has replaced distance and limit by closer ones.
//
// Feasible bodies in place of such an estimate do not make it right: the model or the data are wrong by as much. If the search for them did not
// end, a pose in which the inertia matrix is not positive definite proves a least distance, which is compared instead.
func (res *Result) judgePossibility(add func(id string, value, limit float64, why string) *Verdict) {
	p, m := res.Possibility, res.InertiaMatrix
	indefinite := m != nil && m.Indefinite()
	if p == nil {
		if !indefinite {
			return
		}
		p = &PossibleReport{DistanceSigma: m.DistanceSigma, LimitSigma: m.LimitSigma}
	}
	limit := p.LimitSigma
	if limit == 0 { // of a result of an earlier version
		limit = math.Sqrt(chiSquared95(float64(max(len(res.BaseParameters), 1))))
	}
	distance := p.DistanceSigma
	if p.Possible {
		distance = 0
	}
	why := "bodies that have these base parameters exist, or their absence may be chance"
	if distance > limit {
		why = fmt.Sprintf("no bodies have these base parameters: the nearest that do are %.3g standard deviations away", distance)
		if len(p.Impossible) > 0 {
			why = fmt.Sprintf("%s cannot exist as identified: the nearest feasible parameters are %.3g standard deviations away", few(p.Impossible), distance)
		}
		switch {
		case res.Possibility == nil:
			why = fmt.Sprintf("the inertia matrix is not positive definite in a pose: feasible parameters are at least %.3g standard deviations away", distance)
		case indefinite:
			why += "; the inertia matrix is not positive definite in every pose"
		}
	}
	fix := "{physically-consistent}"
	if res.Consistency != nil {
		fix = "look for what the model lacks: friction terms, gains, the zeros of the joints, the lengths of the robot file"
		if distance > limit {
			why = fmt.Sprintf("feasible bodies were chosen, but the data contradict them: the infeasible free estimate is %.3g standard deviations away, where chance explains %.3g", distance, limit)
		}
	}
	if len(res.bounded) > 0 { // without these values there are bodies
		fix = givenFix
	}
	v := add("impossible", distance, limit, why)
	v.Makes, v.Fix = Doubtful, fix
}

// few lists up to four names and counts the rest.
func few(names []string) string {
	const most = 4
	if len(names) <= most {
		return enumerate(names)
	}
	return fmt.Sprintf("%s and %d more together", strings.Join(names[:most], ", "), len(names)-most)
}

// chiSquared95 returns the 95 % quantile of the chi-squared distribution by the cube of a normal variable (Wilson and
// Hilferty 1931), accurate to 1 % from one degree of freedom on.
func chiSquared95(freedom float64) float64 {
	const normal95 = 1.6449
	c := 2 / (9 * freedom)
	return freedom * math.Pow(1-c+normal95*math.Sqrt(c), 3)
}
