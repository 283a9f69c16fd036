package project

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"

	"ident/datasets"
	"ident/internal/hint"
	"ident/internal/spelling"
)

// Memory limits in bytes for the decoded text files and recordings of a command; the rest goes to temporary files. With
// many logs the limit is lower, because each log also keeps the doctor's rows and the noise of its channels.
const (
	memoryLimit = 256 << 20
	ofManyLogs  = 64 << 20
	manyLogs    = 100
)

// memoryOfLog returns the memory that each of the given number of logs may use, in bytes.
func memoryOfLog(logs int) int64 {
	if logs < manyLogs {
		return memoryLimit / int64(max(1, logs))
	}
	return ofManyLogs / int64(logs)
}

// OpenLogs opens log files with the project's units and topics. ctx must live as long as they are read. A file with
// several runs gives as many logs. A channel's declaration applies to the logs that have it; if none has, it is an
// error.
func OpenLogs(ctx context.Context, p *Settings, paths []string) ([]*datasets.Log, error) {
	if err := p.readTrained(ctx, paths); err != nil {
		return nil, err
	}
	logs, err := openLogs(ctx, p, paths, len(paths))
	return logs, p.asTrained(err)
}

// noLog returns the error of a log that is not there: the name in its folder that is nearest to it, or that a word of an option was taken for a log.
func noLog(path string, err error) error {
	if _, e := os.Stat(path); !errors.Is(e, fs.ErrNotExist) {
		return fmt.Errorf("the log %s is missing a part: %w", path, err)
	}
	if slices.Contains([]string{"yes", "no", "auto", "true", "false"}, path) {
		return hint.Errorf("physically-consistent", path, "there is no log %s: %w; write the value of an option behind an equals sign, {physically-consistent}=%s", path, fs.ErrNotExist, path)
	}
	return fmt.Errorf("the log %s is missing: %w%s", path, fs.ErrNotExist, spelling.NearFile(path))
}

// openLogs opens some of a command's logs; all is their total number.
func openLogs(ctx context.Context, p *Settings, paths []string, all int) (logs []*datasets.Log, err error) {
	defer func() {
		if err != nil {
			CloseLogs(logs)
			logs = nil
		}
	}()
	lacking, plain := map[string]int{}, 0 // declarations for all logs, by how many lack their channel
	for _, path := range paths {
		opt := p.forFile(path).logOptions()
		opt.MemoryLimit = memoryOfLog(all)
		l, missing, err := openDeclared(opt, func(opt datasets.Options) (*datasets.Log, error) { return datasets.OpenContext(ctx, path, opt) })
		if errors.Is(err, fs.ErrNotExist) {
			return logs, noLog(path, err)
		}
		if err != nil {
			return logs, Repair(err)
		}
		if _, own := p.readingOf(path); own && len(missing) > 0 {
			l.Close()
			return logs, Repair(firstOf(missing))
		} else if _, trained := p.ofFit[path]; trained {
			missing = nil // a fit of several logs has declarations for some of them
		} else if !own {
			plain++
		}
		for key, err := range missing {
			if lacking[key]++; lacking[key] == plain && path == paths[len(paths)-1] && !p.inherits(key) {
				l.Close()
				return logs, Repair(err)
			}
		}
		runs, err := l.Runs()
		if err != nil {
			l.Close()
			return logs, err
		}
		logs = append(logs, runs...)
	}
	return logs, nil
}

// firstOf returns the error of the first key in order.
func firstOf(errs map[string]error) error { return errs[slices.Sorted(maps.Keys(errs))[0]] }

// OpenReader opens one log of size bytes with the units of the settings: see [datasets.OpenReader].
func OpenReader(p *Settings, r io.ReaderAt, size int64, name string) (*datasets.Log, error) {
	l, missing, err := openDeclared(p.logOptions(), func(opt datasets.Options) (*datasets.Log, error) { return datasets.OpenReader(r, size, name, opt) })
	if err != nil {
		return nil, Repair(err)
	}
	maps.DeleteFunc(missing, func(key string, _ error) bool { return p.inherits(key) })
	if len(missing) > 0 {
		l.Close()
		return nil, Repair(firstOf(missing))
	}
	return l, nil
}

// logOptions returns the options for log files from the settings.
func (p *Settings) logOptions() datasets.Options {
	opt := datasets.Options{Units: datasets.PresetUnits(p.Preset, p.Units), Scale: p.Scale, Zero: p.Zero, Topics: p.Topics, Columns: p.Columns, Rate: p.Rate, Env: p.Env}
	for name := range p.Scale {
		if _, own := p.Units[name]; !own {
			delete(opt.Units, name) // a user's scale overrides the unit of a preset
		}
	}
	if p.OnBad == "drop" {
		opt.BadRows = datasets.Drop
	}
	return opt
}

// Repair adds a remedy to the error of an unreadable log.
func Repair(err error) error {
	var said *datasets.DropError
	var declared *datasets.DeclarationError
	is := func(kind error) bool { return errors.Is(err, kind) }
	switch {
	case errors.As(err, &said):
		return err
	case errors.As(err, &declared):
		return wrong(declared.Option, declared.Key, "{"+declared.Option+"}: %w", err)
	case is(datasets.ErrForm):
		return err
	case is(datasets.ErrNumber) || is(datasets.ErrFields):
		return remedy("on-bad", "", "%w; {on-bad} drop leaves such rows out and counts them", err)
	case is(datasets.ErrDamaged) || is(datasets.ErrTruncated):
		return fmt.Errorf("%w; copy it again from where it was recorded", err)
	}
	return err
}

// CloseLogs closes logs that OpenLogs opened.
func CloseLogs(logs []*datasets.Log) {
	for _, l := range logs {
		l.Close()
	}
}
