package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ident/identify"
	"ident/project"
)

// flags binds the options that mean the same in every command. Which of them a
// command has is its own choice.
type flags struct {
	config    string
	p         project.Settings
	cutoff    cutoffFlag
	motion    float64
	trim      float64
	gravity   string
	terms     string
	joints    string
	gains     string
	set       []string
	lock      []string
	near      []string
	loops     string
	maps      []string
	units     []string
	rows      []string
	posLim    string
	velLim    string
	accLim    string
	json      bool
	follow    bool
	body      physicalFlags
	beside    supplementFlags
	reference string
}

func (f *flags) robotFlags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.config, "config", "", "project file (default: ident.yaml beside the log or the robot, where there is one)")
	fl.StringVar(&f.gravity, "gravity", "", "gravity in the base frame, m/s² (default 0,0,-9.81)")
	fl.StringArrayVar(&f.set, "set", nil, "value of a geometry symbol, NAME=VALUE (repeatable)")
	fl.BoolVar(&f.p.NoSnap, "no-snap", false, "keep rounded angles such as 1.5708 as they are")
	fl.StringArrayVar(&f.lock, "lock", nil, "take a joint as fixed, JOINT=VALUE (repeatable)")
	fl.StringVar(&f.loops, "loops", "", "YAML file with the closed loops of the robot, for robot files that cannot say them")
	fl.StringArrayVar(&f.near, "assembly", nil, "where a joint is, near which the loops close as meant, JOINT=VALUE (repeatable)")
	fl.StringArrayVar(&f.p.Couplings, "coupling", nil, "a drive that several joints share, e.g. \"joint_6=joint_5+joint_6\" (repeatable)")
}

func (f *flags) robotFile(c *cobra.Command) {
	c.Flags().StringVar(&f.p.Robot, "robot", "", "robot file (URDF, SYMORO+ .par or YAML)")
}

func (f *flags) termFlags(c *cobra.Command, def string) {
	c.Flags().StringVar(&f.terms, "terms", "", "terms of the model (default "+def+"): "+termList())
}

func (f *flags) logFlags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.joints, "joints", "", "joints that the log holds, in its numbering")
	fl.StringArrayVar(&f.maps, "map", nil, "channel of a signal, e.g. tau1=force (repeatable)")
	fl.StringArrayVar(&f.units, "unit", nil, "unit of a channel, e.g. q1=deg (repeatable)")
	fl.StringArrayVar(&f.p.Topics, "topic", nil, "topic of a recording (MCAP, ROS bag) to read, the one whose clock counts first (repeatable)")
	fl.StringVar(&f.gains, "gains", "", "drive gains: joint torque a motor current, one for each joint")
	fl.StringArrayVar(&f.rows, "rows", nil, "rows of a log to use, LOG:FIRST-LAST, from 1, both included (repeatable)")
	fl.StringVar(&f.p.OnBad, "on-bad", "", "rows that cannot be used: error or drop (default error)")
	fl.Float64Var(&f.trim, "trim", 0.5, "seconds cut from both ends of each run")
}

func (f *flags) processingFlags(c *cobra.Command) {
	fl := c.Flags()
	fl.Var(&f.cutoff, "cutoff", "zero-phase low-pass of torque and regressor, Hz; 0 for none, auto for what the log's spectra say (default: 10 or a fifth of the rate)")
	fl.Float64Var(&f.motion, "motion-cutoff", 0, "zero-phase low-pass of the positions before differentiation, Hz (default: as --cutoff with measured velocities, five times that without)")
	fl.IntVar(&f.p.FilterOrder, "filter-order", 0, "order of the Butterworth filters before doubling (default 2)")
	fl.IntVar(&f.p.Decimate, "decimate", 0, "keep every Nth row after a zero-phase FIR filter, in place of the parallel low-pass")
	fl.StringVar(&f.p.Velocity, "velocity", "", "auto, measured or position (default auto)")
	fl.StringVar(&f.p.Rates, "differentiator", "", "of positions: "+strings.Join(identify.Differentiators(), ", ")+" (default "+identify.Central+")")
	fl.StringVar(&f.p.Acceleration, "acceleration", "", "auto, measured, velocity or position (default auto)")
}

func (f *flags) limitFlags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.posLim, "position-limits", "", "lower:upper of each joint, comma-separated (rad or m)")
	fl.StringVar(&f.velLim, "velocity-limits", "", "top speed of each joint, comma-separated")
	fl.StringVar(&f.accLim, "acceleration-limits", "", "top acceleration of each joint, comma-separated")
}

func (f *flags) seedFlag(c *cobra.Command) {
	c.Flags().Uint64Var(&f.p.Seed, "seed", 0, "seed of every random draw")
}

func (f *flags) jsonFlag(c *cobra.Command) {
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON document to standard output")
}

// resolve merges the project file (the one named, or ident.yaml beside one of
// the given files) with the flags.
func (f *flags) resolve(c *cobra.Command, beside ...string) (*project.Settings, error) {
	base := new(project.Settings)
	path := f.config
	if path == "" {
		for _, b := range beside {
			if b == "" {
				continue
			}
			if p := filepath.Join(filepath.Dir(b), project.File); fileExists(p) {
				path = p
				break
			}
		}
	}
	if path != "" {
		var err error
		if base, err = project.Read(path); err != nil {
			return nil, err
		}
	}
	if err := f.apply(c, base); err != nil {
		return nil, usageError{Err: err}
	}
	return base, nil
}

// apply writes the flags that were given over a project.
func (f *flags) apply(c *cobra.Command, p *project.Settings) error {
	given := func(name string) bool { g := c.Flags().Lookup(name); return g != nil && g.Changed }
	var err error
	fail := func(name string, e error) {
		if e != nil && err == nil {
			err = fmt.Errorf("--%s: %w", name, e)
		}
	}
	if f.p.Robot != "" {
		p.Robot = f.p.Robot
	}
	if given("gravity") {
		var e error
		if p.Gravity, e = project.ParseNumbers(f.gravity); e == nil && len(p.Gravity) != 3 {
			e = fmt.Errorf("%q has %d numbers; gravity has three", f.gravity, len(p.Gravity))
		}
		fail("gravity", e)
	}
	if given("terms") {
		p.Terms = project.ParseList(f.terms)
	}
	if given("joints") {
		p.Joints = project.ParseList(f.joints)
	}
	if given("gains") {
		var e error
		p.Gains, e = project.ParseNumbers(f.gains)
		fail("gains", e)
	}
	fail("set", project.MergeNumbers(&p.Set, f.set))
	fail("lock", project.MergeNumbers(&p.Lock, f.lock))
	if given("loops") {
		text, e := os.ReadFile(f.loops)
		p.Loops = project.Section(text)
		fail("loops", e)
	}
	fail("assembly", project.MergeNumbers(&p.Assembly, f.near))
	fail("map", project.MergeTexts(&p.Map, f.maps, "="))
	fail("unit", project.MergeTexts(&p.Units, f.units, "="))
	fail("rows", project.MergeTexts(&p.Rows, f.rows, ":"))
	if given("topic") {
		p.Topics = f.p.Topics
	}
	if given("coupling") {
		p.Couplings = f.p.Couplings
	}
	for _, o := range []struct {
		name string
		set  func()
	}{
		{"no-snap", func() { p.NoSnap = f.p.NoSnap }}, {"cutoff", func() { p.Cutoff, p.CutoffAuto = f.cutoff.cutoff() }},
		{"motion-cutoff", func() { p.MotionCutoff = &f.motion }}, {"trim", func() { p.Trim = &f.trim }},
		{"filter-order", func() { p.FilterOrder = f.p.FilterOrder }}, {"decimate", func() { p.Decimate = f.p.Decimate }},
		{"velocity", func() { p.Velocity = f.p.Velocity }}, {"acceleration", func() { p.Acceleration = f.p.Acceleration }},
		{"differentiator", func() { p.Rates = f.p.Rates }},
		{"on-bad", func() { p.OnBad = f.p.OnBad }}, {"train-fraction", func() { p.TrainFraction = f.p.TrainFraction }},
		{"validate", func() { p.Validate = f.p.Validate }}, {"estimator", func() { p.Estimator = f.p.Estimator }},
		{"controller", func() { p.Controller = f.p.Controller }}, {"reference", func() { p.Reference = project.ParseList(f.reference) }},
		{"loss", func() { p.Loss = f.p.Loss }}, {"memory", func() { p.Memory = f.p.Memory }},
		{"bootstrap", func() { p.Bootstrap = f.p.Bootstrap }}, {"period", func() { p.Period = f.p.Period }},
		{"model", func() { p.Model = f.p.Model }}, {"window", func() { p.Window = f.p.Window }}, {"minimum-norm", func() { p.MinimumNorm = f.p.MinimumNorm }},
		{"seed", func() { p.Seed = f.p.Seed }},
	} {
		if given(o.name) {
			o.set()
		}
	}
	if e := f.beside.apply(c, p); e != nil && err == nil {
		err = e
	}
	if e := f.body.apply(given, p); e != nil && err == nil {
		err = e
	}
	if p.OnBad != "" && p.OnBad != "error" && p.OnBad != "drop" {
		fail("on-bad", fmt.Errorf("%q: it is error or drop", p.OnBad))
	}
	if given("position-limits") {
		p.Limits.Position = nil
		for _, s := range project.ParseList(f.posLim) {
			lo, hi, ok := strings.Cut(s, ":")
			pair, e := project.ParseNumbers(lo + "," + hi)
			if !ok || e != nil {
				fail("position-limits", fmt.Errorf("%q is not lower:upper", s))
				break
			}
			p.Limits.Position = append(p.Limits.Position, pair)
		}
	}
	for name, to := range map[string]*[]float64{"velocity-limits": &p.Limits.Velocity, "acceleration-limits": &p.Limits.Acceleration} {
		if given(name) {
			text := f.velLim
			if name == "acceleration-limits" {
				text = f.accLim
			}
			v, e := project.ParseNumbers(text)
			fail(name, e)
			*to = v
		}
	}
	return err
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
