package datasets

import (
	"encoding/binary"
	"fmt"
	"math"
)

// jointState is a message of type sensor_msgs/JointState, as views of its bytes:
//
//	std_msgs/Header header (ROS 1: uint32 seq; stamp: seconds and nanoseconds; string frame_id)
//	string[] name; float64[] position; float64[] velocity; float64[] effort
//
// Each list but the names may be empty. The bytes are ROS 1's own serialization, little-endian without
// gaps (wiki.ros.org/msg), or the Common Data Representation of ROS 2 (OMG DDS-XTypes 1.3, 7.4): four bytes
// with the byte order, then values aligned to their size, counted from behind these four, to at most four
// bytes in its second version; the length of a string includes its final zero.
type jointState struct {
	stamp  int64 // nanoseconds
	names  [][]byte
	values [4][]byte // position, velocity, effort, commanded position
	number numberType
	leaves leaves
}

// jointFields returns the prefixes of the channels of the lists.
func jointFields() [4]string { return [4]string{"q", "dq", "tau", "q_ref"} }

// commandField is the list of commanded positions, which messages of controllers have.
const commandField = 3

// wire reads one message.
type wire struct {
	b     []byte
	at    int // counted from the beginning of the message
	start int // origin of the alignment
	align int // largest alignment: 8, 4 or 1
	order binary.ByteOrder
	cdr   bool
	short bool // the message ended too early
}

func (w *wire) pad(size int) {
	if a := min(size, w.align); a > 1 {
		if r := (w.at - w.start) % a; r != 0 {
			w.at += a - r
		}
	}
}

// take returns the next n bytes.
func (w *wire) take(n int) []byte {
	if w.short || n < 0 || w.at > len(w.b) || n > len(w.b)-w.at {
		w.short = true
		return nil
	}
	b := w.b[w.at : w.at+n]
	w.at += n
	return b
}

func (w *wire) u32() uint32 {
	w.pad(4)
	if b := w.take(4); b != nil {
		return w.order.Uint32(b)
	}
	return 0
}

func (w *wire) text() []byte {
	b := w.take(int(w.u32()))
	if w.cdr && len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	return b
}

func (w *wire) floats() []byte {
	n := int(w.u32())
	if n == 0 {
		return nil // at the end: no alignment is needed
	}
	w.pad(8)
	if w.short || w.at > len(w.b) || n > (len(w.b)-w.at)/8 {
		w.short = true
		return nil
	}
	return w.take(8 * n)
}

// newWire begins to read a message.
func newWire(b []byte, cdr bool) (wire, error) {
	w := wire{b: b, align: 1, order: binary.LittleEndian, cdr: cdr}
	if !cdr {
		return w, nil
	}
	if len(b) < 4 {
		return w, fmt.Errorf("%w: a message of %d bytes", ErrTruncated, len(b))
	}
	w.at, w.start, w.align = 4, 4, 8
	switch kind := binary.BigEndian.Uint16(b); kind {
	case 0, 1: // plain CDR
	case 6, 7: // its second version
		w.align = 4
	default:
		return w, fmt.Errorf("%w: a serialization of kind %#04x; plain CDR is expected", ErrDamaged, kind)
	}
	if b[1]&1 == 0 {
		w.order = binary.BigEndian
	}
	return w, nil
}

// decode reads a message, of joint states or of a controller's. Its slices stay valid as long as b.
func (j *jointState) decode(b []byte, cdr, controller bool) error {
	w, err := newWire(b, cdr)
	if err != nil {
		return err
	}
	if !cdr {
		w.u32() // sequence number
	}
	sec, nsec := w.u32(), w.u32()
	j.stamp = int64(int32(sec))*1e9 + int64(nsec)
	if !cdr {
		j.stamp = int64(sec)*1e9 + int64(nsec)
	}
	w.text() // frame
	n := int(w.u32())
	if w.short || n > (len(b)-w.at)/4 {
		return fmt.Errorf("%w: %d names in a message of %d bytes", ErrDamaged, n, len(b))
	}
	j.names = j.names[:0]
	for range n {
		j.names = append(j.names, w.text())
	}
	j.values[commandField] = nil
	if controller {
		if err := j.controllerState(&w); err != nil {
			return err
		}
	}
	for i := range commandField {
		if !controller {
			j.values[i] = w.floats()
		}
	}
	if w.short {
		return fmt.Errorf("%w: a message of %d bytes is shorter than its lists", ErrDamaged, len(b))
	}
	j.number = numberType{kind: 'f', size: 8, big: w.order == binary.BigEndian}
	return nil
}

// joints returns the number of joints, checked to be that of every list present.
func (j *jointState) joints() (int, error) {
	n := len(j.names)
	for i, v := range j.values {
		switch k := len(v) / 8; {
		case k == 0:
		case n == 0:
			n = k // nameless
		case k != n:
			return 0, fmt.Errorf("%w: %d names and %d values of %s", ErrDamaged, n, k, []string{"position", "velocity", "effort", "commanded position"}[i])
		}
	}
	return n, nil
}

// encodeCDR appends a message with the given stamp as little-endian CDR; row holds the three lists'
// values, nil where a list is empty.
func encodeCDR(b []byte, stamp int64, names []string, row [3][]float64) []byte {
	le := binary.LittleEndian
	from := len(b)
	pad := func(size int) {
		for (len(b)-from-4)%size != 0 {
			b = append(b, 0)
		}
	}
	text := func(s string) {
		pad(4)
		b = append(append(le.AppendUint32(b, uint32(len(s)+1)), s...), 0)
	}
	b = append(b, 0, 1, 0, 0)
	sec, nsec := floorDiv(stamp, 1e9)
	b = le.AppendUint32(le.AppendUint32(b, uint32(int32(sec))), uint32(nsec))
	text("")
	pad(4)
	b = le.AppendUint32(b, uint32(len(names)))
	for _, n := range names {
		text(n)
	}
	for _, list := range row {
		pad(4)
		b = le.AppendUint32(b, uint32(len(list)))
		if len(list) > 0 {
			pad(8)
		}
		for _, v := range list {
			b = le.AppendUint64(b, math.Float64bits(v))
		}
	}
	return b
}

// floorDiv divides with a remainder that is never negative.
func floorDiv(a, b int64) (q, r int64) {
	if q, r = a/b, a%b; r < 0 {
		return q - 1, r + b
	}
	return q, r
}
