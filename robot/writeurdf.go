package robot

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"

	"ident/internal/angles"
	"ident/internal/spatial"
)

// ErrNotWritable is wrapped by the writers' errors where a format has no place for
// a part of the robot.
var ErrNotWritable = errors.New("the format cannot say it")

func notWritable(where, format string, args ...any) error {
	return fmt.Errorf("%s: %s: %w", where, fmt.Sprintf(format, args...), ErrNotWritable)
}

// fileFrame is how a file with axes of its own says where a link is: the
// placement of its frame on its parent's file frame, the joint's axis in it,
// and its own placement in frame j.
type fileFrame struct {
	origin Transform
	axis   [3]float64
	inJ    Transform
}

// fileFrames chooses for each link the frame that a URDF, or the like, gives
// it: the user's own where a reader would find frame j again from it, or else
// frame j itself.
func (r *Robot) fileFrames() []fileFrame {
	out := make([]fileFrame, len(r.Links))
	for i, l := range r.Links {
		f := fileFrame{axis: [3]float64{0, 0, 1}, inJ: Identity()}
		if axis := l.UserFrame.R[2]; l.UserFrame.P == [3]float64{} {
			if unit, _, err := unitAxis(axis, false); err == nil && nearRotation(spatial.Transpose(angles.AlignZ(unit)), l.UserFrame.R) {
				f.axis, f.inJ = axis, l.UserFrame
			}
		}
		parent := Identity()
		if l.Antecedent >= 0 {
			parent = out[l.Antecedent].inJ
		}
		f.origin = parent.Inv().Mul(l.Placement).Mul(f.inJ)
		out[i] = f
	}
	return out
}

// nearRotation tells whether two rotations differ by rounding only.
func nearRotation(a, b [3][3]float64) bool {
	for i := range 3 {
		for j := range 3 {
			if !(math.Abs(a[i][j]-b[i][j]) <= 1e-14) {
				return false
			}
		}
	}
	return true
}

// WriteURDF writes the robot as a URDF: link frames are the user's own where
// they lie on frame j as a URDF's do, else frame j itself, and lumped bodies are
// links behind fixed joints. Reading it back (NoSnap) gives the same robot to
// rounding. A URDF has no place for gravity, drives, rotor inertia, offsets,
// shared drives, passive joints or symbols; they are left out. Unset symbols,
// one-sided limits and massless bodies with moments are errors that match
// ErrNotWritable.
func WriteURDF(w io.Writer, r *Robot) error {
	if err := r.treeOnly(); err != nil {
		return err
	}
	if len(r.Unset) > 0 {
		return notWritable("robot "+r.Name, "symbols %s have no values", quoteList(r.Unset))
	}
	var b bytes.Buffer
	base := r.baseName("base_link")
	fmt.Fprintf(&b, "<?xml version=\"1.0\"?>\n<robot name=%s>\n  <link name=%s/>\n", xmlQuote(r.Name), xmlQuote(base))
	frames := r.fileFrames()
	for i := range r.Links {
		if err := urdfLink(r, &b, i, frames, base); err != nil {
			return err
		}
	}
	for _, l := range r.Lumped {
		p := Identity()
		parent := base
		if l.Into >= 0 {
			p, parent = frames[l.Into].inJ, r.Links[l.Into].Name
		}
		fmt.Fprintf(&b, "  <link name=%s", xmlQuote(l.Name))
		if err := urdfInertial(&b, l.Name, l.Inertial.InFrame(l.InLink.Inv()), l.HasInertial); err != nil {
			return err
		}
		fmt.Fprintf(&b, "  <joint name=%s type=\"fixed\">\n", xmlQuote(l.Joint))
		urdfEnds(&b, parent, l.Name, p.Inv().Mul(l.InLink))
		b.WriteString("  </joint>\n")
	}
	b.WriteString("</robot>\n")
	bw := bufio.NewWriter(w)
	if _, err := b.WriteTo(bw); err != nil {
		return err
	}
	return bw.Flush()
}

// baseName returns the base's name, or the given one, lengthened until no body
// has it.
func (r *Robot) baseName(otherwise string) string {
	if r.BaseName != "" {
		return r.BaseName
	}
	taken := map[string]bool{}
	for _, l := range r.Links {
		taken[l.Name] = true
	}
	for _, l := range r.Lumped {
		taken[l.Name] = true
	}
	for taken[otherwise] {
		otherwise += "_"
	}
	return otherwise
}

func urdfLink(r *Robot, b *bytes.Buffer, i int, frames []fileFrame, base string) error {
	l, f := &r.Links[i], frames[i]
	fmt.Fprintf(b, "  <link name=%s", xmlQuote(l.Name))
	own := l.HasInertial
	if l.Own == (Inertial{}) {
		for _, m := range r.Lumped {
			own = own && !(m.Into == i && m.HasInertial)
		}
	}
	if err := urdfInertial(b, l.Name, l.Own.InFrame(f.inJ.Inv()), own); err != nil {
		return err
	}
	j := &l.Joint
	kind := j.Kind.String()
	if j.Continuous {
		kind = "continuous"
	}
	parent := base
	if l.Antecedent >= 0 {
		parent = r.Links[l.Antecedent].Name
	}
	fmt.Fprintf(b, "  <joint name=%s type=%q>\n", xmlQuote(j.Name), kind)
	urdfEnds(b, parent, l.Name, f.origin)
	if j.Kind != Fixed {
		fmt.Fprintf(b, "    <axis xyz=%q/>\n", spaced(f.axis))
		if err := urdfLimits(b, j); err != nil {
			return err
		}
	}
	for _, m := range r.Mimics {
		if m.Joint == i {
			fmt.Fprintf(b, "    <mimic joint=%s multiplier=\"%s\" offset=\"%s\"/>\n",
				xmlQuote(r.Links[m.Of].Joint.Name), formatNumber(m.Multiplier), formatNumber(m.Offset))
		}
	}
	b.WriteString("  </joint>\n")
	return nil
}

func urdfLimits(b *bytes.Buffer, j *Joint) error {
	if math.IsNaN(j.Lower) != math.IsNaN(j.Upper) {
		return notWritable(jointWhere(j.Name), "a limit on one side only, %g to %g", j.Lower, j.Upper)
	}
	b.WriteString("    <limit")
	if !math.IsNaN(j.Lower) {
		fmt.Fprintf(b, " lower=\"%s\" upper=\"%s\"", formatNumber(j.Lower), formatNumber(j.Upper))
	}
	orZero := func(v float64) string {
		if math.IsNaN(v) {
			v = 0
		}
		return formatNumber(v)
	}
	fmt.Fprintf(b, " effort=\"%s\" velocity=\"%s\"", orZero(j.Effort), orZero(j.Velocity))
	if !math.IsNaN(j.Accel) {
		fmt.Fprintf(b, " acceleration=\"%s\"", formatNumber(j.Accel))
	}
	if !math.IsNaN(j.Jerk) {
		fmt.Fprintf(b, " jerk=\"%s\"", formatNumber(j.Jerk))
	}
	b.WriteString("/>\n")
	if j.Fv != 0 || j.Fs != 0 {
		fmt.Fprintf(b, "    <dynamics damping=\"%s\" friction=\"%s\"/>\n", formatNumber(j.Fv), formatNumber(j.Fs))
	}
	return nil
}

func urdfEnds(b *bytes.Buffer, parent, child string, t Transform) {
	fmt.Fprintf(b, "    <parent link=%s/>\n    <child link=%s/>\n    <origin xyz=%q rpy=%q/>\n",
		xmlQuote(parent), xmlQuote(child), spaced(t.P), spaced(angles.RotationRPY(t.R)))
}

// urdfInertial ends a link's start tag, with an <inertial> if it has one.
func urdfInertial(b *bytes.Buffer, name string, p Inertial, has bool) error {
	if !has {
		b.WriteString("/>\n")
		return nil
	}
	n, err := urdfNumbers(name, p)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, ">\n    <inertial>\n      <origin xyz=%q rpy=\"0 0 0\"/>\n      <mass value=%q/>\n      <inertia", n.xyz, n.mass)
	for k, a := range inertiaNames {
		fmt.Fprintf(b, " %s=%q", a, n.inertia[k])
	}
	b.WriteString("/>\n    </inertial>\n  </link>\n")
	return nil
}

var inertiaNames = [6]string{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}

// inertialText holds the numbers of an <inertial> with axes along the link's.
type inertialText struct {
	xyz, mass string
	inertia   [6]string
}

// urdfNumbers turns parameters in a URDF link frame, about its origin, into
// the numbers of an <inertial>.
func urdfNumbers(name string, p Inertial) (inertialText, error) {
	com, ok := p.CentreOfMass()
	if !ok && p != (Inertial{}) {
		return inertialText{}, notWritable(fmt.Sprintf("link %q", name),
			"its mass is zero but its moments are not, and a URDF gives moments about the centre of mass")
	}
	j, _ := p.Central()
	t := inertialText{xyz: spaced(com), mass: formatNumber(p.Mass())}
	for k, v := range [6]float64{j[0][0], j[0][1], j[0][2], j[1][1], j[1][2], j[2][2]} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return inertialText{}, notWritable(fmt.Sprintf("link %q", name), "its inertial is not finite")
		}
		t.inertia[k] = formatNumber(v)
	}
	return t, nil
}

func spaced(v [3]float64) string {
	return formatNumber(v[0]) + " " + formatNumber(v[1]) + " " + formatNumber(v[2])
}

// xmlQuote returns an attribute's value in quotes.
func xmlQuote(s string) string {
	var b bytes.Buffer
	b.WriteByte('"')
	// Writing to memory does not fail.
	_ = xml.EscapeText(&b, []byte(s))
	b.WriteByte('"')
	return b.String()
}
