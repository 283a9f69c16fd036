package par

import (
	"fmt"
	"strings"

	"ident/robot"
)

// noteUnknowns says of a link without an inertial which of its parameters are
// known all the same, and which numbers of the file are not used.
func (p *reader) noteUnknowns(l *robot.Link, given string) {
	note := func(text string) {
		p.r.Notes = append(p.r.Notes, robot.Note{Where: fmt.Sprintf("link %q", l.Name), Text: text})
	}
	if l.Massless && l.Joint.Kind != robot.Fixed {
		note("it has no mass: the file gives 0 for all ten of its inertial parameters")
	}
	if given != "" && !l.HasInertial {
		note("its inertial is taken as unknown, though the file gives " + given)
	}
	if zero := l.KnownZero(); len(zero) > 0 {
		note("known to be zero, for the file gives 0: " + strings.Join(zero, ", "))
	}
}
