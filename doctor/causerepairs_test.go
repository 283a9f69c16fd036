package doctor

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ident/datasets"
	"ident/doctor/causes"
	"ident/filter"
	"ident/internal/findingkind"
	"ident/robot"
)

// columns of a log of three joints, by name.
type columns map[string][]float64

// soundLog returns a log of three joints with positions, velocities and torques, 100 rows a second.
func soundLog() columns {
	c := columns{}
	for k := range 1000 {
		s := float64(k) / 100
		c["t"] = append(c["t"], s)
		for j := range 3 {
			w, n := 2+0.7*float64(j), []string{"1", "2", "3"}[j]
			c["q"+n] = append(c["q"+n], 0.9*math.Sin(w*s+float64(j)))
			c["dq"+n] = append(c["dq"+n], 0.9*w*math.Cos(w*s+float64(j)))
			c["tau"+n] = append(c["tau"+n], 5*float64(j+1)*math.Sin(1.3*w*s)+2)
		}
	}
	return c
}

// recorded returns the recording of a log; models are those of all logs here.
func (c columns) recorded(t *testing.T, models *Models) (rec *recording, names []string) {
	t.Helper()
	r, roles, channels, data := c.log()
	for _, ch := range channels {
		names = append(names, ch.Name)
	}
	s, err := newSetup(r, channels, roles, Options{Models: models})
	if err != nil {
		t.Fatal(err)
	}
	times := new(filter.Times)
	times.Append(c["t"]...)
	rec, err = record(context.Background(), s, datasets.FromColumns("log", channels, data, nil), times, times.Clock())
	if err != nil {
		t.Fatal(err)
	}
	return rec, names
}

// log returns the robot of the log, and the log's channels with their roles and values.
func (c columns) log() (r *robot.Robot, roles datasets.Roles, channels []datasets.Channel, data [][]float64) {
	r = robot.FromMDH("three", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: math.Pi / 2}, {Antecedent: 1, D: 0.4}})
	for i := range r.Links {
		r.Links[i].Joint.Lower, r.Links[i].Joint.Upper = -1.5, 2
	}
	roles = datasets.Roles{T: "t", Q: []string{"q1", "q2", "q3"}, DQ: []string{"dq1", "dq2", "dq3"}, Tau: []string{"tau1", "tau2", "tau3"}}
	for _, n := range slices.Concat([]string{"t"}, roles.Q, roles.DQ, roles.Tau) {
		unit := map[byte]string{'t': "N·m", 'q': "rad", 'd': "rad/s"}[n[0]]
		if n == "t" {
			unit = "s"
		}
		channels, data = append(channels, datasets.Channel{Name: n, Unit: unit}), append(data, c[n])
	}
	return r, roles, channels, data
}

// on applies a change to the values of channels.
func (c columns) on(f func(v float64) float64, names ...string) {
	for _, n := range names {
		for k, v := range c[n] {
			c[n][k] = f(v)
		}
	}
}

func (c columns) swap(a, b string) { c[a], c[b] = c[b], c[a] }

func times(by float64) func(float64) float64 { return func(v float64) float64 { return by * v } }

// The repair of each cause, applied to a log with that fault, gives the sound columns back.
func TestRepairOfCause(t *testing.T) {
	models := new(Models)
	tried := map[string]bool{causes.Contact: true} // TestRepairOfContact
	for _, c := range repairs() {
		tried[c.cause.Kind] = true
		t.Run(c.name, func(t *testing.T) {
			sound, log := soundLog(), soundLog()
			c.spoil(log)
			rec, names := log.recorded(t, models)
			f := rec.causeFinding(c.cause, true)
			log.repaired(t, names, f, sound)
		})
	}
	rec, _ := soundLog().recorded(t, models)
	for _, k := range causes.Kinds() {
		kind := k.Name
		f := rec.causeFinding(causes.Cause{Kind: kind, Joints: []int{0, 1}, Value: 0.3, Gain: 0.9}, true)
		if len(f.Repair.Edits) > 0 && !tried[kind] {
			t.Errorf("the repair of %s is not tried", kind)
		}
	}
}

// Every kind of cause that package causes declares is in its table, once; its finding is in the table of findings, and has words.
func TestCausesAnswer(t *testing.T) {
	var declared, told []string
	for _, name := range []string{"causes/causes.go", "causes/raw.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
				if lit, ok := v.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					kind, _ := strconv.Unquote(lit.Value)
					declared = append(declared, kind)
				}
			}
			return true
		})
	}
	rec, _ := soundLog().recorded(t, new(Models))
	ids := findingkind.IDs(func(findingkind.Traits) bool { return true })
	for _, k := range causes.Kinds() {
		told = append(told, k.Name)
		if slices.Contains(ids, k.Family) == k.Ordinary {
			t.Errorf("%s: no finding %s", k.Name, k.Family)
		}
		if k.Ordinary {
			continue
		}
		c := causes.Cause{Kind: k.Name, Joints: []int{1, 2}, Value: 0.3, Gain: 0.9, Nats: 40, Rows: []int{10, 300}, Length: 20}
		f := rec.causeFinding(c, true)
		if k.Raw {
			f, _ = rec.rawFinding(&c, nil)
		}
		if f.ID != k.Family || f.Fix == "" || strings.HasPrefix(f.Why, " (") || f.Why == "" {
			t.Errorf("%s: %+v", k.Name, f)
		}
	}
	slices.Sort(declared)
	slices.Sort(told)
	if !slices.Equal(told, declared) {
		t.Errorf("the table has\n%v, the package declares\n%v", told, declared)
	}
}

// spoiled is a cause and the fault that it names.
type spoiled struct {
	name  string
	cause causes.Cause
	spoil func(c columns)
}

// repairs returns the causes whose repairs change columns.
func repairs() []spoiled {
	late := func(c columns, rows int, names ...string) {
		for _, n := range names {
			c[n] = append(slices.Repeat([]float64{c[n][0]}, rows), c[n][:len(c[n])-rows]...)
		}
	}
	all := []string{"tau1", "tau2", "tau3"}
	return []spoiled{
		{"a torque late", causes.Cause{Kind: causes.Delay, Joints: []int{1}, Value: 0.05}, func(c columns) { late(c, 5, "tau2") }},
		{"the recorder late", causes.Cause{Kind: causes.Recorder, Value: 0.3}, func(c columns) { late(c, 30, all...) }},
		{"a torque too large", causes.Cause{Kind: causes.Scale, Joints: []int{2}, Value: 1.7}, func(c columns) { c.on(times(1.7), "tau3") }},
		{"a torque too small", causes.Cause{Kind: causes.Scale, Joints: []int{0}, Value: 0.4}, func(c columns) { c.on(times(0.4), "tau1") }},
		// Value is what has to be added: the coefficient of the torque's derivative by the position.
		{"a zero", causes.Cause{Kind: causes.Zero, Joints: []int{1}, Value: -0.2}, func(c columns) { c.on(func(v float64) float64 { return v + 0.2 }, "q2") }},
		{"the sign of a torque", causes.Cause{Kind: causes.TorqueSign, Joints: []int{1}}, func(c columns) { c.on(times(-1), "tau2") }},
		{"the signs of all torques", causes.Cause{Kind: causes.AllSigns}, func(c columns) { c.on(times(-1), all...) }},
		{"the sign of a position", causes.Cause{Kind: causes.PositionSign, Joints: []int{2}}, func(c columns) { c.on(times(-1), "q3", "dq3") }},
		{"the sign of a joint", causes.Cause{Kind: causes.PositionSign, Joints: []int{2}, Length: 1}, func(c columns) { c.on(times(-1), "q3", "dq3", "tau3") }},
		{"two torques exchanged", causes.Cause{Kind: causes.TorqueOrder, Joints: []int{0, 2}}, func(c columns) { c.swap("tau1", "tau3") }},
		{"two torques exchanged from the middle on", causes.Cause{Kind: causes.TorqueOrder, Joints: []int{0, 2}, Value: 0.5}, func(c columns) {
			for k := len(c["t"]) / 2; k < len(c["t"]); k++ {
				c["tau1"][k], c["tau3"][k] = c["tau3"][k], c["tau1"][k]
			}
		}},
		{"torques in a ring, one reversed", causes.Cause{Kind: causes.TorqueOrder, Joints: []int{0, 1, 2}, Order: []int{1, 2, 0}, Signs: []float64{1, -1, 1}}, func(c columns) {
			// The channel tau2 holds the torque of joint 1, tau3 that of joint 2 with the wrong sign, tau1 that of joint 3.
			c["tau2"], c["tau3"], c["tau1"] = c["tau1"], c["tau2"], c["tau3"]
			c.on(times(-1), "tau3")
		}},
		{"two positions exchanged", causes.Cause{Kind: causes.PositionOrder, Joints: []int{0, 1}}, func(c columns) { c.swap("q1", "q2"); c.swap("dq1", "dq2") }},
		{"two joints exchanged", causes.Cause{Kind: causes.JointOrder, Joints: []int{1, 2}}, func(c columns) { c.swap("q3", "q2"); c.swap("dq3", "dq2"); c.swap("tau3", "tau2") }},
		{"degrees", causes.Cause{Kind: causes.Units, Joints: []int{0}, Value: math.Pi / 180}, func(c columns) { c.on(times(180/math.Pi), "q1", "dq1") }},
		{"counts", causes.Cause{Kind: causes.Units, Value: 2 * math.Pi / 4096}, func(c columns) { c.on(times(4096/(2*math.Pi)), "q1", "q2", "q3", "dq1", "dq2", "dq3") }},
		{"parts of the range", causes.Cause{Kind: causes.Units, Joints: []int{1}, Length: 1, Value: math.Pi / 100}, func(c columns) {
			// -100 to 100 are the limits, -1.5 and 2 rad.
			c.on(func(v float64) float64 { return (v - 0.25) / 1.75 * 100 }, "q2")
			c.on(times(100/1.75), "dq2")
		}},
		{"backward", causes.Cause{Kind: causes.Reversed}, func(c columns) {
			for n, x := range c {
				if n != "t" {
					slices.Reverse(x)
				}
			}
			c.on(times(-1), "dq1", "dq2", "dq3")
		}},
	}
}

// Gravity that a log finds along an axis is written as a setting of that direction, as large as the robot file's. Along no axis the trial
// begins with the file's.
func TestGravityOfCause(t *testing.T) {
	models := new(Models)
	rec, _ := soundLog().recorded(t, models)
	rec.robot.Gravity = [3]float64{0, 6, -8}
	for value, want := range map[float64]string{causes.Opposite: "[-0, -6, 8]", 1: "[10, 0, 0]", 2: "[-10, 0, 0]", 4: "[0, -10, 0]", 6: "[0, 0, -10]", 0: "[0, 6, -8]"} {
		got := ""
		for _, s := range rec.causeFinding(causes.Cause{Kind: causes.GravityVector, Value: value}, true).Repair.Settings {
			got += s.Value
		}
		if strings.ReplaceAll(got, "-0,", "0,") != strings.ReplaceAll(want, "-0,", "0,") {
			t.Errorf("value %g: gravity %q, want %q", value, got, want)
		}
	}
}

// repaired checks that the finding's repair gives the sound columns back, where rows are left.
func (c columns) repaired(t *testing.T, names []string, f Finding, sound columns) {
	t.Helper()
	if len(f.Repair.Edits) == 0 {
		t.Fatalf("no edits: %s", f.Why)
	}
	var data [][]float64
	for _, n := range names {
		data = append(data, c[n])
	}
	mended, done := Mend(names, data, 0, []Finding{f}, nil)
	if len(done) == 0 || len(mended[0]) < 9*len(sound["t"])/10 {
		t.Fatalf("%q, %d rows", done, len(mended[0]))
	}
	for i, n := range names {
		for k, v := range mended[i] {
			row := k
			if n != "t" || len(mended[0]) < len(sound["t"]) { // of the sound log, by time
				row = int(math.Round(mended[0][k] * 100))
			}
			if want := sound[n][row]; !(math.Abs(v-want) <= 1e-6*(1+math.Abs(want))) {
				t.Fatalf("%s in row %d is %.9g, want %.9g (%q)", n, k, v, want, done)
			}
		}
	}
}

// The repair of each fault that a channel shows by itself gives the sound column back.
func TestRepairOfChannel(t *testing.T) {
	models := new(Models)
	for _, c := range []spoiled{
		{"wrapped", causes.Cause{Kind: causes.Wrapped, Of: causes.Position, Joints: []int{1}, Value: 1.1}, func(c columns) {
			c.on(func(v float64) float64 { return v - 1.1*math.Round((v-c["q2"][0])/1.1) }, "q2")
		}},
		{"the clock's rate changes", causes.Cause{Kind: causes.RateChange, Value: 1.25, Rows: []int{400}}, func(c columns) {
			for k := 400; k < 1000; k++ {
				c["t"][k] = c["t"][399] + 1.25*0.01*float64(k-399)
			}
		}},
		{"values in the place of missing ones", causes.Cause{Kind: causes.Placeholder, Of: causes.Torque, Joints: []int{0}, Value: -999, Rows: []int{100, 500}}, func(c columns) {
			c["tau1"] = slices.Clone(c["tau1"])
			c["tau1"][100], c["tau1"][500] = -999, -999
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sound, log := soundLog(), soundLog()
			if c.cause.Kind == causes.Placeholder { // what is between two values is known of a straight line
				for _, l := range []columns{sound, log} {
					for k := range l["tau1"] {
						l["tau1"][k] = 3 + 0.01*float64(k)
					}
				}
			}
			c.spoil(log)
			rec, names := log.recorded(t, models)
			f, ok := rec.rawFinding(&c.cause, nil)
			if !ok {
				t.Fatal("no finding")
			}
			log.repaired(t, names, f, sound)
		})
	}
	// A stretch that stands there twice goes; a missing one becomes a gap in the clock.
	rec, names := soundLog().recorded(t, models)
	data := [][]float64{rec.windows[0].t}
	for range names[1:] {
		data = append(data, slices.Clone(rec.windows[0].t))
	}
	f, _ := rec.rawFinding(&causes.Cause{Kind: causes.Repeated, Rows: []int{300}, Length: 50}, nil)
	if mended, _ := Mend(names, data, 0, []Finding{f}, nil); len(mended[0]) != 950 || mended[1][299] != 2.99 || mended[1][300] != 3.5 {
		t.Errorf("the repeated stretch: %d rows, %g after %g", len(mended[0]), mended[1][300], mended[1][299])
	}
	f, _ = rec.rawFinding(&causes.Cause{Kind: causes.TimeJump, Value: 0.4, Rows: []int{600}}, nil)
	mended, _ := Mend(names, data, 0, []Finding{f}, nil)
	if gap := mended[0][600] - mended[0][599]; !(gap > longGap) || mended[0][599] != 5.99 || math.Abs(mended[0][601]-mended[0][600]-0.01) > 1e-12 {
		t.Errorf("the missing stretch: a gap of %g s", gap)
	}
}

// The rows of a contact go whole, with a margin outside, at most half of the contact's length.
func TestRepairOfContact(t *testing.T) {
	models := new(Models)
	rec, _ := soundLog().recorded(t, models)
	for _, c := range []struct{ from, length float64 }{{0.3, 0.2}, {0.5, 0.04}, {0.0, 0.1}, {0.93, 0.07}} {
		f := rec.causeFinding(causes.Cause{Kind: causes.Contact, Value: c.from, Length: c.length}, true)
		if len(f.Repair.Edits) != 1 || len(f.Repair.Edits[0].Rows) != 1 {
			t.Fatalf("%+v", f.Repair)
		}
		rows := f.Repair.Edits[0].Rows[0]
		first, last := int(math.Ceil(c.from*999)), int(math.Floor((c.from+c.length)*999))
		margin := min(c.length/2, contactMargin) * 999
		if rows[0] > first || rows[1] <= last {
			t.Errorf("contact in rows %d to %d: the repair takes %v", first, last, rows)
		}
		if float64(first-rows[0]) > margin+1 || float64(rows[1]-last) > margin+2 || rows[0] > 0 && float64(first-rows[0]) < margin-1 {
			t.Errorf("contact in rows %d to %d: the repair takes %v, the margin is %.0f rows", first, last, rows, margin)
		}
	}
}

// Rounded positions leave, in a band, the noise of accelerations that their spectrum has.
func TestStepNoise(t *testing.T) {
	const rows, interval, step, band = 4000, 0.004, 0.01, 10.0
	rng := rand.New(rand.NewPCG(58, 3))
	x := make([]float64, rows)
	for k := range x {
		x[k] = step * (rng.Float64() - 0.5) // the error of a value anywhere between two steps
	}
	power := 0.0
	last := int(band * rows * interval)
	for m := 1; m <= last; m++ {
		turn, sum := cmplx.Rect(1, -2*math.Pi*float64(m)/rows), complex(0, 0)
		for k := len(x) - 1; k >= 0; k-- {
			sum = sum*turn + complex(x[k], 0)
		}
		w := 2 * math.Pi * float64(m) / (rows * interval)
		a := cmplx.Abs(sum) / rows * w * w
		power += 2 * a * a
	}
	// Of 160 frequencies, weighted by their fourth power, some 160·9/25 count: the deviation of the root is 1/√(2·58), seven per cent.
	if got := stepNoise(step, interval, band); !(math.Abs(math.Sqrt(power)/got-1) < 0.3) {
		t.Errorf("%.4g rad/s², %.4g of a draw", got, math.Sqrt(power))
	}
}

// What an examination finds of rows that are left out of all channels, the channels show by themselves: a repair that cuts such rows is judged
// again without the torques.
func TestChannelsAlone(t *testing.T) {
	seen := map[string]bool{}
	for name, spoil := range map[string]func(c columns, k int){
		"zeros": func(c columns, k int) {
			for n := range c {
				if n != "t" {
					c[n][k] = 0
				}
			}
		},
		"held": func(c columns, k int) {
			for n := range c {
				if n != "t" {
					c[n][k] = c[n][k-1]
				}
			}
		},
		"back": func(c columns, k int) { c["t"][k] -= 0.4 },
		"spikes": func(c columns, k int) {
			for n := range c {
				if n != "t" {
					c[n][k] += 40
				}
			}
		},
	} {
		for _, rows := range []int{1, 8, 25} {
			log := soundLog()
			for k := range rows {
				spoil(log, 400+k)
			}
			r, roles, channels, data := log.log()
			l, opt := datasets.FromColumns("log", channels, data, nil), Options{Models: new(Models)}
			all, err := untried(t.Context(), r, l, roles, opt)
			if err != nil {
				t.Fatal(err)
			}
			opt.channelsAlone = true
			alone, err := untried(t.Context(), r, l, roles, opt)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range all {
				if f.Severity == Info || !leaveOutRows([]Finding{f}) {
					continue
				}
				seen[f.ID] = true
				if !slices.ContainsFunc(alone, func(own Finding) bool { return own.ID == f.ID && own.Where == f.Where && own.Severity == f.Severity }) {
					t.Errorf("%d rows of %s: %s, %s is not among what the channels show", rows, name, f.ID, f.Where)
				}
			}
		}
	}
	if len(seen) < 2 {
		t.Errorf("rows of all channels were left out for %v only", seen)
	}
	t.Log(seen)
}
