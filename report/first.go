package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/internal/digits"
	"ident/result"
)

// firstScreen is the first screen of the page: can the result be used?
type firstScreen struct {
	Motion      string // logs and their length
	Errors      []headline
	Unseen      string // why there is no validation
	Bodies      string
	Remarks     []string // advice that fails, where reasons leave it room
	JointsTitle string
	Joints      []jointBar
	JointsNote  string
	Greyed      string // links of the drawing whose parameters are not known, empty for none
	TorqueTitle string
	Unused      string // legend of the shaded stretches, empty for none
	FileLacks   string // parameters that the robot file does not give
	Figure      string // name of the torque plot of the joint that is explained least
}

// headline is one error of all joints together.
type headline struct{ Value, Where string }

// jointBar is a joint's share of unexplained torque. Width and Tick are in per cent of the bar; Tick is for the training
// motion if Width is for another, empty for none.
type jointBar struct {
	Joint, Unit, Error, RMSE, Width, Tick string

	Level result.Level // level of the joint's torque, "" where joints were not graded
	Not   string       // "weak" or "unknown" parameters of its link, empty for known ones
}

// newFirstScreen fills the first screen.
func newFirstScreen(res *result.Result, runs []result.ResidualRun, plots []Plot) firstScreen {
	f := firstScreen{Motion: motionWords(res, runs), Errors: headlines(res), Bodies: bodiesWords(res)}
	if len(res.Grade.Reasons) < 2 {
		f.Remarks = remarks(res)
		f.Remarks = f.Remarks[:min(len(f.Remarks), shownReasons)]
	}
	e, seen := judged(res)
	if res.Validation == nil {
		f.Unseen = "no log was held back from the fit: give one to validate"
	}
	f.JointsNote = "share of each joint's torque that is not explained, on " + seen
	if res.Validation != nil {
		f.JointsNote += "; the mark: on the training motion"
	}
	shown := worstJoints(res, e, summaryJoints)
	f.JointsTitle = "Residual by joint"
	if len(shown) < len(res.Joints) {
		f.JointsTitle = fmt.Sprintf("Residual by joint, the worst %d of %d", len(shown), len(res.Joints))
	}
	for _, j := range shown {
		share := at(e.RelativeError.Joints, j)
		if !e.Relates(j) {
			share = 0
		}
		bar := jointBar{Joint: res.Joints[j], Unit: unit(res, j), Error: errorWords(e, j, unit(res, j)), RMSE: digits.Number(at(e.RMSE, j), 3), Width: width(share)}
		if res.Validation != nil {
			bar.Tick = width(at(res.Fit.RelativeError.Joints, j))
		}
		if j < len(res.JointGrades) {
			g := res.JointGrades[j]
			if bar.Level = g.Torque; g.Parameters != result.Known {
				bar.Not = string(g.Parameters)
			}
		}
		f.Joints = append(f.Joints, bar)
	}
	if names := unknownLinks(res); len(names) > 0 {
		f.Greyed = "grey: this motion determines nothing of the bodies of the links moved by " + clean(strings.Join(names, ", "))
	}
	f.Unused = unusedWords(runs)
	if slices.ContainsFunc(runs, func(r result.ResidualRun) bool { return restOfJoints(&r, res) != nil }) {
		f.Unused = strings.TrimPrefix(f.Unused+", joint at rest, left out", ", ")
	}
	lacks := 0
	for _, b := range res.BaseParameters {
		if !b.HasPrior {
			lacks++
		}
	}
	if lacks > 0 {
		f.FileLacks = fmt.Sprintf("without %d that it lacks", lacks)
	}
	f.TorqueTitle = "Torques"
	if j, ok := leastExplained(res); ok {
		if len(res.Joints) == 1 {
			f.TorqueTitle = fmt.Sprintf("%s of the %s of %s is left, %s %s", errorWords(e, j, unit(res, j)), effortWord(unit(res, j)), clean(res.Joints[j]), digits.Number(at(e.RMSE, j), 3), unit(res, j))
		} else {
			f.TorqueTitle = fmt.Sprintf("%s is explained least: %s of its %s is left, %s %s",
				clean(res.Joints[j]), errorWords(e, j, unit(res, j)), effortWord(unit(res, j)), digits.Number(at(e.RMSE, j), 3), unit(res, j))
		}
		for _, p := range plots {
			if p.Group == GroupTorque && strings.HasPrefix(p.Name, torqueName(j)) && !strings.HasSuffix(p.Name, closeUpSuffix) {
				f.Figure = p.Name
			}
		}
	}
	return f
}

// unknownLinks returns the joints that move links without any known parameter.
func unknownLinks(res *result.Result) []string {
	var names []string
	for _, g := range res.JointGrades {
		if g.Parameters == result.Unknown {
			names = append(names, g.Name)
		}
	}
	return names
}

// judged returns the errors to expect, and the motion on which they were measured.
func judged(res *result.Result) (*result.Errors, string) {
	if res.Validation != nil {
		return &res.Validation.Errors, res.Validation.Motion()
	}
	return &res.Fit, "the training motion"
}

// headlines returns the errors of all joints together; the error to expect on other motion comes first.
func headlines(res *result.Result) []headline {
	var out []headline
	if v := res.Validation; v != nil {
		out = append(out, headline{errorWords(&v.Errors, -1, unit(res, 0)), "on " + v.Motion()})
	} else if d := res.Diagnosis; d != nil && d.CrossValidation != nil {
		part := "stretches"
		if d.CrossValidation.By == "run" {
			part = "runs"
		}
		out = append(out, headline{leftOutWords(res, d.CrossValidation.Percent), "on " + part + " left out"})
	}
	out = append(out, headline{errorWords(&res.Fit, -1, unit(res, 0)), "on the training motion"})
	return out
}

// leastExplained returns the joint with the largest relative error.
func leastExplained(res *result.Result) (joint int, ok bool) {
	e, _ := judged(res)
	worst := worstJoints(res, e, 1)
	if len(worst) == 0 || !(at(e.RelativeError.Joints, worst[0]) > 0) || !e.Relates(worst[0]) {
		return 0, false
	}
	return worst[0], true
}

// worstJoints returns at most most joints, those with the largest relative errors, in the robot's order.
func worstJoints(res *result.Result, e *result.Errors, most int) []int {
	shown := make([]int, len(res.Joints))
	for j := range shown {
		shown[j] = j
	}
	share := func(j int) float64 {
		if !e.Relates(j) {
			return 0
		}
		return at(e.RelativeError.Joints, j)
	}
	if len(shown) > most {
		slices.SortStableFunc(shown, func(a, b int) int {
			return cmp.Compare(share(b), share(a))
		})
		shown = shown[:most]
		slices.Sort(shown)
	}
	return shown
}

// width returns a share in percent of a bar, as an attribute.
func width(percent float64) string {
	if math.IsNaN(percent) {
		return "0"
	}
	return digits.Fixed(math.Max(0, math.Min(100, percent)), 1)
}

// motionWords counts joints, logs and seconds.
func motionWords(res *result.Result, runs []result.ResidualRun) string {
	train, check := 0, 0
	for _, l := range res.Logs {
		if l.Role == "train" {
			train++
		} else {
			check++
		}
	}
	s := count(len(res.Joints), "joint") + " · " + count(train, "log") + seconds(runs, true)
	if check > 0 {
		s += " · " + count(check, "validation log") + seconds(runs, false)
	}
	return s
}

// seconds returns the total compared time of the runs of a role, without the cut ends.
func seconds(runs []result.ResidualRun, train bool) string {
	total := 0.0
	for _, run := range runs {
		if n := len(run.T); n > 1 && (run.Role == "train") == train && finite(run.T[n-1]-run.T[0]) {
			total += run.T[n-1] - run.T[0]
		}
	}
	if total <= 0 {
		return ""
	}
	return ", " + digits.Number(total, 3) + " s"
}

// bodiesWords reports whether bodies can have the parameters.
func bodiesWords(res *result.Result) string {
	switch p := res.Possibility; {
	case res.Consistency != nil:
		for _, d := range res.Selection {
			if d.Decision == "physically-consistent" {
				return "possible, as chosen"
			}
		}
		return "possible, as demanded"
	case p != nil && p.Possible:
		return "possible"
	case p != nil && len(p.Impossible) > 0:
		of := ""
		if res.Bodies != nil {
			of = fmt.Sprintf(" of %d", max(len(res.Bodies.Links), len(p.Impossible)))
		}
		return fmt.Sprintf("%d%s infeasible, nearest feasible set %s σ away", len(p.Impossible), of, digits.Number(p.DistanceSigma, 2))
	case p != nil:
		return fmt.Sprintf("nearest feasible set %s σ away", digits.Number(p.DistanceSigma, 2))
	case res.PhysicallyConsistent:
		return "possible"
	case len(res.Impossible) > 0:
		return fmt.Sprintf("%d impossible", len(res.Impossible))
	}
	return "not judged"
}

// unusedWords returns the legend of the stretches without measured samples, empty without any.
func unusedWords(runs []result.ResidualRun) string {
	var words []string
	add := func(w string) {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	for i := range runs {
		for _, d := range runs[i].Doubtful {
			add(d.Why)
		}
		if gaps, _ := gapsOf(&runs[i]); len(gaps) > 0 {
			add("gap or left out")
		}
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}
