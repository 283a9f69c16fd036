package main

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"ident/cmd/ident/internal/table"
	"ident/internal/long"
	"ident/internal/testrobot"
)

// modelsMeasured fits a measured log by several models. Verdicts of the energy and
// power models fail on such logs, so the exit code may be either.
func modelsMeasured(t *testing.T, args ...string) (map[string]table.ModelFit, []table.ModelAgreement) {
	t.Helper()
	data := filepath.Join(testrobot.DataDir(t), "data")
	line := []string{"fit", "--json", "-o", filepath.Join(t.TempDir(), "result")}
	for _, a := range args {
		line = append(line, strings.ReplaceAll(a, "data:", data+"/"))
	}
	var out, errs bytes.Buffer
	if code := run(context.Background(), line, streams{out: &out, err: &errs}); code != exitDone && code != exitVerdict {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	var doc table.Models
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	models := map[string]table.ModelFit{}
	for _, m := range doc.Models {
		models[m.Model] = m
		t.Logf("%s: %d rows, own error %.3g %%, torques %.3f %%, validation %.3f %%, condition %.3g", m.Model, m.Rows, m.OwnErrorPercent, m.Fit.Stacked, m.Validation.Stacked, m.Condition.Scaled)
	}
	for _, g := range doc.Agreements {
		t.Logf("%+v", g)
	}
	return models, doc.Agreements
}

// The models with a row for each joint predict a log that they have not seen as
// well as each other, to a twentieth of the error, though only one of them looks
// at accelerations. Those with one row for all joints know less: the power of the
// large joints hides that of the small.
func TestMeasuredModels(t *testing.T) {
	long.Only(t, "regression.TestModelsAgreeWithoutNoise and TestModelsDisagreeOnlyForAReason compare the models")
	for name, c := range map[string]struct {
		args       []string
		validation float64 // percent, as of the dynamic fit in measured_test.go
	}{
		"panda": {[]string{"data:panda/gaz_exciting_traj_1.csv.gz", "--robot", "data:panda/model/panda_mdh_kinematics.urdf",
			"--train-fraction", "0.6", "--velocity", "measured", "--cutoff", "10", "--model", "dynamic,energy,filtered,momentum"}, 1.16},
		"kuka": {[]string{"data:kuka_lwr4/measurements_2.csv.gz", "data:kuka_lwr4/measurements_3.csv.gz", "--validate", "data:kuka_lwr4/measurements_1.csv.gz",
			"--robot", "data:kuka_lwr4/model/kuka_lwr4.urdf", "--cutoff", "8", "--model", "dynamic,filtered"}, 2.46},
	} {
		t.Run(name, func(t *testing.T) {
			models, agreements := modelsMeasured(t, c.args...)
			for m := range models {
				if m == "energy" {
					continue
				}
				atMost(t, m+": validation error, %", models[m].Validation.Stacked, c.validation)
				if off := models[m].Validation.Stacked / models["dynamic"].Validation.Stacked; off > 1.05 {
					t.Errorf("%s predicts %g times as badly as the dynamic model", m, off)
				}
			}
			for _, g := range agreements {
				if g.A == "energy" || g.B == "energy" {
					continue
				}
				// Apart or not, they are within their own deviations.
				if g.Unknown != "" || g.Within >= 1 {
					t.Errorf("%+v", g)
				}
			}
		})
	}
}
