package urdf

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"

	"ident/internal/angles"
	"ident/robot"
	"ident/robot/internal/assembly"
	"ident/robot/internal/words"
)

// Write writes the robot as a URDF: link frames are the user's own where
// they lie on frame j as a URDF's do, else frame j itself, and lumped bodies are
// links behind fixed joints. Reading it back (NoSnap) gives the same robot to
// rounding. A URDF has no place for gravity, drives, rotor inertia, offsets,
// shared drives, passive joints or symbols; they are left out. Unset symbols,
// one-sided limits and massless bodies with moments are errors that match
// ErrNotWritable.
func Write(w io.Writer, r *robot.Robot) error {
	if err := assembly.TreeOnly(r); err != nil {
		return err
	}
	if len(r.Unset) > 0 {
		return assembly.NotWritable("robot "+r.Name, "symbols %s have no values", words.List(r.Unset))
	}
	var b bytes.Buffer
	base := assembly.BaseName(r, "base_link")
	fmt.Fprintf(&b, "<?xml version=\"1.0\"?>\n<robot name=%s>\n  <link name=%s/>\n", xmlQuote(r.Name), xmlQuote(base))
	frames := assembly.FileFrames(r)
	for i := range r.Links {
		if err := urdfLink(r, &b, i, frames, base); err != nil {
			return err
		}
	}
	for _, l := range r.Lumped {
		p := robot.Identity()
		parent := base
		if l.Into >= 0 {
			p, parent = frames[l.Into].InJ, r.Links[l.Into].Name
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

func urdfLink(r *robot.Robot, b *bytes.Buffer, i int, frames []assembly.FileFrame, base string) error {
	l, f := &r.Links[i], frames[i]
	fmt.Fprintf(b, "  <link name=%s", xmlQuote(l.Name))
	own := l.HasInertial
	if l.Own == (robot.Inertial{}) {
		for _, m := range r.Lumped {
			own = own && !(m.Into == i && m.HasInertial)
		}
	}
	if err := urdfInertial(b, l.Name, l.Own.InFrame(f.InJ.Inv()), own); err != nil {
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
	urdfEnds(b, parent, l.Name, f.Origin)
	if j.Kind != robot.Fixed {
		fmt.Fprintf(b, "    <axis xyz=%q/>\n", words.Spaced(f.Axis))
		if err := urdfLimits(b, j); err != nil {
			return err
		}
	}
	for _, m := range r.Mimics {
		if m.Joint == i {
			fmt.Fprintf(b, "    <mimic joint=%s multiplier=\"%s\" offset=\"%s\"/>\n",
				xmlQuote(r.Links[m.Of].Joint.Name), words.Number(m.Multiplier), words.Number(m.Offset))
		}
	}
	b.WriteString("  </joint>\n")
	return nil
}

func urdfLimits(b *bytes.Buffer, j *robot.Joint) error {
	if math.IsNaN(j.Lower) != math.IsNaN(j.Upper) {
		return assembly.NotWritable(words.Joint(j.Name), "a limit on one side only, %g to %g", j.Lower, j.Upper)
	}
	b.WriteString("    <limit")
	if !math.IsNaN(j.Lower) {
		fmt.Fprintf(b, " lower=\"%s\" upper=\"%s\"", words.Number(j.Lower), words.Number(j.Upper))
	}
	orZero := func(v float64) string {
		if math.IsNaN(v) {
			v = 0
		}
		return words.Number(v)
	}
	fmt.Fprintf(b, " effort=\"%s\" velocity=\"%s\"", orZero(j.Effort), orZero(j.Velocity))
	if !math.IsNaN(j.Accel) {
		fmt.Fprintf(b, " acceleration=\"%s\"", words.Number(j.Accel))
	}
	if !math.IsNaN(j.Jerk) {
		fmt.Fprintf(b, " jerk=\"%s\"", words.Number(j.Jerk))
	}
	b.WriteString("/>\n")
	if j.Fv != 0 || j.Fs != 0 {
		fmt.Fprintf(b, "    <dynamics damping=\"%s\" friction=\"%s\"/>\n", words.Number(j.Fv), words.Number(j.Fs))
	}
	return nil
}

func urdfEnds(b *bytes.Buffer, parent, child string, t robot.Transform) {
	fmt.Fprintf(b, "    <parent link=%s/>\n    <child link=%s/>\n    <origin xyz=%q rpy=%q/>\n",
		xmlQuote(parent), xmlQuote(child), words.Spaced(t.P), words.Spaced(angles.RotationRPY(t.R)))
}

// urdfInertial ends a link's start tag, with an <inertial> if it has one.
func urdfInertial(b *bytes.Buffer, name string, p robot.Inertial, has bool) error {
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
func urdfNumbers(name string, p robot.Inertial) (inertialText, error) {
	com, ok := p.CentreOfMass()
	if !ok && p != (robot.Inertial{}) {
		return inertialText{}, assembly.NotWritable(fmt.Sprintf("link %q", name),
			"its mass is zero but its moments are not, and a URDF gives moments about the centre of mass")
	}
	j, _ := p.Central()
	t := inertialText{xyz: words.Spaced(com), mass: words.Number(p.Mass())}
	for k, v := range [6]float64{j[0][0], j[0][1], j[0][2], j[1][1], j[1][2], j[2][2]} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return inertialText{}, assembly.NotWritable(fmt.Sprintf("link %q", name), "its inertial is not finite")
		}
		t.inertia[k] = words.Number(v)
	}
	return t, nil
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
