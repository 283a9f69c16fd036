package datasets

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// RunsKey is the metadata key of a log with several runs of an experiment one after the other. Its value is
// a JSON list of {"name", "rows"}. Filters and differences must not cross from one run to the next: each
// has a clock of its own.
const RunsKey = "ident.runs"

// A runRows is one run of a log.
type runRows struct {
	Name string `json:"name"`
	Rows int    `json:"rows"`
}

// Runs returns the runs of a log, each as a log with a name of its own: those listed in its metadata, or
// the log itself. All share the file; closing one closes it. An error matches ErrDamaged.
func (l *Log) Runs() ([]*Log, error) {
	text, ok := l.meta[RunsKey]
	if !ok {
		return []*Log{l}, nil
	}
	var runs []runRows
	err := json.Unmarshal([]byte(text), &runs)
	at := 0
	var out []*Log
	for _, r := range runs {
		if r.Rows < 0 || r.Rows > l.Rows()-at {
			break
		}
		part := l.Slice(at, at+r.Rows)
		part.name = l.name + "/" + r.Name
		part.meta = maps.Clone(l.meta)
		delete(part.meta, RunsKey)
		out = append(out, part)
		at += r.Rows
	}
	if err != nil || len(out) == 0 || len(out) < len(runs) || at != l.Rows() {
		return nil, &FileError{Path: l.label(), Err: fmt.Errorf("%w: metadata %s does not divide its %d rows into runs: %s", ErrDamaged, RunsKey, l.Rows(), excerpt([]byte(text)))}
	}
	return out, nil
}

// Join writes logs to a file, one after another, as the runs of one log: all have the same channels, in any
// order, in the same SI units. The metadata are those of the first log, overridden by extraMeta. A single
// log is copied. Once ctx is done it ends with the error of ctx, as Copy does.
func Join(ctx context.Context, path string, logs []*Log, extraMeta map[string]string) error {
	first := logs[0]
	for _, c := range first.channels {
		if first.path != "" && unclean(c.Name) { // Write would blame the file that is written
			return &FileError{Path: first.path, Column: c.Name, Err: fmt.Errorf("%w: a channel's name must be UTF-8 text without control characters; save the file as UTF-8, or give the channel another name", ErrFormat)}
		}
	}
	meta := first.Meta()
	maps.Copy(meta, extraMeta)
	if len(logs) > 1 {
		var runs []runRows
		for _, l := range logs {
			if err := sameChannels(first, l); err != nil {
				return err
			}
			runs = append(runs, runRows{l.name, l.Rows()})
		}
		text, err := json.Marshal(runs)
		if err != nil {
			return err
		}
		meta[RunsKey] = string(text)
	}
	return Write(path, first.channels, meta, func(w *Writer) error {
		for _, l := range logs {
			if err := w.appendLog(ctx, l, first.Names()); err != nil {
				return err
			}
		}
		return nil
	})
}

// sameChannels checks that two logs can be runs of one.
func sameChannels(a, b *Log) error {
	fail := func(what string, names []string) error {
		return &FileError{Path: b.label(), Err: fmt.Errorf("%w: it %s %s that %s has: the runs of one log have the same channels", ErrNoChannel, what, listNames(names), a.label())}
	}
	var missing, units []string
	for _, c := range a.channels {
		k := b.column(c.Name)
		if k < 0 {
			missing = append(missing, c.Name)
			continue
		}
		one, errA := conversionOf(c.Unit)
		other, errB := conversionOf(b.channels[k].Unit)
		if errA == nil && errB == nil && one.si != other.si && one.si != "" && other.si != "" {
			units = append(units, fmt.Sprintf("%s (%s, not %s)", c.Name, other.si, one.si))
		}
	}
	switch {
	case len(missing) > 0:
		return fail("lacks the channels", missing)
	case len(units) > 0:
		return fail("has another unit than", units)
	case len(b.channels) > len(a.channels):
		var more []string
		for _, n := range b.Names() {
			if !a.Has(n) {
				more = append(more, n)
			}
		}
		return &FileError{Path: b.label(), Err: fmt.Errorf("%w: it has the channels %s beyond those of %s: the runs of one log have the same channels", ErrNoChannel, listNames(more), a.label())}
	}
	return nil
}

// Rename returns the log with new names for some channels, old to new. An error matches ErrNoChannel where
// an old name is absent, and ErrDuplicate where a new one is taken.
func (l *Log) Rename(names map[string]string) (*Log, error) {
	out := *l
	out.channels = slices.Clone(l.channels)
	for _, old := range sortedKeys(names) {
		k := l.column(old)
		if k < 0 {
			return nil, &FileError{Path: l.label(), Err: noChannel(old, l.channels)}
		}
		out.channels[k].Name = strings.TrimSpace(names[old])
	}
	if err := unique(out.channels); err != nil {
		return nil, &FileError{Path: l.label(), Err: err}
	}
	return &out, nil
}
