package gravity

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"ident/baseparams"
	"ident/excite/poses"
	"ident/regressor"
)

// A document that is written and read again is the same prior; a base set with other relations is refused by name.
func TestDocument(t *testing.T) {
	l := newLab(t)
	d, err := poses.Choose(t.Context(), poses.Problem{Space: l.space, Model: l.model, Seed: 2, Count: 12})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Fit(l.model, l.set, []Log{l.record(t, d, "industrial", 0.01, 2)})
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, l.model.Joints())
	text, err := json.Marshal(e.Document(l.set, l.robot.Name, names, regressor.DefaultTerms(), nil))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := Read(text)
	if err != nil {
		t.Fatal(err)
	}
	got, err := doc.Posterior(l.set)
	if err != nil {
		t.Fatal(err)
	}
	want := e.Posterior(l.set.Count(), nil)
	for i, x := range want.Mean {
		if got.Mean[i] != x {
			t.Errorf("mean of %s: %g, written %g", l.set.Name(i), got.Mean[i], x)
		}
		for j := range want.Mean {
			if a, b := got.Covariance.At(i, j), want.Covariance.At(i, j); math.Abs(a-b) > 1e-15*math.Abs(b) {
				t.Errorf("covariance %d, %d: %g, written %g", i, j, a, b)
			}
		}
	}

	shifted := l.robot.Clone()
	for i := range shifted.Links {
		shifted.Links[i].Placement.P[0] *= 1.01
	}
	for name, other := range map[string]struct {
		terms []regressor.Term
		moved bool
	}{"without offsets": {[]regressor.Term{regressor.Links, regressor.Fv}, false}, "of another geometry": {regressor.DefaultTerms(), true}} {
		r := l.robot
		if other.moved {
			r = shifted
		}
		m, err := regressor.NewDynamic(r, other.terms)
		if err != nil {
			t.Fatal(err)
		}
		var mismatch *MismatchError
		if _, err := doc.Posterior(baseparams.QR(m, baseparams.Options{})); !errors.As(err, &mismatch) {
			t.Errorf("a set %s: %v", name, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"schema":"ident.gravity/1","parameters":[{"name":"MX1","value":1,"sigma":0.1,"regrouped":[{"parameter":"MY1","coefficient":2}]}],` +
		`"covariance":[[0.01]],"relations":[{"base":"MX1","terms":[{"parameter":"MX1","coefficient":1}]}]}`)
	f.Add(`{"schema":"ident.gravity/1","parameters":[{},{}],"covariance":[[1,2],[2]]}`)
	set := &baseparams.Set{Columns: []regressor.Column{{Name: "MX1"}, {Name: "MY1"}}, Base: []int{0, 1}, Beta: [][]float64{nil, nil}}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := Read([]byte(text))
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Error("an error without a text")
			}
			return
		}
		doc.Posterior(set)
	})
}
