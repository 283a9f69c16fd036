//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ident/identify/project"
)

// values are those that no setting may choke on.
var values = []string{"nan", "inf", "-inf", "0", "-1", "1e-300", "1e-12", "1e-6", "1e6", "1e17", "1e300"}

// arm is a robot of two joints: a fit of it takes a tenth of a second.
const arm = `<robot name="two"><link name="base"/>
<link name="l1"><inertial><origin xyz="0.2 0.01 0"/><mass value="4"/><inertia ixx="0.02" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="l2"><inertial><origin xyz="0.15 0 0.02"/><mass value="2"/><inertia ixx="0.01" iyy="0.04" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j1" type="revolute"><parent link="base"/><child link="l1"/><origin rpy="1.5707963 0 0"/><axis xyz="0 0 1"/><dynamics damping="2" friction="1.5"/><limit lower="-2" upper="2" effort="100" velocity="3"/></joint>
<joint name="j2" type="revolute"><parent link="l1"/><child link="l2"/><origin xyz="0.4 0 0"/><axis xyz="0 0 1"/><dynamics damping="1" friction="0.8"/><limit lower="-2.5" upper="2.5" effort="60" velocity="4"/></joint>
</robot>
`

// prepare makes the robot, two logs, a motion and a result in the folder of the study.
func (s *study) prepare() error {
	if err := os.MkdirAll(s.work, 0o777); err != nil {
		return err
	}
	s.inputs = []string{"rob.urdf", "run.csv", "run2.csv", "slow.csv", "run.idr", "run2.idr", "m.json", "res"}
	for i := range 6 {
		s.inputs = append(s.inputs, fmt.Sprintf("week%d.idr", i+1))
	}
	if _, err := os.Stat(filepath.Join(s.work, s.inputs[len(s.inputs)-1])); err == nil {
		return nil
	}
	if err := os.WriteFile(filepath.Join(s.work, "rob.urdf"), []byte(arm), 0o666); err != nil {
		return err
	}
	steps := [][]string{
		{"design-trajectory", "rob.urdf", "--starts", "1", "-o", "m.json"},
		{"simulate", "rob.urdf", "--trajectory", "m.json", "--rate", "100", "-o", "run.csv"},
		{"simulate", "rob.urdf", "--trajectory", "m.json", "--rate", "100", "--seed", "5", "-o", "run2.csv"},
		{"reduce", "run.csv", "--robot", "rob.urdf", "-o", "run.idr"},
		{"reduce", "run2.csv", "--robot", "rob.urdf", "-o", "run2.idr"},
		{"design-trajectory", "rob.urdf", "--static", "8", "-o", "slow.json"},
		{"simulate", "rob.urdf", "--trajectory", "slow.json", "--rate", "100", "-o", "slow.csv"},
		{"fit", "run.csv", "--robot", "rob.urdf", "-o", "res"},
	}
	for i, start := range []string{"2026-03-02", "2026-03-09", "2026-03-16", "2026-03-23", "2026-03-30", "2026-04-06"} {
		steps = append(steps, []string{"simulate", "rob.urdf", "--trajectory", "m.json", "--rate", "100", "--seed", strconv.Itoa(10 + i), "-o", "week.csv"},
			[]string{"reduce", "week.csv", "--robot", "rob.urdf", "--like", "run.idr", "--start", start, "-o", fmt.Sprintf("week%d.idr", i+1)})
	}
	for _, args := range steps {
		if _, err := s.command(s.work, args...); err != nil {
			return err
		}
	}
	return nil
}

// calls are the commands with arguments by which they do their work quickly. They write into the folder of their run.
var calls = map[string][]string{
	"base-params":       {"base-params", "rob.urdf"},
	"codegen":           {"codegen", "rob.urdf", "-o", "out"},
	"robot":             {"robot", "rob.urdf"},
	"design-trajectory": {"design-trajectory", "rob.urdf", "--starts", "1", "-o", "out.csv"},
	"simulate":          {"simulate", "rob.urdf", "--trajectory", "m.json", "-o", "out.csv"},
	"check":             {"check", "run.csv", "--robot", "rob.urdf"},
	"convert":           {"convert", "run.csv", "-o", "out.parquet"},
	"reduce":            {"reduce", "run.csv", "--robot", "rob.urdf", "-o", "out.idr"},
	"merge":             {"merge", "run.idr", "run2.idr", "-o", "out.idr"},
	"drift":             {"drift", "week1.idr", "week2.idr", "week3.idr", "week4.idr", "week5.idr", "week6.idr"},
	"fit":               {"fit", "run.csv", "--robot", "rob.urdf", "-o", "out"},
	"evaluate":          {"evaluate", "rob.urdf", "run.csv", "-o", "states.csv"},
	"validate":          {"validate", "res", "run2.csv"},
	"tool":              {"tool", "--design", "4", "--robot", "rob.urdf", "-o", "out.csv"},
	"watch":             {"watch", "res", "run2.csv", "--quiet-log", "run.csv"},
	"compare":           {"compare", "res", "res", "--validate", "run2.csv"},
	"gravity":           {"gravity", "slow.csv", "--robot", "rob.urdf", "-o", "out.json"},
	"loads":             {"loads", "res", "run.csv"},
	"plot":              {"plot", "res", "-o", "out"},
	"export":            {"export", "res", "--to", "urdf", "-o", "out.urdf"},
	"init":              {"init", "rob.urdf", "run.csv", "-o", "out.yaml"},
}

// without are the commands that no number reaches.
var without = []string{"demo", "lab", "man", "schema", "version"}

// further are arguments without which options mean nothing.
var further = map[string][]string{
	"validate bandwidth": {"--track"}, "validate controller": {"--replay"}, "fit memory": {"--follow"}, "fit period": {"--bootstrap", "10"},
	"design-trajectory static-speed": {"--static", "6"}, "fit prior-weight": {"--physically-consistent", "--prior", "robot"},
	"design-trajectory tip-speed": {"--self-collision"}, "design-trajectory clearance": {"--self-collision"},
}

// forms of the values of options that are no plain numbers; V is the value.
var forms = map[string][]string{
	"gravity": {"V,0,-9.81", "V,V,V"}, "gains": {"V,V"}, "gain-sigma": {"V,V", "V%"}, "lock": {"j1=V"}, "set": {"a=V"}, "assembly": {"j1=V"},
	"known": {"MX2=V", "MX2=1±V", "MX2=V+-1", "MX2=V±V%"}, "weight": {"run=V"}, "mass": {"l1=V:V", "l1=:V"}, "total-mass": {"V:", ":V", "V:V"}, "centre-box": {"l1=V:V,V:V,V:V"},
	"centre-ellipsoid": {"l1=0,0,0,V,V,V"}, "body-ellipsoid": {"l1=V,V,V,V,V,V"}, "rows": {"run:V-V", "run:1-V"}, "velocity-limits": {"V,V"},
	"acceleration-limits": {"V,V"}, "jerk-limits": {"V,V"}, "torque-limits": {"V,V"}, "power-limits": {"V,V"}, "position-limits": {"-V:V,-1:1", "V:V,V:V"},
	"controller": {"pd kp=V kd=V", "pd kp=600,? kd=V"}, "keep-out": {"box:V,V,V:1,1,1", "plane:0,0,V:V"}, "noise": {"V,V"}, "start": {"V,V"}, "end": {"V,V"},
	"tip": {"l2:V,V,V"}, "payload": {"l2=V", "l2=V,V,V,V"}, "terms": {"links,Ia,Fv,Fs,Fo,Fst:V", "links,Fv,Fs,Tr:V", "links,Fw:V", "links,Fh:V"},
	"joint-terms": {"j1=Fst:V"}, "unit": {"q1=V"}, "contact": {"l2:V,V,V"}, "point": {"V,V,V"}, "density": {"l1=V"}, "hold": {"j1=V"}, "near": {"j1=V"},
	"window": {"Vd"}, "scale": {"tau1=V", "q*=V", "t=V"}, "zero": {"tau1=V", "q1=V", "t=V"}, "friction": {"Fc=V"}, "sensors": {"V"}, "torque-noise": {"V,V"}, "velocity-noise": {"V,V"}, "position-noise": {"V,V"},
}

// files are the options that name one; they take no number.
var files = []string{"output", "config", "html", "fix", "series", "robot", "loops", "trajectory", "after", "like", "base-motion", "package"}

// document is the part of the JSON of ident schema options that the study reads.
type document struct {
	Commands []struct {
		Name    string `json:"name"`
		Options []struct {
			Name    string   `json:"name"`
			Type    string   `json:"type"`
			Choices []string `json:"choices"`
			Free    bool     `json:"free"`
		} `json:"options"`
	} `json:"commands"`
}

// options returns the attempts on options, by the list that the program gives of itself. Every option that takes a
// value gets every value by itself, and in its own form where it has one; those with a list of words, and those that
// name files, get none.
func (s *study) options() ([]attempt, error) {
	text, err := s.command(s.work, "schema", "options")
	if err != nil {
		return nil, err
	}
	var doc document
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		return nil, fmt.Errorf("the list of options: %w", err)
	}
	var out []attempt
	known, called := map[string]bool{}, map[string]bool{}
	for _, c := range doc.Commands {
		call := calls[c.Name]
		if called[c.Name] = true; call == nil {
			if !slices.Contains(without, c.Name) {
				return nil, fmt.Errorf("the study has no call of %s", c.Name)
			}
			continue
		}
		for _, o := range c.Options {
			known[o.Name], known[c.Name+" "+o.Name] = true, true
			if o.Type == "bool" || slices.Contains(files, o.Name) || len(o.Choices) > 0 && !o.Free {
				continue
			}
			for _, v := range values {
				for _, form := range append([]string{"V"}, forms[o.Name]...) {
					value := strings.ReplaceAll(form, "V", v)
					args := slices.Concat(call, further[c.Name+" "+o.Name], []string{"--" + o.Name + "=" + value})
					if slices.Contains(args, "--follow") {
						args[1] = "-"
					}
					out = append(out, attempt{Name: fmt.Sprintf("options %s --%s=%s", c.Name, o.Name, value), Args: args})
				}
			}
		}
	}
	for name := range calls {
		if !called[name] {
			return nil, fmt.Errorf("the program has no command %s", name)
		}
	}
	for _, names := range []iter.Seq[string]{maps.Keys(further), maps.Keys(forms), slices.Values(files)} {
		for name := range names {
			if !known[name] {
				return nil, fmt.Errorf("the program has no option %s", name)
			}
		}
	}
	for name, more := range further {
		command, _, _ := strings.Cut(name, " ")
		for _, arg := range more {
			if option, ok := strings.CutPrefix(arg, "--"); ok && !known[command+" "+option] {
				return nil, fmt.Errorf("%s has no option %s", command, arg)
			}
		}
	}
	return out, nil
}

// keys returns the attempts on the keys of the project file.
func (s *study) keys() ([]attempt, error) {
	yaml := map[string]string{"nan": ".nan", "inf": ".inf", "-inf": "-.inf"}
	var out []attempt
	for _, t := range project.Table() {
		for _, v := range values {
			if y, ok := yaml[v]; ok {
				v = y
			}
			for i, form := range keyForms(t, v) {
				text := t.Key + ": " + form + "\n"
				if section, key, ok := strings.Cut(t.Key, "."); ok {
					text = section + ":\n  " + key + ": " + form + "\n"
				}
				for _, name := range []string{"check", "fit", "reduce", "validate", "design-trajectory"} {
					out = append(out, attempt{Name: fmt.Sprintf("keys %s %s: %s (%d)", name, t.Key, v, i), Args: calls[name], Yaml: text})
				}
			}
		}
	}
	return out, nil
}

// keyForms returns the forms of a value that a key takes: by itself, and those of its option where it holds numbers in
// texts.
func keyForms(t project.Setting, v string) []string {
	names := map[string]string{"lock": "j1", "assembly": "j1", "weights": "run", "set": "a", "scale": "tau1", "zero": "q1"}
	switch {
	case names[t.Key] != "":
		return []string{fmt.Sprintf("{%s: %s}", names[t.Key], v)}
	case t.Key == "known":
		return []string{fmt.Sprintf("{MX2: %s}", v), fmt.Sprintf("{MX2: \"1±%s\"}", v), fmt.Sprintf("{MX2: \"%s+-%[1]s\"}", v)}
	case t.Key == "limits.position":
		return []string{fmt.Sprintf("[[-1, %s], [-1, 1]]", v), fmt.Sprintf("[[%s, %[1]s], [%[1]s, %[1]s]]", v)}
	case strings.HasPrefix(t.Key, "limits."), t.Key == "gains":
		return []string{fmt.Sprintf("[%s, %[1]s]", v)}
	case t.Key == "gravity":
		return []string{fmt.Sprintf("[%s, 0, -9.81]", v), fmt.Sprintf("[%s, %[1]s, %[1]s]", v)}
	}
	out := []string{v}
	for _, form := range forms[t.Option] {
		text := strings.ReplaceAll(form, "V", strings.TrimPrefix(strings.Replace(v, "-.", "-", 1), "."))
		name, value, named := strings.Cut(text, "=")
		if t.Key == "rows" {
			name, value, named = strings.Cut(text, ":")
		}
		switch {
		case t.Key == "terms" || t.Key == "gain-sigma":
			out = append(out, `["`+strings.ReplaceAll(text, ",", `", "`)+`"]`)
		case named && slices.Contains([]string{"rows", "mass", "centre-box", "centre-ellipsoid", "body-ellipsoid", "joint-terms", "units"}, t.Key):
			out = append(out, fmt.Sprintf("{%s: %q}", name, value))
		default:
			out = append(out, fmt.Sprintf("%q", text))
		}
	}
	return out
}

// scales returns the attempts on logs.
func (s *study) scales() ([]attempt, error) {
	log, err := s.log()
	if err != nil {
		return nil, err
	}
	logs := map[string]string{}
	for _, kind := range []string{"t", "q", "dq", "tau"} {
		for e := -300; e <= 300; e += 50 {
			logs[fmt.Sprintf("%s 1e%d", kind, e)] = log.with(func(channel string, row int, v float64) float64 {
				return scaled(channel, kind, v, math.Pow(10, float64(e)))
			}, 0)
		}
		for _, e := range []int{-155, -12, -6, -3, 3, 6, 12, 155} {
			logs[fmt.Sprintf("%s 1e%d", kind, e)] = log.with(func(channel string, row int, v float64) float64 {
				return scaled(channel, kind, v, math.Pow(10, float64(e)))
			}, 0)
		}
		logs[kind+" denormal"] = log.with(func(channel string, row int, v float64) float64 {
			return scaled(channel, kind, math.Round(10*v), math.SmallestNonzeroFloat64)
		}, 0)
		logs[kind+" constant"] = log.with(func(channel string, row int, v float64) float64 {
			if of(channel, kind) {
				return 0.7
			}
			return v
		}, 0)
		logs[kind+" one value beyond"] = log.with(func(channel string, row int, v float64) float64 {
			if row == 500 {
				return scaled(channel, kind, v, 1e300)
			}
			return v
		}, 0)
	}
	same := func(_ string, _ int, v float64) float64 { return v }
	for _, rows := range []int{1, 2, 3, 11, 12, 13, 40, 60, 100} {
		logs[fmt.Sprintf("rows %d", rows)] = log.with(same, rows)
	}
	var out []attempt
	for name, text := range logs {
		for _, call := range [][]string{
			{"check", "scaled.csv", "--robot", "rob.urdf"},
			{"fit", "scaled.csv", "--robot", "rob.urdf", "-o", "out"},
			{"fit", "scaled.csv", "--robot", "rob.urdf", "-o", "out", "--force"},
			{"fit", "scaled.csv", "--robot", "rob.urdf", "-o", "out", "--force", "--plain"},
			{"fit", "scaled.csv", "--robot", "rob.urdf", "-o", "out", "--force", "--physically-consistent", "--prior", "robot"},
			{"fit", "scaled.csv", "--robot", "rob.urdf", "-o", "out", "--force", "--estimator", "irls"},
			{"fit", "scaled.csv", "--robot", "rob.urdf", "-o", "out", "--force", "--model", "energy"},
			{"fit", "run.csv", "scaled.csv", "--robot", "rob.urdf", "-o", "out", "--force"},
			{"fit", "run.csv", "--validate", "scaled.csv", "--robot", "rob.urdf", "-o", "out", "--force"},
			{"validate", "res", "scaled.csv"},
			{"validate", "res", "scaled.csv", "--replay"},
			{"reduce", "scaled.csv", "--robot", "rob.urdf", "-o", "out.idr"},
			{"loads", "res", "scaled.csv"},
			{"gravity", "scaled.csv", "--robot", "rob.urdf", "-o", "out.json"},
			{"init", "rob.urdf", "scaled.csv", "-o", "out.yaml"},
			{"convert", "scaled.csv", "-o", "out.parquet"},
		} {
			out = append(out, attempt{Name: "scales " + call[0] + " " + name + " | " + strings.Join(call[1:], " "), Args: call, Log: text})
		}
	}
	return out, nil
}

// of reports whether a channel is of a kind: t, q, dq or tau with a joint's number.
func of(channel, kind string) bool {
	rest, ok := strings.CutPrefix(channel, kind)
	return ok && (rest == "") == (kind == "t") && strings.Trim(rest, "0123456789") == ""
}

func scaled(channel, kind string, v, factor float64) float64 {
	if of(channel, kind) {
		return v * factor
	}
	return v
}

// table is a log as text.
type table struct {
	names []string
	rows  [][]float64
}

// log reads the log of the study.
func (s *study) log() (*table, error) {
	text, err := os.ReadFile(filepath.Join(s.work, "run.csv"))
	if err != nil {
		return nil, err
	}
	t := new(table)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
		case t.names == nil:
			t.names = strings.Split(line, ",")
		default:
			var row []float64
			for _, f := range strings.Split(line, ",") {
				v, err := strconv.ParseFloat(f, 64)
				if err != nil {
					return nil, err
				}
				row = append(row, v)
			}
			t.rows = append(t.rows, row)
		}
	}
	if t.names[0] != "t" {
		return nil, fmt.Errorf("run.csv begins with channel %q", t.names[0])
	}
	return t, nil
}

// with returns the log with its values changed, and so many rows alone, 0 for all.
func (t *table) with(change func(channel string, row int, v float64) float64, rows int) string {
	var b strings.Builder
	b.WriteString(strings.Join(t.names, ",") + "\n")
	for i, row := range t.rows {
		if rows > 0 && i == rows {
			break
		}
		for c, v := range row {
			if c > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.FormatFloat(change(t.names[c], i, v), 'g', -1, 64))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
