package report

import (
	"fmt"
	"io"

	"ident/internal/digits"
	"ident/result"
)

// gatePart is what the page shows of the gates.
type gatePart struct {
	Line   string // how many pass
	Passed bool
	Failed []result.Gate
	Rows   []gateRow
}

// gateRow is a gate in the table.
type gateRow struct {
	Pass                         bool
	Name, Value, Low, High, Unit string
	Why                          string
}

// newGatePart fills the part; nil where the user set no gates.
func newGatePart(gates []result.Gate) *gatePart {
	if len(gates) == 0 {
		return nil
	}
	p := &gatePart{Line: gateLine(gates), Failed: result.FailedGates(gates)}
	p.Passed = len(p.Failed) == 0
	number := func(v *float64) string {
		if v == nil {
			return ""
		}
		return digits.Number(*v, 4)
	}
	for _, g := range gates {
		p.Rows = append(p.Rows, gateRow{g.Pass, g.Name, number(g.Value), number(g.Low), number(g.High), g.Unit, g.Why})
	}
	return p
}

// gateLine counts the gates that pass.
func gateLine(gates []result.Gate) string {
	failed := len(result.FailedGates(gates))
	switch n := len(gates); {
	case failed == 0 && n == 1:
		return "the gate passes"
	case failed == 0:
		return fmt.Sprintf("all %d gates pass", n)
	case n == 1:
		return "the gate fails"
	default:
		return fmt.Sprintf("%d of %d gates fail", failed, n)
	}
}

// Gates writes the user's gates as text, with the reason for those that fail. It writes nothing if there are none.
func Gates(w io.Writer, gates []result.Gate) {
	t := newTextPage(0)
	t.gates(gates, false)
	_, _ = w.Write(t.buf.Bytes())
}

// gates writes the gates: with all, those that pass too.
func (t *textPage) gates(gates []result.Gate, all bool) {
	if len(gates) == 0 {
		return
	}
	t.line("%s", gateLine(gates))
	for _, g := range gates {
		switch {
		case !g.Pass:
			t.paragraph("  FAIL  "+g.Name+": ", "        ", g.Why)
		case all:
			t.paragraph("  pass  "+g.Name+": ", "        ", g.Why)
		}
	}
}
