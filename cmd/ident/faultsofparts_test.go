package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ident/internal/testrobot"
	"ident/result"
)

var harderFaults = flag.Bool("harder-faults", false, "fit measured logs with faults of one joint or of a part of the log, some minutes")

// frozen holds a channel at its value halfway.
func frozen(x []float64) {
	for i := len(x) / 2; i < len(x); i++ {
		x[i] = x[len(x)/2]
	}
}

func meanSize(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += math.Abs(v)
	}
	return sum / float64(len(x))
}

// late delays a channel.
func late(c map[string][]float64, name string, seconds float64) {
	t, x := c["t"], c[name]
	rows := int(math.Round(seconds / ((t[len(t)-1] - t[0]) / float64(len(t)-1))))
	c[name] = append(slices.Repeat(x[:1], rows), x[:len(x)-rows]...)
}

// faultsOfParts are faults of one joint, or of a part of the log.
func faultsOfParts() []fault {
	positions := func(joint int, by float64, kinds ...string) func(map[string][]float64, int) {
		return func(c map[string][]float64, n int) {
			for _, p := range kinds {
				scale(c[fmt.Sprint(p, joint)], by)
			}
		}
	}
	return []fault{
		{name: "gear ratio of position 4 by 1.25", do: positions(4, 1.25, "q", "dq", "ddq")},
		{name: "gear ratio of position 2 by 0.8", do: positions(2, 0.8, "q", "dq", "ddq")},
		{name: "position 4 in degrees", do: positions(4, 180/math.Pi, "q", "dq", "ddq")},
		{name: "velocity 4 in degrees", do: positions(4, 180/math.Pi, "dq", "ddq")},
		{name: "position 3 frozen halfway", do: func(c map[string][]float64, n int) { frozen(c["q3"]) }},
		{name: "joint 3 frozen halfway", do: func(c map[string][]float64, n int) {
			for _, p := range everyChannel {
				frozen(c[p+"3"])
			}
		}},
		{name: "torque 3 frozen halfway", do: func(c map[string][]float64, n int) { frozen(c[effort(c, 3)]) }},
		{name: "torque 3 instead of 4", do: func(c map[string][]float64, n int) { copy(c[effort(c, 4)], c[effort(c, 3)]) }},
		{name: "position 3 instead of 4", do: func(c map[string][]float64, n int) {
			for _, p := range []string{"q", "dq", "ddq"} {
				copy(c[p+"4"], c[p+"3"])
			}
		}},
		{name: "torque 2 late by 30 ms", do: func(c map[string][]float64, n int) { late(c, effort(c, 2), 0.03) }},
		{name: "torque 2 late by 100 ms", do: func(c map[string][]float64, n int) { late(c, effort(c, 2), 0.1) }},
		{name: "position 2 late by 50 ms", do: func(c map[string][]float64, n int) { late(c, "q2", 0.05) }},
		{name: "torque 3 by 1.2 from halfway on", do: func(c map[string][]float64, n int) {
			x := c[effort(c, 3)]
			scale(x[len(x)/2:], 1.2)
		}},
		{name: "torque 3 plus half its mean from halfway on", do: func(c map[string][]float64, n int) {
			x := c[effort(c, 3)]
			d := 0.5 * meanSize(x)
			for i := len(x) / 2; i < len(x); i++ {
				x[i] += d
			}
		}},
		{name: "friction that falls to nothing", do: func(c map[string][]float64, n int) {
			for j := 1; j <= n; j++ {
				x, q := c[effort(c, j)], c[fmt.Sprint("q", j)]
				d := 0.2 * meanSize(x)
				for i := range x {
					x[i] += d * (1 - float64(i)/float64(len(x))) * math.Tanh((q[min(i+3, len(q)-1)]-q[max(i-3, 0)])/1e-3)
				}
			}
		}},
		{name: "torque 2 clipped at 60 %", do: func(c map[string][]float64, n int) {
			x := c[effort(c, 2)]
			most := 0.6 * max(slices.Max(x), -slices.Min(x))
			for i, v := range x {
				x[i] = max(min(v, most), -most)
			}
		}},
		{name: "torque 2 without its sign", do: func(c map[string][]float64, n int) {
			x := c[effort(c, 2)]
			for i, v := range x {
				x[i] = math.Abs(v)
			}
		}},
		{name: "torques are noise", do: func(c map[string][]float64, n int) {
			rng := rand.New(rand.NewPCG(1, 2))
			for j := 1; j <= n; j++ {
				x := c[effort(c, j)]
				for i := range x {
					x[i] = rng.NormFloat64()
				}
			}
		}},
		{name: "torques backwards in time", do: func(c map[string][]float64, n int) {
			for j := 1; j <= n; j++ {
				slices.Reverse(c[effort(c, j)])
			}
		}},
	}
}

// faultsOfRecording are faults of the programs that record logs, and of the people who name their columns.
func faultsOfRecording() []fault {
	scaled := func(joint int, by float64) func(map[string][]float64, int) {
		return func(c map[string][]float64, n int) { scale(c[effort(c, joint)], by) }
	}
	every := func(do func(x []float64), kinds ...string) func(map[string][]float64, int) {
		return func(c map[string][]float64, n int) {
			for j := 1; j <= n; j++ {
				for _, p := range kinds {
					if x := c[fmt.Sprint(p, j)]; x != nil {
						do(x)
					}
				}
			}
		}
	}
	torques := []string{"tau", "i"}
	return []fault{
		{name: "velocities late by 40 ms", do: func(c map[string][]float64, n int) {
			for j := 1; j <= n; j++ {
				if name := fmt.Sprint("dq", j); c[name] != nil {
					late(c, name, 0.04)
				}
			}
		}},
		{name: "sign of velocity 2", do: func(c map[string][]float64, n int) { scale(c["dq2"], -1) }},
		{name: "sign of all velocities", do: every(func(x []float64) { scale(x, -1) }, "dq")},
		{name: "velocity 3 instead of 4", do: func(c map[string][]float64, n int) { copy(c["dq4"], c["dq3"]) }},
		{name: "velocities in rpm", do: every(func(x []float64) { scale(x, 30/math.Pi) }, "dq")},
		{name: "torques of an earlier part", do: every(func(x []float64) {
			n := len(x) / 3
			moved := append(slices.Clone(x[n:]), x[:n]...)
			copy(x, moved)
		}, torques...)},
		{name: "torques clipped at 70 %", do: every(func(x []float64) {
			most := 0.7 * max(slices.Max(x), -slices.Min(x))
			for i, v := range x {
				x[i] = max(min(v, most), -most)
			}
		}, torques...)},
		{name: "torques in whole N·m", do: every(func(x []float64) {
			for i, v := range x {
				x[i] = math.Round(v)
			}
		}, torques...)},
		{name: "current of joint 2 without its gain", do: scaled(2, 0.1)},
		{name: "current of joint 5 without its gain", do: scaled(5, 0.1)},
		{name: "position 3 per turn of the motor", do: func(c map[string][]float64, n int) {
			for _, p := range []string{"q", "dq", "ddq"} {
				scale(c[p+"3"], 100)
			}
		}},
		{name: "position 1 per turn of the motor", do: func(c map[string][]float64, n int) {
			for _, p := range []string{"q", "dq", "ddq"} {
				scale(c[p+"1"], 100)
			}
		}},
		{name: "torque 5 is zero", do: scaled(5, 0)},
		{name: "joints numbered from the last", do: func(c map[string][]float64, n int) {
			for j := 1; j <= n/2; j++ {
				swapJoints(c, j, n+1-j, everyChannel...)
			}
		}},
		{name: "torques numbered from the last", do: func(c map[string][]float64, n int) {
			for j := 1; j <= n/2; j++ {
				swapJoints(c, j, n+1-j, torques...)
			}
		}},
		{name: "torques turned by a joint", do: func(c map[string][]float64, n int) {
			for j := 1; j < n; j++ {
				swapJoints(c, j, j+1, torques...)
			}
		}},
		{name: "torques with 50 ms of smoothing", do: func(c map[string][]float64, n int) {
			t := c["t"]
			dt := (t[len(t)-1] - t[0]) / float64(len(t)-1)
			for j := 1; j <= n; j++ {
				x := c[effort(c, j)]
				y := x[0]
				for i, v := range x {
					y += (v - y) * dt / (0.05 + dt)
					x[i] = y
				}
			}
		}},
		{name: "zero of position 4 moves halfway by 0.1 rad", do: func(c map[string][]float64, n int) {
			x := c["q4"]
			for i := len(x) / 2; i < len(x); i++ {
				x[i] += 0.1
			}
		}},
		{name: "zero of position 2 drifts by 0.2 rad", do: func(c map[string][]float64, n int) {
			x := c["q2"]
			for i := range x {
				x[i] += 0.2 * float64(i) / float64(len(x))
			}
		}},
	}
}

// fitted is the answer of fit to a log: refused with a message, or a grade with its reasons and error.
func fitted(t *testing.T, out string, args ...string) (answer, grade string, percent float64) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), append([]string{"fit", "--json", "-o", out}, args...), streams{out: &stdout, err: &stderr})
	if stdout.Len() == 0 {
		finding := stderr.String()
		if _, after, ok := strings.Cut(finding, "log: "); ok {
			finding, _, _ = strings.Cut(after, ",")
		}
		return fmt.Sprintf("refused: %s", finding), "", 0
	}
	res := new(result.Result)
	if err := json.Unmarshal(stdout.Bytes(), res); err != nil {
		t.Fatalf("exit %d: %v", code, err)
	}
	var ids []string
	for _, r := range res.Grade.Reasons {
		ids = append(ids, r.ID)
	}
	grade, percent = string(res.Grade.Value), res.Fit.RelativeError.Stacked
	return fmt.Sprintf("%s %.2f %% %s", grade, percent, strings.Join(ids, " ")), grade, percent
}

// TestFaultsOfParts feeds measured logs with faults of one joint or of a part of the log. A result that is called sound
// has to predict the log without the fault: at most three times and two percent worse than a fit of it.
func TestFaultsOfParts(t *testing.T) {
	if !*harderFaults {
		t.Skip("a hundred fits of measured logs: -harder-faults")
	}
	data := filepath.Join(testrobot.DataDir(t), "data")
	others := otherLogs()
	for _, l := range append(judgedLogs(), others[3], others[6]) {
		t.Run(l.name, func(t *testing.T) {
			clean := within(data, l.log)
			args := append([]string{"--robot", within(data, l.robot)}, l.args...)
			_, _, least := fitted(t, filepath.Join(t.TempDir(), "r"), append([]string{clean}, args...)...)
			for _, f := range append(faultsOfParts(), faultsOfRecording()...) {
				t.Run(f.name, func(t *testing.T) {
					path, out := filepath.Join(t.TempDir(), "log.parquet"), filepath.Join(t.TempDir(), "r")
					withFault(t, path, clean, f, l.joints)
					answer, grade, _ := fitted(t, out, append([]string{path}, args...)...)
					if grade != string(result.Sound) {
						t.Logf("| %s | %s | %s |", l.name, f.name, answer)
						return
					}
					var stdout, stderr bytes.Buffer
					run(context.Background(), []string{"validate", out, clean, "--json"}, streams{out: &stdout, err: &stderr})
					var doc struct {
						Validation struct {
							RelativeError struct{ Stacked float64 } `json:"relative_error_percent"`
						}
					}
					if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
						t.Fatalf("%v: %s", err, stderr.String())
					}
					left := doc.Validation.RelativeError.Stacked
					t.Logf("| %s | %s | %s, the clean log to %.2f %% (its own fit %.2f %%) |", l.name, f.name, answer, left, least)
					if left > 3*least+2 {
						t.Errorf("called sound, and predicts the clean log to %.2f %%, its own fit to %.2f %%", left, least)
					}
				})
			}
		})
	}
}
