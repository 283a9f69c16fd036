package datasets

import (
	"math"
	"slices"
	"strings"
	"sync"

	"ident/internal/hint"
)

// factor converts a declared unit into SI: x·mul/div. Decimal submultiples divide by an exact power of
// ten instead of multiplying by an inexact fraction: 1500 ms is exactly 1.5 s.
type factor struct {
	si       string
	mul, div float64
}

// conversion converts the numbers of a channel into SI: (x − zero)·mul/div.
type conversion struct {
	factor
	zero float64
}

func (c conversion) identity() bool { return c.mul == 1 && c.div == 1 && c.zero == 0 }

func (c conversion) apply(x []float64) {
	if c.identity() {
		return
	}
	for i, v := range x {
		x[i] = (v - c.zero) * c.mul / c.div
	}
}

// conversions is keyed by the unit in lower case, with the multiplication sign written as "." and no
// blanks. Units whose case carries meaning (mN·m against MN·m) occur in logs only in the small sense.
var conversions = sync.OnceValue(func() map[string]factor {
	const deg = math.Pi / 180
	one := func(si string) factor { return factor{si, 1, 1} }
	return map[string]factor{
		"": one(""), "-": one(""), "1": one(""), "bool": one(""), "count": one("count"), "counts": one("count"),
		"%": {"", 1, 100},

		"rad": one("rad"), "radian": one("rad"), "radians": one("rad"), "radiant": one("rad"), "mrad": {"rad", 1, 1e3}, "deg": {"rad", deg, 1}, "°": {"rad", deg, 1}, "degree": {"rad", deg, 1}, "degrees": {"rad", deg, 1},
		"rev": {"rad", 2 * math.Pi, 1}, "turn": {"rad", 2 * math.Pi, 1}, "turns": {"rad", 2 * math.Pi, 1},
		"rad/s": one("rad/s"), "mrad/s": {"rad/s", 1, 1e3}, "deg/s": {"rad/s", deg, 1}, "°/s": {"rad/s", deg, 1},
		"rpm": {"rad/s", 2 * math.Pi, 60}, "1/min": {"rad/s", 2 * math.Pi, 60}, "u/min": {"rad/s", 2 * math.Pi, 60}, "upm": {"rad/s", 2 * math.Pi, 60}, "rev/min": {"rad/s", 2 * math.Pi, 60}, "rev/s": {"rad/s", 2 * math.Pi, 1}, "u/s": {"rad/s", 2 * math.Pi, 1},
		"rad/s^2": one("rad/s^2"), "deg/s^2": {"rad/s^2", deg, 1}, "°/s^2": {"rad/s^2", deg, 1}, "rev/s^2": {"rad/s^2", 2 * math.Pi, 1},

		"m": one("m"), "mm": {"m", 1, 1e3}, "cm": {"m", 1, 1e2}, "um": {"m", 1, 1e6},
		"m/s": one("m/s"), "mm/s": {"m/s", 1, 1e3}, "cm/s": {"m/s", 1, 1e2},
		"m/s^2": one("m/s^2"), "mm/s^2": {"m/s^2", 1, 1e3}, "cm/s^2": {"m/s^2", 1, 1e2},

		"n.m": one("N.m"), "nm": one("N.m"), "n.mm": {"N.m", 1, 1e3}, "nmm": {"N.m", 1, 1e3}, "mn.m": {"N.m", 1, 1e3}, "mnm": {"N.m", 1, 1e3},
		"n.cm": {"N.m", 1, 1e2}, "ncm": {"N.m", 1, 1e2}, "kn.m": {"N.m", 1e3, 1}, "knm": {"N.m", 1e3, 1},
		"n": one("N"), "mn": {"N", 1, 1e3}, "kn": {"N", 1e3, 1},
		// Of kilogram-force and pound-force, by their exact definitions (NIST Special Publication 811, 2008).
		"kgf": {"N", 9.80665, 1}, "lbf": {"N", 4.4482216152605, 1}, "kgf.m": {"N.m", 9.80665, 1}, "kgf.cm": {"N.m", 9.80665, 1e2}, "kg.m": {"N.m", 9.80665, 1}, "kg.cm": {"N.m", 9.80665, 1e2}, "kgcm": {"N.m", 9.80665, 1e2},
		"ft.lb": {"N.m", 1.3558179483314004, 1}, "ft.lbf": {"N.m", 1.3558179483314004, 1}, "lb.ft": {"N.m", 1.3558179483314004, 1}, "lbf.ft": {"N.m", 1.3558179483314004, 1},
		"in.lb": {"N.m", 1.3558179483314004, 12}, "in.lbf": {"N.m", 1.3558179483314004, 12}, "lb.in": {"N.m", 1.3558179483314004, 12}, "lbf.in": {"N.m", 1.3558179483314004, 12},
		"oz.in": {"N.m", 1.3558179483314004, 192}, "ozf.in": {"N.m", 1.3558179483314004, 192}, "in.oz": {"N.m", 1.3558179483314004, 192},

		"a": one("A"), "ma": {"A", 1, 1e3}, "ua": {"A", 1, 1e6}, "v": one("V"), "mv": {"V", 1, 1e3}, "pa": one("Pa"), "kpa": {"Pa", 1e3, 1}, "mpa": {"Pa", 1e6, 1}, "bar": {"Pa", 1e5, 1},
		"w": one("W"), "j": one("J"), "kw": {"W", 1e3, 1}, "kg": one("kg"), "g": {"kg", 1, 1e3}, "k": one("K"), "hz": one("Hz"),

		"s": one("s"), "sec": one("s"), "ms": {"s", 1, 1e3}, "us": {"s", 1, 1e6}, "ns": {"s", 1, 1e9},
		"min": {"s", 60, 1}, "h": {"s", 3600, 1}, "d": {"s", 86400, 1}, "day": {"s", 86400, 1}, "days": {"s", 86400, 1},
	}
})

// unitKey normalises the usual spellings of a unit.
func unitKey(unit string) string {
	return unitSpellings.Replace(strings.ToLower(strings.TrimSpace(unit)))
}

var unitSpellings = strings.NewReplacer(" ", "", "·", ".", "⋅", ".", "*", ".", "²", "^2", "µ", "u", "μ", "u", "s2", "s^2", "s/s", "s^2", "/sec", "/s", "n-m", "n.m")

// inGerman returns a unit as the heads of its table mean it: the German Grad is the degree where another head has a German name or a sign of
// degrees. Elsewhere it stays, and is asked about.
func inGerman(unit string, heads []string) string {
	suffix, grad := strings.CutPrefix(unitKey(unit), "grad")
	if !grad || !slices.ContainsFunc(heads, germanHead) {
		return unit
	}
	return "deg" + suffix
}

// germanHead reports whether a head of a table is German, or has the sign of degrees.
func germanHead(head string) bool {
	head = strings.ToLower(head)
	return slices.ContainsFunc([]string{"°", "zeit", "winkel", "drehmoment", "drehzahl", "geschwindigkeit", "beschleunigung", "strom", "achse", "gelenk"}, func(word string) bool { return strings.Contains(head, word) })
}

// SI returns the SI unit of a unit and the factor: x in unit is x·factor in si. The unit "" for a channel
// without a declaration counts as SI. An unknown unit gives an error that matches ErrUnit and names the
// setting that replaces it.
func SI(unit string) (si string, factor float64, err error) {
	c, err := conversionOf(unit)
	return c.si, c.mul / c.div, err
}

func conversionOf(unit string) (conversion, error) {
	if f, ok := conversions()[unitKey(unit)]; ok {
		return conversion{factor: f}, nil
	}
	switch unitKey(unit) {
	case "grad", "grad/s", "grad/s^2":
		return conversion{}, hint.Errorf("units", "", "%w %q: degrees in German, π/200 elsewhere; say which by {units} CHANNEL=deg%s, or {scale} CHANNEL=0.01570796", ErrUnit, unit, unitKey(unit)[len("grad"):])
	}
	return conversion{}, hint.Errorf("units", "", "%w %q; write another by {units} CHANNEL=UNIT, such as deg, rev, deg/s, rpm, mm, N.mm, mA or ms, or {units} CHANNEL= to take the values as they are", ErrUnit, unit)
}

// splitUnit separates a column's name and its declared unit: "q1 [deg]", "q1(deg)", and "q1 / deg" (ISO 80000-1) if the unit is known. A
// whole number in brackets is an index, and part of the name.
func splitUnit(header string) (name, unit string) {
	h := strings.TrimSpace(header)
	var open byte
	switch {
	case strings.HasSuffix(h, "]"):
		open = '['
	case strings.HasSuffix(h, ")"):
		open = '('
	default:
		if i := strings.LastIndex(h, " / "); i > 0 && h[i+len(" / "):] != "" {
			if _, err := conversionOf(h[i+len(" / "):]); err == nil {
				return strings.TrimSpace(h[:i]), strings.TrimSpace(h[i+len(" / "):])
			}
		}
		return h, ""
	}
	i := strings.LastIndexByte(h, open)
	if i <= 0 {
		return h, ""
	}
	inner := strings.TrimSpace(h[i+1 : len(h)-1])
	if inner != "" && strings.Trim(inner, "0123456789") == "" {
		return h, ""
	}
	return strings.TrimSpace(h[:i]), inner
}
