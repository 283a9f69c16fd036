package xacro

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// percent returns a text with its conversions filled in, '%.3f' % x, as Python fills them.
func (e *expander) percent(format string, v any) (string, error) {
	var b strings.Builder
	args, several := v.(tuple)
	if !several {
		args = tuple{v}
	}
	named, mapping := v.(*dictionary)
	used := 0
	take := func() (any, error) {
		if used >= len(args) {
			return nil, errors.New("the text has more conversions than values")
		}
		used++
		return args[used-1], nil
	}
	for format != "" {
		plain, rest, found := strings.Cut(format, "%")
		b.WriteString(plain)
		if format = rest; !found {
			break
		}
		c, rest, name, err := conversionOf(format, take)
		if err != nil {
			return "", err
		}
		format = rest
		if c.letter == '%' {
			b.WriteByte('%')
			continue
		}
		var x any
		if name != nil {
			if !mapping {
				return "", fmt.Errorf("%%(%s): the value is %s, not a dictionary", clip(*name), typeName(v))
			}
			var ok bool
			if x, ok = named.values[*name]; !ok {
				return "", fmt.Errorf("the dictionary has no key %q%s", clip(*name), proposal(*name, texts(named.keys)))
			}
		} else if x, err = take(); err != nil {
			return "", err
		}
		s, err := c.fill(e, x)
		if err != nil {
			return "", err
		}
		if b.WriteString(s); b.Len() > maxWord {
			return "", fmt.Errorf("the expression makes a text of more than %d bytes", maxWord)
		}
	}
	if used < len(args) && !mapping {
		return "", fmt.Errorf("the text has %d conversions for %d values", used, len(args))
	}
	return b.String(), nil
}

// conversion is one of %d, %8.3f, %-10s.
type conversion struct {
	left, plus, blank, zeros, alternate bool
	width, digits                       int // digits is -1 where none are given
	letter                              byte
}

// maxWidth bounds the width and the digits of a conversion.
const maxWidth = 1000

// conversionOf reads a conversion behind its %.
func conversionOf(s string, take func() (any, error)) (c conversion, rest string, name *string, err error) {
	c.digits = -1
	if strings.HasPrefix(s, "(") {
		inside, after, ok := strings.Cut(s[1:], ")")
		if !ok {
			return c, "", nil, errors.New("%( is not closed")
		}
		name, s = &inside, after
	}
	for ; s != ""; s = s[1:] {
		switch s[0] {
		case '-':
			c.left = true
			continue
		case '+':
			c.plus = true
			continue
		case ' ':
			c.blank = true
			continue
		case '0':
			c.zeros = true
			continue
		case '#':
			c.alternate = true
			continue
		}
		break
	}
	count := func(to *int) error {
		if strings.HasPrefix(s, "*") {
			s = s[1:]
			v, err := take()
			if err != nil {
				return err
			}
			n, ok := v.(int64)
			if !ok || n > maxWidth || n < -maxWidth {
				return fmt.Errorf("* is %s: an integer within ±%d is needed", typeName(v), maxWidth)
			}
			*to = int(n)
			return nil
		}
		n := len(s) - len(strings.TrimLeft(s, "0123456789"))
		v := 0
		if n > 0 {
			if v, err = strconv.Atoi(s[:n]); err != nil || v > maxWidth {
				return fmt.Errorf("%s: at most %d letters are filled", clip(s[:n]), maxWidth)
			}
		}
		*to, s = v, s[n:]
		return nil
	}
	if err := count(&c.width); err != nil {
		return c, "", nil, err
	}
	if c.width < 0 {
		c.left, c.width = true, -c.width
	}
	if after, ok := strings.CutPrefix(s, "."); ok {
		s = after
		if err := count(&c.digits); err != nil {
			return c, "", nil, err
		}
		c.digits = max(c.digits, 0)
	}
	if s = strings.TrimLeft(s, "hlL"); s == "" {
		return c, "", nil, errors.New("a conversion behind % ends too early; %% stands for a per cent sign")
	}
	c.letter = s[0]
	return c, s[1:], name, nil
}

// fill returns a value in its conversion.
func (c *conversion) fill(e *expander, v any) (string, error) {
	switch c.letter {
	case 's', 'r':
		var body string
		var err error
		if c.letter == 's' {
			body, err = e.printed(v)
		} else {
			var b strings.Builder
			err = e.print(&b, v, 0)
			body = b.String()
		}
		if err != nil {
			return "", err
		}
		if r := []rune(body); c.digits >= 0 && len(r) > c.digits {
			body = string(r[:c.digits])
		}
		return c.padded("", body, false), nil
	case 'c':
		if s, ok := v.(string); ok && len([]rune(s)) == 1 {
			return c.padded("", s, false), nil
		}
		if n, ok := integer(v); ok && n >= 0 && n <= math.MaxInt32 {
			return c.padded("", string(rune(n)), false), nil
		}
		return "", c.refused(v)
	case 'd', 'i', 'u', 'x', 'X', 'o':
		return c.whole(v)
	case 'e', 'E', 'f', 'F', 'g', 'G':
		return c.decimal(v)
	}
	return "", fmt.Errorf("%%%c is no conversion", c.letter)
}

func (c *conversion) refused(v any) error {
	return fmt.Errorf("%%%c of %s is not defined", c.letter, typeName(v))
}

// whole fills a conversion of integers.
func (c *conversion) whole(v any) (string, error) {
	sign := ""
	n, ok := integer(v)
	if f, number := v.(float64); number && strings.IndexByte("diu", c.letter) >= 0 {
		w, err := toInteger("trunc", f)
		if err != nil {
			return "", err
		}
		n, ok = w.(int64), true
	}
	if !ok {
		return "", c.refused(v)
	}
	base, prefix := 10, ""
	switch c.letter {
	case 'x', 'X':
		base, prefix = 16, "0x"
	case 'o':
		base, prefix = 8, "0o"
	}
	body := strconv.FormatUint(magnitude(n), base)
	if more := c.digits - len(body); more > 0 {
		body = strings.Repeat("0", more) + body
	}
	if n < 0 {
		sign = "-"
	}
	if c.alternate {
		sign += prefix
	}
	if c.letter == 'X' {
		sign, body = strings.ToUpper(sign), strings.ToUpper(body)
	}
	return c.signed(sign, body), nil
}

// decimal fills a conversion of decimal numbers.
func (c *conversion) decimal(v any) (string, error) {
	sign := ""
	x, ok := number(v)
	if !ok || c.alternate {
		return "", c.refused(v)
	}
	digits := c.digits
	if digits < 0 {
		digits = 6
	}
	kind := c.letter | 0x20
	if kind == 'g' {
		digits = max(digits, 1)
	}
	body := strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(math.Abs(x), kind, digits, 64), "+"))
	if c.letter < 'a' {
		body = strings.ToUpper(body)
	}
	if math.Signbit(x) && !math.IsNaN(x) {
		sign = "-"
	}
	return c.signed(sign, body), nil
}

// signed pads a number behind its sign.
func (c *conversion) signed(sign, body string) string {
	if !strings.HasPrefix(sign, "-") {
		switch {
		case c.plus:
			sign = "+" + sign
		case c.blank:
			sign = " " + sign
		}
	}
	return c.padded(sign, body, c.zeros && !c.left)
}

// padded fills a text to its width.
func (c *conversion) padded(sign, body string, zeros bool) string {
	more := max(0, c.width-len([]rune(sign+body)))
	switch {
	case zeros:
		return sign + strings.Repeat("0", more) + body
	case c.left:
		return sign + body + strings.Repeat(" ", more)
	}
	return strings.Repeat(" ", more) + sign + body
}
