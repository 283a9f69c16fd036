package regression

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"ident/datasets"
	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// pickAndPlace is a run in which the payload is taken up and put down, with a channel that
// says when: on is the value of the channel at a time, and shift the seconds by which the
// load follows it.
func pickAndPlace(t *testing.T, r *robot.Robot, body robot.Inertial, on func(t float64) float64, shift float64) Run {
	t.Helper()
	rec := simulate(t, r, newTrajectory(len(r.Links), 3, 0.1), steady(100, 30))
	last := len(r.Links) - 1
	chi := map[string]float64{}
	for p, name := range robot.InertialNames {
		chi[robot.ParameterName("P"+name, last)] = body[p]
	}
	term := regressor.Payload + ":" + regressor.Term(r.Links[last].Name)
	attached, flags := make([]float64, len(rec.t)), make([]float64, len(rec.t))
	for i, at := range rec.t {
		flags[i] = on(at)
		if on(at-shift) == 1 {
			attached[i] = 1
		}
	}
	run := added(t, rec, "pick", []regressor.Term{term}, chi, regressor.Batch{PayloadAttached: attached})
	cols, err := run.Log.Columns(run.Log.Names()...)
	if err != nil {
		t.Fatal(err)
	}
	run.Log = datasets.FromColumns("pick", append(slices.Clone(run.Log.Channels()), datasets.Channel{Name: "grip"}), append(slices.Clone(cols), flags), nil)
	run.Payload = observation.PayloadFlag{Channel: "grip"}
	return run
}

// weight is a payload in the frame of its link.
func weight() robot.Inertial {
	return robot.InertialFromCentral(3.2, [3]float64{0.05, 0.02, 0.1}, [3][3]float64{{0.02, 0, 0}, {0, 0.015, 0.001}, {0, 0.001, 0.01}})
}

// every is on for the second half of every period.
func every(period float64) func(float64) float64 {
	return func(t float64) float64 {
		if math.Mod(t, period) >= period/2 {
			return 1
		}
		return 0
	}
}

// All ten parameters of a payload from one log, exactly without noise, whatever is made
// of the rows, and with a clock that is not uniform.
func TestPayloadFlag(t *testing.T) {
	r := arm(4)
	body := weight()
	for name, change := range map[string]func(*Config){
		"no filter": func(*Config) {},
		"8 Hz":      func(c *Config) { c.Cutoff = 8 },
		"trimmed":   func(c *Config) { c.Cutoff, c.Trim = 8, 0.7 },
		"thinned":   func(c *Config) { c.Cutoff, c.Decimate = 0, 4 },
		"chunks":    func(c *Config) { c.Cutoff, c.chunk = 8, 200 },
	} {
		if !long.Set() && name != "chunks" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			cfg := exact()
			change(&cfg)
			run := pickAndPlace(t, r, body, every(5), 0)
			out, err := Fit(t.Context(), r, append(regressor.DefaultTerms(), regressor.Payload+":"+regressor.Term(r.Links[3].Name)), []Run{run}, nil, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if len(out.Result.Payloads) != 1 || !out.Result.Payloads[0].Complete {
				t.Fatalf("%+v", out.Result.Payloads)
			}
			for p, v := range out.Result.Payloads[0].Parameters {
				if !(math.Abs(v.Value-body[p]) < 1e-7) {
					t.Errorf("%s is %.9g, want %.9g", v.Name, v.Value, body[p])
				}
			}
			if !slices.ContainsFunc(out.Result.Notes, func(n string) bool {
				return strings.Contains(n, "by the channel grip the payload is on in 6 of 12 stretches")
			}) && name != "trimmed" {
				t.Errorf("notes %q", out.Result.Notes)
			}
		})
	}
}

// A load that follows its flag late spoils rows beside the changes alone, which are left
// out, no more of them than the filter reaches.
func TestPayloadFlagBeforeTheLoad(t *testing.T) {
	r := arm(3)
	body := weight()
	cfg := exact()
	cfg.Cutoff = 8
	worst := func(shift float64) float64 {
		run := pickAndPlace(t, r, body, every(6), shift)
		out, err := Fit(t.Context(), r, append(regressor.DefaultTerms(), regressor.Payload+":"+regressor.Term(r.Links[2].Name)), []Run{run}, nil, cfg)
		if err != nil {
			t.Fatal(err)
		}
		f, err := observation.NewRowFilter(observation.Settings{Model: Dynamic, Path: observation.Path{Cutoff: 8, Order: DefaultOrder}}, 0.01)
		if err != nil {
			t.Fatal(err)
		}
		// 30 s at 100 Hz with nine changes: both sides of each lose the filter's reach.
		if want := 3000 - 9*2*f.Tail(1e-3); out.Result.Samples.Used != want {
			t.Errorf("%d rows used, want %d", out.Result.Samples.Used, want)
		}
		far := 0.0
		for _, p := range out.Result.Payloads[0].Parameters {
			if p.Determined {
				i := slices.Index(robot.InertialNames[:], p.Name[1:len(p.Name)-1])
				far = max(far, math.Abs(p.Value-body[i]))
			}
		}
		return far
	}
	if d := worst(0); !(d < 1e-8) {
		t.Errorf("in time: a parameter is off by %.3g", d)
	}
	// Two samples late the torque is wrong by the whole payload, of which rows feel a
	// thousandth: with all rows a parameter was off by 4e-4.
	if d := worst(0.02); !(d < 4e-6) || d == 0 {
		t.Errorf("two samples late: a parameter is off by %.3g", d)
	}
}

// Values that say nothing are errors with file, row and column; so are flags that do not
// change, and numbers of payloads none of which is named.
func TestPayloadFlagFaults(t *testing.T) {
	long.Only(t, "TestPayloadFlag has the rows of a flag")
	r := arm(3)
	terms := append(regressor.DefaultTerms(), regressor.Payload+":"+regressor.Term(r.Links[2].Name))
	fit := func(on func(float64) float64, number int) error {
		run := pickAndPlace(t, r, weight(), on, 0)
		run.Payload.Number = number
		_, err := Fit(t.Context(), r, terms, []Run{run}, nil, exact())
		return err
	}
	var row *observation.RowError
	err := fit(func(t float64) float64 {
		if t > 9.995 && t < 10.005 {
			return 0.4
		}
		return every(6)(t)
	}, 0)
	if !errors.As(err, &row) || row.Log != "pick" || row.Row != 1001 || row.Channel != "grip" || !strings.Contains(err.Error(), "0.4 does not say whether the payload is on") {
		t.Errorf("a value between: %v", err)
	}
	three := func(t float64) float64 { return math.Mod(math.Floor(t/2), 3) }
	if err := fit(three, 0); !errors.As(err, &row) || row.Row != 401 || !strings.Contains(err.Error(), "choose one (payload-flag: grip=2)") {
		t.Errorf("two payloads: %v", err)
	}
	var need *NeedError
	if err := fit(func(float64) float64 { return 0 }, 0); !errors.As(err, &need) || !strings.Contains(err.Error(), "never on") {
		t.Errorf("never on: %v", err)
	}
	if err := fit(func(float64) float64 { return 1 }, 0); !errors.As(err, &need) || !strings.Contains(err.Error(), "always on") {
		t.Errorf("always on: %v", err)
	}
	// Of three states the rows with another payload are left out.
	if err := fit(three, 1); err != nil {
		t.Errorf("one of two payloads: %v", err)
	}
}
