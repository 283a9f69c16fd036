package yaml

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ident/internal/angles"
	"ident/robot"
	"ident/robot/internal/assembly"
	"ident/robot/internal/words"
)

// Write writes the robot in the library's own format: all of a Robot but its
// notes, source and the extra frames that no loop needs. Reading it back (NoSnap)
// gives the same robot to rounding.
func Write(w io.Writer, r *robot.Robot) error {
	y := writer{r: r, base: assembly.BaseName(r, "base"), users: make([]robot.Transform, len(r.Links))}
	b, base, users := &y.b, y.base, y.users
	fmt.Fprintf(b, "name: %s\n", quotedName(r.Name))
	if r.BaseName != "" || base != "base" {
		fmt.Fprintf(b, "base: %s\n", quotedName(base))
	}
	fmt.Fprintf(b, "gravity: %s\n", yamlVector(r.Gravity))
	if len(r.Symbols) > 0 {
		b.WriteString("symbols:\n")
		for _, s := range slices.Sorted(maps.Keys(r.Symbols)) {
			fmt.Fprintf(b, "  %s: %s\n", s, words.Number(r.Symbols[s]))
		}
	}
	b.WriteString("links:\n")
	frames := assembly.FileFrames(r)
	for i := range r.Links {
		users[i] = y.link(i, frames[i])
	}
	for _, l := range r.Lumped {
		from, parent := robot.Identity(), base
		if l.Into >= 0 {
			from, parent = users[l.Into], r.Links[l.Into].Name
		}
		fmt.Fprintf(b, "  - name: %s\n    parent: %s\n    joint: {name: %s, kind: fixed}\n", quotedName(l.Name), quotedName(parent), quotedName(l.Joint))
		yamlOrigin(b, "origin", from.Inv().Mul(l.InLink))
		if l.HasInertial {
			yamlStandard(b, l.Inertial.InFrame(l.InLink.Inv()))
		}
		yamlText(b, "    shapes", l.Shapes)
	}
	if len(r.Mimics) > 0 {
		b.WriteString("mimics:\n")
	}
	for _, m := range r.Mimics {
		fmt.Fprintf(b, "  - {joint: %s, of: %s, multiplier: %s, offset: %s}\n", quotedName(r.Links[m.Joint].Joint.Name),
			quotedName(r.Links[m.Of].Joint.Name), words.Number(m.Multiplier), words.Number(m.Offset))
	}
	if len(r.Drives) > 0 {
		b.WriteString("drives:\n")
	}
	for _, d := range r.Drives {
		var of []string
		for _, i := range slices.Sorted(maps.Keys(d.Weights)) {
			of = append(of, quotedName(r.Links[i].Joint.Name)+": "+words.Number(d.Weights[i]))
		}
		fmt.Fprintf(b, "  - {drive: %s, of: {%s}}\n", quotedName(r.Links[d.Number].Joint.Name), strings.Join(of, ", "))
	}
	if err := y.ties(); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}

// writer writes one robot.
type writer struct {
	r     *robot.Robot
	b     bytes.Buffer
	base  string            // name of the base
	users []robot.Transform // placement in frame j of the frame that origins on link j refer to
}

// link writes a link and returns the placement, in frame j, of the frame
// that its children's origins refer to.
func (y *writer) link(i int, f assembly.FileFrame) robot.Transform {
	r, b := y.r, &y.b
	l := &r.Links[i]
	parent, from := y.base, robot.Identity()
	if l.Antecedent >= 0 {
		parent, from = r.Links[l.Antecedent].Name, y.users[l.Antecedent]
	}
	fmt.Fprintf(b, "  - name: %s\n    parent: %s\n", quotedName(l.Name), quotedName(parent))
	yamlJoint(b, &l.Joint)
	if l.MDH != nil {
		b.WriteString("    mdh: {")
		for k, name := range robot.MDHNames {
			if k > 0 {
				b.WriteString(", ")
			}
			text := l.MDH.Text[k]
			if text == "" {
				text = words.Number(l.MDH.Values()[k])
			}
			fmt.Fprintf(b, "%s: %s", name, yamlQuote(text))
		}
		b.WriteString("}\n")
		if l.UserFrame != robot.Identity() {
			yamlOrigin(b, "user_frame", l.UserFrame)
		}
	} else {
		if l.Joint.Kind == robot.Fixed {
			b.WriteString("    keep: true\n")
		}
		yamlOrigin(b, "origin", from.Inv().Mul(l.Placement).Mul(f.InJ))
		fmt.Fprintf(b, "    axis: %s\n", yamlVector(f.Axis))
		if f.InJ != l.UserFrame {
			yamlOrigin(b, "user_frame", l.UserFrame)
		}
	}
	if l.Massless {
		b.WriteString("    massless: true\n")
	}
	if zero := l.KnownZero(); len(zero) > 0 {
		fmt.Fprintf(b, "    zero: [%s]\n", strings.Join(zero, ", "))
	}
	own := l.HasInertial
	if l.Own == (robot.Inertial{}) {
		for _, m := range r.Lumped {
			own = own && !(m.Into == i && m.HasInertial)
		}
	}
	if own {
		yamlStandard(b, l.Own)
	}
	yamlText(b, "    shapes", l.Shapes)
	yamlText(b, "    section", l.Section)
	return l.UserFrame
}

func yamlJoint(b *bytes.Buffer, j *robot.Joint) {
	kind := j.Kind.String()
	if j.Continuous {
		kind = "continuous"
	}
	fmt.Fprintf(b, "    joint:\n      name: %s\n      kind: %s\n", quotedName(j.Name), kind)
	switch {
	case j.Redundant:
		b.WriteString("      redundant: true\n")
	case j.Passive:
		b.WriteString("      passive: true\n")
	}
	if j.Virtual {
		b.WriteString("      virtual: true\n")
	}
	if j.ExternalForce {
		b.WriteString("      carried: true\n")
	}
	yamlElasticity(b, j)
	var limits []string
	if !math.IsNaN(j.Lower) || !math.IsNaN(j.Upper) {
		limits = append(limits, "position: ["+orNull(j.Lower)+", "+orNull(j.Upper)+"]")
	}
	for _, f := range []struct {
		key string
		v   float64
	}{{"velocity", j.Velocity}, {"acceleration", j.Accel}, {"jerk", j.Jerk}, {"effort", j.Effort}} {
		if f.v > 0 {
			limits = append(limits, f.key+": "+words.Number(f.v))
		}
	}
	if len(limits) > 0 {
		fmt.Fprintf(b, "      limits: {%s}\n", strings.Join(limits, ", "))
	}
	var drive []string
	for _, f := range []struct {
		key string
		v   float64
	}{{"ia", j.Ia}, {"fv", j.Fv}, {"fs", j.Fs}, {"fo", j.Fo}, {"gear_ratio", j.GearRatio}, {"gain", j.Gain}} {
		if f.v != 0 {
			drive = append(drive, f.key+": "+words.Number(f.v))
		}
	}
	if j.Actuator != "" {
		drive = append(drive, strings.TrimSuffix(strings.TrimPrefix(j.Actuator, "{"), "}"))
	}
	if len(drive) > 0 {
		fmt.Fprintf(b, "      drive: {%s}\n", strings.Join(drive, ", "))
	}
	yamlText(b, "      motor", j.Motor)
}

func yamlOrigin(b *bytes.Buffer, key string, t robot.Transform) {
	fmt.Fprintf(b, "    %s: {xyz: %s, rpy: %s}\n", key, yamlVector(t.P), yamlVector(angles.RotationRPY(t.R)))
}

func yamlStandard(b *bytes.Buffer, p robot.Inertial) {
	b.WriteString("    standard: {")
	for k, name := range robot.InertialNames {
		if k > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "%s: %s", name, words.Number(p[k]))
	}
	b.WriteString("}\n")
}

func yamlVector(v [3]float64) string {
	return "[" + strings.ReplaceAll(words.Spaced(v), " ", ", ") + "]"
}

func orNull(v float64) string {
	if math.IsNaN(v) {
		return "null"
	}
	return words.Number(v)
}

var yamlPlain = regexp.MustCompile(`^[A-Za-z0-9_./+*-]*[A-Za-z0-9_]$`)

// yamlQuote writes a scalar plainly where that is safe.
func yamlQuote(s string) string {
	if yamlPlain.MatchString(s) && !strings.ContainsAny(s[:1], "*-.") {
		return s
	}
	if v, err := strconv.ParseFloat(s, 64); err == nil && words.Number(v) == s {
		return s
	}
	return doubleQuoted(s)
}

// doubleQuoted returns a text in double quotes. Bytes that are no UTF-8 become U+FFFD: YAML has characters alone.
func doubleQuoted(s string) string { return strconv.QuoteToASCII(strings.ToValidUTF8(s, "\ufffd")) }

// yamlName is a name that no reader of YAML takes for anything but text, apart from yamlWord.
var yamlName = regexp.MustCompile(`^[A-Za-z_](?:[A-Za-z0-9_./-]*[A-Za-z0-9_])?$`)

// yamlWord are the words of YAML 1.1 and 1.2 that are no text.
var yamlWord = regexp.MustCompile(`^(?i:true|false|yes|no|on|off|y|n|null)$`)

// quotedName writes a name plainly where every reader takes it for text, otherwise in double quotes.
func quotedName(s string) string {
	if yamlName.MatchString(s) && !yamlWord.MatchString(s) {
		return s
	}
	return doubleQuoted(s)
}
