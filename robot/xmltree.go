package robot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// xmlNode is an element of an XML text with the byte offsets of its tags, so
// that a part of the text can be rewritten and the rest kept.
type xmlNode struct {
	name     string
	space    string
	attrs    []xml.Attr
	children []*xmlNode
	line     int
	open     [2]int // the start tag is text[open[0]:open[1]]
	close    [2]int // the end tag likewise; empty for <a/>
}

var encodingDeclaration = regexp.MustCompile(`^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']`)

// xmlToUTF8 returns the text in UTF-8 and whether it was Latin-1.
func xmlToUTF8(text []byte) ([]byte, bool, error) {
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
		return latin1ToUTF8(text), true, nil
	}
	return nil, false, fault(1, "", "unknown encoding %q; save the file as UTF-8", m[1])
}

func latin1ToUTF8(text []byte) []byte {
	out := make([]byte, 0, len(text)+len(text)/8)
	for _, c := range text {
		out = append(out, string(rune(c))...)
	}
	return out
}

func utf8ToLatin1(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if r > 0xff {
			r = '?'
		}
		out = append(out, byte(r))
	}
	return out
}

// parseXML reads a text in UTF-8 into its root element.
func parseXML(text []byte) (*xmlNode, error) {
	d := xml.NewDecoder(bytes.NewReader(text))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	var root *xmlNode
	var stack []*xmlNode
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
			n := &xmlNode{name: t.Name.Local, space: t.Name.Space, attrs: t.Copy().Attr,
				line: line, open: [2]int{start, end}, close: [2]int{end, end}}
			switch {
			case len(stack) > 0:
				p := stack[len(stack)-1]
				p.children = append(p.children, n)
			case root != nil:
				return nil, fault(line, "", "XML: a second top element <%s> after <%s>", n.name, root.name)
			default:
				root = n
			}
			stack = append(stack, n)
		case xml.EndElement:
			n := stack[len(stack)-1]
			n.close = [2]int{start, end}
			stack = stack[:len(stack)-1]
		}
	}
	if root == nil {
		return nil, fault(0, "", "XML: no element found; is the file empty?")
	}
	return root, nil
}

// all returns the children of a name in the parent's namespace; elements of
// other namespaces (xacro remnants, plugins) are not of the format.
func (n *xmlNode) all(name string) []*xmlNode {
	var out []*xmlNode
	for _, c := range n.children {
		if c.name == name && c.space == n.space {
			out = append(out, c)
		}
	}
	return out
}

// last returns the last child of a name, or nil, and how many there are.
func (n *xmlNode) last(name string) (*xmlNode, int) {
	all := n.all(name)
	if len(all) == 0 {
		return nil, 0
	}
	return all[len(all)-1], len(all)
}

// attr returns an attribute's value without surrounding space.
func (n *xmlNode) attr(name string) (string, bool) {
	for _, a := range n.attrs {
		if a.Name.Local == name && a.Name.Space == "" {
			return strings.TrimSpace(a.Value), true
		}
	}
	return "", false
}

// number reads a numeric attribute, or returns the default where it is absent.
func (n *xmlNode) number(owner, name string, absent float64) (float64, error) {
	s, ok := n.attr(name)
	if !ok || s == "" {
		return absent, nil
	}
	return n.parse(owner, name, s)
}

// vector reads an attribute of three numbers, or returns the default.
func (n *xmlNode) vector(owner, name string, absent [3]float64) ([3]float64, error) {
	s, ok := n.attr(name)
	if !ok {
		return absent, nil
	}
	f := strings.Fields(s)
	if len(f) != 3 {
		return absent, fault(n.line, owner, "<%s %s=%q>: three numbers are needed, found %d%s", n.name, name, s, len(f), xacroHint(s))
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

func (n *xmlNode) parse(owner, name, s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, fault(n.line, owner, "<%s %s=%q>: not a number%s", n.name, name, s, xacroHint(s))
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fault(n.line, owner, "<%s %s=%q>: not finite", n.name, name, s)
	}
	return v, nil
}

func xacroHint(s string) string {
	if strings.Contains(s, "${") {
		return "; the file is still xacro, expand it first (xacro robot.xacro > robot.urdf)"
	}
	return ""
}
