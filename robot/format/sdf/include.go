package sdf

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ident/internal/xmltree"
)

// expansion is a text in which the models of other files stand instead of their <include>.
type expansion struct {
	Text  []byte
	Files []string // that were included
	// Missed is why an <include> of a world, as its ground and its sun are, stands as it was; nil for none.
	Missed error
	lines  []origin // by line of Text
}

type origin struct {
	path string
	line int
}

// Source returns the file and the line that a line of the expansion came from.
func (x *expansion) Source(line int) (string, int) {
	if line < 1 || line > len(x.lines) {
		return "", line
	}
	at := x.lines[line-1]
	return at.path, at.line
}

// includeError is a fault of an include, with its file.
type includeError struct {
	Path string
	Line int
	Err  error
}

func (e *includeError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err) }

func (e *includeError) Unwrap() error { return e.Err }

const (
	maxText     = 32 << 20 // bytes of an expansion
	maxIncludes = 1000
)

// include expands a text in UTF-8 of the file path. An included model has the name, pose and placement frame that the
// <include> gives it. Faults are *xmltree.Error of the text itself, and *includeError.
func include(text []byte, path string, files Files) (*expansion, error) {
	if !bytes.Contains(text, []byte("<include")) {
		return &expansion{Text: text}, nil
	}
	root, err := xmltree.Parse(text)
	if err != nil {
		return nil, err
	}
	x := &expander{files: files, read: map[string]parsed{}, out: &expansion{lines: []origin{{path, 1}}}}
	f := &source{path: path, parsed: parsed{text, root}, line: 1}
	if err := x.copy(f, 0, len(text), root, nil); err != nil {
		return nil, err
	}
	x.out.Text = x.b.Bytes()
	return x.out, nil
}

// source is a file that is expanded.
type source struct {
	path string
	parsed
	from     *source // the file that includes it
	at, line int     // of its text, up to which lines are counted
}

// parsed is a text in UTF-8.
type parsed struct {
	text []byte
	root *xmltree.Node
}

type expander struct {
	files    Files
	read     map[string]parsed
	out      *expansion
	b        bytes.Buffer
	includes int
}

func (f *source) fault(n *xmltree.Node, format string, args ...any) error {
	return &includeError{f.path, n.Line, fmt.Errorf(format, args...)}
}

// write copies bytes of a file that follow those copied before, whose lines they are.
func (x *expander) write(f *source, from, to int) {
	f.line += bytes.Count(f.text[f.at:from], []byte("\n"))
	f.at = to
	part := f.text[from:to]
	x.b.Write(part)
	for range bytes.Count(part, []byte("\n")) {
		f.line++
		x.out.lines = append(x.out.lines, origin{f.path, f.line})
	}
}

// copy writes bytes of a file with the includes below a node expanded, less the elements that are left out.
func (x *expander) copy(f *source, from, to int, below *xmltree.Node, without []*xmltree.Node) error {
	at := from
	var walk func(n *xmltree.Node) error
	walk = func(n *xmltree.Node) error {
		for _, c := range n.Children {
			switch {
			case slices.Contains(without, c):
				x.write(f, at, c.Open[0])
				at = c.Close[1]
			case c.Name == "include" && c.Space == n.Space && (n.Name == "model" || n.Name == "world" || n.Name == "sdf"):
				in, err := x.open(f, c)
				if err != nil && n.Name != "model" {
					x.out.Missed = cmp.Or(x.out.Missed, err)
					continue
				}
				if err != nil {
					return err
				}
				x.write(f, at, c.Open[0])
				at = c.Close[1]
				if err := x.include(f, c, in); err != nil {
					return err
				}
			case c.Name == "model" || c.Name == "world":
				if err := walk(c); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := walk(below); err != nil {
		return err
	}
	x.write(f, at, to)
	if x.b.Len() > maxText {
		return f.fault(below, "the text with its includes has more than %d MiB", maxText>>20)
	}
	return nil
}

// said returns the text of a child of an element.
func (f *source) said(n *xmltree.Node, name string) string {
	if c, _ := n.Last(name); c != nil {
		return c.Content(f.text)
	}
	return ""
}

// open finds and reads the file of an include.
func (x *expander) open(f *source, n *xmltree.Node) (*source, error) {
	if x.includes++; x.includes > maxIncludes {
		return nil, f.fault(n, "more than %d includes", maxIncludes)
	}
	if merge, _ := n.Attr("merge"); merge == "true" || merge == "1" {
		return nil, f.fault(n, "<include merge> is not read: include the model as one of its own")
	}
	for _, c := range n.Children {
		switch c.Name {
		case "uri", "name", "pose", "placement_frame", "static", "plugin", "allow_auto_disable":
		default:
			return nil, f.fault(c, "<%s> of an <include> is not read", c.Name)
		}
	}
	path, err := x.path(f, n, f.said(n, "uri"))
	if err != nil {
		return nil, err
	}
	for g := f; g != nil; g = g.from {
		if g.path == path {
			return nil, f.fault(n, "%s includes itself", path)
		}
	}
	in := &source{path: path, from: f, line: 1, parsed: x.read[path]}
	if in.root == nil {
		text, err := x.files.Open(path)
		if err != nil {
			return nil, f.fault(n, "<include>: %w", err)
		}
		if in.text, _, err = xmltree.ToUTF8(text); err == nil {
			in.root, err = xmltree.Parse(in.text)
		}
		if err != nil {
			return nil, f.fault(n, "%s: %v", path, err)
		}
		x.read[path] = in.parsed
	}
	if models := in.root.All("model"); in.root.Name != "sdf" || len(models) != 1 {
		return nil, f.fault(n, "%s: a file that is included has one <model> in its <sdf>; this has %d", path, len(models))
	}
	host, _ := f.root.Attr("version")
	own, _ := in.root.Attr("version")
	if old := func(v string) bool { return slices.Contains([]string{"1.0", "1.1", "1.2", "1.3", "1.4"}, v) }; old(host) != old(own) {
		return nil, f.fault(n, "%s is of version %s, whose axes have other frames than those of version %s: convert it by gz sdf -p", path, own, host)
	}
	return in, nil
}

// include writes the model of another file.
func (x *expander) include(f *source, n *xmltree.Node, in *source) error {
	x.out.Files = append(x.out.Files, in.path)
	m := in.root.All("model")[0]
	var without []*xmltree.Node
	pose, _ := n.Last("pose")
	if pose != nil {
		without = m.All("pose")
	}
	x.b.WriteString("<model")
	attrs := map[string]string{"name": f.said(n, "name"), "placement_frame": f.said(n, "placement_frame")}
	for _, a := range m.Attrs {
		if v := attrs[a.Name.Local]; a.Name.Space == "" && v == "" {
			fmt.Fprintf(&x.b, " %s=%s", a.Name.Local, quoted(a.Value))
		}
	}
	for _, name := range []string{"name", "placement_frame"} {
		if attrs[name] != "" {
			fmt.Fprintf(&x.b, " %s=%s", name, quoted(attrs[name]))
		}
	}
	x.b.WriteString(">")
	if pose != nil {
		x.write(f, pose.Open[0], pose.Close[1])
	}
	if static := f.said(n, "static"); static != "" {
		fmt.Fprintf(&x.b, "<static>%s</static>", escaped(static))
		without = append(without, m.All("static")...)
	}
	if err := x.copy(in, m.Open[1], m.Close[0], m, without); err != nil {
		return err
	}
	x.b.WriteString("</model>")
	return nil
}

// path returns the file that a URI names.
func (x *expander) path(f *source, n *xmltree.Node, uri string) (string, error) {
	scheme, rest, ok := strings.Cut(uri, "://")
	path := uri
	switch {
	case uri == "":
		return "", f.fault(n, "<include> without a <uri>")
	case x.files.Open == nil:
		return "", f.fault(n, "<include> needs a file system: read the model from its path, or flatten it with gz sdf -p")
	case !ok:
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(f.path), path)
		}
	case scheme == "file":
		path = rest
	case scheme == "model" || scheme == "package":
		name, inside, _ := strings.Cut(rest, "/")
		folder, found := x.files.Find(name)
		if !found {
			return "", f.fault(n, "<include> of %s: no folder of %q is known or lies beside the file; name it as a package", uri, name)
		}
		path = filepath.Join(folder, inside)
	default:
		return "", f.fault(n, "<include> of %s: model://, package://, file:// and relative paths are read", uri)
	}
	if strings.EqualFold(filepath.Ext(path), ".sdf") {
		return path, nil
	}
	// A folder, whose model.config names the file.
	text, err := x.files.Open(filepath.Join(path, "model.config"))
	if err != nil {
		return filepath.Join(path, "model.sdf"), nil
	}
	root, err := xmltree.Parse(text)
	if err != nil {
		return "", f.fault(n, "%s: %v", filepath.Join(path, "model.config"), err)
	}
	if c, _ := root.Last("sdf"); c != nil {
		return filepath.Join(path, c.Content(text)), nil
	}
	return filepath.Join(path, "model.sdf"), nil
}
