package result

import "ident/internal/hint"

// NameSettings replaces settings {key} in the texts of a result by name(key): in warnings, notes, reasons, findings and
// verdicts. Use it for results that no project wrote. Other texts stay unchanged.
func (res *Result) NameSettings(name func(key string) string) {
	each := func(texts []string) {
		for i := range texts {
			texts[i] = hint.Name(texts[i], name)
		}
	}
	each(res.Warnings)
	each(res.Notes)
	each(res.Processing.Reasons)
	for i := range res.Findings {
		f := &res.Findings[i]
		f.Why, f.Fix = hint.Name(f.Why, name), hint.Name(f.Fix, name)
	}
	NameVerdicts(res.Verdicts, name)
	res.Grade.nameSettings(name)
	for i := range res.Selection {
		res.Selection[i].Why = hint.Name(res.Selection[i].Why, name)
	}
	for i := range res.Gains {
		res.Gains[i].Why = hint.Name(res.Gains[i].Why, name)
	}
}

// nameSettings does the same for a grade.
func (g *Grade) nameSettings(name func(key string) string) {
	all := [][]Reason{g.Reasons, g.Torques.Reasons, g.Parameters.Reasons}
	if g.Bodies != nil {
		all = append(all, g.Bodies.Reasons)
	}
	for _, reasons := range all {
		for i := range reasons {
			r := &reasons[i]
			r.Why, r.Fix = hint.Name(r.Why, name), hint.Name(r.Fix, name)
		}
	}
}

// NameVerdicts does what [Result.NameSettings] does, for verdicts only.
func NameVerdicts(verdicts []Verdict, name func(key string) string) {
	for i := range verdicts {
		v := &verdicts[i]
		v.Why, v.Fix = hint.Name(v.Why, name), hint.Name(v.Fix, name)
	}
}
