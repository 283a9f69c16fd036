package xacro

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"ident/internal/xmltree"
)

// node is an element, or a text where it has no name.
type node struct {
	name     string // with its prefix
	attrs    []attr
	children []*node
	text     string
	place
}

type attr struct{ name, value string }

func (n *node) get(name string) (string, bool) {
	for _, a := range n.attrs {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}

func (n *node) set(name, value string) {
	for i := range n.attrs {
		if n.attrs[i].name == name {
			n.attrs[i].value = value
			return
		}
	}
	n.attrs = append(n.attrs, attr{name, value})
}

func (n *node) clone() *node {
	c := *n
	c.attrs = append([]attr(nil), n.attrs...)
	c.children = make([]*node, len(n.children))
	for i, k := range n.children {
		c.children[i] = k.clone()
	}
	return &c
}

// size counts an element and all in it.
func (n *node) size() int {
	s := 1
	for _, c := range n.children {
		s += c.size()
	}
	return s
}

// elements returns the children that are no text.
func (n *node) elements() []*node {
	var out []*node
	for _, c := range n.children {
		if c.name != "" {
			out = append(out, c)
		}
	}
	return out
}

func full(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

// parse reads a text; comments and instructions are left out, and so is white space between elements.
func parse(text []byte, file string) (*node, error) {
	top := &node{place: place{file, 1}}
	text, _, err := xmltree.ToUTF8(text)
	if err != nil {
		return nil, fault(top, "%w", err)
	}
	d := xml.NewDecoder(bytes.NewReader(text))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	stack := []*node{top}
	for {
		line, _ := d.InputPos()
		at := place{file, line}
		tok, err := d.RawToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			var syn *xml.SyntaxError
			if errors.As(err, &syn) {
				at.line, err = syn.Line, errors.New(syn.Msg)
			}
			return nil, fault(&node{place: at}, "XML: %w", err)
		}
		last := stack[len(stack)-1]
		switch t := tok.(type) {
		case xml.StartElement:
			n := &node{name: full(t.Name), place: at}
			for _, a := range t.Attr {
				if _, twice := n.get(full(a.Name)); twice {
					return nil, fault(n, "XML: <%s> has two attributes %s", n.name, full(a.Name))
				}
				n.attrs = append(n.attrs, attr{full(a.Name), a.Value})
			}
			last.children = append(last.children, n)
			if stack = append(stack, n); len(stack) > maxNested {
				return nil, fault(n, "elements are nested more than %d deep", maxNested)
			}
		case xml.EndElement:
			if len(stack) == 1 || last.name != full(t.Name) {
				return nil, fault(&node{place: at}, "XML: </%s> closes no element that is open", full(t.Name))
			}
			stack = stack[:len(stack)-1]
		case xml.CharData:
			if s := strings.TrimSpace(string(t)); s != "" {
				if len(stack) == 1 {
					return nil, fault(&node{place: at}, "XML: text outside the top element")
				}
				last.children = append(last.children, &node{text: s, place: at})
			}
		}
	}
	if last := stack[len(stack)-1]; len(stack) > 1 {
		return nil, fault(last, "XML: <%s> is not closed", last.name)
	}
	if len(top.children) != 1 {
		return nil, fault(top, "XML: %d top elements; a file has one", len(top.children))
	}
	return top.children[0], nil
}

// writer prints elements, one per line.
type writer struct {
	b     bytes.Buffer
	lines []place
}

func (w *writer) line(n *node, depth int, parts ...string) {
	for range depth {
		w.b.WriteString("  ")
	}
	before := w.b.Len()
	for _, p := range parts {
		w.b.WriteString(p)
	}
	for range bytes.Count(w.b.Bytes()[before:], []byte("\n")) + 1 {
		w.lines = append(w.lines, n.place)
	}
	w.b.WriteByte('\n')
}

func escaped(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // memory does not fail
	return b.String()
}

func (w *writer) element(n *node, depth int) {
	if n.name == "" {
		w.line(n, depth, escaped(n.text))
		return
	}
	var tag strings.Builder
	tag.WriteString("<" + n.name)
	for _, a := range n.attrs {
		if a.name != "xmlns:xacro" {
			tag.WriteString(" " + a.name + `="` + escaped(a.value) + `"`)
		}
	}
	switch {
	case len(n.children) == 0:
		w.line(n, depth, tag.String(), "/>")
	case len(n.children) == 1 && n.children[0].name == "":
		w.line(n, depth, tag.String(), ">", escaped(n.children[0].text), "</", n.name, ">")
	default:
		w.line(n, depth, tag.String(), ">")
		for _, c := range n.children {
			w.element(c, depth+1)
		}
		w.line(n, depth, "</", n.name, ">")
	}
}
