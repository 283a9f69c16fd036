package arrow

import (
	"encoding/binary"
	"testing"
)

// Numbers of 8 bytes lie at multiples of 8, which Arrow's C++ library demands of a flatbuffer.
func TestAligned(t *testing.T) {
	const mark = 0x0706050403020100
	for n := range 9 {
		b := flatbuffer(func(w *flatWriter) int {
			return w.table(object(text(string(make([]byte, n)))), scalar(1, 1), scalar(8, mark), object(structs(2, []int64{mark, mark})))
		})
		found := 0
		for at := 0; at < len(b); at += 8 {
			if binary.LittleEndian.Uint64(b[at:]) == mark {
				found++
			}
		}
		if found != 3 {
			t.Errorf("behind %d bytes of text %d of 3 numbers are aligned", n, found)
		}
	}
}
