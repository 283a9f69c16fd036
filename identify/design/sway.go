package design

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"ident/baseparams"
	"ident/datasets"
	"ident/excite"
	"ident/excite/sway"
	"ident/identify/project"
	"ident/identify/standing"
	"ident/regressor"
	"ident/report"
	"ident/robot"
)

// Lengths of a sway, s, and of one that lifts feet in turn, unless it is given: intervals of shorter ones are too narrow.
const DefaultSwaySeconds, DefaultLiftSeconds = 30.0, 90.0

// slowEnough is the velocity limit, rad/s or m/s, of a joint for which none is given: what legs need for waves of 1 Hz and
// some centimetres, and a tenth of what motors of legs reach.
const slowEnough = 3.0

// swaying is the design of a sway on its way from the settings to the result. Each step reads what the steps before it have found.
type swaying struct {
	*job
	given  *robot.Robot // whose joints options name
	names  []string     // of the joints
	feet   []regressor.Foot
	stance *sway.Stance

	limits  []excite.Limits // of the base's six coordinates, then of the joints
	efforts []float64       // their limits, which the sway keeps with its contact forces
	space   *excite.Space
	found   *sway.Designed
	legs    excite.Motion
	res     *excite.Result
}

// swayed designs the motion of a robot that stands on its feet.
func swayed(ctx context.Context, s *project.Settings, opt Options) (*Design, error) {
	began := time.Now()
	w := &swaying{job: &job{opt: opt, project: s}}
	for _, step := range []func(context.Context) error{w.stand, w.limit, w.find, w.check} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	w.describe()
	w.res.Seconds = time.Since(began).Seconds()
	w.problem.Period = opt.Period
	d := w.design(w.res)
	d.legs = w.legs
	if opt.Lift {
		for i, f := range w.feet {
			d.feet = append(d.feet, project.Column{Channel: datasets.Channel{Name: "on_" + f.Name}, At: func(t float64) float64 { return w.found.Sway.Share(i, t) }})
		}
	}
	d.Document.Segments, d.Document.Parameters = 1, w.Set.Count()
	d.Document.Defaults = append(d.Document.Defaults, fmt.Sprintf("a friction of %g between feet and ground", opt.FloorFriction))
	return d, nil
}

// stand reads the robot, its feet and the pose in which it stands, and states the model.
func (w *swaying) stand(ctx context.Context) (err error) {
	s, opt := w.project, &w.opt
	if len(s.Feet) == 0 {
		return project.NewSettingError("feet", "", "a robot that stands: name its feet with {feet} %s", project.FeetForm)
	}
	if w.given, err = project.FindRobot(s, true); err != nil {
		return err
	}
	if err := project.RequireNumeric(w.given); err != nil {
		return err
	}
	r, err := project.Afloat(w.given)
	if err != nil {
		return err
	}
	if w.feet, err = s.FeetOf(r); err != nil {
		return err
	}
	terms, err := project.ParseTerms(s, standing.DefaultTerms())
	if err != nil {
		return err
	}
	w.names = project.JointNames(r)[6:]
	if len(opt.Start) != len(w.names) {
		return project.NewOptionError("{start} has %d numbers: a robot that stands needs the pose in which it stands, a position for each of %d joints (%s)",
			len(opt.Start), len(w.names), strings.Join(w.names, ", "))
	}
	w.stance, err = sway.NewStance(r, w.feet, opt.Start)
	if errors.Is(err, sway.ErrNotLevel) {
		return project.NewOptionError("{start}: %w, so the robot does not stand on level ground; give the positions in which all feet touch it", err)
	}
	if err != nil {
		return err
	}
	modes := baseparams.Standing{Feet: w.feet, Modes: [][]bool{slices.Repeat([]bool{true}, len(w.feet))}}
	if opt.Lift {
		for i := range w.feet {
			mode := slices.Repeat([]bool{true}, len(w.feet))
			mode[i] = false
			modes.Modes = append(modes.Modes, mode)
		}
	}
	set, err := baseparams.QRStanding(ctx, r, terms, modes, baseparams.Options{Seed: s.Seed})
	if err != nil {
		return err
	}
	full, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return err
	}
	values := valuesOfFile(r, full, set)
	if values == nil {
		return fmt.Errorf("%s: a sway needs the masses of the robot, because they load its feet, and a link has no inertial", s.Robot)
	}
	w.Model = &Model{Robot: r, Terms: terms, Set: set, Model: full.Select(set.Base), Values: values}
	return nil
}

// limit finds the limits of the joints: those of the file, or assumed ones, made narrower where options say so.
func (w *swaying) limit(context.Context) (err error) {
	limits := excite.LimitsOf(w.Robot)
	for k := range 6 { // the base has none, but for numbers that no sway reaches
		limits[k].Lower, limits[k].Upper, limits[k].Velocity, limits[k].Accel = -100, 100, 100, 1000
	}
	var slow []string
	for k := 6; k < len(limits); k++ {
		if l := &limits[k]; !(l.Velocity > 0) {
			l.Velocity, l.From.Velocity = slowEnough, "assumed"
			slow = append(slow, l.Joint)
		}
		if l := &limits[k]; !(l.Accel > 0) {
			l.Accel, l.From.Accel = slowEnough*4, "assumed"
		}
	}
	if len(slow) > 0 {
		of := strings.Join(slow, ", ")
		if len(slow) == len(w.names) {
			of = "all joints"
		}
		w.say("a velocity limit of %g rad/s or m/s and an acceleration limit of %g rad/s² or m/s² for %s, for which none is given", slowEnough, 4*slowEnough, of)
	}
	w.efforts = make([]float64, len(limits))
	for k := range limits {
		w.efforts[k], limits[k].Effort = limits[k].Effort, math.NaN()
	}
	margin := w.opt.Margin
	w.space, err = excite.NewSpace(excite.Problem{Model: w.Model.Model, Limits: limits, Margin: max(margin, 1e-9)})
	if err != nil {
		of := *w.job
		of.Model = &Model{Robot: w.given}
		return of.explainLimits(err)
	}
	for i, reach := range w.space.Joints() {
		l, half := &limits[i], (reach.Upper-reach.Lower)/2/(1-margin)
		l.Lower, l.Upper = (reach.Lower+reach.Upper)/2-half, (reach.Lower+reach.Upper)/2+half
		l.Velocity, l.Accel, l.Effort = reach.Velocity/(1-margin), reach.Accel/(1-margin), w.efforts[i]
	}
	w.limits = limits
	return nil
}

// find searches the sway, and gives the motion of the joints through its samples.
func (w *swaying) find(ctx context.Context) (err error) {
	r, opt := w.Robot, &w.opt
	planted := w.feet // what always sticks
	if opt.Lift {
		planted = nil
	}
	mass := 0.0
	for i := range r.Links {
		mass += r.Links[i].Inertial.Mass()
	}
	weight := mass * math.Sqrt(r.Gravity[0]*r.Gravity[0]+r.Gravity[1]*r.Gravity[1]+r.Gravity[2]*r.Gravity[2])
	w.found, err = sway.Design(ctx, sway.Problem{Stance: w.stance, Model: w.Model.Model, Values: w.Values, Known: standing.Hidden(r, w.Set, planted), Weight: weight, Limits: w.limits[6:], Lift: opt.Lift, Duration: opt.Period, Friction: opt.FloorFriction,
		Margin: opt.Margin, Criterion: opt.Criterion, Draws: opt.Starts, Seed: w.project.Seed, Progress: func(done, total int, best float64) {
			w.search = append(w.search, report.SearchPoint{Evaluations: done, Best: best})
			w.tell("sways", done, total, fmt.Sprintf("criterion %.3g", best))
		}})
	var cannot *sway.InfeasibleError
	if errors.As(err, &cannot) {
		return project.NewOptionError("{start}: %w", err)
	}
	if err != nil {
		return err
	}
	w.legs, err = throughAll(w.names, w.found.Sway, func(k int) (q, dq, ddq []float64) {
		return w.found.Sway.Q[k], w.found.Sway.DQ[k], w.found.Sway.DDQ[k]
	})
	return err
}

// check holds the whole motion against the limits, and writes the figures of the sway into the result.
func (w *swaying) check(context.Context) error {
	found, opt := w.found, &w.opt
	motion, err := swayMotion(w.Robot, found)
	if err != nil {
		return err
	}
	res := w.space.Check(motion)
	w.res, res.Margins = res, res.Margins[6:]
	if res.Violations > 0 {
		return fmt.Errorf("the sway exceeds %s between its samples, and is not written; give a larger {margin}", exceeded(res.Margins))
	}
	for k := range res.Margins {
		if found.Torque[k] > 0 {
			free := 1 - found.Torque[k]
			res.Margins[k].Torque = &free
		}
	}
	res.Criterion, res.Value, res.ConditionScaled, res.ConditionRaw = opt.Criterion, found.Value, found.Condition, math.NaN()
	res.Evaluations, res.Stopped = found.Evaluations, found.Stopped
	for k := range 6 {
		res.Limits[k] = excite.Limits{Joint: res.Limits[k].Joint, Prismatic: res.Limits[k].Prismatic}
	}
	for k := 6; k < len(w.efforts); k++ {
		res.Limits[k].Effort = w.efforts[k]
	}
	for _, f := range found.Feet {
		res.Distances = append(res.Distances, excite.Excess{Constraint: "least force on the ground", Of: f.Foot, Value: f.Least, Limit: f.Limit, Unit: "N", At: f.At},
			excite.Excess{Constraint: "friction that is needed", Of: f.Foot, Value: f.Slope, Limit: opt.FloorFriction, Unit: "N/N", At: f.SlopeAt})
	}
	return nil
}

// describe notes what the sway moves, and what its log will not show.
func (w *swaying) describe() {
	res, found := w.res, w.found
	z := found.Size
	res.Notes = append(res.Notes,
		fmt.Sprintf("the base moves by %.0f, %.0f and %.0f mm along x, y and z, and turns by %.1f°, %.1f° and %.1f° about them, about the pose at the start", 1000*z[0], 1000*z[1], 1000*z[2], z[3]*180/math.Pi, z[4]*180/math.Pi, z[5]*180/math.Pi),
		"torques and forces are those of least norm; a controller may share the load in another way")
	if w.opt.Lift {
		for i := range w.feet {
			var air []string
			for _, l := range found.Lifts {
				if l.Foot == i {
					air = append(air, fmt.Sprintf("%.4g to %.4g s", l.From, l.To))
				}
			}
			res.Notes = append(res.Notes, fmt.Sprintf("%s is in the air, %.0f mm high, from %s", w.feet[i].Name, 1000*found.Lifts[0].Height, strings.Join(air, " and from ")))
		}
	} else {
		res.Notes = append(res.Notes, "what the log will not show: a point mass at each foot, which never moves")
	}
}

// swayMotion returns the motion of the base's six coordinates and of the joints.
func swayMotion(r *robot.Robot, found *sway.Designed) (*excite.Polynomials, error) {
	in := found.Sway.Coordinates()
	return throughAll(project.JointNames(r), found.Sway, func(k int) (q, dq, ddq []float64) { return in.Q[k], in.DQ[k], in.DDQ[k] })
}

// throughAll returns the motion through the samples of a sway.
func throughAll(names []string, w *sway.Sway, signals func(k int) (q, dq, ddq []float64)) (*excite.Polynomials, error) {
	t := make([]float64, len(w.Up[0]))
	for i := range t {
		t[i] = float64(i) * w.DT
	}
	var x [3][][]float64
	for k := range names {
		q, dq, ddq := signals(k)
		x[0], x[1], x[2] = append(x[0], q), append(x[1], dq), append(x[2], ddq)
	}
	return excite.Through(names, t, x[0], x[1], x[2])
}

// protocol is what to do with a sway on a robot, in two minutes.
func protocol(lifts bool) report.Section {
	play := "4. Play the motion: joint positions as set-points of the position controllers, or the base's pose as set-point of a whole-body controller. Feet must stick."
	if lifts {
		play += " A foot whose on_FOOT falls below 1 gives its load to the others; at 0 it is in the air."
	}
	return report.Section{Title: "Record it", Gist: "two minutes on a mat", Open: true, Lines: []string{
		"1. Put the robot on a rubber mat on a level floor, in the pose of the start. Mark the feet.",
		"2. Log at 200 Hz or more: positions and torques of all joints, angular rate and raw specific force of the base's sensor (m/s², with gravity).",
		"3. Stand still for 10 s.",
		play,
		"5. Weigh the robot: the scale of the torques is the limit, and a weighed total holds it.",
		"6. For a payload, play the motion once more with the payload on.",
	}}
}
