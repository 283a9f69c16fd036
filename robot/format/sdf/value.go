package sdf

import (
	"math"
	"strconv"
	"strings"

	"ident/internal/xmltree"
)

// content returns the text of an element.
func (r *reader) content(n *xmltree.Node) string { return n.Content(r.text) }

// child returns the text of a child element; ok is false without one. Of several the last counts.
func (r *reader) child(n *xmltree.Node, name string) (s string, ok bool) {
	c, _ := n.Last(name)
	if c == nil {
		return "", false
	}
	return r.content(c), true
}

func parse(n *xmltree.Node, where, s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, fault(n, where, "<%s>%s</%s>: not a number", n.Name, s, n.Name)
	}
	if math.IsNaN(v) {
		return 0, fault(n, where, "<%s> is not a number", n.Name)
	}
	return v, nil
}

// numbers are finite.
func (r *reader) numbers(n *xmltree.Node, where string) ([]float64, error) {
	var out []float64
	for f := range strings.FieldsSeq(r.content(n)) {
		v, err := parse(n, where, f)
		if err != nil {
			return nil, err
		}
		if math.IsInf(v, 0) {
			return nil, fault(n, where, "<%s> is not finite", n.Name)
		}
		out = append(out, v)
	}
	return out, nil
}

// number returns the number of a child element, or the default; limits may be infinite.
func (r *reader) number(n *xmltree.Node, where, name string, absent float64) (float64, error) {
	c, _ := n.Last(name)
	if c == nil {
		return absent, nil
	}
	s := r.content(c)
	if s == "" {
		return absent, nil
	}
	return parse(c, where, s)
}

// finite is number where no value is infinite.
func (r *reader) finite(n *xmltree.Node, where, name string, absent float64) (float64, error) {
	v, err := r.number(n, where, name, absent)
	if err == nil && math.IsInf(v, 0) {
		return 0, fault(n, where, "<%s> is not finite", name)
	}
	return v, err
}

// vector returns the three numbers of an element.
func (r *reader) vector(n *xmltree.Node, where string) (v [3]float64, err error) {
	x, err := r.numbers(n, where)
	if err != nil {
		return v, err
	}
	if len(x) != 3 {
		return v, fault(n, where, "<%s> has three numbers, found %d", n.Name, len(x))
	}
	return [3]float64(x), nil
}
