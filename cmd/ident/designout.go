package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"ident/cmd/ident/internal/trajectory"
	"ident/excite"
	"ident/identify/elastic"
	"ident/identify/project"
	"ident/internal/output"
)

// document states a design as JSON.
func (j *designJob) document(opt *designOptions, res *excite.Result) *trajectory.Design {
	q := &j.problem
	doc := &trajectory.Design{Schema: "ident.design/1", Robot: identityOf(j.Robot), Output: opt.out[0], Outputs: opt.out,
		Condition: trajectory.Condition{Scaled: finite(res.ConditionScaled), Raw: finite(res.ConditionRaw)},
		Criterion: res.Criterion.Text(), Value: finite(res.Value), Violations: res.Violations, Margins: res.Margins,
		Defaults: append(slices.Clone(j.notes), res.Defaults...), Unexcited: res.Unexcited, Notes: res.Notes, Parameters: j.Set.Count() - len(res.Unexcited),
		Shape: opt.shape, Pieces: q.Pieces, Segments: opt.segments, Period: q.Period, Stopped: res.Stopped, Evals: res.Evaluations, Seconds: res.Seconds}
	doc.LimitSources = excite.LimitSources(res.Limits)
	if doc.Defaults == nil {
		doc.Defaults = []string{}
	}
	if opt.shape == "fourier" {
		doc.Harmonics = opt.harmonics
	}
	for _, t := range j.Terms {
		doc.Terms = append(doc.Terms, string(t))
	}
	for _, path := range opt.out {
		if low := strings.ToLower(path); !strings.HasSuffix(low, ".md") && !strings.HasSuffix(low, ".svg") && !strings.HasSuffix(low, ".html") && (!project.IsJSON(path) || strings.HasSuffix(low, ".ros.json")) {
			doc.Rate = opt.rate
		}
	}
	if l := opt.program; l != nil {
		doc.Rate = l.Rate(opt.rate)
		doc.Notes = append(slices.Clip(doc.Notes), l.Notes(res.Trajectory, excite.ProgramOptions{Rate: opt.rate, Limits: res.Limits})...)
	}
	for _, x := range res.Distances {
		doc.Distances = append(doc.Distances, trajectory.Distance{Constraint: x.Constraint, Of: x.Of, Value: x.Value, Limit: x.Limit, Unit: x.Unit, At: x.At})
	}
	for k, sigma := range res.Deviations {
		col := j.Set.Columns[j.Set.Base[k]]
		x := trajectory.Prediction{Name: j.Set.Name(k), Expression: j.Set.Relation(k).Expression, Unit: col.Unit, Sigma: finite(sigma)}
		if q.Values != nil {
			x.Value = finite(q.Values[k])
		}
		if j.before != nil {
			x.Before = finite(j.before[k])
		}
		doc.Predicted = append(doc.Predicted, x)
	}
	for _, d := range res.Weak {
		doc.Weakest = append(doc.Weakest, j.weak(d))
	}
	return doc
}

// limitsText says where the limits of a motion come from, as lines of a comment.
func limitsText(doc *trajectory.Design) []string {
	lines := []string{output.Mark}
	for _, s := range doc.LimitSources {
		lines = append(lines, "limit of "+s)
	}
	return lines
}

// weak names a direction and the motion that shows it.
func (j *designJob) weak(d excite.Direction) trajectory.Weakness {
	w := trajectory.Weakness{Deviation: d.Deviation, Before: finite(d.Before)}
	var terms []string
	for _, p := range d.Parts {
		w.Parameters = append(w.Parameters, trajectory.Weight{Name: j.Set.Name(p.Column), Weight: p.Weight})
		terms = append(terms, fmt.Sprintf("%+.2g·%s", p.Weight, j.Set.Name(p.Column)))
	}
	names := project.JointNames(j.Robot)
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.Share[b], d.Share[a]) })
	var show []string
	for _, i := range order {
		// A joint that contributes less than a tenth is not worth naming.
		if d.Share[i] < 0.1 {
			break
		}
		w.Joints = append(w.Joints, trajectory.Share{Joint: names[i], Share: d.Share[i]})
		show = append(show, fmt.Sprintf("%s (%.0f %%)", names[i], 100*d.Share[i]))
	}
	w.Text = strings.TrimPrefix(strings.Join(terms, " "), "+")
	if len(show) > 0 {
		w.Text += ": shown by the torque of " + strings.Join(show, ", ")
	}
	if w.Before != nil {
		w.Text += fmt.Sprintf("; deviation %.3g of before", d.Deviation/d.Before)
	}
	return w
}

// write writes one output, as its extension says.
func (j *designJob) write(path string, opt *designOptions, doc *trajectory.Design, res *excite.Result) error {
	low := strings.ToLower(path)
	m := res.Trajectory
	if l := opt.program; l != nil {
		return output.Write(path, func(w io.Writer) error {
			return excite.WriteProgram(w, *l, m, excite.ProgramOptions{Rate: opt.rate, Limits: res.Limits, About: limitsText(doc)})
		})
	}
	switch {
	case strings.HasSuffix(low, ".ros.yaml"), strings.HasSuffix(low, ".ros.json"):
		return output.Write(path, func(w io.Writer) error {
			return excite.WriteROS(w, m, opt.rate, res.Limits, project.IsJSON(path), limitsText(doc)...)
		})
	case strings.HasSuffix(low, ".film.svg"):
		var bodies []excite.Capsule
		if j.problem.SelfCollision || len(j.problem.KeepOuts) > 0 {
			bodies = j.problem.Capsules
		}
		const frames = 10
		return marked(path, "svg", func(w io.Writer) error { return excite.Filmstrip(w, m, j.Robot, bodies, res.KeepOuts, frames) })
	case strings.HasSuffix(low, ".svg"):
		return marked(path, "svg", func(w io.Writer) error { return excite.Preview(w, m, res.Limits) })
	case strings.HasSuffix(low, ".html"):
		page := project.TrajectoryPage{Robot: j.Robot, Result: res, Tip: j.problem.Tip, Search: j.search, Command: j.command}
		return output.Write(path, page.Write)
	case strings.HasSuffix(low, ".md"):
		return marked(path, "md", func(w io.Writer) error { return trajectory.WriteMarkdown(w, doc) })
	}
	var further []project.Column
	if doc.Dither != nil {
		further = doc.Dither.Columns()
	}
	return project.WriteTrajectory(path, m, j.Robot, opt.rate, doc.LimitSources, further...)
}

// marked writes a file of a format, with ident's mark at its end.
func marked(path, format string, produce func(io.Writer) error) error {
	return output.Write(path, func(w io.Writer) error {
		if err := produce(w); err != nil {
			return err
		}
		_, err := io.WriteString(w, output.Comment(format))
		return err
	})
}

// dither adds the torques that shake the springs of a robot with elastic joints, or says why there are none.
func (j *designJob) dither(doc *trajectory.Design, m excite.Motion) {
	if !elastic.HasElasticJoint(j.Robot) {
		return
	}
	d, err := elastic.DesignDither(j.Robot, m)
	if err != nil {
		doc.Notes = append(doc.Notes, "no multisine that shows the stiffness: "+err.Error())
		return
	}
	doc.Dither = d
	rate := doc.Rate
	if rate == 0 { // coefficients alone
		rate = math.Inf(1)
	}
	doc.Notes = append(doc.Notes, d.Notes(j.Robot, rate, doc.Margins)...)
}
