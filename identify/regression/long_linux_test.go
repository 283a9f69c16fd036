package regression

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"ident/datasets"
	"ident/internal/long"
	"ident/observation"
)

// longRows is the size of the log of TestLongLog.
const longRows = 10_000_000

// TestLongLog fits a Parquet log of ten million samples of a seven-joint arm,
// with the low-pass on both sides, in a process of its own and holds that
// process's largest resident set, and the error of its estimate, to limits. It
// writes about 1.2 GB to the temporary folder and takes some minutes, so it runs
// only on request:
//
//	IDENT_LONG=all go test ./identify/regression -run TestLongLog -timeout 1h -v
//
// Measured on two cores: 337 MiB, 46 s for both passes.
func TestLongLog(t *testing.T) {
	if path := os.Getenv("IDENT_LONG_LOG"); path != "" {
		fitLong(t, path)
		return
	}
	long.OnlyAll(t, "a fit of ten million samples takes minutes")
	path := filepath.Join(t.TempDir(), "long.parquet")
	writeLong(t, path)
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestLongLog$", "-test.v", "-test.timeout", "1h")
	child.Env = append(os.Environ(), "IDENT_LONG_LOG="+path)
	out, err := child.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}

// writeLong repeats one period of an exact motion, with torque noise that does
// not repeat. Noise on the positions would move the reversals, and with them the
// Coulomb friction: a bias that no number of samples averages out.
func writeLong(t *testing.T, path string) {
	rec := simulate(t, arm(7), newTrajectory(7, 1, 0.1), steady(1000, 10))
	channels := []datasets.Channel{{Name: "t", Unit: "s"}}
	for _, kind := range []string{"q", "tau"} {
		for k := range 7 {
			channels = append(channels, datasets.Channel{Name: fmt.Sprintf("%s%d", kind, k+1)})
		}
	}
	period := len(rec.t)
	rng := rand.New(rand.NewPCG(8, 8))
	err := datasets.Write(path, channels, nil, func(w *datasets.Writer) error {
		cols := make([][]float64, len(channels))
		for c := range cols {
			cols[c] = make([]float64, period)
		}
		for at := 0; at < longRows; at += period {
			for i := range period {
				cols[0][i] = float64(at+i) / 1000
				for k := range 7 {
					cols[1+k][i] = rec.q[k][i]
					cols[8+k][i] = rec.tau[k][i] + rng.NormFloat64()
				}
			}
			if err := w.Append(cols); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// fitLong is the part that the memory of is measured.
func fitLong(t *testing.T, path string) {
	r := arm(7)
	log, err := datasets.Open(path, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	run := positionsOnly(Run{Name: "long", Log: log, Last: log.Rows(), Roles: datasets.Roles{T: "t", Q: make([]string, 7), Tau: make([]string, 7)}})
	for k := range 7 {
		run.Roles.Q[k], run.Roles.Tau[k] = fmt.Sprintf("q%d", k+1), fmt.Sprintf("tau%d", k+1)
	}
	start := time.Now()
	out := fit(t, r, Config{Path: observation.Path{Cutoff: 10, Trim: 0.5}}, run)
	elapsed := time.Since(start)
	peak := highWater(t)
	// Of 69 normal deviates one in a hundred thousand draws lies beyond five.
	worst := 0.0
	for k, v := range truth(out, r) {
		p := out.Result.BaseParameters[k]
		worst = max(worst, math.Abs(p.Value-v)/p.Sigma)
	}
	t.Logf("%d rows used in %s, peak %d MiB, estimate off by at most %.2g deviations", out.Result.Samples.Used, elapsed.Round(time.Second), peak>>10, worst)
	if peak > 1<<20 {
		t.Errorf("%d MiB resident, want less than 1 GiB", peak>>10)
	}
	if !(worst < 5) {
		t.Errorf("a parameter is %.3g deviations off", worst)
	}
}

// highWater is the process's largest resident set, in KiB.
func highWater(t *testing.T) int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if v, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, err := strconv.Atoi(strings.Fields(v)[0])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatal("the kernel does not say how much memory was resident")
	return 0
}
