package codegen

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ident/codegen/source"
	"ident/internal/foreign"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/robot"
	"ident/symbolic"
)

// batchOf writes the kernels of programs into a folder.
func batchOf(t testing.TB, name string, programs ...*symbolic.Program) string {
	t.Helper()
	dir := t.TempDir()
	files, err := source.Write(t.Context(), "c-batch", source.Unit{Name: name, Programs: programs, Maker: "ident"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func command(t testing.TB, dir, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = dir
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%.3000s", name, strings.Join(args, " "), err, &stderr)
	}
	return string(out)
}

// batchDriver calls every kernel with n samples, input i of sample k of a program being value(i, k), and
// prints the outputs, entry by entry.
func batchDriver(name string, programs []*symbolic.Program, n int, values func(p, input, sample int) float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#include <stdio.h>\n#include \"%s_batch.h\"\n\nint main(void)\n{\n\tconst size_t n = %d;\n", name, n)
	for k, p := range programs {
		b.WriteString("\t{\n")
		var args []string
		for i := 0; i < len(p.Inputs); {
			in := p.Inputs[i]
			end := i + 1
			for in.Group != "" && in.Kind != symbolic.Geometry && end < len(p.Inputs) && p.Inputs[end].Group == in.Group {
				end++
			}
			samples := 1
			if in.Kind == symbolic.Motion || in.Kind == symbolic.State {
				samples = n
			}
			fmt.Fprintf(&b, "\t\tstatic const double v%d[%d][%d] = {", i, end-i, samples)
			for e := i; e < end; e++ {
				b.WriteString("{")
				for s := range samples {
					fmt.Fprintf(&b, "%s, ", strconv.FormatFloat(values(k, e, s), 'e', -1, 64))
				}
				b.WriteString("}, ")
			}
			b.WriteString("};\n")
			switch {
			case in.Kind == symbolic.Geometry || in.Group == "":
				args = append(args, fmt.Sprintf("v%d[0][0]", i))
			case samples == 1:
				args = append(args, fmt.Sprintf("(const double *)v%d", i))
			default:
				fmt.Fprintf(&b, "\t\tconst double *a%d[%d];\n\t\tfor (int i = 0; i < %d; i++) a%d[i] = v%d[i];\n", i, end-i, end-i, i, i)
				args = append(args, fmt.Sprintf("a%d", i))
			}
			i = end
		}
		for i := range p.Outputs {
			e := len(p.Outputs[i].Entries)
			fmt.Fprintf(&b, "\t\tstatic double o%d[%d][%d];\n\t\tdouble *p%d[%d];\n\t\tfor (int i = 0; i < %d; i++) p%d[i] = o%d[i];\n", i, e, n, i, e, e, i, i)
			args = append(args, fmt.Sprintf("p%d", i))
		}
		fmt.Fprintf(&b, "\t\t%s_batch_%s(n, %s);\n", name, p.Name, strings.Join(args, ", "))
		for i := range p.Outputs {
			fmt.Fprintf(&b, "\t\tfor (int i = 0; i < %d; i++) for (size_t k = 0; k < n; k++) printf(\"%%.17g\\n\", o%d[i][k]);\n", len(p.Outputs[i].Entries), i)
		}
		b.WriteString("\t}\n")
	}
	b.WriteString("\treturn 0;\n}\n")
	return b.String()
}

// The batch kernels of every model agree with their programs: of trees, with symbols as arguments, and of
// a closed robot, for whole blocks of lanes, a rest and less than one block.
func TestBatchKernel(t *testing.T) {
	long.Only(t, "TestBatchPython runs the kernel of an arm")
	cc := foreign.Tool(t, "c")
	robots := []*robot.Robot{closedRobots(t)[2]}
	for _, c := range testrobot.Cases(t) {
		robots = append(robots, c.Robot(t))
	}
	// The compiler takes seconds a robot.
	count := long.Draws(len(robots), 2, 1)
	for number, r := range robots[:count] {
		w := writtenUnit(t, r, 2*number)
		n := []int{19, 3, 8}[number%3]
		rng := rand.New(rand.NewPCG(3, uint64(number)))
		state := make([][][]float64, len(w.unit.Programs))
		for k := range state {
			base := w.states[k][0]
			for range n {
				v := append([]float64(nil), base...)
				for i, in := range w.unit.Programs[k].Inputs {
					if in.Kind == symbolic.Motion {
						v[i] += 0.02 * rng.NormFloat64() // the closed robot stays within its assembly
					}
					if in.Group == "q" && in.Unit == "rad" && len(state[k]) == 1 {
						v[i] += 1e5 * 2 * math.Pi // beyond the kernel's own sines
					}
				}
				state[k] = append(state[k], v)
			}
		}
		dir := batchOf(t, "arm", w.unit.Programs...)
		text := batchDriver("arm", w.unit.Programs, n, func(p, i, s int) float64 { return state[p][s][i] })
		if err := os.WriteFile(filepath.Join(dir, "main.c"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		command(t, dir, cc, "-std=gnu11", "-Wall", "-Wextra", "-Wno-psabi", "-Werror", "-O0", "-march=native", "-o", "main", "main.c", "arm_batch.c", "-lm")
		lines := strings.Fields(command(t, dir, filepath.Join(dir, "main")))
		at := 0
		for k, p := range w.unit.Programs {
			want := make([][][]float64, n)
			for s := range n {
				want[s] = p.Eval(state[k][s])
			}
			for o := range p.Outputs {
				entries := len(p.Outputs[o].Entries)
				got := make([][]float64, n)
				for range entries {
					for s := range n {
						v, err := strconv.ParseFloat(lines[at], 64)
						if err != nil {
							t.Fatal(err)
						}
						at++
						got[s] = append(got[s], v)
					}
				}
				for s := range n {
					compare(t, fmt.Sprintf("%s, %s, sample %d", r.Name, p.Name, s), got[s], want[s][o])
				}
			}
		}
	}
}

// The extension of Python, where its headers are installed.
func TestBatchPython(t *testing.T) {
	long.Only(t, "compiles for seconds")
	cc, python := foreign.Tool(t, "c"), foreign.Tool(t, "python")
	include := strings.TrimSpace(command(t, ".", python, "-c", "import sysconfig; print(sysconfig.get_paths()['include'])"))
	if _, err := os.Stat(filepath.Join(include, "Python.h")); err != nil {
		t.Skipf("no headers of Python: %v", err)
	}
	r := general(3)
	p := build(t, InverseDynamics, r, Options{Base: baseSet(t, r)})
	dir := batchOf(t, "arm", p)
	command(t, dir, cc, "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-fPIC", "-shared", "-I"+include, "-o", "arm_batch.so", "arm_batch.c", "arm_batch_python.c", "-lm")
	script := `import array, numpy as np, arm_batch
n = 11
q, dq, ddq = [np.sin(np.arange(3 * n, dtype=float) * k).reshape(3, n) for k in (1, 2, 3)]
K = np.cos(np.arange(%d, dtype=float))
tau = np.empty((3, n))
arm_batch.inverse_dynamics(q, dq, ddq, K, tau)
for v in tau.ravel(): print(repr(float(v)))
for bad in ((q, dq, ddq, K[1:].copy(), tau), (q, dq, ddq, K, tau[:, 1:].copy()), (q, dq, ddq, K)):
    try:
        arm_batch.inverse_dynamics(*bad)
        print("accepted")
    except (ValueError, TypeError):
        pass
`
	count := 0
	for _, in := range p.Inputs {
		if in.Kind == symbolic.Parameter {
			count++
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "run.py"), []byte(fmt.Sprintf(script, count)), 0o666); err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(command(t, dir, python, "run.py"))
	const n = 11
	if len(lines) != 3*n {
		t.Fatalf("%d values: %v", len(lines), lines)
	}
	for s := range n {
		in := make([]float64, len(p.Inputs))
		for i, x := range p.Inputs {
			k := map[string]float64{"q": 1, "dq": 2, "ddq": 3}[x.Group]
			if in[i] = math.Sin(float64(x.Index*n+s) * k); x.Kind == symbolic.Parameter {
				in[i] = math.Cos(float64(x.Index))
			}
		}
		var got []float64
		for j := range 3 {
			v, err := strconv.ParseFloat(lines[j*n+s], 64)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, v)
		}
		compare(t, "torques", got, p.Eval(in)[0])
	}
}

// The dynamic regressor of a seven-joint arm by base parameters, by this library's machine and by the batch
// kernel that the C compiler makes of it, in one run: ns a sample, the least of all batches.
func BenchmarkBatchKernel(b *testing.B) {
	cc := foreign.Tool(b, "c")
	r := reference(b, "panda")
	p := build(b, DynamicRegressor, r, Options{Base: baseSet(b, r)})
	const n = 256
	dir := batchOf(b, "arm", p)
	text := batchDriver("arm", []*symbolic.Program{p}, n, func(_, i, s int) float64 { return math.Sin(float64(i*n + s)) })
	call := text[strings.Index(text, "\t\tarm_batch_"):]
	call = call[:strings.Index(call, "\n")+1]
	timed := "\t\tdouble best = 1e9;\n\t\tfor (int k = 0; k < 4000; k++) {\n\t\t\tstruct timespec a, z;\n\t\t\tclock_gettime(CLOCK_MONOTONIC, &a);\n\t" + call +
		"\t\t\tclock_gettime(CLOCK_MONOTONIC, &z);\n\t\t\tdouble d = (z.tv_sec - a.tv_sec)*1e9 + (z.tv_nsec - a.tv_nsec);\n\t\t\tif (d < best) best = d;\n\t\t}\n\t\tprintf(\"%g\\n\", best/n);\n\t\treturn 0;\n"
	text = "#define _GNU_SOURCE\n#include <time.h>\n" + strings.Replace(text, call, timed, 1)
	if err := os.WriteFile(filepath.Join(dir, "main.c"), []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
	command(b, dir, cc, "-std=gnu11", "-Wno-psabi", "-O2", "-march=native", "-o", "main", "main.c", "arm_batch.c", "-lm")
	m := symbolic.Compile(p)
	scratch := m.NewScratch()
	in, out := make([][]float64, len(p.Inputs)), make([][]float64, m.Entries())
	for i := range in {
		in[i] = make([]float64, n)
		for s := range in[i] {
			in[i][s] = math.Sin(float64(i*n + s))
		}
	}
	for i := range out {
		out[i] = make([]float64, n)
	}
	b.Run("machine", func(b *testing.B) { fastest(b, n, func() { m.Run(out, in, n, scratch) }) })
	b.Run("kernel", func(b *testing.B) {
		least := math.Inf(1)
		for b.Loop() {
			v, err := strconv.ParseFloat(strings.TrimSpace(command(b, dir, filepath.Join(dir, "main"))), 64)
			if err != nil {
				b.Fatal(err)
			}
			least = min(least, v)
		}
		b.ReportMetric(least, "best-ns/sample")
	})
}
