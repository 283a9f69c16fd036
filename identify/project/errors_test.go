package project

import (
	"errors"
	"fmt"
	"testing"

	"ident/datasets"
)

// An error names settings by their keys, or as its reader knows them, wherever it is
// wrapped, and can be matched.
func TestDescribe(t *testing.T) {
	option := func(key string) string { return "--" + key }
	inner := wrong("gains", "", "{gains} has %d numbers", 2)
	for _, c := range []struct {
		err         error
		plain, flag string
	}{
		{inner, "gains has 2 numbers", "--gains has 2 numbers"},
		{fmt.Errorf("log.csv: %w", inner), "log.csv: gains has 2 numbers", "log.csv: --gains has 2 numbers"},
		{remedy("lock", "j1", "{lock} j1: %w", inner), "lock j1: gains has 2 numbers", "--lock j1: --gains has 2 numbers"},
		{wrong("map", "{rows}", "{map} %s", "{rows}"), "map {rows}", "--map {rows}"},
		{errors.New("{rows}"), "{rows}", "{rows}"},
	} {
		if c.err.Error() != c.plain || Describe(c.err, option) != c.flag {
			t.Errorf("%q and %q, want %q and %q", c.err.Error(), Describe(c.err, option), c.plain, c.flag)
		}
	}
	var s *SettingError
	if !errors.As(remedy("lock", "j1", "{lock} j1: %w", inner), &s) || s.Setting != "gains" {
		t.Errorf("the setting is not found: %+v", s)
	}
}

// The remedy of a log with bad rows is said once.
func TestRepair(t *testing.T) {
	var hint *HintError
	if err := Repair(fmt.Errorf("log.csv: %w", datasets.ErrNumber)); !errors.As(err, &hint) || hint.Setting != "on-bad" || !errors.Is(err, datasets.ErrNumber) {
		t.Errorf("no hint: %v", err)
	}
	said := &datasets.DropError{Err: fmt.Errorf("%w; drop reads the rest", datasets.ErrDamaged)}
	if err := Repair(said); err != error(said) {
		t.Errorf("said twice: %v", err)
	}
}
