package datasets

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"time"
)

// stampSeries of a text holds times of day, with or without a date, which count from the first of them.
type stampSeries struct {
	is           bool
	origin, last int64 // nanoseconds
	turned       int64 // what times of day without a date have begun again, nanoseconds
}

// Nanoseconds of a day, of a clock of twelve hours, and the longest step over its end: no log of motion has a gap of an hour.
const (
	day, halfDay = 86400 * int64(time.Second), 43200 * int64(time.Second)
	longestTurn  = 3600 * int64(time.Second)
)

// unturned returns a time behind those before it, if it is one of day without a date and its clock began again at midnight, or at one o'clock
// as clocks of twelve hours do.
func (s *stampSeries) unturned(ns int64) int64 {
	if ns < 0 || ns >= day || !s.is {
		return ns
	}
	ns += s.turned
	for _, turn := range []int64{halfDay, day} {
		if step := ns + turn - s.last; step >= 0 && step < longestTurn {
			s.turned += turn
			return ns + turn
		}
	}
	return ns
}

// seconds returns the time of a cell behind the first one of its column. first says that it is this one.
func (s *stampSeries) seconds(cell []byte) (v float64, first, ok bool) {
	ns, ok := timeStamp(cell)
	if !ok {
		return math.NaN(), false, s.is && len(bare(cell)) == 0
	}
	if first = !s.is; first {
		s.is, s.origin = true, ns
	}
	ns = s.unturned(ns)
	s.last = ns
	return float64(ns-s.origin) / 1e9, first, true
}

// note says of a channel whose times of day have begun again how they were read; the last result is false of any other.
func (s *stampSeries) note(channel string) (Note, bool) {
	return Note{Channel: channel, Text: "holds times of day, which begin again: read as if they had gone on"}, s.turned > 0
}

// start returns the first time of the column.
func (s *stampSeries) start() string { return time.Unix(0, s.origin).UTC().Format(time.RFC3339Nano) }

// Origin returns the time at which a channel that is the log's clock reads zero, in seconds since 1970-01-01 UTC, where the stamps of the
// file tell it: those of a table that hold a date, and those of a recording, whose times count from the first one. Times of day without
// a date tell none.
func (l *Log) Origin(channel string) (seconds float64, ok bool) {
	if t, err := time.Parse(time.RFC3339Nano, l.meta[channel+".start"]); err == nil {
		seconds = float64(t.Unix()) + float64(t.Nanosecond())/1e9
		return seconds, Dated(seconds)
	}
	if channel == "t" {
		seconds, _ = strconv.ParseFloat(l.meta["ros.start"], 64)
	}
	return seconds, Dated(seconds)
}

// Dated reports whether a time in seconds is one since 1970-01-01, of a clock with a date: it lies behind a day in 2001. No log that counts
// from its own start is thirty years long.
func Dated(seconds float64) bool { return seconds > calendar && seconds < 100*calendar }

// calendar is the least time that counts as one with a date, s.
const calendar = 1e9

// stampedIndex reports whether field i, which has no name, is the clock: its first cell is a time stamp, no name is a clock's, and
// the options name no columns. pandas writes the index of a table so.
func (c *csvReader) stampedIndex(h csvHead, i int) bool {
	if len(c.names) > 0 || slices.ContainsFunc(h.headers, func(name string) bool { name, _ = splitUnit(name); return isTime(name) }) {
		return false
	}
	cells := splitFields(string(c.peek()), h.delimiter)
	if len(cells) <= i {
		return false
	}
	_, ok := timeStamp([]byte(cells[i]))
	return ok
}

// mostSeconds keeps times within 64 bits of nanoseconds, with room for a zone: 292 years about 1970.
const mostSeconds = math.MaxInt64/1_000_000_000 - 1_000_000

// timeStamp reads a time of day, hours to seconds, in nanoseconds: behind a date as ISO 8601 writes it or a spreadsheet
// (28.11.2026, 11/28/2026), before a zone (Z, UTC, +01:00); or alone, or behind a number of days, as pandas writes durations.
func timeStamp(cell []byte) (ns int64, ok bool) {
	cell = bare(cell)
	if ns, ok := duration(cell); ok {
		return ns, true
	}
	if len(cell) < 8 || len(cell) > 48 || bytes.IndexByte(cell, ':') < 0 {
		return 0, false
	}
	rest := cell
	days, dated := int64(0), false
	if rest, days, dated = date(rest); !dated {
		rest, days = daysBefore(cell)
	}
	hour, rest, ok1 := upTo(rest, 2)
	minute, rest, ok2 := upTo(after(rest, ':'), 2)
	second, rest, ok3 := upTo(after(rest, ':'), 2)
	if !ok1 || !ok2 || !ok3 || hour > 24 || minute > 59 || second > 60 {
		return 0, false
	}
	ns = ((days*24+hour)*60+minute)*60 + second
	if ns > mostSeconds || ns < -mostSeconds {
		return 0, false
	}
	ns *= 1e9
	if len(rest) > 1 && (rest[0] == '.' || rest[0] == ',') {
		rest = rest[1:]
		n := 0
		for unit := int64(1e8); n < len(rest) && rest[n]-'0' < 10; n++ {
			ns += unit * int64(rest[n]-'0')
			unit /= 10
		}
		if n == 0 {
			return 0, false
		}
		rest = rest[n:]
	}
	rest = bytes.TrimLeft(rest, " ")
	if len(rest) >= 2 && rest[1]|0x20 == 'm' && (rest[0]|0x20 == 'a' || rest[0]|0x20 == 'p') {
		if hour < 1 || hour > 12 {
			return 0, false
		}
		if ns -= hour / 12 * 12 * 3600e9; rest[0]|0x20 == 'p' {
			ns += 12 * 3600e9
		}
		rest = bytes.TrimLeft(rest[2:], " ")
	}
	offset, ok := zone(rest)
	return ns - offset, ok
}

// duration reads a number with its unit behind a blank, as MATLAB writes durations: 0.25 sec.
func duration(cell []byte) (ns int64, ok bool) {
	i := bytes.IndexByte(cell, ' ')
	if i < 1 || len(cell) > 32 || cell[len(cell)-1]-'0' < 10 {
		return 0, false
	}
	units := map[string]float64{"s": 1e9, "sec": 1e9, "ms": 1e6, "msec": 1e6, "us": 1e3, "min": 60e9, "hr": 3600e9}
	unit, known := units[string(cell[i+1:])]
	v, err := strconv.ParseFloat(string(cell[:i]), 64)
	if !known || err != nil || !(math.Abs(v*unit) < mostSeconds*1e9) {
		return 0, false
	}
	return int64(math.Round(v * unit)), true
}

// zone reads what stands behind the time: nothing, Z, UTC, or hours and minutes east of Greenwich.
func zone(b []byte) (ns int64, ok bool) {
	switch string(bytes.ToUpper(b)) {
	case "", "Z", "UTC", "GMT":
		return 0, true
	}
	sign := int64(1)
	switch b[0] {
	case '+':
	case '-':
		sign = -1
	default:
		return 0, false
	}
	hours, rest, ok := upTo(b[1:], 2)
	if !ok || hours > 14 {
		return 0, false
	}
	minutes := int64(0)
	if len(rest) > 0 {
		if minutes, rest, ok = upTo(after(rest, ':'), 2); rest == nil { // without the colon
			minutes, rest, ok = upTo(b[3:], 2)
		}
	}
	return sign * (hours*60 + minutes) * 60e9, ok && len(rest) == 0
}

// upTo reads a number of one to most digits at the beginning of b.
func upTo(b []byte, most int) (v int64, rest []byte, ok bool) {
	n := 0
	for n < len(b) && n < most && b[n]-'0' < 10 {
		v = v*10 + int64(b[n]-'0')
		n++
	}
	return v, b[n:], n > 0
}

// after returns what stands behind a character at the beginning, nil if it is another one.
func after(b []byte, c byte) []byte {
	if len(b) == 0 || b[0] != c {
		return nil
	}
	return b[1:]
}

// date reads a date and the sign between it and the time, in days since 1970.
func date(b []byte) (rest []byte, days int64, ok bool) {
	first, rest, ok := upTo(b, 4)
	yearFirst := len(b)-len(rest) == 4
	if !ok || len(rest) == 0 || bytes.IndexByte([]byte("-/."), rest[0]) < 0 {
		return b, 0, false
	}
	sign := rest[0]
	second, rest, ok1 := upTo(after(rest, sign), 2)
	third, rest, ok2 := upTo(after(rest, sign), 4)
	if !ok1 || !ok2 || len(rest) < 2 || bytes.IndexByte([]byte("Tt _"), rest[0]) < 0 {
		return b, 0, false
	}
	year, month, day := first, second, third
	switch {
	case yearFirst:
	case sign == '/' && second > 12 || sign == '/' && first <= 12: // as in the USA
		year, month, day = third, first, second
	default:
		year, month, day = third, second, first
	}
	if year < 1678 || year > 2261 || month < 1 || month > 12 || day < 1 || day > 31 {
		return b, 0, false
	}
	return bytes.TrimLeft(rest[1:], " "), time.Date(int(year), time.Month(month), int(day), 0, 0, 0, 0, time.UTC).Unix() / 86400, true
}

// daysBefore reads a number of days before a time.
func daysBefore(b []byte) (rest []byte, days int64) {
	text, rest, found := bytes.Cut(b, []byte(" days "))
	if !found {
		if text, rest, found = bytes.Cut(b, []byte(" day, ")); !found {
			return b, 0
		}
	}
	sign := int64(1)
	if len(text) > 0 && text[0] == '-' {
		sign, text = -1, text[1:]
	}
	days, left, ok := upTo(text, 5)
	if !ok || len(left) > 0 {
		return b, 0
	}
	return bytes.TrimLeft(rest, "+"), sign * days
}
