package parquet

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// bytesOf is the memory of s.
func bytesOf(s []float64) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), 8*len(s))
}

// toHost makes numbers of s, which holds the file's bytes: nothing on machines with the file's order of bytes.
func toHost(s []float64) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return
	}
	for i, v := range s {
		b := math.Float64bits(v)
		var swapped [8]byte
		binary.NativeEndian.PutUint64(swapped[:], b)
		s[i] = math.Float64frombits(binary.LittleEndian.Uint64(swapped[:]))
	}
}
