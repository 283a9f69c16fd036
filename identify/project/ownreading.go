package project

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ident/datasets"
)

// A Reading holds the settings for reading one log. A key that it has replaces that of all logs entirely: an empty map
// means no entry.
type Reading struct {
	Preset    string             `yaml:"preset,omitempty" json:"preset,omitempty"`
	Map       map[string]string  `yaml:"map,omitempty" json:"map,omitzero"`
	Units     map[string]string  `yaml:"units,omitempty" json:"units,omitzero"`
	Scale     map[string]float64 `yaml:"scale,omitempty" json:"scale,omitzero"`
	Zero      map[string]float64 `yaml:"zero,omitempty" json:"zero,omitzero"`
	Topics    []string           `yaml:"topics,omitempty,flow" json:"topics,omitzero"`
	Columns   []string           `yaml:"columns,omitempty,flow" json:"columns,omitzero"`
	Rate      float64            `yaml:"rate,omitempty" json:"rate,omitempty"`
	Env       int                `yaml:"env,omitempty" json:"env,omitempty"`
	Gains     []float64          `yaml:"gains,omitempty,flow" json:"gains,omitzero"`
	GainSigma []string           `yaml:"gain-sigma,omitempty,flow" json:"gain_sigma,omitzero"`
}

// readingKeys returns the keys of a Reading.
func readingKeys() []string {
	return []string{"preset", "map", "units", "scale", "zero", "topics", "columns", "rate", "env", "gains", "gain-sigma"}
}

// setReadings reads texts LOG:KEY=VALUE. The log's name ends at the first colon that is followed by a key of a
// [Reading], or its option, and an equals sign: so C:\logs\run.csv:unit=q*=deg works. The rest is the value, as the
// option takes it. Texts of one log and key add up if the option repeats. An empty value clears it.
func setReadings(s *Settings, texts []string) error {
	given := map[string]map[string][]string{} // by log and key
	for _, text := range texts {
		log, key, value, ok := cutReading(text)
		if !ok {
			return fmt.Errorf("%q is not LOG:KEY=VALUE with a key of %s", text, strings.Join(readingKeys(), ", "))
		}
		if given[log] == nil {
			given[log] = map[string][]string{}
		}
		given[log][key] = append(given[log][key], value)
	}
	s.Readings = maps.Clone(s.Readings)
	if s.Readings == nil {
		s.Readings = map[string]Reading{}
	}
	for log, keys := range given {
		r := s.Readings[log]
		for key, values := range keys {
			if err := r.set(key, values); err != nil {
				return fmt.Errorf("%s:%s: %w", log, key, err)
			}
		}
		s.Readings[log] = r
	}
	return nil
}

// cutReading splits LOG:KEY=VALUE.
func cutReading(text string) (log, key, value string, ok bool) {
	for i := 0; i < len(text); i++ {
		if text[i] != ':' {
			continue
		}
		name, rest, found := strings.Cut(text[i+1:], "=")
		for _, key := range readingKeys() {
			if t, _ := Lookup(key); found && i > 0 && (name == key || name == t.Option) {
				return text[:i], key, rest, true
			}
		}
	}
	return "", "", "", false
}

// set sets a key of a reading from the texts of its option; a single empty text clears it.
func (r *Reading) set(key string, texts []string) error {
	t, _ := Lookup(key)
	var s Settings
	s.Map, s.Units, s.Scale, s.Zero = map[string]string{}, map[string]string{}, map[string]float64{}, map[string]float64{}
	s.Topics, s.Columns, s.Gains, s.GainSigma = []string{}, []string{}, []float64{}, []string{}
	if len(texts) > 1 || texts[0] != "" {
		if err := t.Set(&s, texts...); err != nil {
			return err
		}
		if t.check != nil {
			if err := t.check(&s); err != nil {
				return err
			}
		}
	}
	switch key {
	case "preset":
		r.Preset = s.Preset
	case "map":
		r.Map = s.Map
	case "units":
		r.Units = s.Units
	case "scale":
		r.Scale = s.Scale
	case "zero":
		r.Zero = s.Zero
	case "topics":
		r.Topics = s.Topics
	case "columns":
		r.Columns = s.Columns
	case "rate":
		r.Rate = s.Rate
	case "env":
		r.Env = s.Env
	case "gains":
		r.Gains = s.Gains
	case "gain-sigma":
		r.GainSigma = s.GainSigma
	}
	return nil
}

// readingOf returns the reading for a file, by its path or else by its name.
func (p *Settings) readingOf(path string) (Reading, bool) {
	if r, ok := p.Readings[path]; ok {
		return r, true
	}
	for _, name := range slices.Sorted(maps.Keys(p.Readings)) {
		if filepath.Base(name) == filepath.Base(path) {
			return p.Readings[name], true
		}
	}
	return Reading{}, false
}

// inherits reports whether a setting of reading comes from other logs; key may be followed by \x00 and an entry's key.
func (p *Settings) inherits(key string) bool {
	all, _, _ := strings.Cut(key, "\x00")
	return slices.Contains(p.inherited, all) || slices.Contains(p.inherited, key)
}

// sharedKeys returns the settings whose entries name channels.
func sharedKeys() []string { return []string{"map", "units", "scale", "zero"} }

// BeforeOthers returns settings for the first of two groups of logs to which the command line's entries of map, units, scale and zero
// belong together: an entry counts for the logs that have its channel, and may belong to the second group alone.
func (p *Settings) BeforeOthers() *Settings {
	out := *p
	out.inherited = slices.Concat(p.inherited, sharedKeys())
	return &out
}

// BehindOthers returns settings for the second group: an entry must have its channel there, or in a log of the first.
func (p *Settings) BehindOthers(first ...*datasets.Log) *Settings {
	out := *p
	out.inherited = slices.Clone(p.inherited)
	add := func(setting, key string, has func(*datasets.Log) bool) {
		if slices.ContainsFunc(first, has) {
			out.inherited = append(out.inherited, setting+"\x00"+key)
		}
	}
	for key, channel := range p.Map {
		add("map", key, func(l *datasets.Log) bool { return l.Matches(key, channel) })
	}
	opt := p.logOptions()
	for setting, keys := range map[string][]string{"units": slices.Collect(maps.Keys(opt.Units)), "scale": slices.Collect(maps.Keys(opt.Scale)), "zero": slices.Collect(maps.Keys(opt.Zero))} {
		for _, key := range keys {
			add(setting, key, func(l *datasets.Log) bool { return len(l.Like(key)) > 0 })
		}
	}
	return &out
}

// readBeside adopts, for each log without its own reading, that of an ident.yaml beside it, except for keys that the
// command line gives.
func (p *Settings) readBeside(paths []string) error {
	for _, path := range paths {
		file := Beside(path)
		if _, own := p.readingOf(path); own || file == "" {
			continue
		}
		s, err := Read(file)
		if err != nil {
			return err
		}
		if p.Readings == nil {
			p.Readings = map[string]Reading{}
		}
		p.Readings[path] = s.forFile(path).reading().without(p.Given)
	}
	return nil
}

// reading returns the settings for reading a log.
func (p *Settings) reading() Reading {
	return Reading{p.Preset, p.Map, p.Units, p.Scale, p.Zero, p.Topics, p.Columns, p.Rate, p.Env, p.Gains, p.GainSigma}
}

// without returns a reading without the keys that a command line gives.
func (r Reading) without(origins map[string]Origin) Reading {
	given := func(key string) bool { return origins[key] == FromOption }
	if given("map") || given("preset") {
		r.Map, r.Preset = nil, ""
	}
	if given("units") || given("scale") || given("zero") {
		r.Units, r.Scale, r.Zero = nil, nil, nil
	}
	if given("topics") {
		r.Topics = nil
	}
	if given("env") {
		r.Env = 0
	}
	if given("columns") || given("rate") {
		r.Columns, r.Rate = nil, 0
	}
	if given("gains") || given("gain-sigma") {
		r.Gains, r.GainSigma = nil, nil
	}
	return r
}

// forFile returns the settings for reading a file: those of all logs, replaced by its own where it has some.
func (p *Settings) forFile(path string) *Settings {
	out := *p
	r, own := p.readingOf(path)
	if !own {
		if p.inherits("topics") && datasets.Kind(path) != "recording" {
			out.Topics = nil // a file that is no recording has none
		}
		if r, own = p.ofFit[path]; !own {
			return &out
		}
	}
	if r.Preset != "" {
		out.Preset = r.Preset
	}
	if r.Map != nil {
		out.Map = maps.Clone(r.Map)
		for role, channel := range p.Map {
			if isLawChannel(channel) {
				out.Map[role] = channel // which the program adds to the log
			}
		}
	}
	if r.Units != nil {
		out.Units = r.Units
	}
	if r.Scale != nil {
		out.Scale = r.Scale
	}
	if r.Zero != nil {
		out.Zero = r.Zero
	}
	if r.Topics != nil {
		out.Topics = r.Topics
	}
	if r.Columns != nil {
		out.Columns = r.Columns
	}
	if r.Rate != 0 {
		out.Rate = r.Rate
	}
	if r.Env != 0 {
		out.Env = r.Env
	}
	if r.Gains != nil {
		out.Gains = r.Gains
	}
	if r.GainSigma != nil {
		out.GainSigma = r.GainSigma
	}
	return &out
}

// OfStream returns the settings for reading a stream, which its rows have under another name: those of all logs, replaced by its own where it has some.
// Channels that its own name must be there.
func (p *Settings) OfStream(name string) *Settings {
	out := p.forFile(name)
	r, _ := p.readingOf(name)
	own := map[string]bool{"map": r.Map != nil, "units": r.Units != nil, "scale": r.Scale != nil, "zero": r.Zero != nil}
	out.inherited = slices.DeleteFunc(slices.Clone(out.inherited), func(key string) bool {
		all, _, _ := strings.Cut(key, "\x00")
		return own[all]
	})
	return out
}

// forLog returns the settings for mapping the channels of a log. Map entries for all logs apply to logs that have the
// channels; [Settings.checkMapped] refuses an entry that applies to none.
func (p *Settings) forLog(l *datasets.Log) *Settings {
	own := p.forFile(l.Path())
	if r, ok := p.readingOf(l.Path()); ok && r.Map != nil {
		return own
	}
	out := *own
	out.Map = maps.Clone(own.Map)
	maps.DeleteFunc(out.Map, func(key, channel string) bool { return channel != "" && !l.Matches(key, channel) })
	return &out
}

// checkMapped refuses a map entry for all logs whose channel no log has.
func (p *Settings) checkMapped(logs []*datasets.Log, names []string) error {
	var plain []*datasets.Log
	for _, l := range logs {
		r, ok := p.readingOf(l.Path())
		if _, trained := p.ofFit[l.Path()]; !trained && (!ok || r.Map == nil) {
			plain = append(plain, l)
		}
	}
	if len(plain) == 0 {
		return nil
	}
	for key, channel := range p.Map {
		if channel == "" || p.inherits("map\x00"+key) || slices.ContainsFunc(plain, func(l *datasets.Log) bool { return l.Matches(key, channel) }) {
			continue
		}
		_, _, err := datasets.MapChannels(plain[0], names, p.Map)
		return err
	}
	return nil
}

// CheckReadings returns an error for a reading of a file that is not among paths.
func (p *Settings) CheckReadings(paths ...string) error {
	for _, name := range slices.Sorted(maps.Keys(p.Readings)) {
		used := slices.ContainsFunc(paths, func(path string) bool { return filepath.Base(path) == filepath.Base(name) })
		if !used && p.Given["logs"] == FromOption {
			return wrong("logs", name, "{logs} %s: no log of that name is used", name)
		}
	}
	return nil
}

// openDeclared opens a log under options. Declarations of channels that it lacks are skipped and returned with their
// errors: they may belong to another log.
func openDeclared(opt datasets.Options, open func(datasets.Options) (*datasets.Log, error)) (l *datasets.Log, missing map[string]error, err error) {
	opt.Units, opt.Scale, opt.Zero = maps.Clone(opt.Units), maps.Clone(opt.Scale), maps.Clone(opt.Zero)
	for {
		l, err = open(opt)
		var bad *datasets.DeclarationError
		if !errors.As(err, &bad) || !errors.Is(err, datasets.ErrNoChannel) {
			return l, missing, err
		}
		if missing == nil {
			missing = map[string]error{}
		}
		missing[bad.Option+"\x00"+bad.Key] = err
		before := len(opt.Units) + len(opt.Scale) + len(opt.Zero)
		switch bad.Option {
		case "units":
			delete(opt.Units, bad.Key)
		case "scale":
			delete(opt.Scale, bad.Key)
		case "zero":
			delete(opt.Zero, bad.Key)
		}
		if len(opt.Units)+len(opt.Scale)+len(opt.Zero) == before {
			return l, missing, err
		}
	}
}
