package watch

import (
	"math"
	"slices"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/mechanics/kinematics"
)

// A force on the tip is the wrench that the watcher tells, and it is a collision within 20 ms.
func TestWrenchOfAForce(t *testing.T) {
	m := seven(t)
	w := watcherOf(t)
	rows := exact(t, m, 3000, 0.1)
	force := [3]float64{12, -20, 16}
	tree, err := kinematics.New(m.Robot)
	if err != nil {
		t.Fatal(err)
	}
	pose, jac := tree.NewPose(), make(kinematics.Jacobian, tree.DOF())
	q, tau := make([]float64, 7), make([]float64, 7)
	for k := 2000; k < 3000; k++ {
		for j := range q {
			q[j], tau[j] = rows.Q[j][k], 0
		}
		pose.Place(q)
		pose.Jacobian(jac, kinematics.Point{Link: tree.Tip()})
		jac.Torques(tau, force, [3]float64{})
		for j := range tau {
			rows.Tau[j][k] -= tau[j]
		}
	}
	at, told := 0, false
	var sizes []float64
	err = w.Add(rows, func(row *Row) error {
		for _, e := range row.Events {
			if e.Type == Collision && row.T >= 2 && row.T < 2.02 {
				told = true
			}
		}
		for j := range q {
			q[j] = rows.Q[j][at]
		}
		at++
		if at > 2100 && at%20 == 0 {
			if wrench, _, ok := w.Wrench(q); ok {
				size := 0.0
				for i, f := range force {
					size = max(size, math.Abs(wrench[i]-f))
				}
				sizes = append(sizes, size)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !told {
		t.Error("no collision within 20 ms")
	}
	slices.Sort(sizes)
	// The observer's noise is some 0.1 N·m by joint; at 0.3 m that is a third of a newton, larger by the pose's condition number.
	if len(sizes) < 20 || sizes[len(sizes)/2] > 4 {
		t.Errorf("the force is wrong by %.2g N", sizes)
	}
}

// Bad rows are events, and the watcher goes on behind them.
func TestBadRows(t *testing.T) {
	m := seven(t)
	w := watcherOf(t)
	rows := exact(t, m, 3000, 0.1)
	rows.DQ[2][500] = math.NaN()
	rows.T[1000] = rows.T[998]
	for k := 2000; k < 3000; k++ {
		rows.T[k] += 5
	}
	for k := 1500; k < 1700; k++ {
		rows.Tau[1][k] = 3
	}
	var texts []string
	seen := 0
	if err := w.Add(rows, func(row *Row) error {
		seen++
		for _, e := range row.Events {
			if e.Type == Sensor {
				texts = append(texts, e.Text)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(texts, "\n")
	for _, want := range []string{"the velocity of joint J3 is no number", "the clock goes back by 0.001 s", "the torque of joint J2 stands at 3 while the joint moves", "5 s without rows"} {
		if !strings.Contains(all, want) {
			t.Errorf("no event says %q; there are\n%s", want, all)
		}
	}
	if seen != 3000 {
		t.Errorf("%d rows of 3000", seen)
	}
}

// Rows at another rate than the quiet log's are one event when they begin, whether they come in pieces or alone; so is a stream that stops.
func TestRate(t *testing.T) {
	m := seven(t)
	n := quietOf(t)
	for _, c := range []struct {
		every int
		want  []string
	}{
		{2, []string{"rows come at 500 Hz, those of the quiet log at 1e+03 Hz: the thresholds do not hold; take a quiet log of this rate"}},
		{20, []string{"0.02 s without rows", "rows come at 50 Hz, those of the quiet log at 1e+03 Hz: the thresholds do not hold; take a quiet log of this rate", "no row is watched since 0.000 s"}},
	} {
		for _, alone := range []bool{false, true}[:long.Of(2, 1)] {
			w, err := New(m, n, Options{})
			if err != nil {
				t.Fatal(err)
			}
			rows := exact(t, m, 6000, 0.1)
			var thin Columns
			for range rows.Q {
				thin.Q, thin.DQ, thin.Tau = append(thin.Q, nil), append(thin.DQ, nil), append(thin.Tau, nil)
			}
			for k := 0; k < len(rows.T); k += c.every {
				thin.T = append(thin.T, rows.T[k])
				for j := range rows.Q {
					thin.Q[j], thin.DQ[j], thin.Tau[j] = append(thin.Q[j], rows.Q[j][k]), append(thin.DQ[j], rows.DQ[j][k]), append(thin.Tau[j], rows.Tau[j][k])
				}
			}
			var texts []string
			unknown := 0
			each := func(row *Row) error {
				for _, e := range row.Events {
					texts = append(texts, e.Text)
				}
				if math.IsNaN(row.Observer[0]) {
					unknown++
				}
				return nil
			}
			step := len(thin.T)
			if alone {
				step = 1
			}
			for k := 0; k < len(thin.T); k += step {
				if err := w.Add(thin.Slice(k, k+step), each); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(texts, c.want) {
				t.Errorf("every %d, alone %v: events %q, want %q", c.every, alone, texts, c.want)
			}
			if c.every == 20 && unknown != len(thin.T) {
				t.Errorf("%d of %d late rows have no torques", unknown, len(thin.T))
			}
			texts = nil
			if err := w.Stopped(each); err != nil {
				t.Fatal(err)
			}
			want := []string{"the stream has stopped: no further rows have come", "no row is watched since 5.998 s"}
			if c.every == 20 {
				want = want[:1] // the other was told before
			}
			if !slices.Equal(texts, want) {
				t.Errorf("events %q, want %q", texts, want)
			}
		}
	}
}

// A controller that stops all joints between two rows is no contact: the torque of the stop is in no row. The push behind it is one.
func TestHardStop(t *testing.T) {
	m := seven(t)
	w := watcherOf(t)
	rows := exact(t, m, 4000, 0.1)
	for j := range rows.Q {
		for k := 2000; k < 4000; k++ {
			rows.Q[j][k], rows.DQ[j][k] = rows.Q[j][1999], 0
		}
	}
	holding(t, m, &rows, 2000)
	for k := 3000; k < 4000; k++ {
		rows.Tau[1][k] -= 30
	}
	var at []float64
	if err := w.Add(rows, func(row *Row) error {
		for _, e := range row.Events {
			at = append(at, e.T)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(at) == 0 || at[0] < 3 || at[0] > 3.02 {
		t.Errorf("events at %.3f s, want the first within 20 ms of 3 s", at)
	}
}

// A quiet log has no events, another than that which told the noise.
func TestQuiet(t *testing.T) {
	m := seven(t)
	w := watcherOf(t)
	if err := w.Add(exact(t, m, long.Of(60000, 20000), 0.1), func(row *Row) error {
		for _, e := range row.Events {
			t.Errorf("%.3f s: %s", e.T, e.Text)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// quiet is what the first call of quietOf has measured.
var quiet *Noise

// quietOf returns the noise in a quiet log of 30 s of the arm with seven joints. It is measured once.
func quietOf(t *testing.T) *Noise {
	t.Helper()
	if quiet == nil {
		m := seven(t)
		c := NewCalibrator(m, 0)
		c.Add(exact(t, m, 30000, 0.1))
		n, err := c.Noise()
		if err != nil {
			t.Fatal(err)
		}
		quiet = n
	}
	return quiet
}

// watcherOf watches the arm with seven joints by the noise of quietOf.
func watcherOf(t *testing.T) *Watcher {
	t.Helper()
	w, err := New(seven(t), quietOf(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Rest says nothing of what rows resolve, and one stop at the end of a log does not count as resolved.
func TestResolved(t *testing.T) {
	changes := make([]float64, 5000) // of rest
	if got := resolved(changes); got != math.MaxFloat64 {
		t.Errorf("at rest throughout: %g, want no limit", got)
	}
	for range 1000 {
		changes = append(changes, 0.25)
	}
	if got := resolved(append(changes, 40, 41, 42)); got != 0.5 {
		t.Errorf("%g, want twice the usual change", got)
	}
}

// The momenta of two joints that stop between the same rows do not cancel: which stops first is not known.
func TestJoltsAdd(t *testing.T) {
	momenta := func(by ...float64) []float64 {
		w := watcherOf(t)
		rows := exact(t, seven(t), 1500, 0.1)
		for j, v := range by {
			rows.DQ[j][1000] += v
		}
		var out []float64
		if err := w.Add(rows.Slice(0, 1001), func(r *Row) error {
			out = append(out[:0], w.o.jolt.momentum...)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return out
	}
	one, other, both := momenta(0, 0.2), momenta(0, 0, 0, -0.2), momenta(0, 0.2, 0, -0.2)
	for j := range both {
		if want := one[j] + other[j]; math.Abs(both[j]-want) > 0.02*want+1e-9 {
			t.Errorf("joint %d: %g, want %g + %g", j, both[j], one[j], other[j])
		}
	}
}

// A torque that grows slowly on one joint may be a contact or that joint's friction, whichever it is, and the event says both. A force that
// other joints feel too, and a collision, are told as such.
func TestContactOrFriction(t *testing.T) {
	m := seven(t)
	tree, err := kinematics.New(m.Robot)
	if err != nil {
		t.Fatal(err)
	}
	pose, jac := tree.NewPose(), make(kinematics.Jacobian, tree.DOF())
	tip := func(rows *Columns, k int, size float64) {
		q, tau := make([]float64, 7), make([]float64, 7)
		for j := range q {
			q[j] = rows.Q[j][k]
		}
		pose.Place(q)
		pose.Jacobian(jac, kinematics.Point{Link: tree.Tip()})
		jac.Torques(tau, [3]float64{12 * size, -20 * size, 16 * size}, [3]float64{})
		for j := range tau {
			rows.Tau[j][k] -= tau[j]
		}
	}
	n := quietOf(t)
	for _, c := range []struct {
		name  string
		kind  Kind
		or    Kind
		joint string
		at    func(rows *Columns, k int, grown float64) // what acts at a row, from 0 to 1
	}{
		{"friction of a joint", Contact, Drift, "J2", func(rows *Columns, k int, grown float64) {
			v := rows.DQ[1][k]
			rows.Tau[1][k] += 4 * grown * (math.Copysign(1, v) + v)
		}},
		{"a push on one joint", Contact, Drift, "J2", func(rows *Columns, k int, grown float64) { rows.Tau[1][k] -= 4 * grown }},
		{"a push on the tip", Contact, "", "", func(rows *Columns, k int, grown float64) { tip(rows, k, grown) }},
		{"a blow on one joint", Collision, "", "J2", func(rows *Columns, k int, _ float64) { rows.Tau[1][k] -= 8 }},
	}[:long.Of(4, 2)] {
		w, err := New(m, n, Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows := exact(t, m, 4000, 0.1)
		for k := 1000; k < 4000; k++ {
			c.at(&rows, k, float64(k-1000)/3000)
		}
		var first *Event
		if err := w.Add(rows, func(row *Row) error {
			for _, e := range row.Events {
				if first == nil {
					first = &e
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if first == nil || first.T < 1 || first.Type != c.kind || first.Or != c.or || c.joint != "" && first.Joint != c.joint {
			t.Errorf("%s: the first event is %+v, want %s or %q of %s", c.name, first, c.kind, c.or, c.joint)
		} else if strings.Contains(first.Text, "friction") != (c.or != "") {
			t.Errorf("%s: %s", c.name, first.Text)
		}
	}
}
