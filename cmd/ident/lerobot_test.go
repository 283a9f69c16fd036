package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"ident/result"
)

// A data set in the shape of LeRobot, with two episodes in one file and torques, is fitted by one command: positions and torques by the names
// of their lists, each episode a run. It is the simulated motion of the arm, joints in another order than the robot's, in lists of float32 by
// Arrow's own library, as internal/lerobottest writes them.
func TestLeRobotFit(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("arm.urdf"), []byte(twoJoints), 0o644); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "lerobot", "data", "chunk-000", "file-000.parquet")
	commandLine(t, 0, "fit", path, "--robot", at("arm.urdf"), "-o", at("fit"))
	text, err := os.ReadFile(at("fit/result.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r result.Result
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d parameters, %.2g %%", len(r.BaseParameters), r.Fit.RelativeError.Stacked)
	if r.Fit.RelativeError.Stacked > 1 || len(r.BaseParameters) < 8 {
		t.Errorf("relative error %.3g %% of %d parameters", r.Fit.RelativeError.Stacked, len(r.BaseParameters))
	}
}
