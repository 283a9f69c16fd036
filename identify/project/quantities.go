package project

import (
	"slices"
	"strings"

	"ident/datasets"
	"ident/internal/hint"
	"ident/robot"
)

// quantity is what a channel of a role measures: the SI units that it may be declared in, and names of units to propose.
type quantity struct {
	name string
	si   []string
	such string
}

// Units of the quantities of turning joints and slides. A joint moved by a cylinder has a force, and a drive's current may stand in the place of
// a torque until its gain is known.
var (
	angles     = quantity{"the position of a turning joint", []string{"rad"}, "rad, deg or rev"}
	lengths    = quantity{"the position of a slide", []string{"m"}, "m, mm or cm"}
	turns      = quantity{"the velocity of a turning joint", []string{"rad/s"}, "rad/s, deg/s or rpm"}
	speeds     = quantity{"the velocity of a slide", []string{"m/s"}, "m/s or mm/s"}
	turnsPerS  = quantity{"the acceleration of a turning joint", []string{"rad/s^2"}, "rad/s^2 or deg/s^2"}
	speedsPerS = quantity{"the acceleration of a slide", []string{"m/s^2"}, "m/s^2 or mm/s^2"}
	efforts    = quantity{"a torque or force", []string{"N.m", "N", "A"}, "N.m, N.mm, kgf.cm or N"}
	currents   = quantity{"a current", []string{"A"}, "A or mA"}
	times      = quantity{"the clock", []string{"s"}, "s, ms, us or ns"}
)

// checkQuantities refuses units that the settings declare for channels of another quantity. Counts and numbers without a unit may be anything.
func checkQuantities(p *Settings, r *robot.Robot, l *datasets.Log, names []string, roles datasets.Roles) error {
	declared := map[string]string{}
	for key, unit := range p.Units {
		for _, channel := range l.Like(key) {
			declared[channel.Name] = unit
		}
	}
	if len(declared) == 0 {
		return nil
	}
	slides := map[string]bool{}
	for _, link := range r.Links {
		slides[link.Joint.Name] = link.Joint.Kind == robot.Prismatic
	}
	type one struct {
		channel string
		is      quantity
	}
	asked := []one{{roles.T, times}}
	for j, name := range names {
		of := func(channels []string, turning, sliding quantity) {
			if j < len(channels) && slides[name] {
				asked = append(asked, one{channels[j], sliding})
			} else if j < len(channels) {
				asked = append(asked, one{channels[j], turning})
			}
		}
		of(roles.Q, angles, lengths)
		of(roles.DQ, turns, speeds)
		of(roles.DDQ, turnsPerS, speedsPerS)
		of(roles.Tau, efforts, efforts)
		of(roles.Current, currents, currents)
	}
	for _, x := range asked {
		unit, ok := declared[x.channel]
		if !ok || x.channel == "" {
			continue
		}
		si, _, err := datasets.SI(unit)
		if err == nil && si != "" && !strings.HasPrefix(si, "count") && !slices.Contains(x.is.si, si) {
			return wrong("units", x.channel+"="+unit, "%s: {units} %s=%s: %s is %s, and %s is no unit of that; use %s", l.Name(), hint.Word(x.channel), unit, x.channel, x.is.name, unit, x.is.such)
		}
	}
	return nil
}
