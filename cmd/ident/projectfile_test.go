package main_test

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"ident/cmd/ident/internal/projectfile"
	"ident/doctor"
	"ident/identify/project"
)

const written = `# The arm in the hall.
robot: arm.urdf   # not the one of the lab

on-bad: error # strict
units:
  q1: rad # by the data sheet
  q2: rad
map: {tau1: force}  # sensor
#trim: 0.5
#lock:
#  elbow: 0
couplings:
    - "a=b+c"
`

// Settings go into a file of somebody: its other bytes stay, changed values name the former ones, keys that are turned
// off get their line below, new ones stand at the end.
func TestMergeOfProjectFiles(t *testing.T) {
	got, err := projectfile.Merge(written, []projectfile.Repair{
		{Key: "on-bad", Value: "drop", Why: []string{"dropout q1"}},
		{Key: "units", Names: []string{"q1", "q3"}, Of: map[string]string{"q1": "deg", "q3": "deg"}, Why: []string{"units q1"}},
		{Key: "map", Names: []string{"tau1", "tau2"}, Of: map[string]string{"tau1": "f1", "tau2": "f2"}, Why: []string{"sign"}},
		{Key: "trim", Value: "1", Why: []string{"edge-transient"}},
		{Key: "lock", Names: []string{"elbow"}, Of: map[string]string{"elbow": "0.2"}, Why: []string{"dead"}},
		{Key: "couplings", Names: []string{"d=e+f"}, Why: []string{"coupling d"}},
		{Key: "velocity", Value: "position", Why: []string{"lag-velocity dq1"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `# The arm in the hall.
robot: arm.urdf   # not the one of the lab

on-bad: drop  # by ident check (dropout q1); was error; strict
units:
  q1: deg  # by ident check (units q1)
  q2: rad
  q3: deg  # by ident check (units q1)
map: {tau1: f1, tau2: f2}  # by ident check (sign); sensor
#trim: 0.5
# by ident check: edge-transient
trim: 1
#lock:
#  elbow: 0
# by ident check: dead
lock:
  elbow: 0.2
couplings:
    - "a=b+c"
    - "d=e+f"  # by ident check (coupling d)

# by ident check: lag-velocity dq1
velocity: position
`
	if got != want {
		t.Errorf("merged:\n%s\nwant:\n%s", got, want)
	}
	// Existing entries are left alone.
	again, err := projectfile.Merge(got, []projectfile.Repair{{Key: "on-bad", Value: "drop", Why: []string{"dropout q1"}}, {Key: "trim", Value: "1", Why: []string{"edge-transient"}}})
	if err != nil || again != got {
		t.Errorf("%v, merged twice:\n%s", err, again)
	}
	for _, text := range []string{"units: {q1: deg,\n  q2: deg}\n", "on-bad:\n  drop\n", "nonsense: [\n"} {
		if _, err := projectfile.Merge(text, []projectfile.Repair{{Key: "units", Names: []string{"q1"}, Of: map[string]string{"q1": "rad"}}, {Key: "on-bad", Value: "error"}}); err == nil {
			t.Errorf("%q takes settings", text)
		}
	}
}

func TestRepairsOfProjectFiles(t *testing.T) {
	finding := func(id, joint, channel string, severity doctor.Severity, settings ...doctor.Setting) project.Finding {
		f := project.Finding{}
		f.ID, f.Joint, f.Channel, f.Severity, f.Repair.Settings = id, joint, channel, severity, settings
		return f
	}
	got := projectfile.Repairs([]project.Finding{
		finding("units", "", "q1", doctor.Error, doctor.Setting{Key: "units", Name: "q1", Value: "deg"}),
		finding("units", "", "q2", doctor.Error, doctor.Setting{Key: "units", Name: "q2", Value: "deg"}),
		finding("dropout", "", "q2", doctor.Warning, doctor.Setting{Key: "on-bad", Value: "drop"}),
		finding("quantised", "", "q2", doctor.Info, doctor.Setting{Key: "trim", Value: "9"}),
	})
	if len(got) != 2 || strings.Join(got[0].Names, " ") != "q1 q2" || got[0].Of["q2"] != "deg" || strings.Join(got[0].Why, ",") != "units q1,units q2" || got[1].Value != "drop" {
		t.Errorf("%+v", got)
	}
}

// A name from outside stays a name: it adds no line and no setting to the file, in a key, a value or a comment.
func TestMergeNamesFromOutside(t *testing.T) {
	for _, name := range []string{"tau_3: tau1\ncutoff: 1\noutside-files: true #", "a: b", "a #b", "null", "{a", "[a", "[a]", "!a", "'a'", "1", "*a", "'", "a\u2028cutoff: 1", "a\rcutoff: 1", " a "} {
		for _, text := range []string{"# a file\n", "map: {tau1: force}\n", "map:\n  tau1: force\n", "#map:\n#  tau1: force\n"} {
			got, err := projectfile.Merge(text, []projectfile.Repair{{Key: "map", Names: []string{name, "tau2"}, Of: map[string]string{name: "f", "tau2": name}, Why: []string{"order " + name}}})
			if err != nil {
				t.Errorf("%q into %q: %v", name, text, err)
				continue
			}
			var set project.Settings
			if err := yaml.Unmarshal([]byte(got), &set); err != nil || set.Map[name] != "f" || set.Map["tau2"] != name || set.Cutoff != nil || set.OutsideFiles {
				t.Errorf("%q into %q: %v\n%s", name, text, err, got)
			}
		}
	}
}
