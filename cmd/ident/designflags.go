package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/excite"
	"ident/excite/poses"
	"ident/identify/description"
	"ident/identify/design"
	"ident/identify/project"
)

// designFlags are the options of a design as texts, and what they say.
type designFlags struct {
	design.Options
	shape, criterion, format string
	noise, start, end        string
	keepOut                  []string
	poses, tip               string
	speed                    float64
}

func (o *designFlags) flags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&o.format, "to", "", "format of the only -o: "+strings.Join(formatsTo(), ", ")+" (default by the extension)")
	fl.StringVar(&o.shape, "shape", "fourier", "fourier (periodic), spline, or points (point to point)")
	addNumber(fl, &o.Static, "static", "", 0, 0, 10_000, "this many poses, passed slowly in both directions, that determine the gravity parameters, in place of a fast motion")
	addNumber(fl, &o.StaticSpeed, "static-speed", "", poses.DefaultSpeed, 1e-4, 1, "speed of --static's passes, as a part of the velocity limits")
	fl.BoolVar(&o.Standing, "standing", false, "a sway of a robot that stands on its --feet, which stick; --start is the pose in which it stands")
	fl.BoolVar(&o.Lift, "lift", false, "after a sway of --standing, each foot is in the air in turn, and the base leans off it")
	addNumber(fl, &o.FloorFriction, "floor-friction", "", 0, 0, 10, "coefficient of friction between the feet and the ground of --standing (default 0.4)")
	addNumber(fl, &o.Harmonics, "harmonics", "", excite.DefaultHarmonics, 1, 100, "harmonics of each joint's Fourier series")
	addNumber(fl, &o.Pieces, "pieces", "", 0, 0, 1000, "pieces of a spline, or segments from point to point (default 13, 6)")
	addNumber(fl, &o.Segments, "segments", "", 1, 1, 100, "motions one after another, each adding what the ones before lack")
	addNumber(fl, &o.Period, "period", "s", excite.DefaultPeriod, 1e-3, 1e5, "seconds of one period")
	addNumber(fl, &o.Margin, "margin", "", excite.DefaultMargin, 0, 0.999, "part of every limit that stays free")
	fl.StringVar(&o.criterion, "criterion", "condition", "what is made small: condition, D, A or E")
	addNumber(fl, &o.Starts, "starts", "", excite.DefaultStarts, 1, 10_000, "local searches; more take longer and may find better")
	addNumber(fl, &o.Rate, "rate", "Hz", design.DefaultRate, 1e-3, 1e5, "samples a second of a .csv, .parquet, .arrow or ROS file")
	fl.StringArrayVarP(&o.Outputs, "output", "o", nil, "file to write, by its extension (repeatable; default ROBOT.traj.csv)")
	fl.StringVar(&o.noise, "noise", "", "standard deviation of one torque sample, one for all joints or one for each")
	addNumber(fl, &o.LogRate, "log-rate", "Hz", 0, 0, 1e9, "independent torque samples a second that the log will have (default --rate)")
	addNumber(fl, &o.Repeats, "repeat", "", 1, 1, 1_000_000, "periods that the log will have")
	addNumber(fl, &o.Prior, "prior", "%", 0, 0, 1e9, "standard deviation of the robot file's parameters before any log, % of each; 0 for none")
	fl.StringVar(&o.After, "after", "", "folder of an earlier fit: design what its logs lack")
	fl.StringVar(&o.start, "start", "", "pose at which the motion begins, and ends unless --end says otherwise")
	fl.StringVar(&o.end, "end", "", "pose at which a spline or point-to-point motion ends")
	fl.StringVar(&o.poses, "payload-poses", "", "file of tip poses, x,y,z[,roll,pitch,yaw] a line, that the motion visits at rest, a segment from each to the next")
	fl.StringVar(&o.Base, "base-motion", "", "a trajectory file that the design adds to; its duration is the period")
	fl.StringVar(&o.Judge, "judge", "", "a trajectory or a task file that is judged and written as a design would be, without a search")
	addNumber(fl, &o.Uncertainty, "uncertainty", "%", design.DefaultUncertainty, 0, 1e6, "how far base parameters may be off in torque limits, % of each")
	fl.StringArrayVar(&o.keepOut, "keep-out", nil, "forbidden space, box:X,Y,Z:X,Y,Z (corners) or plane:NX,NY,NZ:OFFSET (below it) in the base frame (repeatable)")
	fl.BoolVar(&o.SelfCollision, "self-collision", false, "keep the links apart (on by itself where the robot file has collision primitives)")
	addNumber(fl, &o.Clearance, "clearance", "m", design.DefaultClearance, 0, 1e6, "least distance of bodies from each other and from --keep-out, m")
	addNumber(fl, &o.speed, "tip-speed", "m/s", 0, 0, 1e9, "top speed of the tip in m/s; 0 for none")
	fl.StringVar(&o.tip, "tip", "", "the tip: LINK or LINK:X,Y,Z in its own frame (default the last link's)")
}

// options returns the options that the texts of a call say. Of numbers that the call does not give the design takes the default.
func (o *designFlags) options(c *cobra.Command, robotFile string) (opt design.Options, err error) {
	opt = o.Options
	given := c.Flags().Changed
	if given("shape") {
		opt.Shape = excite.Shape(o.shape)
	}
	for _, n := range []struct {
		name string
		to   *int
	}{{"harmonics", &opt.Harmonics}, {"segments", &opt.Segments}, {"starts", &opt.Starts}} {
		if !given(n.name) {
			*n.to = 0
		}
	}
	if !given("period") {
		opt.Period = 0
	}
	if opt.Standing && !given("criterion") {
		o.criterion = string(excite.DOptimal)
	}
	for _, x := range []*float64{&opt.Margin, &opt.Uncertainty, &opt.Clearance} {
		if *x == 0 {
			*x = -1 // none
		}
	}
	if o.poses != "" {
		if opt.Poses, err = description.ReadPoses(o.poses); err != nil {
			return opt, err
		}
	}
	if opt.Criterion, err = excite.ParseCriterion(o.criterion); err != nil {
		return opt, usagef("--criterion: %v (the default is the condition number of the base regressor)", err)
	}
	for _, l := range []struct {
		name, text string
		to         *[]float64
	}{{"noise", o.noise, &opt.Noise}, {"start", o.start, &opt.Start}, {"end", o.end, &opt.End}} {
		if !given(l.name) {
			continue
		}
		if *l.to, err = project.ParseNumbers(l.text); err != nil || len(*l.to) == 0 {
			return opt, usagef("--%s %q: want numbers, comma-separated", l.name, l.text)
		}
	}
	for i, text := range o.keepOut {
		k, err := parseKeepOut(text)
		if err != nil {
			return opt, usagef("--keep-out %s: %v", text, err)
		}
		k.Name = fmt.Sprintf("%d (%s)", i+1, text)
		opt.KeepOuts = append(opt.KeepOuts, k)
	}
	if opt.Tip, err = parseTip(o.tip); err != nil {
		return opt, err
	}
	opt.Tip.Speed = o.speed
	return opt, o.outputs(c, &opt, robotFile)
}

// parseTip reads LINK:X,Y,Z, of which the numbers may be left out.
func parseTip(text string) (design.Tip, error) {
	link, place, given := strings.Cut(text, ":")
	tip := design.Tip{Link: link}
	if !given {
		return tip, nil
	}
	x, err := project.ParseNumbers(place)
	if err != nil || len(x) != 3 {
		return tip, usagef("--tip %s: want LINK:X,Y,Z", text)
	}
	tip.At = (*[3]float64)(x)
	return tip, nil
}

// outputs checks the files to write before anything is computed, and names the default one.
func (o *designFlags) outputs(c *cobra.Command, opt *design.Options, robotFile string) error {
	extension, err := o.extensionTo(opt)
	if err != nil {
		return err
	}
	if len(opt.Outputs) == 0 {
		opt.Outputs = []string{strings.TrimSuffix(filepath.Base(robotFile), filepath.Ext(robotFile)) + ".traj" + extension}
	}
	return claimMotion(c, opt)
}

// claimMotion checks the files of a designed motion. A file of samples gets a page beside it.
func claimMotion(c *cobra.Command, opt *design.Options) error {
	further := []string{".json", ".ros.yaml", ".ros.json", ".md", ".svg", ".html"}
	if opt.Program != nil {
		further = []string{""} // of any extension
	}
	for _, path := range opt.Outputs {
		if err := checkOutput(c, path, further...); err != nil {
			return err
		}
	}
	if opt.Program == nil {
		opt.Outputs = design.WithPage(opt.Outputs)
	}
	return claim(c, opt.Outputs...)
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

// extensionTo returns the extension of the default output, by --to, and finds the language of a program.
func (o *designFlags) extensionTo(opt *design.Options) (string, error) {
	if o.format == "" {
		return ".csv", nil
	}
	if len(opt.Outputs) > 1 {
		return "", usagef("--to %s is the format of one file: give one -o", o.format)
	}
	if slices.Contains(opt.Outputs, "-") && o.format != "csv" {
		return "", usagef("--to %s goes to a file: -o - is CSV", o.format)
	}
	if l, ok := excite.FindProgramLanguage(o.format); ok {
		opt.Program = &l
		return l.Extension, nil
	}
	if !slices.Contains(formatsTo(), o.format) {
		return "", unknownName("format", o.format, formatsTo())
	}
	extension := "." + o.format
	if len(opt.Outputs) == 1 && opt.Outputs[0] != "-" && !strings.HasSuffix(strings.ToLower(opt.Outputs[0]), extension) {
		return "", usagef("--to %s and -o %s contradict each other", o.format, opt.Outputs[0])
	}
	return extension, nil
}
