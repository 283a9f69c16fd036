package parquet

import "fmt"

// Type is the physical type of a column's values.
type Type int

// The physical types, as the format numbers them.
const (
	Boolean Type = iota
	Int32
	Int64
	Int96
	Float
	Double
	ByteArray
	FixedLenByteArray
)

func (t Type) String() string {
	names := [...]string{"BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"}
	if t >= 0 && int(t) < len(names) {
		return names[t]
	}
	return fmt.Sprintf("type %d", int(t))
}

// numeric reports whether the values are numbers that this package decodes.
func (t Type) numeric() bool {
	return t == Boolean || t == Int32 || t == Int64 || t == Float || t == Double
}

// size is the length of a plain value, in bytes; that of truth values is a bit.
func (t Type) size() int {
	if t == Int32 || t == Float {
		return 4
	}
	return 8
}

// Meaning is the logical type of a column.
type Meaning int

// The logical types that change the reading of numbers; all others are Plain.
const (
	Plain Meaning = iota
	Integer
	Decimal
	Date
	Time
	Timestamp
)

// Logical is the logical type of a column with its parameters.
type Logical struct {
	Meaning  Meaning
	Unit     string // of Time and Timestamp: "ms", "us" or "ns"
	Unsigned bool   // of Integer
	Scale    int    // of Decimal: digits behind the point
}

// Encoding of values in a page, as the format numbers it.
type Encoding int

// The encodings that are read.
const (
	encodingPlain           Encoding = 0
	encodingPlainDictionary Encoding = 2
	encodingRLE             Encoding = 3
	encodingDelta           Encoding = 5
	encodingDictionary      Encoding = 8
	encodingSplit           Encoding = 9
)

// Codec compresses pages, as the format numbers it.
type Codec int

// The codecs that are read.
const (
	uncompressed Codec = 0
	snappyCodec  Codec = 1
	gzipCodec    Codec = 2
	brotliCodec  Codec = 4
	zstdCodec    Codec = 6
	lz4Codec     Codec = 7
)

// Damage is an error of a file that contradicts itself.
type Damage string

func (d Damage) Error() string { return string(d) }

// Unsupported is an error of a file that uses a part of the format which this package does not read.
type Unsupported string

func (u Unsupported) Error() string { return string(u) }

func damage(format string, args ...any) error { return Damage(fmt.Sprintf(format, args...)) }
