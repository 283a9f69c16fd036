package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/baseparams"
	"ident/datasets"
	"ident/excite"
	"ident/regressor"
	"ident/robot"
)

// designDoc is the JSON document of ident design-trajectory.
type designDoc struct {
	Schema     string          `json:"schema"`
	Robot      robotID         `json:"robot"`
	Output     string          `json:"output"`
	Condition  conditionDoc    `json:"condition_number"`
	Criterion  string          `json:"criterion"`
	Violations int             `json:"violations"`
	Margins    []excite.Margin `json:"margins"`
	Defaults   []string        `json:"defaults"`
	Unexcited  []string        `json:"unexcited,omitempty"`
	Terms      []string        `json:"terms"`
	Parameters int             `json:"parameters"`
	Harmonics  int             `json:"harmonics"`
	Period     float64         `json:"period_s"`
	Rate       float64         `json:"rate_hz,omitempty"` // of the samples; coefficients have none
	Seed       uint64          `json:"seed"`
	Stopped    bool            `json:"stopped"`
	Evals      int             `json:"evaluations"`
	Seconds    float64         `json:"seconds"`
}

type robotID struct {
	Name   string `json:"name"`
	DOF    int    `json:"dof"`
	SHA256 string `json:"sha256"`
}

// conditionDoc holds condition numbers; one that is infinite is left out, as
// JSON has no infinity.
type conditionDoc struct {
	Scaled *float64 `json:"scaled"`
	Raw    *float64 `json:"raw"`
}

func identityOf(r *robot.Robot) robotID {
	return robotID{Name: r.Name, DOF: len(r.Independent()), SHA256: r.Source.SHA256}
}

// designOptions is what a design needs beside the project.
type designOptions struct {
	out       string
	harmonics int
	period    float64
	margin    float64
	starts    int
	rate      float64
}

func newDesign(s streams) *cobra.Command {
	f := new(flags)
	var opt designOptions
	var criterion string
	c := &cobra.Command{
		Use:   "design-trajectory [ROBOT] -o FILE",
		Short: "the motion that shows a robot's parameters best, within its limits",
		Long: `Design a periodic motion that makes the base parameters of a robot as visible in
the joint torques as the joints' limits allow. It starts and ends at rest, and its
derivatives are exact. Limits come from the robot file, from ident.yaml or from
the options below; position and velocity limits are needed, an acceleration limit
is assumed where none is given, and said.

FILE is .csv, .parquet or .arrow (one period, sampled at --rate: t, and q_JOINT,
dq_JOINT, ddq_JOINT of each joint) or .json (the Fourier coefficients). All of
them go into ident simulate. Ctrl-C ends the search with the best so far.
Without ROBOT, the robot is the one of ident.yaml in the current folder.`,
		Example: `  ident design-trajectory arm.urdf -o traj.csv
  ident design-trajectory arm.urdf -o traj.json --period 20 --harmonics 8
  ident design-trajectory arm.urdf -o traj.csv --velocity-limits 1,1,1.5,2,2,3`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := robotProject(c, f, args)
			if err != nil {
				return err
			}
			if criterion != "condition" {
				return usagef("--criterion %q: this version has condition, the condition number of the base regressor", criterion)
			}
			if err := opt.check(c); err != nil {
				return err
			}
			doc, res, err := design(c.Context(), s, p, opt)
			if err != nil {
				return err
			}
			if f.json {
				return writeJSON(s.out, doc)
			}
			printDesign(s, doc, res)
			return nil
		},
	}
	f.robotFlags(c)
	f.termFlags(c, "links,Ia,Fv,Fs,Fo")
	f.limitFlags(c)
	f.seedFlag(c)
	f.jsonFlag(c)
	fl := c.Flags()
	fl.IntVar(&opt.harmonics, "harmonics", excite.DefaultHarmonics, "harmonics of each joint's Fourier series")
	fl.Float64Var(&opt.period, "period", excite.DefaultPeriod, "seconds of one period")
	fl.Float64Var(&opt.margin, "margin", excite.DefaultMargin, "part of every limit that stays free")
	fl.StringVar(&criterion, "criterion", "condition", "what is made small: condition")
	fl.IntVar(&opt.starts, "starts", excite.DefaultStarts, "local searches; more take longer and may find better")
	fl.Float64Var(&opt.rate, "rate", 200, "samples a second of a .csv, .parquet or .arrow file")
	fl.StringVarP(&opt.out, "output", "o", "", "file for the trajectory: .csv, .parquet, .arrow or .json")
	return c
}

// robotProject resolves the settings of a command whose argument is a robot.
func robotProject(c *cobra.Command, f *flags, args []string) (*project, error) {
	beside := projectFile
	if len(args) > 0 {
		f.p.Robot = args[0]
		beside = args[0]
	}
	p, err := f.resolve(c, beside)
	if err != nil {
		return nil, err
	}
	if p.Robot == "" {
		return nil, usagef("no robot: name its file, as in %s arm.urdf, or put \"robot: FILE\" into ident.yaml here", c.CommandPath())
	}
	return p, nil
}

// check refuses settings that mean nothing, before anything is computed.
func (o *designOptions) check(c *cobra.Command) error {
	switch {
	case o.out == "":
		return usagef("no place for the trajectory: give -o FILE with .csv, .parquet, .arrow or .json\nusage: %s", c.UseLine())
	case o.harmonics < 2:
		return usagef("--harmonics %d: a motion that starts and ends at rest needs 2 or more", o.harmonics)
	case !(o.period > 0) || math.IsInf(o.period, 0):
		return usagef("--period %g: give a positive number of seconds", o.period)
	case !(o.margin >= 0 && o.margin < 1):
		return usagef("--margin %g: give a fraction of the limits, from 0 to below 1", o.margin)
	case o.starts < 1:
		return usagef("--starts %d: give 1 or more", o.starts)
	case !(o.rate > 0) || math.IsInf(o.rate, 0):
		return usagef("--rate %g: give a positive number of samples a second", o.rate)
	case o.rate*o.period > 1e7:
		return usagef("--rate %g over --period %g are %.3g samples: too many", o.rate, o.period, o.rate*o.period)
	}
	return checkOutput(o.out, ".json")
}

// design runs the whole of `ident design-trajectory`.
func design(ctx context.Context, s streams, p *project, opt designOptions) (*designDoc, *excite.Result, error) {
	r, err := findRobot(p, true)
	if err != nil {
		return nil, nil, err
	}
	if err := requireNumeric(r); err != nil {
		return nil, nil, err
	}
	if r, err = lockJoints(r, p.Lock); err != nil {
		return nil, nil, err
	}
	r = assembledWithin(p, r)
	terms, err := parseTerms(p, regressor.AllTerms())
	if err != nil {
		return nil, nil, err
	}
	full, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, nil, err
	}
	if c, ok := full.Simple(); !ok {
		return nil, nil, usagef("--terms: trajectories are designed for links, Ia, Fv, Fs and Fo; leave out %s", c.Term)
	}
	set := baseparams.QR(full, baseparams.Options{Seed: p.Seed})
	bar := &progress{s: s}
	defer bar.end()
	problem := excite.Problem{Model: full.Select(set.Base), Limits: excite.LimitsOf(r), Harmonics: opt.harmonics, Period: opt.period,
		Margin: opt.margin, Starts: opt.starts, Seed: p.Seed, Progress: func(at excite.Progress) { bar.line(designLine(at, opt.margin)) }}
	if opt.margin == 0 {
		problem.Margin = -1 // the zero stands for the default there
	}
	res, err := excite.Design(ctx, problem)
	bar.end()
	if err != nil {
		return nil, nil, explainLimits(p, r, err)
	}
	doc := &designDoc{Schema: "ident.design/1", Robot: identityOf(r), Output: opt.out,
		Condition: conditionDoc{finite(res.ConditionScaled), finite(res.ConditionRaw)},
		Criterion: res.Criterion.Text(), Violations: res.Violations, Margins: res.Margins, Defaults: append([]string{}, res.Defaults...),
		Unexcited: res.Unexcited, Parameters: set.Count() - len(res.Unexcited), Harmonics: opt.harmonics, Period: res.Trajectory.Duration(),
		Seed: p.Seed, Stopped: res.Stopped, Evals: res.Evaluations, Seconds: res.Seconds}
	for _, t := range terms {
		doc.Terms = append(doc.Terms, string(t))
	}
	if !isJSON(opt.out) {
		doc.Rate = opt.rate
	}
	return doc, res, writeTrajectory(opt.out, res.Trajectory, r, opt.rate)
}

func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// designLine shows how far a search is. All that it looks at keeps the limits
// with the margin, so the margin needs no measuring on the way.
func designLine(at excite.Progress, margin float64) string {
	text := fmt.Sprintf("%s %d/%d  %d evaluations", at.Stage, at.Done, at.Total, at.Evaluations)
	if !math.IsInf(at.Best, 0) {
		text += fmt.Sprintf("  condition %.4g  margin %.3g %%", at.Best, 100*margin)
	}
	return text + "  (Ctrl-C ends it)"
}

// explainLimits says how to give the limits that are missing.
func explainLimits(p *project, r *robot.Robot, err error) error {
	var missing *excite.MissingLimitsError
	if !errors.As(err, &missing) {
		var one *excite.LimitError
		if errors.As(err, &one) {
			return fmt.Errorf("%s: %w; give other limits in the robot file, in ident.yaml or with --position-limits, --velocity-limits, --acceleration-limits", p.Robot, err)
		}
		return err
	}
	var position, velocity []string
	for _, m := range missing.Missing {
		if m.Position {
			position = append(position, m.Joint)
		}
		if m.Velocity {
			velocity = append(velocity, m.Joint)
		}
	}
	names := independentNames(r)
	var lacks, gives []string
	if len(position) > 0 {
		lacks = append(lacks, "  no position limits: "+strings.Join(position, ", "))
		gives = append(gives, "  --position-limits LOWER:UPPER,…  (rad or m)      or in ident.yaml  limits: {position: [[LOWER, UPPER], …]}")
	}
	if len(velocity) > 0 {
		lacks = append(lacks, "  no velocity limit: "+strings.Join(velocity, ", "))
		gives = append(gives, "  --velocity-limits SPEED,…        (rad/s or m/s)  or in ident.yaml  limits: {velocity: [SPEED, …]}")
	}
	return fmt.Errorf("%s does not say how far and how fast its joints may move, and %w:\n%s\ngive them in the robot file, or for all %d joints in the order %s:\n%s",
		p.Robot, errNoLimits, strings.Join(lacks, "\n"), len(names), strings.Join(names, ", "), strings.Join(gives, "\n"))
}

// errNoLimits marks a robot whose limits nobody has given.
var errNoLimits = errors.New("no default is safe on a real robot")

// checkOutput refuses a file that could not be written, before the work that it
// is to hold is done.
func checkOutput(path string, also ...string) error {
	_, known := datasets.Extensions()
	known = append(known, also...)
	low := strings.ToLower(path)
	if !slices.ContainsFunc(known, func(ext string) bool { return strings.HasSuffix(low, ext) }) {
		return usagef("-o %s: the extension says the format; it is one of %s", path, strings.Join(known, " "))
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return usagef("-o %s is a folder; name a file in it", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	} else if !info.IsDir() {
		return fmt.Errorf("cannot write %s: %s is not a folder", path, filepath.Dir(path))
	}
	return nil
}

func printDesign(s streams, doc *designDoc, res *excite.Result) {
	if doc.Stopped {
		s.note("stopped early: this is the best motion so far")
	}
	fmt.Fprintf(s.out, "robot      %s, %d joints, %d base parameters of %s\n", doc.Robot.Name, doc.Robot.DOF, doc.Parameters, strings.Join(doc.Terms, ", "))
	fmt.Fprintf(s.out, "motion     %g s a period, %d harmonics, from rest to rest\n", doc.Period, doc.Harmonics)
	fmt.Fprintf(s.out, "condition  %.4g with unit columns, %.4g without scaling\n", res.ConditionScaled, res.ConditionRaw)
	fmt.Fprintf(s.out, "search     %d evaluations in %.1f s, seed %d\n", doc.Evals, doc.Seconds, doc.Seed)
	if len(doc.Unexcited) > 0 {
		fmt.Fprintf(s.out, "not seen   %s: no motion that the limits allow shows them\n", strings.Join(doc.Unexcited, ", "))
	}
	fmt.Fprintf(s.out, "\n%-20s %s\n%-20s %9s %9s %12s\n", "joint", "free at the worst moment, %", "", "position", "velocity", "acceleration")
	for _, m := range doc.Margins {
		fmt.Fprintf(s.out, "%-20s %9.1f %9.1f %12.1f\n", m.Joint, 100*m.Position, 100*m.Velocity, 100*m.Acceleration)
	}
	if doc.Violations > 0 {
		fmt.Fprintf(s.out, "%d limits are exceeded\n", doc.Violations)
	} else {
		fmt.Fprintln(s.out, "no limit is exceeded, between the samples either")
	}
	if len(doc.Defaults) > 0 {
		fmt.Fprintln(s.out, "\nassumed")
		for _, d := range doc.Defaults {
			fmt.Fprintf(s.out, "  %s\n", d)
		}
	}
	fmt.Fprintf(s.out, "\ntrajectory  %s\n", doc.Output)
}
