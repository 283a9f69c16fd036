package source

import (
	"fmt"
	"strings"

	"ident/symbolic"
)

func juliaDialect() *dialect {
	return &dialect{
		name: "julia", label: "Julia",
		keywords: strings.Fields(`baremodule begin break catch const continue do else elseif end export false finally for function global if
			import let local macro module quote return struct true try using while in isa where abstract mutable primitive type`),
		taken:   []string{"sin", "cos", "sqrt", "abs", "sign", "asin", "acos", "atan", "zeros", "Float64", "AbstractVector", "AbstractMatrix", "Real", "Ref"},
		number:  decimal,
		element: func(v string, i int) string { return fmt.Sprintf("%s[%d]", v, i+1) },
		function: map[symbolic.Op]string{symbolic.OpSin: "sin(%s)", symbolic.OpCos: "cos(%s)", symbolic.OpSqrt: "sqrt(%s)", symbolic.OpAbs: "abs(%s)",
			symbolic.OpSign: "sign(%s)", symbolic.OpAsin: "asin(%s)", symbolic.OpAcos: "acos(%s)", symbolic.OpAtan: "atan(%s)",
			symbolic.OpAtan2: "atan(%s, %s)"},
		write: writeJulia,
	}
}

func writeJulia(d *dialect, u Unit) []File {
	var b strings.Builder
	b.WriteString(comment("#", moduleHeader(u)))
	fmt.Fprintf(&b, "module %s\n\n", exported(u.Name))
	var names []string
	for _, p := range u.Programs {
		names = append(names, p.Name, p.Name+"!")
	}
	fmt.Fprintf(&b, "export %s\n", strings.Join(names, ", "))
	shared := common(u.Programs)
	for _, p := range u.Programs {
		f := d.layOut(p, p.Name)
		var results, args, makers []string
		for i := range f.results {
			r := &f.results[i]
			results = append(results, r.name)
			switch {
			case r.scalar():
				makers = append(makers, r.name+" = zeros()")
			case r.vector():
				makers = append(makers, fmt.Sprintf("%s = zeros(%d)", r.name, r.Rows))
			default:
				makers = append(makers, fmt.Sprintf("%s = zeros(%d, %d)", r.name, r.Rows, r.Cols))
			}
		}
		for _, a := range f.args {
			args = append(args, a.name)
		}
		b.WriteString("\n" + comment("#", functionHeader(f, p.Name, shared)))
		fmt.Fprintf(&b, "function %s!(%s)\n", p.Name, strings.Join(append(append([]string{}, results...), args...), ", "))
		for l := range f.assignments() {
			fmt.Fprintf(&b, "    %s = %s\n", l.name, l.text)
		}
		for i := range f.results {
			r := &f.results[i]
			for _, e := range r.entries {
				at := ""
				switch {
				case r.vector():
					at = fmt.Sprint(e.row + 1)
				case !r.scalar():
					at = fmt.Sprintf("%d, %d", e.row+1, e.col+1)
				}
				fmt.Fprintf(&b, "    %s[%s] = %s\n", r.name, at, e.value)
			}
		}
		all := results[0]
		if len(results) > 1 {
			all = "(" + strings.Join(results, ", ") + ")"
		}
		fmt.Fprintf(&b, "    return %s\nend\n", all)
		fmt.Fprintf(&b, "\nfunction %s(%s)\n", p.Name, strings.Join(args, ", "))
		for _, m := range makers {
			fmt.Fprintf(&b, "    %s\n", m)
		}
		fmt.Fprintf(&b, "    return %s!(%s)\nend\n", p.Name, strings.Join(append(append([]string{}, results...), args...), ", "))
	}
	b.WriteString("\nend\n")
	return []File{{u.Name + ".jl", []byte(b.String())}}
}
