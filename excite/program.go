package excite

import (
	"fmt"
	"io"
	"math"
	"slices"

	"ident/internal/controller"
)

// ProgramOptions are the options of a program.
type ProgramOptions struct {
	// Rate of the points in Hz. A language whose controller takes fewer lowers it: see [ProgramLanguage.Rate].
	Rate float64
	// Limits of the joints, in the order of the motion.
	Limits []Limits
	// About are lines for the header, the sources of the limits among them.
	About []string
}

// A ProgramLanguage is one of the forms that [WriteProgram] writes.
type ProgramLanguage struct {
	Name      string
	Extension string
	Facts     []string // limits of the controller, each with its source

	step    float64 // points are a whole number of steps apart, s
	least   float64 // least time between points, s
	joints  int     // most joints; 0 for any number
	sliding bool    // takes prismatic joints
	comment string
	body    func(p *programPrinter)
}

// ProgramReduced is the fraction of the joints' velocity and acceleration limits that the move to the first point uses.
const ProgramReduced = 0.1

// mostPoints bounds a program: 20 000 points are about two megabytes of text.
const mostPoints = 20_000

// longestApproach bounds the time of the move to the first point, s: a joint that needs an hour at a tenth of its
// velocity limit has wrong limits.
const longestApproach = 3600

// ProgramLanguages lists the languages.
func ProgramLanguages() []ProgramLanguage {
	return []ProgramLanguage{
		{Name: "ros2", Extension: ".ros.yaml", sliding: true, comment: "#", Facts: []string{
			"any rate, rising times, positions with velocities and accelerations are joined by polynomials of degree five: ros2_control, joint_trajectory_controller, trajectory representation",
		}},
		{Name: "urscript", Extension: ".script", step: 0.002, least: 0.002, joints: 6, comment: "#", body: urscriptProgram, Facts: []string{
			"six joints, radians, 500 Hz (CB3: 125 Hz, so give a rate of 125 Hz or less): Universal Robots, Script Manual, module motion and servoj",
			"servoj blocks for t; lookahead_time 0.03 to 0.2 s, gain 100 to 2000: the same, servoj",
		}},
		{Name: "krl", Extension: ".src", step: 0.012, least: 0.048, joints: 12, sliding: true, comment: ";", body: krlProgram, Facts: []string{
			"six robot axes and six external ones, degrees and mm: KUKA System Software 8, Operating and Programming Instructions, E6AXIS",
			"times of a PTP_SPLINE block by TIME_BLOCK: the same, spline motions; points at least four interpolation cycles of 12 ms apart: the cycle is that of KUKA.RobotSensorInterface, the four are a choice",
		}},
		{Name: "rapid", Extension: ".mod", least: 0.1, joints: 12, sliding: true, comment: "!", body: rapidProgram, Facts: []string{
			"six robot axes and six external ones, degrees and mm: ABB, Technical reference manual, RAPID Instructions, Functions and Data types, jointtarget",
			"\\T is the time of a move in place of its speed: the same, MoveAbsJ; points at least 0.1 s apart, so that the controller can plan corner paths ahead: a choice",
		}},
	}
}

// FindProgramLanguage returns the language of a name.
func FindProgramLanguage(name string) (ProgramLanguage, bool) {
	all := ProgramLanguages()
	if i := slices.IndexFunc(all, func(l ProgramLanguage) bool { return l.Name == name }); i >= 0 {
		return all[i], true
	}
	return ProgramLanguage{}, false
}

// Rate returns the rate of the points: the highest rate that the controller accepts and that does not exceed the given one.
func (l *ProgramLanguage) Rate(asked float64) float64 {
	step := max(1/asked, l.least)
	if l.step > 0 {
		step = l.step * math.Ceil(step/l.step-1e-9)
	}
	return 1 / step
}

// A ProgramLimitError reports a motion that a controller cannot take as a program.
type ProgramLimitError struct{ Language, Why string }

// Error says what the controller does not accept.
func (e *ProgramLimitError) Error() string { return e.Language + ": " + e.Why }

// check refuses a motion that the controller does not take.
func (l *ProgramLanguage) check(m Motion, opt ProgramOptions) error {
	refuse := func(format string, args ...any) error {
		return &ProgramLimitError{l.Name, fmt.Sprintf(format, args...)}
	}
	if len(opt.Limits) != m.DOF() {
		return refuse("%d limits for %d joints", len(opt.Limits), m.DOF())
	}
	if l.joints > 0 && m.DOF() > l.joints || l.Name == "urscript" && m.DOF() != l.joints {
		return refuse("the controller moves %d joints, the motion has %d", l.joints, m.DOF())
	}
	for i := range opt.Limits {
		if x := &opt.Limits[i]; x.Prismatic && (!l.sliding || l.Name != "ros2" && i < 6) {
			return refuse("joint %q slides, and the controller's first six axes turn", x.Joint)
		}
	}
	if math.IsNaN(opt.Rate) || !(opt.Rate > 0) {
		return refuse("a rate of %.4g Hz", opt.Rate)
	}
	if t := approachTime(m, opt.Limits); !(t <= longestApproach) {
		return refuse("the move to the first point at a tenth of the velocity limits would take %.3g s, more than %d s: look at the limits", t, longestApproach)
	}
	if n := m.Duration() * l.Rate(opt.Rate); !(n <= mostPoints) {
		return refuse("%.3g points are too many for one program (%d at most): lower the rate, or design several shorter motions", n, mostPoints)
	}
	return nil
}

// programPrinter writes a program.
type programPrinter struct {
	*controller.Writer
	opt    ProgramOptions
	points [][]float64 // in the controller's units, one per time; the first is that of the move
	step   float64     // s between points
}

// Header returns the lines of a program's head, without marks of comments.
func (l *ProgramLanguage) Header(opt ProgramOptions) []string {
	lines := append(slices.Clone(opt.About),
		"Not tried on a robot. Read it, run it in the maker's simulation, then on the robot at reduced speed with a hand on the stop.",
		"The robot moves first from where it is to the first point, at a tenth of the limits, along a way that nobody has checked for collisions.",
		"Positions are those of the robot file: compare its zeros, signs and order of joints with the controller's display first.",
		fmt.Sprintf("Points every %.6g s.", 1/l.Rate(opt.Rate)))
	for _, f := range l.Facts {
		lines = append(lines, "controller: "+f)
	}
	return lines
}

// WriteProgram writes a motion as a program or message that the controller of an arm runs: URScript for Universal Robots, KRL for
// KUKA, RAPID for ABB, and a ROS 2 message. The motion must begin and end at rest. A [*ProgramLimitError] says what the controller
// does not take.
//
// A program begins with a joint move to the first point at a tenth of the limits, waits, follows
// the points of the motion at their times, and ends at rest. Its header names the source of each limit, and says that the program has
// not been tried on a robot.
//
// A controller interpolates between the points by rules of its own, so the motion of the arm is not that of the design to the last
// digit. Record what the encoders measure; an identification takes that, not the design.
func WriteProgram(w io.Writer, l ProgramLanguage, m Motion, opt ProgramOptions) error {
	if err := l.check(m, opt); err != nil {
		return err
	}
	if err := l.places(m, opt); err != nil {
		return err
	}
	header := append(l.Header(opt), l.Notes(m, opt)...)
	if l.Name == "ros2" {
		return writeROS(w, m, opt.Rate, approachTime(m, opt.Limits), false, header...)
	}
	if err := Samples(m, l.Rate(opt.Rate)); err != nil {
		return err
	}
	indent, begin := "", ""
	if l.Name == "rapid" { // comments stand within the module
		begin, indent = "MODULE ident_motion", "  "
	}
	p := &programPrinter{Writer: controller.NewWriter(indent + l.comment), opt: opt, step: 1 / l.Rate(opt.Rate)}
	q, dq, ddq := make([]float64, m.DOF()), make([]float64, m.DOF()), make([]float64, m.DOF())
	for k := range int(math.Ceil(m.Duration()/p.step-1e-9)) + 1 {
		m.Eval(min(float64(k)*p.step, m.Duration()), q, dq, ddq)
		point := slices.Clone(q)
		if l.Name != "urscript" {
			for i := range point {
				point[i] *= 180 / math.Pi
				if opt.Limits[i].Prismatic {
					point[i] = 1000 * q[i]
				}
			}
		}
		p.points = append(p.points, point)
	}
	if begin != "" {
		p.Line(begin)
	}
	for _, text := range header {
		p.Remark(text)
	}
	l.body(p)
	text, err := p.Text()
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}

// approachTime returns the time of a move to the first point from the farthest place between the limits, that is at
// most at a tenth of the velocity limits: a polynomial from rest to rest is 15/8 times as fast as its mean.
func approachTime(m Motion, limits []Limits) float64 {
	q, dq, ddq := make([]float64, m.DOF()), make([]float64, m.DOF()), make([]float64, m.DOF())
	m.Eval(0, q, dq, ddq)
	t := 1.0
	for i := range limits {
		if l := &limits[i]; l.Velocity > 0 && l.Lower < l.Upper {
			t = max(t, 15./8*max(q[i]-l.Lower, l.Upper-q[i])/(ProgramReduced*l.Velocity))
		}
	}
	return math.Ceil(t)
}

// least returns the smallest positive limit of all joints, or def where none is known.
func least(limits []Limits, of func(*Limits) float64, def float64) float64 {
	v := math.Inf(1)
	for i := range limits {
		if x := of(&limits[i]); x > 0 {
			v = min(v, x)
		}
	}
	if math.IsInf(v, 1) {
		return def
	}
	return v
}

// urscriptProgram writes the program of Universal Robots: a joint move, then a set point of servoj for each step.
func urscriptProgram(p *programPrinter) {
	v := ProgramReduced * least(p.opt.Limits, func(l *Limits) float64 { return l.Velocity }, 1)
	a := ProgramReduced * least(p.opt.Limits, func(l *Limits) float64 { return l.Accel }, 1)
	p.Line("def ident_motion():")
	point := func(q []float64) controller.Number { return controller.Join(controller.Fixeds(q, 7), ", ") }
	p.Line("  movej([%s], a=%s, v=%s)", point(p.points[0]), controller.General(a, 4), controller.General(v, 4))
	p.Line("  sleep(1.0)")
	for _, q := range p.points[1:] {
		p.Line("  servoj([%s], 0, 0, %s, 0.1, 300)", point(q), controller.General(p.step, 6))
	}
	p.Line("  stopj(2.0)")
	p.Line("end")
}

// programAxes names the axes of KUKA, robot axes first.
func programAxes(q []float64) controller.Number {
	var out []controller.Number
	for i, x := range controller.Fixeds(q, 6) {
		name := fmt.Sprintf("A%d", i+1)
		if i >= 6 {
			name = fmt.Sprintf("E%d", i-5)
		}
		out = append(out, controller.Format(name+" %s", x))
	}
	return controller.Format("{%s}", controller.Join(out, ", "))
}

// krlProgram writes the program of KUKA: a PTP, then a PTP spline whose segments take equal parts of the time.
func krlProgram(p *programPrinter) {
	n := len(p.points) - 1
	p.Line("DEF ident_motion()")
	p.Line("  BAS(#INITMOV, 0)")
	p.Line("  BAS(#VEL_PTP, %s)", controller.General(100*ProgramReduced, 4))
	p.Line("  BAS(#ACC_PTP, %s)", controller.General(100*ProgramReduced, 4))
	p.Line("  PTP %s", programAxes(p.points[0]))
	p.Line("  WAIT SEC 1")
	p.Line("  BAS(#VEL_PTP, 100)")
	p.Line("  BAS(#ACC_PTP, 100)")
	p.Line("  PTP_SPLINE")
	p.Line("    TIME_BLOCK START")
	for k, q := range p.points[1:] {
		p.Line("    SPTP %s", programAxes(q))
		if k < n-1 {
			p.Line("    TIME_BLOCK PART = %s", controller.General(100/float64(n), 9))
		}
	}
	p.Line("    TIME_BLOCK END = %s", controller.Fixed(float64(n)*p.step, 6))
	p.Line("  ENDSPLINE")
	p.Line("  WAIT SEC 1")
	p.Line("END")
}

// rapidProgram writes the module of ABB: a slow absolute joint move, then one for each step with its time, the last to a stop.
func rapidProgram(p *programPrinter) {
	target := func(q []float64) controller.Number {
		axes := controller.Fixeds(q, 5)
		for i := len(axes); i < 12; i++ {
			if i < 6 {
				axes = append(axes, controller.Format("0"))
			} else {
				axes = append(axes, controller.Format("9E9"))
			}
		}
		return controller.Format("[[%s],[%s]]", controller.Join(axes[:6], ","), controller.Join(axes[6:], ","))
	}
	p.Line("  CONST speeddata slow := [50, 10, 50, 10];")
	p.Line("  PROC ident_motion()")
	p.Line("    MoveAbsJ %s\\NoEOffs, slow, fine, tool0;", target(p.points[0]))
	p.Line("    WaitTime 1;")
	for k, q := range p.points[1:] {
		zone := "z1"
		if k == len(p.points)-2 {
			zone = "fine"
		}
		p.Line("    MoveAbsJ %s\\NoEOffs, v1000\\T:=%s, "+zone+", tool0;", target(q), controller.General(p.step, 6))
	}
	p.Line("    WaitTime 1;")
	p.Line("  ENDPROC")
	p.Line("ENDMODULE")
}
