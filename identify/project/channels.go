package project

import (
	"slices"
	"strings"

	"ident/datasets"
	"ident/identify/regression"
	"ident/internal/hint"
	"ident/internal/rowlist"
	"ident/observation"
	"ident/robot"
)

// mapRun returns the run of log l for the joints named in kept. Texts in said are warnings about the clock, which users must see; notes are
// remarks.
func mapRun(p *Settings, source, r *robot.Robot, l *datasets.Log, names, kept []string, use Use) (run regression.Run, said, notes []string, err error) {
	run = regression.Run{Name: l.Name(), Log: l, First: 0, Last: l.Rows()}
	p = p.forLog(l)
	roles, passive, mapped, err := mapJoints(p, source, l, names)
	if err != nil {
		return run, nil, nil, err
	}
	known := len(l.Notes())
	if run.Log, err = observation.ReadClock(l, roles); err != nil {
		return run, nil, nil, err
	}
	for i, n := range run.Log.Notes() {
		if i < known && (n.Channel != roles.T || !strings.Contains(n.Text, "begin again")) {
			continue // of the reader of the file
		}
		said = append(said, l.Name()+": "+n.String())
	}
	for _, n := range mapped {
		notes = append(notes, l.Name()+": "+n.String())
	}
	pick := map[string]int{}
	for k, name := range names {
		pick[name] = k
	}
	run.Roles.T, run.Passive, run.Redundant = roles.T, passive.q, passive.torque
	var gains, emf []float64 // of torques, and of their fall with the speed
	volts := false
	var at []int
	for i, name := range kept {
		k, ok := pick[name]
		if !ok {
			return run, nil, nil, remedy("joints", "", "%s: joint %q is not among {joints} and not locked", l.Name(), name)
		}
		run.Roles.Q = append(run.Roles.Q, roles.Q[k])
		run.Roles.DQ = append(run.Roles.DQ, roles.DQ[k])
		run.Roles.DDQ = append(run.Roles.DDQ, roles.DDQ[k])
		run.Roles.Tau = append(run.Roles.Tau, roles.Tau[k])
		run.Roles.Current = append(run.Roles.Current, roles.Current[k])
		at = append(at, k)
		warmth, err := datasets.Temperature(l, datasets.PresetChannels(p.Preset, p.Map, l), k+1, name)
		if err != nil {
			return run, nil, nil, err
		}
		run.Roles.Temperature = append(run.Roles.Temperature, warmth)
		own, err := driveOf(l, roles, k, &r.Links[r.Independent()[i]].Joint, len(p.Gains) > 0)
		if err != nil {
			return run, nil, nil, err
		}
		gain := own.gain
		switch {
		case len(p.Gains) == len(names):
			gain = p.Gains[k]
		case len(p.Gains) == len(kept):
			gain = p.Gains[i]
		case len(p.Gains) > 0:
			return run, nil, nil, wrong("gains", "", "{gains} has %s for %s", rowlist.Plural(len(p.Gains), "number"), rowlist.Plural(len(names), "joint"))
		}
		gains = append(gains, gain)
		emf = append(emf, gain*own.emf)
		volts = volts || own.volts
	}
	var ofCurrents bool
	if run.Gains, ofCurrents, err = p.gainsOf(l, &run.Roles, gains, names, kept, use); err != nil {
		return run, nil, nil, err
	}
	if ofCurrents && volts {
		run.BackEMF = emf
	}
	if run.GainSigma, err = p.gainDoubts(at, len(names), run.Gains); err != nil {
		return run, nil, nil, err
	}
	return run, said, notes, CutRows(p, &run)
}

// gainsOf reports whether it is the currents of a run that are used, with given gains or if joints lack a torque, and returns the gains
// by which they become torques; a check does without. names are the log's joints, kept those of the run.
func (p *Settings) gainsOf(l *datasets.Log, roles *datasets.Roles, gains []float64, names, kept []string, use Use) (of []float64, ofCurrents bool, err error) {
	torques, currents := !slices.Contains(roles.Tau, ""), !slices.Contains(roles.Current, "")
	also, found := torqueChannels(l, names)
	switch {
	case currents && (len(p.Gains) > 0 || !torques):
		lacks := slices.Index(gains, 0)
		switch {
		case lacks < 0:
			return gains, true, nil
		case use == ToCheck:
			return nil, true, nil
		case slices.ContainsFunc(roles.Tau, func(name string) bool { return name != "" }):
			// The torques that are there were meant: the first joint that has none is named, if its current has no gain either.
			for i, g := range gains {
				if g == 0 && roles.Tau[i] == "" {
					lacks = i
					break
				}
			}
			return nil, false, remedy("map", "", "%s: some joints have a torque, but joint %q has motor current only, and no drive gain is known; map a channel of torque for it with {map}, or map none and give {gains}"+also, append([]any{l.Name(), kept[lacks]}, found...)...)
		}
		return nil, false, wrong("gains", "", "%s: joint %q has motor current only, and no drive gain is known: "+gainWays+also, append([]any{l.Name(), kept[lacks]}, found...)...)
	case torques && len(p.Gains) > 0:
		return nil, false, wrong("gains", "", "%s: {gains} was given, but the log has no current channels for some joints", l.Name())
	case !torques:
		return nil, false, remedy("map", "", "%s: some joints have a torque and others only a current; map one kind with {map}"+also, append([]any{l.Name()}, found...)...)
	}
	return nil, false, nil
}

// gainWays names the ways to a fit of currents: known gains, and gains as unknowns beside a known load.
const gainWays = "give {gains} (torque per current, by joint), or fit them beside a run with a known payload ({terms}, {carries}, {known})"

// torqueChannels returns the format of a proposal, and its values: channels of a log that may be torques of the joints by their names. A
// log with currents may hold them beside, for example what the controller asked for. The format is "" if there are none.
func torqueChannels(l *datasets.Log, names []string) (format string, args []any) {
	var found []string
	for _, c := range l.Channels() {
		if low := strings.ToLower(c.Name); strings.Contains(low, "tau") || strings.Contains(low, "torque") || strings.Contains(low, "effort") {
			found = append(found, c.Name)
		}
	}
	if len(found) < len(names) {
		return "", nil
	}
	return "; or {map} tau1=%s and so on, if these are torques", []any{hint.Word(found[0])}
}

// mapJoints maps a log's channels to joints. A log of a robot with closed loops may hold all joints or only the driven
// ones. Channel numbers count all joints if that finds every driven one, otherwise the driven joints. passive holds the
// channels of the passive joints.
func mapJoints(p *Settings, r *robot.Robot, l *datasets.Log, names []string) (roles datasets.Roles, passive passiveChannels, notes []datasets.Note, err error) {
	p = p.forLog(l)
	if r.Closed() && len(p.Joints) == 0 {
		all, allNotes, err := datasets.MapChannels(l, r.JointNames(), datasets.PresetChannels(p.Preset, p.Map, l))
		if err == nil {
			if roles, found, ok := driven(r, all, names); ok {
				return roles, found, allNotes, nil
			}
		}
	}
	if roles, notes, err = datasets.MapChannels(l, names, datasets.PresetChannels(p.Preset, p.Map, l)); err == nil {
		takeVoltages(roles)
		err = checkQuantities(p, r, l, names, roles)
	}
	return roles, passiveChannels{}, notes, err
}

// passiveChannels holds the channels of joints that the loops move: positions by joint, and torques of those with a
// drive.
type passiveChannels struct {
	q      map[string]string
	torque []string
}

// driven selects the named joints from the roles of all joints, and the positions of the passive ones. ok is false if a
// named joint has no position or effort.
func driven(r *robot.Robot, all datasets.Roles, names []string) (roles datasets.Roles, passive passiveChannels, ok bool) {
	at := map[string]int{}
	passive.q = map[string]string{}
	for k, i := range r.Moving() {
		j := r.Links[i].Joint
		if at[j.Name] = k; j.Passive && all.Q[k] != "" {
			passive.q[j.Name] = all.Q[k]
		}
		if j.Redundant && all.Tau[k] != "" {
			passive.torque = append(passive.torque, all.Tau[k])
		}
	}
	roles.T = all.T
	for _, name := range names {
		k := at[name]
		if all.Q[k] == "" || all.Tau[k] == "" && all.Current[k] == "" {
			return roles, passive, false
		}
		roles.Q, roles.DQ, roles.DDQ = append(roles.Q, all.Q[k]), append(roles.DQ, all.DQ[k]), append(roles.DDQ, all.DDQ[k])
		roles.Tau, roles.Current = append(roles.Tau, all.Tau[k]), append(roles.Current, all.Current[k])
	}
	return roles, passive, true
}
