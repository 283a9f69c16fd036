package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/physical"
	"ident/result"
)

// measuredFits are the documents of fits that several tests look at, by command line.
var measuredFits = map[string]*result.Result{}

// fitMeasured runs `ident fit` on files of the data folder (arguments that start with data:) and returns its
// document, which the test must not write: the same command is run once for all tests.
func fitMeasured(t *testing.T, args ...string) *result.Result {
	t.Helper()
	key := strings.Join(args, " ")
	if res := measuredFits[key]; res != nil {
		return res
	}
	data := filepath.Join(testrobot.DataDir(t), "data")
	line := []string{"fit"}
	for _, a := range args {
		line = append(line, strings.ReplaceAll(a, "data:", data+"/"))
	}
	line = append(line, "--json", "-o", filepath.Join(t.TempDir(), "result"))
	var out, errs bytes.Buffer
	if code := run(context.Background(), line, streams{out: &out, err: &errs}); code != exitDone {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	res := new(result.Result)
	if err := json.Unmarshal(out.Bytes(), res); err != nil {
		t.Fatal(err)
	}
	measuredFits[key] = res
	return res
}

func atMost(t *testing.T, what string, got, limit float64) {
	t.Helper()
	t.Logf("%s: %.4g (limit %.4g)", what, got, limit)
	if !(got <= limit) {
		t.Errorf("%s is %.4g, want at most %.4g", what, got, limit)
	}
}

// rmseAtMost holds each joint's error to 1.1 times the error that careful least squares
// left when the data were collected (PROVENANCE.md of each log).
func rmseAtMost(t *testing.T, got, known []float64) {
	t.Helper()
	for k := range known {
		if !(got[k] <= 1.1*known[k]) {
			t.Errorf("joint %d: RMSE %.4g, want at most 1.1 × %.4g", k+1, got[k], known[k])
		}
	}
}

func TestMeasuredKuka(t *testing.T) {
	notShort(t)
	r := fitMeasured(t, "--plain", "data:kuka_lwr4/measurements_2.csv.gz", "data:kuka_lwr4/measurements_3.csv.gz",
		"--validate", "data:kuka_lwr4/measurements_1.csv.gz", "--robot", "data:kuka_lwr4/model/kuka_lwr4.urdf", "--cutoff", "8")
	atMost(t, "validation error at 8 Hz, %", r.Validation.RelativeError.Stacked, 2.55)
	rmseAtMost(t, r.Validation.RMSE, []float64{0.3823, 0.281, 0.2769, 0.2643, 0.2629, 0.1939, 0.1824})
}

func TestMeasuredPanda(t *testing.T) {
	long.Only(t, "TestChoicesMeasured bounds the error of the same log, TestMeasuredKuka that of a plain fit")
	r := fitMeasured(t, "--plain", "data:panda/gaz_exciting_traj_1.csv.gz", "--robot", "data:panda/model/panda_mdh_kinematics.urdf",
		"--train-fraction", "0.6", "--velocity", "measured", "--cutoff", "10")
	atMost(t, "validation error at 10 Hz, %", r.Validation.RelativeError.Stacked, 1.16)
	rmseAtMost(t, r.Validation.RMSE, []float64{0.155, 0.1658, 0.1373, 0.1461, 0.0696, 0.0465, 0.0506})
}

func TestMeasuredTX40(t *testing.T) {
	long.Only(t, "doctor.TestTX40Wrist finds the coupling")
	r := fitMeasured(t, "data:tx40/tx40_joint_side_5kHz.csv.gz", "--robot", "data:tx40/model/tx40_mdh_modified.urdf",
		"--coupling", "joint_6=joint_5+joint_6", "--cutoff", "20", "--trim", "0")
	atMost(t, "error at 20 Hz, %", r.Fit.RelativeError.Stacked, 7.45)
}

func TestMeasuredEMPS(t *testing.T) {
	r := fitMeasured(t, "--plain", "data:emps/emps_training.csv.gz", "--robot", "data:emps/model/emps.urdf",
		"--map", "tau1=force", "--cutoff", "100", "--decimate", "100", "--trim", "0")
	atMost(t, "error after decimation by 100, %", r.Fit.RelativeError.Stacked, 3.40)
	published := map[string]float64{"M1R": 95.11, "Fv1": 203.50, "Fs1": 20.39}
	for _, p := range r.BaseParameters {
		want, ok := published[p.Name]
		if !ok {
			continue
		}
		delete(published, p.Name)
		atMost(t, p.Name+" against the published value, %", 100*math.Abs(p.Value/want-1), 2)
	}
	if len(published) > 0 {
		t.Errorf("not estimated: %v", published)
	}
}

func TestMeasuredUR10e(t *testing.T) {
	long.Only(t, "TestChoicesMeasured bounds the error of the same fit by less")
	r := fitMeasured(t, "data:ur10e/identification/ur-20_02_10-30sec_12harm.csv.gz", "--validate", "data:ur10e/validation/ur-20_01_17-ptp_10_points.csv.gz",
		"--robot", "data:ur10e/model/ur10e.urdf", "--gains", "10.0000,10.6956,8.4566,9.0029,9.4800,10.1232",
		"--rows", "ur-20_02_10-30sec_12harm.csv.gz:635-3510", "--rows", "ur-20_01_17-ptp_10_points.csv.gz:700-4200")
	atMost(t, "validation error against the raw torque, %", r.Validation.RelativeErrorRaw.Stacked, 6.3)
}

// The published physically consistent set of the Panda leaves 2.08 %.
func TestMeasuredPandaConsistent(t *testing.T) {
	long.Only(t, "TestChoicesMeasured has feasible bodies chosen")
	r := fitMeasured(t, "data:panda/gaz_exciting_traj_1.csv.gz", "--robot", "data:panda/model/panda_mdh_kinematics.urdf",
		"--train-fraction", "0.6", "--velocity", "measured", "--cutoff", "10", "--physically-consistent")
	atMost(t, "validation error at 10 Hz, %", r.Validation.RelativeError.Stacked, 1.22)
	consistent(t, r)
}

func TestMeasuredKukaConsistent(t *testing.T) {
	long.Only(t, "TestChoicesMeasured has feasible bodies chosen")
	r := fitMeasured(t, "data:kuka_lwr4/measurements_2.csv.gz", "data:kuka_lwr4/measurements_3.csv.gz", "--validate", "data:kuka_lwr4/measurements_1.csv.gz",
		"--robot", "data:kuka_lwr4/model/kuka_lwr4.urdf", "--cutoff", "8", "--physically-consistent")
	atMost(t, "validation error at 8 Hz, %", r.Validation.RelativeError.Stacked, 2.62)
	consistent(t, r)
}

// Run 3 is run 1's motion at twice the speed: the part of the accelerations that
// run 1 does not show is the prior's, with a weight that run 1 chose. Least squares
// leaves 15.5 %, and the CAD inertias with fitted friction 8.3 %.
func TestMeasuredKukaPrior(t *testing.T) {
	long.Only(t, "TestChoicesMeasured has the prior chosen")
	for _, distance := range []physical.Distance{physical.Entropic, physical.PullBack} {
		r := fitMeasured(t, "data:kuka_lwr4/measurements_1.csv.gz", "--validate", "data:kuka_lwr4/measurements_3.csv.gz",
			"--robot", "data:kuka_lwr4/model/kuka_lwr4.urdf", "--cutoff", "8", "--physically-consistent", "--prior", "robot", "--prior-distance", string(distance))
		atMost(t, string(distance)+": error on the faster run at 8 Hz, %", r.Validation.RelativeError.Stacked, 5.7)
		consistent(t, r)
		if c := r.Consistency; c.PriorWeight < 0.1 || c.PriorWeight > 1 || len(c.PriorDecided) == 0 {
			t.Errorf("weight %g; the prior decided %v", c.PriorWeight, c.PriorDecided)
		}
		t.Logf("weight %g; the prior decided %d of %d parameters", r.Consistency.PriorWeight, len(r.Consistency.PriorDecided), len(r.BaseParameters))
	}
}

func consistent(t *testing.T, r *result.Result) {
	t.Helper()
	if !r.PhysicallyConsistent || len(r.Impossible) > 0 || !strings.HasSuffix(r.Estimator, "+consistent") || r.Consistency == nil {
		t.Fatalf("%s: consistent %v, impossible %+v", r.Estimator, r.PhysicallyConsistent, r.Impossible)
	}
	c := r.Consistency
	t.Logf("%.3g standard deviations away, duality gap %.2g of %.4g after %d steps", c.DistanceSigma, c.DualityGap, c.Objective, c.Iterations)
	if !(c.DualityGap <= 1e-8*max(1, c.Objective)) {
		t.Errorf("duality gap %g of %g", c.DualityGap, c.Objective)
	}
}
