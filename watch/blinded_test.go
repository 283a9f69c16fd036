package watch

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/long"
)

// wrong are numbers that a channel of a robot never has.
var wrong = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e308, 1e200, 1e20, -1e20}

// channel is a place of the value that a test damages.
type channel struct {
	group string // t, q, dq or tau
	joint int
}

func (c channel) String() string {
	if c.group == "t" {
		return "t"
	}
	return fmt.Sprint(c.group, c.joint+1)
}

// in returns the slice of the channel.
func (c channel) in(rows *Columns) []float64 {
	switch c.group {
	case "q":
		return rows.Q[c.joint]
	case "dq":
		return rows.DQ[c.joint]
	case "tau":
		return rows.Tau[c.joint]
	}
	return rows.T
}

// channelsOf lists the channels of a robot.
func channelsOf(joints int) []channel {
	list := []channel{{"t", 0}}
	for _, g := range []string{"q", "dq", "tau"} {
		for j := range joints {
			list = append(list, channel{g, j})
		}
	}
	return list
}

// pushed is a motion of 1.6 s at 1 kHz with a contact of 30 N·m on the second joint from pushedAt on.
func pushed(t testing.TB, m Model) Columns {
	t.Helper()
	rows := exact(t, m, 1600, 0.1)
	for k := range rows.T {
		if rows.T[k] >= pushedAt {
			rows.Tau[1][k] -= 30
		}
	}
	return rows
}

// copied returns a copy of rows.
func copied(rows Columns) Columns {
	c := Columns{T: slices.Clone(rows.T)}
	for j := range rows.Q {
		c.Q, c.DQ, c.Tau = append(c.Q, slices.Clone(rows.Q[j])), append(c.DQ, slices.Clone(rows.DQ[j])), append(c.Tau, slices.Clone(rows.Tau[j]))
	}
	return c
}

const (
	damagedRow = 500
	pushedAt   = 1.2
)

// hearing is what a watcher told.
type hearing struct {
	told, found bool // a fault within a second of the damaged row; the contact
	early       []Event
	rows        int
}

// hear watches rows. It fails at an event or a row with a number that JSON cannot hold, as rows that are not known excepted.
func hear(w *Watcher, rows Columns) (h hearing, err error) {
	each := func(row *Row) error {
		h.rows++
		if math.IsNaN(row.T) || math.IsInf(row.T, 0) {
			return fmt.Errorf("a row at %v", row.T)
		}
		for _, e := range row.Events {
			for _, x := range []float64{e.T, e.Z, e.Limit, e.Force, e.Sigma, e.Since, e.Until} {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					return fmt.Errorf("an event with a number that is none: %+v", e)
				}
			}
			at := rows.T[0] + damagedRow*0.001
			switch {
			case (e.Type == Sensor || e.Type == Blind) && e.T >= at-0.1 && e.T <= at+1:
				h.told = true
			case (e.Type == Contact || e.Type == Collision) && e.T >= pushedAt && e.T < pushedAt+0.1:
				h.found = true
			}
			if e.T < pushedAt && (e.Type == Contact || e.Type == Collision || e.Type == Payload) {
				h.early = append(h.early, e)
			}
		}
		return nil
	}
	if err = w.Add(rows, each); err == nil {
		err = w.Finish(each)
	}
	return h, err
}

// One damaged number in any channel blinds nobody: it is told within a second, it is no contact, and the contact behind it is found.
func TestNotBlinded(t *testing.T) {
	m := seven(t)
	n := quietOf(t)
	counts := map[string]int{}
	quiet := pushed(t, m)
	for i, c := range channelsOf(m.Torques.Joints()) {
		for k, v := range wrong {
			if (i+k)%long.Of(1, 11) != 0 {
				continue
			}
			w, err := New(m, n, Options{})
			if err != nil {
				t.Fatal(err)
			}
			rows := copied(quiet)
			c.in(&rows)[damagedRow] = v
			h, err := hear(w, rows)
			if err != nil {
				t.Fatalf("%v = %g: %v", c, v, err)
			}
			if !h.told || !h.found || len(h.early) > 0 || h.rows < len(rows.T) {
				t.Errorf("%v = %g: told %v, found %v, before the contact %v, %d rows", c, v, h.told, h.found, h.early, h.rows)
			}
			counts[fmt.Sprintf("told %v, found %v", h.told, h.found)]++
		}
	}
	t.Logf("%v", counts)
}

// Whatever numbers stand in some rows of some channels, they are told, or the contact behind them is found, and a watcher that sees no row says so.
func TestDamagedRows(t *testing.T) {
	m := seven(t)
	n := quietOf(t)
	list := channelsOf(m.Torques.Joints())
	quiet := pushed(t, m)
	rapid.Check(t, func(t *rapid.T) {
		w, err := New(m, n, Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows := copied(quiet)
		length := rapid.SampledFrom([]int{1, 2, 9, 12, 300}).Draw(t, "rows")
		stride := rapid.IntRange(1, 3).Draw(t, "every")
		c := rapid.SampledFrom(list).Draw(t, "channel")
		v := rapid.OneOf(rapid.SampledFrom(wrong), rapid.Float64()).Draw(t, "value")
		for k := damagedRow; k < damagedRow+length; k += stride {
			c.in(&rows)[k] = v
		}
		h, err := hear(w, rows)
		if err != nil {
			t.Fatal(err)
		}
		if !h.told && !h.found {
			t.Fatalf("%v = %g in every %d of %d rows: nothing is told, and the contact is not found", c, v, stride, length)
		}
		if w.Watched() < 200 {
			t.Fatalf("%v = %g in every %d of %d rows: %d rows are watched", c, v, stride, length, w.Watched())
		}
	})
}

// A blow of many times the largest torque of the quiet log is a collision, up to ten thousand times; so is the next one.
func TestBlowBeyondTheBounds(t *testing.T) {
	m := seven(t)
	n := quietOf(t)
	for _, size := range []float64{1, 10, 90} {
		w, err := New(m, n, Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows := exact(t, m, 3600, 0.1)
		for _, from := range []int{1000, 3300} { // behind the end of the first episode
			for k := from; k < from+200; k++ {
				rows.Tau[1][k] -= size * n.Bounds.Torque[1]
			}
		}
		var at []float64
		if err := w.Add(rows, func(row *Row) error {
			for _, e := range row.Events {
				if e.Type == Collision || e.Type == Contact {
					at = append(at, e.T)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for _, from := range []float64{1, 3.3} {
			if !slices.ContainsFunc(at, func(x float64) bool { return x >= from && x < from+0.01 }) {
				t.Errorf("%g times the bound: contacts and collisions at %v, want one at %g s", size, at, from)
			}
		}
	}
}

// A fault that lasts is told when it begins and when it is over, with its rows, and a time in which no row is watched is told within a second.
func TestLastingFaults(t *testing.T) {
	m := seven(t)
	for _, c := range []struct {
		name  string
		fault func(rows *Columns, k int)
		first string
		blind bool // no row is watched
	}{
		{"a dead sensor", func(rows *Columns, k int) { rows.Q[3][k] = math.NaN() }, "the position of joint J4 is no number", true},
		{"a wrong unit", func(rows *Columns, k int) { rows.DQ[3][k] = 5e4 }, "the velocity of joint J4 is 5e+04", true},
		{"every other row", func(rows *Columns, k int) {
			if k%2 == 0 {
				rows.Tau[3][k] = math.Inf(-1)
			}
		}, "the torque of joint J4 is no number", false},
		{"a clock that stands", func(rows *Columns, k int) { rows.T[k] = 1.499 }, "the clock stands still", true},
		{"a clock that goes back", func(rows *Columns, k int) { rows.T[k] = 1.5 - 3*float64(k) }, "the clock goes back", true},
	} {
		w := watcherOf(t)
		rows := exact(t, m, 6000, 0.1)
		for k := 1500; k < 4000; k++ {
			c.fault(&rows, k)
		}
		var events []Event
		each := func(row *Row) error { events = append(events, row.Events...); return nil }
		if err := w.Add(rows, each); err != nil {
			t.Fatal(err)
		}
		if err := w.Finish(each); err != nil {
			t.Fatal(err)
		}
		var began, over, blind *Event
		for i, e := range events {
			switch {
			case e.Type == Sensor && strings.HasPrefix(e.Text, c.first):
				began = &events[i]
			case e.Type == Sensor && e.Over && strings.Contains(e.Text, c.first):
				over = &events[i]
			case e.Type == Blind && !e.Over && blind == nil:
				blind = &events[i]
			}
		}
		if len(events) > 8 || began == nil || over == nil || over.Rows < 1200 || over.Since != began.T || (blind != nil) != c.blind {
			t.Errorf("%s: %d events, the first %+v", c.name, len(events), events[:min(len(events), 8)])
		}
	}
}

// A torque that no robot feels is a fault of the sensor in every row, and no contact.
func TestNoTorque(t *testing.T) {
	m := seven(t)
	n := quietOf(t)
	for _, size := range []float64{1e40, -1e300, 1.1 * blowFactor * n.Bounds.Torque[2]} {
		w, err := New(m, n, Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows := exact(t, m, 3000, 0.1)
		for k := 1000; k < len(rows.T); k++ {
			rows.Tau[2][k] = size
		}
		var events []Event
		each := func(row *Row) error { events = append(events, row.Events...); return nil }
		if err := w.Add(rows, each); err != nil {
			t.Fatal(err)
		}
		if len(events) == 0 || events[0].Type != Sensor || events[0].T != rows.T[1000] || events[0].Joint != w.names[2] {
			t.Errorf("%g: %+v", size, events)
		}
		for _, e := range events {
			if e.Type != Sensor && e.Type != Blind {
				t.Errorf("%g: %+v", size, e)
			}
		}
	}
}

// A watcher that has seen no row tells what was left out, and has no wrench.
func TestNoRow(t *testing.T) {
	w := watcherOf(t)
	w.Lost(3, true, "line 1 is no row")
	told := 0
	if err := w.Finish(func(row *Row) error {
		told += len(row.Events)
		if _, _, ok := w.Wrench(nil); ok {
			t.Error("a wrench without a row")
		}
		return nil
	}); err != nil || told == 0 {
		t.Errorf("%d events, %v", told, err)
	}
}

// A torque that is no number in every eighth row costs these rows: the observer goes on, and the contact is found.
func TestEveryEighthRow(t *testing.T) {
	m := seven(t)
	w, err := New(m, quietOf(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows := pushed(t, m)
	for k := 0; k < len(rows.T); k += 8 {
		rows.Tau[k/8%len(rows.Tau)][k] = math.NaN()
	}
	h, err := hear(w, rows)
	if err != nil {
		t.Fatal(err)
	}
	if seen, want := w.Watched(), len(rows.T)*7/8-w.noise.settling()-8; !h.found || len(h.early) > 0 || seen < want {
		t.Errorf("found %v, before the contact %v, %d rows watched, want %d", h.found, h.early, seen, want)
	}
}

// A channel that dies while its joint moves is a fault of the sensor before it is anything else but a contact, and never a payload or friction.
func TestDeadChannel(t *testing.T) {
	m := seven(t)
	n := quietOf(t)
	for i, c := range channelsOf(7)[1:] {
		if i%long.Of(1, 4) != 0 {
			continue
		}
		w, err := New(m, n, Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows := exact(t, m, 4000, 0.1)
		x := c.in(&rows)
		for k := 1000; k < len(x); k++ {
			x[k] = x[1000]
			if c.group != "q" {
				x[k] = 0
			}
		}
		var events []Event
		if err := w.Add(rows, func(row *Row) error { events = append(events, row.Events...); return nil }); err != nil {
			t.Fatal(err)
		}
		first := slices.IndexFunc(events, func(e Event) bool { return e.Type == Sensor && e.Joint == w.names[c.joint] })
		if first < 0 || first > 1 || first == 1 && events[1].T > events[0].T+0.02 {
			t.Errorf("%v: %+v", c, events)
		}
		for _, e := range events {
			if e.Type == Payload || e.Type == Drift && c.group == "tau" {
				t.Errorf("%v: %+v", c, e)
			}
		}
	}
}
