package mjcf

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/robot"
)

// Write writes the robot as MuJoCo's XML: bodies in the user's own link frames, damping = Fv, frictionloss = Fs, armature = Ia,
// a motor for each joint that has a drive, mimics and loops as equalities: of a cut at a slide a weld, with half of a link's body on the slide. Joints in a row on massless links become
// joints of one body. MuJoCo has no place for offsets, shared drives, gains and symbols; they are left out. Unset symbols,
// links without mass and couplings of several joints are errors that match robot.ErrNotWritable.
func Write(w io.Writer, r *robot.Robot) error {
	if len(r.Unset) > 0 {
		return notWritable("robot "+r.Name, "symbols %s have no values", strings.Join(r.Unset, ", "))
	}
	if len(r.Couplings) > 0 {
		return notWritable(r.CouplingName(0), "MuJoCo ties a joint to one other")
	}
	x := writer{r: r, below: make([][]int, len(r.Links)+1)}
	if err := x.planSlides(); err != nil {
		return err
	}
	for i, l := range r.Links {
		x.below[l.Antecedent+1] = append(x.below[l.Antecedent+1], i)
	}
	fmt.Fprintf(&x.b, "<mujoco model=%s>\n  <compiler angle=\"radian\" autolimits=\"true\"/>\n  <option gravity=%q/>\n  <worldbody>\n", quoted(r.Name), spaced(r.Gravity))
	x.fixed(-1, "    ", robot.Identity())
	if err := x.parts(-1, "    "); err != nil {
		return err
	}
	for _, i := range x.below[0] {
		if err := x.link(i, robot.Identity(), nil, "    "); err != nil {
			return err
		}
	}
	x.b.WriteString("  </worldbody>\n")
	if err := x.equalities(); err != nil {
		return err
	}
	x.actuators()
	x.b.WriteString("</mujoco>\n")
	_, err := x.b.WriteTo(w)
	return err
}

type writer struct {
	r     *robot.Robot
	b     bytes.Buffer
	below [][]int // links on a link, that of the base first
	// Of loops that are cut at slides: by the number of the loop.
	slides map[int]slide
}

// waiting is a joint of a massless link, which the next body has: its frame in that of the body's parent.
type waiting struct {
	link  int
	frame robot.Transform
}

// link writes link i, whose antecedent's frame j is at on in the body around it.
func (x *writer) link(i int, on robot.Transform, before []waiting, pad string) error {
	l := &x.r.Links[i]
	at := on.Mul(l.Placement)
	if l.Massless {
		if len(x.below[i+1]) != 1 || x.lumps(i) {
			return notWritable(fmt.Sprintf("link %q", l.Name), "it has no mass, and MuJoCo moves a body without one only as a part of the next")
		}
		return x.link(x.below[i+1][0], at, append(before, waiting{i, at}), pad)
	}
	body := at.Mul(l.UserFrame) // at q = 0, in the frame of the body around it
	own, whole := l.Own, false
	if own.Mass() == 0 {
		own, whole = l.Inertial, true
	}
	if !(own.Mass() > 0) {
		return notWritable(fmt.Sprintf("link %q", l.Name), "it has no mass, and MuJoCo moves no body without one")
	}
	fmt.Fprintf(&x.b, "%s<body name=%s%s>\n", pad, quoted(l.Name), pose(body))
	inner := pad + "  "
	if err := x.inertial(l.Name, times(x.share(i), own.InFrame(l.UserFrame.Inv())), inner); err != nil {
		return err
	}
	for _, w := range append(before, waiting{i, at}) {
		x.joint(&x.r.Links[w.link].Joint, body.Inv().Mul(w.frame), inner)
	}
	x.sites(i, l.UserFrame.Inv(), inner)
	if err := x.parts(i, inner); err != nil {
		return err
	}
	if !whole {
		x.fixed(i, inner, l.UserFrame.Inv())
	}
	for _, k := range x.below[i+1] {
		if err := x.link(k, l.UserFrame.Inv(), nil, inner); err != nil {
			return err
		}
	}
	fmt.Fprintf(&x.b, "%s</body>\n", pad)
	return nil
}

func (x *writer) lumps(i int) bool {
	for _, m := range x.r.Lumped {
		if m.Into == i {
			return true
		}
	}
	return false
}

// fixed writes the bodies that fixed joints hang on a link, and on the base the ends of loops.
func (x *writer) fixed(i int, pad string, frame robot.Transform) {
	if i < 0 {
		x.sites(-1, frame, pad)
	}
	for _, m := range x.r.Lumped {
		if m.Into != i {
			continue
		}
		fmt.Fprintf(&x.b, "%s<body name=%s%s", pad, quoted(m.Name), pose(frame.Mul(m.InLink)))
		if !m.HasInertial || m.Inertial.Mass() == 0 {
			x.b.WriteString("/>\n")
			continue
		}
		x.b.WriteString(">\n")
		// A body that does not move by itself may have any inertia.
		_ = x.inertial(m.Name, m.Inertial.InFrame(m.InLink.Inv()), pad+"  ")
		fmt.Fprintf(&x.b, "%s</body>\n", pad)
	}
}

// inertial writes parameters about the origin of the body's frame.
func (x *writer) inertial(name string, p robot.Inertial, pad string) error {
	n, err := numbers(name, p)
	if err != nil {
		return err
	}
	fmt.Fprintf(&x.b, "%s%s\n", pad, n)
	return nil
}

// joint writes a joint whose frame j is at frame in the body's.
func (x *writer) joint(j *robot.Joint, frame robot.Transform, pad string) {
	if j.Kind == robot.Fixed {
		return
	}
	kind := "hinge"
	if j.Kind == robot.Prismatic {
		kind = "slide"
	}
	axis := [3]float64{frame.R[0][2], frame.R[1][2], frame.R[2][2]}
	fmt.Fprintf(&x.b, "%s<joint name=%s type=%q axis=%q", pad, quoted(j.Name), kind, spaced(axis))
	if frame.P != [3]float64{} {
		fmt.Fprintf(&x.b, " pos=%q", spaced(frame.P))
	}
	if !math.IsNaN(j.Lower) && !math.IsNaN(j.Upper) {
		fmt.Fprintf(&x.b, " range=\"%s %s\"", number(j.Lower), number(j.Upper))
	}
	for _, a := range []struct {
		name  string
		value float64
	}{{"damping", j.Fv}, {"frictionloss", j.Fs}, {"armature", j.Ia}} {
		if a.value != 0 {
			fmt.Fprintf(&x.b, " %s=\"%s\"", a.name, number(a.value))
		}
	}
	x.b.WriteString("/>\n")
}

// sites are the ends of loops on a link: of a ball joint its centre, of a cut joint with an axis a second point on it.
func (x *writer) sites(link int, frame robot.Transform, pad string) {
	for n, l := range x.r.Loops {
		_, slides := x.slides[n]
		for k, e := range [2]int{l.Frame, l.Meets} {
			on, place, _ := x.end(e)
			if on != link || slides {
				continue
			}
			at := frame.Mul(place)
			fmt.Fprintf(&x.b, "%s<site name=\"%s\" pos=%q/>\n", pad, siteName(n, k, 0), spaced(at.P))
			if !l.Spherical {
				fmt.Fprintf(&x.b, "%s<site name=\"%s\" pos=%q/>\n", pad, siteName(n, k, 1), spaced(at.Apply([3]float64{0, 0, alongCut})))
			}
		}
	}
}

// end returns the link that an end of a loop lies on, and its place in frame j; not where a further joint stands
// between them.
func (x *writer) end(e int) (link int, at robot.Transform, ok bool) {
	f := x.r.Extra[e]
	link, at = f.Antecedent, f.Placement
	for link < -1 {
		f = x.r.Extra[-2-link]
		if f.Kind != robot.Fixed {
			return link, at, false
		}
		link, at = f.Antecedent, f.Placement.Mul(at)
	}
	return link, at, true
}

// alongCut is the distance of the two points that hold the axis of a cut joint, m.
const alongCut = 0.1

func siteName(loop, end, point int) string {
	return fmt.Sprintf("loop%d%c%d", loop+1, 'a'+rune(end), point+1)
}

func (x *writer) equalities() error {
	if len(x.r.Mimics)+len(x.r.Loops) == 0 {
		return nil
	}
	x.b.WriteString("  <equality>\n")
	for _, m := range x.r.Mimics {
		fmt.Fprintf(&x.b, "    <joint joint1=%s joint2=%s polycoef=\"%s %s 0 0 0\"/>\n",
			quoted(x.r.Links[m.Joint].Joint.Name), quoted(x.r.Links[m.Of].Joint.Name), number(m.Offset), number(m.Multiplier))
	}
	for n, l := range x.r.Loops {
		if s, ok := x.slides[n]; ok {
			fmt.Fprintf(&x.b, "    <weld body1=%s body2=%s relpose=\"0 0 0 1 0 0 0\"/>\n", quoted(x.r.Links[s.of].Name), quoted(s.name))
			continue
		}
		points := 1
		_, _, one := x.end(l.Frame)
		_, _, other := x.end(l.Meets)
		if f := x.r.Extra[l.Frame]; !l.Spherical || !one || !other {
			if f.Kind != robot.Revolute || !one || !other {
				return notWritable(x.r.LoopName(n), "MuJoCo closes loops at points and between bodies: the cut joint must be revolute, prismatic or a ball")
			}
			points = 2
		}
		for p := range points {
			fmt.Fprintf(&x.b, "    <connect site1=\"%s\" site2=\"%s\"/>\n", siteName(n, 0, p), siteName(n, 1, p))
		}
	}
	x.b.WriteString("  </equality>\n")
	return nil
}

func (x *writer) actuators() {
	var b strings.Builder
	for i := range x.r.Links {
		j := &x.r.Links[i].Joint
		if j.Passive || j.Virtual || j.Kind == robot.Fixed || x.mimics(i) {
			continue
		}
		fmt.Fprintf(&b, "    <motor joint=%s", quoted(j.Name))
		if e := j.Effort; !math.IsNaN(e) {
			fmt.Fprintf(&b, " ctrlrange=\"%s %s\"", number(-e), number(e))
		}
		b.WriteString("/>\n")
	}
	if b.Len() > 0 {
		fmt.Fprintf(&x.b, "  <actuator>\n%s  </actuator>\n", b.String())
	}
}

func (x *writer) mimics(i int) bool {
	for _, m := range x.r.Mimics {
		if m.Joint == i {
			return true
		}
	}
	return false
}

// pose returns the attributes of a placement that is not none.
func pose(t robot.Transform) string {
	s := ""
	if t.P != [3]float64{} {
		s += fmt.Sprintf(" pos=%q", spaced(t.P))
	}
	if t.R != spatial.Eye() {
		q := angles.Quaternion(t.R)
		s += fmt.Sprintf(" quat=\"%s %s %s %s\"", number(q[0]), number(q[1]), number(q[2]), number(q[3]))
	}
	return s
}
