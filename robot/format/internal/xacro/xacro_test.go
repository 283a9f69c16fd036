package xacro

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ident/internal/long"
)

var update = flag.Bool("update", false, "write testdata/worker.urdf again, by expand.py")

// fromFolder reads the files beside a text.
func fromFolder(args map[string]string) Options { return Options{Args: args, Open: os.ReadFile} }

// python runs a script, or skips.
func python(t *testing.T, stdin string, args ...string) []byte {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is missing")
	}
	cmd := exec.Command(path, args...)
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(stdin), &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.Bytes())
	}
	return out
}

// alike holds an element to that of the oracle: names, attributes and texts in their order. Numbers may differ by the last
// digit of a sine, which libraries round differently: 4e-16 of the number, or of 1 where a sum cancels.
func alike(got, want *node) error {
	at := fmt.Sprintf("line %d of the oracle", want.line)
	if got.name != want.name || len(got.attrs) != len(want.attrs) || len(got.children) != len(want.children) {
		return fmt.Errorf("%s: <%s> with %d attributes and %d elements, want <%s>, %d, %d", at, got.name, len(got.attrs), len(got.children), want.name, len(want.attrs), len(want.children))
	}
	words := func(a, b string) error {
		x, y := strings.Fields(a), strings.Fields(b)
		if len(x) != len(y) {
			return fmt.Errorf("%s: %q, want %q", at, a, b)
		}
		for i := range x {
			u, err1 := strconv.ParseFloat(x[i], 64)
			v, err2 := strconv.ParseFloat(y[i], 64)
			if x[i] != y[i] && !(err1 == nil && err2 == nil && math.Abs(u-v) <= 4e-16*math.Max(1, math.Abs(v))) {
				return fmt.Errorf("%s: %q, want %q", at, a, b)
			}
		}
		return nil
	}
	for _, a := range want.attrs {
		v, ok := got.get(a.name)
		if !ok {
			return fmt.Errorf("%s: %s is missing", at, a.name)
		}
		if err := words(v, a.value); err != nil {
			return err
		}
	}
	if err := words(got.text, want.text); err != nil {
		return err
	}
	for i := range want.children {
		if err := alike(got.children[i], want.children[i]); err != nil {
			return err
		}
	}
	return nil
}

// A description of 310 lines, with two files of macros and one of YAML, equals its expansion by a second processor, written in
// Python from the rules and with Python's own evaluation of expressions. TestAgainstReference has the reference processor itself.
func TestAgainstPython(t *testing.T) {
	const source = "testdata/worker.urdf.xacro"
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n < 300 {
		t.Errorf("%d lines", n)
	}
	if *update {
		if err := os.WriteFile("testdata/worker.urdf", python(t, "", "testdata/expand.py", source), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []map[string]string{nil, {"fingers": "4", "with_camera": "false", "scale": "0.75", "site": "yard"}} {
		x, err := Expand(text, source, fromFolder(args))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile("testdata/worker.urdf")
		if args != nil {
			call := []string{"testdata/expand.py", source}
			for k, v := range args {
				call = append(call, k+"="+v)
			}
			want, err = python(t, "", call...), nil
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := parse(x.Text, "ours")
		if err != nil {
			t.Fatal(err)
		}
		oracle, err := parse(want, "oracle")
		if err != nil {
			t.Fatal(err)
		}
		if err := alike(got, oracle); err != nil {
			t.Errorf("%v: %v", args, err)
		}
		t.Logf("%d lines become %d", bytes.Count(text, []byte("\n")), bytes.Count(x.Text, []byte("\n")))
	}
}

// Expressions give the values, and the types, that Python gives.
func TestExpressionsAgainstPython(t *testing.T) {
	var texts []string
	for _, s := range strings.Split(`1+2*3-4/2; 7//2; -7//2; -7 % 3; 7 % -3; 7.5 // -2; -7.5 % 2; 2**10; 2**-1; -2**2; 2**3**2; (1+2)*3; 1e3; 1e16; 123456789012345680.0
1e-4; 1e-5; 0.1+0.2; 5e-324; 1.0; 100; .5; 5.; 3*0.1; 10/5; True+1; not 3; not ''; 1 < 2 < 3; 1 < 3 < 2; 1 == 1.0; 'a' == 1; 'a' < 'b'; 1 if 0 else 2; 1 if [] else (2 if 'x' else 3)
1 and 0 or 5; 0 or 'x'; None; None is None; 3 in [1, 2, 3]; 'b' not in 'abc'; 'k' in {'k': 1}; [1, 'two', 3.0, None, True]; (1,); (1, 2); {'a': 1, 'b': [2]}
{'a': {'b': 5}}['a']['b']; [1,2,3][-1]; [1,2,3][1:]; 'hello'[1:3]; 'hello'[-2:]; (1,2,3)[:2]; len('abc') + len([1]); min(3, 1, 2); max([1, 5, 2]); abs(-3); abs(-2.5); round(2.5); round(3.5); round(2.675, 2); round(1234.5678, 1)
int(7.9); int('12'); float('1.5'); str(1.50); str(2) + 'x'; bool([]); sum([1, 2, 0.5]); any([0, 1]); all([]); sorted([3, 1, 2]); 'a,b'.split(','); ' '.join(['x', 'y']); 'Ab'.upper(); 'Ab'.lower(); ' x '.strip(); 'a-b'.replace('-', '+')
'abc'.startswith('ab'); {'a': 1}.get('b', 7); list({'a': 1, 'b': 2}.keys()); 'x' * 3; [0] * 2; [1] + [2]; 3 - -2; +4; - - 3; "it's"; ["it's"]; floor(-1.5); ceil(1.2); pi; radians(90); degrees(1); hypot(3, 4); copysign(2, -1); fmod(-7, 3)
sqrt(16); log10(1000); 1 <= 1 != 2; True and not False; 0x10; 1_000; 10 >= 10.0; -0.0; 2.5e+3; 'a' 'b'; 7 if 1 > 2 else 8 if 2 > 1 else 9; 1 is not None; 1, 2; [[1, 2], [3]][0][1]; min('b', 'a'); True == 1; str([1.0, 'x'])`, "\n") {
		for _, e := range strings.Split(s, ";") {
			texts = append(texts, strings.TrimSpace(e))
		}
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	script := "import json, sys\nfrom math import *\nprint(json.dumps([str(eval(s)) for s in json.load(sys.stdin)]))"
	if err := json.Unmarshal(python(t, string(in), "-c", script), &want); err != nil {
		t.Fatal(err)
	}
	for i, s := range texts {
		e := &expander{}
		got := ""
		v, err := e.expression(s, newScope(nil), &node{})
		if err == nil {
			got, err = e.printed(v)
		}
		if err != nil || got != want[i] {
			t.Errorf("%s: %s, %v; Python: %s", s, got, err, want[i])
		}
	}
	t.Logf("%d expressions", len(texts))
}

// Faults say file, line and the way there; bounds end endless expansions.
func TestFaults(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("self.xacro", `<robot xmlns:xacro="x"><xacro:include filename="self.xacro"/></robot>`)
	write("bad.xacro", "<robot>\n<link name=\"${missing}\"/></robot>")
	write("deep.yaml", "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\ne: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\nf: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]\ng: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f, *f]\nh: [*g, *g, *g, *g, *g, *g, *g, *g, *g, *g]\n")
	var laughs, doubled strings.Builder
	for i := range 40 {
		fmt.Fprintf(&laughs, `<xacro:macro name="m%d" params=""><xacro:m%d/><xacro:m%d/></xacro:macro>`, i, i+1, i+1)
		fmt.Fprintf(&doubled, `<xacro:property name="p%d" value="${p%d + p%d}"/>`, i+1, i, i)
	}
	for text, part := range map[string]string{
		"<link\nname=\"${lenght}\"/><xacro:property name=\"length\" value=\"1\"/>":                               `${lenght}: "lenght" is not defined`,
		"<xacro:property name=\"length\" value=\"1\"/>\n<a b=\"${lenght}\"/>":                                    `f.xacro:2: ${lenght}: "lenght" is not defined; did you mean length?`,
		`<xacro:macro name="a" params="b"><link name="${b/0}"/></xacro:macro>` + "\n" + `<xacro:a b="1"/>`:       `f.xacro:1: ${b/0}: division by zero (in macro "a" called at`,
		`<xacro:macro name="a" params="b"/><xacro:a/>`:                                                           `its parameter "b" is missing`,
		`<xacro:macro name="a" params="b"/><xacro:a c="1" b="2"/>`:                                               `macro "a" has no parameter "c"`,
		`<xacro:macro name="a" params="*b"/><xacro:a/>`:                                                          `no element for its block "b"`,
		`<xacro:macro name="a" params=""/><xacro:a><x/></xacro:a>`:                                               "takes no block <x>",
		`<xacro:armm/><xacro:macro name="arm"/>`:                                                                 `there is no macro "armm"`,
		`<xacro:macro name="a"><xacro:a/></xacro:macro><xacro:a/>`:                                               "more than 200 deep",
		`<xacro:property name="b"><xacro:insert_block name="b"/></xacro:property><xacro:insert_block name="b"/>`: "inserted in itself",
		`<xacro:property name="a" value="${b}"/><xacro:property name="b" value="${a}"/><c d="${a}"/>`:            "is defined by itself",
		laughs.String() + `<xacro:macro name="m40"><x/></xacro:macro><xacro:m0/>`:                                "more than 100000 elements",
		`<xacro:property name="p0" value="xx"/>` + doubled.String() + `<x y="${p40}"/>`:                          "bytes",
		`<x y="${9**9**9}"/>`:                              "more than 64 bits",
		`<x y="${'a'*10**9}"/>`:                            "a text of more than",
		`<x y="${[1]*10**9}"/>`:                            "a list of more than",
		`<x y="${` + strings.Repeat("(", 300) + `1"/>`:     "is not closed",
		`<x y="${` + strings.Repeat("(", 300) + `}"/>`:     "nested too deep",
		`<x y="${` + strings.Repeat("not ", 300) + `1}"/>`: "nested too deep",
		`<x y="${[i for i in [1]]}"/>`:                     "comprehensions",
		`<x y="${open('a')}"/>`:                            `"open" is not defined`,
		`<x y="${sin}"/>`:                                  "is a function",
		`<x y="${sqrt(-1)}"/>`:                             "not defined there",
		`<x y="$(arg a)"/>`:                                "no value and no default",
		`<xacro:arg name="a"/>`:                            "has no default and no value",
		`<x y="$(env HOME)"/>`:                             "env is not read",
		`<x y="$(what a)"/>`:                               "is not known",
		`<xacro:include filename="self.xacro"/>`:           "include each other",
		`<xacro:include filename="none.xacro"/>`:           "none.xacro",
		`<xacro:include filename="$(find arms)/a.xacro"/>`: `the folder of package "arms" is not known`,
		`<xacro:include filename="bad.xacro"/>`:            `bad.xacro:2: ${missing}`,
		`<x y="${load_yaml('deep.yaml')}"/>`:               "too long",
		`<xacro:if value="maybe"><x/></xacro:if>`:          "neither true nor false",
		`<xacro:if valu="1"/>`:                             `no attribute "valu"; did you mean value?`,
		`<xacro:property name="1a" value="1"/>`:            "no name of a property",
		`<a><b></a>`:                                       "closes no element",
		`<a b="1" b="2"/>`:                                 "two attributes b",
		strings.Repeat("<a>", 600):                         "nested more than",
	} {
		if slices.Contains([]string{"more than 100000 elements", "bytes", "too long"}[:long.Of(0, 3)], part) {
			continue // these fill memory up to a bound
		}
		_, err := Expand([]byte(`<robot xmlns:xacro="http://www.ros.org/wiki/xacro">`+text+`</robot>`), filepath.Join(folder, "f.xacro"), fromFolder(nil))
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%.200s:\n%v\nwant %s", text, err, part)
		}
	}
	if _, err := Expand([]byte(`<r><xacro:include filename="/etc/hosts"/></r>`), "x", Options{}); err == nil || !strings.Contains(err.Error(), "reads no others") {
		t.Error(err)
	}
}

// Lines of an expansion know where they come from, and arguments that nothing declares are named.
func TestSources(t *testing.T) {
	text := "<r>\n<xacro:macro name=\"m\">\n<a/>\n</xacro:macro>\n<b/><xacro:m/></r>"
	x, err := Expand([]byte(text), "f", Options{Args: map[string]string{"speed": "1"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(x.Text)), "\n") {
		file, at := x.Source(i + 1)
		if want := map[string]int{"  <a/>": 3, "  <b/>": 5}[line]; want != 0 && (at != want || file != "f") {
			t.Errorf("%q comes from %s:%d, want line %d", line, file, at, want)
		}
	}
	if len(x.Unused) != 1 || x.Unused[0] != "speed" {
		t.Error(x.Unused)
	}
}

func FuzzExpand(f *testing.F) {
	for _, name := range []string{"worker.urdf.xacro", "gripper.xacro", "solids.xacro"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`<r><xacro:property name="a" value="${[1, 'x']*2}"/><b c="${a[1:] if a else {}} $$(x)"/></r>`))
	f.Add([]byte(`<r><xacro:property name="a" value="${-~-'~'}"/><b c="${'~'} ${'%5.2f' % 1} ${list(map(str, range(3)))[::-1]}"/></r>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		x, err := Expand(text, "testdata/fuzz", Options{Open: func(path string) ([]byte, error) {
			return os.ReadFile(filepath.Join("testdata", filepath.Base(path)))
		}})
		if err != nil {
			return
		}
		if _, err := parse(x.Text, "expansion"); err != nil {
			t.Errorf("the expansion is no XML: %v", err)
		}
	})
}
