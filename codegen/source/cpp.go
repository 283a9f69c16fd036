package source

import (
	"fmt"
	"strings"

	"ident/symbolic"
)

// cppDialect is C++ as one header: inline functions in a namespace of the module's name, which allocate nothing.
func cppDialect() *dialect {
	d := cDialect()
	d.name, d.label = "cpp", "C++"
	d.keywords = append(d.keywords, strings.Fields(`alignas alignof char8_t char16_t char32_t concept consteval constexpr constinit co_await co_return co_yield decltype noexcept nullptr
		requires static_assert thread_local std`)...)
	d.function = map[symbolic.Op]string{symbolic.OpSin: "std::sin(%s)", symbolic.OpCos: "std::cos(%s)", symbolic.OpSqrt: "std::sqrt(%s)", symbolic.OpAbs: "std::fabs(%s)",
		symbolic.OpSign: "static_cast<double>((%[1]s > 0.0) - (%[1]s < 0.0))", symbolic.OpAsin: "std::asin(%s)", symbolic.OpAcos: "std::acos(%s)", symbolic.OpAtan: "std::atan(%s)",
		symbolic.OpAtan2: "std::atan2(%s, %s)"}
	d.write = writeCpp
	return d
}

func writeCpp(d *dialect, u Unit) []File {
	var b strings.Builder
	guard := strings.ToUpper(u.Name) + "_HPP"
	b.WriteString("/*\n" + comment(" *", moduleHeader(u)) + comment(" *", []string{"",
		"The functions are pure and reentrant and allocate nothing. Matrices are stored row by row.",
		"Outputs are written last, and may lie where an input does."}) + " */\n")
	fmt.Fprintf(&b, "#ifndef %s\n#define %s\n\n#include <cmath>\n\nnamespace %s {\n", guard, guard, u.Name)
	shared := common(u.Programs)
	for _, p := range u.Programs {
		f := d.layOut(p, p.Name)
		b.WriteString("\n/*\n" + comment(" *", functionHeader(f, p.Name, shared)) + " */\n")
		b.WriteString("inline " + cSignature(p.Name, f) + " noexcept\n")
		d.writeBody(&b, f)
	}
	fmt.Fprintf(&b, "\n} // namespace %s\n\n#endif\n", u.Name)
	return []File{{u.Name + ".hpp", []byte(b.String())}}
}
