package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ident/doctor"
	"ident/internal/long"
	"ident/internal/testrobot"
)

// repairable are faults that settings mend, values of the log, or both.
func repairable() []fault {
	all := func(c map[string][]float64, prefix string, joints int, by float64) {
		for j := 1; j <= joints; j++ {
			scale(c[prefix+string(rune('0'+j))], by)
		}
	}
	return []fault{
		{name: "none", do: func(map[string][]float64, int) {}},
		{name: "degrees", do: func(c map[string][]float64, n int) { all(c, "q", n, 180/math.Pi) }},
		{name: "torques in mN·m", do: func(c map[string][]float64, n int) { all(c, "tau", n, 1000) }},
		{name: "times in ms", do: func(c map[string][]float64, n int) { scale(c["t"], 1e3) }},
		{name: "sign of torque 4", do: func(c map[string][]float64, n int) { scale(c["tau4"], -1) }},
		{name: "torque 2 times 1.2", do: func(c map[string][]float64, n int) { scale(c["tau2"], 1.2) }},
		{name: "joints 2 and 3 exchanged", do: func(c map[string][]float64, n int) { swapJoints(c, 2, 3, everyChannel...) }},
		{name: "position 2 plus 0.3 rad", do: func(c map[string][]float64, n int) {
			for k := range c["q2"] {
				c["q2"][k] += 0.3
			}
		}},
		{name: "velocity 3 late by 20 ms", do: func(c map[string][]float64, n int) {
			t, x := c["t"], c["dq3"]
			if x == nil {
				return
			}
			rows := int(math.Round(0.02 / (t[1] - t[0])))
			c["dq3"] = append(slices.Repeat(x[:1], rows), x[:len(x)-rows]...)
		}},
		{name: "sign of velocity 3", do: func(c map[string][]float64, n int) { scale(c["dq3"], -1) }},
		{name: "missing values", do: func(c map[string][]float64, n int) {
			for k := 500; k < len(c["t"]); k += 997 {
				c["tau2"][k] = math.NaN()
			}
		}},
		{name: "torques 8 ms late", do: func(c map[string][]float64, n int) { faultNamed("torques 8 ms late").do(c, n) }},
	}
}

func faultNamed(name string) fault {
	all := faults()
	return all[slices.IndexFunc(all, func(f fault) bool { return f.name == name })]
}

// The settings that ident check proposes, as options of the command line or in ident.yaml, and the log that --fix writes
// lead to one fit: where a fault has both repairs their errors agree within a tenth, and none leaves the fit worse
// than it is by more than that. A log that was mended is told of no fault that values can mend.
func TestFixAgreesWithAdvice(t *testing.T) {
	long.Only(t, "package doctor's TestMend and TestMendLog repair the same logs")
	data := filepath.Join(testrobot.DataDir(t), "data")
	example := judged{name: "example", log: "../../datasets/example/puma560.parquet", robot: "../../datasets/example/puma560.urdf", joints: 6}
	for _, l := range append([]judged{example}, judgedLogs()...) {
		for i, f := range repairable() {
			if l.name != "example" && i > 0 && f.name != "torques 8 ms late" {
				continue // measured logs as they are, and late
			}
			t.Run(l.name+"/"+f.name, func(t *testing.T) {
				notTX40(t, l.name)
				if l.name != "example" || f.name != "velocity 3 late by 20 ms" {
					long.Only(t, "a late velocity of the example, which settings and values mend, is tried")
				}
				dir := t.TempDir()
				log, mended, settings := filepath.Join(dir, "log.parquet"), filepath.Join(dir, "mended.parquet"), filepath.Join(dir, "proposed.yaml")
				withFault(t, log, within(data, l.log), f, l.joints)
				if l.name == "panda" {
					long.OnlyAll(t, "the KUKA's log stands for measured ones")
				}
				base := append([]string{"--robot", within(data, l.robot)}, l.args...)
				if l.name == "tx40" {
					base = base[:len(base)-2] // the coupling is the check's to find
				}
				plain := fitError(t, append([]string{log}, base...))
				found := foundIn(t, append([]string{log, "--fix", mended}, base...)...)
				foundIn(t, append([]string{log, "--fix", settings}, base...)...)
				var errs []float64
				if _, err := os.Stat(mended); err == nil {
					errs = append(errs, fitError(t, append([]string{mended}, base...)))
					t.Logf("values mended: %.3f %%, before %.3f %%", errs[0], plain)
					for _, x := range foundIn(t, append([]string{mended}, base...)...) {
						if len(x.Repair.Edits) > 0 && slices.ContainsFunc(found, func(y doctor.Finding) bool { return x.ID == y.ID && x.Channel == y.Channel }) {
							t.Errorf("the mended log is told again: %s of %s: %s", x.ID, x.Channel, x.Why)
						}
					}
				}
				if _, err := os.Stat(settings); err == nil {
					errs = append(errs, fitError(t, append([]string{log, "--config", settings}, base...)))
					t.Logf("settings of ident.yaml: %.3f %%", errs[len(errs)-1])
					if flags, all := options(found); all {
						errs = append(errs, fitError(t, slices.Concat([]string{log}, base, flags)))
						t.Logf("options %s: %.3f %%", strings.Join(flags, " "), errs[len(errs)-1])
					}
				}
				for _, e := range errs {
					if e > 1.1*slices.Min(errs) || e > 1.1*plain {
						t.Errorf("errors %.4g %% of the repairs, %.4g %% without", errs, plain)
					}
				}
				if i > 0 && f.name != "torques 8 ms late" && len(errs) == 0 {
					t.Error("nothing was proposed")
				}
			})
		}
	}
}

// foundIn are the warnings and errors of a check.
func foundIn(t *testing.T, args ...string) (list []doctor.Finding) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(context.Background(), append([]string{"check", "--json"}, args...), streams{out: &out, err: &errs}); code != exitDone && code != exitVerdict {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var doc struct{ Findings []doctor.Finding }
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	for _, f := range doc.Findings {
		if f.Severity != doctor.Info {
			list = append(list, f)
		}
	}
	return list
}

// fitError is the stacked error of a fit in percent, +Inf where the log is refused.
func fitError(t *testing.T, args []string) float64 {
	t.Helper()
	if !long.All() {
		args = append(slices.Clone(args), "--plain") // errors tell the same without choices, in half the time
	}
	j := graded(t, args...)
	if j.grade == "" {
		return math.Inf(1)
	}
	return j.error
}

// options are the findings' settings as options of ident fit; all is false where one has no option.
func options(found []doctor.Finding) (flags []string, all bool) {
	all = true
	for _, f := range found {
		for _, s := range f.Repair.Settings {
			var add []string
			switch s.Key {
			case "couplings":
				add = []string{"--coupling", s.Value}
			case "map", "lock":
				add = []string{"--" + s.Key, s.Name + "=" + s.Value}
			case "units":
				add = []string{"--unit", s.Name + "=" + s.Value}
			case "velocity", "acceleration", "trim", "cutoff", "on-bad":
				add = []string{"--" + s.Key, s.Value}
			case "gravity":
				add = []string{"--gravity", strings.Trim(strings.ReplaceAll(s.Value, " ", ""), "[]")}
			default:
				all = false
			}
			if len(add) > 0 && !slices.Contains(flags, add[1]) {
				flags = append(flags, add...)
			}
		}
	}
	return flags, all && len(flags) > 0
}
