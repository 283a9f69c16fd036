package fleet

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"ident/estimate/summary"
	"ident/fleet/intake"
	"ident/fleet/virtual"
	"ident/identify"
)

var dayNumber = flag.Int("day-logs", 0, "logs of the largest day of TestDayIsBounded; the default is a small one")

// logsOfDay are n logs of one robot on one day: three real ones, their rows scaled at random, which leaves the parameters as they are, with
// samples of their own.
func logsOfDay(t *testing.T, o Options, n int) Part {
	t.Helper()
	r, err := intake.NewReader(intake.Options{Settings: o.Settings, Refuse: o.Refuse})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	dir := filepath.Dir(o.Manifest)
	draw := rand.New(rand.NewPCG(22, uint64(n)))
	p := Part{Robot: "arm3-00000", File: filepath.Join(dir, "robots", "arm3.urdf")}
	var real []*summary.Summary
	for k := range 3 {
		log := filepath.Join(dir, "logs", p.Robot, fmt.Sprintf("%04d.parquet", k))
		got, refused, err := r.Take(t.Context(), intake.Entry{Robot: p.Robot, Log: log, File: p.File, Start: time.Date(2026, 3, 1, 6, 0, 0, 0, time.UTC).UnixMilli()})
		if err != nil || refused != nil {
			t.Fatal(refused, err)
		}
		s, err := summary.Decode(bytes.NewReader(got.Summary), int64(len(got.Summary)))
		if err != nil {
			t.Fatal(err)
		}
		real = append(real, s)
	}
	for i := range n {
		s := *real[i%3]
		run := s.Runs[0]
		run.Name, run.Start = fmt.Sprintf("%05d.parquet", i), run.Start+20*float64(i)
		run.Prints, run.Blocks = slices.Clone(run.Prints), slices.Clone(run.Blocks)
		for k := range run.Prints {
			run.Prints[k] = draw.Uint64()
		}
		slices.Sort(run.Prints)
		for b := range run.Blocks {
			run.Blocks[b].Joints = slices.Clone(run.Blocks[b].Joints)
			for k, f := range run.Blocks[b].Joints {
				run.Blocks[b].Joints[k] = f.Clone()
				run.Blocks[b].Joints[k].Scale(0.8 + 0.4*draw.Float64())
			}
		}
		s.Runs = []summary.Run{run}
		var text bytes.Buffer
		if err := summary.Encode(&text, &s); err != nil {
			t.Fatal(err)
		}
		p.Members = append(p.Members, Member{Log: Taken{i + 1, run.Name}, Logs: 1, Summary: text.Bytes()})
	}
	return p
}

// fitOf are the parameters of a fit of a part.
func fitOf(t *testing.T, o Options, p Part) []float64 {
	t.Helper()
	paths, err := kinds(p)
	if err != nil || len(paths) != 1 {
		t.Fatal(len(paths), err)
	}
	r, err := intake.NewReader(intake.Options{Settings: o.Settings})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	settings, err := r.Settings()
	if err != nil {
		t.Fatal(err)
	}
	solved, err := identify.FitSummary(t.Context(), paths[0], settings)
	if err != nil {
		t.Fatal(err)
	}
	return values(solved)
}

// The summaries of a robot's day take no more bytes than its blocks and fingerprints may, however many logs it has and in whatever order
// they come; the parameters are those of all blocks, within 1e-12 of their norm, as sameAsFit derives. A day with few logs keeps
// them as they are.
func TestDayIsBounded(t *testing.T) {
	o, _ := small(t, virtual.Options{Robots: 1, Logs: 4, Seed: 7})
	numbers := []int{dayLogs, 40, 90}
	if *dayNumber > 0 {
		numbers[2] = *dayNumber
	}
	d := &days{Settings: o.Settings}
	if err := d.Setup(); err != nil {
		t.Fatal(err)
	}
	defer d.Teardown()
	through := func(p Part) (out Part, logs int) {
		m := &merged{Part: p}
		err := d.ProcessElement(t.Context(), groupKey(p.Robot, "2026-03-01"), m.part(), func(_ string, p Part) { out = p }, func(string, InDay) { logs++ }, func(r intake.Refusal) { t.Error(r.Error()) })
		if err != nil {
			t.Fatal(err)
		}
		return out, logs
	}
	size := func(p Part) (n int) {
		for _, m := range p.Members {
			n += len(m.Summary)
		}
		return n
	}
	for _, n := range numbers {
		all := logsOfDay(t, o, n)
		out, logs := through(all)
		if n <= dayLogs {
			if logs != 0 || len(out.Members) != n || size(out) != size(all) {
				t.Errorf("a day of %d logs has %d members in %d bytes, before %d", n, len(out.Members), size(out), size(all))
			}
			continue
		}
		if len(out.Members) != 1 || out.Members[0].Logs != n || logs != n {
			t.Fatalf("%d logs are %d members of %d logs", n, len(out.Members), logs)
		}
		if float64(size(out)) > dayBytes {
			t.Errorf("%d logs have %d bytes, more than %.0f", n, size(out), dayBytes)
		}
		rand.New(rand.NewPCG(1, 1)).Shuffle(n, func(i, j int) { all.Members[i], all.Members[j] = all.Members[j], all.Members[i] })
		if again, _ := through(all); !bytes.Equal(again.Members[0].Summary, out.Members[0].Summary) {
			t.Errorf("%d logs in another order give other bytes", n)
		}
		worst, norm := 0.0, 0.0
		want := fitOf(t, o, all)
		for k, x := range fitOf(t, o, out) {
			worst, norm = max(worst, math.Abs(x-want[k])), math.Hypot(norm, want[k])
		}
		t.Logf("%d logs: %d bytes apart, %d as a day; parameters within %.1e of the norm", n, size(all), size(out), worst/norm)
		if worst > 1e-12*norm {
			t.Errorf("%d logs: parameters differ by %g of their norm", n, worst/norm)
		}
	}
}

// dayBytes bounds the summary of a day: a block has three factors of at most 21 columns, of n·(n+1)/2 + n + 3 doubles each, and the
// means of six motions; a fingerprint has 8 bytes in base 64; the head is less than 16 kB, and the table has the places of its
// values in some per cent of their size.
const dayBytes = 1.05*(dayBlocks*8*(3*(21*22/2+21+3)+6)+dayPrints*32/3) + 16<<10

// A robot with more logs a day than are held apart: whatever the shards, all results are the same bytes, every log is counted once, and the
// parameters are those of a fit of the logs. Damaged logs and a copy of another are refused, each with its reason.
func TestDays(t *testing.T) {
	o, truth := small(t, virtual.Options{Robots: 1, Logs: 36, Damaged: 0.15, Span: 10 * time.Hour, Seed: 4})
	dir := filepath.Dir(o.Manifest)
	good := filepath.Join(dir, "logs", "arm3-00000", "0001.parquet")
	if slices.ContainsFunc(truth.Damaged, func(d virtual.Spoilt) bool { return filepath.Base(d.Log) == "0001.parquet" }) {
		t.Fatal("the log to be copied is damaged")
	}
	text, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "copy.parquet"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(o.Manifest, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("arm3-00000,copy.parquet,robots/arm3.urdf,2025-01-06T23:00:00Z\n"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	var want map[string][]byte
	for _, o.Shards = range []int{64, 1, 5} {
		c := runPrism(t, o)
		if !c.Exact() || c.Listed != 37 || c.Quarantined != len(truth.Damaged)+1 || c.Reasons[intake.Overlap] != 1 {
			t.Fatalf("%+v: %d of 36 are damaged, one is a copy", c, len(truth.Damaged))
		}
		got := results(t, o.Output)
		if want == nil {
			want = got
		}
		for name := range want {
			if !bytes.Equal(got[name], want[name]) {
				t.Errorf("%s differs with %d shards", name, o.Shards)
			}
		}
	}
	doc := documents(t, want)["arm3-00000"]
	if len(doc.Logs) != 0 || len(doc.Days) != 1 || doc.Days[0].Logs != 36-len(truth.Damaged) || len(doc.Worst) != 3 {
		t.Fatalf("%d logs, days %v, worst %v", len(doc.Logs), doc.Days, doc.Worst)
	}
	refused := texts(t, filepath.Join(o.Output, "quarantine.parquet"), 2)
	var logs []string
	for k := range 36 {
		if log := filepath.Join(dir, "logs", "arm3-00000", fmt.Sprintf("%04d.parquet", k)); !slices.Contains(refused, log) {
			if _, err := os.Stat(log); err == nil {
				logs = append(logs, log)
			}
		}
	}
	sameAsFit(t, dir, doc, logs...)
}

// The logs of a day that the fit refuses are refused, each with its own id; a day without a fate loses its logs, which the counts tell.
func TestSettle(t *testing.T) {
	next := func(i int) func(*InDay) bool {
		return func(l *InDay) bool {
			*l = InDay{fmt.Sprintf("day %d", i%3), Taken{i, fmt.Sprintf("log %d", i)}}
			i++
			return i <= 6
		}
	}
	fates := []DayFate{{Day: "day 0"}, {Day: "day 1", Reason: intake.Misfit, Message: "another robot"}}
	var taken []Taken
	var refused []intake.Refusal
	settle("r", func(d *DayFate) bool {
		if len(fates) == 0 {
			return false
		}
		*d, fates = fates[0], fates[1:]
		return true
	}, next(0), func(t Taken) { taken = append(taken, t) }, func(r intake.Refusal) { refused = append(refused, r) })
	if !slices.Equal(taken, []Taken{{0, "log 0"}, {3, "log 3"}}) || len(refused) != 2 || refused[1].Entry != 4 || refused[1].Log != "log 4" || refused[1].Reason != intake.Misfit {
		t.Errorf("taken %v, refused %v", taken, refused)
	}
}

// Of two days with a few samples in common both stay; of a log that is in a day too the log goes.
func TestApart(t *testing.T) {
	run := func(name string, prints ...uint64) summary.Run { return summary.Run{Name: name, Prints: prints} }
	s := &summary.Summary{Runs: []summary.Run{run("a", 1, 2, 3, 4), run("day 1", 2, 3, 4, 11, 12, 13, 14, 15, 16, 17), run("day 2", 11, 12, 13, 21, 22, 23, 24, 25)}}
	var left []string
	out, err := apart(s, map[string]bool{"day 1": true, "day 2": true}, func(log, _ string, _ error) { left = append(left, log) })
	if err != nil || !slices.Equal(left, []string{"a"}) || len(out.Runs) != 2 {
		t.Errorf("left out %v, %d runs, %v", left, len(out.Runs), err)
	}
	left = nil
	out, err = apart(s, map[string]bool{}, func(log, _ string, _ error) { left = append(left, log) })
	if err != nil || !slices.Equal(left, []string{"day 1"}) || len(out.Runs) != 2 {
		t.Errorf("as logs: left out %v, %d runs, %v", left, len(out.Runs), err)
	}
}
