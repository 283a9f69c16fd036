package doctor_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/datasets"
	"ident/doctor"
	draws "ident/internal/long"
)

// The log after the repairs that the doctor asks for has no findings.
func TestMend(t *testing.T) {
	for i, name := range []string{"one torque one sample late", "sign of one wrist torque", "two joints exchanged", "0.5 % of the rows lost and held", "one damaged value", "one bit error in a position",
		"gear ratio of a torque 5 % off", "positions in degrees", "zero of a joint a quarter turn off", "direction of a joint", "torque offset drifts by 5 % of the torque's RMS", "two clocks 50 ms apart merged"} {
		if i%draws.Of(1, 12, 12) != 0 {
			continue // the first, all with IDENT_LONG
		}
		t.Run(name, func(t *testing.T) {
			for _, c := range corpus() {
				if c.name != name {
					continue
				}
				e := subjects[1].log(41, nil)
				e.robot = panda7()
				c.inject(e, rand.New(rand.NewPCG(1, 2)))
				l, roles := e.log()
				before := e.findings(t)
				if doctor.Worst(before) == doctor.Info {
					t.Fatal("nothing found")
				}
				cols, err := l.Columns(l.Names()...)
				if err != nil {
					t.Fatal(err)
				}
				mended, done := doctor.Mend(l.Names(), cols, 0, before, doctor.Bounds(e.robot, roles))
				if len(done) == 0 {
					t.Fatal("nothing done")
				}
				after, err := doctor.Check(t.Context(), e.robot, datasets.FromColumns("mended", l.Channels(), mended, nil), roles, e.opt)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range after {
					// Rows that belonged to another clock leave holes.
					if f.Severity != doctor.Info && f.ID != doctor.ClockGap && f.ID != doctor.ClockJitter {
						t.Errorf("after %v: %s", done, show(f))
					}
				}
			}
		})
	}
}

// Edits change values on the rows' own times.
func TestMendEdits(t *testing.T) {
	n := 200
	clock, x := make([]float64, n), make([]float64, n)
	rng := rand.New(rand.NewPCG(4, 4))
	for k := range clock {
		clock[k] = (float64(k) + 0.3*rng.Float64()) / 100
		x[k] = math.Sin(3 * clock[k])
	}
	find := func(e doctor.Edit) []doctor.Finding {
		return []doctor.Finding{{Repair: doctor.Repair{Edits: []doctor.Edit{e}}}}
	}
	names := []string{"t", "x"}
	got, _ := doctor.Mend(names, [][]float64{clock, x}, 0, find(doctor.Edit{Channel: "x", Advance: 0.1}), nil)
	if len(got[0]) >= n || len(got[0]) < n-12 {
		t.Fatalf("%d rows", len(got[0]))
	}
	for k, s := range got[0] {
		if math.Abs(got[1][k]-math.Sin(3*(s+0.1))) > 1e-6 {
			t.Fatalf("at %g: %g, want %g", s, got[1][k], math.Sin(3*(s+0.1)))
		}
	}
	got, _ = doctor.Mend(names, [][]float64{clock, x}, 0, find(doctor.Edit{Channel: "x", Scale: -2, Offset: 1}), nil)
	if got[1][7] != 1-2*x[7] {
		t.Errorf("%g", got[1][7])
	}
	got, _ = doctor.Mend(names, [][]float64{clock, x}, 0, find(doctor.Edit{Rows: []datasets.RowRange{{5, 10}, {8, 20}}}), nil)
	if len(got[0]) != n-15 || got[1][5] != x[20] {
		t.Errorf("%d rows", len(got[0]))
	}
	if x[7] != math.Sin(3*clock[7]) {
		t.Error("the given columns were changed")
	}
}

// A log that runs backward is turned: all channels but the clock, and velocities change their sign.
func TestMendReversed(t *testing.T) {
	f := doctor.Finding{ID: doctor.Reversed, Repair: doctor.Repair{Edits: []doctor.Edit{{Channel: "t", Reverse: true}, {Channel: "dq", Scale: -1}}}}
	cols, done := doctor.Mend([]string{"t", "q", "dq"}, [][]float64{{0, 1, 2}, {3, 2, 0}, {-1, -1.5, -2}}, 0, []doctor.Finding{f}, nil)
	want := [][]float64{{0, 1, 2}, {0, 2, 3}, {2, 1.5, 1}}
	if !slices.EqualFunc(cols, want, slices.Equal[[]float64]) || len(done) != 2 {
		t.Errorf("%v, %v", cols, done)
	}
}
