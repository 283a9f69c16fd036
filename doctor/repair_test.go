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
		if i%draws.Of(1, 12) != 0 {
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

// One or two missing values of a torque are interpolated where the log has them on both sides, and the positions there
// stay. Rows that lack more, or a position, are left out.
func TestMendBridgesTorques(t *testing.T) {
	e := run(puma(), rand.New(rand.NewPCG(3, 36)), 200, 6)
	n := len(e.t)
	for k := range e.t { // bridged values are then known exactly
		e.t[k] += 1e-3 * math.Sin(float64(k))
		e.tau[2][k] = 3 - 7*e.t[k]
	}
	for _, k := range []int{0, 100, 200, 201, 300, 301, 302, 401, 500, n - 1} {
		e.tau[2][k] = math.NaN()
	}
	e.tau[4][100], e.tau[4][600] = math.Inf(1), 1e9
	e.q[1][400], e.q[1][500] = math.NaN(), math.NaN()
	l, roles := e.log()
	cols, err := l.Columns(l.Names()...)
	if err != nil {
		t.Fatal(err)
	}
	found := slices.DeleteFunc(e.findings(t), func(f doctor.Finding) bool {
		return len(f.Repair.Settings) == 0 || f.Repair.Settings[0].Key != "on-bad"
	})
	got, done := doctor.Mend(l.Names(), cols, 0, found, doctor.Bounds(e.robot, roles))
	left := []int{0, 300, 301, 302, 400, 500, n - 1}
	var rows []int
	for k := range n {
		if !slices.Contains(left, k) {
			rows = append(rows, k)
		}
	}
	if len(got[0]) != len(rows) {
		t.Fatalf("%d rows of %d: %v", len(got[0]), n, done)
	}
	for i, name := range l.Names() {
		for at, k := range rows {
			want, near := cols[i][k], 0.0
			switch {
			case name == roles.Tau[2]:
				want, near = 3-7*e.t[k], 1e-12
			case name == roles.Tau[4] && (k == 100 || k == 600):
				want = cols[i][k-1] + (cols[i][k+1]-cols[i][k-1])*(e.t[k]-e.t[k-1])/(e.t[k+1]-e.t[k-1])
				near = 1e-12 * math.Abs(want)
			}
			if !(math.Abs(got[i][at]-want) <= near) {
				t.Errorf("%s in row %d is %g, want %g", name, k, got[i][at], want)
			}
		}
	}
	for _, line := range []string{"5 values of " + roles.Tau[2] + " interpolated (dropout)", "2 values of " + roles.Tau[4] + " interpolated (dropout)"} {
		if !slices.Contains(done, line) {
			t.Errorf("%q is not among %q", line, done)
		}
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

// A torque whose channel wraps is mended to what it was, whether the log begins before the first wrap or after it.
func TestTorqueWrapsFromTheStart(t *testing.T) {
	mended := 0
	for seed := range uint64(draws.Of(12, 4)) {
		rng := rand.New(rand.NewPCG(seed, 78))
		sound := run(puma(), rng, 100, 14).measure(rng, 1e-6, 1e-4, 0.005)
		j := 1 + int(seed%2)
		e := sound.clone()
		n := 600 + rng.IntN(400) // where the log begins
		for _, x := range slices.Concat([][]*[]float64{{&sound.t, &e.t}}, pointers(sound.q, e.q), pointers(sound.dq, e.dq), pointers(sound.tau, e.tau)) {
			for _, p := range x {
				*p = (*p)[n-600:]
			}
		}
		most := 0.8 * max(slices.Max(e.tau[j]), -slices.Min(e.tau[j]))
		for k, v := range e.tau[j] {
			e.tau[j][k] = v - 2*most*math.Round(v/2/most)
		}
		m := e.mended(t, nil)
		if m == nil {
			continue
		}
		mended++
		for k, v := range m.tau[j] {
			if math.Abs(v-sound.tau[j][k]) > 0.1*most { // the noise of a wrap for one row is a spike, which is interpolated
				t.Errorf("%d: torque %d in row %d is %g, want %g", seed, j+1, k, v, sound.tau[j][k])
				break
			}
		}
	}
	if mended == 0 {
		t.Error("no torque was mended: this test cannot fail")
	}
}

// pointers pairs the columns of two logs.
func pointers(a, b [][]float64) (out [][]*[]float64) {
	for j := range a {
		out = append(out, []*[]float64{&a[j], &b[j]})
	}
	return out
}
