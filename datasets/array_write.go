package datasets

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf16"
)

// arrayEncoder writes formats that store each channel in one piece: a spool holds the rows until the last.
// Arrays are uncompressed, so that a reader can begin at any row; measured numbers would gain little.
type arrayEncoder struct {
	w        io.Writer
	kind     string
	channels []Channel
	meta     map[string]string
	spool    *spool
}

func newArrayEncoder(w io.Writer, kind string, channels []Channel, meta map[string]string) (encoder, error) {
	convs := make([]conversion, len(channels))
	for i := range convs {
		convs[i] = conversion{factor: factor{"", 1, 1}}
	}
	return &arrayEncoder{w: w, kind: kind, channels: channels, meta: meta, spool: newSpool(convs, 0, Options{}.room(), "")}, nil
}

func (e *arrayEncoder) append(cols [][]float64) error { return e.spool.append(cols) }

// discard removes the temporary file, complete or not.
func (e *arrayEncoder) discard() error { return e.spool.close() }

func (e *arrayEncoder) close() error {
	src, err := e.spool.finish()
	if err != nil {
		return err
	}
	o := ownArrays{Metadata: e.meta}
	taken := map[string]bool{ownArraysName: true}
	for _, c := range e.channels {
		o.Channels = append(o.Channels, ownChannel{Variable: identifier(c.Name, taken), Name: c.Name, Unit: c.Unit})
	}
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	ascii := escapeJSON(string(text))
	if e.kind == "mat" {
		return e.writeMAT(src, o.Channels, ascii)
	}
	return e.writeNPZ(src, o.Channels, ascii)
}

// writeColumn writes one channel's values in row order.
func (e *arrayEncoder) writeColumn(w io.Writer, src source, column int) error {
	cur, err := src.open([]int{column}, 0)
	if err != nil {
		return err
	}
	buf, bytes := make([]float64, DefaultBatch), make([]byte, 0, 8*DefaultBatch)
	for at := 0; at < e.spool.rows; at += len(buf) {
		buf = buf[:min(len(buf), e.spool.rows-at)]
		if err := cur.read([][]float64{buf}); err != nil {
			return err
		}
		bytes = bytes[:0]
		for _, v := range buf {
			bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(v))
		}
		if _, err := w.Write(bytes); err != nil {
			return err
		}
	}
	return cur.close()
}

// identifier derives from a channel's name a variable name of MATLAB and Python that is not taken yet:
// letters, digits and underscores, a letter first, at most 63 of them.
func identifier(name string, taken map[string]bool) string {
	const most = 63
	clean := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if clean == "" || clean[0] == '_' || clean[0] <= '9' {
		clean = "x" + clean
	}
	clean = clean[:min(len(clean), most)]
	id := clean
	for n := 2; taken[id]; n++ {
		tail := fmt.Sprintf("_%d", n)
		id = clean[:min(len(clean), most-len(tail))] + tail
	}
	taken[id] = true
	return id
}

// escapeJSON replaces characters beyond ASCII by \u escapes, safe in the text encodings of both formats.
func escapeJSON(text string) string {
	if !slices.ContainsFunc([]byte(text), func(b byte) bool { return b >= 0x7f }) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if r < 0x7f {
			b.WriteRune(r)
			continue
		}
		for _, u := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, u)
		}
	}
	return b.String()
}
