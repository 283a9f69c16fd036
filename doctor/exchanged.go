package doctor

import (
	"fmt"
	"math"

	"ident/internal/hint"
	"ident/internal/rowlist"
)

// exchanged describes joints of which each has the channels of another one, all of them or those named by which, and the repair.
// from[i] is the joint whose channels joints[i] should have.
func (s *setup) exchanged(joints, from []int, which string) (why, fix string, r Repair) {
	text, maps := "", ""
	for i, j := range joints {
		jt, other := s.joints[j], s.joints[from[i]]
		text += pick(text == "", "", ", ") + jt.name
		add := func(key string, own, c *channel) {
			if c == nil {
				return
			}
			maps += fmt.Sprintf(" {map} %s_%s=%s", key, hint.Word(jt.name), hint.Word(c.name))
			r.Settings = append(r.Settings, Setting{Key: "map", Name: key + "_" + jt.name, Value: c.name})
			if own != nil {
				r.Edits = append(r.Edits, Edit{Channel: own.name, From: c.name})
			}
		}
		if which != "torques" {
			add("q", jt.q, other.q)
			add("dq", jt.dq, other.dq)
		}
		if which != "positions" && other.effort != nil {
			add(pick(other.effort.role == current, "i", "tau"), jt.effort, other.effort)
		}
	}
	why = fmt.Sprintf("%s of joints %s are in another order than in the robot file", pick(which == "", "the channels", "the "+which), text)
	return why, maps[1:], r
}

// laterMargin is the part of the log on either side of the time of an exchange within which its row is sought: three rows of a fit.
const laterMargin = 0.01

// exchangedLater describes two efforts that are exchanged from the part Value of the log on, and the repair. Both step in the row of the exchange.
func (rec *recording) exchangedLater(f *Finding, a, b *channel) {
	rows, most := rec.between(f.Value-laterMargin, f.Value+laterMargin), 0.0
	since := (rows[0] + rows[1]) / 2
	for _, w := range rec.windows {
		x, y := w.cols[a.index], w.cols[b.index]
		for k := max(rows[0]-w.first, 1); k < min(rows[1]-w.first, len(x)); k++ {
			if step := math.Abs((x[k] - y[k]) - (x[k-1] - y[k-1])); step > most {
				since, most = w.first+k, step
			}
		}
	}
	f.at(rowlist.Of([]int{since}), rec.t)
	f.Why = fmt.Sprintf("%s and %s are exchanged from there to the end of the log", a.name, b.name)
	f.Fix = "{mend} writes a log with the torques in order; or cut the log there with {rows} LOG:FIRST-LAST"
	f.Repair.Edits = []Edit{{Channel: a.name, From: b.name, Since: since}, {Channel: b.name, From: a.name, Since: since}}
}
