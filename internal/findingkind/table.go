// Package findingkind is the table of the kinds of finding about logs: what follows from the id of a finding alone, whatever the log. The
// checks, the grade of a fit, the search for resonances, the studies and the help read it. A new finding is a row here, a constant and a
// function in package doctor, an entry of the help and a row of docs/doctor.md; tests ask for what is forgotten.
package findingkind

import "slices"

// Traits are what is asked of every kind of finding. A row of the table that leaves one out does not compile.
type Traits struct {
	Cause    bool // why a fit is wrong; otherwise a property of the log, or what the log cannot determine
	Symptom  bool // about torques and motion together: another cause may be behind it, which then replaces it
	Attested bool // a symptom that a free fit of the repaired log attests; otherwise names, units or the file's bodies are its evidence
	Alone    bool // about one torque alone: not told if the motion or gravity is wrong, which makes torques look so
	Moves    bool // may be why positions go beyond the limits of the robot file
	Mended   bool // the fit measures or repairs its consequences, so that a warning does not change the grade
	Residual bool // leaves a residual of its own, which can look like a resonance
}

// Kind is a kind of finding.
type Kind struct {
	ID string
	Traits
}

const yes, no = true, false

// Table returns all kinds in the order in which the reasons of a grade are told: causes before their consequences, and last what a fit
// mends by itself.
func Table() []Kind {
	return []Kind{
		// cause, symptom, attested, alone, moves, mended, residual
		{"impossible-scale", Traits{yes, no, no, no, no, no, yes}},
		{"clock-backward", Traits{yes, no, no, no, no, no, yes}},
		{"clock-rate", Traits{yes, yes, yes, no, yes, no, yes}},
		{"time-jump", Traits{yes, yes, yes, no, no, no, yes}},
		{"reversed", Traits{yes, yes, yes, no, no, no, yes}},
		{"recorder-offset", Traits{yes, yes, yes, no, no, no, yes}},
		{"wrapped", Traits{yes, no, no, no, no, no, yes}},
		{"dead", Traits{yes, no, no, no, no, no, yes}},
		{"copied", Traits{no, no, no, no, no, no, yes}},
		{"stuck", Traits{yes, no, no, no, no, no, yes}},
		{"held", Traits{yes, no, no, no, no, no, yes}},
		{"loop-open", Traits{yes, no, no, no, no, no, yes}},
		{"loop-residual", Traits{yes, no, no, no, no, no, yes}},
		{"base-moves", Traits{yes, yes, yes, no, no, no, yes}},
		{"legs-stand", Traits{yes, no, no, no, no, no, yes}},
		{"fell", Traits{yes, no, no, no, no, no, yes}},
		{"foot-radius", Traits{yes, no, no, no, no, no, yes}},
		{"gravity-size", Traits{yes, no, no, no, no, no, yes}},
		{"unexplained", Traits{yes, no, no, no, no, no, yes}},
		{"robot-mismatch", Traits{yes, yes, no, no, yes, no, yes}},
		{"joint-order", Traits{yes, yes, yes, no, yes, no, yes}},
		{"gravity", Traits{yes, yes, yes, no, yes, no, yes}},
		{"geometry", Traits{yes, yes, yes, no, no, no, yes}},
		{"current-as-torque", Traits{yes, yes, no, no, no, no, yes}},
		{"torque-kind", Traits{yes, yes, yes, no, no, no, yes}},
		{"sign", Traits{yes, yes, yes, no, yes, no, yes}},
		{"friction-not-dissipative", Traits{yes, yes, no, yes, no, no, yes}},
		{"payload", Traits{yes, yes, yes, no, no, no, yes}},
		{"contact", Traits{yes, yes, yes, no, no, no, yes}},
		{"units", Traits{yes, yes, no, no, yes, no, yes}},
		{"gear-ratio", Traits{yes, yes, yes, no, no, no, yes}},
		{"offset", Traits{yes, yes, yes, no, yes, no, yes}},
		{"coupling", Traits{yes, yes, yes, yes, no, no, yes}},
		{"lag-torque", Traits{yes, yes, yes, yes, no, no, yes}},
		{"saturated", Traits{yes, no, no, no, no, no, yes}},
		{"asymmetry", Traits{yes, yes, yes, no, no, no, yes}},
		{"smoothed", Traits{yes, yes, yes, no, no, no, yes}},
		{"elastic", Traits{yes, no, no, no, no, no, yes}},
		{"resonance", Traits{yes, no, no, no, no, no, yes}},
		{"backlash", Traits{yes, yes, yes, no, no, no, yes}},
		{"drift", Traits{yes, yes, yes, yes, no, no, yes}},
		{"skipped", Traits{no, no, no, no, no, no, yes}},
		{"friction-law", Traits{no, no, no, no, no, yes, yes}},

		{"clock-gap", Traits{no, no, no, no, no, yes, yes}},
		{"clock-repeat", Traits{yes, no, no, no, no, yes, yes}},
		{"dropout", Traits{no, no, no, no, no, yes, yes}},
		{"spike", Traits{yes, no, no, no, no, yes, yes}},
		{"foot-slips", Traits{yes, no, no, no, no, yes, yes}},
		{"sole-twists", Traits{yes, no, no, no, no, yes, yes}},
		{"imu-mount", Traits{yes, no, no, no, no, yes, no}},
		{"lag-velocity", Traits{no, no, no, no, no, yes, yes}},
		{"clock-jitter", Traits{no, no, no, no, no, yes, no}},
		{"edge-transient", Traits{no, no, no, no, no, yes, no}},
		{"aliasing", Traits{no, no, no, no, no, yes, no}},
		{"quantised", Traits{no, no, no, no, no, yes, no}},
		{"excitation-collinear", Traits{no, no, no, no, no, yes, no}},
		{"excitation-small", Traits{no, no, no, no, no, yes, no}},
	}
}

// Of returns the traits of the kind with an id. An unknown kind has none.
func Of(id string) Traits {
	table := Table()
	i := slices.IndexFunc(table, func(k Kind) bool { return k.ID == id })
	if i < 0 {
		return Traits{}
	}
	return table[i].Traits
}

// IDs returns the ids of the kinds with a trait, in the order of the table.
func IDs(has func(Traits) bool) []string {
	var out []string
	for _, k := range Table() {
		if has(k.Traits) {
			out = append(out, k.ID)
		}
	}
	return out
}

// Contradictory returns the kinds whose traits exclude each other.
func Contradictory() []string {
	return IDs(func(t Traits) bool {
		return t.Attested && !t.Symptom || t.Alone && !t.Symptom || t.Mended && t.Symptom || !t.Residual && !t.Mended
	})
}
