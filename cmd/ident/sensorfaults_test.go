package main

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"ident/internal/long"
	"ident/simulate/sensors"
)

// Every fault of simulated logs is a test of the doctor: the findings that name it, any of them. Where the list is
// empty, ident check has no finding of the fault at its usual size on this arm.
func TestDoctorOnSimulatedFaults(t *testing.T) {
	long.Only(t, "package doctor's TestFaults and TestCorpus find the same faults")
	want := map[string][]string{
		"encoder": {"quantised"}, "late-velocity": {"lag-velocity"}, "late-torque": {"lag-torque"},
		"jitter": {"clock-jitter"}, "dropped": {"clock-jitter", "clock-gap"}, "repeated": {"dropout"}, "outliers": {"spike"}, "spikes": {"spike"},
		"saturated": {"saturated"}, "offset-drift": {"drift"}, "offset-step": {"drift"}, "warming": {"drift"}, "scale": {"gear-ratio"}, "sign": {"sign"},
		"stuck": {"stuck", "lag-velocity"},
		// A zero turns the body's frame with it, and gravity tells it where other links move only.
		"zero": nil, "flexible": nil, "velocity-quantum": nil, "torque-quantum": nil, "backlash": nil, "ripple": nil,
	}
	files := t.TempDir()
	helpFiles(t, files)
	for i, d := range sensors.List() {
		ids, listed := want[d.Name]
		if !listed {
			t.Errorf("%s: no finding is listed", d.Name)
		}
		if !long.Set() && i%3 != 0 {
			continue
		}
		fault := d.Name
		switch fault {
		case "zero", "offset-drift", "offset-step", "stuck", "scale", "sign": // of all joints alike it is another cause
			fault += ":1"
		}
		log := filepath.Join(files, "faulty.parquet")
		var out, errs bytes.Buffer
		args := []string{"simulate", filepath.Join(files, "arm.urdf"), "--trajectory", filepath.Join(files, "traj.json"), "--repeat", "4", "--rate", "200", "--faults", fault, "-o", log}
		if code := run(context.Background(), args, streams{out: &out, err: &errs}); code != exitDone {
			t.Fatalf("%s: %s", fault, errs.String())
		}
		out.Reset()
		if code := run(context.Background(), []string{"check", log, "--json"}, streams{out: &out, err: &errs}); code != exitDone && code != exitVerdict {
			t.Fatalf("%s: %d %s", fault, code, errs.String())
		}
		var doc struct {
			Findings []struct{ ID, Severity string }
		}
		if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
			t.Fatal(err)
		}
		found, said := false, []string{}
		for _, f := range doc.Findings {
			if f.ID != "skipped" {
				said = append(said, f.ID+" "+f.Severity)
			}
			found = found || slices.Contains(ids, f.ID)
		}
		switch {
		case len(ids) > 0 && !found:
			t.Errorf("%s: the doctor finds %q, want one of %q", fault, said, ids)
		default:
			t.Logf("%s: %q", fault, said)
		}
	}
}
