package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/result"
)

// TestBuildsAgree compares other builds of the program with this one: in pure Go, and for another processor. They must give the
// same grades, choices and verdicts, and print the same figures to one unit of the last digit. IDENT_BUILDS names their
// commands, separated by semicolons; the gate makes them.
//
// The search of a design is not compared: rounding decides which way it takes. So the demonstration of each build must reach
// the grades of this one, and the commands behind the designs are compared on the files of one demonstration.
func TestBuildsAgree(t *testing.T) {
	builds := strings.FieldsFunc(os.Getenv("IDENT_BUILDS"), func(r rune) bool { return r == ';' })
	if len(builds) == 0 {
		t.Skip("IDENT_BUILDS names no other builds; the gate makes them")
	}
	t.Chdir(t.TempDir())
	demo, measured := ident(t, "demo", "-o", "demo"), ident(t, "demo", "--real", "-o", "real")
	commands := afterDesigns(demo)
	if len(commands) < 6 {
		t.Fatalf("the demonstration has %d commands behind its designs", len(commands))
	}
	commands = append(commands, strings.Fields("fit demo/example.parquet -v -o demo/fitted"))
	want := make([]string, len(commands))
	for i, c := range commands {
		want[i] = ident(t, into("native", c)...)
	}
	for _, build := range builds {
		other := func(t *testing.T, args ...string) string {
			t.Helper()
			line := append(strings.Fields(build), args...)
			var errs strings.Builder
			cmd := exec.CommandContext(t.Context(), line[0], line[1:]...)
			cmd.Stderr = &errs
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s: %v\n%s%s", strings.Join(line, " "), err, out, errs.String())
			}
			return string(out)
		}
		t.Run(filepath.Base(build), func(t *testing.T) {
			own := t.TempDir()
			agree(t, "the measured demonstration", strings.ReplaceAll(other(t, "demo", "--real", "-o", own+"/real"), own+"/", ""), measured)
			designs := []string{"result", "late", "mended"}
			if strings.Contains(build, "qemu") && !long.All() {
				designs = nil // an emulator takes minutes for them
			} else {
				other(t, "demo", "-o", own+"/demo")
			}
			for _, fit := range designs {
				if got, want := resultIn(t, own+"/demo/"+fit).Grade.Value, resultIn(t, "demo/"+fit).Grade.Value; got != want {
					t.Errorf("the demonstration's %s is %s, want %s", fit, got, want)
				}
			}
			for i, c := range commands {
				got := other(t, into(own, c)...)
				agree(t, strings.Join(c, " "), strings.ReplaceAll(got, own+"/", ""), strings.ReplaceAll(want[i], "native/", ""))
				if c[0] == "fit" {
					to := c[len(c)-1]
					agree(t, to, conclusions(t, filepath.Join(own, to)), conclusions(t, filepath.Join("native", to)))
				}
			}
		})
		t.Run(filepath.Base(build)+", measured logs", func(t *testing.T) {
			if !long.All() {
				t.Skip("five measured logs with IDENT_LONG=all")
			}
			data, own := filepath.Join(testrobot.DataDir(t), "data")+"/", t.TempDir()
			for name, line := range measuredLogs {
				args := strings.Fields("fit -v " + strings.ReplaceAll(line, "data:", data))
				want := ident(t, append(args, "-o", own+"/native/"+name)...)
				got := other(t, append(args, "-o", own+"/other/"+name)...)
				agree(t, name, strings.ReplaceAll(got, own+"/other/", ""), strings.ReplaceAll(want, own+"/native/", ""))
				agree(t, name, conclusions(t, own+"/other/"+name), conclusions(t, own+"/native/"+name))
			}
		})
	}
}

// measuredLogs are fits with all choices automatic.
var measuredLogs = map[string]string{
	"kuka": "data:kuka_lwr4/measurements_2.csv.gz data:kuka_lwr4/measurements_3.csv.gz --validate data:kuka_lwr4/measurements_1.csv.gz " +
		"--robot data:kuka_lwr4/model/kuka_lwr4.urdf --cutoff 8",
	"panda": "data:panda/gaz_exciting_traj_1.csv.gz --robot data:panda/model/panda_mdh_kinematics.urdf --train-fraction 0.6 --cutoff 10",
	"tx40":  "data:tx40/tx40_joint_side_5kHz.csv.gz --robot data:tx40/model/tx40_mdh_modified.urdf --cutoff 20 --trim 0",
	"ur10e": "data:ur10e/identification/ur-20_02_10-30sec_12harm.csv.gz --validate data:ur10e/validation/ur-20_01_17-ptp_10_points.csv.gz " +
		"--robot data:ur10e/model/ur10e.urdf --gains 10.0000,10.6956,8.4566,9.0029,9.4800,10.1232 " +
		"--rows ur-20_02_10-30sec_12harm.csv.gz:635-3510 --rows ur-20_01_17-ptp_10_points.csv.gz:700-4200",
	"emps": "data:emps/emps_training.csv.gz --robot data:emps/model/emps.urdf --map tau1=force --cutoff 100 --decimate 100 --trim 0",
}

// afterDesigns returns the commands that a demonstration shows, without its designs.
func afterDesigns(text string) (commands [][]string) {
	for line := range strings.Lines(text) {
		if args, ok := strings.CutPrefix(line, "$ ident "); ok && !strings.HasPrefix(args, "design") {
			commands = append(commands, strings.Fields(args))
		}
	}
	return commands
}

// into returns a command line that writes its files below a folder.
func into(folder string, args []string) []string {
	out := append([]string(nil), args...)
	for i := 1; i < len(out); i++ {
		if out[i-1] == "-o" || out[i-1] == "--fix" {
			out[i] = filepath.Join(folder, out[i])
			if err := os.MkdirAll(filepath.Dir(out[i]), 0o755); err != nil {
				panic(err)
			}
		}
	}
	return out
}

// resultIn reads the result of a fit.
func resultIn(t *testing.T, folder string) *result.Result {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	res := new(result.Result)
	if err := json.Unmarshal(text, res); err != nil {
		t.Fatal(err)
	}
	return res
}

// conclusions returns a line for the grade, for each choice and for each verdict of a fit.
func conclusions(t *testing.T, folder string) string {
	t.Helper()
	res := resultIn(t, folder)
	text := fmt.Sprintln(res.Grade.Value)
	for _, d := range res.Selection {
		text += fmt.Sprintln(d.Decision, d.Chosen)
	}
	for _, v := range res.Verdicts {
		text += fmt.Sprintln(v.ID, v.Pass)
	}
	return text
}

// agree compares two texts: words must be the same, numbers within one unit of the last digit.
func agree(t *testing.T, what, got, want string) {
	t.Helper()
	words := func(text string) []string {
		return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n/,:()[]%±", r) })
	}
	a, b := words(got), words(want)
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || !sameFigure(a[i], b[i]) {
			t.Errorf("%s differs:\n  …%s\nwant\n  …%s", what, around(a, i), around(b, i))
			if len(a) != len(b) {
				return
			}
		}
	}
}

// around returns a few words at a place.
func around(words []string, i int) string {
	return strings.Join(words[min(max(i-12, 0), len(words)):min(i+6, len(words))], " ")
}

var figure = regexp.MustCompile(`^[-+]?[0-9]+(?:\.([0-9]+))?(?:e([-+]?[0-9]+))?$`)

// sameFigure reports whether two words are the same, or two numbers that differ by no more than a unit of the last digit of the one
// with fewer.
func sameFigure(a, b string) bool {
	if a == b {
		return true
	}
	// A full stop or a semicolon ends a sentence.
	a, b = strings.TrimRight(a, ".;"), strings.TrimRight(b, ".;")
	m, n := figure.FindStringSubmatch(a), figure.FindStringSubmatch(b)
	if m == nil || n == nil {
		return a == b
	}
	unit := func(m []string) float64 {
		exponent, _ := strconv.Atoi(m[2]) // zero where there is none
		return math.Pow10(exponent - len(m[1]))
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	// A thousandth of a unit stands for the rounding of decimals in binary.
	return errX == nil && errY == nil && math.Abs(x-y) <= 1.001*max(unit(m), unit(n))
}

func TestSameFigure(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"3.13", "3.14", true}, {"3.13", "3.15", false}, {"3.1", "3.13", true}, {"-0.5", "0.5", false}, {"99.9", "100", true},
		{"1e-05", "2e-05", true}, {"1.2e-05", "1.4e-05", false}, {"sound", "sound", true}, {"Fo6", "Fo5", false}, {"3.13;", "3.14", true}, {"12", "sound", false},
	} {
		if sameFigure(c.a, c.b) != c.same {
			t.Errorf("%s and %s: same is %t", c.a, c.b, !c.same)
		}
	}
}
