package source

import (
	"fmt"
	"strings"

	"ident/internal/controller"
	"ident/symbolic"
)

// batchPython returns a module of CPython around the batch kernels: buffers of float64 in, buffers out, no
// library beneath it.
func batchPython(u Unit, name string) string {
	var b strings.Builder
	b.WriteString("/*\n" + comment(" *", append(moduleHeader(u), "",
		"A module of CPython. An argument that changes with the sample is a contiguous buffer of float64",
		"of shape (entries, n), as a NumPy array; other vectors have shape (entries,). Outputs are",
		"writable buffers of shape (entries, n), matrices row by row, and come last.")) + " */\n")
	fmt.Fprintf(&b, "#define PY_SSIZE_T_CLEAN\n#include <Python.h>\n#include \"%s.h\"\n\n%s", name, pythonBuffers)
	var methods strings.Builder
	for _, p := range u.Programs {
		args := argumentsOf(p)
		fmt.Fprintf(&b, "\nstatic PyObject *py_%s(PyObject *self, PyObject *const *args, Py_ssize_t count)\n{\n\t(void)self;\n", p.Name)
		total := len(args) + len(p.Outputs)
		fmt.Fprintf(&b, "\tPy_buffer view[%d];\n\tsize_t n = 0;\n\tint used = 0;\n\tPyObject *result = NULL;\n", total)
		fmt.Fprintf(&b, "\tif (count != %d) {\n\t\tPyErr_SetString(PyExc_TypeError, \"%s takes %d buffers: %s\");\n\t\treturn NULL;\n\t}\n", total, p.Name, total, batchArgumentList(p))
		k := 0
		var call []string
		for i := range args {
			a := &args[i]
			fmt.Fprintf(&b, "\tif (!take(args[%d], &view[%d], %d, %t, 0, &n, \"%s\")) goto done;\n\tused++;\n", k, k, len(a.inputs), a.sampled(), a.name)
			switch {
			case a.scalar && !a.sampled():
				call = append(call, fmt.Sprintf("*(const double *)view[%d].buf", k))
			case a.scalar || !a.sampled():
				call = append(call, fmt.Sprintf("(const double *)view[%d].buf", k))
			default:
				fmt.Fprintf(&b, "\tconst double *in%d[%d];\n\tfor (size_t i = 0; i < %d; i++) in%d[i] = (const double *)view[%d].buf + i*n;\n", k, len(a.inputs), len(a.inputs), k, k)
				call = append(call, fmt.Sprintf("in%d", k))
			}
			k++
		}
		for i := range p.Outputs {
			o := &p.Outputs[i]
			fmt.Fprintf(&b, "\tif (!take(args[%d], &view[%d], %d, true, 1, &n, \"%s\")) goto done;\n\tused++;\n", k, k, len(o.Entries), o.Name)
			fmt.Fprintf(&b, "\tdouble *out%d[%d];\n\tfor (size_t i = 0; i < %d; i++) out%d[i] = (double *)view[%d].buf + i*n;\n", k, len(o.Entries), len(o.Entries), k, k)
			call = append(call, fmt.Sprintf("out%d", k))
			k++
		}
		fmt.Fprintf(&b, "\tPy_BEGIN_ALLOW_THREADS\n\t%s_%s(n, %s);\n\tPy_END_ALLOW_THREADS\n\tresult = Py_NewRef(Py_None);\ndone:\n\tfor (int i = 0; i < used; i++)\n\t\tPyBuffer_Release(&view[i]);\n\treturn result;\n}\n", name, p.Name, strings.Join(call, ", "))
		fmt.Fprintf(&methods, "\t{\"%s\", (PyCFunction)(void (*)(void))py_%s, METH_FASTCALL, \"%s\"},\n", p.Name, p.Name, controller.Remark(p.Name+": "+strings.Join(p.Doc[:min(1, len(p.Doc))], "")))
	}
	fmt.Fprintf(&b, "\nstatic PyMethodDef methods[] = {\n%s\t{NULL, NULL, 0, NULL},\n};\n\nstatic struct PyModuleDef module = {PyModuleDef_HEAD_INIT, \"%s\", NULL, -1, methods, NULL, NULL, NULL, NULL};\n\nPyMODINIT_FUNC PyInit_%s(void)\n{\n\treturn PyModule_Create(&module);\n}\n", &methods, name, name)
	return b.String()
}

// batchArgumentList names the buffers of a function in order.
func batchArgumentList(p *symbolic.Program) string {
	var names []string
	for _, a := range argumentsOf(p) {
		names = append(names, a.name)
	}
	for i := range p.Outputs {
		names = append(names, p.Outputs[i].Name)
	}
	return strings.Join(names, ", ")
}

// pythonBuffers takes an argument's buffer and checks its kind and length.
const pythonBuffers = `#include <stdbool.h>

/* Takes a buffer of entries float64 values, or of entries*n where it changes with the sample; n is that of the first. */
static bool take(PyObject *from, Py_buffer *view, size_t entries, bool sampled, bool output, size_t *n, const char *name)
{
	if (PyObject_GetBuffer(from, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (output ? PyBUF_WRITABLE : 0)) < 0)
		return false;
	const size_t values = (size_t)view->len / sizeof(double);
	const bool numbers = view->itemsize == sizeof(double) && view->format && strcmp(view->format, "d") == 0;
	if (sampled && *n == 0 && entries > 0)
		*n = values / entries;
	if (!numbers || values != (sampled ? entries * *n : entries)) {
		PyErr_Format(PyExc_ValueError, "%s must be a buffer of %zu rows of float64, one column a sample", name, entries);
		PyBuffer_Release(view);
		return false;
	}
	return true;
}
`

// batchCMake builds the kernels as a library and, where it is asked for, as a module of Python.
func batchCMake(u Unit, name string) string {
	return comment("#", append(moduleHeader(u), "", "cmake -B build -DCMAKE_BUILD_TYPE=Release && make -C build", fmt.Sprintf("-D%s_PYTHON=ON builds the module %s of Python as well.", strings.ToUpper(name), name))) +
		fmt.Sprintf(`cmake_minimum_required(VERSION 3.18)
project(%[1]s C)

add_library(%[1]s %[1]s.c)
target_include_directories(%[1]s PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_options(%[1]s PRIVATE -std=gnu11 -O2 -march=native)
target_link_libraries(%[1]s PUBLIC m)
set_target_properties(%[1]s PROPERTIES POSITION_INDEPENDENT_CODE ON)

option(%[2]s_PYTHON "the module of Python" OFF)
if(%[2]s_PYTHON)
  find_package(Python 3.10 COMPONENTS Interpreter Development.Module REQUIRED)
  Python_add_library(%[1]s_python MODULE WITH_SOABI %[1]s_python.c)
  set_target_properties(%[1]s_python PROPERTIES OUTPUT_NAME %[1]s)
  target_link_libraries(%[1]s_python PRIVATE %[1]s)
endif()
`, name, strings.ToUpper(name))
}
