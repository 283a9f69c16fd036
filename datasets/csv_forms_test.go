package datasets

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// opened reads a text.
func opened(t interface{ Fatalf(string, ...any) }, text string, opt Options) (*Log, map[string][]float64) {
	l, err := OpenReader(strings.NewReader(text), int64(len(text)), "log.csv", opt)
	if err != nil {
		t.Fatalf("%v of\n%.300s", err, text)
	}
	values := map[string][]float64{}
	for _, name := range l.Names() {
		col, err := l.Column(name)
		if err != nil {
			t.Fatalf("%v", err)
		}
		values[name] = col
	}
	return l, values
}

// TestNumbersOfPrograms reads the repr of NumPy's scalars and Fortran's D format, and leaves what only looks like them.
func TestNumbersOfPrograms(t *testing.T) {
	_, values := opened(t, "t,q1,q2,mode\n0.0D+00,np.float64(-1.5),np.int64(3),np.run(1)\n1.25d-01,np.float64(2e-3),np.float32(nan),np.run(2)\n", Options{})
	if got := values["t"]; got[1] != 0.125 {
		t.Errorf("t: %v", got)
	}
	if got := values["q1"]; got[0] != -1.5 || got[1] != 2e-3 {
		t.Errorf("q1: %v", got)
	}
	if got := values["q2"]; got[0] != 3 || !math.IsNaN(got[1]) {
		t.Errorf("q2: %v", got)
	}
	if _, is := values["mode"]; is {
		t.Error("mode is a channel")
	}
	for _, cell := range []string{"1D2", "D+00", "np.float64(", "np.float64(1,2)", "1.0D+", "array(1)"} {
		if v, ok := slowNumber([]byte(cell), '.'); ok {
			t.Errorf("%q is read as %v", cell, v)
		}
	}
}

// grouping writes a number with its thousands apart.
func grouping(text, between, point string) string {
	whole, fraction, has := strings.Cut(text, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + between + whole[i:]
	}
	if has {
		return sign + whole + point + fraction
	}
	return sign + whole
}

// TestGroupedDigits draws tables in the form of spreadsheets, and reads the numbers that were written.
func TestGroupedDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		form := rapid.SampledFrom([]struct{ between, point, delimiter string }{
			{",", ".", ","}, {",", ".", ";"}, {".", ",", ";"}, {" ", ",", ";"}, {"\u00a0", ",", ";"}, {"\u202f", ",", "\t"}, {"\u2009", ".", "\t"}, {"'", ".", ";"}, {"\u2019", ".", ","},
		}).Draw(t, "form")
		decimals := rapid.IntRange(1, 6).Draw(t, "decimals")
		if decimals == 3 {
			decimals = 4 // three leave it open which sign is which, in a table of nothing else
		}
		var text strings.Builder
		text.WriteString("t" + form.delimiter + "q1\n")
		var want []float64
		for k := range rapid.IntRange(1, 30).Draw(t, "rows") {
			v := rapid.Float64Range(-1e7, 1e7).Draw(t, "v")
			cell := fmt.Sprintf("%.*f", decimals, v)
			var w float64
			fmt.Sscan(cell, &w)
			want = append(want, w)
			if cell = grouping(cell, form.between, form.point); strings.Contains(cell, form.delimiter) {
				cell = `"` + cell + `"`
			}
			fmt.Fprintf(&text, "%d%s%s\n", k, form.delimiter, cell)
		}
		_, values := opened(t, text.String(), Options{})
		for k, w := range want {
			if values["q1"][k] != w {
				t.Fatalf("row %d: %v, want %v in\n%s", k, values["q1"][k], w, text.String())
			}
		}
	})
}

// TestOpenPoint reads cells that could be either, beside others that decide, and refuses what no grouping is.
func TestOpenPoint(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64 // last value of q1
	}{
		{"t;q1\n0,005;1,234\n", 1.234},
		{"t;q1\n0.005;1,234\n", 1234},
		{"t;q1\n1.000,5;1.234\n", 1234},
		{"t;q1\n1;1,234\n", 1.234},           // as ever, without a sign elsewhere
		{"t,q1\n1,\"1,234\"\n", 1234},        // in a table between commas the point is a point
		{"t,q1\n\"0,5\",\"1,234\"\n", 1.234}, // unless cells say otherwise
		{"t;q1\n1.5;12 345.25\n", 12345.25},
		{"t;q1\n0,5;1.234.567\n", 1234567},
	} {
		if _, v := opened(t, c.text, Options{}); v["q1"][0] != c.want {
			t.Errorf("%q: %v, want %v", c.text, v["q1"][0], c.want)
		}
	}
	for _, text := range []string{"t;q1\n0.5;1,23\n", "t;q1\n0.5;1,2345\n", "t;q1\n0.5;0,123\n", "t;q1\n0.5;1 23\n", "t;q1\n0.5;1,234 567\n", "t;q1\n0.5;12,345,67\n", "t;q1\n0.5;1234,567\n"} {
		if l, err := OpenReader(strings.NewReader(text), int64(len(text)), "log.csv", Options{}); err == nil {
			v, _ := l.Column("q1")
			t.Errorf("%q is read as %v", text, v)
		}
	}
}

// TestTimeStamps draws clocks and writes them as programs do.
func TestTimeStamps(t *testing.T) {
	forms := []string{"2006-01-02T15:04:05.999999999Z07:00", "2006-01-02 15:04:05.000000-07:00", "2006-01-02 15:04:05.999999", "2006/01/02 15:04:05.000000", "02.01.2006 15:04:05,000000",
		"1/2/2006 3:04:05.000000 PM", "15:04:05.000000", "2006-01-02T15:04:05.000000-0700", "2006-01-02T15:04:05.000000Z", `"2006-01-02 15:04:05.000000 UTC"`}
	rapid.Check(t, func(rt *rapid.T) {
		form := rapid.SampledFrom(forms).Draw(rt, "form")
		zone := time.UTC
		if strings.Contains(form, "07") {
			zone = time.FixedZone("", 1800*rapid.IntRange(-20, 26).Draw(rt, "zone"))
		}
		at := time.Date(2026, 11, rapid.IntRange(1, 30).Draw(rt, "day"), rapid.IntRange(0, 22).Draw(rt, "hour"), 59, 58, 0, zone)
		step := time.Duration(rapid.IntRange(1, 1_000_000).Draw(rt, "step")) * time.Microsecond
		var text strings.Builder
		text.WriteString("time [ms];q1\n")
		n := rapid.IntRange(1, 20).Draw(rt, "rows")
		for k := range n {
			fmt.Fprintf(&text, "%s;%d\n", at.Add(time.Duration(k)*step).Format(form), k)
		}
		l, values := opened(rt, text.String(), Options{})
		for k, v := range values["time"] {
			if want := float64((time.Duration(k) * step).Nanoseconds()) / 1e9; v != want {
				rt.Fatalf("row %d at %v, want %v:\n%s", k, v, want, text.String())
			}
		}
		if ch := l.Channels()[0]; ch.Unit != "s" || l.Meta()["time.start"] == "" {
			rt.Fatalf("%v, %v", ch, l.Meta())
		}
	})
}

// TestIndexOfStamps reads the index of a table of pandas, which has no name.
func TestIndexOfStamps(t *testing.T) {
	_, v := opened(t, ",q1\n2026-11-28 11:00:00,1\n2026-11-28 11:00:00.004000,2\n", Options{})
	if v["time"][1] != 0.004 || v["q1"][1] != 2 {
		t.Errorf("%v", v)
	}
	_, v = opened(t, ",t,q1\n0,0.5,1\n1,0.6,2\n", Options{})
	if len(v) != 2 || v["t"][1] != 0.6 {
		t.Errorf("%v", v)
	}
	_, v = opened(t, "time;q1\n0 days 00:00:00;1\n1 days 00:00:00.500000;2\n", Options{})
	if v["time"][1] != 86400.5 {
		t.Errorf("%v", v)
	}
}

// TestFurtherStamps reads rows of a stream, whose stamps count from the first of all.
func TestFurtherStamps(t *testing.T) {
	l, _ := opened(t, "t,q1\n2026-11-28T11:00:00Z,1\n", Options{})
	more, err := l.Further([]byte("2026-11-28T11:00:01.5Z,2\n"))
	if err != nil {
		t.Fatal(err)
	}
	if v, err := more.Column("t"); err != nil || v[0] != 1.5 {
		t.Errorf("%v, %v", v, err)
	}
}

// FuzzTimeStamp holds stamps in the forms that time.Parse knows against it.
func FuzzTimeStamp(f *testing.F) {
	for _, s := range []string{"2026-11-28T11:00:00.5Z", "2026-11-28 11:00:00+01:00", "28.11.2026 11:00:00,5", "11:00:00", "1 day, 0:00:01", "24:00:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ns, ok := timeStamp([]byte(s))
		if want, err := time.Parse(time.RFC3339Nano, s); err == nil && want.Year() > 1700 && want.Year() < 2200 && !bytes.ContainsAny([]byte(s), "\"") {
			_, zone := want.Zone()
			if len(s) > 48 || math.Abs(float64(zone)) > 14*3600 {
				return
			}
			if !ok || ns != want.UnixNano() {
				t.Errorf("%q is %v, %v; want %v", s, ns, ok, want.UnixNano())
			}
		}
	})
}

// Times of day without a date go on over midnight, and over one o'clock where a clock counts twelve hours; they run backward elsewhere.
func TestTimesOfDayGoOnOverMidnight(t *testing.T) {
	for _, c := range []struct {
		cells string
		want  []float64
	}{
		{"23:59:59.5 23:59:59.9 00:00:00.3 00:00:00.7", []float64{0, 0.4, 0.8, 1.2}},
		{"12:59:59.5 12:59:59.9 01:00:00.3 01:00:00.7", []float64{0, 0.4, 0.8, 1.2}},
		{"10:00:01 10:00:02 10:00:00 10:00:01", []float64{0, 1, -1, 0}},
		{"23:00:00 23:00:01 10:00:00 10:00:01", []float64{0, 1, -46800, -46799}},
	} {
		text := "time,q1\n" + strings.ReplaceAll(c.cells, " ", ",1\n") + ",1\n"
		l, err := OpenReader(strings.NewReader(text), int64(len(text)), "log.csv", Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := l.Column("time")
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range got {
			if math.Abs(v-c.want[k]) > 1e-9 {
				t.Errorf("%s: %v", c.cells, got)
				break
			}
		}
		if said := len(l.Notes()) > 0; said != (c.want[len(c.want)-1] == 1.2) {
			t.Errorf("%s: notes %v", c.cells, l.Notes())
		}
	}
}
