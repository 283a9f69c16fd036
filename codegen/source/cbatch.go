package source

import (
	"fmt"
	"strings"

	"ident/symbolic"
)

// batchDialect is C for many samples at once: every motion input and every output entry is an array of
// samples, and operations go through eight of them by the compiler's vector types (GCC and Clang).
func batchDialect() *dialect {
	c := cDialect()
	return &dialect{
		name: "c-batch", label: "C",
		keywords: append(c.keywords, "typeof", "asm"),
		taken:    append(c.taken, "v8", "i8", "lanes", "n", "at", "first", "far", "exact", "any", "load", "store", "zeros", "pad", "circular"),
		number:   decimal,
		element:  c.element,
		function: map[symbolic.Op]string{symbolic.OpSin: "SIN(%s)", symbolic.OpCos: "COS(%s)", symbolic.OpSqrt: "SQRT(%s)", symbolic.OpAbs: "ABS(%s)",
			symbolic.OpSign: "SIGN(%s)", symbolic.OpAsin: "ASIN(%s)", symbolic.OpAcos: "ACOS(%s)", symbolic.OpAtan: "ATAN(%s)", symbolic.OpAtan2: "ATAN2(%s, %s)"},
		write: writeBatch,
	}
}

// sampled reports whether an argument changes from sample to sample.
func (a *argument) sampled() bool {
	return a.inputs[0].Kind == symbolic.Motion || a.inputs[0].Kind == symbolic.State
}

// loaded returns the name of a sample's value of an input: a vector of lanes.
func loaded(vector string, i int) string { return fmt.Sprintf("%s_at%d", vector, i) }

func writeBatch(d *dialect, u Unit) []File {
	name := u.Name + "_batch"
	guard := strings.ToUpper(name) + "_H"
	var body, head strings.Builder
	text := moduleHeader(u)
	head.WriteString("/*\n" + comment(" *", text) + comment(" *", []string{"",
		"Batches of n samples. An argument that changes with the sample is a list of arrays of n",
		"values, one an entry (structure of arrays); parameters, lengths and gravity are plain vectors,",
		"the same for all samples. Outputs are lists of arrays, matrices entry by entry and row by row;",
		"entries that are zero for every robot state may be NULL, and are filled otherwise. Outputs must",
		"not overlap inputs. The functions keep nothing and may run in several threads."}) + " */\n")
	fmt.Fprintf(&head, "#ifndef %s\n#define %s\n\n#include <stddef.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n", guard, guard)
	body.WriteString("/*\n" + comment(" *", text) + " */\n")
	fmt.Fprintf(&body, "#include \"%s.h\"\n\n%s", name, batchPrelude)
	shared := common(u.Programs)
	for _, p := range u.Programs {
		own := *d // with elements of this program
		motion := map[string]bool{}
		for _, a := range argumentsOf(p) {
			motion[a.name] = a.sampled()
		}
		own.element = func(v string, i int) string {
			if sampled, known := motion[v]; sampled || !known && motion[v[:strings.LastIndexByte(v+"_", '_')]] {
				return loaded(v, i)
			}
			return d.element(v, i)
		}
		f := own.layOut(p, name)
		function := name + "_" + p.Name
		signature := batchSignature(function, f)
		head.WriteString("\n/*\n" + comment(" *", functionHeader(f, function, shared)) + " */\n" + signature + ";\n")
		f.batchBlock(&body, function)
		f.batchLoop(&body, function, signature)
	}
	head.WriteString("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
	return []File{{name + ".c", []byte(body.String())}, {name + ".h", []byte(head.String())},
		{name + "_python.c", []byte(batchPython(u, name))}, {"CMakeLists.txt", []byte(batchCMake(u, name))}}
}

// batchBlock writes the function of one block of lanes. It reports whether an angle was too far from zero for
// its sines, and takes the library's where it is asked to be exact.
func (f *function) batchBlock(b *strings.Builder, name string) {
	p := f.program
	fmt.Fprintf(b, "\nstatic int %s_block(size_t at, int exact,\n\t%s)\n{\n\ti8 far = {0};\n\t(void)at;\n\t(void)exact;\n", name, strings.Join(f.batchParameters(), ",\n\t"))
	uses := p.Uses()
	for _, a := range f.args {
		if !usesAny(p, a) {
			fmt.Fprintf(b, "\t(void)%s;\n", a.batchName())
		}
	}
	for i := range f.results {
		fmt.Fprintf(b, "\t(void)%s;\n", f.results[i].name)
	}
	for _, a := range f.args {
		for i := range a.inputs {
			switch {
			case !a.sampled() || !uses[a.first+i]:
			case a.scalar:
				fmt.Fprintf(b, "\tconst v8 %s = load(%s + at);\n", a.name, a.batchName())
			default:
				fmt.Fprintf(b, "\tconst v8 %s = load(%s[%d] + at);\n", loaded(a.name, i), a.name, i)
			}
		}
	}
	for l := range f.assignments() {
		fmt.Fprintf(b, "\tconst __auto_type %s = %s;\n", l.name, l.text)
	}
	for i := range f.results {
		r := &f.results[i]
		for k, e := range r.entries {
			if !r.Entries[k].IsZero() {
				fmt.Fprintf(b, "\tstore(%s[%d] + at, (v8){0} + (%s));\n", r.name, k, e.value)
			}
		}
	}
	b.WriteString("\treturn any(far);\n}\n")
}

// batchLoop writes the function of n samples: whole blocks, the last one over samples of the one before,
// and fewer samples than a block in a copy that repeats the last.
func (f *function) batchLoop(b *strings.Builder, name, signature string) {
	b.WriteString("\n" + signature + "\n{\n")
	for i := range f.results {
		r := &f.results[i]
		for k := range r.entries {
			if r.Entries[k].IsZero() {
				fmt.Fprintf(b, "\tzeros(%s[%d], n);\n", r.name, k)
			}
		}
	}
	call := func(at string, names func(string) string) string {
		var args []string
		for i := range f.args {
			a := &f.args[i]
			if n := a.batchName(); a.sampled() {
				args = append(args, names(n))
			} else {
				args = append(args, n)
			}
		}
		for i := range f.results {
			args = append(args, names(f.results[i].name))
		}
		return fmt.Sprintf("if (%[1]s_block(%[2]s, 0, %[3]s))\n\t\t\t%[1]s_block(%[2]s, 1, %[3]s);\n", name, at, strings.Join(args, ", "))
	}
	b.WriteString("\tif (n >= LANES) {\n\t\tfor (size_t first = 0; first < n; first += LANES) {\n\t\t\tconst size_t at = n - first < LANES ? n - LANES : first;\n\t\t\t" +
		call("at", func(s string) string { return s }) + "\t\t}\n\t\treturn;\n\t}\n\tif (n == 0)\n\t\treturn;\n")
	for i := range f.args {
		a := &f.args[i]
		switch n := a.batchName(); {
		case !a.sampled():
		case a.scalar:
			fmt.Fprintf(b, "\tdouble %s_pad[LANES];\n\tpad(%s_pad, %s, n);\n", n, n, n)
		default:
			fmt.Fprintf(b, "\tdouble %[1]s_room[%[2]d][LANES];\n\tconst double *%[1]s_pad[%[2]d];\n\tfor (size_t i = 0; i < %[2]d; i++) {\n\t\tpad(%[1]s_room[i], %[1]s[i], n);\n\t\t%[1]s_pad[i] = %[1]s_room[i];\n\t}\n", n, len(a.inputs))
		}
	}
	for i := range f.results {
		r := &f.results[i]
		if len(r.Entries) == 0 {
			fmt.Fprintf(b, "\tdouble *const *const %[1]s_pad = %[1]s;\n", r.name)
			continue
		}
		fmt.Fprintf(b, "\tdouble %[1]s_room[%[2]d][LANES] = {{0}};\n\tdouble *%[1]s_pad[%[2]d];\n\tfor (size_t i = 0; i < %[2]d; i++)\n\t\t%[1]s_pad[i] = %[1]s_room[i];\n", r.name, len(r.Entries))
	}
	b.WriteString("\t" + strings.ReplaceAll(call("0", func(s string) string { return s + "_pad" }), "\n\t\t\t", "\n\t\t"))
	for i := range f.results {
		r := &f.results[i]
		if len(r.Entries) == 0 {
			continue
		}
		fmt.Fprintf(b, "\tfor (size_t i = 0; i < %[2]d; i++)\n\t\tif (%[1]s[i])\n\t\t\tmemcpy(%[1]s[i], %[1]s_room[i], n*sizeof(double));\n", r.name, len(r.Entries))
	}
	b.WriteString("}\n")
}

// batchName returns the name of an argument in the signature.
func (a *argument) batchName() string {
	if a.scalar && a.sampled() {
		return a.name + "_samples"
	}
	return a.name
}

func batchSignature(name string, f *function) string {
	return fmt.Sprintf("void %s(\n\t%s)", name, strings.Join(append([]string{"size_t n"}, f.batchParameters()...), ",\n\t"))
}

// batchParameters declares arguments and results.
func (f *function) batchParameters() []string {
	var args []string
	for _, a := range f.args {
		switch {
		case a.scalar && a.sampled():
			args = append(args, "const double *"+a.batchName())
		case a.scalar:
			args = append(args, "double "+a.name)
		case a.sampled():
			args = append(args, fmt.Sprintf("const double *const %s[%d]", a.name, len(a.inputs)))
		default:
			args = append(args, fmt.Sprintf("const double %s[%d]", a.name, len(a.inputs)))
		}
	}
	for i := range f.results {
		if n := len(f.results[i].Entries); n > 0 {
			args = append(args, fmt.Sprintf("double *const %s[%d]", f.results[i].name, n))
		} else {
			args = append(args, "double *const *"+f.results[i].name) // C has no arrays without elements
		}
	}
	return args
}

// batchPrelude holds the vector types and functions. Sines and cosines are those of package symbolic: the
// angle less the nearest multiple of π/2, taken off in three parts, and the polynomials of fdlibm (Sun
// Microsystems 1993); the library's beyond some 10⁵ rad.
const batchPrelude = `#include <math.h>
#include <string.h>

#if !defined(__GNUC__)
#error "this file needs the vector types of GCC or Clang"
#endif

#define LANES 8
typedef double v8 __attribute__((vector_size(64)));
typedef long long i8 __attribute__((vector_size(64)));
#define INLINE static inline __attribute__((always_inline, unused))
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

INLINE v8 load(const double *from)
{
	v8 x;
	memcpy(&x, from, sizeof x);
	return x;
}

INLINE void store(double *to, v8 x) { memcpy(to, &x, sizeof x); }

INLINE void zeros(double *to, size_t n)
{
	if (to)
		memset(to, 0, n*sizeof *to);
}

INLINE void pad(double *to, const double *from, size_t n)
{
	for (size_t i = 0; i < LANES; i++)
		to[i] = from[i < n ? i : n - 1];
}

INLINE int any(i8 x)
{
	long long sum = 0;
	for (int i = 0; i < LANES; i++)
		sum |= x[i];
	return sum != 0;
}

/* Sine (quarter = 0) or cosine (quarter = 1). */
INLINE v8 circular(v8 x, long long quarter, int exact, i8 *far)
{
	*far |= ~((x < 1e5) & (x > -1e5));
	const v8 shifted = x * 6.36619772367581382433e-01 + 6755399441055744.0;
	const v8 k = shifted - 6755399441055744.0;
	v8 r = x - k * 1.57079632673412561417e+00;
	r = r - k * 6.07710050630396597660e-11;
	r = r - k * 2.02226624879595063154e-21;
	const v8 z = r * r;
	const v8 s = r + r * z * (-1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04
		+ z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
	const v8 c = 1.0 - 0.5 * z + z * z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * (2.48015872894767294178e-05
		+ z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11)))));
	const i8 turn = (i8)shifted + quarter;
	const i8 odd = -(turn & 1);
	i8 y = ((i8)s & ~odd) | ((i8)c & odd);
	y ^= (turn & 2) << 62;
	v8 out = (v8)y;
	if (__builtin_expect(exact, 0))
		for (int i = 0; i < LANES; i++)
			out[i] = quarter ? cos(x[i]) : sin(x[i]);
	return out;
}

INLINE double dsin(double x, long long quarter, int exact, i8 *far)
{
	(void)exact, (void)far;
	return quarter ? cos(x) : sin(x);
}

INLINE v8 vabs(v8 x) { return (v8)((i8)x & 0x7fffffffffffffffLL); }
INLINE double dsign(double x) { return (double)((x > 0.0) - (x < 0.0)); }
#define EACH(name, call) INLINE v8 name(v8 x) { v8 y; for (int i = 0; i < LANES; i++) y[i] = call(x[i]); return y; }
EACH(vsign, dsign)
EACH(vsqrt, sqrt)
EACH(vasin, asin)
EACH(vacos, acos)
EACH(vatan, atan)
INLINE v8 vatan2(v8 y, v8 x) { v8 a; for (int i = 0; i < LANES; i++) a[i] = atan2(y[i], x[i]); return a; }
#define SIN(x) _Generic((x), double: dsin, default: circular)((x), 0, exact, &far)
#define COS(x) _Generic((x), double: dsin, default: circular)((x), 1, exact, &far)
#define SQRT(x) _Generic((x), double: sqrt, default: vsqrt)(x)
#define ABS(x) _Generic((x), double: fabs, default: vabs)(x)
#define SIGN(x) _Generic((x), double: dsign, default: vsign)(x)
#define ASIN(x) _Generic((x), double: asin, default: vasin)(x)
#define ACOS(x) _Generic((x), double: acos, default: vacos)(x)
#define ATAN(x) _Generic((x), double: atan, default: vatan)(x)
#define ATAN2(y, x) _Generic((y) + (x), double: atan2, default: vatan2)((y), (x))
`
