package datasets

import (
	"encoding/binary"
	"fmt"
	"math"
)

// decodeArray reads a message of type std_msgs/Float64MultiArray, or Float32MultiArray if single: a list of numbers without names and
// without a stamp, behind a list of its dimensions.
func (j *jointState) decodeArray(b []byte, cdr, single bool) error {
	w, err := newWire(b, cdr)
	if err != nil {
		return err
	}
	n := int(w.u32())
	if w.short || n > len(b)/12 {
		return fmt.Errorf("%w: %d dimensions in a message of %d bytes", ErrDamaged, n, len(b))
	}
	for range n {
		w.text()
		w.u32()
		w.u32()
	}
	w.u32()
	j.stamp, j.names, j.values = 0, j.names[:0], [4][]byte{}
	j.number = numberType{kind: 'f', size: 8, big: w.order == binary.BigEndian}
	if !single {
		j.values[0] = w.floats()
	} else {
		list := w.take(4 * int(w.u32()&(1<<28-1)))
		j.number.big = false
		for ; len(list) >= 4; list = list[4:] {
			j.values[0] = binary.LittleEndian.AppendUint64(j.values[0], math.Float64bits(float64(math.Float32frombits(w.order.Uint32(list)))))
		}
	}
	if w.short {
		return fmt.Errorf("%w: a message of %d bytes is shorter than its list", ErrDamaged, len(b))
	}
	return nil
}
