package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/result"
)

// Defaults alone reach on measured logs the figures of a careful hand, deciding on the
// training data only.
func TestChoicesMeasured(t *testing.T) {
	kuka := " --robot data:kuka_lwr4/model/kuka_lwr4.urdf --cutoff 8"
	run := func(n string) string { return "data:kuka_lwr4/measurements_" + n + ".csv.gz" }
	for _, c := range []struct {
		name, args string
		limit      float64 // %
		figure     func(r *result.Result) float64
		chosen     map[string]string // part of the choice, by decision
	}{
		{"panda", "data:panda/gaz_exciting_traj_1.csv.gz --robot data:panda/model/panda_mdh_kinematics.urdf --train-fraction 0.6 --cutoff 10", 1.20, unseen, nil},
		{"kuka 2+3", run("2") + " " + run("3") + " --validate " + run("1") + kuka, 2.60, unseen, map[string]string{"physically-consistent": possible}},
		{"kuka 1+2", run("1") + " " + run("2") + " --validate " + run("3") + kuka, 5.0, unseen, map[string]string{"physically-consistent": possible}},
		{"kuka 2", run("2") + " --validate " + run("3") + kuka, 3.4, unseen, map[string]string{"physically-consistent": possible, "prior-weight": "1", "terms": "links,Ia,Fs,Fo"}},
		{"kuka 3", run("3") + " --validate " + run("2") + kuka, 2.8, unseen, map[string]string{"physically-consistent": possible}},
		{"kuka 1", run("1") + " --validate " + run("2") + " --validate " + run("3") + kuka, 3.2, unseen, map[string]string{"physically-consistent": possible, "terms": "links,Ia,Fs,Fo"}},
		{"kuka 1 alone", run("1") + " --validate " + run("3") + kuka, 4.6, unseen, map[string]string{"physically-consistent": possible, "terms": "links,Ia,Fs,Fo"}},
		{"ur10e", "data:ur10e/identification/ur-20_02_10-30sec_12harm.csv.gz --validate data:ur10e/validation/ur-20_01_17-ptp_10_points.csv.gz --robot data:ur10e/model/ur10e.urdf --gains 10.0000,10.6956,8.4566,9.0029,9.4800,10.1232 --rows ur-20_02_10-30sec_12harm.csv.gz:635-3510 --rows ur-20_01_17-ptp_10_points.csv.gz:700-4200",
			5.9, func(r *result.Result) float64 { return r.Validation.RelativeErrorRaw.Stacked }, map[string]string{"terms": "Fst"}},
		{"emps", "data:emps/emps_training.csv.gz --robot data:emps/model/emps.urdf --map tau1=force --cutoff 100 --decimate 100 --trim 0", 2, trained, map[string]string{"terms": "Fa"}},
		{"tx40", "data:tx40/tx40_joint_side_5kHz.csv.gz --robot data:tx40/model/tx40_mdh_modified.urdf --cutoff 20 --trim 0", 7.1, trained, map[string]string{"coupling": "joint_6=joint_5+joint_6"}},
		{"tx40, last part", "data:tx40/tx40_joint_side_5kHz.csv.gz --robot data:tx40/model/tx40_mdh_modified.urdf --cutoff 20 --rows tx40_joint_side_5kHz.csv.gz:18001-45000", 3.6, trained, map[string]string{"coupling": "joint_6=joint_5+joint_6"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			switch {
			case !long.Set() && c.name != "emps":
				t.Skip("a choice of terms is made")
			case strings.HasPrefix(c.name, "tx40"):
				long.OnlyAll(t, "TestReadmeRobots fits a part of it")
			case strings.HasPrefix(c.name, "kuka"), c.name == "panda", c.name == "ur10e":
				long.Only(t, "emps is chosen for, and TestMeasuredKuka fits 2+3")
			}
			r := fitMeasured(t, strings.Fields(c.args)...)
			atMost(t, "error, %", c.figure(r), c.limit)
			for about, want := range c.chosen {
				found := ""
				for _, d := range r.Selection {
					if d.Decision == about {
						found = d.Chosen
					}
				}
				if !strings.Contains(found, want) {
					t.Errorf("%s: chosen %q, want %q", about, found, want)
				}
			}
			if text, err := json.Marshal(r.Selection); err != nil || len(r.Selection) < 2 {
				t.Errorf("selection %s, %v", text, err)
			}
		})
	}
}

const possible = "physically consistent"

// Every choice that a fit makes by itself can be declined by an option of its own, which leaves the others open.
func TestChoicesDeclined(t *testing.T) {
	long.Only(t, "the scripts decline terms, bodies and estimators")
	logs := []string{"data:emps/emps_training.csv.gz --robot data:emps/model/emps.urdf --map tau1=force"}
	long.Only(t, "fits of measured logs")
	if long.Set() {
		logs = append(logs, "data:kuka_lwr4/measurements_1.csv.gz --robot data:kuka_lwr4/model/kuka_lwr4.urdf")
	}
	if long.All() {
		logs = append(logs, "data:panda/gaz_exciting_traj_1.csv.gz --robot data:panda/model/panda_mdh_kinematics.urdf")
	}
	declines := map[string]string{"coupling": "--coupling none", "velocity": "--velocity measured", "motion-cutoff": "--motion-cutoff 50", "rest": "--rest keep", "physically-consistent": "--physically-consistent=no",
		"prior-weight": "--prior-weight 1", "terms": "--terms links,Ia,Fv,Fs,Fo", "estimator": "--estimator wls"}
	made := func(args string) (out []string) {
		for _, d := range fitMeasured(t, strings.Fields(args)...).Selection {
			out = append(out, d.Decision)
		}
		return out
	}
	for _, args := range logs {
		open := made(args)
		for _, about := range open {
			option, ok := declines[about]
			if !ok {
				t.Errorf("no option declines the choice of %s", about)
				continue
			}
			left := made(args + " " + option)
			if slices.Contains(left, about) {
				t.Errorf("%s: %s leaves the choice of %s open", args, option, about)
			}
			for _, other := range open {
				follows := about == "physically-consistent" && other == "prior-weight" || about == "prior-weight" && other == "physically-consistent"
				if other != about && !follows && !slices.Contains(left, other) {
					t.Errorf("%s: %s declines the choice of %s too", args, option, other)
				}
			}
		}
		t.Logf("%s: %v", args, open)
	}
}

func unseen(r *result.Result) float64  { return r.Validation.RelativeError.Stacked }
func trained(r *result.Result) float64 { return r.Fit.RelativeError.Stacked }
