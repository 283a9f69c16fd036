package foreign

import (
	"bytes"
	"fmt"
	"strings"

	"ident/codegen/source"
)

// drive writes the program that calls the functions of units and prints their
// results.
func drive(language string, units []source.Unit, states [][][][]float64) []byte {
	var b bytes.Buffer
	body := map[string]func(*bytes.Buffer, source.Unit, [][][]float64){"c": driveC("_"), "cpp": driveC("::"), "go": driveGo, "python": drivePython,
		"matlab": driveMatlab, "fortran": driveFortran, "julia": driveJulia}[language]
	names := func(format string) {
		for _, u := range units {
			writef(&b, format, u.Name)
		}
	}
	head, foot := "", ""
	switch language {
	case "c":
		names("#include \"%s.h\"\n")
		head, foot = "#include <stdio.h>\n\nint main(void)\n{\n", "\treturn 0;\n}\n"
	case "cpp":
		names("#include \"%s.hpp\"\n")
		head, foot = "#include <cstdio>\n\nint main()\n{\n", "\treturn 0;\n}\n"
	case "go":
		writef(&b, "package main\n\nimport (\n\t\"bufio\"\n\t\"fmt\"\n\t\"os\"\n\n")
		names("\t\"foreign/%s\"\n")
		head, foot = ")\n\nfunc main() {\n\tw := bufio.NewWriter(os.Stdout)\n\tdefer w.Flush()\n", "}\n"
	case "python":
		writef(&b, "import numpy as np\n")
		names("import %s\n")
	case "julia":
		names("include(\"%s.jl\")\n")
	}
	b.WriteString(head)
	for i, u := range units {
		body(&b, u, states[i])
	}
	b.WriteString(foot)
	if language == "fortran" {
		writef(&b, "program main_\n")
		names("  call run_%s()\n")
		writef(&b, "end program main_\n")
	}
	return b.Bytes()
}

// driveC writes calls of functions whose names join the module's to their own.
func driveC(join string) func(b *bytes.Buffer, u source.Unit, states [][][]float64) {
	return func(b *bytes.Buffer, u source.Unit, states [][][]float64) { callC(b, u, states, join) }
}

func callC(b *bytes.Buffer, u source.Unit, states [][][]float64, join string) {
	for k, p := range u.Programs {
		writef(b, "\t{\n\t\tstatic const double in[%d][%d] = {\n", len(states[k]), max(1, len(p.Inputs)))
		for _, s := range states[k] {
			writef(b, "\t\t\t{%s},\n", numbers(s))
		}
		writef(b, "\t\t};\n")
		var args []string
		for _, a := range spans(p) {
			if a.scalar {
				args = append(args, fmt.Sprintf("in[s][%d]", a.first))
			} else {
				args = append(args, fmt.Sprintf("in[s] + %d", a.first))
			}
		}
		for i := range p.Outputs {
			writef(b, "\t\tdouble out%d[%d];\n", i, len(p.Outputs[i].Entries))
			args = append(args, fmt.Sprintf("out%d", i))
		}
		writef(b, "\t\tfor (int s = 0; s < %d; s++) {\n\t\t\t%s%s%s(%s);\n", len(states[k]), u.Name, join, p.Name, strings.Join(args, ", "))
		for i := range p.Outputs {
			writef(b, "\t\t\tfor (int k = 0; k < %d; k++) printf(\"%%.17g\\n\", out%d[k]);\n", len(p.Outputs[i].Entries), i)
		}
		writef(b, "\t\t}\n\t}\n")
	}
}

func driveGo(b *bytes.Buffer, u source.Unit, states [][][]float64) {
	for k, p := range u.Programs {
		writef(b, "\tfor _, in := range [][%d]float64{\n", len(p.Inputs))
		for _, s := range states[k] {
			writef(b, "\t\t{%s},\n", numbers(s))
		}
		writef(b, "\t} {\n")
		var args []string
		for _, a := range spans(p) {
			if a.scalar {
				args = append(args, fmt.Sprintf("in[%d]", a.first))
			} else {
				args = append(args, fmt.Sprintf("(*[%d]float64)(in[%d:])", a.n, a.first))
			}
		}
		for i := range p.Outputs {
			o := &p.Outputs[i]
			kind := fmt.Sprintf("[%d][%d]float64", o.Rows, o.Cols)
			if o.Vector() {
				kind = fmt.Sprintf("[%d]float64", o.Rows)
			}
			if o.Scalar() {
				kind = "float64"
			}
			writef(b, "\t\tvar out%d %s\n", i, kind)
			args = append(args, fmt.Sprintf("&out%d", i))
		}
		writef(b, "\t\t%s.%s(%s)\n", u.Name, exported(p.Name), strings.Join(args, ", "))
		for i := range p.Outputs {
			o := &p.Outputs[i]
			switch {
			case o.Scalar():
				writef(b, "\t\tfmt.Fprintln(w, out%d)\n", i)
			case o.Vector():
				writef(b, "\t\tfor _, x := range out%d {\n\t\t\tfmt.Fprintln(w, x)\n\t\t}\n", i)
			default:
				writef(b, "\t\tfor _, row := range out%d {\n\t\t\tfor _, x := range row {\n\t\t\t\tfmt.Fprintln(w, x)\n\t\t\t}\n\t\t}\n", i)
			}
		}
		writef(b, "\t}\n")
	}
}

// drivePython hands over all states of a program in one call.
func drivePython(b *bytes.Buffer, u source.Unit, states [][][]float64) {
	for k, p := range u.Programs {
		writef(b, "x = np.array([\n")
		for _, s := range states[k] {
			writef(b, "    [%s],\n", numbers(s))
		}
		writef(b, "])\n")
		var args []string
		for _, a := range spans(p) {
			if a.scalar {
				args = append(args, fmt.Sprintf("x[:, %d]", a.first))
			} else {
				args = append(args, fmt.Sprintf("x[:, %d:%d]", a.first, a.first+a.n))
			}
		}
		writef(b, "out = %s.%s(%s)\nout = out if isinstance(out, tuple) else (out,)\n", u.Name, p.Name, strings.Join(args, ", "))
		writef(b, "for s in range(%d):\n    for o in out:\n        for v in np.atleast_1d(o[s]).ravel():\n            print(repr(float(v)))\n", len(states[k]))
	}
}

func driveMatlab(b *bytes.Buffer, u source.Unit, states [][][]float64) {
	for k, p := range u.Programs {
		writef(b, "x = [\n")
		for _, s := range states[k] {
			writef(b, "  %s;\n", numbers(s))
		}
		writef(b, "];\nfor s = 1:%d\n", len(states[k]))
		var args []string
		for _, a := range spans(p) {
			args = append(args, fmt.Sprintf("x(s, %d:%d)", a.first+1, a.first+a.n))
		}
		writef(b, "  [%s] = %s_%s(%s);\n", flat(p, func(i int) string { return fmt.Sprintf("out%d", i) }, ", "), u.Name, p.Name, strings.Join(args, ", "))
		for i := range p.Outputs {
			writef(b, "  printf(\"%%.17g\\n\", out%d.');\n", i)
		}
		writef(b, "end\n")
	}
}

func driveFortran(b *bytes.Buffer, u source.Unit, states [][][]float64) {
	writef(b, "subroutine run_%s()\n  use %s\n  implicit none\n  integer :: i, j\n", u.Name, u.Name)
	for k, p := range u.Programs {
		writef(b, "  double precision :: x%d(%d)\n", k, max(1, len(p.Inputs)))
		for i := range p.Outputs {
			o := &p.Outputs[i]
			shape := fmt.Sprintf("(%d, %d)", o.Rows, o.Cols)
			switch {
			case o.Scalar():
				shape = ""
			case o.Vector():
				shape = fmt.Sprintf("(%d)", o.Rows)
			}
			writef(b, "  double precision :: out%d_%d%s\n", k, i, shape)
		}
	}
	for k, p := range u.Programs {
		for _, s := range states[k] {
			for i, v := range s {
				writef(b, "  x%d(%d) = %s\n", k, i+1, strings.Replace(numbers([]float64{v}), "e", "d", 1))
			}
			var args []string
			for _, a := range spans(p) {
				if a.scalar {
					args = append(args, fmt.Sprintf("x%d(%d)", k, a.first+1))
				} else {
					args = append(args, fmt.Sprintf("x%d(%d:%d)", k, a.first+1, a.first+a.n))
				}
			}
			for i := range p.Outputs {
				args = append(args, fmt.Sprintf("out%d_%d", k, i))
			}
			writef(b, "  call %s(%s)\n", p.Name, strings.Join(args, ", &\n    "))
			for i := range p.Outputs {
				o := &p.Outputs[i]
				switch {
				case o.Scalar():
					writef(b, "  print '(es26.17e3)', out%d_%d\n", k, i)
				case o.Vector():
					writef(b, "  print '(es26.17e3)', (out%d_%d(i), i = 1, %d)\n", k, i, o.Rows)
				default:
					writef(b, "  print '(es26.17e3)', ((out%d_%d(i, j), j = 1, %d), i = 1, %d)\n", k, i, o.Cols, o.Rows)
				}
			}
		}
	}
	writef(b, "  i = 0\n  j = i\nend subroutine run_%s\n", u.Name)
}

func driveJulia(b *bytes.Buffer, u source.Unit, states [][][]float64) {
	for k, p := range u.Programs {
		for _, s := range states[k] {
			writef(b, "let x = Float64[%s]\n", numbers(s))
			var args []string
			for _, a := range spans(p) {
				if a.scalar {
					args = append(args, fmt.Sprintf("x[%d]", a.first+1))
				} else {
					args = append(args, fmt.Sprintf("x[%d:%d]", a.first+1, a.first+a.n))
				}
			}
			writef(b, "    out = %s.%s(%s)\n    for o in (out isa Tuple ? out : (out,)), v in (ndims(o) == 2 ? permutedims(o) : o)\n        println(v)\n    end\nend\n", exported(u.Name), p.Name, strings.Join(args, ", "))
		}
	}
}
