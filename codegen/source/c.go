package source

import (
	"fmt"
	"strconv"
	"strings"

	"ident/symbolic"
)

func cDialect() *dialect {
	return &dialect{
		name: "c", label: "C",
		// Those of C++ too: the header is for both.
		keywords: strings.Fields(`auto break case char const continue default do double else enum extern float for goto if inline int
			long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
			_Bool _Complex _Imaginary and and_eq asm bitand bitor bool catch class compl const_cast delete dynamic_cast explicit
			export false friend mutable namespace new not not_eq operator or or_eq private protected public reinterpret_cast
			static_cast template this throw true try typeid typename using virtual wchar_t xor xor_eq main`),
		taken:   []string{"sin", "cos", "sqrt", "fabs", "asin", "acos", "atan", "atan2"},
		number:  decimal,
		element: func(v string, i int) string { return fmt.Sprintf("%s[%d]", v, i) },
		function: map[symbolic.Op]string{symbolic.OpSin: "sin(%s)", symbolic.OpCos: "cos(%s)", symbolic.OpSqrt: "sqrt(%s)", symbolic.OpAbs: "fabs(%s)",
			symbolic.OpSign: "(double)((%[1]s > 0.0) - (%[1]s < 0.0))", symbolic.OpAsin: "asin(%s)", symbolic.OpAcos: "acos(%s)", symbolic.OpAtan: "atan(%s)",
			symbolic.OpAtan2: "atan2(%s, %s)"},
		write: writeC,
	}
}

// decimal writes the shortest decimal that is read as the same float64, with a
// point or an exponent.
func decimal(x float64) string {
	s := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

func writeC(d *dialect, u Unit) []File {
	var body, head strings.Builder
	body.WriteString("/*\n" + comment(" *", moduleHeader(u)) + " */\n")
	fmt.Fprintf(&body, "#include \"%s.h\"\n\n#include <math.h>\n", u.Name)
	guard := strings.ToUpper(u.Name) + "_H"
	head.WriteString("/*\n" + comment(" *", moduleHeader(u)) + comment(" *", []string{"",
		"The functions are pure and reentrant and allocate nothing. Matrices are stored row by row.",
		"Outputs are written last, and may lie where an input does."}) + " */\n")
	fmt.Fprintf(&head, "#ifndef %s\n#define %s\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n", guard, guard)
	shared := common(u.Programs)
	for _, p := range u.Programs {
		name := u.Name + "_" + p.Name
		f := d.layOut(p, name)
		signature := cSignature(name, f)
		head.WriteString("\n/*\n" + comment(" *", functionHeader(f, name, shared)) + " */\n" + signature + ";\n")
		body.WriteString("\n" + signature + "\n")
		d.writeBody(&body, f)
	}
	head.WriteString("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
	return []File{{u.Name + ".c", []byte(body.String())}, {u.Name + ".h", []byte(head.String())}}
}

// writeBody writes a function's body in C or C++.
func (d *dialect) writeBody(b *strings.Builder, f *function) {
	b.WriteString("{\n")
	for _, a := range f.args {
		if !usesAny(f.program, a) {
			fmt.Fprintf(b, "\t(void)%s;\n", a.name)
		}
	}
	for l := range f.assignments() {
		fmt.Fprintf(b, "\tconst double %s = %s;\n", l.name, l.text)
	}
	for i := range f.results {
		r := &f.results[i]
		for k, e := range r.entries {
			fmt.Fprintf(b, "\t%s[%d] = %s;\n", r.name, k, e.value)
		}
	}
	b.WriteString("}\n")
}

func cSignature(name string, f *function) string {
	var args []string
	for _, a := range f.args {
		if a.scalar {
			args = append(args, "double "+a.name)
			continue
		}
		args = append(args, fmt.Sprintf("const double %s[%d]", a.name, len(a.inputs)))
	}
	for i := range f.results {
		args = append(args, fmt.Sprintf("double %s[%d]", f.results[i].name, len(f.results[i].Entries)))
	}
	if one := fmt.Sprintf("void %s(%s)", name, strings.Join(args, ", ")); len(one) <= 100 {
		return one
	}
	return fmt.Sprintf("void %s(\n\t%s)", name, strings.Join(args, ",\n\t"))
}

// usesAny reports whether anything depends on an argument.
func usesAny(p *symbolic.Program, a argument) bool {
	uses := p.Uses()
	for i := range a.inputs {
		if uses[a.first+i] {
			return true
		}
	}
	return false
}
