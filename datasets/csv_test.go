package datasets

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/long"
)

func writeFile(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func zipped(t testing.TB, data string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(data)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCSVDialects(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name, text string
		names      []string
		want       [][]float64
	}{
		{"plain", "t,q1\n0,1\n1,2\n", []string{"t", "q1"}, [][]float64{{0, 1}, {1, 2}}},
		{"no line end at the end", "t,q1\n0,1\n1,2", []string{"t", "q1"}, [][]float64{{0, 1}, {1, 2}}},
		{"CR LF, byte order mark", "\xef\xbb\xbft,q1\r\n0,1\r\n1,2\r\n", []string{"t", "q1"}, [][]float64{{0, 1}, {1, 2}}},
		{"CR alone", "t,q1\r0,1\r1,2\r", []string{"t", "q1"}, [][]float64{{0, 1}, {1, 2}}},
		{"CR alone, no line end at the end", "t,q1\r0,1\r1,2", []string{"t", "q1"}, [][]float64{{0, 1}, {1, 2}}},
		{"minus signs of typesetting", "t,q1\n0,\u22121.5\n1,2e\u22121\n", []string{"t", "q1"}, [][]float64{{0, 1}, {-1.5, 0.2}}},
		{"minus signs and decimal commas", "t;q1\n0;\u22121,5\n1;\u22122,5\n", []string{"t", "q1"}, [][]float64{{0, 1}, {-1.5, -2.5}}},
		{"blank lines", "\n\nt,q1\n\n0,1\n\n1,2\n\n", []string{"t", "q1"}, [][]float64{{0, 1}, {1, 2}}},
		{"quotes", "\"t\",\"q, \"\"1\"\"\"\n\"0\",\"1\"\n 1 , 2 \n", []string{"t", `q, "1"`}, [][]float64{{0, 1}, {1, 2}}},
		{"semicolon and decimal comma", "t;q1\n0;1,5\n1;-2,5e-1\n", []string{"t", "q1"}, [][]float64{{0, 1}, {1.5, -0.25}}},
		{"semicolon and point", "t;q1\n0;1\n1;2.5\n", []string{"t", "q1"}, [][]float64{{0, 1}, {1, 2.5}}},
		{"tab", "t\tq1\n0\t1\n\t2\n", []string{"t", "q1"}, [][]float64{{0, nan}, {1, 2}}},
		{"missing values", "t,q1,q2\n0,,NaN\n1,nan,\n,-nan(ind),NA\n", []string{"t", "q1", "q2"}, [][]float64{{0, 1, nan}, {nan, nan, nan}, {nan, nan, nan}}},
		{"infinities", "t,q1\n0,inf\n1,-Infinity\n", []string{"t", "q1"}, [][]float64{{0, 1}, {math.Inf(1), math.Inf(-1)}}},
		{"absurd but finite", "t,q1\n0,1e306\n1,-4.9406564584124654e-324\n", []string{"t", "q1"}, [][]float64{{0, 1}, {1e306, -math.SmallestNonzeroFloat64}}},
		{"one column", "t\n0\n1\n", []string{"t"}, [][]float64{{0, 1}}},
		{"names in a comment", "# t,q1\n0,1\n1,2\n", []string{"t", "q1"}, [][]float64{{0, 1}, {1, 2}}},
		{"names in a comment, blanks", "#  t  q1\n 0  1\n 1  2\n", []string{"t", "q1"}, [][]float64{{0, 1}, {1, 2}}},
		{"blanks", "t q1\n0 1.5\n1 -2\n", []string{"t", "q1"}, [][]float64{{0, 1}, {1.5, -2}}},
		{"columns lined up by blanks, CR LF", "  t    q1\r\n  0   1.5\r\n 10  -2  \r\n", []string{"t", "q1"}, [][]float64{{0, 10}, {1.5, -2}}},
		{"blanks and a decimal comma", "t q1\n0,5 1\n1,5 2\n", []string{"t", "q1"}, [][]float64{{0.5, 1.5}, {1, 2}}},
		{"one name of two words", "joint torque\n1\n2\n", []string{"joint torque"}, [][]float64{{1, 2}}},
		{"a line of units", "t,q1,n\nms,deg,-\n1500,180,3\n", []string{"t", "q1", "n"}, [][]float64{{1.5}, {math.Pi}, {3}}},
		{"a line of units in brackets", "t;q1;v\r\n[s];[deg];\r\n\r\n1,5;180;2\r\n", []string{"t", "q1", "v"}, [][]float64{{1.5}, {math.Pi}, {2}}},
		{"units by blanks", "t q1\ns deg\n1 180\n", []string{"t", "q1"}, [][]float64{{1}, {math.Pi}}},
		{"the header's own unit counts", "t,q1 [rad]\ns,deg\n1,3\n", []string{"t", "q1"}, [][]float64{{1}, {3}}},
		{"unnamed column", ",t,q1\n7,0,1\n8,1,2\n", []string{"t", "q1"}, [][]float64{{0, 1}, {1, 2}}},
		{"delimiter at the end", "t,q1,\n0,1,\n1,2,\n", []string{"t", "q1"}, [][]float64{{0, 1}, {1, 2}}},
		{"units", "t [ms],q[1] (deg),v(mm/s),n [rev]\n1500,180,1,1\n", []string{"t", "q[1]", "v", "n"}, [][]float64{{1.5}, {math.Pi}, {1e-3}, {2 * math.Pi}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, data := range [][]byte{[]byte(c.text), zipped(t, c.text)} {
				l, err := Open(writeFile(t, "x.csv", data), Options{})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(l.Names(), c.names) {
					t.Fatalf("channels %q, want %q", l.Names(), c.names)
				}
				wantColumns(t, c.name, l, c.names, c.want)
			}
		})
	}
}

func TestCSVErrorsSayWhere(t *testing.T) {
	for _, c := range []struct {
		name, text string
		kind       error
		want       string
	}{
		{"empty", "", ErrNoHeader, "x.csv: "},
		{"only comments", "# a: b\n", ErrNoHeader, "no line of channel names"},
		{"no header", "0,1\n1,2\n", ErrNoHeader, "line 1: no header line"},
		{"no header, decimal commas", "0,5;1\n1;2\n", ErrNoHeader, "no header line"},
		{"text in a cell", "# m: n\nt,q1\n0,1\n1,1.2.3\n", ErrNumber, `row 2 (line 4), column "q1": not a number: "1.2.3"`},
		{"hexadecimal", "t,q1\n0,0x10\n", ErrNumber, "0x10"},
		{"underscores", "t,q1\n0,1_000\n", ErrNumber, "1_000"},
		{"beyond float64", "t,q1\n0,1e999\n", ErrNumber, "1e999"},
		{"too few fields", "t,q1,q2\n0,1\n0,1,2\n", ErrFields, "row 1 (line 2): wrong number of fields: 2 instead of 3"},
		{"too many fields", "t,q1\n0,1,2\n", ErrFields, "row 1 (line 2): wrong number of fields: 3 instead of 2"},
		{"cut short", "t,q1\n0,1\n1", ErrTruncated, "row 2 (line 3): the file is cut short"},
		{"cut short in a number", "t,q1\n0,1\n1,2e", ErrTruncated, `column "q1"`},
		{"twice the same name", "t,q1,q1\n0,1,2\n", ErrDuplicate, `"q1" is column 2 and column 3`},
		{"unknown unit", "t,q1 [furlong]\n0,1\n", ErrUnit, `column "q1 [furlong]": unknown unit "furlong"; write another by units CHANNEL=UNIT`},
		{"a unit with two meanings", "t,q1 [Grad/s]\n0,1\n", ErrUnit, `units CHANNEL=deg/s, or scale CHANNEL=0.01570796`},
		{"unknown unit in the line of units", "t,q1,q2\ns,deg,furlong\n0,1,2\n", ErrUnit, `column "q2 [furlong]": unknown unit "furlong"`},
		{"a title above the names", "Robot log;;;\nt,q1\n0,1\n", ErrFields, "line 1 was taken for the names of the channels: begin the lines above the names with #, or delete them"},
		{"lines of a recorder above the names", "Recorder: ACME 3\nDate: 2026-11-28\n\nt,q1\n0,1\n1,2\n", ErrNoHeader, "line 1 was taken for the names of the channels: begin the lines above the names with #, or delete them"},
		{"no header, with a column of text", "0;0,5;1,5;AUTO\n5;0,6;1,6;AUTO\n", ErrNoHeader, "name the 4 columns by columns t,q1,tau1,_ ("},
		{"no header, columns as of 4 or 6 joints", strings.Repeat("1,2,3,4,5,6,7,8,9,10,11,12,13\n", 2), ErrNoHeader, "name the 13 columns by columns t,q1..q4,dq1..dq4,tau1..tau4 or t,q1..q6,tau1..tau6 ("},
		{"no header, one column more", strings.Repeat("a,1,2,3,4,5,6\n", 2), ErrNoHeader, "columns _,t,q1..q2,tau1..tau2,_ ("},
		{"a time of day among numbers", "t,q1\n1,1\n2026-01-31T12:00:00.5Z,1\n", ErrForm, `"2026-01-31T12:00:00.5Z", a time or a date in a form or a place that is not read; write seconds from any beginning, or leave the column out with columns _,q1 and give the rate`},
		{"a number among times of day", "t,q1\n2026-01-31T12:00:00.5Z,1\n3,1\n", ErrForm, `no plain numbers: "3", in a column of time stamps`},
		{"text throughout", "t,mode,q1\n0,0G,1\n1,0G,2\n2,,3\n", ErrForm, `text in 2 of 3 rows, as "0G"; write numbers, or leave the column out with columns t,_,q1`},
		{"another decimal sign", "t;q1\n0,5;1,5\n1;12.5\n", ErrForm, `row 2 (line 3), column "q1": no plain numbers: "12.5", whose decimal sign`},
		{"a text in the first row is no unit", "t,q1\nidle,running\n0,1\n", ErrNumber, `row 1 (line 2), column "t": not a number: "idle"`},
		{"Parquet", "PAR1xxxx\n", ErrFormat, ".parquet"},
		{"commas for both", "t;q1\n0;1.5\n1;2,5\n", ErrForm, "2,5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Open(writeFile(t, "x.csv", []byte(c.text)), Options{})
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%v, want %v and %q", err, c.kind, c.want)
			}
			var fe *FileError
			if !errors.As(err, &fe) || filepath.Base(fe.Path) != "x.csv" {
				t.Errorf("no file named: %v", err)
			}
		})
	}
	for _, name := range []string{"nothing-here.csv", "nothing-here.idr", "nothing-here"} {
		if _, err := Open(name, Options{}); !errors.Is(err, os.ErrNotExist) || errors.Is(err, ErrFormat) {
			t.Errorf("missing file: %v", err)
		}
	}
	robot := writeFile(t, "arm.urdf", nil)
	if _, err := Open(robot, Options{}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "give that by robot "+robot+", and a log") {
		t.Errorf("a robot file instead of a log: %v", err)
	}
	if _, err := Open(writeFile(t, "log.xyz", nil), Options{}); !errors.Is(err, ErrFormat) {
		t.Errorf("unknown extension: %v", err)
	}
}

// TestDropLeavesOutNoForm: no row is left out for numbers, dates or text in another form, however few they are: digits in groups and
// stamps are read, the others refused. Rows that cannot be read are left out if they are fewer than those that can, and counted.
func TestDropLeavesOutNoForm(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(3, 40).Draw(t, "rows")
		cell := rapid.SampledFrom([]string{`"1,000.0"`, `"-12,345,678"`, "1'234.5", "2026-11-28", "2026/11/28 10:00", "11:22:33.4", `"0,5"`, "ERR", "1.2.3", "5 Nm", `"1.5`}).Draw(t, "cell")
		bad := rapid.SliceOfNDistinct(rapid.IntRange(0, rows-1), 1, rows, rapid.ID[int]).Draw(t, "bad")
		text := "t,q1,tau1\n"
		for k := range rows {
			v := "1.5"
			if slices.Contains(bad, k) {
				v = cell
			}
			text += fmt.Sprintf("%d,%s,2\n", k, v)
		}
		path := filepath.Join(dir, "x.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := Open(path, Options{BadRows: Drop})
		all := len(bad) == rows
		value, read := map[string]float64{`"1,000.0"`: 1000, `"-12,345,678"`: -12345678, "1'234.5": 1234.5, "11:22:33.4": 0, "ERR": 0, `"0,5"`: 0.5}[cell]
		// A decimal comma is one of the whole column, a grouped number stands beside plain ones, too.
		if beside := value != 0 && cell != `"0,5"`; read && (all || beside) {
			if err != nil || l.DroppedRows() > 0 || l.Rows() != rows {
				t.Fatalf("%d of %d cells are %s: %v", len(bad), rows, cell, err)
			}
			defer l.Close()
			if q, err := l.Column("q1"); cell != "ERR" && (err != nil || q[bad[0]] != value) || cell == "ERR" && (l.Has("q1") || len(l.Notes()) == 0) {
				t.Fatalf("%d of %d cells are %s: %v, %v", len(bad), rows, cell, q, err)
			}
			return
		}
		form := !slices.Contains([]string{"ERR", "1.2.3", "5 Nm", `"1.5`}, cell) || 2*len(bad) > rows && len(bad) > 1
		if form != errors.Is(err, ErrForm) || !form && (err != nil || l.DroppedRows() != len(bad) || l.Rows() != rows-len(bad)) {
			t.Fatalf("%d of %d cells are %s: %v", len(bad), rows, cell, err)
		}
		if !form {
			l.Close()
		}
	})
}

func TestCSVDropsBadRowsWithTheirPlaces(t *testing.T) {
	text := "t,q1\n0,1\nx,2\n2\n3,4\n4,5,6\n5"
	l, err := Open(writeFile(t, "x.csv", []byte(text)), Options{BadRows: Drop})
	if err != nil {
		t.Fatal(err)
	}
	wantColumns(t, "kept", l, []string{"t", "q1"}, [][]float64{{0, 3}, {1, 4}})
	var lines []int
	for _, b := range l.Dropped() {
		lines = append(lines, b.Line)
	}
	if !slices.Equal(lines, []int{3, 4, 6, 7}) || l.DroppedRows() != 4 {
		t.Errorf("dropped %v", l.Dropped())
	}
}

func TestCSVDamagedGzip(t *testing.T) {
	var text strings.Builder
	text.WriteString("t,q1\n")
	for i := range 20000 {
		fmt.Fprintf(&text, "%d,%g\n", i, math.Sin(float64(i)))
	}
	whole := zipped(t, text.String())
	_, err := Open(writeFile(t, "x.csv.gz", whole[:len(whole)/2]), Options{})
	if !errors.Is(err, ErrTruncated) || !strings.Contains(err.Error(), "behind line") {
		t.Errorf("half a file: %v", err)
	}
	l, err := Open(writeFile(t, "x.csv.gz", whole[:len(whole)/2]), Options{BadRows: Drop})
	if err != nil || l.Rows() < 8000 || l.Rows() > 12000 || l.DroppedRows() == 0 {
		t.Errorf("half a file, bad rows dropped: %v", err)
	}
	broken := bytes.Clone(whole)
	broken[len(broken)-6] ^= 1 // checksum
	if _, err := Open(writeFile(t, "x.csv.gz", broken), Options{BadRows: Drop}); !errors.Is(err, ErrDamaged) {
		t.Errorf("wrong checksum: %v", err)
	}
}

func TestOptionsDeclareUnitsAndSkipColumns(t *testing.T) {
	path := writeFile(t, "x.csv", []byte("t,q1 [deg],mode,temp [furlong]\n0,90,run,1\n"))
	l, err := Open(path, Options{Skip: []string{"mode"}, Units: map[string]string{"q1": "", "temp": "", "t": "min"}})
	if err != nil {
		t.Fatal(err)
	}
	wantColumns(t, "declared", l, []string{"t", "q1", "temp"}, [][]float64{{0}, {90}, {1}})
	if len(l.Notes()) != 1 || l.Has("mode") {
		t.Errorf("notes %v", l.Notes())
	}
	_, err = Open(path, Options{Skip: []string{"mode", "temp"}, Units: map[string]string{"q2": "deg"}})
	if !errors.Is(err, ErrNoChannel) || !strings.Contains(err.Error(), "did you mean q1") {
		t.Errorf("unit for nothing: %v", err)
	}
}

func TestSpoolingKeepsTheSameRows(t *testing.T) {
	long.Only(t, "TestStorageKeepsEveryBit has storages in memory")
	dir := t.TempDir()
	channels, cols := sample(5, 30000)
	path := filepath.Join(dir, "x.csv")
	if err := Write(path, channels, nil, func(w *Writer) error { return w.Append(cols) }); err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	for _, limit := range []int64{-1, 1, 300 << 10, 400 << 10, 1 << 30} {
		l, err := Open(path, Options{MemoryLimit: limit, TempDir: tmp})
		if err != nil {
			t.Fatal(err)
		}
		wantColumns(t, "spooled", l, names(channels), cols)
		if err := errors.Join(l.Close(), l.Close()); err != nil {
			t.Error(err)
		}
	}
	if left, _ := os.ReadDir(tmp); len(left) != 0 {
		t.Errorf("%d temporary files left", len(left))
	}
	if _, err := Open(path, Options{MemoryLimit: -1, TempDir: filepath.Join(tmp, "none")}); err == nil {
		t.Error("no place for the temporary file and no error")
	}
}

func TestNumberAgreesWithStrconv(t *testing.T) {
	check := func(t cleaner, s string) {
		t.Helper()
		want, err := strconv.ParseFloat(s, 64)
		got, ok := slowNumber([]byte(s), '.')
		if ok != (err == nil) || ok && !same(got, want) {
			t.Fatalf("%q is %v %v, want %v %v", s, got, ok, want, err)
		}
		if v, next, ok := number([]byte(s+",5"), 0, '.'); ok && next == len(s) && !same(v, want) {
			t.Fatalf("%q is %v up to %d on the fast path", s, v, next)
		}
	}
	for _, s := range []string{"0", "-0", "+1", "1.", ".5", "-.5e3", "1e22", "1e23", "9007199254740993", "9007199254740992",
		"123456789012345678901234567890", "0.000000000000000000000000000001", "1e-22", "123456789e-30", "1e+5", "1E5", "1e308", "1e309", "5e-324", "1e-400",
		"179769313486231570000000000000000000000", "00000000000000000000000000001.5", ".", "-", "+", "e5", "1e", "1e+", "1e12345", "--1", "1.2.3"} {
		check(t, s)
	}
	for i := range len("1.2345678901234567") { // characters around the digits, where eight are read at once
		for c := range 256 {
			if c != '_' && c != 'x' && c != 'X' && c != 'p' && c != 'P' && c > ' ' && c < 0x80 { // those of strconv alone, and blanks
				s := []byte("1.2345678901234567")
				s[i] = byte(c)
				check(t, string(s))
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		form := rapid.SampledFrom([]byte("efg")).Draw(t, "form")
		check(t, strconv.FormatFloat(f, form, rapid.IntRange(-1, 25).Draw(t, "digits"), 64))
		check(t, string(appendNumber(nil, f)))
		check(t, rapid.StringMatching(`[-+]?[0-9]{0,22}(\.[0-9]{0,22})?([eE][-+]?[0-9]{0,4})?`).Filter(func(s string) bool { return s != "" }).Draw(t, "s"))
	})
}
