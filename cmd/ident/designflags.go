package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/description"
	"ident/excite"
	"ident/excite/poses"
	"ident/identify/project"
)

// designOptions are the options of a design that are no settings of a project.
type designOptions struct {
	out                  []string
	format               string                  // of --to
	program              *excite.ProgramLanguage // of out[0], nil for one by its extension
	shape, criterion     string
	harmonics, pieces    int
	segments, starts     int
	period, margin, rate float64
	noise, start, end    string
	logRate, uncertainty float64
	prior                float64
	repeat               int
	after, base, judge   string
	keepOut              []string
	self                 bool
	clearance, tipSpeed  float64
	tip                  string
	criterionKind        excite.Criterion
	noises, from, to     []float64
	powers               []float64
	keepOuts             []excite.KeepOut
	poses                string
	tour                 []description.Pose
	static               int
	slow                 float64
}

func (o *designOptions) flags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&o.format, "to", "", "format of the only -o: "+strings.Join(formatsTo(), ", ")+" (default by the extension)")
	fl.StringVar(&o.shape, "shape", "fourier", "fourier (periodic), spline, or points (point to point)")
	addNumber(fl, &o.static, "static", "", 0, 0, 10_000, "this many poses, passed slowly in both directions, that determine the gravity parameters, in place of a fast motion")
	addNumber(fl, &o.slow, "static-speed", "", poses.DefaultSpeed, 1e-4, 1, "speed of --static's passes, as a part of the velocity limits")
	addNumber(fl, &o.harmonics, "harmonics", "", excite.DefaultHarmonics, 0, 100, "harmonics of each joint's Fourier series")
	addNumber(fl, &o.pieces, "pieces", "", 0, 0, 1000, "pieces of a spline, or segments from point to point (default 13, 6)")
	addNumber(fl, &o.segments, "segments", "", 1, 1, 100, "motions one after another, each adding what the ones before lack")
	addNumber(fl, &o.period, "period", "s", excite.DefaultPeriod, 1e-3, 1e5, "seconds of one period")
	addNumber(fl, &o.margin, "margin", "", excite.DefaultMargin, 0, 0.999, "part of every limit that stays free")
	fl.StringVar(&o.criterion, "criterion", "condition", "what is made small: condition, D, A or E")
	addNumber(fl, &o.starts, "starts", "", excite.DefaultStarts, 1, 10_000, "local searches; more take longer and may find better")
	addNumber(fl, &o.rate, "rate", "Hz", 200, 1e-3, 1e5, "samples a second of a .csv, .parquet, .arrow or ROS file")
	fl.StringArrayVarP(&o.out, "output", "o", nil, "file to write, by its extension (repeatable; default ROBOT.traj.csv)")
	fl.StringVar(&o.noise, "noise", "", "standard deviation of one torque sample, one for all joints or one for each")
	addNumber(fl, &o.logRate, "log-rate", "Hz", 0, 0, 1e9, "independent torque samples a second that the log will have (default --rate)")
	addNumber(fl, &o.repeat, "repeat", "", 1, 1, 1_000_000, "periods that the log will have")
	addNumber(fl, &o.prior, "prior", "%", 0, 0, 1e9, "standard deviation of the robot file's parameters before any log, % of each; 0 for none")
	fl.StringVar(&o.after, "after", "", "folder of an earlier fit: design what its logs lack")
	fl.StringVar(&o.start, "start", "", "pose at which the motion begins, and ends unless --end says otherwise")
	fl.StringVar(&o.end, "end", "", "pose at which a spline or point-to-point motion ends")
	fl.StringVar(&o.poses, "payload-poses", "", "file of tip poses, x,y,z[,roll,pitch,yaw] a line, that the motion visits at rest, a segment from each to the next")
	fl.StringVar(&o.base, "base-motion", "", "a trajectory file that the design adds to; its duration is the period")
	fl.StringVar(&o.judge, "judge", "", "a trajectory or a task file that is judged and written as a design would be, without a search")
	addNumber(fl, &o.uncertainty, "uncertainty", "%", 10, 0, 1e6, "how far base parameters may be off in torque limits, % of each")
	fl.StringArrayVar(&o.keepOut, "keep-out", nil, "forbidden space, box:X,Y,Z:X,Y,Z (corners) or plane:NX,NY,NZ:OFFSET (below it) in the base frame (repeatable)")
	fl.BoolVar(&o.self, "self-collision", false, "keep the links apart (on by itself where the robot file has collision primitives)")
	addNumber(fl, &o.clearance, "clearance", "m", 0.02, 0, 1e6, "least distance of bodies from each other and from --keep-out, m")
	addNumber(fl, &o.tipSpeed, "tip-speed", "m/s", 0, 0, 1e9, "top speed of the tip in m/s; 0 for none")
	fl.StringVar(&o.tip, "tip", "", "the tip: LINK or LINK:X,Y,Z in its own frame (default the last link's)")
}

// check refuses settings that mean nothing, before anything is computed.
func (o *designOptions) check(c *cobra.Command, p *project.Settings) (err error) {
	switch {
	case o.shape == "fourier" && o.harmonics < 2:
		return usagef("--harmonics %d: a motion that starts and ends at rest needs 2 or more", o.harmonics)
	case !(o.period > 0) || math.IsInf(o.period, 0):
		return usagef("--period %g: give a positive number of seconds", o.period)
	case !(o.margin >= 0 && o.margin < 1):
		return usagef("--margin %g: give a fraction of the limits, from 0 to below 1", o.margin)
	case o.starts < 1:
		return usagef("--starts %d: give 1 or more", o.starts)
	case o.segments < 1:
		return usagef("--segments %d: give 1 or more", o.segments)
	case o.repeat < 1:
		return usagef("--repeat %d: give 1 or more", o.repeat)
	case !(o.rate > 0) || math.IsInf(o.rate, 0):
		return usagef("--rate %g: give a positive number of samples a second", o.rate)
	case o.rate*o.period > 1e7:
		return usagef("--rate %g over --period %g are %.3g samples: too many", o.rate, o.period, o.rate*o.period)
	case o.logRate < 0 || math.IsNaN(o.logRate):
		return usagef("--log-rate %g: give a positive number of samples a second", o.logRate)
	case !(o.uncertainty >= 0) || math.IsInf(o.uncertainty, 0):
		return usagef("--uncertainty %g: give a percentage", o.uncertainty)
	case !(o.prior >= 0) || math.IsInf(o.prior, 0):
		return usagef("--prior %g: give a percentage", o.prior)
	case !(o.clearance >= 0) || math.IsInf(o.clearance, 0):
		return usagef("--clearance %g: give a distance in m", o.clearance)
	case !(o.tipSpeed >= 0) || math.IsInf(o.tipSpeed, 0):
		return usagef("--tip-speed %g: give a speed in m/s", o.tipSpeed)
	case o.base != "" && c.Flags().Changed("period"):
		return usagef("--base-motion and --period both say how long: the base motion's duration is the period")
	}
	if o.static > 0 {
		for _, other := range []string{"shape", "harmonics", "pieces", "segments", "period", "start", "end", "payload-poses", "base-motion", "criterion", "starts", "prior", "after"} {
			if c.Flags().Changed(other) {
				return usagef("--static chooses poses by the condition number and joins slow passes: leave out --%s", other)
			}
		}
		o.shape = "static"
	}
	if o.judge != "" && (o.poses != "" || o.base != "" || o.start != "" || o.end != "" || o.static > 0 || o.segments > 1) {
		return usagef("--judge is of a motion that is given: leave out options of a search, --payload-poses, --base-motion, --start, --end, --segments and --static")
	}
	if o.poses != "" {
		switch {
		case o.start != "" || o.end != "" || o.base != "" || c.Flags().Changed("segments"):
			return usagef("--payload-poses says where the motion starts and ends, and in how many segments: leave out --start, --end, --segments and --base-motion")
		case o.shape == "fourier" && c.Flags().Changed("shape"):
			return usagef("--shape fourier begins and ends at one pose: --payload-poses goes with spline or points")
		case o.shape == "fourier":
			o.shape = "spline"
		}
		if o.tour, err = description.ReadPoses(o.poses); err != nil {
			return err
		}
		if len(o.tour) < 2 {
			return fmt.Errorf("--payload-poses %s holds one pose; give two or more", o.poses)
		}
	}
	if o.criterionKind, err = excite.ParseCriterion(o.criterion); err != nil {
		return usagef("--criterion: %v (the default is the condition number of the base regressor)", err)
	}
	for _, l := range []struct {
		name, text string
		to         *[]float64
	}{{"noise", o.noise, &o.noises}, {"start", o.start, &o.from}, {"end", o.end, &o.to}} {
		if !c.Flags().Changed(l.name) {
			continue
		}
		if *l.to, err = project.ParseNumbers(l.text); err != nil || len(*l.to) == 0 {
			return usagef("--%s %q: want numbers, comma-separated", l.name, l.text)
		}
	}
	o.powers = p.Limits.Power
	if o.prior > 0 && o.noises == nil && o.after == "" {
		return usagef("--prior cannot be weighed against new samples without --noise")
	}
	for i, text := range o.keepOut {
		k, err := parseKeepOut(text)
		if err != nil {
			return usagef("--keep-out %s: %v", text, err)
		}
		k.Name = fmt.Sprintf("%d (%s)", i+1, text)
		o.keepOuts = append(o.keepOuts, k)
	}
	extension, err := o.extensionTo()
	if err != nil {
		return err
	}
	if len(o.out) == 0 {
		o.out = []string{strings.TrimSuffix(filepath.Base(p.Robot), filepath.Ext(p.Robot)) + ".traj" + extension}
	}
	if o.program != nil {
		if err := checkOutput(c, o.out[0], ""); err != nil { // of any extension
			return err
		}
		return claim(c, o.out...)
	}
	for _, path := range o.out {
		if err := checkOutput(c, path, ".json", ".ros.yaml", ".ros.json", ".md", ".svg", ".html"); err != nil {
			return err
		}
	}
	o.out = project.WithPage(o.out)
	return claim(c, o.out...)
}

// parseKeepOut reads box:X,Y,Z:X,Y,Z or plane:NX,NY,NZ:OFFSET.
func parseKeepOut(text string) (k excite.KeepOut, err error) {
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return k, fmt.Errorf("want box:X,Y,Z:X,Y,Z or plane:NX,NY,NZ:OFFSET")
	}
	a, err := project.ParseNumbers(parts[1])
	if err != nil {
		return k, err
	}
	b, err := project.ParseNumbers(parts[2])
	if err != nil {
		return k, err
	}
	switch {
	case parts[0] == "box" && len(a) == 3 && len(b) == 3:
		for i := range 3 {
			k.Min[i], k.Max[i] = min(a[i], b[i]), max(a[i], b[i])
		}
		return k, nil
	case parts[0] == "plane" && len(a) == 3 && len(b) == 1 && (a[0] != 0 || a[1] != 0 || a[2] != 0):
		copy(k.Normal[:], a)
		k.Offset = b[0]
		return k, nil
	}
	return k, fmt.Errorf("want box:X,Y,Z:X,Y,Z or plane:NX,NY,NZ:OFFSET with a normal that is not zero")
}

// formatsTo lists the formats of --to.
func formatsTo() []string {
	var names []string
	for _, l := range excite.ProgramLanguages() {
		names = append(names, l.Name)
	}
	return append(names, "csv", "npz")
}

// extensionTo returns the extension of the default output, by --to; it finds the language of a program.
func (o *designOptions) extensionTo() (string, error) {
	if o.format == "" {
		return ".csv", nil
	}
	if len(o.out) > 1 {
		return "", usagef("--to %s is the format of one file: give one -o", o.format)
	}
	if slices.Contains(o.out, "-") && o.format != "csv" {
		return "", usagef("--to %s goes to a file: -o - is CSV", o.format)
	}
	if l, ok := excite.FindProgramLanguage(o.format); ok {
		o.program = &l
		return l.Extension, nil
	}
	if !slices.Contains(formatsTo(), o.format) {
		return "", unknownName("format", o.format, formatsTo())
	}
	extension := "." + o.format
	if len(o.out) == 1 && o.out[0] != "-" && !strings.HasSuffix(strings.ToLower(o.out[0]), extension) {
		return "", usagef("--to %s and -o %s contradict each other", o.format, o.out[0])
	}
	return extension, nil
}
