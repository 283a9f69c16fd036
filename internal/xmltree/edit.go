package xmltree

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Editor collects changes of a text in UTF-8.
type Editor struct {
	text    []byte
	newline string
	edits   []edit
}

// edit replaces text[from:to].
type edit struct {
	from, to int
	with     string
}

// NewEditor changes a text whose tree was read from the same bytes.
func NewEditor(text []byte) *Editor {
	w := &Editor{text: text, newline: "\n"}
	if bytes.Contains(text, []byte("\r\n")) {
		w.newline = "\r\n"
	}
	return w
}

// Text returns the text with all changes.
func (w *Editor) Text() []byte {
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

// Element is an element without content.
type Element struct {
	Name  string
	Attrs []Value
}

// Value is an attribute of numbers.
type Value struct {
	Name   string
	Values []float64
}

// Is returns an attribute.
func Is(name string, values ...float64) Value { return Value{Name: name, Values: values} }

func (v Value) String() string {
	f := make([]string, len(v.Values))
	for i, x := range v.Values {
		f[i] = fmt.Sprintf("%.17g", x+0)
	}
	return strings.Join(f, " ")
}

// equals reports whether the fields of an attribute say the same numbers; an
// absent one says zero.
func (v Value) equals(fields []string) bool {
	for i, x := range v.Values {
		f := 0.0
		if len(fields) > 0 {
			var err error
			if len(fields) != len(v.Values) {
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

func (e Element) String() string {
	var b strings.Builder
	b.WriteString("<" + e.Name)
	for _, a := range e.Attrs {
		fmt.Fprintf(&b, " %s=%q", a.Name, a)
	}
	b.WriteString("/>")
	return b.String()
}

// Block writes an element with elements in it, its first line without indentation. An
// indentation of "-" stands for a text on one line.
func (w *Editor) Block(name string, elements []Element, pad, step string) string {
	line := w.newline + pad
	if strings.HasPrefix(pad, "-") {
		line, step = "", ""
	}
	var b strings.Builder
	b.WriteString("<" + name + ">")
	for _, e := range elements {
		if line != "" {
			b.WriteString(line + step)
		}
		b.WriteString(e.String())
	}
	return b.String() + line + "</" + name + ">"
}

// Insert puts a text at the beginning of an element's content, on a line of
// its own if the element begins one.
func (w *Editor) Insert(n *Node, pad, closing, text string) {
	before, after := w.newline+pad, w.newline+closing
	if strings.HasPrefix(pad, "-") {
		before, after = "", ""
	}
	if n.Close[0] == n.Close[1] { // <link name="x"/>
		tag := string(w.text[n.Open[0]:n.Open[1]])
		opened := strings.TrimRight(strings.TrimSuffix(tag, "/>"), " \t\r\n") + ">"
		for i := range w.edits { // a second insertion into the same element
			if e := &w.edits[i]; e.from == n.Open[0] && e.to == n.Open[1] {
				e.with = opened + before + text + strings.TrimPrefix(e.with, opened)
				return
			}
		}
		w.edits = append(w.edits, edit{n.Open[0], n.Open[1], opened + before + text + after + "</" + w.tagName(n) + ">"})
		return
	}
	if len(bytes.TrimSpace(w.text[n.Open[1]:n.Close[0]])) > 0 || bytes.ContainsRune(w.text[n.Open[1]:n.Close[0]], '\n') {
		after = ""
	}
	w.edits = append(w.edits, edit{n.Open[1], n.Open[1], before + text + after})
}

// tagName returns the name as the start tag writes it, prefix included.
func (w *Editor) tagName(n *Node) string {
	tag := w.text[n.Open[0]+1 : n.Open[1]]
	return string(tag[:bytes.IndexAny(tag, " \t\r\n/>")])
}

// Indent returns the white space before an element that begins its line, or
// "-" for one that does not.
func (w *Editor) Indent(n *Node) string {
	start := bytes.LastIndexByte(w.text[:n.Open[0]], '\n') + 1
	pad := string(w.text[start:n.Open[0]])
	if strings.Trim(pad, " \t") != "" || start == 0 {
		return "-"
	}
	return pad
}

// Step returns by how much an element's children are indented beyond it.
func (w *Editor) Step(n *Node) string {
	pad := w.Indent(n)
	for _, c := range n.Children {
		if deeper := w.Indent(c); strings.HasPrefix(deeper, pad) && len(deeper) > len(pad) {
			return deeper[len(pad):]
		}
	}
	if strings.HasPrefix(pad, "\t") {
		return "\t"
	}
	return "  "
}

// Attribute rewrites one attribute of a start tag, unless it already has the same value. An absent attribute counts as zero.
func (w *Editor) Attribute(n *Node, v Value) {
	if old, _ := n.Attr(v.Name); v.equals(strings.Fields(old)) {
		return
	}
	w.Set(n, v)
}

// Replace puts a text instead of a whole element.
func (w *Editor) Replace(n *Node, text string) {
	w.edits = append(w.edits, edit{n.Open[0], n.Close[1], text})
}

// SetContent puts a text instead of all that is in an element.
func (w *Editor) SetContent(n *Node, text string) {
	if n.Close[0] == n.Close[1] { // <mass/>
		tag := string(w.text[n.Open[0]:n.Open[1]])
		w.edits = append(w.edits, edit{n.Open[0], n.Open[1], strings.TrimRight(strings.TrimSuffix(tag, "/>"), " \t\r\n") + ">" + text + "</" + w.tagName(n) + ">"})
		return
	}
	w.edits = append(w.edits, edit{n.Open[1], n.Close[0], text})
}

// Set writes one attribute of a start tag.
func (w *Editor) Set(n *Node, v Value) {
	if from, to, found := w.attributeSpan(n, v.Name); found {
		w.edits = append(w.edits, edit{from, to, v.String()})
		return
	}
	end := n.Open[1] - 1
	if w.text[end-1] == '/' {
		end--
	}
	lead := " "
	if c := w.text[end-1]; c == ' ' || c == '\t' || c == '\n' || c == '\r' {
		lead = ""
	}
	w.edits = append(w.edits, edit{end, end, fmt.Sprintf("%s%s=%q", lead, v.Name, v)})
}

// attributeSpan finds the bytes of an attribute's value in a start tag.
func (w *Editor) attributeSpan(n *Node, name string) (from, to int, found bool) {
	i := n.Open[0] + 1 + len(w.tagName(n))
	for i < n.Open[1] {
		for i < n.Open[1] && strings.IndexByte(" \t\r\n", w.text[i]) >= 0 {
			i++
		}
		eq := bytes.IndexByte(w.text[i:n.Open[1]], '=')
		if eq < 0 {
			return 0, 0, false
		}
		key := strings.TrimSpace(string(w.text[i : i+eq]))
		i += eq + 1
		for i < n.Open[1] && strings.IndexByte(" \t\r\n", w.text[i]) >= 0 {
			i++
		}
		closing := bytes.IndexByte(w.text[i+1:n.Open[1]], w.text[i])
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
