package source

import (
	"context"
	"fmt"
	"go/format"
	"strings"

	"ident/symbolic"
)

func goDialect() *dialect {
	return &dialect{
		name: "go", label: "Go",
		keywords: strings.Fields(`break case chan const continue default defer else fallthrough for func go goto if import interface map package
			range return select struct switch type var init main`),
		taken:   []string{"math", "float64", "sign"},
		number:  decimal,
		element: func(v string, i int) string { return fmt.Sprintf("%s[%d]", v, i) },
		function: map[symbolic.Op]string{symbolic.OpSin: "math.Sin(%s)", symbolic.OpCos: "math.Cos(%s)", symbolic.OpSqrt: "math.Sqrt(%s)",
			symbolic.OpAbs: "math.Abs(%s)", symbolic.OpSign: "sign(%s)", symbolic.OpAsin: "math.Asin(%s)", symbolic.OpAcos: "math.Acos(%s)", symbolic.OpAtan: "math.Atan(%s)",
			symbolic.OpAtan2: "math.Atan2(%s, %s)"},
		write: writeGo,
	}
}

// exported turns inverse_dynamics into InverseDynamics.
func exported(name string) string {
	var b strings.Builder
	for _, part := range strings.Split(name, "_") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

func writeGo(d *dialect, u Unit) []File {
	var b, functions strings.Builder
	shared := common(u.Programs)
	math, sign := false, false
	for _, p := range u.Programs {
		name := exported(p.Name)
		f := d.layOut(p, name)
		var args []string
		for _, a := range f.args {
			if a.scalar {
				args = append(args, a.name+" float64")
				continue
			}
			args = append(args, fmt.Sprintf("%s *[%d]float64", a.name, len(a.inputs)))
		}
		for i := range f.results {
			r := &f.results[i]
			switch {
			case r.scalar():
				args = append(args, r.name+" *float64")
			case r.vector():
				args = append(args, fmt.Sprintf("%s *[%d]float64", r.name, r.Rows))
			default:
				args = append(args, fmt.Sprintf("%s *[%d][%d]float64", r.name, r.Rows, r.Cols))
			}
		}
		functions.WriteString("\n" + comment("//", functionHeader(f, name+" evaluates the model "+p.Name+".", shared)))
		fmt.Fprintf(&functions, "func %s(%s) {\n", name, strings.Join(args, ", "))
		for l := range f.assignments() {
			fmt.Fprintf(&functions, "\t%s := %s\n", l.name, l.text)
			math = math || strings.Contains(l.text, "math.")
			sign = sign || strings.Contains(l.text, "sign(")
		}
		for i := range f.results {
			r := &f.results[i]
			for _, e := range r.entries {
				at := "*" + r.name
				switch {
				case r.vector():
					at = fmt.Sprintf("%s[%d]", r.name, e.row)
				case !r.scalar():
					at = fmt.Sprintf("%s[%d][%d]", r.name, e.row, e.col)
				}
				fmt.Fprintf(&functions, "\t%s = %s\n", at, e.value)
			}
		}
		functions.WriteString("}\n")
	}
	head := moduleHeader(u)
	head[0] = "Package " + u.Name + " evaluates models of a robot."
	b.WriteString(comment("//", head) + "package " + u.Name + "\n")
	if math {
		b.WriteString("\nimport \"math\"\n")
	}
	b.WriteString(functions.String())
	if sign {
		b.WriteString("\n// sign returns -1, 0 or 1.\nfunc sign(x float64) float64 {\n\tswitch {\n\tcase x > 0:\n\t\treturn 1\n\tcase x < 0:\n\t\treturn -1\n\t}\n\treturn 0\n}\n")
	}
	return []File{{u.Name + ".go", formatted(d.ctx, b.String())}}
}

// formatted returns the text as gofmt has it. The formatter has no context: where ctx ends before it, it goes on alone,
// and the text is nil.
func formatted(ctx context.Context, text string) []byte {
	if ctx.Err() != nil {
		return nil
	}
	type outcome struct {
		text []byte
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		text, err := format.Source([]byte(text))
		done <- outcome{text, err}
	}()
	select {
	case <-ctx.Done():
		return nil
	case o := <-done:
		if o.err != nil {
			panic("source: generated Go does not parse: " + o.err.Error())
		}
		return o.text
	}
}
