package robot

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// edit replaces text[from:to].
type edit struct {
	from, to int
	with     string
}

// ReplaceInertials returns a URDF text with the inertials of the named links
// replaced and every other byte kept. The parameters are about the origin of
// the URDF link frame, in its axes; they are written as centre of mass, zero
// roll-pitch-yaw, mass and central inertia with 17 digits. An element or
// attribute that is missing is inserted in the text's own indentation. Names
// that the text does not hold, and massless bodies with moments, are errors
// (the latter match ErrNotWritable).
func ReplaceInertials(urdf []byte, byLink map[string]Inertial) ([]byte, error) {
	text, latin1, err := xmlToUTF8(urdf)
	if err != nil {
		return nil, err
	}
	root, err := parseXML(text)
	if err != nil {
		return nil, err
	}
	w := inertialWriter{text: text, newline: "\n"}
	if bytes.Contains(text, []byte("\r\n")) {
		w.newline = "\r\n"
	}
	found := map[string]bool{}
	var names []string
	for _, n := range root.all("link") {
		name, _ := n.attr("name")
		names = append(names, name)
		p, ok := byLink[name]
		if !ok {
			continue
		}
		if found[name] {
			return nil, fault(n.line, "", "link %q is defined twice; rename one", name)
		}
		found[name] = true
		if err := w.link(n, name, p); err != nil {
			return nil, err
		}
	}
	for _, name := range sortedKeys(byLink) {
		if !found[name] {
			return nil, fault(0, "", "the URDF has no link %q%s", name, didYouMean(name, names))
		}
	}
	out := w.apply()
	if latin1 {
		out = utf8ToLatin1(out)
	}
	if bytes.HasPrefix(urdf, []byte("\xef\xbb\xbf")) {
		out = append([]byte("\xef\xbb\xbf"), out...)
	}
	return out, nil
}

type inertialWriter struct {
	text    []byte
	newline string
	edits   []edit
}

func (w *inertialWriter) apply() []byte {
	slices.SortStableFunc(w.edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, e := range w.edits {
		out = append(out, w.text[at:e.from]...)
		out = append(out, e.with...)
		at = e.to
	}
	return append(out, w.text[at:]...)
}

// link rewrites, or inserts, the inertial that the reader takes of a link.
func (w *inertialWriter) link(n *xmlNode, name string, p Inertial) error {
	if err := p.writable(name); err != nil {
		return err
	}
	com, _ := p.CentreOfMass()
	j, _ := p.Central()
	elements := []xmlElement{
		{"origin", []xmlValue{{"xyz", com[:]}, {"rpy", []float64{0, 0, 0}}}},
		{"mass", []xmlValue{{"value", []float64{p.Mass()}}}},
		{"inertia", []xmlValue{{"ixx", j[0][:1]}, {"ixy", j[0][1:2]}, {"ixz", j[0][2:]}, {"iyy", j[1][1:2]}, {"iyz", j[1][2:]}, {"izz", j[2][2:]}}},
	}
	in, _ := n.last("inertial")
	if in == nil {
		pad := w.indent(n)
		deeper := pad + w.step(n)
		w.insert(n, deeper, pad, w.block(elements, deeper, w.step(n)))
		return nil
	}
	pad := w.indent(in)
	step := w.step(in)
	for _, e := range slices.Backward(elements) {
		c, _ := in.last(e.name)
		if c == nil {
			w.insert(in, pad+step, pad, e.String())
			continue
		}
		for _, a := range e.attrs {
			w.attribute(c, a)
		}
	}
	return nil
}

func (p Inertial) writable(name string) error {
	_, err := urdfNumbers(name, p)
	return err
}

type xmlElement struct {
	name  string
	attrs []xmlValue
}

type xmlValue struct {
	name   string
	values []float64
}

func (v xmlValue) String() string {
	f := make([]string, len(v.values))
	for i, x := range v.values {
		f[i] = fmt.Sprintf("%.17g", x+0)
	}
	return strings.Join(f, " ")
}

// equals tells whether the fields of an attribute say the same numbers; an
// absent one says zero.
func (v xmlValue) equals(fields []string) bool {
	for i, x := range v.values {
		f := 0.0
		if len(fields) > 0 {
			var err error
			if len(fields) != len(v.values) {
				return false
			}
			if f, err = strconv.ParseFloat(fields[i], 64); err != nil {
				return false
			}
		}
		if f != x {
			return false
		}
	}
	return true
}

func (e xmlElement) String() string {
	var b strings.Builder
	b.WriteString("<" + e.name)
	for _, a := range e.attrs {
		fmt.Fprintf(&b, " %s=%q", a.name, a)
	}
	b.WriteString("/>")
	return b.String()
}

// block writes a whole <inertial>, its first line without indentation. An
// indentation of "-" stands for a text on one line.
func (w *inertialWriter) block(elements []xmlElement, pad, step string) string {
	line := w.newline + pad
	if strings.HasPrefix(pad, "-") {
		line, step = "", ""
	}
	var b strings.Builder
	b.WriteString("<inertial>")
	for _, e := range elements {
		if line != "" {
			b.WriteString(line + step)
		}
		b.WriteString(e.String())
	}
	return b.String() + line + "</inertial>"
}

// insert puts a text at the beginning of an element's content, on a line of
// its own if the element begins one.
func (w *inertialWriter) insert(n *xmlNode, pad, closing, text string) {
	before, after := w.newline+pad, w.newline+closing
	if strings.HasPrefix(pad, "-") {
		before, after = "", ""
	}
	if n.close[0] == n.close[1] { // <link name="x"/>
		tag := string(w.text[n.open[0]:n.open[1]])
		opened := strings.TrimRight(strings.TrimSuffix(tag, "/>"), " \t\r\n") + ">"
		for i := range w.edits { // a second insertion into the same element
			if e := &w.edits[i]; e.from == n.open[0] && e.to == n.open[1] {
				e.with = opened + before + text + strings.TrimPrefix(e.with, opened)
				return
			}
		}
		w.edits = append(w.edits, edit{n.open[0], n.open[1], opened + before + text + after + "</" + w.tagName(n) + ">"})
		return
	}
	if len(bytes.TrimSpace(w.text[n.open[1]:n.close[0]])) > 0 || bytes.ContainsRune(w.text[n.open[1]:n.close[0]], '\n') {
		after = ""
	}
	w.edits = append(w.edits, edit{n.open[1], n.open[1], before + text + after})
}

// tagName returns the name as the start tag writes it, prefix included.
func (w *inertialWriter) tagName(n *xmlNode) string {
	tag := w.text[n.open[0]+1 : n.open[1]]
	return string(tag[:bytes.IndexAny(tag, " \t\r\n/>")])
}

// indent returns the white space before an element that begins its line, or
// "-" for one that does not.
func (w *inertialWriter) indent(n *xmlNode) string {
	start := bytes.LastIndexByte(w.text[:n.open[0]], '\n') + 1
	pad := string(w.text[start:n.open[0]])
	if strings.Trim(pad, " \t") != "" || start == 0 {
		return "-"
	}
	return pad
}

// step returns by how much an element's children are indented beyond it.
func (w *inertialWriter) step(n *xmlNode) string {
	pad := w.indent(n)
	for _, c := range n.children {
		if deeper := w.indent(c); strings.HasPrefix(deeper, pad) && len(deeper) > len(pad) {
			return deeper[len(pad):]
		}
	}
	if strings.HasPrefix(pad, "\t") {
		return "\t"
	}
	return "  "
}

// attribute rewrites one attribute of a start tag, and leaves it where it says
// the same number already.
func (w *inertialWriter) attribute(n *xmlNode, v xmlValue) {
	if old, _ := n.attr(v.name); v.equals(strings.Fields(old)) {
		return
	}
	if from, to, found := w.attributeSpan(n, v.name); found {
		w.edits = append(w.edits, edit{from, to, v.String()})
		return
	}
	end := n.open[1] - 1
	if w.text[end-1] == '/' {
		end--
	}
	lead := " "
	if c := w.text[end-1]; c == ' ' || c == '\t' || c == '\n' || c == '\r' {
		lead = ""
	}
	w.edits = append(w.edits, edit{end, end, fmt.Sprintf("%s%s=%q", lead, v.name, v)})
}

// attributeSpan finds the bytes of an attribute's value in a start tag.
func (w *inertialWriter) attributeSpan(n *xmlNode, name string) (from, to int, found bool) {
	i := n.open[0] + 1 + len(w.tagName(n))
	for i < n.open[1] {
		for i < n.open[1] && strings.IndexByte(" \t\r\n", w.text[i]) >= 0 {
			i++
		}
		eq := bytes.IndexByte(w.text[i:n.open[1]], '=')
		if eq < 0 {
			return 0, 0, false
		}
		key := strings.TrimSpace(string(w.text[i : i+eq]))
		i += eq + 1
		for i < n.open[1] && strings.IndexByte(" \t\r\n", w.text[i]) >= 0 {
			i++
		}
		closing := bytes.IndexByte(w.text[i+1:n.open[1]], w.text[i])
		if closing < 0 {
			return 0, 0, false
		}
		from, to = i+1, i+1+closing
		if key == name {
			return from, to, true
		}
		i = to + 1
	}
	return 0, 0, false
}
