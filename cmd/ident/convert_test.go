package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/internal/long"
)

const oneJoint = `<robot name="arm"><link name="base"/>
<link name="l"><inertial><mass value="2"/><origin xyz="0.1 0 0"/><inertia ixx="0.01" iyy="0.02" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="l"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="3" effort="50"/></joint></robot>`

// TestFitNeedsNothingButAConvertedLog fits two runs, and then the same two out of one file of each format,
// which has the robot and the runs with it: the same parameters, to the last digit.
func TestFitNeedsNothingButAConvertedLog(t *testing.T) {
	long.Only(t, "a fit of the whole example")
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("arm.urdf"), []byte(oneJoint), 0o644); err != nil {
		t.Fatal(err)
	}
	commandLine(t, exitDone, "design-trajectory", at("arm.urdf"), "--period", "4", "--harmonics", "2", "--acceleration-limits", "10", "-o", at("m.json"))
	var runs []string
	for _, seed := range []string{"1", "2"} {
		csv := at("run" + seed + ".csv")
		commandLine(t, exitDone, "simulate", at("arm.urdf"), "--trajectory", at("m.json"), "--rate", "200", "--seed", seed, "--torque-noise", "0.02", "-o", csv)
		runs = append(runs, csv)
	}
	fit := func(logs ...string) string {
		t.Helper()
		out, _ := commandLine(t, exitDone, append([]string{"fit", "--json", "-o", at("result")}, logs...)...)
		var doc struct {
			Base json.RawMessage `json:"base_parameters"`
			Fit  json.RawMessage `json:"fit"`
		}
		if err := json.Unmarshal([]byte(out), &doc); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(at("result")); err != nil {
			t.Fatal(err)
		}
		return string(doc.Base) + string(doc.Fit)
	}
	want := fit(runs...)
	if !strings.Contains(want, "ZZ1R") {
		t.Fatal(want)
	}
	for _, name := range []string{"both.csv.zst", "both.parquet", "both.arrow", "both.mcap", "both.npz", "both.mat"} {
		commandLine(t, exitDone, append([]string{"convert", "-o", at(name)}, runs...)...)
		if got := fit(at(name)); got != want {
			t.Errorf("%s: another result", name)
		}
	}
}

// TestRecordingsFindTheirJoints reads recordings of ROS for a robot whose joints are named as in
// the messages, and for one whose joints are not.
func TestRecordingsFindTheirJoints(t *testing.T) {
	foreign := filepath.Join("..", "..", "datasets", "testdata", "foreign")
	dir := t.TempDir()
	arm := func(first, second string) string {
		text := `<robot name="two"><link name="base"/><link name="l1"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="l2"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="` + first + `" type="continuous"><parent link="base"/><child link="l1"/></joint>
<joint name="` + second + `" type="continuous"><parent link="l1"/><child link="l2"/><origin xyz="1 0 0"/></joint></robot>`
		path := filepath.Join(dir, first+".urdf")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, name := range []string{"ros1_lz4.bag", "ros2_zstd.mcap", "ros2.db3"} {
		log := filepath.Join(foreign, name)
		out, _ := commandLine(t, exitDone, "convert", log, "--robot", arm("a", "b"), "-o", filepath.Join(dir, "x.csv"))
		if !strings.Contains(out, "40 rows of 7 channels") {
			t.Error(out)
		}
		text, err := os.ReadFile(filepath.Join(dir, "x.csv"))
		if err != nil || !strings.HasPrefix(string(text), "t,q_a,q_b,dq_a,dq_b,tau_a,tau_b\n0,0,0,0,0,0,7\n0.01,0.125,-0.25,0.0625,0.5,3,6.875\n") {
			t.Errorf("%v: %s", err, text)
		}
		_, errs := commandLine(t, exitFailed, "check", log, "--robot", arm("shoulder", "elbow"))
		if !strings.Contains(errs, "q_a") || !strings.Contains(errs, "tau1=tau_a") {
			t.Error(errs)
		}
		_, errs = commandLine(t, exitFailed, "check", log, "--robot", arm("a", "b"), "--topic", "/joints")
		if !strings.Contains(errs, "/chatter (std_msgs") || !strings.Contains(errs, "/arm/joint_states (sensor_msgs/") {
			t.Error(errs)
		}
	}
}
