package loadsection

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ident/mechanics/loads"
	"ident/report"
)

// Sections returns the sections about the loads of one motion.
func Sections(r *loads.Report) []report.Section {
	out := []report.Section{driveSection(r), bearingSection(r)}
	if len(r.Motors)+len(r.Sizing) > 0 {
		out = append(out, motorSection(r))
	}
	if r.Tip != nil {
		out = append(out, beamSection(r))
	}
	return out
}

// Section returns the section about the loads of several motions for the page of a result, with a part for each; false
// if there are none.
func Section(motions []*loads.Report) (report.Section, bool) {
	if len(motions) == 0 {
		return report.Section{}, false
	}
	s := report.Section{Title: "Loads", Gist: Gist(motions[0]), Lines: []string{"Demands of the logs' motion on the machine, by the identified model and the motion as the fit filtered it."}}
	for _, n := range motions[0].Notes {
		if !slices.ContainsFunc(motions, func(r *loads.Report) bool { return !slices.Contains(r.Notes, n) }) {
			s.Lines = append(s.Lines, sentence(n))
		}
	}
	if len(motions) == 1 {
		s.Parts = Sections(motions[0])
		return s, true
	}
	s.Gist = fmt.Sprintf("%d logs; %s: %s", len(motions), motions[0].Motion, s.Gist)
	for _, r := range motions {
		part := report.Section{Title: r.Motion, Gist: Gist(r), Parts: Sections(r)}
		for _, n := range r.Notes {
			if !slices.Contains(s.Lines, sentence(n)) {
				part.Lines = append(part.Lines, sentence(n))
			}
		}
		s.Parts = append(s.Parts, part)
	}
	return s, true
}

// sentence returns a note with a capital and a full stop.
func sentence(note string) string {
	first, size := utf8.DecodeRuneInString(note)
	return string(unicode.ToUpper(first)) + note[size:] + "."
}

// Gist returns the loads in one line: the largest use of a limit, failing motors, energy.
func Gist(r *loads.Report) string {
	var words []string
	used, by, of := 0.0, "", ""
	for _, d := range r.Drives {
		if d.Share != nil && *d.Share > used {
			used, by, of = *d.Share, d.Joint, "torque limit"
		}
	}
	for _, u := range r.Motors {
		if u.Line != nil && *u.Line > used {
			used, by, of = *u.Line, u.Joint, "motor's line"
		}
		if u.Thermal != nil && *u.Thermal > used {
			used, by, of = *u.Thermal, u.Joint, "motor's continuous torque"
		}
	}
	if by != "" {
		words = append(words, fmt.Sprintf("%s uses %.0f %% of its %s", by, 100*used, of))
	}
	for _, u := range r.Motors {
		if !u.OK {
			words = append(words, "the motor of "+u.Joint+" does not follow")
		}
	}
	words = append(words, fmt.Sprintf("%.3g J without regeneration, %.3g J with", r.Energy.Without, r.Energy.Net+0))
	for _, b := range r.Beams {
		if b.Share != nil && *b.Share > 1 {
			words = append(words, fmt.Sprintf("stress of %s is %.0f %% of the allowed", b.Link, 100**b.Share))
		}
	}
	return strings.Join(words, ", ")
}
