package fleet

import (
	"errors"

	"ident/fleet/intake"
)

// DayFate is the outcome of a robot's day whose logs are one run of the fit. Reason is "" if the result contains the day.
type DayFate struct {
	Day             string
	Reason, Message string
}

// settle gives the logs of a robot's days the fate of their day. It holds a number of days, and reads the logs one by one.
func settle(robot string, days func(*DayFate) bool, logs func(*InDay) bool, taken func(Taken), refuse func(intake.Refusal)) {
	of, d := map[string]DayFate{}, DayFate{}
	for days(&d) {
		of[d.Day] = d
	}
	l := InDay{}
	for logs(&l) {
		switch fate, known := of[l.Day]; {
		case !known: // counted as lost
		case fate.Reason == "":
			taken(l.Log)
		default:
			refuse(refusal(robot, l.Log, fate.Reason, errors.New("all logs of its day: "+fate.Message)))
		}
	}
}
