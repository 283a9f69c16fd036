package excite

import (
	"fmt"
	"math"

	"ident/regressor"
	"ident/robot"
)

// Defaults of a Problem's zero fields.
const (
	DefaultHarmonics = 5
	DefaultPeriod    = 10.0
	DefaultMargin    = 0.05
	DefaultStarts    = 20
	DefaultPieces    = 13 // pieces of splines: they give a joint as many coefficients as five harmonics
	DefaultSegments  = 6  // segments of point-to-point motion
)

// Shape is a family of motions.
type Shape string

// The shapes. All rest at both ends.
const (
	Fourier Shape = "fourier" // a finite Fourier series, periodic
	Spline  Shape = "spline"  // quintic B-splines on equal pieces
	Points  Shape = "points"  // quintics from rest to rest through points
)

// Problem describes a design.
type Problem struct {
	Model     *regressor.Model // with base columns only, see regressor.Model.Select
	Limits    []Limits         // one for each row of the model, see LimitsOf
	Shape     Shape            // "" for Fourier
	Harmonics int              // for Fourier: number of harmonics, at least 2; 0 for DefaultHarmonics
	Pieces    int              // for Spline: number of pieces, at least 7; for Points: number of segments, at least 2; 0 for DefaultPieces, DefaultSegments
	Period    float64          // seconds; 0 for DefaultPeriod
	Margin    float64          // fraction of every limit kept free; 0 for DefaultMargin, negative for none
	Starts    int              // local searches; 0 for DefaultStarts
	Seed      uint64
	// SampleRate of the criterion's rows in Hz; 0 means twenty a period of the highest harmonic.
	SampleRate float64

	Criterion Criterion // "" for ConditionNumber
	// Noise is the standard deviation of one logged torque sample, N·m or N, one per joint, by which the joints' rows are
	// weighted. LogRate, the rate of independent samples in Hz, and Repeats, the number of periods (0 means one), then
	// give the number of rows. nil weights all joints equally.
	Noise   []float64
	LogRate float64
	Repeats int
	// PriorRows are rows of prior knowledge over the model's columns, of unit noise: a diagonal of 1/σ, or PriorRowsFrom
	// the covariance of an earlier fit. They require Noise.
	PriorRows [][]float64

	// Start, if set, is the pose at the beginning, one position a joint; also at the end, unless End is set. A Fourier
	// series cannot have another end.
	Start, End []float64
	// Via, if set, holds two or more poses that a sequence of Spline or Points motions visits at rest, one segment
	// between two.
	Via [][]float64
	// Base, if set, is a motion to which the design is added. It must have duration Period and be periodic or at rest at
	// both ends.
	Base Motion

	// Robot is the robot of Model. The fields below require it.
	Robot *robot.Robot
	// Values are the parameters of the model's columns, Uncertainty the half width of each one's interval. Limits of
	// effort and power require them; otherwise these limits are skipped, with a note in Result.Defaults.
	Values, Uncertainty []float64
	Capsules            []Capsule
	KeepOuts            []KeepOut
	SelfCollision       bool
	Clearance           float64 // least distance, m
	Tip                 *Tip

	// Progress, if set, is called from time to time, never concurrently.
	Progress func(Progress)
}

// Tip is a point whose speed is limited.
type Tip struct {
	Name  string
	Link  int // link index
	At    [3]float64
	Speed float64 // m/s
}

// Progress is the state of a design.
type Progress struct {
	Stage       string // "draw", "descend", "refine" or "repair"
	Done, Total int    // local searches that are done, and in all, in this stage
	Evaluations int
	Best        float64 // criterion of the best feasible trajectory, +Inf without one
	Margin      float64 // worst margin of that trajectory, or of the least infeasible one if there is none, as a fraction of the limit
}

// InfeasibleError names the constraints that the least infeasible motion of a search violates, with their excesses.
type InfeasibleError struct {
	Worst Excess
	Also  []Excess // other violated constraints
}

func (e *InfeasibleError) Error() string {
	text := fmt.Sprintf("no motion was found that keeps all constraints; at the nearest one, %s", e.Worst)
	for _, x := range e.Also {
		text += "; " + x.String()
	}
	return text
}

// fill sets defaults, describes them, and checks the fields.
func (p *Problem) fill() (defaults []string, err error) {
	if p.Model == nil || len(p.Limits) != p.Model.Joints() {
		panic("excite: Design wants a model and the limits of each of its joints")
	}
	joints, columns := p.Model.Joints(), len(p.Model.Columns())
	for _, x := range []struct {
		name string
		v    []float64
		want int
	}{{"Noise", p.Noise, joints}, {"Start", p.Start, joints}, {"End", p.End, joints}, {"Values", p.Values, columns}, {"Uncertainty", p.Uncertainty, columns}} {
		if len(x.v) != 0 && len(x.v) != x.want {
			panic(fmt.Sprintf("excite: %s has %d entries, wanted %d", x.name, len(x.v), x.want))
		}
	}
	say := func(format string, args ...any) { defaults = append(defaults, fmt.Sprintf(format, args...)) }
	if p.Shape == "" {
		p.Shape = Fourier
	}
	if p.Criterion == "" {
		p.Criterion = ConditionNumber
	}
	switch {
	case p.Shape == Fourier && p.Harmonics == 0:
		p.Harmonics = DefaultHarmonics
		say("harmonics %d", p.Harmonics)
	case p.Shape == Spline && p.Pieces == 0:
		p.Pieces = DefaultPieces
		say("%d pieces", p.Pieces)
	case p.Shape == Points && p.Pieces == 0:
		p.Pieces = DefaultSegments
		say("%d segments", p.Pieces)
	}
	if p.Period == 0 {
		p.Period = DefaultPeriod
		say("period %g s", p.Period)
	}
	if p.Margin == 0 {
		p.Margin = DefaultMargin
		say("margin %g of every limit", p.Margin)
	}
	if p.Starts == 0 {
		p.Starts = DefaultStarts
		say("starts %d", p.Starts)
	}
	p.Margin, p.Repeats = max(p.Margin, 0), max(p.Repeats, 1)
	return defaults, p.validate()
}

// mostSearched bounds the samples of a period in the search: each costs a row of the regressor for each start.
const mostSearched = 1e6

// validate returns an error for fields that contradict each other or are out of range.
func (p *Problem) validate() error {
	highest := float64(p.Harmonics) / p.Period
	switch {
	case p.Shape != Fourier && p.Shape != Spline && p.Shape != Points:
		return fmt.Errorf("excite: unknown shape %q; the shapes are fourier, spline and points", p.Shape)
	case p.Shape == Fourier && p.Harmonics < 2:
		return fmt.Errorf("excite: %d harmonics cannot start and end at rest; give 2 or more", p.Harmonics)
	case p.Shape == Spline && p.Pieces < 7:
		return fmt.Errorf("excite: splines on %d pieces cannot start and end at rest; give 7 or more", p.Pieces)
	case p.Shape == Points && p.Pieces < 2:
		return fmt.Errorf("excite: %d segments leave no point between; give 2 or more", p.Pieces)
	case !(p.Period > 0) || math.IsInf(p.Period, 0):
		return fmt.Errorf("excite: a period of %g s; give a positive number of seconds", p.Period)
	case !(p.Margin < 1):
		return fmt.Errorf("excite: the margin is %g: it must be a fraction below 1 of the limits", p.Margin)
	case p.Starts < 0:
		return fmt.Errorf("excite: %d starts; give 1 or more", p.Starts)
	case p.SampleRate < 0 || math.IsNaN(p.SampleRate):
		return fmt.Errorf("excite: a sample rate of %.4g Hz; give a positive one", p.SampleRate)
	case p.SampleRate*p.Period > mostSearched:
		return fmt.Errorf("excite: a sample rate of %.4g Hz over %g s is %.3g samples; give a lower rate or a shorter period", p.SampleRate, p.Period, p.SampleRate*p.Period)
	case p.Noise != nil && !(p.LogRate > 0):
		return fmt.Errorf("excite: a log rate of %.4g Hz; with the noise of a sample, say how many samples a second", p.LogRate)
	case p.PriorRows != nil && p.Noise == nil:
		return fmt.Errorf("excite: prior knowledge cannot be weighed against new samples without their noise; give the noise")
	case p.LogRate > 0 && p.Shape == Fourier && 2*highest >= p.LogRate:
		return fmt.Errorf("excite: harmonic %d of a period of %g s is %.4g Hz, which a log of %.4g Hz does not see; lengthen the period to more than %.4g s or take fewer harmonics",
			p.Harmonics, p.Period, highest, p.LogRate, 2*float64(p.Harmonics)/p.LogRate)
	case p.Shape == Fourier && p.End != nil:
		return fmt.Errorf("excite: a Fourier series ends where it begins; for another end take splines or points")
	case p.Base != nil && (p.Start != nil || p.End != nil):
		return fmt.Errorf("excite: the motion that the design adds to has its own start pose; leave out one of the two")
	case p.Base != nil && math.Abs(p.Base.Duration()-p.Period) > 1e-9*p.Period:
		return fmt.Errorf("excite: the motion to add to lasts %g s, the period is %g s", p.Base.Duration(), p.Period)
	case (p.KeepOuts != nil || p.SelfCollision) && (p.Robot == nil || len(p.Capsules) == 0):
		return fmt.Errorf("excite: collisions need the robot and its capsules")
	case (p.KeepOuts != nil || p.SelfCollision || p.Tip != nil) && p.Model.Loops() != nil:
		return fmt.Errorf("excite: keep-outs, self-collision and the tip's speed are for robots without closed loops; leave them out")
	case p.Tip != nil && (p.Robot == nil || !(p.Tip.Speed > 0)):
		return fmt.Errorf("excite: a limit of the tip's speed needs the robot and a positive speed")
	}
	for i, s := range p.Noise {
		if !(s > 0) || math.IsInf(s, 0) {
			return fmt.Errorf("excite: torque noise of joint %q is %g; give a positive number", p.Limits[i].Joint, s)
		}
	}
	for i := range p.KeepOuts {
		if err := p.KeepOuts[i].check(); err != nil {
			return err
		}
	}
	return nil
}

// baseMotion returns the motion to which the design is added: Base, a motion from the start to the end pose, or rest at
// the start pose; nil if none is set.
func (p *Problem) baseMotion(axes []axis) (Motion, error) {
	if p.Base == nil && p.Start == nil {
		if p.End != nil {
			return nil, fmt.Errorf("excite: an end pose without a start pose")
		}
		return nil, nil
	}
	names := make([]string, len(axes))
	for i := range axes {
		names[i] = axes[i].name
	}
	base := p.Base
	if base == nil {
		end := p.End
		if end == nil {
			end = p.Start
		}
		z := make([]float64, 2)
		q, dq, ddq := make([][]float64, len(axes)), make([][]float64, len(axes)), make([][]float64, len(axes))
		for i := range axes {
			q[i], dq[i], ddq[i] = []float64{p.Start[i], end[i]}, z, z
		}
		line, err := Through(names, []float64{0, p.Period}, q, dq, ddq)
		if err != nil {
			return nil, err
		}
		base = line
		if p.End == nil {
			base = &restMotion{line}
		}
	}
	for _, pose := range []struct {
		name string
		at   []float64
	}{{"start", p.Start}, {"end", p.End}} {
		for i, x := range pose.at {
			if l := axes[i].full; x < l.Lower || x > l.Upper || math.IsNaN(x) {
				return nil, &LimitError{l.Joint, fmt.Sprintf("the %s pose %g is outside its position range [%g, %g], by %.4g", pose.name, x, l.Lower, l.Upper, max(l.Lower-x, x-l.Upper))}
			}
		}
	}
	margins, _ := check(base, axes)
	for i, m := range margins {
		for o, free := range [3]float64{m.Position, m.Velocity, m.Acceleration} {
			if limit := [3]string{"position", "velocity", "acceleration"}[o]; free < p.Margin && !axes[i].held {
				return nil, &LimitError{axes[i].name, fmt.Sprintf("the motion that the design adds to, or the start pose, leaves %.3g %% of the %s limit free, less than the margin of %.3g %%",
					100*free, limit, 100*p.Margin)}
			}
		}
	}
	return base, nil
}

// restMotion is a motion at rest throughout.
type restMotion struct{ *Polynomials }
