package baseparams

import (
	"math"
	"testing"

	"ident/regressor"
)

// The rules on the cut tree lose nothing identifiable on the closed robot: every
// combination without effect by the rules has none by QR over closed states.
// Relations of the closure alone are left over, and Compare names them.
func TestRulesOfCutLoops(t *testing.T) {
	if testing.Short() {
		t.Skip("two closed robots by two methods")
	}
	for _, name := range []string{"sr400", "akr3000"} {
		r, _ := closedCase(t, name)
		for _, terms := range [][]regressor.Term{{regressor.Links}, {regressor.Links, regressor.Ia}} {
			rules, err := Symbolic(r, terms, Options{})
			if err != nil {
				t.Fatal(err)
			}
			qr, err := QRLoops(t.Context(), r, terms, Options{})
			if err != nil {
				t.Fatal(err)
			}
			invisible := func(chi []float64, what string) {
				t.Helper()
				for k, v := range qr.FromStandard(chi) {
					if !(math.Abs(v) < 1e-9) {
						t.Errorf("%s %v: %s is invisible to the rules, but gives %s the value %g", name, terms, what, qr.Name(k), v)
					}
				}
			}
			for _, z := range rules.Zero {
				chi := make([]float64, len(rules.Columns))
				chi[z] = 1
				invisible(chi, rules.Columns[z].Name)
			}
			for d, c := range rules.Dependent {
				chi := make([]float64, len(rules.Columns))
				chi[c] = 1
				for k, b := range rules.Base {
					chi[b] = -rules.Beta[k][d]
				}
				invisible(chi, rules.Columns[c].Name)
			}
			methods := Compare(rules, nil, qr).Methods
			more, found := rules.Count()-qr.Count(), len(methods.QR.Extra)
			if more <= 0 || methods.Symbolic.Agrees || len(methods.Symbolic.Extra) != 0 || found != more {
				t.Errorf("%s %v: rules %d, QR %d, and %d relations that only QR finds", name, terms, rules.Count(), qr.Count(), found)
			}
			t.Logf("%s %v: rules of the cut tree %d, with the closure %d", name, terms, rules.Count(), qr.Count())
		}
	}
}
