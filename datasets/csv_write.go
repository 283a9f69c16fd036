package datasets

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"ident/internal/spreadsheet"
)

// csvEncoder writes text: the header in the first line, and every number with the fewest digits that determine its bits. Metadata
// stand in a file beside it, see [Write].
type csvEncoder struct {
	w         io.Writer
	z         io.Closer // the compressor, nil without one
	delimiter byte
	order     []int
	line      []byte
}

func newCSVEncoder(w io.Writer, f format, channels []Channel, _ map[string]string) (encoder, error) {
	e := &csvEncoder{w: w, delimiter: f.delimiter}
	switch f.compression {
	case "gzip":
		// No name and no time in the gzip header: equal logs give equal files.
		z := gzip.NewWriter(w)
		e.w, e.z = z, z
	case "zstd":
		// One goroutine: the output of more is the same, and not worth their memory.
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		e.w, e.z = z, z
	}
	names := make([]string, len(channels))
	for i, c := range channels {
		names[i] = c.Name
	}
	if len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return !allNumbers(n, f.delimiter) }) {
		return nil, fmt.Errorf("%w: a text file cannot hold channels whose names are all numbers (%s)", ErrFormat, listNames(names))
	}
	for i := range channels {
		e.order = append(e.order, i)
	}
	if t := slices.IndexFunc(channels, func(c Channel) bool { return isTime(c.Name) }); t > 0 {
		e.order = slices.Insert(slices.Delete(e.order, t, t+1), 0, t)
	}
	for k, i := range e.order {
		if k > 0 {
			e.line = append(e.line, e.delimiter)
		}
		e.line = append(e.line, quoteHeader(headerOf(channels[i].Name), e.delimiter)...)
		switch channels[i].Unit {
		case "V", "mV":
			e.line = append(e.line, " [V]"...)
		case "A", "mA":
			e.line = append(e.line, " [A]"...)
		default:
			if unit := unitOfName(channels[i].Name); unit != "" && unit != "s" {
				e.line = append(e.line, " [s]"...)
			}
		}
	}
	e.line = append(e.line, '\n')
	return e, nil
}

// quoteHeader writes a channel's name in a form that reads back to it. Units are left out: all numbers are
// SI, the meaning of a name without a unit; but of voltages and currents, which drives log as parts of a supply or a rating as well, and of
// clocks that are named with another unit, as time_us.
func quoteHeader(name string, delimiter byte) string {
	text := spreadsheet.Text(name)
	if text != name || strings.ContainsAny(name, ",;\t\"#") || strings.ContainsRune(name, rune(delimiter)) {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return name
}

func (e *csvEncoder) append(cols [][]float64) error {
	for r := range cols[0] {
		for k, i := range e.order {
			if k > 0 {
				e.line = append(e.line, e.delimiter)
			}
			e.line = appendNumber(e.line, cols[i][r])
		}
		e.line = append(e.line, '\n')
		if len(e.line) > 1<<16 {
			if err := e.flush(); err != nil {
				return err
			}
		}
	}
	return e.flush()
}

func appendNumber(b []byte, v float64) []byte {
	if a := math.Abs(v); a >= 1e-4 && a < 1e15 {
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

func (e *csvEncoder) flush() error {
	_, err := e.w.Write(e.line)
	e.line = e.line[:0]
	return err
}

func (e *csvEncoder) close() error {
	err := e.flush()
	if e.z != nil {
		err = errors.Join(err, e.z.Close())
	}
	return err
}
