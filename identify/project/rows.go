package project

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ident/identify/regression"
)

// CutRows cuts a run to the rows that the settings select.
func CutRows(p *Settings, run *regression.Run) error {
	for _, name := range slices.Sorted(maps.Keys(p.Rows)) {
		if name != onlyLog && !namesLog(name, run) {
			continue
		}
		a, b, ok := strings.Cut(p.Rows[name], "-")
		first, err1 := strconv.Atoi(a)
		last, err2 := strconv.Atoi(b)
		if !ok || err1 != nil || err2 != nil || first < 1 || last < first {
			return wrong("rows", name, "{rows} %s:%s: want FIRST-LAST, counted from 1", name, p.Rows[name])
		}
		if last > run.Log.Rows() {
			return wrong("rows", name, "{rows} %s:%s: the log has %d rows", name, p.Rows[name], run.Log.Rows())
		}
		run.Log = run.Log.Slice(first-1, last)
		run.First, run.Last = first-1, last
	}
	return nil
}

// Split splits every run: the first fraction of its rows trains, the rest validates.
func Split(runs []regression.Run, fraction float64) (train, validate []regression.Run) {
	for _, r := range runs {
		n := r.Log.Rows()
		cut := int(fraction * float64(n))
		a, b := r, r
		a.Log, a.Last = r.Log.Slice(0, cut), r.First+cut
		b.Log, b.First = r.Log.Slice(cut, n), r.First+cut
		train, validate = append(train, a), append(validate, b)
	}
	return train, validate
}

// CheckRows returns an error if the settings select rows of a log that is not used.
func CheckRows(p *Settings, runs []regression.Run) error {
	for _, name := range slices.Sorted(maps.Keys(p.Rows)) {
		if name == onlyLog && len(runs) > 1 {
			return wrong("rows", p.Rows[name], "{rows} %s: of %d logs, name the one that is meant: {rows} %s:%s", p.Rows[name], len(runs), runs[0].Name, p.Rows[name])
		}
		used := name == onlyLog && len(runs) > 0
		for _, r := range runs {
			used = used || namesLog(name, &r)
		}
		if !used {
			return wrong("rows", name, "{rows} %s: no log of that name is used", name)
		}
	}
	return nil
}

// namesLog reports whether name means the log of a run: its path, its file name, or that without extensions. If the file
// holds several runs, name must be FILE/RUN.
func namesLog(name string, run *regression.Run) bool {
	if strings.Contains(run.Name, "/") {
		return name == run.Name // one of several in a file
	}
	path := run.Log.Path()
	return name == run.Name || name == path || filepath.Base(name) == filepath.Base(path)
}
