package datasets

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// corpusFile is a file of testdata/corpus, as make.py describes it.
type corpusFile struct {
	File, Source string
	Needs        struct {
		Columns string
		Rate    float64
		Env     int
		Map     map[string]string
		Units   map[string]string
		Scale   map[string]float64
		Zero    map[string]float64
		Topics  []string
		Preset  string
	}
	Joints []string // shoulder and elbow if absent
	Truth  string   // truth.csv if absent
	Roles  []string // q, dq and tau if absent
	Runs   int
	Stamps string // float: whose stamps are too large for exact differences
}

// corpusPath returns the path of a file of the corpus, in the folder that the environment names.
func corpusPath(name string) string {
	folder := os.Getenv("IDENT_CORPUS")
	if folder == "" {
		folder = filepath.Join("testdata", "corpus")
	}
	return filepath.Join(folder, filepath.FromSlash(name))
}

// readCorpus reads the list of the corpus.
func readCorpus(t *testing.T) []corpusFile {
	t.Helper()
	text, err := os.ReadFile(corpusPath("corpus.json"))
	if err != nil {
		t.Fatal(err)
	}
	var files []corpusFile
	if err := json.Unmarshal(text, &files); err != nil {
		t.Fatal(err)
	}
	if len(files) < 60 {
		t.Fatalf("%d files", len(files))
	}
	return files
}

// options returns the options that a file needs, and their number.
func (c corpusFile) options() (opt Options, n int) {
	opt = Options{Rate: c.Needs.Rate, Env: c.Needs.Env, Units: PresetUnits(c.Needs.Preset, c.Needs.Units), Scale: c.Needs.Scale, Zero: c.Needs.Zero, Topics: c.Needs.Topics}
	if c.Needs.Columns != "" {
		opt.Columns = splitFields(c.Needs.Columns, ',')
	}
	for _, given := range []bool{c.Needs.Rate != 0, c.Needs.Env != 0, len(c.Needs.Map) > 0, len(c.Needs.Units) > 0, len(c.Needs.Scale) > 0, len(c.Needs.Zero) > 0, len(c.Needs.Topics) > 0, c.Needs.Columns != "", c.Needs.Preset != ""} {
		if given {
			n++
		}
	}
	return opt, n
}

// joints returns the names of the joints.
func (c corpusFile) joints() []string {
	if c.Joints != nil {
		return c.Joints
	}
	return []string{"shoulder", "elbow"}
}

// TestCorpus reads the files of programs of the field, with the options that they need: the channels are the right ones, no row is
// left out, and every number is that of the table of the truth.
func TestCorpus(t *testing.T) {
	for _, c := range readCorpus(t) {
		t.Run(c.File, func(t *testing.T) {
			opt, n := c.options()
			l, err := Open(corpusPath(c.File), opt)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			roles, notes, err := MapChannels(l, c.joints(), PresetChannels(c.Needs.Preset, c.Needs.Map, l))
			if err != nil {
				t.Fatal(err)
			}
			truth := c.Truth
			if truth == "" {
				truth = "truth.csv"
			}
			of, err := Open(corpusPath(truth), Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer of.Close()
			if l.Rows() != of.Rows() || l.DroppedRows() != 0 {
				t.Fatalf("%d rows of %d, %d dropped", l.Rows(), of.Rows(), l.DroppedRows())
			}
			if runs, err := l.Runs(); err != nil || c.Runs > 0 && len(runs) != c.Runs {
				t.Errorf("%d runs, want %d (%v)", len(runs), c.Runs, err)
			}
			pairs := [][2]string{{"t", roles.T}}
			for j := range roles.Q {
				for role, channels := range map[string][]string{"q": roles.Q, "dq": roles.DQ, "tau": roles.Tau} {
					if c.Roles == nil || slices.Contains(c.Roles, role) {
						pairs = append(pairs, [2]string{fmt.Sprint(role, j+1), channels[j]})
					}
				}
			}
			for _, p := range pairs {
				want, err := of.Column(p[0])
				if err != nil {
					t.Fatal(err)
				}
				got, err := l.Column(p[1])
				if err != nil {
					t.Errorf("%s: %v; the channels are %v, notes %v", p[0], err, l.Names(), notes)
					continue
				}
				if p[0] == "t" { // from the first row
					for k := len(got) - 1; k >= 0; k-- {
						got[k] -= got[0]
					}
				}
				for k := range want {
					near := p[0] == "t" && c.Stamps == "float" && math.Abs(got[k]-want[k]) < 1e-6
					if math.Float64bits(got[k]) != math.Float64bits(want[k]) && got[k] != want[k] && !near {
						t.Errorf("%s, row %d: %v, want %v", p[0], k+1, got[k], want[k])
						break
					}
				}
			}
			t.Logf("%d options: %s", n, c.Source)
		})
	}
}
