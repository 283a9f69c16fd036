package datasets

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestRunsKeepTheirBoundaries(t *testing.T) {
	a := FromColumns("a", []Channel{{Name: "t", Unit: "s"}, {Name: "q1", Unit: "rad"}}, [][]float64{{0, 1, 2}, {5, 6, 7}}, map[string]string{"robot": "r"})
	b := FromColumns("b", []Channel{{Name: "q1", Unit: "deg"}, {Name: "t", Unit: ""}}, [][]float64{{8, 9}, {0, 1}}, nil)
	for _, s := range storages()[1:] {
		path := filepath.Join(t.TempDir(), "both"+s.ext)
		if err := Join(t.Context(), path, []*Log{a, b}, map[string]string{"x": "y"}); err != nil {
			t.Fatal(err)
		}
		l, err := Open(path, s.opt)
		if err != nil {
			t.Fatal(err)
		}
		runs, err := l.Runs()
		if err != nil || len(runs) != 2 || runs[0].Name() != "both/a" || runs[1].Name() != "both/b" {
			t.Fatalf("%s: %v %v", s.name, runs, err)
		}
		wantColumns(t, s.name, runs[0], []string{"t", "q1"}, [][]float64{{0, 1, 2}, {5, 6, 7}})
		wantColumns(t, s.name, runs[1], []string{"t", "q1"}, [][]float64{{0, 1}, {8, 9}})
		if m := runs[1].Meta(); len(m) != 2 || m["robot"] != "r" || m["x"] != "y" {
			t.Errorf("metadata %v", m)
		}
		if _, err := l.Slice(0, 4).Runs(); !errors.Is(err, ErrDamaged) {
			t.Errorf("a part of it: %v", err)
		}
		if again, err := runs[0].Runs(); err != nil || len(again) != 1 {
			t.Errorf("a run is one run: %v %v", again, err)
		}
		l.Close()
	}
	for _, c := range []struct {
		other *Log
		want  string
	}{
		{FromColumns("c", []Channel{{Name: "t", Unit: "s"}}, [][]float64{{0}}, nil), "c: no such channel: it lacks the channels q1 that a has"},
		{FromColumns("c", []Channel{{Name: "t", Unit: "s"}, {Name: "q1", Unit: "m"}}, [][]float64{{0}, {1}}, nil), "q1 (m, not rad)"},
		{FromColumns("c", []Channel{{Name: "t", Unit: "s"}, {Name: "q1", Unit: ""}, {Name: "q2", Unit: ""}}, [][]float64{{0}, {1}, {2}}, nil), "it has the channels q2 beyond"},
	} {
		if err := Join(t.Context(), filepath.Join(t.TempDir(), "x.csv"), []*Log{a, c.other}, nil); !errors.Is(err, ErrNoChannel) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestRename(t *testing.T) {
	a := FromColumns("a", []Channel{{Name: "t", Unit: "s"}, {Name: "force", Unit: "N"}}, [][]float64{{0, 1}, {5, 6}}, nil)
	b, err := a.Rename(map[string]string{"force": "tau1"})
	if err != nil || !a.Has("force") || b.Has("force") {
		t.Fatalf("%v: %v and %v", err, a.Names(), b.Names())
	}
	wantColumns(t, "renamed", b, []string{"tau1"}, [][]float64{{5, 6}})
	if _, err := a.Rename(map[string]string{"forc": "tau1"}); !errors.Is(err, ErrNoChannel) {
		t.Error(err)
	}
	if _, err := a.Rename(map[string]string{"force": "t"}); !errors.Is(err, ErrDuplicate) {
		t.Error(err)
	}
}
