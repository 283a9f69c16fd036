package report

import (
	"fmt"
	"strings"

	"ident/internal/digits"
	"ident/result"
)

// load prints drive gains that were unknown, and payloads.
func (t *textPage) load(res *result.Result) {
	if len(res.Gains) > 0 {
		t.section("Drive gains")
		tab := newTable("joint", "gain", "value ± sigma", "unit", "rel. %", "load torque", "noise", "")
		for _, g := range res.Gains {
			word := "determined"
			switch {
			case strings.HasPrefix(g.Why, "not determined"):
				word = "NOT DETERMINED"
			case !g.Determined:
				word = "uncertain"
			}
			tab.row(g.Joint, g.Name, digits.Measure(g.Value, g.Sigma), g.Unit, digits.Number(g.RelativeSigmaPercent, 3), digits.Number(g.LoadTorque, 3), digits.Number(g.Noise, 3), word)
		}
		tab.write(t, 2)
		t.paragraph("  ", "  ", "load torque and noise: rms, in the joint's unit of torque, of the load and of what the model leaves")
	}
	for _, p := range res.Payloads {
		name := "Payload on " + clean(p.Link)
		if p.Number > 0 {
			name = fmt.Sprintf("Payload %d on %s", p.Number, clean(p.Link))
		}
		t.section(name)
		if !p.Complete {
			t.paragraph("  ", "  ", "the data do not determine all ten parameters alone; in the frame of the estimate:")
			tab := newTable("parameter", "value ± sigma", "unit", "")
			for _, q := range p.Parameters {
				switch {
				case q.Known:
					tab.row(q.Name, digits.Number(q.Value, 4), q.Unit, "given")
				case q.Determined:
					tab.row(q.Name, digits.Measure(q.Value, q.Sigma), q.Unit, "")
				default:
					tab.row(q.Name, digits.None, q.Unit, "not determined alone")
				}
			}
			tab.write(t, 1)
			continue
		}
		if p.Mass != nil {
			tab := newTable("in the link's own frame", "value ± sigma", "unit")
			tab.row("mass", given(*p.Mass), "kg")
			for i, axis := range []string{"x", "y", "z"} {
				tab.row("centre of mass "+axis, given(p.Centre[i]), "m")
			}
			for i, axis := range []string{"xx", "xy", "xz", "yy", "yz", "zz"} {
				tab.row("inertia about it "+axis, given(p.CentralInertia[i]), "kg·m²")
			}
			tab.write(t, 1)
		}
		if p.Possible {
			t.line("  a body can have these parameters")
		} else {
			t.paragraph("  ", "  ", fmt.Sprintf("no body can have exactly these parameters: %s", p.Why))
		}
	}
}

func given(m result.Measured) string {
	if m.Sigma == 0 {
		return digits.Number(m.Value, 4)
	}
	return digits.Measure(m.Value, m.Sigma)
}
