package source

import (
	"fmt"
	"strings"

	"ident/internal/controller"
	"ident/symbolic"
)

func pythonDialect() *dialect {
	return &dialect{
		name: "python", label: "Python",
		keywords: strings.Fields(`False None True and as assert async await break class continue def del elif else except finally for from global
			if import in is lambda nonlocal not or pass raise return try while with yield`),
		taken:   []string{"np", "numpy", "shape_", "float"},
		number:  decimal,
		element: func(v string, i int) string { return fmt.Sprintf("%s[..., %d]", v, i) },
		function: map[symbolic.Op]string{symbolic.OpSin: "np.sin(%s)", symbolic.OpCos: "np.cos(%s)", symbolic.OpSqrt: "np.sqrt(%s)",
			symbolic.OpAbs: "np.abs(%s)", symbolic.OpSign: "np.sign(%s)", symbolic.OpAsin: "np.arcsin(%s)", symbolic.OpAcos: "np.arccos(%s)", symbolic.OpAtan: "np.arctan(%s)",
			symbolic.OpAtan2: "np.arctan2(%s, %s)"},
		write: writePython,
	}
}

func writePython(d *dialect, u Unit) []File {
	var b strings.Builder
	b.WriteString("\"\"\"" + strings.TrimLeft(docstring("", moduleHeader(u)), "\n"))
	b.WriteString(docstring("", []string{"",
		"Arguments are arrays of any leading shape, whose last axis is that of the joints or",
		"parameters; results have the leading shape that the arguments broadcast to."}) + "\"\"\"\n\nimport numpy as np\n")
	shared := common(u.Programs)
	for _, p := range u.Programs {
		f := d.layOut(p)
		var args []string
		for _, a := range f.args {
			args = append(args, a.name)
		}
		fmt.Fprintf(&b, "\n\ndef %s(%s):\n", p.Name, strings.Join(args, ", "))
		b.WriteString("    \"\"\"" + strings.TrimLeft(docstring("    ", functionHeader(f, "The model "+p.Name+".", shared)), " ") + "    \"\"\"\n")
		var shapes []string
		for _, a := range f.args {
			fmt.Fprintf(&b, "    %s = np.asarray(%s, dtype=float)\n", a.name, a.name)
			if a.scalar {
				shapes = append(shapes, a.name+".shape")
				continue
			}
			// A wrong shape is an error before it is indexed.
			fmt.Fprintf(&b, "    if %s.shape[-1:] != (%d,):\n        raise ValueError(\"%s: the last axis must have %d entries\")\n", a.name, len(a.inputs), a.name, len(a.inputs))
			shapes = append(shapes, a.name+".shape[:-1]")
		}
		fmt.Fprintf(&b, "    shape_ = np.broadcast_shapes(%s)\n", strings.Join(shapes, ", "))
		for l := range f.assignments() {
			fmt.Fprintf(&b, "    %s = %s\n", l.name, l.text)
		}
		var names []string
		for i := range f.results {
			r := &f.results[i]
			names = append(names, r.name)
			switch {
			case r.scalar():
				fmt.Fprintf(&b, "    %s = np.zeros(shape_)\n", r.name)
			case r.vector():
				fmt.Fprintf(&b, "    %s = np.zeros(shape_ + (%d,))\n", r.name, r.Rows)
			default:
				fmt.Fprintf(&b, "    %s = np.zeros(shape_ + (%d, %d))\n", r.name, r.Rows, r.Cols)
			}
			for k, e := range r.entries {
				if r.Entries[k].IsZero() {
					continue
				}
				at := fmt.Sprintf("%d, %d", e.row, e.col)
				if r.vector() {
					at = fmt.Sprint(e.row)
				}
				if r.scalar() {
					fmt.Fprintf(&b, "    %s[...] = %s\n", r.name, e.value)
					continue
				}
				fmt.Fprintf(&b, "    %s[..., %s] = %s\n", r.name, at, e.value)
			}
		}
		fmt.Fprintf(&b, "    return %s\n", strings.Join(names, ", "))
	}
	return []File{{u.Name + ".py", []byte(b.String())}}
}

// docstring indents lines for a string between triple quotes.
func docstring(indent string, lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strings.TrimRight(indent+controller.Remark(l), " ") + "\n")
	}
	return b.String()
}
