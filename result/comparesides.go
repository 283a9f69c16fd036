package result

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/estimate"
	"ident/internal/rowlist"
	"ident/robot"
)

// sameFrames is the difference of two placements, rad and m, that rounding of a robot file's digits explains.
const sameFrames = 1e-5

// sameRobot returns an error if the standard parameters of two sides belong to different bodies. It compares the links
// one by one, by the joint that moves them and the placement of their frame, in which the parameters are given.
func sameRobot(ref, s *Side) error {
	a, b := ref.Robot, s.Robot
	if a == b {
		return nil
	}
	for _, side := range [][2]*Side{{ref, s}, {s, ref}} {
		for _, name := range side[0].Robot.JointNames() {
			if slices.Contains(side[1].Robot.JointNames(), name) {
				continue
			}
			for _, l := range side[1].Robot.Lumped {
				if l.Joint == name {
					return fmt.Errorf("%w: joint %q moves in %s and is locked in %s, where the links on its two sides are one body", ErrNotComparable, name, side[0].Name, side[1].Name)
				}
			}
		}
	}
	if len(a.Links) != len(b.Links) {
		return fmt.Errorf("%w: %s has %s, %s %d", ErrNotComparable, ref.Name, rowlist.Plural(len(a.Links), "link"), s.Name, len(b.Links))
	}
	for j := range a.Links {
		p, q := &a.Links[j], &b.Links[j]
		switch {
		case p.Joint.Name != q.Joint.Name:
			return fmt.Errorf("%w: joint %d is %q in %s, %q in %s", ErrNotComparable, j+1, p.Joint.Name, ref.Name, q.Joint.Name, s.Name)
		case p.Antecedent != q.Antecedent:
			return fmt.Errorf("%w: joint %q is on another link in %s than in %s", ErrNotComparable, p.Joint.Name, s.Name, ref.Name)
		case far(p.Placement, q.Placement):
			return fmt.Errorf("%w: the frame of joint %q lies elsewhere in %s than in %s, so their parameters are about other points", ErrNotComparable, p.Joint.Name, s.Name, ref.Name)
		}
	}
	return nil
}

// far reports whether two placements differ by more than the digits of a robot file.
func far(a, b robot.Transform) bool {
	for i := range 3 {
		if math.Abs(a.P[i]-b.P[i]) > sameFrames {
			return true
		}
		for k := range 3 {
			if math.Abs(a.R[i][k]-b.R[i][k]) > sameFrames {
				return true
			}
		}
	}
	return false
}

// describe returns the head of a side.
func (s *Side) describe(ref *Side) ComparedSide {
	out := ComparedSide{Name: s.Name, RobotFile: s.Result == nil}
	if s.Result == nil {
		return out
	}
	r := s.Result
	out.Robot = r.Robot.Name
	for _, l := range r.Logs {
		if l.Role == "train" {
			out.Runs++
		}
	}
	if v := r.Validation; v != nil && v.Relates(-1) {
		out.Held = &v.RelativeError
	}
	out.Model, out.Estimator, out.Terms, out.Grade, out.Filter = r.Model, r.Estimator, r.Terms, r.Grade.Value, r.Processing.FilterText()
	out.Fit, out.Condition = &r.Fit.RelativeError, &r.Condition
	if !r.Fit.Relates(-1) {
		out.FitRMSE, out.FitUnit = r.Fit.Size(), r.unit(0)
	}
	if s.Result == ref.Result {
		return out
	}
	out.SharesData = sharesData(ref.Result, r)
	kept := map[string]bool{}
	for _, c := range ref.Set.Base {
		kept[ref.Set.Columns[c].Name] = true
	}
	for k, c := range s.Set.Base {
		if !kept[s.Set.Columns[c].Name] {
			out.Only = append(out.Only, s.Set.Name(k))
		}
	}
	return out
}

// sharesData reports whether rows of one log trained both results.
func sharesData(a, b *Result) bool {
	for _, x := range a.Logs {
		for _, y := range b.Logs {
			if x.Role == "train" && y.Role == "train" && sameFile(x, y) && x.First < y.Last && y.First < x.Last {
				return true
			}
		}
	}
	return false
}

// sameFile reports whether two logs are the same: by content if both results know it, otherwise by name.
func sameFile(a, b LogInfo) bool {
	if a.SHA256 != "" && b.SHA256 != "" {
		return a.SHA256 == b.SHA256 && a.Name == b.Name // the runs of one file have names of their own
	}
	return a.Name == b.Name
}

// estimate returns base parameter k of the reference as estimated by the side; column is the standard parameter that it
// keeps.
func (p *projected) estimate(k int, s *Side, column string) SideEstimate {
	if p.why[k] != "" {
		return SideEstimate{Missing: p.why[k]}
	}
	e := SideEstimate{Value: p.value[k], Sigma: math.Sqrt(max(variance(p, k, k), 0))}
	e.Low95, e.High95 = e.Value, e.Value
	if s.Result == nil {
		return e
	}
	t := estimate.StudentQuantile(p.freedom[k])
	e.Low95, e.High95 = e.Value-t*e.Sigma, e.Value+t*e.Sigma
	j := slices.IndexFunc(s.Set.Base, func(c int) bool { return s.Set.Columns[c].Name == column })
	if j < 0 {
		e.Mapped = true
		return e
	}
	b := s.Result.BaseParameters[j]
	e.Removed, e.FromPrior = b.Removed, b.PriorDecided
	if e.Mapped = b.Value != e.Value; !e.Mapped {
		e.Sigma, e.Low95, e.High95 = b.Sigma, b.Low95, b.High95 // intervals under constraints are not symmetric
	}
	return e
}

// sharedLogs lists the validation runs that every result has on the same rows.
func (c *Comparison) sharedLogs(sides []Side) {
	ref := sides[0].Result
	if ref.Validation == nil {
		return
	}
	for _, run := range ref.Validation.Runs {
		info, ok := ref.validated(run.Log)
		if !ok {
			continue
		}
		row := ComparedLog{Log: run.Log, SameFilter: true}
		others := 0
		for i := range sides {
			e, same := sides[i].on(info, ref)
			row.Errors = append(row.Errors, e)
			row.SameFilter = row.SameFilter && (e == nil || same)
			if i > 0 && e != nil {
				others++
			}
		}
		if others > 0 {
			c.Logs = append(c.Logs, row)
		}
	}
}

// Hold replaces the logs of a comparison by logs on which every side was validated, each through the filter of the
// reference. validations must have one entry a side, with the same runs in the same order.
func (c *Comparison) Hold(validations []*Validation) {
	c.Logs = nil
	for i, run := range validations[0].Runs {
		row := ComparedLog{Log: run.Log, SameFilter: true}
		for _, v := range validations {
			row.Errors = append(row.Errors, &v.Runs[i].Errors)
		}
		c.Logs = append(c.Logs, row)
	}
}

// validated returns the log of a validation run.
func (res *Result) validated(name string) (LogInfo, bool) {
	for _, l := range res.Logs {
		if l.Role == "validate" && l.Name == name {
			return l, true
		}
	}
	return LogInfo{}, false
}

// on returns the errors of a side on the rows of a log, and whether the reference's filter was used.
func (s *Side) on(log LogInfo, ref *Result) (*Errors, bool) {
	if s.Result == nil || s.Result.Validation == nil {
		return nil, false
	}
	for i := range s.Result.Validation.Runs {
		run := &s.Result.Validation.Runs[i]
		l, ok := s.Result.validated(run.Log)
		if ok && sameFile(l, log) && l.First == log.First && l.Last == log.Last {
			a, b := &s.Result.Processing, &ref.Processing
			return &run.Errors, a.Cutoff == b.Cutoff && a.Decimate == b.Decimate && a.Order == b.Order
		}
	}
	return nil, false
}

// NotCompared returns the base parameters of the reference that a side does not determine, grouped by reason as "NAME,
// NAME: reason", in the order of the parameters.
func (c *Comparison) NotCompared(side int) []string {
	var whys []string
	names := map[string][]string{}
	for _, p := range c.Parameters {
		if why := p.Sides[side].Missing; why != "" {
			if names[why] == nil {
				whys = append(whys, why)
			}
			names[why] = append(names[why], p.Name)
		}
	}
	var out []string
	for _, why := range whys {
		out = append(out, strings.Join(names[why], ", ")+": "+why)
	}
	return out
}
