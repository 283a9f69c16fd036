package datasets

import (
	"errors"
	"strings"
	"testing"
)

// TestColumnsAndRate names the columns of tables without a line of names, and gives logs without a clock one. Logs that have names
// or a clock keep theirs.
func TestColumnsAndRate(t *testing.T) {
	options := Options{Columns: []string{"q1..q2", "_", "tau1..tau2"}, Rate: 50}
	for _, c := range []struct{ name, text, channels string }{
		{"commas.csv", "1,2,9,3,4\n5,6,9,7,8\n", "q1 q2 tau1 tau2 t"},
		{"blanks.dat", "  1   2  9 3 4\n 5 6 9 7   8\n", "q1 q2 tau1 tau2 t"},
		{"semicolons.txt", "1;2;9;3;4\n5;6;9;7;8\n", "q1 q2 tau1 tau2 t"},
		{"named.csv", "q1,q2,tau1,tau2\n1,2,3,4\n5,6,7,8\n", "q1 q2 tau1 tau2 t"},
		{"clock.csv", "q1,q2,tau1,tau2,t\n1,2,3,4,0\n5,6,7,8,0.02\n", "q1 q2 tau1 tau2 t"},
	} {
		l, err := Open(writeFile(t, c.name, []byte(c.text)), options)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := strings.Join(l.Names(), " "); got != c.channels {
			t.Errorf("%s: channels %s, not %s", c.name, got, c.channels)
		}
		cols, err := l.Slice(1, 2).Columns("q1", "q2", "tau1", "tau2", "t")
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []float64{5, 6, 7, 8, 0.02} {
			if cols[i][0] != want {
				t.Errorf("%s: column %d is %v, not %v", c.name, i+1, cols[i][0], want)
			}
		}
	}
	for _, columns := range [][]string{{"q1..q7"}, {"q1..tau2"}, {"q2..q1", "a", "b", "c"}} {
		if _, err := Open(writeFile(t, "x.csv", []byte("1,2,9,3,4\n")), Options{Columns: columns}); !errors.Is(err, ErrNoHeader) {
			t.Errorf("columns %v: %v", columns, err)
		}
	}
	if _, err := Open(writeFile(t, "x.csv", []byte("q1\n1\n")), Options{Rate: -1}); !errors.Is(err, ErrNoClock) {
		t.Errorf("a negative rate: %v", err)
	}
	// Without names the message says how many are wanted.
	if _, err := Open(writeFile(t, "x.csv", []byte("1,2,9,3,4\n")), Options{}); !errors.Is(err, ErrNoHeader) || !strings.Contains(err.Error(), "5 columns") {
		t.Errorf("no names: %v", err)
	}
}

// The names that the options give are those of a table without names though one of its columns holds text; a line of names in which some are
// numbers stays one.
func TestColumnsBesideText(t *testing.T) {
	path := writeFile(t, "l.csv", []byte("0;0,5;AUTO;1,5\n5;0,6;AUTO;1,6\n10;0,7;MANUAL;1,7\n"))
	l, err := Open(path, Options{Columns: []string{"t", "q1", "_", "tau1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if q, err := l.Column("q1"); err != nil || len(q) != 3 || q[0] != 0.5 {
		t.Errorf("%v, %v", q, err)
	}
	named, err := Open(writeFile(t, "n.csv", []byte("t,0,1\n0,5,6\n1,7,8\n")), Options{Columns: []string{"t", "0", "_"}})
	if err != nil {
		t.Fatal(err)
	}
	defer named.Close()
	if named.Rows() != 2 || !named.Has("0") || named.Has("1") {
		t.Errorf("%d rows of %v", named.Rows(), named.Names())
	}
}
