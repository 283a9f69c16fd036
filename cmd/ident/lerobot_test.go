package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"ident/datasets"
	"ident/internal/lerobottest"
	"ident/result"
)

// A data set in the shape of LeRobot, with two episodes in one file and torques, is fitted by one command: positions and torques by the names
// of their lists, each episode a run.
func TestLeRobotFit(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("arm.urdf"), []byte(twoJoints), 0o644); err != nil {
		t.Fatal(err)
	}
	commandLine(t, 0, "design-trajectory", at("arm.urdf"), "-o", at("motion.csv"), "--period", "8", "--starts", "1", "--seed", "3")
	commandLine(t, 0, "simulate", at("arm.urdf"), "--trajectory", at("motion.csv"), "--rate", "100", "--repeat", "2", "-o", at("log.parquet"))
	l, err := datasets.Open(at("log.parquet"), datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cols, err := l.Columns("t", "q1", "q2", "tau1", "tau2")
	if err != nil {
		t.Fatal(err)
	}
	s := &lerobottest.Set{Lists: map[string][][]float32{}, Order: []string{"observation.state", "observation.effort"}, Rate: 100,
		Names: map[string][]string{"observation.state": {"elbow.pos", "shoulder.pos"}}} // in another order than the robot's joints
	half := l.Rows() / 2
	for i := range 2 * half {
		s.Time = append(s.Time, float32(cols[0][i]-cols[0][i/half*half]))
		s.Episode = append(s.Episode, int64(i/half))
		s.Lists["observation.state"] = append(s.Lists["observation.state"], []float32{float32(cols[2][i]), float32(cols[1][i])})
		s.Lists["observation.effort"] = append(s.Lists["observation.effort"], []float32{float32(cols[3][i]), float32(cols[4][i])})
	}
	path := s.Write(t, at("set"))
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
