package source

import (
	"fmt"
	"strings"

	"ident/symbolic"
)

func fortranDialect() *dialect {
	return &dialect{
		name: "fortran", label: "Fortran", foldCase: true,
		// Fortran reserves no word, but variables of these names make the text
		// unreadable, and hide intrinsic functions.
		keywords: strings.Fields(`allocatable allocate associate block call case character close common complex contains continue cycle data
			deallocate dimension do double else elseif end enddo endif entry exit external forall format function goto if implicit
			in include inout inquire integer intent interface intrinsic kind logical module namelist none nullify only open operator
			optional out parameter pause pointer precision print private procedure program public pure read real recursive result
			return rewind save select sequence stop subroutine target then type use where while write`),
		taken:   []string{"sin", "cos", "sqrt", "abs", "sign", "merge", "asin", "acos", "atan", "dp"},
		number:  fortranNumber,
		element: func(v string, i int) string { return fmt.Sprintf("%s(%d)", v, i+1) },
		function: map[symbolic.Op]string{symbolic.OpSin: "sin(%s)", symbolic.OpCos: "cos(%s)", symbolic.OpSqrt: "sqrt(%s)", symbolic.OpAbs: "abs(%s)",
			symbolic.OpSign: "merge(0.0_dp, sign(1.0_dp, %[1]s), %[1]s == 0.0_dp)", symbolic.OpAsin: "asin(%s)", symbolic.OpAcos: "acos(%s)", symbolic.OpAtan: "atan(%s)",
			symbolic.OpAtan2: "atan2(%s, %s)"},
		write: writeFortran,
	}
}

func fortranNumber(x float64) string { return decimal(x) + "_dp" }

func writeFortran(d *dialect, u Unit) []File {
	var b strings.Builder
	b.WriteString(comment("!", moduleHeader(u)))
	fmt.Fprintf(&b, "module %s\n  implicit none\n  private\n  integer, parameter :: dp = kind(1.0d0)\n", u.Name)
	for _, p := range u.Programs {
		fmt.Fprintf(&b, "  public :: %s\n", p.Name)
	}
	b.WriteString("contains\n")
	shared := common(u.Programs)
	for _, p := range u.Programs {
		f := d.layOut(p, u.Name, p.Name)
		var args []string
		for _, a := range f.args {
			args = append(args, a.name)
		}
		for i := range f.results {
			args = append(args, f.results[i].name)
		}
		b.WriteString("\n" + comment("  !", functionHeader(f, p.Name, shared)))
		b.WriteString(folded(fmt.Sprintf("  pure subroutine %s(%s)", p.Name, strings.Join(args, ", "))))
		for _, a := range f.args {
			shape := ""
			if !a.scalar {
				shape = fmt.Sprintf("(%d)", len(a.inputs))
			}
			fmt.Fprintf(&b, "    real(dp), intent(in) :: %s%s\n", a.name, shape)
		}
		for i := range f.results {
			r := &f.results[i]
			shape := ""
			switch {
			case r.vector():
				shape = fmt.Sprintf("(%d)", r.Rows)
			case !r.scalar():
				shape = fmt.Sprintf("(%d, %d)", r.Rows, r.Cols)
			}
			fmt.Fprintf(&b, "    real(dp), intent(out) :: %s%s\n", r.name, shape)
		}
		const perLine = 5
		for i := 0; i < len(f.lines); i += perLine {
			var names []string
			for _, l := range f.lines[i:min(i+perLine, len(f.lines))] {
				names = append(names, l.name)
			}
			b.WriteString(folded("    real(dp) :: " + strings.Join(names, ", ")))
		}
		for l := range f.assignments() {
			b.WriteString(folded("    " + l.name + " = " + l.text))
		}
		for i := range f.results {
			r := &f.results[i]
			for _, e := range r.entries {
				at := ""
				switch {
				case r.vector():
					at = fmt.Sprintf("(%d)", e.row+1)
				case !r.scalar():
					at = fmt.Sprintf("(%d, %d)", e.row+1, e.col+1)
				}
				fmt.Fprintf(&b, "    %s%s = %s\n", r.name, at, e.value)
			}
		}
		fmt.Fprintf(&b, "  end subroutine %s\n", p.Name)
	}
	fmt.Fprintf(&b, "end module %s\n", u.Name)
	return []File{{u.Name + ".f90", []byte(b.String())}}
}

// folded ends a line of text, broken where it is longer than the 132 columns
// that Fortran allows, less the mark of a continuation.
func folded(line string) string {
	const columns = 128
	var b strings.Builder
	for len(line) > columns {
		at := strings.LastIndexByte(line[:columns], ' ')
		b.WriteString(line[:at] + " &\n")
		line = "      " + line[at+1:]
	}
	return b.String() + line + "\n"
}
