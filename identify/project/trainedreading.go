package project

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"ident/datasets"
	"ident/identify/folder"
	"ident/identify/regression"
	"ident/result"
)

// trainedLogs are the logs that a result was fitted to, and how they were read.
type trainedLogs struct {
	settings Settings          // of the fit
	files    map[string]string // names of the logs' files, by their hashes
}

// trainedBy returns the logs of a result with the settings of its fit.
func trainedBy(s *Settings, logs []result.LogInfo) []trainedLogs {
	t := trainedLogs{settings: *s.Clone(), files: map[string]string{}}
	maps.DeleteFunc(t.settings.Map, func(_, channel string) bool { return isLawChannel(channel) }) // which is no channel of the file
	for _, l := range logs {
		if l.SHA256 != "" {
			t.files[l.SHA256] = l.File
		}
	}
	if t.said() == "" {
		return nil // they were read by nothing but their names
	}
	return []trainedLogs{t}
}

// ForOtherLogs prepares the settings of a result for new logs, for which the command line gives settings of reading anew. A new log is
// read by these, by the ident.yaml beside it and by what it says itself; how the logs of the result were read (their map, units, topics …)
// counts for files with the content of those logs alone. Gains belong to the drives and stay.
func (p *Settings) ForOtherLogs() {
	p.Rows, p.Validate, p.TrainFraction, p.Carries, p.inherited, p.Readings, p.ofFit = nil, nil, 0, nil, nil, nil, nil
	p.clearReading()
}

// clearReading clears the settings of reading but the gains.
func (p *Settings) clearReading() {
	for _, key := range readingKeys() {
		if t, _ := Lookup(key); key != "gains" && key != "gain-sigma" {
			reflect.ValueOf(t.field(p)).Elem().SetZero()
		}
	}
}

// ForItsLogs returns settings that read the logs of the result as its fit did, whatever a command line gives for other logs.
func (p *Settings) ForItsLogs() *Settings {
	out := *p
	if len(p.trained) == 0 { // the fit read them by their names alone
		out.clearReading()
		out.Readings, out.inherited = nil, readingKeys()
		return &out
	}
	fit := p.trained[0].settings
	out.Preset, out.Map, out.Units, out.Scale, out.Zero, out.Topics = fit.Preset, fit.Map, fit.Units, fit.Scale, fit.Zero, fit.Topics
	out.Columns, out.Rate, out.Env, out.Gains, out.GainSigma = fit.Columns, fit.Rate, fit.Env, fit.Gains, fit.GainSigma
	out.Readings, out.inherited = fit.Readings, readingKeys()
	return &out
}

// Knowing returns settings that also read the logs of another result as its fit did.
func (p *Settings) Knowing(other *Settings) *Settings {
	out := *p
	out.trained = append(p.trained[:len(p.trained):len(p.trained)], other.trained...)
	return &out
}

// readTrained finds, for each file with the content of a log of a result that has no reading of its own, the reading of the fit.
func (p *Settings) readTrained(ctx context.Context, paths []string) error {
	if len(p.trained) == 0 {
		return nil
	}
	p.ofFit = maps.Clone(p.ofFit)
	for _, path := range paths {
		if _, own := p.readingOf(path); own {
			continue
		}
		sum, err := folder.FileSum(ctx, path)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || sum == "" { // what is wrong with the file is told by who opens it
			continue
		}
		for i := range p.trained {
			if file, ok := p.trained[i].files[sum]; ok {
				if p.ofFit == nil {
					p.ofFit = map[string]Reading{}
				}
				r := p.trained[i].settings.forFile(file).reading().without(p.Given)
				if datasets.Kind(path) != "recording" {
					r.Topics = nil // of a fit that had recordings too
				}
				p.ofFit[path] = r
				break
			}
		}
	}
	return nil
}

// said returns the settings of reading of the fit as a command line or a project file gives them, "" for none.
func (t *trainedLogs) said() string {
	s := &t.settings
	var out []string
	give := func(key string, entries []string) {
		for i, entry := range entries {
			if i == saidEntries {
				out = append(out, "…")
				return
			}
			out = append(out, fmt.Sprintf("{%s} '%s'", key, entry))
		}
	}
	if s.Preset != "" {
		give("preset", []string{s.Preset})
	}
	give("map", entriesOf(s.Map))
	give("units", entriesOf(s.Units))
	give("scale", entriesOf(s.Scale))
	give("zero", entriesOf(s.Zero))
	give("topics", s.Topics)
	if s.Columns != nil {
		give("columns", []string{strings.Join(s.Columns, ",")})
	}
	if s.Rate != 0 {
		give("rate", []string{fmt.Sprint(s.Rate)})
	}
	if s.Env != 0 {
		give("env", []string{fmt.Sprint(s.Env)})
	}
	if s.Readings != nil {
		give("logs", slices.Sorted(maps.Keys(s.Readings)))
	}
	return strings.Join(out, " ")
}

// saidEntries is how many entries of a key a message names.
const saidEntries = 4

// entriesOf returns the entries of a map as KEY=VALUE, in order.
func entriesOf[T any](m map[string]T) []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		out = append(out, fmt.Sprintf("%s=%v", key, m[key]))
	}
	return out
}

// asTrained adds to an error of channels how the logs of the result were read, which a new log of their form needs again.
func (p *Settings) asTrained(err error) error {
	if err == nil || len(p.trained) == 0 {
		return err
	}
	cure, ok := CureOf(err)
	if !ok || !slices.Contains(readingKeys(), cure.Setting) {
		return err
	}
	said := p.trained[0].said()
	return remedy(cure.Setting, cure.Value, "%w; the logs of the result were read with "+strings.ReplaceAll(said, "%", "%%")+": give that again for a log of their form", err)
}

// CureOf returns the setting that would cure an error; ok is false where none is known.
func CureOf(err error) (cure Hint, ok bool) {
	var here *HintError
	var below interface {
		Hint() (setting, value string)
	}
	switch {
	case errors.As(err, &here):
		return here.Hint, true
	case errors.As(err, &below):
		cure.Setting, cure.Value = below.Hint()
		return cure, true
	}
	return Hint{"map", ""}, errors.Is(err, datasets.ErrNoJoint) || errors.Is(err, datasets.ErrAmbiguous) || errors.Is(err, datasets.ErrNoTopic)
}

// unlike warns of runs whose channels have the names of the result's, whose numbers it took in other units than these runs say.
func (p *Settings) unlike(runs []regression.Run) (warnings []string) {
	if len(p.trained) == 0 {
		return nil
	}
	fit := &p.trained[0].settings
	if slices.ContainsFunc([]string{"preset", "units", "scale", "zero"}, func(key string) bool { return p.Given[key] == FromOption }) {
		return nil
	}
	for i := range runs {
		l := runs[i].Log
		own := p.forFile(l.Path())
		said := ""
		switch {
		case own.Preset != "" || len(own.Units)+len(own.Scale)+len(own.Zero) > 0:
		case has(l, fit.Units):
			said = "{units} " + entriesOf(fit.Units)[0]
		case has(l, fit.Scale):
			said = "{scale} " + entriesOf(fit.Scale)[0]
		case has(l, fit.Zero):
			said = "{zero} " + entriesOf(fit.Zero)[0]
		}
		if said != "" {
			warnings = append(warnings, NameSettings(fmt.Sprintf("%s is taken as it is; the logs of the result were read with %s: give that again if this log has the same numbers", runs[i].Name, said), p.naming))
		}
	}
	return warnings
}

// has reports whether a log has a channel without a unit of its own that a key of declarations names.
func has[T any](l *datasets.Log, declared map[string]T) bool {
	for key := range declared {
		if slices.ContainsFunc(l.Like(key), func(ch datasets.Channel) bool { return ch.Unit == "" }) {
			return true
		}
	}
	return false
}
