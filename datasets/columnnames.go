package datasets

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// columnNames returns the names of columns with their ranges counted: q1..q3 is q1, q2, q3.
func columnNames(list []string) ([]string, error) {
	var out []string
	for _, entry := range list {
		entry = strings.TrimSpace(entry)
		first, last, isRange := strings.Cut(entry, "..")
		if !isRange {
			out = append(out, entry)
			continue
		}
		stem := strings.TrimRight(first, "0123456789")
		a, errA := strconv.Atoi(first[len(stem):])
		b, errB := strconv.Atoi(strings.TrimPrefix(last, stem))
		if errA != nil || errB != nil || b < a || b-a >= maxChannels {
			return nil, fmt.Errorf("%q is not a range of columns such as q1..q7", entry)
		}
		for k := a; k <= b; k++ {
			out = append(out, stem+strconv.Itoa(k))
		}
	}
	return out, checkChannels(len(out))
}

// named returns the names of n columns of a text table as the options give them; skipped columns have none.
func (c *csvReader) named(list []string, n int) ([]string, error) {
	names, err := columnNames(list)
	if err == nil && len(names) != n {
		err = fmt.Errorf("%d names for %d columns", len(names), n)
	}
	if err != nil {
		return nil, c.fail(0, "", fmt.Errorf("%w: %w", ErrNoHeader, err))
	}
	for i, name := range names {
		if name == "_" {
			names[i] = ""
		}
	}
	return names, nil
}

// leaveOut takes from a table's own names those that a list has as "_", if the list repeats the others. A list for tables without
// names changes nothing in one that has them.
func leaveOut(own, list []string) {
	names, err := columnNames(list)
	if err != nil || len(names) != len(own) {
		return
	}
	for i, name := range names {
		if bare, _ := splitUnit(own[i]); name != "_" && name != own[i] && name != bare {
			return
		}
	}
	for i, name := range names {
		if name == "_" {
			own[i] = ""
		}
	}
}

// twoPartClock returns a log with the clock t of two channels that hold the seconds and the nanoseconds of a stamp, as header.stamp.sec and
// header.stamp.nanosec of ROS, if no other channel is the clock. It counts from the first row.
func twoPartClock(l *Log) (*Log, error) {
	old, err := clock(l, nil)
	if l.Has("t") || err != nil && !errors.Is(err, ErrNoClock) {
		return l, nil
	}
	var whole, part string
	for _, ch := range l.Names() {
		stem, ok := cutWord(ch, "nanosec", "nanosecs", "nanoseconds", "nanos", "nsec", "nsecs")
		if !ok {
			continue
		}
		for _, other := range l.Names() {
			if s, ok := cutWord(other, "sec", "secs", "seconds"); ok && s == stem {
				if err == nil && other != old && ch != old || whole != "" {
					return l, nil // another clock, or several of them
				}
				whole, part = other, ch
			}
		}
	}
	if whole == "" {
		return l, nil
	}
	cols, err := l.Columns(whole, part)
	if err != nil {
		return l, err
	}
	t := make([]float64, l.Rows())
	for k := range t {
		t[k] = cols[0][k] - cols[0][0] + (cols[1][k]-cols[1][0])*1e-9
	}
	out := l.WithColumn(Channel{Name: "t", Unit: "s"}, t)
	out.notes = append(out.notes, Note{Channel: "t", Text: fmt.Sprintf("is %s with the nanoseconds of %s, from the first row", whole, part)})
	return out, nil
}

// cutWord removes one of the words at the end of a name in lower case; what is left ends with a separator, or is nothing.
func cutWord(name string, words ...string) (rest string, ok bool) {
	name = strings.ToLower(name)
	for _, w := range words {
		if rest, ok = strings.CutSuffix(name, w); ok && (rest == "" || strings.IndexByte("._/- ", rest[len(rest)-1]) >= 0) {
			return rest, true
		}
	}
	return "", false
}

// clocked returns a log with the clock of evenly spaced rows, if the options give their rate and the log has no clock.
func clocked(l *Log, opt Options) (*Log, error) {
	l, err := twoPartClock(l)
	if err != nil {
		l.Close()
		return nil, err
	}
	if opt.Rate == 0 {
		return l, nil
	}
	if !(opt.Rate > 0) || math.IsInf(opt.Rate, 0) {
		l.Close()
		return nil, &FileError{Path: l.label(), Err: fmt.Errorf("%w: a rate of %v Hz", ErrNoClock, opt.Rate)}
	}
	if old, err := clock(l, nil); err == nil {
		l.notes = append(l.notes, Note{Channel: old, Text: fmt.Sprintf("is the clock of the log; its rate of %v Hz, as given, is not used", opt.Rate)})
		return l, nil
	}
	if l.Has("t") {
		return l, nil // several channels look like the clock: the mapping of channels says so
	}
	return l.withColumn(Channel{Name: "t"}, func(dst []float64, first int) {
		for k := range dst {
			dst[k] = float64(first+k) / opt.Rate
		}
	}), nil
}
