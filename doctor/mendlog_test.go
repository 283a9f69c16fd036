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

// A wrong sign and a late recorder are mended together, and a second call changes nothing. A sound log stays as it is.
func TestMendLog(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 36))
	make := func() *experiment {
		return run(puma(), rand.New(rand.NewPCG(3, 36)), 200, 20).measure(rng, 1e-5, 2e-3, 0.01)
	}
	mend := func(e *experiment) (*doctor.Mended, *datasets.Log, datasets.Roles) {
		l, roles := e.log()
		m, err := doctor.MendLog(t.Context(), e.robot, l, roles, nil, doctor.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return m, l, roles
	}
	if m, _, _ := mend(make()); m.Columns != nil {
		t.Errorf("a sound log is changed: %v", m.Done)
	}
	e := make()
	const late = 60 // rows of 5 ms
	for j := range e.tau {
		copy(e.tau[j][late:], e.tau[j][:len(e.tau[j])-late])
	}
	times(e.tau[1], -1)
	m, l, roles := mend(e)
	if m.Columns == nil {
		t.Fatalf("nothing is mended: %+v", m.Tried)
	}
	turned := false
	for _, f := range m.Tried {
		if f.Repair.Written && !(f.Repair.ErrorAfter < f.Repair.ErrorBefore) {
			t.Errorf("%s was written with an error of %.3g, %.3g before", f.ID, f.Repair.ErrorAfter, f.Repair.ErrorBefore)
		}
		turned = turned || f.ID == doctor.Sign && f.Repair.Written
	}
	if !turned {
		t.Errorf("the sign was not mended: %v; %+v", m.Done, m.Left)
	}
	if math.Abs(float64(len(m.Columns[0])-(len(e.t)-late))) > 20 {
		t.Errorf("%d rows of %d are left of torques %d rows late", len(m.Columns[0]), len(e.t), late)
	}
	if !draws.Set() {
		return // with IDENT_LONG the mended log is mended once more, which must change nothing
	}
	again, err := doctor.MendLog(t.Context(), e.robot, datasets.FromColumns("mended", l.Channels(), m.Columns, nil), roles, nil, doctor.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if again.Columns != nil {
		t.Errorf("the mended log is mended again: %v", again.Done)
	}
}

// Torques of two joints that are exchanged while the sign of one is wrong are found together, since either alone explains little. The
// sign of a torque that is mostly friction is found when the order is mended.
func TestTorquesExchangedAndTurned(t *testing.T) {
	for _, turned := range []int{1, 3}[:draws.Of(2, 1)] {
		e := run(puma(), rand.New(rand.NewPCG(3, 36)), 200, 20).measure(rand.New(rand.NewPCG(5, 36)), 1e-5, 2e-3, 0.01)
		l, roles := e.log()
		right, err := l.Columns(roles.Tau...)
		if err != nil {
			t.Fatal(err)
		}
		var want [][]float64
		for _, x := range right {
			want = append(want, slices.Clone(x))
		}
		e.tau[1], e.tau[2] = e.tau[2], e.tau[1]
		times(e.tau[turned], -1)
		l, roles = e.log()
		m, err := doctor.MendLog(t.Context(), e.robot, l, roles, nil, doctor.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if m.Columns == nil {
			t.Fatalf("nothing is mended: %+v; %+v", m.Tried, m.Left)
		}
		if f := m.Tried[0]; turned == 1 && (f.ID != doctor.JointOrder || len(f.Repair.Edits) != 2 || len(f.Repair.Settings) != 3) {
			t.Errorf("%s with the repair %+v", f.ID, f.Repair)
		}
		for j, name := range roles.Tau {
			if got := m.Columns[slices.Index(l.Names(), name)]; !slices.Equal(got, want[j]) {
				t.Errorf("%s is not that of joint %d: %v", name, j+1, m.Done)
			}
		}
	}
}
