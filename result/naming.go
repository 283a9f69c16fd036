package result

import "ident/internal/hint"

// NameSettings writes the settings in the texts of a result as name says, which is given their
// keys: warnings, notes, reasons, findings and verdicts hold them as {key} where no project wrote
// the result. Texts without {key} stay as they are.
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

// nameSettings is [Result.NameSettings] of a grade.
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

// NameVerdicts is [Result.NameSettings] of verdicts alone.
func NameVerdicts(verdicts []Verdict, name func(key string) string) {
	for i := range verdicts {
		v := &verdicts[i]
		v.Why, v.Fix = hint.Name(v.Why, name), hint.Name(v.Fix, name)
	}
}
