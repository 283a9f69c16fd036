package design

import (
	"math"
	"strings"

	"ident/excite"
	"ident/excite/poses"
	"ident/excite/sway"
	"ident/identify/description"
	"ident/identify/project"
)

// Defaults of Options beside those of package excite.
const (
	DefaultRate        = 200.0 // Hz
	DefaultUncertainty = 10.0  // %
	DefaultClearance   = 0.02  // m
)

// Options are the options of a design. The zero value is a periodic motion of the default length. A number that is zero is
// the default; a negative margin, uncertainty or clearance is none.
type Options struct {
	Shape     excite.Shape     // "" is a Fourier series, or a spline through Poses
	Harmonics int              // of each joint's Fourier series; 0 is excite.DefaultHarmonics
	Pieces    int              // of a spline, or segments from point to point; 0 is the default of excite
	Segments  int              // motions one after another, each adding what the ones before lack; 0 is 1
	Period    float64          // s; 0 is excite.DefaultPeriod
	Margin    float64          // part of every limit that stays free; 0 is excite.DefaultMargin
	Criterion excite.Criterion // what is made small; "" is the condition number
	Starts    int              // local searches; 0 is excite.DefaultStarts

	Start, End []float64          // poses at which the motion begins and ends, one position a joint, rad or m
	Poses      []description.Pose // of the tip, which the motion visits at rest, a segment from each to the next
	Base       string             // file of a trajectory that the design adds to; its duration is the period
	Judge      string             // file of a trajectory or of a task that is judged in place of a search

	Static      int     // number of poses that are passed slowly in place of a fast motion; 0 for none
	StaticSpeed float64 // of a pass, as a part of the velocity limits; 0 is poses.DefaultSpeed

	Standing      bool    // a sway of a robot that stands on the feet of the settings; Start is the pose in which it stands
	Lift          bool    // after a sway on all feet, each foot in the air in turn
	FloorFriction float64 // coefficient of friction between feet and ground; 0 is sway.DefaultFriction

	Noise       []float64 // standard deviation of one torque sample, N·m or N, one for all joints or one for each
	LogRate     float64   // independent torque samples a second that the log will have, Hz; 0 is Rate
	Repeats     int       // periods that the log will have; 0 is 1
	Prior       float64   // standard deviation of the robot file's parameters before any log, % of each; 0 for none
	After       string    // folder of an earlier fit: the design adds what its logs lack
	Uncertainty float64   // how far base parameters may be off in limits of torque, % of each; 0 is DefaultUncertainty

	KeepOuts      []excite.KeepOut
	SelfCollision bool    // keep the links apart; on by itself if the robot file has collision primitives
	Clearance     float64 // least distance of bodies from each other and from keep-outs, m; 0 is DefaultClearance
	Tip           Tip

	Rate    float64                 // of samples, Hz; 0 is DefaultRate
	Outputs []string                // files that Write writes, each by its extension
	Program *excite.ProgramLanguage // language of the only output; nil for one by its extension
	Command string                  // command line to print on a page; "" for none

	// Progress, if set, is told how far a stage of the search is, with figures of the best motion so far as a text.
	Progress func(stage string, done, total int, figures string)
}

// Tip is the point of a link whose speed is limited, or that visits poses.
type Tip struct {
	Link  string      // "" is the last link
	At    *[3]float64 // in the link's own frame, m; nil is a flange or a tool on the link, otherwise the link's origin
	Speed float64     // m/s; 0 for no limit
}

// orNone returns the default of a number that is zero, and zero of a negative one.
func orNone(x, def float64) float64 {
	if x == 0 {
		return def
	}
	return max(x, 0)
}

// complete checks the options and writes the defaults into them.
func (o *Options) complete() error {
	if err := o.checkTogether(); err != nil {
		return err
	}
	switch {
	case o.Standing:
		o.Shape = "sway"
		if o.Period == 0 {
			o.Period = DefaultSwaySeconds
			if o.Lift {
				o.Period = DefaultLiftSeconds
			}
		}
		if o.Starts == 0 {
			o.Starts = sway.DefaultDraws
		}
		if o.FloorFriction == 0 {
			o.FloorFriction = sway.DefaultFriction
		}
		if o.Criterion == "" {
			o.Criterion = excite.DOptimal
		}
	case o.Static > 0:
		o.Shape = "static"
	case o.Shape == "" && o.Poses != nil:
		o.Shape = excite.Spline
	case o.Shape == "":
		o.Shape = excite.Fourier
	}
	for _, d := range []struct {
		to  *int
		def int
	}{{&o.Harmonics, excite.DefaultHarmonics}, {&o.Segments, 1}, {&o.Starts, excite.DefaultStarts}, {&o.Repeats, 1}} {
		if *d.to == 0 {
			*d.to = d.def
		}
	}
	for _, d := range []struct {
		to  *float64
		def float64
	}{{&o.Period, excite.DefaultPeriod}, {&o.StaticSpeed, poses.DefaultSpeed}, {&o.Rate, DefaultRate}} {
		if *d.to == 0 {
			*d.to = d.def
		}
	}
	o.Margin, o.Uncertainty, o.Clearance = orNone(o.Margin, excite.DefaultMargin), orNone(o.Uncertainty, DefaultUncertainty), orNone(o.Clearance, DefaultClearance)
	return o.checkNumbers()
}

// checkNumbers refuses numbers that mean nothing, before anything is computed.
func (o *Options) checkNumbers() (err error) {
	switch {
	case o.Shape == excite.Fourier && o.Harmonics < 2:
		return project.NewOptionError("{harmonics} %d: a motion that starts and ends at rest needs 2 or more", o.Harmonics)
	case !(o.Period > 0) || math.IsInf(o.Period, 0):
		return project.NewOptionError("{period} %g: give a positive number of seconds", o.Period)
	case !(o.Margin < 1):
		return project.NewOptionError("{margin} %g: give a fraction of the limits, from 0 to below 1", o.Margin)
	case o.Starts < 1:
		return project.NewOptionError("{starts} %d: give 1 or more", o.Starts)
	case o.Segments < 1:
		return project.NewOptionError("{segments} %d: give 1 or more", o.Segments)
	case o.Repeats < 1:
		return project.NewOptionError("{repeat} %d: give 1 or more", o.Repeats)
	case !(o.Rate > 0) || math.IsInf(o.Rate, 0):
		return project.NewOptionError("{rate} %g: give a positive number of samples a second", o.Rate)
	case o.Rate*o.Period > 1e7:
		return project.NewOptionError("{rate} %g over {period} %g are %.3g samples: too many", o.Rate, o.Period, o.Rate*o.Period)
	case !(o.LogRate >= 0):
		return project.NewOptionError("{log-rate} %g: give a positive number of samples a second", o.LogRate)
	case !(o.Uncertainty >= 0) || math.IsInf(o.Uncertainty, 0):
		return project.NewOptionError("{uncertainty} %g: give a percentage", o.Uncertainty)
	case !(o.Prior >= 0) || math.IsInf(o.Prior, 0):
		return project.NewOptionError("{prior} %g: give a percentage", o.Prior)
	case !(o.Clearance >= 0) || math.IsInf(o.Clearance, 0):
		return project.NewOptionError("{clearance} %g: give a distance in m", o.Clearance)
	case !(o.Tip.Speed >= 0) || math.IsInf(o.Tip.Speed, 0):
		return project.NewOptionError("{tip-speed} %g: give a speed in m/s", o.Tip.Speed)
	case o.Static < 0:
		return project.NewOptionError("{static} %d: give a number of poses", o.Static)
	}
	if o.Criterion == "" {
		o.Criterion = excite.ConditionNumber
	}
	if o.Criterion, err = excite.ParseCriterion(string(o.Criterion)); err != nil {
		return project.NewOptionError("{criterion}: %v (the default is the condition number of the base regressor)", err)
	}
	return nil
}

// checkTogether refuses options that contradict each other.
func (o *Options) checkTogether() error {
	if o.Base != "" && o.Period != 0 {
		return project.NewOptionError("{base-motion} and {period} both say how long: the base motion's duration is the period")
	}
	if o.Standing {
		for _, other := range []struct {
			name  string
			given bool
		}{{"shape", o.Shape != ""}, {"harmonics", o.Harmonics != 0}, {"pieces", o.Pieces != 0}, {"segments", o.Segments != 0}, {"static", o.Static != 0}, {"end", o.End != nil},
			{"payload-poses", o.Poses != nil}, {"base-motion", o.Base != ""}, {"judge", o.Judge != ""}, {"after", o.After != ""}, {"noise", o.Noise != nil}, {"prior", o.Prior != 0},
			{"keep-out", o.KeepOuts != nil}, {"repeat", o.Repeats > 1}, {"log-rate", o.LogRate != 0}, {"tip-speed", o.Tip.Speed != 0}, {"self-collision", o.SelfCollision}, {"to", o.Program != nil}} {
			if other.given {
				return project.NewOptionError("{standing} designs a sway of the base, whose legs follow: leave out {" + other.name + "}")
			}
		}
		if !(o.FloorFriction >= 0) || math.IsInf(o.FloorFriction, 0) {
			return project.NewOptionError("{floor-friction} %g: give a coefficient of friction above 0", o.FloorFriction)
		}
	} else if o.FloorFriction != 0 {
		return project.NewOptionError("{floor-friction} is of a robot that stands: give {standing}, too")
	} else if o.Lift {
		return project.NewOptionError("{lift} is of a robot that stands: give {standing}, too")
	}
	if o.Static > 0 {
		for _, other := range []struct {
			name  string
			given bool
		}{{"shape", o.Shape != ""}, {"harmonics", o.Harmonics != 0}, {"pieces", o.Pieces != 0}, {"segments", o.Segments != 0}, {"period", o.Period != 0},
			{"start", o.Start != nil}, {"end", o.End != nil}, {"payload-poses", o.Poses != nil}, {"base-motion", o.Base != ""},
			{"criterion", o.Criterion != "" && o.Criterion != excite.ConditionNumber}, {"starts", o.Starts != 0}, {"prior", o.Prior != 0}, {"after", o.After != ""}} {
			if other.given {
				return project.NewOptionError("{static} chooses poses by the condition number and joins slow passes: leave out {" + other.name + "}")
			}
		}
	}
	if o.Judge != "" && (o.Poses != nil || o.Base != "" || o.Start != nil || o.End != nil || o.Static > 0 || o.Segments > 1) {
		return project.NewOptionError("{judge} is of a motion that is given: leave out options of a search, {payload-poses}, {base-motion}, {start}, {end}, {segments} and {static}")
	}
	if o.Poses != nil {
		switch {
		case o.Start != nil || o.End != nil || o.Base != "" || o.Segments != 0:
			return project.NewOptionError("{payload-poses} says where the motion starts and ends, and in how many segments: leave out {start}, {end}, {segments} and {base-motion}")
		case o.Shape == excite.Fourier:
			return project.NewOptionError("{shape} fourier begins and ends at one pose: {payload-poses} goes with spline or points")
		case len(o.Poses) < 2:
			return project.NewHintError("payload-poses", "", "{payload-poses}: %s is the only pose; give two or more", o.Poses[0].Name)
		}
	}
	if o.Prior > 0 && o.Noise == nil && o.After == "" {
		return project.NewOptionError("{prior} cannot be weighed against new samples without {noise}")
	}
	if (o.Tip.Link != "" || o.Tip.At != nil) && o.Tip.Speed == 0 && o.Poses == nil {
		return project.NewOptionError("{tip} says where, {tip-speed} how fast: give both")
	}
	return nil
}

// isSamples reports whether an output is samples of the motion.
func isSamples(path string) bool {
	low := strings.ToLower(path)
	return !strings.HasSuffix(low, ".md") && !strings.HasSuffix(low, ".svg") && !strings.HasSuffix(low, ".html") && (!project.IsJSON(path) || strings.HasSuffix(low, ".ros.json"))
}
