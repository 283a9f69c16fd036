package doctor

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/datasets"
	"ident/internal/hint"
)

// means reports whether a finding says what the numbers of whole channels mean: the unit of positions, velocities or torques, or that of
// the clock.
func (m *mending) means(f *Finding) bool {
	if f.Severity == Info || len(f.Repair.Edits) == 0 || slices.ContainsFunc(f.Repair.Edits, func(e Edit) bool {
		return e.Scale == 0 || e.From != "" || e.Since > 0 || len(e.Rows) > 0 || e.Advance != 0
	}) {
		return false
	}
	return f.ID == Units || f.ID == ClockRate || f.ID == GearRatio && m.onlyRates([]Finding{*f})
}

// mean reports whether all findings of a set do.
func (m *mending) mean(set []Finding) bool {
	return !slices.ContainsFunc(set, func(f Finding) bool { return !m.means(&f) })
}

// meanings returns the findings about what the numbers of the log mean, those of found first, with those that show only once the others are
// mended: a clock in ms hides all else, and positions in degrees hide the unit of velocities. It returns nil if the log that they leave
// asks for further ones again and again.
func (m *mending) meanings(found []Finding) (set []Finding) {
	next := found
	for range mendRounds {
		next = m.chosen(next, set)
		more, first := false, math.MaxInt
		for _, f := range next {
			if m.means(&f) {
				first = min(first, m.before(&f))
			}
		}
		for _, f := range next {
			if m.means(&f) && m.before(&f) == first {
				m.declare(&f)
				if more = true; !m.composed(set, &f) {
					set = append(set, f)
				}
			}
		}
		if !more {
			return set
		}
		cols, lines := Mend(m.names, m.cols, m.clock, set, m.bounds)
		if len(lines) == 0 || len(cols[m.clock]) < fewest {
			return nil
		}
		if next = m.examined(cols); m.fault != nil || m.ctx.Err() != nil {
			return nil
		}
	}
	return nil
}

// chosen returns findings in which positions of several possible units have the one that a free fit of the torques prefers clearly, beside the
// repairs of a set and of the clock; without such a unit the findings have no repair. A log has one unit for all positions of the same choice.
func (m *mending) chosen(found, set []Finding) []Finding {
	found = slices.Clone(found)
	groups, beside := map[string][]int{}, slices.Clone(set)
	var order []string
	for i := range found {
		f := &found[i]
		names := f.possible
		f.possible = nil
		switch repaired := slices.ContainsFunc(set, func(x Finding) bool { return x.Channel == f.Channel }); {
		case f.ID == ClockRate && m.means(f) && !repaired:
			beside = append(beside, *f)
		case len(names) > 1 && f.Severity != Info && len(f.Repair.Edits) == 1 && !repaired:
			key := strings.Join(names, " ")
			if groups[key] == nil {
				order = append(order, key)
			}
			groups[key] = append(groups[key], i)
		}
	}
	for _, key := range order {
		names := strings.Fields(key)
		errors := make([]float64, len(names))
		for k, name := range names {
			with := slices.Clone(beside)
			for _, i := range groups[key] {
				f := found[i]
				f.Repair = unit(f.Channel, name, si(name))
				with = append(with, f)
			}
			cols, _ := Mend(m.names, m.cols, m.clock, with, m.bounds)
			errors[k] = m.leftOut(cols)
		}
		best, next := slices.Index(errors, slices.Min(errors)), math.Inf(1)
		for k, e := range errors {
			if k != best {
				next = min(next, e)
			}
		}
		for _, i := range groups[key] {
			f := &found[i]
			if errors[best] < muchBetter*next && !math.IsInf(next, 1) {
				f.Why = strings.TrimSuffix(f.Why, names[0]) + names[best]
				f.Fix = strings.Replace(f.Fix, names[0], names[best], 1)
				f.Repair = unit(f.Channel, names[best], si(names[best]))
				continue
			}
			f.Why = strings.TrimSuffix(f.Why, names[0]) + strings.Join(names, " or ")
			f.Fix, f.Repair = "", Repair{}
			f.Hint = fmt.Sprintf("{units} %s=UNIT; a known motion of the joint tells which", hint.Word(f.Channel))
		}
	}
	return found
}

// before returns the place of a finding in the order in which the numbers of a log are understood: a clock that no recorder has bends all else,
// and positions beyond their joints the velocities.
func (m *mending) before(f *Finding) int {
	switch {
	case f.ID == ClockRate && len(f.Repair.Settings) > 0:
		return 0
	case f.ID == Units && slices.ContainsFunc(f.Repair.Edits, func(e Edit) bool { return slices.Contains(m.roles.Q, e.Channel) }):
		return 1
	}
	return 2
}

// composed multiplies the factors of a finding into those of a set, if it has all of its channels: what remains of the unit of a channel
// after a first guess.
func (m *mending) composed(set []Finding, f *Finding) bool {
	of := func(channel string) (at *Finding, edit *Edit) {
		for i := range set {
			for k := range set[i].Repair.Edits {
				if e := &set[i].Repair.Edits[k]; e.Channel == channel && e.Offset == 0 {
					return &set[i], e
				}
			}
		}
		return nil, nil
	}
	for _, e := range f.Repair.Edits {
		if at, _ := of(e.Channel); at == nil {
			return false
		}
	}
	for _, e := range f.Repair.Edits {
		at, edit := of(e.Channel)
		edit.Scale *= e.Scale
		s := m.inUnit(edit)
		if i := slices.IndexFunc(at.Repair.Settings, func(x Setting) bool { return x.Name == e.Channel }); i >= 0 {
			at.Repair.Settings[i] = s
		}
		at.Fix = fmt.Sprintf("{units} %s=%s", hint.Word(s.Name), s.Value)
		if s.Key == "scale" {
			at.Fix = fmt.Sprintf("{scale} %s=%s", hint.Word(s.Name), s.Value)
		}
		at.Why = f.Why
		if e.Channel == m.roles.T {
			at.Why = fmt.Sprintf("%s advances by one in %.6g s, by the velocities: it counts rows, or is in another unit", e.Channel, edit.Scale)
		}
	}
	return true
}

// declared returns the factor with which the declared unit of a channel was converted, 1 for none.
func (m *mending) declared(name string) float64 {
	if i := slices.Index(m.names, name); i >= 0 {
		if _, by, err := datasets.SI(m.channels[i].Unit); err == nil && by > 0 {
			return by
		}
	}
	return 1
}

// inUnit returns the setting that does what an edit does: the unit with its factor, which it then has exactly, or the factor.
func (m *mending) inUnit(e *Edit) Setting {
	by := e.Scale * m.declared(e.Channel)
	for _, name := range m.unitNames(e.Channel) {
		if math.Abs(by/si(name)-1) < scaleOff && e.Offset == 0 {
			e.Scale = si(name) / m.declared(e.Channel)
			return Setting{"units", e.Channel, name}
		}
	}
	return Setting{"scale", e.Channel, fmt.Sprintf("%.6g", by)}
}

// declare gives a finding settings for edits that have none.
func (m *mending) declare(f *Finding) {
	f.Repair.Edits, f.Repair.Settings = slices.Clone(f.Repair.Edits), slices.Clone(f.Repair.Settings)
	for i := range f.Repair.Edits {
		e := &f.Repair.Edits[i]
		if slices.ContainsFunc(f.Repair.Settings, func(s Setting) bool { return s.Name == e.Channel }) {
			continue
		}
		f.Repair.Settings = append(f.Repair.Settings, m.inUnit(e))
		if e.Offset != 0 {
			f.Repair.Settings = append(f.Repair.Settings, Setting{"zero", e.Channel, fmt.Sprintf("%.6g", -e.Offset/e.Scale)})
		}
	}
}

// unitNames returns the names of units that a channel of a role may be in, the usual ones first.
func unitNames(as role, revolute bool) []string {
	switch {
	case as == position && revolute:
		return []string{"deg", "rev", "mrad"}
	case as == position:
		return []string{"mm", "cm", "um"}
	case as == velocity && revolute:
		return []string{"deg/s", "rpm", "rev/s", "mrad/s"}
	case as == velocity:
		return []string{"mm/s", "cm/s"}
	case as == torque && revolute:
		return []string{"N.mm", "N.cm", "kgf.cm", "in.lb", "ft.lb", "kgf.m", "oz.in", "kN.m"}
	case as == torque:
		return []string{"mN", "kgf", "lbf", "kN"}
	}
	return nil
}

// clockUnits are the names of units that a clock may be in.
var clockUnits = []string{"ms", "us", "ns", "min", "h", "d"}

// si returns the size of a unit in SI, 1 for "".
func si(unit string) float64 {
	_, by, _ := datasets.SI(unit)
	return by
}

// unitNames returns those of a channel of the log.
func (m *mending) unitNames(channel string) []string {
	if channel == m.roles.T {
		return clockUnits
	}
	s, err := newSetup(m.robot, m.channels, m.roles, m.opt)
	if err != nil {
		return nil
	}
	for _, c := range s.channels {
		if c.name == channel {
			return unitNames(c.role, s.isRevolute(c.joint))
		}
	}
	return nil
}
