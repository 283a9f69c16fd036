package summary

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// ErrNothing is the error of a merge of no summaries.
var ErrNothing = errors.New("no summary to merge")

// DifferenceError is the error of summaries whose rows are not of one robot, model and signal path.
type DifferenceError struct {
	Part        string   // robot, model, signal path or settings
	Log, Other  string   // names of one run of each summary
	Differences []string // each names a field and its two values
}

func (e *DifferenceError) Error() string {
	return fmt.Sprintf("%s and %s do not have the same %s: %s; reduce both with the same settings", e.Log, e.Other, e.Part, strings.Join(e.Differences, "; "))
}

// OverlapError is the error of two runs with the same samples, which would count twice.
type OverlapError struct {
	First, Second string
	Prints        int // number of common fingerprints
}

func (e *OverlapError) Error() string {
	return fmt.Sprintf("%s and %s hold the same samples (%d common fingerprints): they would count twice; leave one out", e.First, e.Second, e.Prints)
}

// Compare orders runs by their keys.
func Compare(a, b *Run) int {
	start := func(r *Run) float64 {
		if r.Absolute {
			return r.Start
		}
		return 0
	}
	return cmp.Or(cmp.Compare(start(a), start(b)), cmp.Compare(a.Name, b.Name), cmp.Compare(a.SHA256, b.SHA256), cmp.Compare(a.First, b.First), slices.Compare(a.Prints, b.Prints))
}

// Merge returns the summary of the runs of all: one order for any order of the parts, and for any grouping of merges. Errors are
// a *DifferenceError or an *OverlapError.
func Merge(parts ...*Summary) (*Summary, error) {
	if len(parts) == 0 {
		return nil, ErrNothing
	}
	out := *parts[0]
	out.Runs = nil
	out.Processing.RestRange, out.Processing.RestSeconds = nil, nil
	for _, p := range parts {
		out.Processing.RestRange, out.Processing.RestSeconds = largest(out.Processing.RestRange, p.Processing.RestRange), largest(out.Processing.RestSeconds, p.Processing.RestSeconds)
	}
	total := 0
	for _, p := range parts {
		if err := same(parts[0], p, &out.Processing); err != nil {
			return nil, err
		}
		total += len(p.Runs)
	}
	out.Runs = make([]Run, 0, total)
	for _, p := range parts {
		out.Runs = append(out.Runs, p.Runs...)
	}
	slices.SortStableFunc(out.Runs, func(a, b Run) int { return Compare(&a, &b) })
	if len(parts) == 1 {
		return &out, nil
	}
	return &out, overlap(out.Runs)
}

// leakPrints is the number of common fingerprints from which two runs have samples in common: fewer can be chance.
const leakPrints = 3

// overlap finds two runs with common samples, the first in their order.
func overlap(runs []Run) error {
	seen := map[uint64]int{}
	for j := range runs {
		common := map[int]int{}
		if j > 0 && Compare(&runs[j-1], &runs[j]) == 0 {
			return &OverlapError{First: runs[j-1].Name, Second: runs[j].Name, Prints: len(runs[j].Prints)}
		}
		for _, p := range runs[j].Prints {
			if i, ok := seen[p]; ok {
				common[i]++
			} else {
				seen[p] = j
			}
		}
		for _, i := range slices.Sorted(maps.Keys(common)) {
			if common[i] >= leakPrints {
				return &OverlapError{First: runs[i].Name, Second: runs[j].Name, Prints: common[i]}
			}
		}
	}
	return nil
}

// nearRest is the ratio up to which logs' own rules of what is at rest count as one. Each log measures its rule by its noise, and has
// its rows at rest apart by that; the rule of a merged summary is the widest.
const nearRest = 2

// largest returns the larger elements of two lists, the one list where the other has another length.
func largest(a, b []float64) []float64 {
	if len(a) != len(b) {
		if len(a) < len(b) {
			return slices.Clone(b)
		}
		return a
	}
	out := slices.Clone(a)
	for i := range out {
		out[i] = max(out[i], b[i])
	}
	return out
}

// within tells that no element of a list is far below one of the larger ones.
func within(a, largest []float64) bool {
	if len(a) != len(largest) {
		return false
	}
	for i, v := range a {
		if !(v*nearRest >= largest[i]) {
			return false
		}
	}
	return true
}

// same compares the robot, model, signal path and settings of two summaries; of rules of rest that are near the widest one nothing.
func same(a, b *Summary, widest *Processing) error {
	if a == b {
		return nil
	}
	x, y := a.Processing, b.Processing
	if within(x.RestRange, widest.RestRange) && within(x.RestSeconds, widest.RestSeconds) && within(y.RestRange, widest.RestRange) && within(y.RestSeconds, widest.RestSeconds) {
		x.RestRange, x.RestSeconds, y.RestRange, y.RestSeconds = nil, nil, nil, nil
	}
	differ := func(part string, x, y any) error {
		if reflect.DeepEqual(x, y) {
			return nil
		}
		return &DifferenceError{Part: part, Log: a.name(), Other: b.name(), Differences: differences(x, y)}
	}
	if a.Robot.SHA256 != b.Robot.SHA256 {
		return &DifferenceError{Part: "robot", Log: a.name(), Other: b.name(), Differences: []string{fmt.Sprintf("%s with the hash %.12s, %s with the hash %.12s", a.Robot.Name, a.Robot.SHA256, b.Robot.Name, b.Robot.SHA256)}}
	}
	return cmp.Or(differ("signal path", x, y), differ("model", a.Model, b.Model), differ("settings", fields(a.Settings), fields(b.Settings)))
}

func (s *Summary) name() string {
	if len(s.Runs) == 0 {
		return "a summary without runs"
	}
	return s.Runs[0].Name
}

// fields returns the members of a value's JSON object, by name.
func fields(v any) map[string]any {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain numbers and texts
	}
	var out map[string]any
	if json.Unmarshal(text, &out) != nil {
		return nil
	}
	return out
}

// differences names the members in which two values differ.
func differences(x, y any) []string {
	a, b := fields(x), fields(y)
	names := maps.Clone(a)
	maps.Copy(names, b)
	var out []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !reflect.DeepEqual(a[name], b[name]) {
			out = append(out, fmt.Sprintf("%s is %s and %s", name, brief(a[name]), brief(b[name])))
		}
	}
	return out
}

// brief returns a value in at most some sixty letters.
func brief(v any) string {
	if v == nil {
		return "not given"
	}
	text, _ := json.Marshal(v)
	if len(text) > 60 {
		return string(text[:57]) + "…"
	}
	return string(text)
}
