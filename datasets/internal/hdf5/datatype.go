package hdf5

import (
	"fmt"
	"slices"
	"strings"
)

// Class is the class of the elements of a dataset.
type Class int

const (
	Other  Class = iota // not read; Type.Why says what it is
	Int                 // integers, also the numbers of an enumeration
	Float               // IEEE 754 of 2, 4 or 8 bytes
	Bool                // an enumeration of FALSE and TRUE, as h5py writes it
	Text                // texts of Size bytes, or of any length if Variable
	Record              // Members one after another
)

// Type is the type of an element.
type Type struct {
	Class    Class
	Size     int // bytes
	Big      bool
	Signed   bool
	Variable bool     // texts of any length, which stand in heaps
	Members  []Member // of class Record
	Why      string   // of class Other: "opaque bytes", for example
}

// Member is a number of a record.
type Member struct {
	Name   string
	Offset int // bytes
	Type   Type
}

// mostMembers is the number of numbers of a record beyond which it is not read.
const mostMembers = 4096

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
		return readRecord(b, t, version, int(bits&0xffff), depth)
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
			name := readName(b, version)
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

// readName reads the name of a member or of a number.
func readName(b *block, version byte) string {
	from := b.n
	name := terminated(b.b[min(b.n, len(b.b)):])
	b.skip(len(name) + 1)
	if version < 3 { // names are padded to eight bytes
		b.skip((8 - (b.n-from)%8) % 8)
	}
	return name
}

// readRecord reads the members of a record of a number of them. Members that are arrays of numbers are numbered from 1.
func readRecord(b *block, t Type, version byte, members, depth int) Type {
	t.Class, t.Big = Record, false
	for range members {
		name := readName(b, version)
		bytes := 4
		if version >= 3 {
			for bytes = 1; bytes < 4 && t.Size>>(8*bytes) > 0; {
				bytes++
			}
		}
		offset := int(b.uint(bytes))
		elements, dimensions := 1, 0
		if version == 1 {
			dimensions = int(b.u8())
			b.skip(3 + 4 + 4)
			for k := range 4 {
				if d := int(b.u32()); k < dimensions {
					elements *= min(d, mostMembers+1)
				}
			}
		}
		class := b.b[min(b.n, len(b.b)):]
		if len(class) > 0 && class[0]&15 == 10 { // an array of numbers
			of := class[0] >> 4
			b.skip(8)
			dimensions = int(b.u8())
			if of < 3 {
				b.skip(3)
			}
			for range dimensions {
				elements *= min(int(b.u32()), mostMembers+1)
				if of < 3 {
					b.skip(4)
				}
			}
		}
		if elements > mostMembers || dimensions > 32 {
			b.fail("a record of more than %d numbers", mostMembers)
		}
		of := readType(b, depth+1)
		switch {
		case b.err != nil:
			return t
		case of.Class == Other || of.Class == Record || of.Variable:
			what := of.Why
			if what == "" {
				what = "records or texts of any length"
			}
			return Type{Size: t.Size, Why: "records with " + what}
		case offset < 0 || offset+elements*of.Size > t.Size:
			b.fail("member %q at byte %d of a record of %d", name, offset, t.Size)
			return t
		case of.Class == Text:
			continue
		}
		for k := range elements {
			m := Member{name, offset + k*of.Size, of}
			if dimensions > 0 {
				m.Name = fmt.Sprint(name, k+1)
			}
			if t.Members = append(t.Members, m); len(t.Members) > mostMembers {
				b.fail("a record of more than %d numbers", mostMembers)
				return t
			}
		}
	}
	if len(t.Members) == 0 {
		return Type{Size: t.Size, Why: "records without numbers"}
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
