package project

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ident/identify/regression"
	"ident/regressor"
	"ident/robot"
)

// ContactForm is the form of the setting contact.
const ContactForm = "LINK=X,Y,Z,NX,NY,NZ[,MX,MY,MZ][,CHANNEL[,CHANNEL]]"

// touching is the setting contact after reading.
type touching struct {
	term     regressor.Term
	link     string
	normals  int
	channels [2]string
	unknown  bool // the channel is a flag, or there is none
}

// touch reads the setting contact: a point of the link, one normal or the two of a line contact, and the channels of the
// force.
func (s *Settings) touch() (touching, error) {
	link, list, with := strings.Cut(s.Contact, "=")
	if !with {
		return touching{}, wrong("contact", s.Contact, "{contact} %s: it is %s", s.Contact, ContactForm)
	}
	fields := ParseList(list)
	var numbers []float64
	for _, f := range fields {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			break
		}
		numbers = append(numbers, v)
	}
	names := fields[len(numbers):]
	t := touching{term: regressor.ContactAt(link, numbers), link: link, normals: len(numbers)/3 - 1, unknown: true}
	if len(numbers) != 6 && len(numbers) != 9 {
		return t, wrong("contact", s.Contact, "{contact} %s: %d numbers stand before the channels. Give 6 (point and normal of a surface) or 9 (point and both normals of a line): %s", s.Contact, len(numbers), ContactForm)
	}
	if len(names) == 0 {
		return t, nil
	}
	if flag, on := strings.CutPrefix(names[0], "on:"); on {
		if len(names) > 1 {
			return t, wrong("contact", s.Contact, "{contact} %s: give one channel after on:, which says for all normals when there is contact", s.Contact)
		}
		t.channels[0] = flag
		return t, nil
	}
	if len(names) != t.normals {
		return t, wrong("contact", s.Contact, "{contact} %s: give one channel of measured force for each normal: %d, not %d. If the force is not measured, give on:CHANNEL, which says when there is contact", s.Contact, t.normals, len(names))
	}
	t.unknown = false
	copy(t.channels[:], names)
	return t, nil
}

// addContact adds the term of a contact. Measured forces are known, with gains of one, unless terms asks for their
// gains.
func (s *Settings) addContact(terms []regressor.Term, r *robot.Robot) ([]regressor.Term, error) {
	if s.Contact == "" {
		if slices.ContainsFunc(terms, func(t regressor.Term) bool { return t.Name() == regressor.Contact }) {
			return nil, wrong("contact", "", "the term contact needs a point and a normal: set {contact} %s", ContactForm)
		}
		return terms, nil
	}
	t, err := s.touch()
	if err != nil {
		return nil, err
	}
	p, err := regressor.PointOf(r, t.term)
	if err != nil {
		return nil, wrong("contact", s.Contact, "{contact} %s: %v", s.Contact, err)
	}
	// The terms may name the contact by its link alone.
	gains := false
	terms = slices.DeleteFunc(slices.Clone(terms), func(o regressor.Term) bool {
		is := o == t.term || o == regressor.Contact+":"+regressor.Term(t.link)
		gains = gains || is
		return is
	})
	if !t.unknown && !gains {
		if s.Known == nil {
			s.Known = map[string]Known{}
		}
		for _, kind := range []string{"Fn", "Fnb"}[:t.normals] {
			s.Known[robot.ParameterName(kind, p.Link)] = Known{Value: 1}
		}
	}
	return append(terms, t.term), nil
}

// supplyContact gives a run the channels of its contact.
func (s *Settings) supplyContact(run *regression.Run, terms []regressor.Term) error {
	if !slices.ContainsFunc(terms, func(t regressor.Term) bool { return t.Name() == regressor.Contact }) {
		return nil
	}
	t, err := s.touch()
	if err != nil {
		return err
	}
	for _, ch := range t.channels {
		if ch != "" && !run.Log.Has(ch) {
			return fmt.Errorf("%s: it has no channel %q of the contact; it has %s; a log without contact has zeros there", run.Name, ch, strings.Join(run.Log.Names(), ", "))
		}
	}
	run.Contact = t.channels
	return nil
}
