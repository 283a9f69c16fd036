package main

import (
	"math"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/result"
)

// Runs of one robot that are fitted alone agree: the share of the parameters whose difference is within the
// 95 % interval of both. A parameter of a term that one run leaves out is zero there, without doubt.
func TestRunsAgree(t *testing.T) {
	long.Only(t, "TestChoicesMeasured fits measured logs, and package result's tests compare")
	testrobot.DataDir(t) // skips the whole: fits are shared by the parts
	kuka := func(n string) string {
		return "data:kuka_lwr4/measurements_" + n + ".csv.gz --robot data:kuka_lwr4/model/kuka_lwr4.urdf --cutoff 8"
	}
	// The fit of run 2 is the one that TestChoicesMeasured validates.
	second := strings.Replace(kuka("2"), " --robot", " --validate data:kuka_lwr4/measurements_3.csv.gz --robot", 1)
	panda := "data:panda/gaz_exciting_traj_1.csv.gz --robot data:panda/model/panda_mdh_kinematics.urdf --cutoff 10 --plain --velocity measured --rows gaz_exciting_traj_1.csv.gz:"
	tx40 := "data:tx40/tx40_joint_side_5kHz.csv.gz --robot data:tx40/model/tx40_mdh_modified.urdf --cutoff 20 --plain --coupling joint_6=joint_5+joint_6 --rows tx40_joint_side_5kHz.csv.gz:"
	for _, c := range []struct {
		name, a, b string
		share      float64 // least
	}{
		{"kuka 2 and 3", second, kuka("3"), 0.95},
		{"kuka 1 and 3", kuka("1"), kuka("3"), 0.95},
		{"kuka 1 and 2", kuka("1"), second, 0.95},
		// Free estimates: 50, 49 and 66 of 69 without the widening for errors that come back with the motion.
		{"kuka 2 and 3, free", kuka("2") + " --plain", kuka("3") + " --plain", 0.88},
		{"kuka 1 and 3, free", kuka("1") + " --plain", kuka("3") + " --plain", 0.91},
		{"kuka 1 and 2, free", kuka("1") + " --plain", kuka("2") + " --plain", 0.95},
		{"halves of panda", panda + "1-10272", panda + "10273-20544", 0.95},
		{"halves of tx40", tx40 + "1-22500", tx40 + "22501-45000", 0.95},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name != "kuka 2 and 3, free" {
				long.Only(t, "the free estimates of kuka 2 and 3 are compared")
			}
			a, b := fitMeasured(t, strings.Fields(c.a)...).BaseParameters, fitMeasured(t, strings.Fields(c.b)...).BaseParameters
			var names []string
			values := map[string][2]result.BaseParameter{}
			for i, list := range [][]result.BaseParameter{a, b} {
				for _, p := range list {
					both, had := values[p.Name]
					if !had {
						names = append(names, p.Name)
					}
					both[i] = p
					values[p.Name] = both
				}
			}
			within := 0
			for _, name := range names {
				x, y := values[name][0], values[name][1]
				if math.Abs(x.Value-y.Value) <= 1.96*math.Hypot(x.Sigma, y.Sigma) {
					within++
				}
			}
			t.Logf("%d of %d parameters agree", within, len(names))
			if !(float64(within) >= c.share*float64(len(names))) {
				t.Errorf("%d of %d parameters agree, want %.0f %%", within, len(names), 100*c.share)
			}
		})
	}
}
