package doctor_test

import (
	"path/filepath"
	"testing"

	"ident/datasets"
	"ident/doctor"
	"ident/internal/testrobot"
	"ident/robot"
)

func examine(t *testing.T, model, log string, override map[string]string, opt doctor.Options) []doctor.Finding {
	t.Helper()
	dir := filepath.Join(testrobot.DataDir(t), "data")
	r, err := robot.Open(filepath.Join(dir, model), robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := datasets.Open(log, datasets.Options{BadRows: datasets.Drop})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	roles, _, err := datasets.MapChannels(l, r.JointNames(), override)
	if err != nil {
		t.Fatal(err)
	}
	f, err := doctor.Check(r, l, roles, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range f {
		t.Logf("%s %s [%s %s] %.5g/%.5g\n   %s\n   %s\n   %s", x.Severity, x.ID, x.Channel, x.Joint, x.Value, x.Limit, x.Where, x.Why, x.Fix)
	}
	return f
}

func TestReal(t *testing.T) {
	dir := filepath.Join(testrobot.DataDir(t), "data")
	for _, c := range []struct {
		model, logs string
		gains       []float64
	}{
		{"kuka_lwr4/model/kuka_lwr4.urdf", "kuka_lwr4/*.csv.gz", nil},
		{"panda/model/panda_mdh_gaz_phat.urdf", "panda/*.csv.gz", nil},
		{"tx40/model/tx40_mdh_modified.urdf", "tx40/tx40_joint*.csv.gz", nil},
		{"emps/model/emps.urdf", "emps/*.csv.gz", nil},
		{"ur10e/model/ur10e.urdf", "ur10e/*/*.csv.gz", []float64{10, 10.7, 8.4566, 9.0029, 9.48, 10.1232}},
	} {
		logs, _ := filepath.Glob(filepath.Join(dir, c.logs))
		for _, l := range logs {
			t.Run(filepath.Base(l), func(t *testing.T) {
				examine(t, c.model, l, nil, doctor.Options{Gains: c.gains})
			})
		}
	}
}
