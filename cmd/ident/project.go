package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"ident/identify"
)

// project is the content of ident.yaml, and what the flags make of it. Every
// key is also a flag; a flag wins.
type project struct {
	Robot     string             `yaml:"robot,omitempty" json:"robot,omitempty"`
	Terms     []string           `yaml:"terms,omitempty,flow" json:"terms,omitempty"`
	Gravity   []float64          `yaml:"gravity,omitempty,flow" json:"gravity,omitempty"`
	Set       map[string]float64 `yaml:"set,omitempty" json:"set,omitempty"`
	NoSnap    bool               `yaml:"no-snap,omitempty" json:"no_snap,omitempty"`
	Joints    []string           `yaml:"joints,omitempty,flow" json:"joints,omitempty"`
	Lock      map[string]float64 `yaml:"lock,omitempty" json:"lock,omitempty"`
	Assembly  map[string]float64 `yaml:"assembly,omitempty" json:"assembly,omitempty"`
	Loops     section            `yaml:"loops,omitempty" json:"loops,omitempty"`
	Still     []string           `yaml:"still,omitempty,flow" json:"still,omitempty"`
	Carried   []string           `yaml:"carried,omitempty,flow" json:"carried,omitempty"`
	Couplings []string           `yaml:"couplings,omitempty" json:"couplings,omitempty"`
	Map       map[string]string  `yaml:"map,omitempty" json:"map,omitempty"`
	Units     map[string]string  `yaml:"units,omitempty" json:"units,omitempty"`
	Topics    []string           `yaml:"topics,omitempty,flow" json:"topics,omitempty"`
	Gains     []float64          `yaml:"gains,omitempty,flow" json:"gains,omitempty"`
	Limits    limits             `yaml:"limits,omitempty" json:"-"`

	Cutoff        *float64          `yaml:"cutoff,omitempty" json:"cutoff,omitempty"`
	cutoffAuto    bool              // --cutoff auto: Cutoff follows from the check
	MotionCutoff  *float64          `yaml:"motion-cutoff,omitempty" json:"motion_cutoff,omitempty"`
	FilterOrder   int               `yaml:"filter-order,omitempty" json:"filter_order,omitempty"`
	Decimate      int               `yaml:"decimate,omitempty" json:"decimate,omitempty"`
	Trim          *float64          `yaml:"trim,omitempty" json:"trim,omitempty"`
	Velocity      string            `yaml:"velocity,omitempty" json:"velocity,omitempty"`
	Acceleration  string            `yaml:"acceleration,omitempty" json:"acceleration,omitempty"`
	Rates         string            `yaml:"differentiator,omitempty" json:"differentiator,omitempty"`
	OnBad         string            `yaml:"on-bad,omitempty" json:"on_bad,omitempty"`
	Rows          map[string]string `yaml:"rows,omitempty" json:"rows,omitempty"`
	TrainFraction float64           `yaml:"train-fraction,omitempty" json:"train_fraction,omitempty"`
	Validate      []string          `yaml:"validate,omitempty" json:"validate,omitempty"`
	Estimator     string            `yaml:"estimator,omitempty" json:"estimator,omitempty"`
	Loss          string            `yaml:"loss,omitempty" json:"loss,omitempty"`
	Memory        float64           `yaml:"memory,omitempty" json:"memory,omitempty"`
	Bootstrap     int               `yaml:"bootstrap,omitempty" json:"bootstrap,omitempty"`
	Period        float64           `yaml:"period,omitempty" json:"period,omitempty"`
	Model         string            `yaml:"model,omitempty" json:"model,omitempty"`
	Window        float64           `yaml:"window,omitempty" json:"window,omitempty"`
	MinimumNorm   bool              `yaml:"minimum-norm,omitempty" json:"minimum_norm,omitempty"`
	Seed          uint64            `yaml:"seed,omitempty" json:"seed,omitempty"`

	Consistent      bool              `yaml:"physically-consistent,omitempty" json:"physically_consistent,omitempty"`
	Prior           string            `yaml:"prior,omitempty" json:"prior,omitempty"`
	PriorWeight     string            `yaml:"prior-weight,omitempty" json:"prior_weight,omitempty"`
	PriorDistance   string            `yaml:"prior-distance,omitempty" json:"prior_distance,omitempty"`
	TotalMass       string            `yaml:"total-mass,omitempty" json:"total_mass,omitempty"`
	Mass            map[string]string `yaml:"mass,omitempty" json:"mass,omitempty"`
	CentreBox       map[string]string `yaml:"centre-box,omitempty" json:"centre_box,omitempty"`
	CentreEllipsoid map[string]string `yaml:"centre-ellipsoid,omitempty" json:"centre_ellipsoid,omitempty"`
	BodyEllipsoid   map[string]string `yaml:"body-ellipsoid,omitempty" json:"body_ellipsoid,omitempty"`

	Controller string   `yaml:"controller,omitempty" json:"controller,omitempty"`
	Reference  []string `yaml:"reference,omitempty,flow" json:"reference,omitempty"`

	Known   map[string]float64 `yaml:"known,omitempty" json:"known,omitempty"`
	Carries []string           `yaml:"carries,omitempty,flow" json:"carries,omitempty"`
	Wrench  string             `yaml:"wrench,omitempty" json:"wrench,omitempty"`
	Contact string             `yaml:"contact,omitempty" json:"contact,omitempty"`
}

// limits of the joints, in order; they replace the robot file's.
type limits struct {
	Position     [][]float64 `yaml:"position,omitempty"`
	Velocity     []float64   `yaml:"velocity,omitempty"`
	Acceleration []float64   `yaml:"acceleration,omitempty"`
	Jerk         []float64   `yaml:"jerk,omitempty"`
	Torque       []float64   `yaml:"torque,omitempty"`
	Power        []float64   `yaml:"power,omitempty"`
}

const projectFile = "ident.yaml"

// readProject reads a project file. Unknown keys are errors: a misspelt
// setting that is silently ignored costs a day.
func readProject(path string) (*project, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the project file: %w", err)
	}
	p := new(project)
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(p); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	dir := filepath.Dir(path)
	if p.Robot != "" && !filepath.IsAbs(p.Robot) {
		p.Robot = filepath.Join(dir, p.Robot)
	}
	if p.Prior != "" && p.Prior != ownFile && !filepath.IsAbs(p.Prior) {
		p.Prior = filepath.Join(dir, p.Prior)
	}
	for i, v := range p.Validate {
		if !filepath.IsAbs(v) {
			p.Validate[i] = filepath.Join(dir, v)
		}
	}
	return p, nil
}

// flags binds the options that mean the same in every command. Which of them a
// command has is its own choice.
type flags struct {
	config    string
	p         project
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
func (f *flags) resolve(c *cobra.Command, beside ...string) (*project, error) {
	base := new(project)
	path := f.config
	if path == "" {
		for _, b := range beside {
			if b == "" {
				continue
			}
			if p := filepath.Join(filepath.Dir(b), projectFile); fileExists(p) {
				path = p
				break
			}
		}
	}
	if path != "" {
		var err error
		if base, err = readProject(path); err != nil {
			return nil, err
		}
	}
	if err := f.apply(c, base); err != nil {
		return nil, usageError{err}
	}
	return base, nil
}

// apply writes the flags that were given over a project.
func (f *flags) apply(c *cobra.Command, p *project) error {
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
		if p.Gravity, e = numbers(f.gravity); e == nil && len(p.Gravity) != 3 {
			e = fmt.Errorf("%q has %d numbers; gravity has three", f.gravity, len(p.Gravity))
		}
		fail("gravity", e)
	}
	if given("terms") {
		p.Terms = splitList(f.terms)
	}
	if given("joints") {
		p.Joints = splitList(f.joints)
	}
	if given("gains") {
		var e error
		p.Gains, e = numbers(f.gains)
		fail("gains", e)
	}
	fail("set", mergeNumbers(&p.Set, f.set))
	fail("lock", mergeNumbers(&p.Lock, f.lock))
	if given("loops") {
		text, e := os.ReadFile(f.loops)
		p.Loops = section(text)
		fail("loops", e)
	}
	fail("assembly", mergeNumbers(&p.Assembly, f.near))
	fail("map", mergeTexts(&p.Map, f.maps, "="))
	fail("unit", mergeTexts(&p.Units, f.units, "="))
	fail("rows", mergeTexts(&p.Rows, f.rows, ":"))
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
		{"no-snap", func() { p.NoSnap = f.p.NoSnap }}, {"cutoff", func() { p.Cutoff, p.cutoffAuto = f.cutoff.cutoff() }},
		{"motion-cutoff", func() { p.MotionCutoff = &f.motion }}, {"trim", func() { p.Trim = &f.trim }},
		{"filter-order", func() { p.FilterOrder = f.p.FilterOrder }}, {"decimate", func() { p.Decimate = f.p.Decimate }},
		{"velocity", func() { p.Velocity = f.p.Velocity }}, {"acceleration", func() { p.Acceleration = f.p.Acceleration }},
		{"differentiator", func() { p.Rates = f.p.Rates }},
		{"on-bad", func() { p.OnBad = f.p.OnBad }}, {"train-fraction", func() { p.TrainFraction = f.p.TrainFraction }},
		{"validate", func() { p.Validate = f.p.Validate }}, {"estimator", func() { p.Estimator = f.p.Estimator }},
		{"controller", func() { p.Controller = f.p.Controller }}, {"reference", func() { p.Reference = splitList(f.reference) }},
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
		for _, s := range splitList(f.posLim) {
			lo, hi, ok := strings.Cut(s, ":")
			pair, e := numbers(lo + "," + hi)
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
			v, e := numbers(text)
			fail(name, e)
			*to = v
		}
	}
	return err
}

// trim is how many seconds are cut from both ends of a run.
func (p *project) trim() float64 {
	if p.Trim == nil {
		return 0.5
	}
	return *p.Trim
}

func splitList(s string) []string {
	var out []string
	for f := range strings.SplitSeq(s, ",") {
		if f = strings.TrimSpace(f); f != "" {
			out = append(out, f)
		}
	}
	return out
}

func numbers(s string) ([]float64, error) {
	var out []float64
	for _, f := range splitList(s) {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", f)
		}
		out = append(out, v)
	}
	return out, nil
}

func mergeNumbers(to *map[string]float64, items []string) error {
	for _, it := range items {
		name, text, ok := strings.Cut(it, "=")
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if !ok || err != nil {
			return fmt.Errorf("%q is not NAME=NUMBER", it)
		}
		if *to == nil {
			*to = map[string]float64{}
		}
		(*to)[strings.TrimSpace(name)] = v
	}
	return nil
}

func mergeTexts(to *map[string]string, items []string, sep string) error {
	for _, it := range items {
		i := strings.LastIndex(it, sep)
		if i <= 0 || i == len(it)-1 {
			return fmt.Errorf("%q is not NAME%sVALUE", it, sep)
		}
		if *to == nil {
			*to = map[string]string{}
		}
		(*to)[strings.TrimSpace(it[:i])] = strings.TrimSpace(it[i+1:])
	}
	return nil
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
