package project

import (
	"strconv"
	"strings"

	"ident/identify"
	"ident/observation"
)

// payloadFlag reads the setting payload-flag, CHANNEL or CHANNEL=NUMBER, for a run: a
// channel may have an equals sign in its own name.
func (s *Settings) payloadFlag(run *identify.Run) observation.PayloadFlag {
	if at := strings.LastIndexByte(s.Flag, '='); at >= 0 && !run.Log.Has(s.Flag) {
		if n, err := strconv.Atoi(s.Flag[at+1:]); err == nil && n > 0 {
			return observation.PayloadFlag{Channel: s.Flag[:at], Number: n}
		}
	}
	return observation.PayloadFlag{Channel: s.Flag}
}
