package design

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"ident/excite"
	"ident/identify/elastic"
	"ident/identify/project"
	"ident/internal/finite"
	"ident/internal/output"
	"ident/robot"
)

// A Design is a designed motion.
type Design struct {
	Document *Document
	Result   *excite.Result // with the motion
	Robot    *robot.Robot   // its joints locked and its loops assembled

	job  *job
	legs excite.Motion    // of a sway: the joints without the base
	feet []project.Column // of a sway that lifts feet: the part of its load that each takes
}

// Run designs a motion for the robot of the settings. If ctx is done the motion is the best one so far, and the document says
// so. A motion that was given may exceed limits; then the document counts the violations.
func Run(ctx context.Context, s *project.Settings, opt Options) (*Design, error) {
	if err := opt.complete(); err != nil {
		return nil, err
	}
	if opt.Standing {
		return swayed(ctx, s, opt)
	}
	j, err := newJob(ctx, s, opt)
	if err != nil {
		return nil, err
	}
	if opt.Static > 0 {
		return j.static(ctx)
	}
	var res *excite.Result
	if opt.Judge != "" {
		j.opt.Shape = "given"
		res, err = j.judged(ctx)
	} else {
		res, err = excite.DesignSequence(ctx, j.problem, opt.Segments)
	}
	if err != nil {
		return nil, j.explainLimits(err)
	}
	d := j.design(res)
	j.dither(d.Document, res.Trajectory)
	return d, nil
}

// design returns the motion with its document.
func (j *job) design(res *excite.Result) *Design {
	return &Design{Document: j.document(res), Result: res, Robot: j.Robot, job: j}
}

// document states a design as JSON.
func (j *job) document(res *excite.Result) *Document {
	q, opt := &j.problem, &j.opt
	doc := &Document{Schema: "ident.design/1", Robot: RobotOf(j.Robot), Outputs: opt.Outputs,
		Condition: Condition{Scaled: finite.OrNil(res.ConditionScaled), Raw: finite.OrNil(res.ConditionRaw)},
		Criterion: res.Criterion.Text(), Value: finite.OrNil(res.Value), Violations: res.Violations, Margins: res.Margins,
		Defaults: append(slices.Clone(j.notes), res.Defaults...), Unexcited: res.Unexcited, Notes: res.Notes, Parameters: j.Set.Count() - len(res.Unexcited),
		Shape: string(opt.Shape), Pieces: q.Pieces, Segments: opt.Segments, Period: q.Period, Seed: j.project.Seed, Stopped: res.Stopped, Evals: res.Evaluations, Seconds: res.Seconds}
	if len(opt.Outputs) > 0 {
		doc.Output = opt.Outputs[0]
	}
	doc.LimitSources = excite.LimitSources(res.Limits)
	if doc.Defaults == nil {
		doc.Defaults = []string{}
	}
	if opt.Shape == excite.Fourier {
		doc.Harmonics = opt.Harmonics
	}
	for _, t := range j.Terms {
		doc.Terms = append(doc.Terms, string(t))
	}
	if slices.ContainsFunc(opt.Outputs, isSamples) {
		doc.Rate = opt.Rate
	}
	if l := opt.Program; l != nil {
		doc.Rate = l.Rate(opt.Rate)
		doc.Notes = append(slices.Clip(doc.Notes), l.Notes(res.Trajectory, excite.ProgramOptions{Rate: opt.Rate, Limits: res.Limits})...)
	}
	for _, x := range res.Distances {
		doc.Distances = append(doc.Distances, Distance{Constraint: x.Constraint, Of: x.Of, Value: x.Value, Limit: x.Limit, Unit: x.Unit, At: x.At})
	}
	for k, sigma := range res.Deviations {
		col := j.Set.Columns[j.Set.Base[k]]
		x := Prediction{Name: j.Set.Name(k), Expression: j.Set.Relation(k).Expression, Unit: col.Unit, Sigma: finite.OrNil(sigma)}
		if q.Values != nil {
			x.Value = finite.OrNil(q.Values[k])
		}
		if j.before != nil {
			x.Before = finite.OrNil(j.before[k])
		}
		doc.Predicted = append(doc.Predicted, x)
	}
	for _, d := range res.Weak {
		doc.Weakest = append(doc.Weakest, j.weak(d))
	}
	return doc
}

// limitsText says where the limits of a motion come from, as lines of a comment.
func limitsText(doc *Document) []string {
	lines := []string{output.Mark}
	for _, s := range doc.LimitSources {
		lines = append(lines, "limit of "+s)
	}
	return lines
}

// weak names a direction and the motion that shows it.
func (j *job) weak(d excite.Direction) Weakness {
	w := Weakness{Deviation: d.Deviation, Before: finite.OrNil(d.Before)}
	var terms []string
	for _, p := range d.Parts {
		w.Parameters = append(w.Parameters, Weight{Name: j.Set.Name(p.Column), Weight: p.Weight})
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
		w.Joints = append(w.Joints, Share{Joint: names[i], Share: d.Share[i]})
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

// Write writes the outputs that the options name, each by its extension, whether ctx is done or not. through, if it is set, is
// called for each path and calls write with the path of the file to write.
func (d *Design) Write(through func(path string, write func(path string) error) error) error {
	for _, path := range d.job.opt.Outputs {
		err := error(nil)
		if through != nil {
			err = through(path, d.write)
		} else {
			err = d.write(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// write writes one output, as its extension says.
func (d *Design) write(path string) error {
	j, doc, res := d.job, d.Document, d.Result
	opt := &j.opt
	low := strings.ToLower(path)
	m := res.Trajectory
	if l := opt.Program; l != nil {
		return output.Write(path, func(w io.Writer) error {
			return excite.WriteProgram(w, *l, m, excite.ProgramOptions{Rate: opt.Rate, Limits: res.Limits, About: limitsText(doc)})
		})
	}
	switch {
	case strings.HasSuffix(low, ".ros.yaml"), strings.HasSuffix(low, ".ros.json"):
		limits := res.Limits
		if d.legs != nil {
			m, limits = d.legs, limits[6:]
		}
		return output.Write(path, func(w io.Writer) error {
			return excite.WriteROS(w, m, opt.Rate, limits, project.IsJSON(path), limitsText(doc)...)
		})
	case strings.HasSuffix(low, ".film.svg"):
		var bodies []excite.Capsule
		if j.problem.SelfCollision || len(j.problem.KeepOuts) > 0 {
			bodies = j.problem.Capsules
		}
		const frames = 10
		return output.WriteMarked(path, "svg", func(w io.Writer) error { return excite.Filmstrip(w, m, j.Robot, bodies, res.KeepOuts, frames) })
	case strings.HasSuffix(low, ".svg"):
		return output.WriteMarked(path, "svg", func(w io.Writer) error { return excite.Preview(w, m, res.Limits) })
	case strings.HasSuffix(low, ".html"):
		p := page{robot: j.Robot, result: res, tip: j.problem.Tip, search: j.search, command: opt.Command, stands: d.legs != nil, lifts: d.feet != nil}
		return output.Write(path, p.write)
	case strings.HasSuffix(low, ".md"):
		return output.WriteMarked(path, "md", func(w io.Writer) error { return writeMarkdown(w, doc) })
	}
	further := d.feet
	if doc.Dither != nil {
		further = doc.Dither.Columns()
	}
	return project.WriteTrajectory(path, m, j.Robot, opt.Rate, doc.LimitSources, further...)
}

// dither adds the torques that shake the springs of a robot with elastic joints, or says why there are none.
func (j *job) dither(doc *Document, m excite.Motion) {
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

// ErrNoLimits is wrapped in the error for a robot whose limits nobody has given.
var ErrNoLimits = errors.New("no default is safe on a real robot")

// explainLimits returns an error that says how to give the missing limits.
func (j *job) explainLimits(err error) error {
	file := j.project.Robot
	var missing *excite.MissingLimitsError
	if !errors.As(err, &missing) {
		var one *excite.LimitError
		if errors.As(err, &one) {
			return project.NewHintError("limits.position", "", "%s: %w; give other limits in the robot file, in ident.yaml or with {limits.position}, {limits.velocity}, {limits.acceleration}", file, err)
		}
		return err
	}
	var position, velocity []string
	slices.SortStableFunc(missing.Missing, func(a, b excite.MissingLimit) int { return cmp.Compare(a.Placeholder, b.Placeholder) })
	for i, m := range missing.Missing {
		if m.Position {
			name := m.Joint
			// Joints with the same placeholder follow each other and share its text.
			same := func(k int) bool {
				return k >= 0 && k < len(missing.Missing) && missing.Missing[k].Position && missing.Missing[k].Placeholder == m.Placeholder
			}
			switch {
			case m.Placeholder == "" || same(i+1):
			case same(i - 1):
				name += " (each " + m.Placeholder + ": a placeholder)"
			default:
				name += " (" + m.Placeholder + ": a placeholder)"
			}
			position = append(position, name)
		}
		if m.Velocity {
			velocity = append(velocity, m.Joint)
		}
	}
	names := project.JointNames(j.Robot)
	var lacks, gives []string
	if len(position) > 0 {
		lacks = append(lacks, "  no position limits: "+strings.Join(position, ", "))
		gives = append(gives, "  {limits.position} LOWER:UPPER,…  (rad or m)      or in ident.yaml  limits: {position: [[LOWER, UPPER], …]}")
	}
	if len(velocity) > 0 {
		lacks = append(lacks, "  no velocity limit: "+strings.Join(velocity, ", "))
		gives = append(gives, "  {limits.velocity} SPEED,…        (rad/s or m/s)  or in ident.yaml  limits: {velocity: [SPEED, …]}")
	}
	return project.NewHintError("limits.position", "", "%s does not say how far and how fast its joints may move, and %w:\n%s\ngive them in the robot file, or for all %d joints in the order %s:\n"+strings.Join(gives, "\n"),
		file, ErrNoLimits, strings.Join(lacks, "\n"), len(names), strings.Join(names, ", "))
}
