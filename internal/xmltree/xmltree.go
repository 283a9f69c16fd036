// Package xmltree reads XML into a tree that knows the bytes of its tags, so that a part of a text can be rewritten and
// every other byte kept.
package xmltree

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Node is an element of an XML text with the byte offsets of its tags.
type Node struct {
	Name     string
	Space    string
	Attrs    []xml.Attr
	Children []*Node
	Line     int
	Open     [2]int // the start tag is text[Open[0]:Open[1]]
	Close    [2]int // the end tag likewise; empty for <a/>
}

var encodingDeclaration = regexp.MustCompile(`^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']`)

// Error is a fault of a text, with its place.
type Error struct {
	Line  int    // from 1; 0 where there is none
	Where string // element or its owner
	Text  string
}

func (e *Error) Error() string {
	s := e.Text
	if e.Where != "" {
		s = e.Where + ": " + s
	}
	if e.Line > 0 {
		s = fmt.Sprintf("line %d: %s", e.Line, s)
	}
	return s
}

func fault(line int, where, format string, args ...any) *Error {
	return &Error{Line: line, Where: where, Text: fmt.Sprintf(format, args...)}
}

// ToUTF8 returns the text in UTF-8 and whether it was Latin-1.
func ToUTF8(text []byte) ([]byte, bool, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return nil, false, fault(1, "", "the text is UTF-16; save it as UTF-8")
	}
	m := encodingDeclaration.FindSubmatch(text)
	if m == nil {
		return text, false, nil
	}
	switch strings.ToLower(string(m[1])) {
	case "utf-8", "utf8", "us-ascii", "ascii":
		return text, false, nil
	case "iso-8859-1", "latin-1", "latin1", "windows-1252":
		return FromLatin1(text), true, nil
	}
	return nil, false, fault(1, "", "unknown encoding %q; save the file as UTF-8", m[1])
}

// FromLatin1 returns a Latin-1 text in UTF-8.
func FromLatin1(text []byte) []byte {
	out := make([]byte, 0, len(text)+len(text)/8)
	for _, c := range text {
		out = append(out, string(rune(c))...)
	}
	return out
}

// ToLatin1 returns a text in Latin-1, with question marks for letters that it lacks.
func ToLatin1(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if r > 0xff {
			r = '?'
		}
		out = append(out, byte(r))
	}
	return out
}

// Parse reads a text in UTF-8 into its root element.
func Parse(text []byte) (*Node, error) {
	d := xml.NewDecoder(bytes.NewReader(text))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	var root *Node
	var stack []*Node
	for {
		line, _ := d.InputPos()
		start := int(d.InputOffset())
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			var syn *xml.SyntaxError
			if errors.As(err, &syn) {
				return nil, fault(syn.Line, "", "XML syntax: %s", syn.Msg)
			}
			return nil, fault(line, "", "XML: %v", err)
		}
		end := int(d.InputOffset())
		switch t := tok.(type) {
		case xml.StartElement:
			n := &Node{Name: t.Name.Local, Space: t.Name.Space, Attrs: t.Copy().Attr,
				Line: line, Open: [2]int{start, end}, Close: [2]int{end, end}}
			switch {
			case len(stack) > 0:
				p := stack[len(stack)-1]
				p.Children = append(p.Children, n)
			case root != nil:
				return nil, fault(line, "", "XML: a second top element <%s> after <%s>", n.Name, root.Name)
			default:
				root = n
			}
			stack = append(stack, n)
		case xml.EndElement:
			n := stack[len(stack)-1]
			n.Close = [2]int{start, end}
			stack = stack[:len(stack)-1]
		}
	}
	if root == nil {
		return nil, fault(0, "", "XML: no element found; is the file empty?")
	}
	return root, nil
}

// All returns the children of a name in the parent's namespace; elements of
// other namespaces (xacro remnants, plugins) are not of the format.
func (n *Node) All(name string) []*Node {
	var out []*Node
	for _, c := range n.Children {
		if c.Name == name && c.Space == n.Space {
			out = append(out, c)
		}
	}
	return out
}

// Last returns the last child of a name, or nil, and how many there are.
func (n *Node) Last(name string) (*Node, int) {
	all := n.All(name)
	if len(all) == 0 {
		return nil, 0
	}
	return all[len(all)-1], len(all)
}

// Content returns the text in an element, without that of its children and without surrounding space; text is the one
// that was parsed.
func (n *Node) Content(text []byte) string {
	inside := text[n.Open[1]:n.Close[0]]
	if bytes.IndexByte(inside, '<') < 0 && bytes.IndexByte(inside, '&') < 0 {
		return string(bytes.TrimSpace(inside))
	}
	d := xml.NewDecoder(bytes.NewReader(inside))
	var b strings.Builder
	for depth := 0; ; {
		switch t, err := d.Token(); t := t.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth == 0 {
				b.Write(t)
			}
		default:
			if err != nil {
				return strings.TrimSpace(b.String())
			}
		}
	}
}

// Attr returns an attribute's value without surrounding space.
func (n *Node) Attr(name string) (string, bool) {
	for _, a := range n.Attrs {
		if a.Name.Local == name && a.Name.Space == "" {
			return strings.TrimSpace(a.Value), true
		}
	}
	return "", false
}

// Number reads a numeric attribute, or returns the default where it is absent.
func (n *Node) Number(owner, name string, absent float64) (float64, error) {
	s, ok := n.Attr(name)
	if !ok || s == "" {
		return absent, nil
	}
	return n.parse(owner, name, s)
}

// Numbers reads an attribute of numbers; nil where it is absent.
func (n *Node) Numbers(owner, name string) ([]float64, error) {
	s, ok := n.Attr(name)
	if !ok {
		return nil, nil
	}
	out := []float64{}
	for _, f := range strings.Fields(s) {
		v, err := n.parse(owner, name, f)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// Vector reads an attribute of three numbers, or returns the default.
func (n *Node) Vector(owner, name string, absent [3]float64) ([3]float64, error) {
	s, ok := n.Attr(name)
	if !ok {
		return absent, nil
	}
	f := strings.Fields(s)
	if len(f) != 3 {
		return absent, fault(n.Line, owner, "<%s %s=%q>: three numbers are needed, found %d%s", n.Name, name, s, len(f), xacroHint(s))
	}
	var v [3]float64
	for i := range v {
		var err error
		if v[i], err = n.parse(owner, name, f[i]); err != nil {
			return absent, err
		}
	}
	return v, nil
}

func (n *Node) parse(owner, name, s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, fault(n.Line, owner, "<%s %s=%q>: not a number%s", n.Name, name, s, xacroHint(s))
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fault(n.Line, owner, "<%s %s=%q>: not finite", n.Name, name, s)
	}
	return v, nil
}

func xacroHint(s string) string {
	if strings.Contains(s, "${") {
		return "; the file is still xacro, expand it first (xacro robot.xacro > robot.urdf)"
	}
	return ""
}
