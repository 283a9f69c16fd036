package doctor

import (
	"fmt"
	"math"

	"ident/doctor/internal/scratch"
	"ident/internal/orderstat"
)

// Limits on the ends of measured velocities.
const (
	edgeSeconds = 0.5  // s, looked at on either side
	edgeLeast   = 0.06 // s; our own filter's ends spoil a shorter segment
	edgeFactor  = 5    // times the error of the middle
	edgeShare   = 0.1  // of the velocity's RMS
)

// edges looks for the transient of a filter at either end of a log.
func edges(rec *recording, j joint, parts []comparison, a agreement, memory *scratch.Columns) (found findings) {
	err := func(c *comparison, k int) float64 { return c.dq[k] - a.scale*c.v[k] }
	most, n := 0.0, 0
	for _, c := range parts {
		n += max(c.core[1]-c.core[0], 0)
	}
	middle := memory.Take(n)[:0]
	for i := range parts {
		c := &parts[i]
		most = math.Max(most, c.velocity)
		for k := c.core[0]; k < c.core[1]; k++ {
			middle = append(middle, math.Abs(err(c, k)))
		}
	}
	limit := math.Max(edgeFactor*orderstat.Selected(middle, len(middle)*95/100), edgeShare*math.Abs(a.scale)*most)
	for i := range parts {
		c := &parts[i]
		n := len(c.v)
		span := min(int(edgeSeconds/c.dt), n/4)
		for _, end := range []bool{false, true} {
			if (end && !c.atEnd) || (!end && !c.atStart) {
				continue
			}
			worst, reach := 0.0, 0
			for k := range span {
				at := k
				if end {
					at = n - 1 - k
				}
				if e := math.Abs(err(c, at)); e > limit {
					worst, reach = math.Max(worst, e), k+1
				}
			}
			if float64(reach)*c.dt > edgeLeast {
				found.add(edgeFinding(rec, j, end, worst, limit, float64(reach)*c.dt))
			}
		}
	}
	return found
}

func edgeFinding(rec *recording, j joint, end bool, worst, limit, lasts float64) Finding {
	f := rec.about(EdgeTransient, Warning, j.dq)
	if rec.opt.Trim >= lasts {
		f.Severity = Info
	}
	f.Value, f.Limit = worst, limit
	side := pick(end, "last", "first")
	f.Where = fmt.Sprintf("the %s %.2g s of the log", side, lasts)
	f.Why = fmt.Sprintf("%s differs from the derivative of %s by up to %.3g %s there and not elsewhere: the edge of a filter that was run over the log",
		j.dq.name, j.q.name, worst, rec.unitOf(j.dq))
	trim := fmt.Sprintf("%.1f", math.Max(edgeSeconds, math.Ceil(lasts*10)/10))
	f.Fix = fmt.Sprintf("{trim} %s, or {velocity} position", trim)
	f.Repair = setting("trim", "", trim)
	return f
}
