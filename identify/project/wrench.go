package project

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ident/identify/regression"
	"ident/regressor"
	"ident/robot"
)

func wrenchAxes() [6]string { return [6]string{"fx", "fy", "fz", "tx", "ty", "tz"} }

// wrench reads the setting wrench: a link and six channels.
func (s *Settings) wrench() (link string, channels [6]string, err error) {
	for k, axis := range wrenchAxes() {
		channels[k] = "w" + axis
	}
	link, list, with := strings.Cut(s.Wrench, "=")
	if !with {
		return link, channels, nil
	}
	names := ParseList(list)
	if len(names) != len(channels) {
		return "", channels, wrong("wrench", s.Wrench, "{wrench} %s: %d channels; a wrench has six, FX,FY,FZ,TX,TY,TZ", s.Wrench, len(names))
	}
	copy(channels[:], names)
	return link, channels, nil
}

// WrenchChannels returns the body and the channels that the setting wrench names: "" and none if it does not say.
func (s *Settings) WrenchChannels() (body string, channels []string, err error) {
	if !strings.Contains(s.Wrench, "=") {
		return s.Wrench, nil, nil
	}
	body, six, err := s.wrench()
	return body, six[:], err
}

// CompleteTerms returns terms with those of a contact, and those of a wrench whose gains are not estimated: its columns
// are known, with gains of one.
func (s *Settings) CompleteTerms(terms []regressor.Term, r *robot.Robot) ([]regressor.Term, error) {
	terms, err := s.addContact(terms, r)
	if err != nil || s.Wrench == "" {
		return terms, err
	}
	link, _, err := s.wrench()
	if err != nil {
		return nil, err
	}
	term := regressor.Wrench + ":" + regressor.Term(link)
	if slices.Contains(terms, term) {
		return terms, nil
	}
	j := slices.IndexFunc(r.Links, func(l robot.Link) bool { return l.Name == link })
	if j < 0 {
		var names []string
		for _, l := range r.Links {
			names = append(names, l.Name)
		}
		return nil, wrong("wrench", s.Wrench, "{wrench} %s: the robot has no link %q; it has %s", s.Wrench, link, strings.Join(names, ", "))
	}
	if s.Known == nil {
		s.Known = map[string]Known{}
	}
	for _, axis := range wrenchAxes() {
		s.Known[fmt.Sprintf("W%s%d", axis, j+1)] = Known{Value: 1}
	}
	return append(slices.Clone(terms), term), nil
}

// Supply gives the runs of a session the channels and properties that the terms need.
func (s *Settings) Supply(ses *Session, terms []regressor.Term) error {
	has := func(name regressor.Term) bool { return slices.ContainsFunc(terms, termNamed(name)) }
	_, channels, err := s.wrench()
	if err != nil {
		return err
	}
	followed := append(slices.Clone(terms), Choices(s).Offered...)
	states, err := regressor.StatesOf(ses.Robot, followed)
	if err != nil {
		return err
	}
	used := map[string]bool{} // of the entries of weights, with "=" behind, and of carries
	flagged := false
	for i := range ses.Runs {
		run := &ses.Runs[i]
		run.States = states
		if slices.ContainsFunc(followed, termNamed(regressor.ByDegrees)) {
			if run.Temperature = run.Roles.Temperature; slices.Contains(run.Temperature, "") {
				return remedy("map", "", "%s: the term Ft needs a channel of the temperature of every joint; name them temp1 and so on, or {map} temp1=CHANNEL", run.Name)
			}
		}
		for name, w := range s.Weights {
			if namesLog(name, run) {
				run.Weight, used[name+"="] = w, true
			}
		}
		if err := s.load(ses.Robot, run, terms, used); err != nil {
			return err
		}
		flagged = flagged || run.Payload.Channel != ""
		if has(regressor.Gain) {
			if run.GainSigma != nil {
				return wrong("gain-sigma", "", "{gain-sigma}: drive gains are unknowns of the model ({terms}), and their standard deviations are estimated; leave it out")
			}
			run.UnknownGains = !slices.Contains(run.Roles.Current, "")
			run.Gains = nil
		}
		if err := s.supplyContact(run, terms); err != nil {
			return err
		}
		if !has(regressor.Wrench) {
			continue
		}
		for _, ch := range channels {
			if !run.Log.Has(ch) {
				return remedy("wrench", "", "%s: it has no channel %q of the measured wrench; it has %s; {wrench} LINK=FX,FY,FZ,TX,TY,TZ names them", run.Name, ch, strings.Join(run.Log.Names(), ", "))
			}
		}
		run.Wrench = channels
	}
	return s.unused(ses.Runs, used, has(regressor.Payload), flagged)
}

func termNamed(name regressor.Term) func(regressor.Term) bool {
	return func(t regressor.Term) bool { return t.Name() == name }
}

// load sets what the robot carries in a run, and notes the entries of carries that name it.
func (s *Settings) load(r *robot.Robot, run *regression.Run, terms []regressor.Term, used map[string]bool) error {
	numbers := regressor.NumbersOf(terms)
	for _, name := range s.Carries {
		if log, number := carriedBy(name, numbers); namesLog(log, run) {
			if numbers != nil && !slices.Contains(numbers, number) {
				return wrong("carries", name, "{carries} %s: say which of the payloads %v of {terms} the log carries, as %s=%d", name, numbers, log, numbers[0])
			}
			used[name] = true
		}
	}
	if run.State = loaded(s, r, terms, run); run.Payload.Channel != "" && run.Carries != nil {
		return wrong("payload-flag", s.Flag, "%s: {carries} says that the payload is on all the time, and {payload-flag} %s when it is: leave out one", run.Name, s.Flag)
	}
	return nil
}

// unused returns an error for an entry of weights, carries or payload-flag that fits no run, or without a payload in the model.
func (s *Settings) unused(runs []regression.Run, used map[string]bool, payload, flagged bool) error {
	for name, w := range s.Weights {
		if !(w > 0 && w <= math.MaxFloat64) || !used[name+"="] && s.OriginOf("weights") != NotGiven {
			return wrong("weights", name, "{weights} %s=%g: give the name of a log that is used, and a number above zero", name, w)
		}
	}
	for _, name := range s.Carries {
		if !used[name] {
			return wrong("carries", name, "{carries} %s: no log of that name is used", name)
		}
	}
	switch {
	case s.Flag != "" && !payload:
		return wrong("payload-flag", s.Flag, "{payload-flag}: the model has no payload; add payload:LINK to {terms}")
	case s.Flag != "" && !flagged && s.OriginOf("payload-flag") != NotGiven && len(runs) > 0:
		return wrong("payload-flag", s.Flag, "{payload-flag} %s: no log has a channel of that name; %s has %s", s.Flag, runs[0].Name, strings.Join(runs[0].Log.Names(), ", "))
	case len(s.Carries) > 0 && !payload:
		return wrong("carries", "", "{carries}: the model has no payload; add payload:LINK to {terms}")
	}
	return nil
}

// carriedBy splits the setting carries: LOG or, with several payloads, LOG=NUMBER.
func carriedBy(text string, numbers []int) (log string, number int) {
	if at := strings.LastIndexByte(text, '='); numbers != nil && at >= 0 {
		if n, err := strconv.Atoi(text[at+1:]); err == nil {
			return text[:at], n
		}
	}
	return text, 0
}

// UseOf returns the use of logs for a fit of these terms: if gains are unknown, currents suffice.
func UseOf(terms []regressor.Term) Use {
	if slices.Contains(terms, regressor.Gain) {
		return ToCheck
	}
	return ToFit
}
