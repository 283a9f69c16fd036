package baseparams

import (
	"fmt"
	"math"

	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

// Symbolic finds the minimal set by the rules of Gautier, Khalil and Bennis for trees on a fixed base. If the robot's
// file gives the geometry by symbols of a Khalil-Kleinfinger table, Set.Exact holds the relations as expressions in
// these symbols, and Beta their values; otherwise the same rules run on numbers.
//
// The placements decide which rules apply, so all symbols must have values (robot.Bind). For some structures the rules
// are known to be incomplete and keep a parameter too many; Compare reports it. They cover neither offsets that act like
// weight nor shared drives. For closed loops a warning says which rules apply. For mimic joints the error is a
// *NotApplicableError.
func Symbolic(r *robot.Robot, terms []regressor.Term, opt Options) (*Set, error) {
	if r.Closed() {
		return symbolicLoops(r, terms, opt)
	}
	return symbolicTree(r, terms, nil)
}

// symbolicTree applies the rules to a tree and then, unless cl is nil, those of its loops.
func symbolicTree(r *robot.Robot, terms []regressor.Term, cl *closing) (*Set, error) {
	if whole, drop, err := solid(r, terms); err != nil {
		return nil, err
	} else if drop != nil {
		s, err := symbolicTree(whole, terms, cl)
		if err != nil {
			return nil, err
		}
		return s.Without(drop), nil
	}
	if len(r.Mimics) > 0 {
		j := r.Links[r.Mimics[0].Joint].Joint.Name
		return nil, &NotApplicableError{"symbolic", fmt.Sprintf("joint %q mimics another one, and the symbolic rules need independent joints; use QR", j)}
	}
	m, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, err
	}
	if err := byRules("symbolic", m.Columns()); err != nil {
		return nil, err
	}
	links := shapes(r)
	s := &Set{Method: "symbolic", Columns: m.Columns(), Gap: math.NaN()}
	s.Reasons = reasons(links, s.Columns)
	table, err := symbolTable(r)
	if err != nil {
		s.Warnings = append(s.Warnings, err.Error()+"; the relations are numeric")
	}
	if table != nil {
		g := newRegrouping(&expressions{}, func(v symbolic.Expr) float64 { return v.Eval(r.Symbols) }, s.Columns, len(links))
		for j, t := range table {
			g.a[j], g.p[j] = t.placement()
		}
		if g.run(links) && (cl == nil || g.close(cl, s)) {
			finish(s, g)
			s.exact(g.held)
			return s, nil
		}
		why := "the relations would be too long in the geometry's symbols, so they are numeric; give angles between axes as numbers"
		if g.Spent() <= budget {
			why = "links stay parallel at an angle that is no multiple of 15°, so the relations are numeric"
		}
		s.Warnings = append(s.Warnings, why)
	}
	g := newRegrouping(reals{}, func(v float64) float64 { return v }, s.Columns, len(links))
	for j := range r.Links {
		g.a[j], g.p[j] = r.Links[j].Placement.R, r.Links[j].Placement.P
	}
	g.run(links)
	if cl != nil {
		g.close(cl, s)
	}
	finish(s, g)
	return s, nil
}

// finish returns a set of the columns that the rules left.
func finish[T any](s *Set, g *regrouping[T]) {
	var relations [][]float64
	for c := range s.Columns {
		if g.gone[c] {
			continue
		}
		s.Base = append(s.Base, c)
		row := make([]float64, len(s.Columns))
		for _, e := range g.held[c] {
			row[e.col] = g.value(e.coef)
		}
		relations = append(relations, row)
	}
	s.fill(relations, func(int, int) float64 { return 1 })
}

// exact stores the coefficients as expressions where Beta is not zero.
func (s *Set) exact(held [][]entry[symbolic.Expr]) {
	at := make(map[int]int, len(s.Dependent))
	for d, c := range s.Dependent {
		at[c] = d
	}
	s.Exact = make([][]symbolic.Expr, len(s.Base))
	for k, c := range s.Base {
		s.Exact[k] = make([]symbolic.Expr, len(s.Dependent))
		for _, e := range held[c] {
			if d, ok := at[e.col]; ok && s.Beta[k][d] != 0 {
				s.Exact[k][d] = e.coef
			}
		}
	}
}

func reasons(links []shape, cols []regressor.Column) []string {
	out := make([]string, len(cols))
	for c := range cols {
		if cols[c].Drive == 0 {
			out[c] = links[cols[c].Link].reason(&cols[c])
		}
	}
	return out
}

// reals is the ring of floating-point numbers.
type reals struct{}

// Int returns n as a number of the ring.
func (reals) Int(n int) float64 { return float64(n) }

// Float returns x.
func (reals) Float(x float64) (float64, bool) { return x, true }

// Add returns a + b.
func (reals) Add(a, b float64) float64 { return a + b }

// Neg returns -a.
func (reals) Neg(a float64) float64 { return -a }

// Mul returns a·b.
func (reals) Mul(a, b float64) float64 { return a * b }

// Div returns a/b; b must not be zero.
func (reals) Div(a, b float64) float64 { return a / b }

// Zero reports whether a is exactly zero.
func (reals) Zero(a float64) bool { return a == 0 }

// Spent returns 0: numbers do not grow.
func (reals) Spent() int { return 0 }

// expressions is the ring of symbolic expressions. It counts the terms that it
// handles.
type expressions struct{ terms int }

// Int returns n as an expression.
func (*expressions) Int(n int) symbolic.Expr { return symbolic.Int(int64(n)) }

// Float returns the cosine of a multiple of π/12 that is x, and false if x is none.
func (*expressions) Float(x float64) (symbolic.Expr, bool) {
	k := math.Round(math.Acos(max(-1, min(1, x))) * 12 / math.Pi)
	if math.Abs(math.Cos(k*math.Pi/12)-x) > coincident {
		return symbolic.Expr{}, false
	}
	return symbolic.Cos(symbolic.Symbol("Pi").Mul(symbolic.Rat(int64(k), 12))), true
}

// Neg returns -a.
func (*expressions) Neg(a symbolic.Expr) symbolic.Expr { return a.Neg() }

// Div returns a/b; b must not be zero.
func (*expressions) Div(a, b symbolic.Expr) symbolic.Expr { return a.Div(b) }

// Zero reports whether a is identically zero.
func (*expressions) Zero(a symbolic.Expr) bool { return a.IsZero() }

// Spent returns the number of terms handled so far.
func (e *expressions) Spent() int { return e.terms }

// Add returns a + b and counts the terms of both.
func (e *expressions) Add(a, b symbolic.Expr) symbolic.Expr {
	e.terms += a.Terms() + b.Terms()
	return a.Add(b)
}

// Mul returns a·b and counts the products of terms.
func (e *expressions) Mul(a, b symbolic.Expr) symbolic.Expr {
	e.terms += a.Terms() * b.Terms() * max(1, min(a.Terms(), b.Terms()))
	return a.Mul(b)
}

// symbolRow holds the six parameters of a frame as expressions, in the order of
// robot.MDH.Text.
type symbolRow [6]symbolic.Expr

// symbolTable returns the geometry of a robot whose placements use symbols. It returns nil if none do or some link has
// no six parameters, and an error if an expression is too large to expand.
func symbolTable(r *robot.Robot) ([]symbolRow, error) {
	if len(r.GeometrySymbols()) == 0 {
		return nil, nil
	}
	table := make([]symbolRow, len(r.Links))
	for j := range r.Links {
		l := &r.Links[j]
		if l.MDH == nil {
			return nil, nil
		}
		values := [6]float64{l.MDH.Gamma, l.MDH.B, l.MDH.Alpha, l.MDH.D, l.MDH.Theta, l.MDH.R}
		for k, text := range l.MDH.Text {
			e, err := symbolic.Parse(text)
			if err != nil {
				return nil, fmt.Errorf("joint %q: %w", l.Joint.Name, err)
			}
			if k%2 == 0 && len(e.Symbols()) == 0 {
				e = snapped(e, values[k])
			}
			table[j][k] = e
		}
	}
	return table, nil
}

// snapped returns the multiple of π/12 to which a reader snapped an angle, or the angle as written if it did not.
func snapped(written symbolic.Expr, angle float64) symbolic.Expr {
	k := math.Round(angle * 12 / math.Pi)
	if math.Abs(angle-k*math.Pi/12) <= 4e-16*max(1, math.Abs(angle)) && math.Abs(k) < 1<<20 {
		return symbolic.Symbol("Pi").Mul(symbolic.Rat(int64(k), 12))
	}
	return written
}

// placement returns the rotation and the origin of the frame in its
// antecedent's at q = 0 (Khalil and Kleinfinger 1986).
func (t *symbolRow) placement() (a [3][3]symbolic.Expr, p [3]symbolic.Expr) {
	sg, cg := symbolic.Sin(t[0]), symbolic.Cos(t[0])
	sa, ca := symbolic.Sin(t[2]), symbolic.Cos(t[2])
	st, ct := symbolic.Sin(t[4]), symbolic.Cos(t[4])
	b, d, r := t[1], t[3], t[5]
	a = [3][3]symbolic.Expr{
		{cg.Mul(ct).Sub(sg.Mul(ca).Mul(st)), cg.Mul(st).Neg().Sub(sg.Mul(ca).Mul(ct)), sg.Mul(sa)},
		{sg.Mul(ct).Add(cg.Mul(ca).Mul(st)), cg.Mul(ca).Mul(ct).Sub(sg.Mul(st)), cg.Mul(sa).Neg()},
		{sa.Mul(st), sa.Mul(ct), ca},
	}
	p = [3]symbolic.Expr{d.Mul(cg).Add(r.Mul(a[0][2])), d.Mul(sg).Add(r.Mul(a[1][2])), r.Mul(ca).Add(b)}
	return a, p
}
