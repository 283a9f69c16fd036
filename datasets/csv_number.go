package datasets

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
)

// number reads a decimal number at b[i:] and returns its value and the index behind it. It is exact where
// ok: a mantissa below 2⁵³ and a power of ten up to 10²² are both doubles, and one rounding remains
// (Clinger, How to read floating point numbers accurately, 1990). Other numbers are left to slowNumber.
func number(b []byte, i int, point byte) (v float64, next int, ok bool) {
	neg := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		neg = b[i] == '-'
		i++
	}
	var m uint64
	start := i
	for i < len(b) && b[i]-'0' < 10 {
		m = m*10 + uint64(b[i]-'0')
		i++
	}
	digits, exp := i-start, 0
	if i < len(b) && b[i] == point {
		i++
		frac := i
		for i+8 <= len(b) {
			v, ok := eightDigits(binary.LittleEndian.Uint64(b[i:]))
			if !ok {
				break
			}
			m = m*1e8 + v
			i += 8
		}
		for i < len(b) && b[i]-'0' < 10 {
			m = m*10 + uint64(b[i]-'0')
			i++
		}
		exp = frac - i
		digits += i - frac
	}
	// Nineteen digits fit into 64 bits, more would have wrapped around.
	if digits == 0 || digits > 19 || m > 1<<53 {
		return 0, i, false
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		e, j, ok := exponent(b, i+1)
		if !ok {
			return 0, i, false
		}
		exp += e
		i = j
	}
	v = float64(m)
	switch {
	case exp == 0:
	case exp < 0 && exp >= -22:
		v /= pow10(-exp)
	case exp > 0 && exp <= 22:
		v *= pow10(exp)
	default:
		return 0, i, false
	}
	if neg {
		v = -v
	}
	return v, i, true
}

// eightDigits returns the number that eight characters stand for, the first in the lowest byte; false where one is no
// digit.
func eightDigits(v uint64) (uint64, bool) {
	const each, low = 0x0101010101010101, 0x00ff00ff00ff00ff
	v -= '0' * each // the lowest character below a digit borrows, and leaves 208 or more
	if (v|(v+6*each))&(0xf0*each) != 0 {
		return 0, false
	}
	v = (v*10 + v>>8) & low                  // pairs
	v = (v*100 + v>>16) & 0x0000ffff0000ffff // fours
	return (v*10_000 + v>>32) & 0xffffffff, true
}

func exponent(b []byte, i int) (e, next int, ok bool) {
	neg := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		neg = b[i] == '-'
		i++
	}
	start := i
	for i < len(b) && b[i]-'0' < 10 && i-start < 4 {
		e = e*10 + int(b[i]-'0')
		i++
	}
	if neg {
		e = -e
	}
	return e, i, i > start
}

func pow10(n int) float64 {
	return [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}[n]
}

// slowNumber reads a whole cell: a number in blanks and quotes, NaN for an empty cell or a word for a
// missing value, infinities, numbers with thousands apart, those as NumPy's repr and Fortran's D format write them,
// those with the minus sign of typesetting (U+2212), and those that number cannot read exactly.
func slowNumber(cell []byte, point byte) (float64, bool) {
	if cell = scalar(bare(cell)); bytes.Contains(cell, minusSign()) {
		cell = bytes.ReplaceAll(cell, minusSign(), []byte("-"))
	}
	if len(cell) == 0 {
		return math.NaN(), true
	}
	if v, next, ok := number(cell, 0, point); ok && next == len(cell) {
		return v, true
	}
	if c := cell[len(cell)-1]; c-'0' >= 10 && c != '.' && c != point {
		return word(cell)
	}
	if len(cell) > 400 {
		return 0, false
	}
	var buf, apart [400]byte
	if whole, ok := ungrouped(apart[:0], cell, point); ok {
		cell = whole
	}
	n := copy(buf[:], cell)
	for i, c := range buf[:n] {
		switch {
		case c-'0' < 10 || c == '-' || c == '+' || c|0x20 == 'e':
		case c == point:
			buf[i] = '.'
		case c|0x20 == 'd' && i > 0 && i+1 < n && (buf[i+1] == '+' || buf[i+1] == '-'):
			buf[i] = 'e'
		default:
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(buf[:n]), 64)
	return v, err == nil
}

// minusSign returns the minus sign of typesetting, which spreadsheets and some locales write.
func minusSign() []byte { return []byte("\u2212") }

// scalar returns the number in a cell that holds the repr of a NumPy scalar, as "np.float64(1.5)", and any other cell as it is.
func scalar(cell []byte) []byte {
	if len(cell) == 0 || cell[len(cell)-1] != ')' || !bytes.HasPrefix(cell, []byte("np.")) {
		return cell
	}
	if kind, value, ok := bytes.Cut(cell[len("np."):len(cell)-1], []byte("(")); ok && (bytes.HasPrefix(kind, []byte("float")) || bytes.HasPrefix(kind, []byte("int")) || bytes.HasPrefix(kind, []byte("uint"))) {
		return value
	}
	return cell
}

// isNumber reports whether a cell of a table is a number with a decimal point or comma, or a time stamp.
func isNumber(cell string) bool {
	for _, point := range []byte{'.', ','} {
		if _, ok := slowNumber([]byte(cell), point); ok {
			return true
		}
	}
	_, ok := timeStamp([]byte(cell))
	return ok
}

// word reads the words of loggers for missing and infinite values.
func word(cell []byte) (float64, bool) {
	if len(cell) > 12 {
		return 0, false
	}
	switch string(bytes.ToLower(cell)) {
	case "nan", "+nan", "-nan", "na", "n/a", "null", "none", "-nan(ind)", "nan(ind)":
		return math.NaN(), true
	case "inf", "+inf", "infinity", "+infinity":
		return math.Inf(1), true
	case "-inf", "-infinity":
		return math.Inf(-1), true
	case "true":
		return 1, true
	case "false":
		return 0, true
	}
	return 0, false
}
