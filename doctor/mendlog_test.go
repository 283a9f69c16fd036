package doctor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/datasets"
	"ident/doctor"
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
	again, err := doctor.MendLog(t.Context(), e.robot, datasets.FromColumns("mended", l.Channels(), m.Columns, nil), roles, nil, doctor.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if again.Columns != nil {
		t.Errorf("the mended log is mended again: %v", again.Done)
	}
}
