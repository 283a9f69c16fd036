package doctor

import (
	"fmt"

	"ident/doctor/internal/trialfit"
)

// changingLoad looks for a load on the last link that is present in only a part of the log.
func changingLoad(rec *recording, tr *trialfit.Rows, fits []*trialfit.Joint) (f Finding, ok bool) {
	last := rec.joints[len(rec.joints)-1]
	l, ok := trialfit.FindLoad(tr, fits, tr.UnitMass(rec.models, last.link))
	f = Finding{ID: Payload, Severity: Warning, Value: l.Mass, Where: l.Times(rec.t.At(0)), Joint: last.name}
	for _, s := range l.Spans {
		f.Spans = append(f.Spans, [2]float64{s[0] - rec.t.At(0), s[1] - rec.t.At(0)})
	}
	f.Why = fmt.Sprintf("the torques of %d joints fit a load of about %.2g kg near joint %s from %s, and none elsewhere", len(l.Joints), l.Mass, last.name, f.Where)
	f.Fix = fmt.Sprintf("{payload-flag} with a channel that says when the load is on, and {terms} links,Ia,Fv,Fs,Fo,payload:%s; or {rows} with the parts of one kind", rec.robot.Links[last.link].Name)
	return f, ok
}
