package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"ident/baseparams"
	"ident/cmd/ident/internal/table"
	"ident/identify/project"
	"ident/internal/finite"
	"ident/regressor"
	"ident/robot"
)

// baseParamsDoc is the JSON document of ident base-params.
type baseParamsDoc struct {
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
	Gap   gapDoc             `json:"gap"`
	Drawn map[string]float64 `json:"drawn"`
	// Measured names the measurements besides the joint torques.
	Measured []string            `json:"measured,omitempty"`
	Effects  []baseparams.Effect `json:"effects,omitempty"`
	Warnings []string            `json:"warnings"`
	Notes    []string            `json:"notes"`

	set      *baseparams.Set
	owners   []string // of Parameters: link and, for drives, joint names
	disagree bool     // null space and QR
}

type gapDoc struct {
	NullSpace *float64 `json:"null_space"`
	QR        *float64 `json:"qr"`
}

func newBaseParams(s streams) *cobra.Command {
	f := s.flags()
	var opt baseParamsOptions
	c := &cobra.Command{
		Use:   "base-params ROBOT",
		Short: "find the base parameters of a robot and their regrouping relations",
		Long: `Find the smallest set of combinations of standard parameters that determines the
joint torques, which is what logs can identify at best: by the structure of the
robot (null space), numerically (QR), and by the symbolic rules, and compare them.

Symbols of the geometry without a value get generic ones, drawn from --seed and
named. The exit code is 3 when null space and QR disagree; gaps of the symbolic
rules, which are known to be incomplete, are only reported.

A robot with closed loops is treated by QR over states that keep the loops closed,
and by the rules for loops (docs/mechanisms.md); symbols without a value are drawn
until they close.

With --to the set is written instead: its relations as a LaTeX or CSV table, the
listing of SYMORO+ (regp), or the robot with the base parameters instead of
the standard ones (par), by symbols where the robot file lacks values. --explain
tells of one parameter whether it can be identified alone, in combination or not
at all, and why. --effects tells what sensors of force, gravity along another
axis and locked joints would change; --base-wrench finds the set for a robot on
a force and torque sensor, --floating that of one whose base moves freely and is
a body itself, with parameters XX0 to M0.`,
		Example: `  ident base-params arm.urdf
  ident base-params arm.urdf --terms links,Ia,Fv,Fs,Fo
  ident base-params scara.par --set D2=0.4 --json
  ident base-params arm.urdf --explain MX2
  ident base-params scara.par --to regp -o scara.regp`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			opt.json = f.json
			if err := opt.check(); err != nil {
				return err
			}
			var doc *baseParamsDoc
			var r *robot.Robot
			if err := s.during("finding the base parameters", func() (err error) {
				doc, r, err = baseParams(c.Context(), f, args[0], c.Flags().Changed("terms"), opt)
				return err
			}); err != nil {
				return err
			}
			if err := opt.present(s, doc, r); err != nil {
				return err
			}
			if doc.disagree {
				return errVerdict
			}
			return nil
		},
	}
	f.robotFlags(c)
	f.termsFlag(c, "links")
	f.settings(c, project.Random)
	f.jsonFlag(c)
	c.Flags().StringVar(&opt.to, "to", "", "write the set as latex, csv, regp or par")
	s.shell.Words(c, "to", baseFormats...)
	c.Flags().StringVarP(&opt.out, "output", "o", "", "file to write (default: standard output)")
	c.Flags().StringVar(&opt.explain, "explain", "", "tell why a parameter, MX3 say, can be identified or not")
	c.Flags().BoolVar(&opt.effects, "effects", false, "tell what sensors, gravity and locked joints would change")
	c.Flags().BoolVar(&opt.wrench, "base-wrench", false, "the force and the moment under the base are measured too")
	c.Flags().BoolVar(&opt.floating, "floating", false, "the base moves freely and is a body with parameters of its own")
	return c
}

// baseParamsOptions are the options of ident base-params that are no settings of a project.
type baseParamsOptions struct {
	to, out, explain          string
	wrench, effects, floating bool
	json                      bool
}

// check refuses options that contradict each other.
func (o *baseParamsOptions) check() error {
	instead := 0
	for _, given := range []bool{o.to != "", o.explain != "", o.effects || o.json} {
		if given {
			instead++
		}
	}
	switch {
	case o.to != "" && !slices.Contains(baseFormats, o.to):
		return usagef("--to %s: the formats are latex, csv, regp and par", o.to)
	case o.to == "" && o.out != "":
		return usagef("-o goes with --to latex, csv, regp or par")
	case instead > 1:
		return usagef("--to, --explain and --json or --effects each print something else: give one")
	case o.wrench && o.explain != "":
		return usagef("--explain is about joint torques alone: leave out --base-wrench")
	case o.wrench && o.effects:
		return usagef("--effects starts from joint torques alone, and has the base wrench in its list: leave out --base-wrench")
	case o.floating && (o.wrench || o.effects || o.explain != "" || o.to == "regp" || o.to == "par"):
		return usagef("--floating is about another motion, and has no place in SYMORO+ files: leave out --base-wrench, --effects, --explain, --to regp and --to par")
	}
	return nil
}

// baseParams reads the robot, draws values for symbols without one, and finds its base parameters. Terms of a project
// file are for fits: only those of the command line count.
func baseParams(ctx context.Context, f *flags, path string, termsGiven bool, o baseParamsOptions) (*baseParamsDoc, *robot.Robot, error) {
	r, p, err := f.oneRobot(path)
	if err != nil {
		return nil, nil, err
	}
	if !termsGiven {
		p.Terms = nil
	}
	terms, err := project.ParseTerms(p, []regressor.Term{regressor.Links})
	if err != nil {
		return nil, nil, err
	}
	r, drawn, err := baseparams.Generic(r, p.Seed)
	if err != nil {
		return nil, nil, err
	}
	if r, err = project.Lock(r, p.Lock); err == nil {
		err = project.CheckAnalysed(r)
	}
	if err != nil {
		return nil, nil, err
	}
	doc, err := findBase(ctx, r, terms, o.wrench, o.floating, p.Seed)
	if err != nil {
		return nil, nil, err
	}
	doc.draws(drawn, p.Seed)
	if o.effects {
		doc.Effects, err = baseparams.Effects(ctx, r, terms, baseparams.Options{Seed: p.Seed})
	}
	return doc, r, err
}

// present prints the document, or writes the file that replaces it.
func (o *baseParamsOptions) present(s streams, doc *baseParamsDoc, r *robot.Robot) error {
	switch {
	case o.to != "":
		return writeBase(s, doc, r, o.to, o.out)
	case o.explain != "":
		return explainBase(s, doc, o.explain)
	case o.json:
		return project.WriteJSON(s.data, doc)
	}
	return printBase(s, doc)
}

// findBase runs the methods that apply and compares them.
func findBase(ctx context.Context, r *robot.Robot, terms []regressor.Term, wrench, floating bool, seed uint64) (*baseParamsDoc, error) {
	doc := &baseParamsDoc{Schema: "ident.base-params/1", Robot: r.Name, Terms: terms, Drawn: map[string]float64{}, Warnings: []string{}, Notes: []string{}}
	m, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, err
	}
	opt := baseparams.Options{Seed: seed}
	attempt := func(find func(*robot.Robot, []regressor.Term, baseparams.Options) (*baseparams.Set, error)) (*baseparams.Set, error) {
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
	structure, rules := baseparams.NullSpace, baseparams.Symbolic
	findQR := func() (*baseparams.Set, error) { return baseparams.QRContext(ctx, m, opt) }
	if r.Closed() {
		findQR = func() (*baseparams.Set, error) { return baseparams.QRLoops(ctx, r, terms, opt) }
	}
	if wrench {
		at := []int{baseparams.AtBase}
		doc.Measured = []string{"base wrench"}
		findQR = func() (*baseparams.Set, error) { return baseparams.QRWith(ctx, r, terms, at, opt) }
		structure = func(r *robot.Robot, terms []regressor.Term, opt baseparams.Options) (*baseparams.Set, error) {
			return baseparams.NullSpaceWith(r, terms, at, opt)
		}
		rules = func(*robot.Robot, []regressor.Term, baseparams.Options) (*baseparams.Set, error) {
			return nil, &baseparams.NotApplicableError{Method: "symbolic", Reason: "its rules are about joint torques alone, and the base wrench is measured too"}
		}
	}
	if floating {
		findQR = func() (*baseparams.Set, error) { return baseparams.QRFloating(ctx, r, terms, opt) }
		doc.Notes = append(doc.Notes, "the base moves freely, and is a body with parameters XX0 to M0")
		structure = baseparams.NullSpaceFloating
		rules = func(*robot.Robot, []regressor.Term, baseparams.Options) (*baseparams.Set, error) {
			return nil, &baseparams.NotApplicableError{Method: "symbolic", Reason: "its rules are about a fixed base"}
		}
	}
	qr, err := findQR()
	if err != nil {
		return nil, err
	}
	nullSpace, err := attempt(structure)
	if err != nil {
		return nil, err
	}
	symbolic, err := attempt(rules)
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
	doc.set = set
	doc.Parameters, doc.Eliminated, doc.Relations = set.Names(), set.Eliminated(), set.Relations()
	doc.zeros(r, terms)
	for _, b := range set.Base {
		doc.owners = append(doc.owners, set.Columns[b].Owner)
	}
	doc.disagree = agreement.Disagree
	return doc, nil
}

// zeros lists the parameters that the robot file declares zero, which count as eliminated, and the massless links.
func (doc *baseParamsDoc) zeros(r *robot.Robot, terms []regressor.Term) {
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
func (doc *baseParamsDoc) draws(drawn map[string]float64, seed uint64) {
	var list []string
	for _, k := range slices.Sorted(maps.Keys(drawn)) {
		doc.Drawn[k] = drawn[k]
		list = append(list, fmt.Sprintf("%s = %.4g", k, drawn[k]))
	}
	if len(list) > 0 {
		doc.Notes = append(doc.Notes, fmt.Sprintf("symbols without a value were drawn (seed %d): %s; --set %s=VALUE gives them", seed, strings.Join(list, ", "), slices.Sorted(maps.Keys(drawn))[0]))
	}
}

func printBase(s streams, doc *baseParamsDoc) error {
	for _, w := range doc.Warnings {
		s.warn("%s", w)
	}
	terms := make([]string, len(doc.Terms))
	for i, t := range doc.Terms {
		terms[i] = string(t)
	}
	terms = append(terms, doc.Measured...)
	fmt.Fprintf(s.out, "%s: %d base parameters of %d (%s)\n\n", doc.Robot, doc.Count, len(doc.Parameters)+len(doc.Eliminated), strings.Join(terms, ", "))
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "base\tof\texpression\n")
	lead := 0 // columns before the expressions
	for k, rel := range doc.Relations {
		lead = max(lead, utf8.RuneCountInString(rel.Base)+utf8.RuneCountInString(doc.owners[k])+4)
	}
	for k, rel := range doc.Relations {
		for i, line := range table.Wrap(rel.Expression, max(table.Width-lead-2, 40)) {
			if i == 0 {
				fmt.Fprintf(t, "%s\t%s\t%s\n", rel.Base, doc.owners[k], line)
			} else {
				fmt.Fprintf(t, "\t\t  %s\n", line)
			}
		}
	}
	fmt.Fprint(t, "\neliminated\treason\n")
	for _, e := range doc.Eliminated[:len(doc.Eliminated)-len(doc.KnownZero)] {
		for i, line := range table.Wrap(e.Reason, max(table.Width-lead-2, 40)) {
			if i == 0 {
				fmt.Fprintf(t, "%s\t%s\n", e.Parameter, line)
			} else {
				fmt.Fprintf(t, "\t  %s\n", line)
			}
		}
	}
	fmt.Fprint(t, "\nmethod\tcount\tverdict\n")
	for _, m := range []struct {
		name string
		v    *baseparams.Verdict
	}{{"null space", doc.Methods.NullSpace}, {"QR", doc.Methods.QR}, {"symbolic rules", doc.Methods.Symbolic}} {
		switch {
		case m.v == nil:
			fmt.Fprintf(t, "%s\t-\tdoes not apply\n", m.name)
		case m.v.Agrees:
			fmt.Fprintf(t, "%s\t%d\tagrees\n", m.name, m.v.Count)
		default:
			fmt.Fprintf(t, "%s\t%d\tDIFFERS\n", m.name, m.v.Count)
		}
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the base parameters: %w", err)
	}
	if len(doc.KnownZero) > 0 {
		fmt.Fprintf(s.out, "\nknown to be zero, by the robot file\n  %s\n", strings.Join(table.Wrap(strings.Join(doc.KnownZero, ", "), table.Width-2), "\n  "))
	}
	if len(doc.Massless) > 0 {
		fmt.Fprintf(s.out, "\nwithout mass, by the robot file\n  %s\n", strings.Join(table.Wrap(strings.Join(doc.Massless, ", "), table.Width-2), "\n  "))
	}
	if doc.Effects != nil {
		if err := table.Effects(s.out, doc.Effects); err != nil {
			return err
		}
	}
	if len(doc.Notes) > 0 {
		fmt.Fprint(s.out, "\nnotes\n")
	}
	for _, n := range doc.Notes {
		fmt.Fprintf(s.out, "  %s\n", strings.Join(table.Wrap(n, table.Width-2), "\n    "))
	}
	return nil
}
