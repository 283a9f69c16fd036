package project

import (
	"maps"
	"slices"

	"ident/datasets"
	"ident/project/preset"
)

// ChannelMap is the setting map over the names of the preset that one of the logs has.
func ChannelMap(p *Settings, logs ...*datasets.Log) map[string]string {
	known, err := preset.Find(p.Preset)
	if err != nil {
		return p.Map
	}
	maps.DeleteFunc(known.Map, func(_, channel string) bool {
		return !slices.ContainsFunc(logs, func(l *datasets.Log) bool { return l.Has(channel) })
	})
	maps.Copy(known.Map, p.Map)
	return known.Map
}

// unitsOf is the setting units over those of the preset.
func unitsOf(p *Settings) map[string]string {
	known, err := preset.Find(p.Preset)
	if err != nil || known.Units == nil {
		return p.Units
	}
	maps.Copy(known.Units, p.Units)
	return known.Units
}

func checkPreset(s *Settings) error {
	if s.Preset == "" {
		return nil
	}
	if _, err := preset.Find(s.Preset); err != nil {
		return wrong("preset", s.Preset, "{preset}: %w", err)
	}
	return nil
}
