package doctor_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"ident/datasets"
	"ident/doctor"
	draws "ident/internal/long"
	"ident/internal/testrobot"
	"ident/observation"
	"ident/robot"
	"ident/robot/format"
)

// examine has a measured log of the shared folder examined, with paths from its data folder.
func examine(t *testing.T, model, log string, opt doctor.Options) []doctor.Finding {
	t.Helper()
	return examineAs(t, model, log, nil, opt)
}

// examineAs is examine with channels mapped by hand.
func examineAs(t *testing.T, model, log string, channels map[string]string, opt doctor.Options) []doctor.Finding {
	t.Helper()
	return examinePart(t, model, log, 1, channels, opt)
}

// examinePart is examineAs with the first rows alone: this part of them.
func examinePart(t *testing.T, model, log string, part float64, channels map[string]string, opt doctor.Options) []doctor.Finding {
	t.Helper()
	dir := filepath.Join(testrobot.DataDir(t), "data")
	r, err := format.Open(filepath.Join(dir, model), robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := datasets.Open(filepath.Join(dir, log), datasets.Options{BadRows: datasets.Drop})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	roles, _, err := datasets.MapChannels(l, r.JointNames(), channels)
	if err != nil {
		t.Fatal(err)
	}
	f, err := doctor.Check(t.Context(), r, l.Slice(0, int(part*float64(l.Rows()))), roles, opt)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// count is the number of findings of a kind at a severity.
func count(f []doctor.Finding, id string, s doctor.Severity) int {
	n := 0
	for _, x := range f {
		if x.ID == id && x.Severity == s {
			n++
		}
	}
	return n
}

const (
	kuka  = "kuka_lwr4/model/kuka_lwr4.urdf"
	panda = "panda/model/panda_mdh_gaz_phat.urdf"
	tx40  = "tx40/model/tx40_mdh_modified.urdf"
	emps  = "emps/model/emps.urdf"
	ur10e = "ur10e/model/ur10e.urdf"
)

func gains() []float64 { return []float64{10, 10.6956, 8.4566, 9.0029, 9.48, 10.1232} }

// Measured logs that people identified robots from hold no error.
func TestMeasuredLogs(t *testing.T) {
	draws.Only(t, "TestCleanLogs stands for it")
	dir := filepath.Join(testrobot.DataDir(t), "data")
	for i, c := range []struct{ model, logs string }{
		{kuka, "kuka_lwr4/*.csv.gz"}, {panda, "panda/*.csv.gz"}, {tx40, "tx40/tx40_joint*.csv.gz"}, {emps, "emps/*.csv.gz"},
		{ur10e, "ur10e/identification/*.csv.gz"}, {ur10e, "ur10e/validation/*.csv.gz"}, {ur10e, "ur10e/jointwise/*.csv.gz"}, {ur10e, "ur10e/payload/*.csv.gz"},
	} {
		if i%draws.Of(1, 3) != 0 {
			continue // every third without IDENT_LONG
		}
		logs, err := filepath.Glob(filepath.Join(dir, c.logs))
		if err != nil || len(logs) == 0 {
			t.Fatalf("no logs %s", c.logs)
		}
		for _, path := range logs[:min(len(logs), draws.Of(len(logs), 1))] {
			log, _ := filepath.Rel(dir, path)
			t.Run(log, func(t *testing.T) {
				opt := doctor.Options{}
				if c.model == ur10e {
					opt.State.Gains = gains()
				}
				for _, f := range examine(t, c.model, log, opt) {
					if f.Severity == doctor.Error || (f.Severity == doctor.Warning && (c.model == tx40 && f.ID != doctor.Coupling || c.model == emps)) {
						t.Error(show(f))
					}
					// The wrist's currents come 10 to 20 ms late in every log of this arm.
					if f.Severity == doctor.Warning && f.ID != doctor.LagTorque && (strings.Contains(log, "30sec_12harm") || strings.Contains(log, "ptp_10")) {
						t.Error(show(f))
					}
				}
			})
		}
	}
}

// The KUKA's velocities end in the transient of the filter that was run over them.
func TestKukaEdges(t *testing.T) {
	draws.Only(t, "TestLimits stands for it")
	for _, log := range []string{"measurements_1", "measurements_2", "measurements_3"}[:draws.Of(3, 1)] {
		f := examine(t, kuka, "kuka_lwr4/"+log+".csv.gz", doctor.Options{})
		if n := count(f, doctor.EdgeTransient, doctor.Warning); n != 7 {
			t.Errorf("%s: %d of 7 joints with an edge", log, n)
		}
		for _, x := range f {
			if x.ID == doctor.EdgeTransient && (!strings.Contains(x.Where, "last") || !strings.Contains(x.Advice(), "{trim} 0.5")) {
				t.Error(show(x))
			}
		}
		f = examine(t, kuka, "kuka_lwr4/"+log+".csv.gz", doctor.Options{Trim: 0.5})
		if n := count(f, doctor.EdgeTransient, doctor.Info); n != 7 {
			t.Errorf("%s: with the ends cut, %d of 7 edges are only mentioned", log, n)
		}
		if count(f, doctor.ClockJitter, doctor.Info) != 1 {
			t.Errorf("%s: jitter not found", log)
		}
	}
}

// The Panda's log lost packets, prints positions coarsely, and its velocities come late.
func TestPandaPackets(t *testing.T) {
	draws.Only(t, "TestFaults stands for it")
	f := examine(t, panda, "panda/gaz_exciting_traj_1.csv.gz", doctor.Options{})
	if count(f, doctor.ClockGap, doctor.Info) != 1 || count(f, doctor.ClockJitter, doctor.Info) != 1 {
		t.Error("gaps or jitter not found")
	}
	if n := count(f, doctor.LagVelocity, doctor.Warning); n != 7 {
		t.Errorf("%d of 7 late velocities", n)
	}
	if count(f, doctor.Quantised, doctor.Info) == 0 {
		t.Error("coarse positions not found")
	}
}

// The two broken files of the UR10e.
func TestBrokenLogs(t *testing.T) {
	for _, c := range []struct {
		log string
		ids []string
	}{
		{"ur-19_09_27-11_32_02", []string{doctor.Spike}},
		{"ur-20_02_19_15harm50secLoad", []string{doctor.Spike, doctor.ClockBackward, doctor.ClockRepeat}},
	} {
		f := examine(t, ur10e, "ur10e/defects/"+c.log+".csv.gz", doctor.Options{State: observation.State{Gains: gains()}})
		for _, id := range c.ids {
			if count(f, id, doctor.Error) == 0 {
				t.Errorf("%s: %s not found", c.log, id)
			}
		}
		for _, x := range f {
			if x.Severity == doctor.Error && !strings.Contains(x.Where, "row") {
				t.Error(show(x))
			}
		}
	}
}

// The TX40's sixth motor turns with the fifth joint. So do the first three fifths of its log say, which do not determine that joint's own
// equation.
func TestTX40Wrist(t *testing.T) {
	for _, part := range []float64{1, 0.6} {
		if part == 1 && !draws.Set() {
			continue // TestFaults stands for it
		}
		found := false
		for _, f := range examinePart(t, tx40, "tx40/tx40_joint_side_5kHz.csv.gz", part, nil, doctor.Options{}) {
			if f.ID == doctor.Coupling {
				found = found || f.Joint == "joint_5" && strings.Contains(f.Fix, `"joint_6=joint_5+joint_6"`)
				if !strings.Contains(f.Why, "joint_5") || !strings.Contains(f.Why, "joint_6") {
					t.Error(show(f))
				}
			}
		}
		if !found {
			t.Errorf("the coupled wrist was not found in %g of the log", part)
		}
	}
}

// The Pandas' logs repeat whole rows where packets were lost: 1131 of 20544 and 14 of 727, counted by
// comparing the files' lines.
func TestPandaHeldRows(t *testing.T) {
	draws.Only(t, "TestFaults stands for it")
	for log, rows := range map[string]float64{"gaz_exciting_traj_1": 1131.0 / 20544, "unisa_panda_exciting": 14.0 / 727} {
		if !draws.Set() && rows > 0.05 {
			continue // the long one
		}
		found := false
		for _, f := range examine(t, panda, "panda/"+log+".csv.gz", doctor.Options{}) {
			if f.ID == doctor.Dropout && f.Channel == "t" {
				found = true
				if math.Abs(f.Value/rows-1) > 0.03 {
					t.Errorf("%s: %.4g of the rows, want %.4g", log, f.Value, rows)
				}
			}
		}
		if !found {
			t.Errorf("%s: held rows not found", log)
		}
	}
}

// The UR10e's motor currents, taken for torques, do not fit the bodies of its robot file.
func TestCurrentsTakenForTorques(t *testing.T) {
	m := map[string]string{}
	for _, j := range "123456" {
		m["tau"+string(j)] = "i" + string(j)
	}
	for _, log := range []string{"ur-20_02_10-30sec_12harm", "ur-20_02_12-40sec_12harm", "ur-20_02_06-20sec_10harm"}[:draws.Of(3, 1)] {
		f := examineAs(t, ur10e, "ur10e/identification/"+log+".csv.gz", m, doctor.Options{})
		if count(f, doctor.CurrentAsTorque, doctor.Warning) == 0 {
			t.Errorf("%s: not found", log)
			for _, x := range f {
				t.Log(show(x))
			}
		}
	}
}
