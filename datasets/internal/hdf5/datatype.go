package hdf5

import (
	"fmt"
	"slices"
	"strings"
)

// Class is the class of the elements of a dataset.
type Class int

const (
	Other Class = iota // not read; Type.Why says what it is
	Int                // integers, also the numbers of an enumeration
	Float              // IEEE 754 of 2, 4 or 8 bytes
	Bool               // an enumeration of FALSE and TRUE, as h5py writes it
	Text               // texts of Size bytes, or of any length if Variable
)

// Type is the type of an element.
type Type struct {
	Class    Class
	Size     int // bytes
	Big      bool
	Signed   bool
	Variable bool   // texts of any length, which stand in heaps
	Why      string // of class Other: "records", for example
}

// readType reads a datatype message (IV.A.2.d).
func readType(b *block, depth int) (t Type) {
	if depth > 4 {
		b.fail("a type within types")
		return t
	}
	first := b.u8()
	version := first >> 4
	bits := uint32(b.uint(3))
	t.Size = int(b.u32())
	if b.err == nil && (version < 1 || version > 5 || t.Size < 0 || t.Size > mostBlock) {
		b.fail("a type of version %d with %d bytes", version, t.Size)
		return t
	}
	t.Big = bits&1 != 0
	other := func(why string) Type { return Type{Size: t.Size, Why: why} }
	switch class := first & 15; class {
	case 0:
		t.Class, t.Signed = Int, bits&(1<<3) != 0
		offset, precision := b.u16(), int(b.u16())
		if offset != 0 || precision != 8*t.Size || !slices.Contains([]int{1, 2, 4, 8}, t.Size) {
			return other(fmt.Sprintf("integers of %d bits in %d bytes", precision, t.Size))
		}
	case 1:
		t.Class = Float
		offset, precision := b.u16(), int(b.u16())
		exponentAt, exponent, mantissaAt, mantissa := b.u8(), b.u8(), b.u8(), b.u8()
		bias := b.u32()
		want, known := map[int][3]uint32{2: {5, 10, 15}, 4: {8, 23, 127}, 8: {11, 52, 1023}}[t.Size]
		if !known || offset != 0 || precision != 8*t.Size || bits&(1<<6) != 0 || mantissaAt != 0 || uint32(exponentAt) != want[1] ||
			uint32(exponent) != want[0] || uint32(mantissa) != want[1] || bias != want[2] {
			return other(fmt.Sprintf("floating-point numbers of %d bytes that are not those of IEEE 754", t.Size))
		}
	case 2:
		return other("times")
	case 3:
		t.Class = Text
	case 4:
		return other("bit fields")
	case 5:
		return other("opaque bytes")
	case 6:
		return other("records (a compound type)")
	case 7:
		return other("references, of MATLAB's cells for example")
	case 8:
		count := int(bits & 0xffff)
		base := readType(b, depth+1)
		if b.err != nil || base.Class != Int {
			return other("an enumeration without integers")
		}
		base.Size = t.Size
		names := make([]string, 0, min(count, 64))
		for range count {
			from := b.n
			name := terminated(b.b[min(b.n, len(b.b)):])
			b.skip(len(name) + 1)
			if version < 3 { // names are padded to eight bytes
				b.skip((8 - (b.n-from)%8) % 8)
			}
			if b.err != nil {
				return base
			}
			names = append(names, strings.ToUpper(name))
		}
		slices.Sort(names)
		if base.Size == 1 && slices.Equal(names, []string{"FALSE", "TRUE"}) {
			base.Class = Bool
		}
		return base
	case 9:
		if bits&15 == 1 {
			t.Class, t.Variable = Text, true
			return t
		}
		return other("lists of any length")
	case 10:
		return other("arrays as elements")
	default:
		return other(fmt.Sprintf("a type of class %d", class))
	}
	return t
}

// readSpace reads a dataspace message (IV.A.2.b); a scalar has no dimensions, and null says that there are no elements at all.
func readSpace(b *block) (dims []int64, null bool) {
	version, rank, flags := b.u8(), int(b.u8()), b.u8()
	switch version {
	case 1:
		b.skip(5)
	case 2:
		null = b.u8() == 2
	default:
		b.fail("a dataspace of version %d", version)
	}
	if rank > 32 {
		b.fail("%d dimensions", rank)
	}
	if b.err != nil {
		return nil, false
	}
	for range rank {
		dims = append(dims, b.length())
	}
	if flags&1 != 0 {
		for range rank {
			b.length()
		}
	}
	if slices.Contains(dims, undefined) {
		b.fail("a dimension without end")
	}
	return dims, null
}

// count returns the number of elements, with an error if they cannot be counted in bytes of itemSize.
func count(dims []int64, itemSize int64) (int64, error) {
	n := int64(1)
	for _, d := range dims {
		if d > 0 && n > (1<<62)/max(itemSize, 1)/d {
			return 0, fmt.Errorf("%w: an array of %v elements of %d bytes", ErrDamaged, dims, itemSize)
		}
		n *= d
	}
	return n, nil
}
