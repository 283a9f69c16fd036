package watch

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ident/baseparams"
	"ident/codegen"
	"ident/codegen/source"
	"ident/internal/long"
	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

var errEnough = errors.New("enough rows")

// The generated C has the observer's values and the windows of the Go one, on a motion with reversals, missing rows, a jolt and a push,
// to 1e-12 of the joints' torques.
func TestCAgrees(t *testing.T) {
	long.Only(t, "the Go observer, which it is held against, has tests of its own")
	m, set := sevenBase(t)
	quiet := NewCalibrator(m, 0)
	quiet.Add(exact(t, m, 20000, 0.1))
	n, err := quiet.Noise()
	if err != nil {
		t.Fatal(err)
	}
	for j := range n.Inertial.Share {
		n.Inertial.Share[j] = 0.1 * float64(j+1) // of noise that goes with the pose
	}
	w, err := New(m, n, Options{})
	if err != nil {
		t.Fatal(err)
	}
	uneven := strings.Replace(driver, "rows[k][2], 0.001, r", "rows[k][2], k % 6 == 0 ? 0.002 : 0.001, r", 1)
	program := inC(t, w, m, set, uneven, "-O2", "-ffp-contract=off")
	all := exact(t, m, 3500, 0.1) // of which every seventh is missing
	rows := Columns{Q: make([][]float64, 7), DQ: make([][]float64, 7), Tau: make([][]float64, 7)}
	for k := range all.T {
		if k%7 == 6 {
			continue
		}
		rows.T = append(rows.T, all.T[k])
		for j := range 7 {
			rows.Q[j], rows.DQ[j], rows.Tau[j] = append(rows.Q[j], all.Q[j][k]), append(rows.DQ[j], all.DQ[j][k]), append(rows.Tau[j], all.Tau[j][k])
		}
	}
	for k := range rows.T {
		if k > 2000 {
			rows.Tau[3][k] += 8
		}
		if k > 1500 && k < 1520 {
			rows.DQ[1][k] += 0.2 // a jolt of two joints that rows do not resolve
			rows.DQ[3][k] -= 0.2
		}
	}
	var in bytes.Buffer
	for k := range rows.T {
		for _, g := range [][][]float64{rows.Q, rows.DQ, rows.Tau} {
			for j := range g {
				fmt.Fprintf(&in, "%.17g ", g[j][k])
			}
		}
		in.WriteString("\n")
	}
	run := exec.Command(program)
	run.Stdin = &in
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	if program := inCpp(t, w, m, set, uneven, "-O2", "-ffp-contract=off"); program != "" {
		for k := range rows.T {
			for _, g := range [][][]float64{rows.Q, rows.DQ, rows.Tau} {
				for j := range g {
					fmt.Fprintf(&in, "%.17g ", g[j][k])
				}
			}
			in.WriteString("\n")
		}
		run := exec.Command(program)
		run.Stdin = &in
		again, err := run.Output()
		numbers := func(out []byte) []byte { return bytes.TrimSuffix(out, []byte(lastLine(out)+"\n")) } // the last line has times
		if err != nil || len(again) == 0 || !bytes.Equal(numbers(out), numbers(again)) {
			t.Errorf("the C++ header prints other numbers than the C: %v", err)
		}
	}
	lines := strings.NewReader(string(out))
	read := func() (v float64) {
		if _, err := fmt.Fscan(lines, &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	// Torques cancel in an external torque, which is as exact as they are.
	size := make([]float64, len(rows.Tau))
	for j, tau := range rows.Tau {
		size[j] = slices.Max(tau)
	}
	worst, alarms, bounds, jolts, k := 0.0, 0, 0, 0, 0
	err = w.Add(rows, func(row *Row) error {
		if read() >= 1 {
			alarms++
		}
		for j := range row.Residual {
			if got := read(); k >= n.settling() {
				worst = max(worst, math.Abs(got-w.o.R[j])/size[j])
			}
		}
		for s := range contactWindows() {
			for j := range row.Residual {
				got := read()
				if k > 2000 {
					continue // windows beyond their thresholds are held there, which differ by the model's part
				}
				worst = max(worst, math.Abs(got-w.bank.E[s][j])*n.floorAt(j, rows.DQ[j][k])/size[j])
			}
		}
		if slices.Max(w.o.bound) > 0.1 {
			bounds++
		}
		if slices.Max(w.o.jolt.momentum) > 0.1 {
			jolts++
		}
		k++
		if k == 2400 {
			return errEnough // beyond, the episode is the host's
		}
		return nil
	})
	if err != errEnough {
		t.Fatal(err)
	}
	if !(worst <= 1e-12) {
		t.Errorf("C and Go differ by %.3g of the torques", worst)
	}
	if bounds == 0 {
		t.Error("no joint was at rest")
	}
	if jolts != 4 {
		t.Errorf("%d rows have jolts, want two each where it begins and ends", jolts)
	}
	if alarms == 0 {
		t.Error("C has no alarm for the push")
	}
	t.Logf("differ by %.2g; %s", worst, lastLine(out))
}

// inCpp compiles the C++ header of a watcher with the main program of inC, and returns the path of what runs; "" without a compiler.
func inCpp(t *testing.T, w *Watcher, m Model, set *baseparams.Set, main string, flags ...string) string {
	t.Helper()
	compiler, err := exec.LookPath("c++")
	if err != nil {
		return ""
	}
	main = strings.NewReplacer("seven_watch.h", "seven_watch.hpp", "seven_watch", "seven::watch").Replace(main)
	files := append(observerStep(t, m, set, "cpp"), source.File{Name: "seven_watch.hpp", Text: w.Cpp("seven")}, source.File{Name: "main.cpp", Text: []byte(main)})
	return compiled(t, files, compiler, slices.Concat([]string{"-std=c++11", "-Wall", "-Wextra", "-Werror"}, flags, []string{"-o", "run", "main.cpp"})...)
}

// inC compiles the C of a watcher with a main program, and returns the path of what runs.
func inC(t *testing.T, w *Watcher, m Model, set *baseparams.Set, main string, flags ...string) string {
	t.Helper()
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	header, body := w.C("seven")
	files := append(observerStep(t, m, set, "c"), source.File{Name: "seven_watch.h", Text: header}, source.File{Name: "seven_watch.c", Text: body}, source.File{Name: "main.c", Text: []byte(main)})
	return compiled(t, files, compiler, slices.Concat([]string{"-std=c99", "-Wall", "-Wextra", "-Werror"}, flags, []string{"-o", "run", "main.c", "seven.c", "seven_watch.c", "-lm"})...)
}

// observerStep returns the observer's step in a language.
func observerStep(t *testing.T, m Model, set *baseparams.Set, language string) []source.File {
	t.Helper()
	p, err := codegen.Build(t.Context(), codegen.ObserverStep, m.Robot, codegen.Options{Terms: regressor.DefaultTerms(), Base: set})
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for k, v := range m.Values {
		values[set.Name(k)] = v
	}
	if p, err = p.Bind(t.Context(), values); err != nil {
		t.Fatal(err)
	}
	files, err := source.Write(t.Context(), language, source.Unit{Name: "seven", Maker: "ident", Programs: []*symbolic.Program{p}})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// compiled writes files and compiles them, and returns the path of what runs.
func compiled(t *testing.T, files []source.File, compiler string, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(compiler, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(dir, "run")
}

// In the generated C, too, one damaged number in any channel is an alarm at once, none later, and the contact behind it is found; that holds if the
// compiler takes all numbers for finite.
func TestCNotBlinded(t *testing.T) {
	long.Only(t, "TestNotBlinded has the same rows in Go, and script watch compiles the C")
	m, set := sevenBase(t)
	quiet := NewCalibrator(m, 0)
	quiet.Add(exact(t, m, 20000, 0.1))
	n, err := quiet.Noise()
	if err != nil {
		t.Fatal(err)
	}
	w, err := New(m, n, Options{})
	if err != nil {
		t.Fatal(err)
	}
	clean := pushed(t, m)
	type trial struct {
		channel
		value float64
	}
	trials := []trial{{channel{"tau", 1}, clean.Tau[1][damagedRow]}} // the first is undamaged
	for i, c := range channelsOf(len(clean.Q)) {
		for k, v := range wrong {
			if (i+k)%long.Draws(1, 5, 5) == 0 {
				trials = append(trials, trial{c, v})
			}
		}
	}
	var in bytes.Buffer
	for _, tr := range trials {
		rows := copied(clean)
		tr.in(&rows)[damagedRow] = tr.value
		last := -0.001
		for k, at := range rows.T {
			fmt.Fprintf(&in, "%d %.9g", k, at-last)
			for _, g := range [][][]float64{rows.Q, rows.DQ, rows.Tau} {
				for j := range g {
					fmt.Fprintf(&in, " %.9g", g[j][k])
				}
			}
			in.WriteByte('\n')
			last = at
		}
	}
	for _, flags := range [][]string{{"-O1"}, {"-O3", "-ffast-math"}} {
		run := exec.Command(inC(t, w, m, set, trialDriver, flags...))
		run.Stdin = bytes.NewReader(in.Bytes())
		out, err := run.Output()
		if err != nil {
			t.Fatal(err)
		}
		values := strings.Fields(string(out))
		told, found, contact := 0, 0, int(pushedAt*1000)
		for i, tr := range trials {
			alarms := []int{}
			for k, text := range values[i*len(clean.T) : (i+1)*len(clean.T)] {
				v, err := strconv.ParseFloat(text, 64)
				if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%v = %g, row %d: %s", tr.channel, tr.value, k, text)
				}
				if v >= 1 {
					alarms = append(alarms, k)
				}
			}
			at := slices.Contains(alarms, damagedRow) || tr.group == "t" && slices.Contains(alarms, damagedRow+1)
			late := slices.ContainsFunc(alarms, func(k int) bool { return k > damagedRow+1 && k < contact })
			hit := slices.ContainsFunc(alarms, func(k int) bool { return k >= contact && k < contact+100 })
			if at != (i > 0) || late || !hit {
				t.Errorf("%v, %v = %g: alarm %v, later ones before the contact %v, contact found %v", flags, tr.channel, tr.value, at, late, hit)
			}
			if at {
				told++
			}
			if hit {
				found++
			}
		}
		t.Logf("%v: %d damaged rows, %d alarms at once, %d of %d contacts found", flags, len(trials)-1, told, found, len(trials))
	}
}

// A confirmed load that the host states is no alarm, and r holds it.
func TestCKnowsLoads(t *testing.T) {
	long.Only(t, "script watch compiles the C")
	m, set := sevenBase(t)
	n := quietOf(t)
	w, err := New(m, n, Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows := exact(t, m, 1500, 0.1)
	driver := strings.Replace(trialDriver, "    printf", "    w.known[1] = k < 0 ? 0 : LOAD;\n    printf", 1)
	alarms := map[string]int{}
	for _, load := range []string{"0", "7"} {
		var in bytes.Buffer
		for k := range rows.T {
			fmt.Fprintf(&in, "%d 0.001", k)
			for _, g := range [][][]float64{rows.Q, rows.DQ, rows.Tau} {
				for j := range g {
					x := g[j][k]
					if &g[0] == &rows.Tau[0] && j == 1 {
						x -= 7
					}
					fmt.Fprintf(&in, " %.9g", x)
				}
			}
			in.WriteByte('\n')
		}
		run := exec.Command(inC(t, w, m, set, strings.Replace(driver, "LOAD", load, 1)))
		run.Stdin = &in
		out, err := run.Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range strings.Fields(string(out)) {
			if v, err := strconv.ParseFloat(text, 64); err != nil || v >= 1 {
				alarms[load]++
			}
		}
	}
	if alarms["0"] < 1000 || alarms["7"] > 0 {
		t.Errorf("rows with an alarm: %v", alarms)
	}
}

// C and Go agree on the tests beside a confirmed load, if C is told its torques, and on the row of the first alarm of a push meanwhile.
func TestCAgreesBesideLoad(t *testing.T) {
	long.Only(t, "script watch compiles the C")
	m, set := sevenBase(t)
	m.Covariance = nil // C takes the model's part of the deviation for its largest
	quiet := NewCalibrator(m, 0)
	quiet.Add(exact(t, m, 20000, 0.1))
	n, err := quiet.Noise()
	if err != nil {
		t.Fatal(err)
	}
	w, err := New(m, n, Options{})
	if err != nil {
		t.Fatal(err)
	}
	body := robot.InertialFromCentral(2, [3]float64{0.03, -0.02, 0.08}, [3][3]float64{{0.002, 0, 0}, {0, 0.002, 0}, {0, 0, 0.002}})
	theta := make([]float64, len(body))
	copy(theta, body[:])
	w.load.take(&weighing{theta: theta, cov: newNormal(len(theta)).a})
	rows := exact(t, m, 3000, 0.1)
	acc := make([][]float64, len(rows.Q))
	for j, v := range rows.DQ {
		acc[j] = make([]float64, len(v))
		for k := 1; k+1 < len(v); k++ {
			acc[j][k] = (v[k+1] - v[k-1]) / 0.002
		}
	}
	torques := make([][]float64, len(rows.Q))
	for j := range torques {
		torques[j] = make([]float64, len(rows.T))
	}
	if err := regressor.NewTorques(w.load.rows).Eval(torques, regressor.Batch{Q: rows.Q, DQ: rows.DQ, DDQ: acc}, body[:]); err != nil {
		t.Fatal(err)
	}
	const pushed = 2000
	for j := range torques {
		for k, x := range torques[j] {
			rows.Tau[j][k] += x
		}
	}
	for k := pushed; k < len(rows.T); k++ {
		rows.Tau[1][k] -= 12
	}
	bare, err := New(m, n, Options{})
	if err != nil {
		t.Fatal(err)
	}
	bare.load, bare.o.pose.load = nil, nil // or it weighs the body
	var factors [][]float64
	if err := bare.Add(rows, func(*Row) error {
		factors = append(factors, slices.Clone(bare.o.pose.factor))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var in bytes.Buffer
	var outside, tests [][]float64
	alarm := -1
	if err := w.Add(rows, func(row *Row) error {
		k := len(outside)
		for _, g := range [][][]float64{rows.Q, rows.DQ, rows.Tau} {
			for j := range g {
				fmt.Fprintf(&in, "%.17g ", g[j][k])
			}
		}
		for j := range row.Observer {
			known := 0.0
			if k >= n.settling() {
				known = row.Observer[j] - row.Unexplained[j]
			}
			fmt.Fprintf(&in, "%.17g ", known)
		}
		for j, f := range w.o.pose.factor {
			fmt.Fprintf(&in, "%.17g ", f/factors[k][j])
		}
		outside = append(outside, slices.Clone(w.o.R))
		var e []float64
		for s := range contactWindows() {
			e = append(e, w.bank.E[s]...)
		}
		tests = append(tests, e)
		if len(row.Events) > 0 && alarm < 0 {
			alarm = k
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	loaded := strings.NewReplacer("rows[3000][3][N]", "rows[3000][5][N]", "i < 3", "i < 5", "    ratio =", "    for (j = 0; j < N; j++) w.known[j] = rows[k][3][j], w.louder[j] = rows[k][4][j];\n    ratio =").Replace(driver)
	run := exec.Command(inC(t, w, m, set, loaded, "-O2", "-ffp-contract=off"))
	run.Stdin = &in
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	worst, first := 0.0, -1
	lines := strings.Split(string(out), "\n")
	for k := range outside {
		var got []float64
		for _, text := range strings.Fields(lines[k]) {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, v)
		}
		if got[0] >= 1 && first < 0 {
			first = k
		}
		if k < n.settling() || alarm >= 0 && k >= alarm {
			continue // behind an alarm the episode is the host's
		}
		for j, r := range outside[k] {
			worst = max(worst, math.Abs(got[1+j]-r)/slices.Max(rows.Tau[j]))
		}
		for i, e := range tests[k] {
			j := i % len(rows.Q)
			worst = max(worst, math.Abs(got[1+len(rows.Q)+i]-e)*n.floorAt(j, rows.DQ[j][k])/slices.Max(rows.Tau[j]))
		}
	}
	if !(worst <= 1e-12) {
		t.Errorf("C and Go differ by %.3g of the torques beside a load", worst)
	}
	if alarm < pushed || first != alarm {
		t.Errorf("the push at row %d is told at row %d by Go, at %d by C", pushed, alarm, first)
	}
}

const trialDriver = `#include <stdio.h>
#include "seven_watch.h"
#define N SEVEN_JOINTS
int main(void) {
  static seven_watch w;
  double x[3][N], r[N], dt;
  int i, j, k, joint, window;
  while (scanf("%d %lf", &k, &dt) == 2) {
    for (i = 0; i < 3; i++)
      for (j = 0; j < N; j++)
        if (scanf("%lf", &x[i][j]) != 1) return 1;
    if (k == 0) seven_watch_reset(&w);
    printf("%g\n", seven_watch_row(&w, x[0], x[1], x[2], dt, r, &joint, &window));
  }
  return 0;
}
`

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

const driver = `#include <stdio.h>
#include <time.h>
#include "seven_watch.h"
#define N SEVEN_JOINTS
static double rows[3000][3][N];
int main(void) {
  static seven_watch w;
  double r[N], ratio;
  int j, s, k, i, joint, window;
  clock_t start;
  for (k = 0; k < 3000; k++)
    for (i = 0; i < 3; i++)
      for (j = 0; j < N; j++)
        if (scanf("%lf", &rows[k][i][j]) != 1) return 1;
  seven_watch_reset(&w);
  for (k = 0; k < 3000; k++) {
    ratio = seven_watch_row(&w, rows[k][0], rows[k][1], rows[k][2], 0.001, r, &joint, &window);
    printf("%.17g", ratio);
    for (j = 0; j < N; j++) printf(" %.17g", r[j]);
    for (s = 0; s < SEVEN_WINDOWS; s++)
      for (j = 0; j < N; j++) printf(" %.17g", w.e[s][j]);
    printf("\n");
  }
  start = clock();
  for (i = 0; i < 20; i++)
    for (k = 300; k < 3000; k++) seven_watch_row(&w, rows[k][0], rows[k][1], rows[k][2], 0.001, r, &joint, &window);
  printf("%g us a row, %d bytes of state\n", 1e6 * (double)(clock() - start) / CLOCKS_PER_SEC / (20 * 2700.), (int)sizeof w);
  return 0;
}
`
