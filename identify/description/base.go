package description

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/identify/project"
	"ident/internal/finite"
	"ident/regressor"
	"ident/robot"
)

// BaseDocument is the JSON document of ident base-params.
type BaseDocument struct {
	Schema     string                   `json:"schema"`
	Robot      string                   `json:"robot"`
	Terms      []regressor.Term         `json:"terms"`
	Count      int                      `json:"count"`
	Parameters []string                 `json:"parameters"`
	Eliminated []baseparams.Elimination `json:"eliminated"`
	// KnownZero are standard parameters that the robot file declares zero, so that they are no unknowns. Massless are
	// the links without mass, which have none.
	KnownZero []string              `json:"known_zero,omitempty"`
	Massless  []string              `json:"massless,omitempty"`
	Relations []baseparams.Relation `json:"relations"`
	Methods   baseparams.Methods    `json:"methods"`
	// Gap is the ratio between the weakest column kept and the strongest one dropped; null if none was dropped or the
	// method does not apply.
	Gap   GapDoc             `json:"gap"`
	Drawn map[string]float64 `json:"drawn"`
	// Measured names the measurements besides the joint torques.
	Measured []string            `json:"measured,omitempty"`
	Effects  []baseparams.Effect `json:"effects,omitempty"`
	Warnings []string            `json:"warnings"`
	Notes    []string            `json:"notes"`
}

// GapDoc are the gaps of the numerical methods.
type GapDoc struct {
	NullSpace *float64 `json:"null_space"`
	QR        *float64 `json:"qr"`
}

// BaseOptions say of what motion and measurements base parameters are found.
type BaseOptions struct {
	Wrench   bool // the force and the moment under the base are measured too
	Floating bool // the base moves freely and is a body with parameters of its own
	Effects  bool // list what sensors, gravity along another axis and locked joints would change
}

// A Base is the base parameters of a robot.
type Base struct {
	Document *BaseDocument
	Robot    *robot.Robot // with values for all symbols, and its joints locked
	Set      *baseparams.Set
	Owners   []string // of the parameters: link and, for drives, joint names
	Disagree bool     // null space and QR
}

// FindBase finds the base parameters of the robot of the settings by the methods that apply, and compares them. The terms
// are those of the settings, otherwise the bodies alone. Symbols of the geometry without a value get generic ones, drawn
// by the seed and named.
func FindBase(ctx context.Context, s *project.Settings, o BaseOptions) (*Base, error) {
	if o.Floating && (o.Wrench || o.Effects) {
		return nil, project.NewOptionError("{floating} is about another motion: leave out {base-wrench} and {effects}")
	}
	r, err := project.OpenRobot(s)
	if err != nil {
		return nil, err
	}
	terms, err := project.ParseTerms(s, []regressor.Term{regressor.Links})
	if err != nil {
		return nil, err
	}
	r, drawn, err := baseparams.Generic(r, s.Seed)
	if err != nil {
		return nil, err
	}
	if r, err = project.Lock(r, s.Lock); err == nil {
		err = project.CheckAnalysed(r)
	}
	if err != nil {
		return nil, err
	}
	b, err := findBase(ctx, r, terms, o, s.Seed)
	if err != nil {
		return nil, err
	}
	b.Document.draws(drawn, s)
	if o.Effects {
		b.Document.Effects, err = baseparams.Effects(ctx, r, terms, baseparams.Options{Seed: s.Seed})
	}
	return b, err
}

// baseMethod is a method that may not apply.
type baseMethod func(*robot.Robot, []regressor.Term, baseparams.Options) (*baseparams.Set, error)

// baseMethods are the methods that find base parameters of a motion and its measurements.
type baseMethods struct {
	qr               func() (*baseparams.Set, error)
	structure, rules baseMethod
	measured, notes  []string
}

func methodsOf(ctx context.Context, r *robot.Robot, m *regressor.Model, terms []regressor.Term, o BaseOptions, opt baseparams.Options) baseMethods {
	f := baseMethods{structure: baseparams.NullSpace, rules: baseparams.Symbolic}
	f.qr = func() (*baseparams.Set, error) { return baseparams.QRContext(ctx, m, opt) }
	if r.Closed() {
		f.qr = func() (*baseparams.Set, error) { return baseparams.QRLoops(ctx, r, terms, opt) }
	}
	if o.Wrench {
		at := []int{baseparams.AtBase}
		f.measured = []string{"base wrench"}
		f.qr = func() (*baseparams.Set, error) { return baseparams.QRWith(ctx, r, terms, at, opt) }
		f.structure = func(r *robot.Robot, terms []regressor.Term, opt baseparams.Options) (*baseparams.Set, error) {
			return baseparams.NullSpaceWith(r, terms, at, opt)
		}
		f.rules = func(*robot.Robot, []regressor.Term, baseparams.Options) (*baseparams.Set, error) {
			return nil, &baseparams.NotApplicableError{Method: "symbolic", Reason: "its rules are about joint torques alone, and the base wrench is measured too"}
		}
	}
	if o.Floating {
		f.qr = func() (*baseparams.Set, error) { return baseparams.QRFloating(ctx, r, terms, opt) }
		f.notes = append(f.notes, "the base moves freely, and is a body with parameters XX0 to M0")
		f.structure = baseparams.NullSpaceFloating
		f.rules = func(*robot.Robot, []regressor.Term, baseparams.Options) (*baseparams.Set, error) {
			return nil, &baseparams.NotApplicableError{Method: "symbolic", Reason: "its rules are about a fixed base"}
		}
	}
	return f
}

// findBase runs the methods that apply and compares them.
func findBase(ctx context.Context, r *robot.Robot, terms []regressor.Term, o BaseOptions, seed uint64) (*Base, error) {
	doc := &BaseDocument{Schema: "ident.base-params/1", Robot: r.Name, Terms: terms, Drawn: map[string]float64{}, Warnings: []string{}, Notes: []string{}}
	m, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, err
	}
	opt := baseparams.Options{Seed: seed}
	attempt := func(find baseMethod) (*baseparams.Set, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		set, err := find(r, terms, opt)
		var no *baseparams.NotApplicableError
		if errors.As(err, &no) {
			doc.Notes = append(doc.Notes, no.Error())
			return nil, nil
		}
		return set, err
	}
	find := methodsOf(ctx, r, m, terms, o, opt)
	doc.Measured, doc.Notes = find.measured, append(doc.Notes, find.notes...)
	qr, err := find.qr()
	if err != nil {
		return nil, err
	}
	nullSpace, err := attempt(find.structure)
	if err != nil {
		return nil, err
	}
	symbolic, err := attempt(find.rules)
	if err != nil {
		return nil, err
	}
	agreement := baseparams.Compare(symbolic, nullSpace, qr)
	doc.Count, doc.Methods = agreement.Count, agreement.Methods
	if nullSpace != nil {
		doc.Gap.NullSpace = finite.OrNil(nullSpace.Gap)
		doc.Warnings = append(doc.Warnings, nullSpace.Warnings...)
	}
	doc.Gap.QR = finite.OrNil(qr.Gap)
	doc.Warnings = append(doc.Warnings, qr.Warnings...)
	if symbolic != nil {
		doc.Notes = append(doc.Notes, symbolic.Warnings...)
	}
	if agreement.Disagree {
		doc.Warnings = append(doc.Warnings, agreement.Findings...)
	} else {
		doc.Notes = append(doc.Notes, agreement.Findings...)
	}
	// Symbolic relations are exact, provided that they agree with the structure.
	set := qr
	switch {
	case symbolic != nil && symbolic.Exact != nil && doc.Methods.Symbolic.Agrees:
		set = symbolic
	case nullSpace != nil:
		set = nullSpace
	}
	doc.Parameters, doc.Eliminated, doc.Relations = set.Names(), set.Eliminated(), set.Relations()
	doc.zeros(r, terms)
	out := &Base{Document: doc, Robot: r, Set: set, Disagree: agreement.Disagree}
	for _, b := range set.Base {
		out.Owners = append(out.Owners, set.Columns[b].Owner)
	}
	return out, nil
}

// zeros lists the parameters that the robot file declares zero, which count as eliminated, and the massless links.
func (doc *BaseDocument) zeros(r *robot.Robot, terms []regressor.Term) {
	for j := range r.Links {
		l := &r.Links[j]
		for _, kind := range l.KnownZero() {
			if term := regressor.Term(kind); !slices.Contains(terms, term) && (term == regressor.Ia || !slices.Contains(terms, regressor.Links)) {
				continue
			}
			name := robot.ParameterName(kind, j)
			doc.KnownZero = append(doc.KnownZero, name)
			doc.Eliminated = append(doc.Eliminated, baseparams.Elimination{Parameter: name, Reason: knownZero})
		}
		if l.Massless {
			doc.Massless = append(doc.Massless, l.Name)
		}
	}
}

// knownZero is the reason for eliminating a parameter that the robot file declares zero.
const knownZero = "known to be zero by the robot file"

// draws records the values that symbols were given.
func (doc *BaseDocument) draws(drawn map[string]float64, s *project.Settings) {
	var list []string
	for _, k := range slices.Sorted(maps.Keys(drawn)) {
		doc.Drawn[k] = drawn[k]
		list = append(list, fmt.Sprintf("%s = %.4g", k, drawn[k]))
	}
	if len(list) > 0 {
		doc.Notes = append(doc.Notes, fmt.Sprintf("symbols without a value were drawn (seed %d): %s; %s %s=VALUE gives them", s.Seed, strings.Join(list, ", "), s.Called("set"), slices.Sorted(maps.Keys(drawn))[0]))
	}
}
