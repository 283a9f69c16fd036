package baseparams

import (
	"math"
	"slices"
	"testing"

	"ident/internal/testrobot"
	"ident/regressor"
)

// gaps are the robots on which the rules keep a parameter too many (FORMULAS 3.3).
var gaps = map[string]int{"gantry_ppp/with_Ia": 5, "mobile_planar/with_Ia": 31}

// The published robots: count, parameters without effect, names and
// coefficients, with and without rotor inertia, by every route.
func TestReferenceRobots(t *testing.T) {
	for _, c := range testrobot.Cases(t) {
		for variant, terms := range map[string][]regressor.Term{
			"links_only": {regressor.Links},
			"with_Ia":    {regressor.Links, regressor.Ia},
		} {
			want, ok := c.Variants[variant]
			if !ok {
				continue
			}
			t.Run(c.Name+"/"+variant, func(t *testing.T) {
				m, err := regressor.NewDynamic(c.Robot(t), terms)
				if err != nil {
					t.Fatal(err)
				}
				null, err := NullSpace(c.Robot(t), terms, Options{})
				if err != nil {
					t.Fatal(err)
				}
				rules, err := Symbolic(c.Robot(t), terms, Options{})
				if err != nil {
					t.Fatal(err)
				}
				sets := []*Set{QR(m, Options{}), null}
				if n, known := gaps[c.Name+"/"+variant]; !known {
					sets = append(sets, rules)
				} else if rules.Count() != n {
					t.Errorf("the rules keep %d, known are %d", rules.Count(), n)
				}
				for _, s := range sets {
					t.Run(s.Method, func(t *testing.T) {
						compare(t, s, want)
						if s.Gap < 1e6 {
							t.Errorf("gap %.3g", s.Gap)
						}
					})
				}
			})
		}
	}
}

func compare(t *testing.T, s *Set, want testrobot.Variant) {
	t.Helper()
	if s.Count() != want.NBase {
		t.Errorf("%d base parameters, want %d", s.Count(), want.NBase)
	}
	zero := make([]string, len(s.Zero))
	for i, c := range s.Zero {
		zero[i] = s.Columns[c].Name
	}
	slices.Sort(zero)
	// The reference lists rotor inertias of fixed frames too; the model has none.
	known := map[string]bool{}
	for _, c := range s.Columns {
		known[c.Name] = true
	}
	wantZero := slices.Sorted(slices.Values(want.ZeroEffect))
	wantZero = slices.DeleteFunc(wantZero, func(name string) bool { return !known[name] })
	if !slices.Equal(zero, wantZero) {
		t.Errorf("without effect: %v, want %v", zero, wantZero)
	}
	got := map[string]map[string]float64{}
	for k, c := range s.Base {
		terms := map[string]float64{}
		for _, term := range s.Relation(k).Terms {
			terms[term.Parameter] = term.Coefficient
		}
		got[s.Columns[c].Name] = terms
	}
	for _, b := range want.Base {
		terms, ok := got[b.Name]
		if !ok {
			t.Errorf("%s is not in the base set", b.Name)
			continue
		}
		for name, v := range b.Coef {
			if d := math.Abs(terms[name] - v); !(d <= 1e-9*(1+math.Abs(v))) {
				t.Errorf("%s: coefficient of %s is %.12g, want %.12g", b.Name, name, terms[name], v)
			}
			delete(terms, name)
		}
		for name, v := range terms {
			t.Errorf("%s: unexpected %.12g·%s", b.Name, v, name)
		}
	}
}
