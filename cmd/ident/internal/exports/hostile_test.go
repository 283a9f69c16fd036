package exports_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"ident/baseparams"
	"ident/cmd/ident/internal/exports"
	"ident/codegen"
	"ident/codegen/source"
	"ident/excite"
	"ident/identify/project"
	"ident/internal/long"
	"ident/internal/spreadsheet"
	"ident/regressor"
	"ident/result"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/order"
	"ident/symbolic"
	"ident/watch"
)

// A nameClass makes names that are hostile in one way.
type nameClass struct {
	name string
	draw func(rng *rand.Rand) string
}

// nameClasses returns the grammar of hostile names.
func nameClasses() []nameClass {
	// spliced puts some of the parts between words that are instructions.
	spliced := func(parts ...string) func(rng *rand.Rand) string {
		words := []string{"L6", "movej([0,0,0,0,0,0])", "import os", "#", "x = 1", "} ]", "int main(void){", "end", "link"}
		return func(rng *rand.Rand) string {
			var b strings.Builder
			for range 1 + rng.IntN(3) {
				b.WriteString(words[rng.IntN(len(words))] + parts[rng.IntN(len(parts))] + words[rng.IntN(len(words))])
			}
			return b.String()
		}
	}
	whole := func(parts ...string) func(rng *rand.Rand) string {
		return func(rng *rand.Rand) string { return parts[rng.IntN(len(parts))] }
	}
	return []nameClass{
		{"line ends", spliced("\n", "\r", "\r\n", "\v", "\f", "\u2028", "\u2029", "\u0085")},
		{"quotes", spliced(`"`, `'`, `"""`, "'''", "`", `\"`, `\`, `\\"`, "«")},
		{"comment ends", spliced("*/", "/*", "*)", "(*", "-->", "]]>", "<!--", "//", "#=", "=#", "**))", "((**", "*'/", "*\")", "%{", "%}", "??/", "]]")},
		{"template marks", spliced("{{", "}}", "${x}", "$(id)", "<%", "%>", "@x@", "`id`", "${{x}}", "#{x}", "&amp;", "&#10;", "&x;")},
		{"YAML words", whole("true", "false", "null", "~", "yes", "no", "on", "off", "NO", "y", "n", ".inf", ".nan", "<<", "=", "---", "...", "- a", "? a", "a: b", "!!str", "&a", "*a", "[a", "{a", "| ", "> ", "# a", "%YAML 1.2", "@a")},
		{"numbers", whole("1", "0", "-1", "1e3", "0x1f", "0o7", "010", "1_000", "12:30:45", "2024-01-01", "1.", ".5", "+1", "Infinity", "NaN", "1e999")},
		{"bidi", spliced("\u202e", "\u202d", "\u2066", "\u2069", "\u200f", "\u200b", "\ufeff", "\u00ad", "\U000e0041")},
		{"empty", whole("", " ", "\t", "  ", "\u00a0", "\u3000")},
		{"long", func(rng *rand.Rand) string {
			return strings.Repeat(string([]rune{'a', 'é', ' ', '"', '\\', '<'}[rng.IntN(6)]), 100_000)
		}},
		{"invalid UTF-8", spliced("\xff", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x80", "\xc0\x80")},
		{"control", spliced("\x00", "\x01", "\x1b[2J", "\x07", "\x08", "\x7f", "\u009b31m", "\ufffe", "\uffff", "\ufffd")},
		{"path parts", whole("../../etc/passwd", "..", ".", "/", "/dev/null", "C:\\x", "a/b", "~root", "con", "a\x00b", "file://x", "-o", "--to")},
		{"format verbs", spliced("%s", "%d", "%n", "%!s(MISSING)", "%%", "%*d", "{0}", "{name}", "%[1]s")},
		{"reserved words", whole("def", "class", "import", "int", "void", "func", "package", "end", "function", "module", "begin", "None", "world", "base_link", "if", "END", "ENDMODULE", "coding: latin-1", "-*- coding: utf-7 -*-", "+build ignore", "go:build ignore", "go:embed x", "#include <x>", "cgo LDFLAGS: x")},
		{"formulas", spliced("=1+1", "+1", "-1", "@SUM(A1)", "'=1", ",", ";", "\t")},
		{"patterns", spliced(".*", "(a", "a)", "[a", "a]", "^a$", "a|b", "a{2}", "\\d", "a+?", "(?i)")},
	}
}

// hostileArm is the robot of the tests; its names are given later.
const hostileArm = `<robot name="arm"><link name="base"/>
<link name="l1"><inertial><origin xyz="0 0 0.1"/><mass value="2"/><inertia ixx=".1" ixy="0" ixz="0" iyy=".1" iyz="0" izz=".1"/></inertial></link>
<joint name="j1" type="revolute"><parent link="base"/><child link="l1"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" velocity="1" effort="10"/><dynamics damping="0.3" friction="0.2"/></joint>
<link name="l2"><inertial><origin xyz="0 0 0.1"/><mass value="1"/><inertia ixx=".1" ixy="0" ixz="0" iyy=".1" iyz="0" izz=".1"/></inertial></link>
<joint name="j2" type="revolute"><parent link="l1"/><child link="l2"/><origin xyz="0 0 1" rpy="0.3 0 0"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" velocity="1" effort="10"/><dynamics damping="0.3" friction="0.2"/></joint>
<link name="tool"/><joint name="flange" type="fixed"><parent link="l2"/><child link="tool"/><origin xyz="0 0 0.1"/></joint></robot>`

// named returns the robot of the tests, all names of which are hostile: the first link and joint have the name itself.
func named(t testing.TB, name string) *robot.Robot {
	t.Helper()
	r, err := format.Read([]byte(hostileArm), "urdf", "arm", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r.Name, r.BaseName = name, name+"0"
	for i := range r.Links {
		l := &r.Links[i]
		if l.Name, l.Joint.Name = name, name; i > 0 {
			l.Name, l.Joint.Name = name+strconv.Itoa(i), name+strconv.Itoa(i)
		}
	}
	for i := range r.Lumped {
		r.Lumped[i].Name, r.Lumped[i].Joint = name+"8", name+"8"
	}
	r.Source = robot.Source{} // written anew
	return r
}

// fittedOf returns a fit of a robot that found its own parameters, without a fit.
func fittedOf(t testing.TB, r *robot.Robot) *project.Fitted {
	t.Helper()
	m, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(m, baseparams.Options{})
	chi := make([]float64, len(set.Columns))
	for i, c := range set.Columns {
		chi[i], _ = regressor.ValueOf(r, c)
	}
	res := &result.Result{Robot: result.RobotInfo{Name: r.Name}}
	x := set.FromStandard(chi)
	for k := range x {
		res.BaseParameters = append(res.BaseParameters, result.BaseParameter{Name: set.Name(k), Link: r.Links[0].Name, Value: x[k], Expression: r.Links[0].Joint.Name})
	}
	return &project.Fitted{Result: res, Settings: &project.Settings{}, Source: r, Robot: r, Terms: regressor.DefaultTerms(), Set: set, X: x}
}

// motionOf returns a motion of n joints of given names about a position.
func motionOf(t testing.TB, names []string, position float64) (excite.Motion, []excite.Limits) {
	t.Helper()
	n := len(names)
	limits, zero, q := make([]excite.Limits, n), make([][]float64, n), make([][]float64, n)
	for i := range n {
		limits[i] = excite.Limits{Joint: names[i], Lower: -3, Upper: 3, Velocity: 2, Accel: 8}
		zero[i], q[i] = []float64{0, 0}, []float64{0.1, position}
	}
	m, err := excite.Through(names, []float64{0, 2}, q, zero, zero)
	if err != nil {
		return nil, nil // no such motion can be made
	}
	return m, limits
}

// An output is what a writer wrote, by the names of its files; or the error by which it refused.
type output struct {
	files map[string]string
	err   error
}

func one(file, text string, err error) output {
	return output{map[string]string{file: text}, err}
}

// A writer is one of the forms in which names and numbers leave ident.
type writer struct {
	name    string
	comment *regexp.Regexp // all that names may change; nil where the language has strings
	write   func(r *robot.Robot) output
	// read returns the names that are read back from a language with strings, and those that there should be.
	read func(t testing.TB, r *robot.Robot, text string) (got, want []string, err error)
	// python is the program that reads the names again.
	python string
	once   bool // takes long: with the first name of each class alone
}

// replacedXML is a name as XML can hold it, and as the readers of robots take it: without space at its ends.
func replacedXML(name string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xd7ff || r >= 0xe000 && r <= 0xfffd || r >= 0x10000:
			return r
		}
		return utf8.RuneError
	}, string([]rune(name))))
}

// replacedBytes is a name with U+FFFD for every byte that is no UTF-8.
func replacedBytes(name string) string { return string([]rune(name)) }

// replacedRuns is a name with U+FFFD for every run of bytes that are no UTF-8.
func replacedRuns(name string) string { return strings.ToValidUTF8(name, "\ufffd") }

func namesOf(r *robot.Robot, as func(string) string) []string {
	out := []string{as(r.Name), as(r.BaseName)}
	for _, l := range r.Links {
		out = append(out, as(l.Name), as(l.Joint.Name))
	}
	for _, l := range r.Lumped {
		out = append(out, as(l.Name))
	}
	return out
}

func jointsOf(r *robot.Robot, as func(string) string) []string {
	var out []string
	for _, l := range r.Links {
		out = append(out, as(l.Joint.Name))
	}
	return out
}

func mapped(names []string, as func(string) string) []string {
	var out []string
	for _, n := range names {
		out = append(out, as(n))
	}
	return out
}

// wellFormed reads XML to its end.
func wellFormed(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// load returns a load on the robot's flange.
func load(frame string) exports.Load {
	return exports.Load{Mass: 1.5, Centre: [3]float64{0.01, 0.02, 0.05}, Inertia: [3][3]float64{{0.01, 0.001, 0}, {0.001, 0.011, 0}, {0, 0, 0.012}}, Frame: frame}
}

// remarks are the comments of languages.
func remarksOf(language string) *regexp.Regexp {
	return regexp.MustCompile(map[string]string{
		"c": `/\*[\s\S]*?\*/|//.*|#.*`, "cpp": `/\*[\s\S]*?\*/|//.*|#.*`, "c-batch": `/\*[\s\S]*?\*/|//.*|(?m:^#.*)|"(?:[^"\\\n]|\\.)*"`, "go": `//.*`, "python": `"""[\s\S]*?"""|#.*`, "matlab": `%.*`,
		"fortran": `!.*`, "julia": `#.*`, "listing": `\(\*[\s\S]*?\*\)`,
		"ur": `#.*`, "xarm": `#.*`, "kinova": `#.*`, "kuka": `;.*`, "yaskawa": `;.*`, "abb": `!.*`, "fanuc": `!.*`,
		"urscript": `#.*`, "krl": `;.*`, "rapid": `!.*`,
	}[language])
}

// texts returns the files of a unit of code.
func texts(files []source.File, err error) output {
	out := output{map[string]string{}, err}
	for _, f := range files {
		out.files[f.Name] = string(f.Text)
	}
	return out
}

// someModels are two models of each robot: with parameters and without.
var someModels = []codegen.Model{codegen.InverseDynamics, codegen.Jacobian}

// unitOf returns models of a robot, with parameters in place of arguments where values has them. Without a list of models it returns all that the
// robot has.
func unitOf(t testing.TB, r *robot.Robot, values map[string]float64, models ...codegen.Model) (source.Unit, error) {
	u := source.Unit{Name: "arm", Maker: "ident"}
	all := len(models) == 0
	if all {
		models = codegen.Models()
	}
	for _, model := range models {
		p, err := codegen.Build(t.Context(), model, r, codegen.Options{Terms: []regressor.Term{regressor.Links, regressor.Fv}})
		if all && err != nil {
			continue // not of this robot
		}
		if err != nil {
			return u, err
		}
		if p, err = p.Bind(t.Context(), values); err != nil {
			return u, err
		}
		p.Name = strings.ReplaceAll(string(model), "-", "_")
		u.Programs = append(u.Programs, p)
	}
	if len(u.Programs) < 20 && all {
		return u, fmt.Errorf("the robot has %d models only", len(u.Programs))
	}
	return u, nil
}

// observerOf returns the supervision of a robot as source text.
func observerOf(t testing.TB, r *robot.Robot) output {
	t.Helper()
	m, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		return output{err: err}
	}
	model := watch.Model{Robot: r, Torques: m, Values: make([]float64, len(m.Columns()))}
	var rows watch.Columns
	rng := rand.New(rand.NewPCG(1, 2))
	for range m.Joints() {
		rows.Q, rows.DQ, rows.Tau = append(rows.Q, nil), append(rows.DQ, nil), append(rows.Tau, nil)
	}
	for k := range 4000 {
		at := float64(k) / 1000
		rows.T = append(rows.T, at)
		for j := range rows.Q {
			rows.Q[j], rows.DQ[j], rows.Tau[j] = append(rows.Q[j], math.Sin(at)), append(rows.DQ[j], math.Cos(at)), append(rows.Tau[j], rng.NormFloat64())
		}
	}
	quiet := watch.NewCalibrator(model, 0)
	quiet.Add(rows)
	noise, err := quiet.Noise()
	if err != nil {
		return output{err: err}
	}
	w, err := watch.New(model, noise, watch.Options{})
	if err != nil {
		return output{err: err}
	}
	header, body := w.C("arm")
	return output{files: map[string]string{"arm_watch.h": string(header), "arm_watch.c": string(body), "arm_watch.hpp": string(w.Cpp("arm"))}}
}

// writers returns every form in which the names of a robot leave ident.
func writers(t testing.TB) []writer {
	var all []writer
	for _, kind := range []string{"urdf", "sdf", "mjcf", "yaml", "par"} {
		w := writer{name: kind, write: func(r *robot.Robot) output {
			if kind == "sdf" { // has one list of names for links and joints
				for i := range r.Links {
					r.Links[i].Joint.Name += "J"
				}
				for i := range r.Lumped {
					r.Lumped[i].Joint += "J"
				}
			}
			text, _, err := exports.Robot(fittedOf(t, r), exports.RobotOptions{Format: kind, Friction: exports.Symmetric})
			return one("arm."+kind, string(text), err)
		}}
		switch kind {
		case "par":
			w.comment = regexp.MustCompile(`\(\*[\s\S]*?\*\)`)
		default:
			as := replacedXML
			if kind == "yaml" {
				as = replacedRuns
			}
			w.read = func(t testing.TB, r *robot.Robot, text string) (got, want []string, err error) {
				if kind != "yaml" {
					if err := wellFormed(text); err != nil {
						return nil, nil, err
					}
				}
				back, err := format.Read([]byte(text), kind, "back", robot.ReadOptions{NoSnap: true})
				if err != nil {
					return nil, nil, err
				}
				got, want = namesOf(back, func(s string) string { return s }), namesOf(r, as)
				if kind == "mjcf" { // its fixed body is the world, which has no name
					got, want = slices.Delete(got, 1, 2), slices.Delete(want, 1, 2)
				}
				if kind == "mjcf" || back.Source.Format != kind {
					return got, want, nil
				}
				// The user's own text with the identified numbers.
				text2, _, err := exports.Robot(fittedOf(t, back), exports.RobotOptions{Format: kind, Friction: exports.Symmetric})
				if err != nil {
					return nil, nil, fmt.Errorf("into its own text: %w", err)
				}
				if back, err = format.Read(text2, kind, "back", robot.ReadOptions{NoSnap: true}); err != nil {
					return nil, nil, fmt.Errorf("of its own text: %w", err)
				}
				return append(got, namesOf(back, func(s string) string { return s })...), append(want, namesOf(r, as)...), nil
			}
			if kind == "yaml" {
				w.python = "d = yaml.safe_load(text); got = [d['name']] + [l['joint']['name'] for l in d['links'] if l['joint']['kind'] != 'fixed']"
			}
		}
		all = append(all, w)
	}
	all = append(all, writer{name: "isaac", write: func(r *robot.Robot) output {
		text, _, err := exports.Isaac(fittedOf(t, r), exports.Symmetric)
		return one("isaac.yaml", string(text), err)
	}, read: func(_ testing.TB, r *robot.Robot, text string) (got, want []string, err error) {
		var doc struct {
			Actuators map[string]struct {
				Joints    []string             `yaml:"joint_names_expr"`
				Armature  map[string]float64   `yaml:"armature"`
				Remainder map[string]yaml.Node `yaml:",inline"`
			}
		}
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			return nil, nil, err
		}
		want = jointsOf(r, replacedRuns)
		for i, e := range doc.Actuators["identified"].Joints {
			x, err := regexp.Compile(`\A(?s:` + e + `)\z`)
			if err != nil && len(e) < 10_000 { // Go bounds expressions
				return nil, nil, err
			}
			for k, n := range want {
				if err == nil && x.MatchString(n) != (k == i) {
					return nil, nil, fmt.Errorf("%.99q: matches joint %d", e, k)
				}
			}
			got = append(got, strings.NewReplacer(`\\`, `\`, `\`, ``).Replace(e))
		}
		return got, want, nil
	}, python: "d = yaml.safe_load(text); e = d['actuators']['identified']['joint_names_expr']; assert all((re.fullmatch(x, n) is not None) == (i == k) for i, x in enumerate(e) for k, n in enumerate(want)); got = want"})
	for _, engine := range order.Engines() {
		all = append(all, writer{name: "json " + string(engine), write: func(r *robot.Robot) output {
			text, _, err := exports.InOrder(fittedOf(t, r), engine, exports.Symmetric)
			return one("order.json", string(text), err)
		}, read: func(_ testing.TB, r *robot.Robot, text string) (got, want []string, err error) {
			var doc exports.Document
			if err := json.Unmarshal([]byte(text), &doc); err != nil {
				return nil, nil, err
			}
			for _, j := range doc.Engine.Joints {
				got = append(got, j.Name)
			}
			return append(got, doc.Robot.Name), append(jointsOf(r, replacedBytes), replacedBytes(r.Name)), nil
		}, python: "json.loads(text); got = want"})
	}
	for _, kind := range []string{"csv", "json"} {
		w := writer{name: kind, write: func(r *robot.Robot) output {
			text, err := exports.TableOf(fittedOf(t, r).Result, kind)
			return one("table."+kind, string(text), err)
		}}
		w.read = func(_ testing.TB, r *robot.Robot, text string) (got, want []string, err error) {
			link, joint := r.Links[0].Name, r.Links[0].Joint.Name
			if kind == "json" {
				var doc exports.Document
				err := json.Unmarshal([]byte(text), &doc)
				return []string{doc.BaseParameters[0].Link, doc.BaseParameters[0].Expression}, mapped([]string{link, joint}, replacedBytes), err
			}
			rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			if err != nil {
				return nil, nil, err
			}
			for _, row := range rows[1:] {
				for _, cell := range row {
					if _, err := strconv.ParseFloat(cell, 64); err != nil && cell != "" && strings.ContainsRune("=+-@", rune(cell[0])) {
						return nil, nil, fmt.Errorf("a spreadsheet takes %.99q for a formula", cell)
					}
				}
			}
			lines := func(s string) string { return strings.ReplaceAll(spreadsheet.Plain(s), "\r\n", "\n") } // the reader of Go
			return []string{lines(rows[1][3]), lines(rows[1][2])}, mapped([]string{link, joint}, func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }), nil
		}
		all = append(all, w)
	}
	for _, controller := range exports.Controllers() {
		w := writer{name: "payload-" + controller, write: func(r *robot.Robot) output {
			text, err := load(r.Lumped[0].Name).Text(controller)
			return one("payload.py", text, err)
		}}
		switch controller {
		case "ros2":
			w.read = func(_ testing.TB, r *robot.Robot, text string) (got, want []string, err error) {
				var doc struct {
					Compensation struct{ Frame struct{ ID string } } `yaml:"gravity_compensation"`
				}
				err = yaml.Unmarshal([]byte(text), &doc)
				return []string{doc.Compensation.Frame.ID}, []string{replacedRuns(r.Lumped[0].Name)}, err
			}
			w.python = "got = [yaml.safe_load(text)['gravity_compensation']['frame']['id']]"
		case "franka", "franka-ee":
			w.read = func(_ testing.TB, _ *robot.Robot, text string) (got, want []string, err error) {
				return nil, nil, json.Unmarshal([]byte(text), new(map[string]any))
			}
		default:
			if w.comment = remarksOf(controller); w.comment.String() == "#.*" { // URScript has the syntax of Python in such lines
				w.python = "ast.parse(text); got = want"
			}
		}
		all = append(all, w)
	}
	for _, l := range excite.ProgramLanguages() {
		w := writer{name: "program " + l.Name, write: func(r *robot.Robot) output {
			m, limits := motionOf(t, sixNames(r), 1)
			var b bytes.Buffer
			err := excite.WriteProgram(&b, l, m, excite.ProgramOptions{Rate: 10, Limits: limits, About: []string{"joint " + r.Links[0].Joint.Name + ": limits of " + r.Name}})
			return one("program"+l.Extension, b.String(), err)
		}}
		if l.Name == "ros2" {
			w.read, w.python = readROS(yaml.Unmarshal, replacedRuns), "got = yaml.safe_load(text)['joint_names']"
		} else {
			w.comment = remarksOf(l.Name)
		}
		all = append(all, w)
	}
	for _, asJSON := range []bool{false, true} {
		w := writer{name: "trajectory ros.yaml", python: "got = yaml.safe_load(text)['joint_names']", read: readROS(yaml.Unmarshal, replacedRuns)}
		if asJSON {
			w.name, w.python, w.read = "trajectory ros.json", "got = json.loads(text)['joint_names']", readROS(json.Unmarshal, replacedBytes)
		}
		w.write = func(r *robot.Robot) output {
			m, limits := motionOf(t, sixNames(r), 1)
			var b bytes.Buffer
			err := excite.WriteROS(&b, m, 10, limits, asJSON, "limits of "+r.Name)
			return one("motion", b.String(), err)
		}
		all = append(all, w)
	}
	for _, language := range source.Languages() {
		w := writer{name: "code " + language, comment: remarksOf(language), write: func(r *robot.Robot) output {
			u, err := unitOf(t, r, nil, someModels...)
			if err != nil {
				return output{err: err}
			}
			return texts(source.Write(t.Context(), language, u))
		}}
		if language == "python" {
			w.python = "ast.parse(text); got = want"
		}
		all = append(all, w)
		w.name, w.once = "models "+language, true
		w.write = func(r *robot.Robot) output {
			u, err := unitOf(t, r, nil)
			if err != nil {
				return output{err: err}
			}
			return texts(source.Write(t.Context(), language, u))
		}
		if language != "c-batch" { // has two models
			all = append(all, w)
		}
	}
	all = append(all, writer{name: "code observer", comment: remarksOf("c"), write: func(r *robot.Robot) output { return observerOf(t, r) }})
	return all
}

// sixNames returns the names of six joints.
func sixNames(r *robot.Robot) []string {
	name := r.Links[0].Joint.Name
	return []string{name, name + "1", name + "2", name + "3", name + "4", name + "5"}
}

// readROS returns how the names of a trajectory are read by a decoder.
func readROS(decode func([]byte, any) error, as func(string) string) func(testing.TB, *robot.Robot, string) (got, want []string, err error) {
	return func(_ testing.TB, r *robot.Robot, text string) (got, want []string, err error) {
		var doc map[string]any
		if err := decode([]byte(text), &doc); err != nil {
			return nil, nil, err
		}
		names, _ := doc["joint_names"].([]any)
		for _, n := range names {
			s, ok := n.(string)
			if !ok {
				return nil, nil, fmt.Errorf("%v is no text", n)
			}
			got = append(got, s)
		}
		return got, mapped(sixNames(r), as), nil
	}
}

// tally counts outcomes by class, or by writer.
type tally map[string]*[3]int // written, refused, read by another program

func (c tally) add(key string, what int) {
	if c[key] == nil {
		c[key] = new([3]int)
	}
	c[key][what]++
}

func (c tally) log(t *testing.T, title string) {
	for _, key := range slices.Sorted(maps.Keys(c)) {
		t.Logf("%s %-22s %4d written, %3d refused, %4d read by its own language's program", title, key, c[key][0], c[key][1], c[key][2])
	}
}

// A foreignCase is a text that another program reads.
type foreignCase struct {
	File   string   `json:"file"`
	Python string   `json:"python"`
	Want   []string `json:"want"`
	writer string
	class  string
}

// Names of every hostile class leave ident by every writer as names: where the language has strings they are read back
// equal, elsewhere they change comments alone, and every text is one of its language.
func TestHostileNames(t *testing.T) {
	classes := nameClasses()
	draws := long.Draws(40, 6, 1)
	all := writers(t)
	if !long.Set() { // each writer with some of the classes
		all = slices.DeleteFunc(all, func(w writer) bool { return w.name == "code c-batch" })
	}
	plain := map[string]map[string]string{}
	bare := func(w writer, files map[string]string) map[string]string {
		out := map[string]string{}
		for name, text := range files {
			out[name] = w.comment.ReplaceAllString(text, "")
			out[name] = regexp.MustCompile(`\s*\n\s*`).ReplaceAllString(out[name], "\n") // lines of comment alone
		}
		return out
	}
	for _, w := range all {
		if w.comment != nil {
			out := w.write(named(t, "arm"))
			if out.err != nil {
				t.Fatalf("%s: %v", w.name, out.err)
			}
			plain[w.name] = bare(w, out.files)
		}
	}
	dir := t.TempDir()
	var cases []foreignCase
	byClass, byWriter := tally{}, tally{}
	for c, class := range classes {
		for draw := range draws {
			rng := rand.New(rand.NewPCG(uint64(draw), uint64(c)))
			name := class.draw(rng)
			for i, w := range all {
				if !long.Set() && (i+c)%12 > 0 || w.once && (draw > 0 || !long.Set()) {
					continue
				}
				r := named(t, name)
				out := w.write(r)
				if out.err != nil {
					byClass.add(class.name, 1)
					byWriter.add(w.name, 1)
					t.Logf("%s, %s, %.60q: refused: %.200v", w.name, class.name, name, out.err)
					continue
				}
				byClass.add(class.name, 0)
				byWriter.add(w.name, 0)
				fail := func(f string, args ...any) {
					t.Helper()
					t.Errorf("%s, %s, %.80q: %.400s", w.name, class.name, name, fmt.Sprintf(f, args...))
				}
				var want []string
				for file, text := range out.files {
					if !utf8.ValidString(text) && w.name != "csv" {
						fail("%s is no UTF-8", file)
					}
					if w.comment != nil && !strings.HasSuffix(file, ".txt") {
						if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && (r < ' ' || r > '~') }); i >= 0 && w.name != "par" {
							fail("%s has %q", file, text[i:min(len(text), i+9)])
						}
					}
				}
				if w.comment != nil {
					if got := bare(w, out.files); !maps.Equal(got, plain[w.name]) {
						for file := range got {
							if got[file] != plain[w.name][file] {
								fail("a name changed %s:\n%s\nwas\n%s", file, got[file], plain[w.name][file])
							}
						}
					}
				} else {
					for _, text := range out.files {
						got, expected, err := w.read(t, r, text)
						want = expected
						if err != nil {
							fail("%v", err)
						} else if w.name == "sdf" { // the base is a link behind a fixed joint
							for _, n := range want {
								if !slices.Contains(got, n) {
									fail("no %.200q read back", n)
								}
							}
						} else if !slices.Equal(got, want) {
							fail("%.200q read back, not %.200q", got, want)
						}
					}
				}
				for file, text := range out.files {
					if strings.HasPrefix(w.name, "code go") {
						if _, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments); err != nil {
							fail("%v", err)
						}
						byClass.add(class.name, 2)
						byWriter.add(w.name, 2)
					}
					if long.Set() && (w.python != "" || slices.Contains([]string{"code c", "code fortran"}, w.name) && strings.HasSuffix(file, map[string]string{"code c": ".c", "code fortran": ".f90"}[w.name]) || w.name == "code matlab" && draw == 0) {
						k := foreignCase{filepath.Join(dir, fmt.Sprintf("case%d", len(cases)), file), w.python, want, w.name, class.name}
						if err := os.MkdirAll(filepath.Dir(k.File), 0o755); err != nil {
							t.Fatal(err)
						}
						for beside, text := range out.files {
							if err := os.WriteFile(filepath.Join(filepath.Dir(k.File), beside), []byte(text), 0o644); err != nil {
								t.Fatal(err)
							}
						}
						cases = append(cases, k)
					}
				}
			}
		}
	}
	readByOthers(t, dir, cases, byClass, byWriter)
	byClass.log(t, "class")
	byWriter.log(t, "writer")
}

// readByOthers has the programs of the languages read texts.
func readByOthers(t *testing.T, dir string, cases []foreignCase, byClass, byWriter tally) {
	counted := func(k foreignCase) {
		byClass.add(k.class, 2)
		byWriter.add(k.writer, 2)
	}
	python := slices.DeleteFunc(slices.Clone(cases), func(k foreignCase) bool { return k.Python == "" })
	if _, err := exec.LookPath("python3"); err == nil && len(python) > 0 && exec.Command("python3", "-c", "import yaml").Run() == nil {
		list, err := json.Marshal(python)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "cases.json"), list, 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("python3", "-W", "error::SyntaxWarning", "-W", "error::DeprecationWarning", "-c", `import ast, json, re, sys, yaml
for case in json.load(open(sys.argv[1], encoding="utf-8")):
    text, want = open(case["file"], encoding="utf-8", newline="").read(), case["want"]
    try:
        scope = dict(text=text, want=want, ast=ast, json=json, re=re, yaml=yaml)
        exec(case["python"], scope)
        if "'name'" in case["python"]: want = [want[0]] + want[3::2][:len(scope["got"]) - 1]
        assert scope["got"] == want, (scope["got"], want)
    except Exception as e:
        print(case["file"], repr(e)[:300])
`, filepath.Join(dir, "cases.json")).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("python: %v\n%.3000s", err, out)
		}
		for _, k := range python {
			counted(k)
		}
	}
	for _, c := range []struct {
		writer, program string
		args            []string
	}{{"code c", "gcc", []string{"-fsyntax-only", "-std=c99", "-pedantic", "-Wall", "-Wno-unused", "-Werror"}}, {"code fortran", "gfortran", []string{"-fsyntax-only", "-J" + dir}}} {
		if _, err := exec.LookPath(c.program); err != nil {
			t.Logf("no %s", c.program)
			continue
		}
		for _, k := range cases {
			if k.writer != c.writer {
				continue
			}
			if out, err := exec.Command(c.program, append(slices.Clone(c.args), k.File)...).CombinedOutput(); err != nil {
				t.Errorf("%s, %s: %v\n%.500s", k.writer, k.class, err, out)
			}
			counted(k)
		}
	}
	if _, err := exec.LookPath("octave"); err == nil {
		var lines strings.Builder
		for _, k := range cases {
			if k.writer == "code matlab" {
				fmt.Fprintf(&lines, "__parse_file__('%s');\n", k.File)
				counted(k)
			}
		}
		if lines.Len() > 0 {
			if out, err := exec.Command("octave", "--no-gui", "--norc", "--eval", lines.String()).CombinedOutput(); err != nil || bytes.Contains(out, []byte("parse error")) {
				t.Errorf("octave: %v\n%.2000s", err, out)
			}
		}
	}
}

// numberWords are the numbers in a text, and words that stand for those that are not finite.
var numberWords = regexp.MustCompile(`(?i)[-+]?\b(?:\d+\.?\d*|\.\d+)(?:[ed][-+]?\d+)?\b|\b(?:nan|inf|infinity)\b|\.(?:nan|inf)\b`)

// absurd returns the first number of a text that is not finite or above a bound, "" for none.
func absurd(text string, bound float64) string {
	for _, word := range numberWords.FindAllString(text, -1) {
		v, err := strconv.ParseFloat(strings.NewReplacer("d", "e", "D", "e").Replace(strings.TrimPrefix(word, ".")), 64)
		if strings.HasPrefix(word, ".") && err != nil {
			v, err = strconv.ParseFloat(word, 64)
		}
		if err == nil && (math.Abs(v) > bound || math.IsNaN(v)) {
			return word
		}
	}
	return ""
}

// Hostile numbers are refused or leave ident by no writer: what is written is finite and of a size that a robot has.
func TestHostileNumbers(t *testing.T) {
	numbers := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e308, -1e308, 1e200, 1e40, -1e40, 1e12, -1, math.Copysign(0, -1), 5e-324}
	if !long.Set() {
		numbers = []float64{math.NaN(), math.Inf(-1), 1e308, -1e40, -1}
	}
	count := tally{}
	check := func(writer string, out output, bound float64, v float64, where string, args ...any) {
		t.Helper()
		if out.err != nil {
			count.add(writer, 1)
			return
		}
		count.add(writer, 0)
		for file, text := range out.files {
			if word := absurd(text, bound); word != "" {
				t.Errorf("%s, %g as %s: %s has %s", writer, v, fmt.Sprintf(where, args...), file, word)
			}
		}
	}
	for _, v := range numbers {
		for _, controller := range exports.Controllers() {
			for place := range 10 {
				l := load("tool")
				switch {
				case place == 0:
					l.Mass = v
				case place < 4:
					l.Centre[place-1] = v
				default:
					i, j := []int{0, 0, 0, 1, 1, 2}[place-4], []int{0, 1, 2, 1, 2, 2}[place-4]
					l.Inertia[i][j], l.Inertia[j][i] = v, v
				}
				text, err := l.Text(controller)
				check("payload-"+controller, one("payload", text, err), 1e5, v, "number %d of a load", place)
			}
		}
		for _, l := range excite.ProgramLanguages() {
			names := []string{"a", "b", "c", "d", "e", "f"}
			write := func(m excite.Motion, rate float64, limits []excite.Limits) output {
				var b bytes.Buffer
				err := excite.WriteProgram(&b, l, m, excite.ProgramOptions{Rate: rate, Limits: limits})
				return one("program", b.String(), err)
			}
			m, limits := motionOf(t, names, 1)
			if v < 1e12 { // a rate is lowered to what the controller takes
				check("program "+l.Name, write(m, v, limits), 1e10, v, "the rate") // 9E9 is RAPID's word for no axis
			}
			for place := range 4 {
				bad := slices.Clone(limits)
				*[]*float64{&bad[0].Lower, &bad[0].Upper, &bad[0].Velocity, &bad[0].Accel}[place] = v
				check("program "+l.Name, write(m, 10, bad), 1e10, v, "limit %d", place)
			}
			if m, limits := motionOf(t, names, v); m != nil {
				check("program "+l.Name, write(m, 10, limits), 1e10, v, "a position")
				for i := range limits {
					limits[i].Lower, limits[i].Upper = math.NaN(), math.NaN()
				}
				check("program "+l.Name, write(m, 10, limits), 1e10, v, "a position without limits")
			}
		}
		for _, asJSON := range []bool{false, true} {
			if m, _ := motionOf(t, []string{"a"}, v); m != nil {
				var b bytes.Buffer
				err := excite.WriteROS(&b, m, 10, nil, asJSON)
				check("trajectory ros", one("motion", b.String(), err), 1e10, v, "a position")
			}
		}
		ft := fittedOf(t, named(t, "arm"))
		for k := range ft.X {
			if !long.Set() && k%9 > 0 {
				continue
			}
			was := ft.X[k]
			ft.X[k] = v
			text, _, err := exports.Isaac(ft, exports.Symmetric)
			check("isaac", one("isaac", string(text), err), 1e6, v, "%s", ft.Set.Name(k))
			for _, kind := range []string{"urdf", "sdf", "mjcf", "yaml", "par"} {
				text, _, err := exports.Robot(ft, exports.RobotOptions{Format: kind, Friction: exports.Symmetric})
				check(kind, one(kind, string(text), err), 1e15, v, "%s", ft.Set.Name(k))
			}
			for _, engine := range order.Engines() {
				text, _, err := exports.InOrder(ft, engine, exports.Symmetric)
				check("json "+string(engine), one("json", string(text), err), math.MaxFloat64, v, "%s", ft.Set.Name(k))
			}
			ft.X[k] = was
		}
		for _, language := range source.Languages() {
			if !long.Set() && language == "c-batch" {
				continue
			}
			u, err := unitOf(t, named(t, "arm"), map[string]float64{"M1": v, "MX2": v, "Fv1": v}, someModels...)
			out := output{err: err}
			if err == nil {
				out = texts(source.Write(t.Context(), language, u))
			}
			check("code "+language, out, 1e30, v, "a parameter")
		}
	}
	count.log(t, "writer")
}

// A program with a number that is not finite is written in no language.
func TestNumbersOfPrograms(t *testing.T) {
	for _, language := range source.Languages() {
		u, err := unitOf(t, named(t, "arm"), map[string]float64{"M1": 2}, someModels...)
		if err != nil {
			t.Fatal(err)
		}
		p := u.Programs[0]
		p.Consts = append(p.Consts, symbolic.Constant{Value: math.Inf(1)})
		if _, err := source.Write(t.Context(), language, u); !errors.As(err, new(*source.NumberError)) {
			t.Errorf("%s: %v", language, err)
		}
	}
}
