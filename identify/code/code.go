// Package code writes models of a robot as source text: it brings a robot of the settings, or the identified robot of a result,
// to package codegen, which builds programs, and to codegen/source, which writes them in a language.
//
// [Run] returns the files and a [Document] that names the programs with their arguments and numbers of operations. A robot with
// elastic joints has the dynamic models of links and motors; closed robots have their loops closed in the text, or are cut
// into a tree.
package code

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/codegen"
	"ident/codegen/source"
	"ident/identify/elastic"
	"ident/identify/project"
	"ident/mechanics/loops"
	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

// Generated is source text.
type Generated struct {
	Document *Document
	Files    []source.File
}

// Write writes the files into a folder, which is made if it is missing, and names them in the document. overwrite replaces
// files that ident did not write.
func (g *Generated) Write(folder string, overwrite bool) error {
	if err := source.WriteFiles(folder, g.Files, overwrite); err != nil {
		return err
	}
	for _, file := range g.Files {
		g.Document.Files = append(g.Document.Files, filepath.Join(folder, file.Name))
	}
	return nil
}

// NameOf returns the name of a module: the given one, otherwise that of the robot as an identifier.
func NameOf(given string, r *robot.Robot) string {
	if given != "" {
		return given
	}
	if name := source.Identifier(r.Name); name != "" {
		return name
	}
	return "robot"
}

// job is generated code on its way.
type job struct {
	Options
	project *project.Settings
	robot   *robot.Robot     // of the dynamic models: with elastic joints that of links and motors
	links   *robot.Robot     // of the kinematic models
	springs *elastic.Machine // nil for a rigid robot
	terms   []regressor.Term
	codegen codegen.Options
	values  map[string]float64 // numbers that replace arguments
	doc     *Document
}

// Run generates the code of the robot of the settings. The terms are those of the settings, otherwise the bodies alone; where the
// identified parameters of a result become numbers, those drives too that were identified.
func Run(ctx context.Context, s *project.Settings, opt Options) (*Generated, error) {
	if err := opt.complete(); err != nil {
		return nil, err
	}
	r, err := project.OpenRobot(s)
	if err != nil {
		return nil, err
	}
	terms, err := project.ParseTerms(s, []regressor.Term{regressor.Links})
	if err != nil {
		return nil, err
	}
	if r, err = project.Lock(r, s.Lock); err != nil {
		return nil, err
	}
	drives := driveTerms(r)
	if opt.Bake && len(s.Terms) == 0 && identified(s.Robot) {
		terms = append(terms, drives...)
	}
	opt.Name = NameOf(opt.Name, r)
	j := &job{Options: opt, project: s, links: r, terms: terms, values: map[string]float64{},
		doc: &Document{Schema: "ident.codegen/1", Robot: r.Name, Name: opt.Name, Base: opt.Base, Notes: append([]string{}, project.NoteTexts(r)...)}}
	if opt.Bake && opt.dynamic() {
		j.noteLeftOut(drives)
	}
	for _, step := range []func(context.Context) error{j.cutLoops, j.splitElastic, j.options, j.baseSet, j.bake} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	unit := source.Unit{Name: opt.Name, Maker: "ident " + project.Version}
	for _, name := range j.Models {
		p, err := j.program(ctx, name)
		if err != nil {
			return nil, err
		}
		if p != nil {
			unit.Programs = append(unit.Programs, p)
		}
	}
	files, err := j.write(ctx, unit)
	return &Generated{Document: j.doc, Files: files}, err
}

func (j *job) note(text string) { j.doc.Notes = append(j.doc.Notes, text) }

// cutLoops cuts the loops of a closed robot if it is asked for its tree.
func (j *job) cutLoops(context.Context) error {
	r := j.links
	if r.Closed() && j.Tree {
		r = r.Cut()
		j.note("the robot has closed loops: the models are of the tree that cutting them leaves, with the passive joints in q; driven torques are G'*tau, with G the derivative of q by the driven joints")
	}
	if r.Closed() && (j.Symbols || len(r.Unset) > 0) {
		return project.NewOptionError("robot %q: its loops are closed with numbers: leave out {symbols} and give each symbol of the geometry a value, {set} SYMBOL=VALUE (%s), or write the tree that cutting them leaves ({tree})",
			r.Name, strings.Join(slices.Sorted(maps.Keys(r.Symbols)), ", "))
	}
	j.links = r
	return nil
}

// splitElastic takes links and motors for a robot with elastic joints.
func (j *job) splitElastic(context.Context) (err error) {
	j.robot = j.links
	if j.springs, j.terms, err = twoSided(j.links, j.terms); err != nil {
		return err
	}
	if j.springs != nil {
		j.note(motorsNote(j.springs))
		j.robot = j.springs.Extended
	}
	j.doc.Terms = j.terms
	return nil
}

// options states what the programs have as arguments.
func (j *job) options(context.Context) error {
	r := j.robot
	j.codegen = codegen.Options{Terms: j.terms, Geometry: j.Symbols || len(r.Unset) > 0, Gravity: j.GravityArgument, Smooth: j.Smooth}
	if err := j.frame(&j.codegen, r); err != nil {
		return err
	}
	if len(r.ExternalLinks()) > 0 && len(j.External) == 0 || r.BaseMoves && !j.BaseMotion {
		j.note(fmt.Sprintf("the file has external wrenches (FX … CZ) or a moving base (W0 … VP0); %s file and %s make arguments of them", j.project.Called("external"), j.project.Called("base-motion")))
	}
	if j.codegen.Geometry && !j.Symbols {
		maps.Copy(j.values, r.Symbols)
	}
	return nil
}

// baseSet finds the base parameters. In general position, the values of symbols do not affect which parameters are
// independent.
func (j *job) baseSet(ctx context.Context) error {
	if !j.Base {
		return nil
	}
	generic, drawn, err := baseparams.Generic(j.robot, j.project.Seed)
	if err != nil {
		return err
	}
	if j.codegen.Base, err = numericBaseSet(ctx, generic, j.terms, j.project.Seed); err != nil {
		return err
	}
	if len(drawn) > 0 && j.Bake {
		return project.NewOptionError("{bake}: the base parameters depend on %s, which has no value; give it with {set} %[1]s=VALUE", slices.Sorted(maps.Keys(drawn))[0])
	}
	return nil
}

// bake takes numbers in place of dynamic parameters.
func (j *job) bake(context.Context) error {
	if !j.Bake {
		return nil
	}
	if err := bakedValues(j.values, j.robot, j.terms, j.codegen.Base); err != nil {
		return err
	}
	return springValues(j.values, j.springs, j.codegen.Base, j.terms)
}

// program builds the program of a model; nil if all models are asked for and the robot has none of this name.
func (j *job) program(ctx context.Context, name string) (*symbolic.Program, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	of, with := j.robot, j.codegen
	if j.springs != nil && codegen.Model(name).Kinematic() { // kinematics does not depend on the elastic joints: take the links alone
		of, with.Terms, with.Base = j.links, nil, nil
	}
	p, err := codegen.Build(ctx, codegen.Model(name), of, with)
	switch {
	case j.all && slices.ContainsFunc(foreign(), func(target error) bool { return errors.Is(err, target) }):
		j.note(fmt.Sprintf("%s is left out: %v", name, err))
		return nil, nil
	case errors.Is(err, loops.ErrNoFormulas):
		return nil, project.NewOptionError("%w; {tree} writes the tree that cutting them leaves", err)
	case err != nil:
		return nil, err
	}
	if len(j.Outputs) > 0 {
		if p, err = p.Select(ctx, j.Outputs); errors.Is(err, symbolic.ErrOutput) {
			return nil, project.NewOptionError("{outputs}: %w", err)
		} else if err != nil {
			return nil, err
		}
	}
	if j.doc.Parameters == nil {
		for _, in := range p.Inputs {
			if in.Kind == symbolic.Parameter {
				j.doc.Parameters = append(j.doc.Parameters, in.Name)
			}
		}
	}
	if len(j.values) > 0 {
		if p, err = p.Bind(ctx, j.values); err != nil {
			return nil, err
		}
	}
	p.Name = strings.ReplaceAll(name, "-", "_")
	j.doc.Models = append(j.doc.Models, Model{Model: name, Function: p.Name, Arguments: Arguments(p), Counts: p.Counts()})
	return p, nil
}

// foreign returns the errors of models that a robot does not have.
func foreign() []error {
	return []error{codegen.ErrDeterminant, codegen.ErrOpenOnly, codegen.ErrOutside, codegen.ErrLoopless, codegen.ErrElastic, codegen.ErrNoClosedForm, loops.ErrNoFormulas}
}

// write prints the programs in each language.
func (j *job) write(ctx context.Context, u source.Unit) ([]source.File, error) {
	var files []source.File
	for _, language := range j.Languages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if language == constraintsLanguage {
			file, err := codegen.Constraints(ctx, j.links, u, j.codegen)
			if err != nil {
				return nil, err
			}
			files = append(files, file)
			continue
		}
		list, err := source.Write(ctx, language, u)
		var bad *source.NameError
		if errors.As(err, &bad) {
			if bad.Name == j.Name {
				return nil, project.NewOptionError("%w; give another with {name}", err)
			}
			return nil, project.NewOptionError("%w; give it a value with {set} %s=VALUE, or rename it in the robot file", err, bad.Name)
		}
		if err != nil {
			return nil, err
		}
		files = append(files, list...)
	}
	if j.Vectors > 0 {
		file, err := source.Vectors(u, j.Vectors, j.project.Seed)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}
