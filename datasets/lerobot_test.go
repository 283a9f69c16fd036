package datasets_test

import (
	"bytes"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"

	"ident/datasets"
	"ident/internal/lerobottest"
)

// lerobot is a data set of two episodes with lists of three entries.
func lerobot(rows, groups int) *lerobottest.Set {
	s := &lerobottest.Set{Lists: map[string][][]float32{}, Order: []string{"observation.state", "action", "observation.effort"}, Rate: 50, Groups: groups,
		Names: map[string][]string{"observation.state": {"a.pos", "c.pos", "b.pos"}, "action": {"a.pos", "c.pos", "b.pos"}}}
	for i := range rows {
		episode := i / (rows * 2 / 3)
		s.Episode = append(s.Episode, int64(episode))
		s.Time = append(s.Time, float32(i-episode*(rows*2/3))/50)
		x := float32(i)
		for n, name := range s.Order {
			s.Lists[name] = append(s.Lists[name], []float32{x, 1000*float32(n) + x, -x})
		}
	}
	return s
}

// Lists of a Parquet file become channels, over any row groups and pages; episodes become runs, and the names of the file beside find
// the joints.
func TestLeRobot(t *testing.T) {
	const rows = 9001
	s := lerobot(rows, 3)
	for name, l := range map[string]*datasets.Log{"file": openPath(t, s.Write(t, t.TempDir())),
		"pages":     openBytes(t, s.Bytes(t, parquet.WithDataPageSize(100), parquet.WithDictionaryDefault(false))),
		"version 2": openBytes(t, s.Bytes(t, parquet.WithDataPageVersion(parquet.DataPageV2)))} {
		if l.Rows() != rows || strings.Join(l.Names(), " ") != "observation.state[0] observation.state[1] observation.state[2] action[0] action[1] action[2] observation.effort[0] observation.effort[1] observation.effort[2] timestamp frame_index episode_index" {
			t.Fatalf("%s: %d rows of %v", name, l.Rows(), l.Names())
		}
		for first, batch := range map[int]int{0: 0, 1: 7, 2999: 4096, 6000: 5000, 8999: 1} { // across groups and blocks
			part := l.Slice(first, rows)
			err := part.Scan([]string{"action[1]", "frame_index", "observation.state[2]", "action[0]"}, batch, func(at int, cols [][]float64) error {
				for i := range cols[0] {
					x := float64(first + at + i)
					if cols[0][i] != 1000+x || cols[2][i] != -x || cols[3][i] != x {
						t.Fatalf("%s, row %g: %g, %g, %g", name, x, cols[0][i], cols[2][i], cols[3][i])
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		runs, err := l.Runs()
		if err != nil {
			t.Fatal(err)
		}
		if len(runs) != 2 || runs[0].Rows() != 6000 || !strings.HasSuffix(runs[1].Name(), "/episode_1") {
			t.Errorf("%s: %d runs, the first of %d rows", name, len(runs), runs[0].Rows())
		}
		roles, _, err := datasets.MapChannels(l, []string{"a", "b", "c"}, nil)
		want := "timestamp observation.state[0] observation.state[1] observation.state[2] observation.effort[0] observation.effort[1]"
		if name == "file" { // with names; those of the effort are not given, and count
			want = "timestamp observation.state[0] observation.state[2] observation.state[1] observation.effort[0] observation.effort[1]"
			if l.Meta()["lerobot.fps"] != "50" || l.Meta()["lerobot.robot_type"] != "bench" {
				t.Error(l.Meta())
			}
		}
		if got := strings.Join([]string{roles.T, roles.Q[0], roles.Q[1], roles.Q[2], roles.Tau[0], roles.Tau[1]}, " "); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", name, got, err, want)
		}
	}
}

// Lists of several lengths, and rows without one, are left out with a note; a file that hides them in the same number of entries is an error.
func TestListsOfSeveralLengths(t *testing.T) {
	s := lerobot(30, 1)
	s.Lists["action"][7] = []float32{1, 2}
	l := openBytes(t, s.Bytes(t))
	if l.Has("action[0]") || len(l.Notes()) != 1 || !strings.Contains(l.Notes()[0].Text, "different lengths") {
		t.Error(l.Names(), l.Notes())
	}
	s.Lists["action"][8] = []float32{1, 2, 3, 4}
	if _, err := openBytes(t, s.Bytes(t)).Column("action[1]"); err == nil || !strings.Contains(err.Error(), "different lengths: one of 2 in place of 3") {
		t.Error(err)
	}
	s.Lists["action"][8], s.Lists["action"][7] = s.Lists["action"][7], s.Lists["action"][8]
	if _, err := openBytes(t, s.Bytes(t)).Column("action[1]"); err == nil || !strings.Contains(err.Error(), "more than 3") {
		t.Error(err)
	}
	s.Lists["action"][7], s.Lists["action"][8] = nil, []float32{1, 2, 3, 4, 5} // a row without a list, one entry in its place
	if _, err := openBytes(t, s.Bytes(t)).Column("action[1]"); err == nil {
		t.Error("a list of five among lists of three")
	}
	s = lerobot(30, 1)
	s.Lists["action"][7][1] = float32(math.NaN())
	v, err := openBytes(t, s.Bytes(t)).Column("action[1]")
	if err != nil || !math.IsNaN(v[7]) || v[8] != 1008 {
		t.Error(v, err)
	}
}

func openPath(t *testing.T, path string) *datasets.Log {
	t.Helper()
	l, err := datasets.Open(path, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func openBytes(t *testing.T, b []byte) *datasets.Log {
	t.Helper()
	l, err := datasets.OpenReader(bytes.NewReader(b), int64(len(b)), filepath.Join("memory", "file.parquet"), datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}
