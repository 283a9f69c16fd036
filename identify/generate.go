package identify

import (
	"context"
	"fmt"

	"ident/codegen"
	"ident/codegen/source"
	"ident/identify/code"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/symbolic"
	"ident/watch"
)

// GenerateOptions are the options of generated code.
type GenerateOptions = code.Options

// Generate writes models of the robot of the settings as source text without any library beneath it.
func Generate(ctx context.Context, s *project.Settings, opt GenerateOptions) (*code.Generated, error) {
	return code.Run(ctx, s, opt)
}

// GenerateObserver returns code in languages c and cpp that supervises a robot by a result: the observer's step with the result's parameters
// as numbers, and the tests with their thresholds.
func GenerateObserver(ctx context.Context, dir, name string, languages []string, opt WatchOptions, seals folder.Seals) (*code.Generated, error) {
	saved, err := OpenResult(dir, seals)
	if err != nil {
		return nil, fmt.Errorf("the model \"observer\" is made from the result of a fit; give one: %w", err)
	}
	m, err := saved.WatchModel()
	if err != nil {
		return nil, err
	}
	noise, err := saved.Noise(ctx, m, opt)
	if err != nil {
		return nil, err
	}
	w, err := watch.New(m, noise, opt.Options)
	if err != nil {
		return nil, err
	}
	f := saved.Fitted
	if len(f.Settings.Known) > 0 {
		return nil, fmt.Errorf("%s: the observer in C cannot be written for a result with known parameters", dir)
	}
	p, err := codegen.Build(ctx, codegen.ObserverStep, m.Robot, codegen.Options{Terms: f.Terms, Base: f.Set})
	if err != nil {
		return nil, err
	}
	values := map[string]float64{}
	for k, v := range f.X {
		values[f.Set.Name(k)] = v
	}
	if p, err = p.Bind(ctx, values); err != nil {
		return nil, err
	}
	p.Name = "observer_step"
	name = code.NameOf(name, m.Robot)
	doc := &code.Document{Schema: "ident.codegen/1", Robot: m.Robot.Name, Name: name, Base: true, Terms: f.Terms,
		Notes:  []string{fmt.Sprintf("thresholds for %g false alarms an hour, from %.3g s of quiet logs at %.4g Hz", opt.FalseAlarms, noise.Seconds, noise.RateHz)},
		Models: []code.Model{{Model: "observer", Function: p.Name, Arguments: code.Arguments(p), Counts: p.Counts()}}}
	var files []source.File
	for _, language := range languages {
		list, err := source.Write(ctx, language, source.Unit{Name: name, Maker: "ident " + project.Version, Programs: []*symbolic.Program{p}})
		if err != nil {
			return nil, err
		}
		files = append(files, list...)
		switch language {
		case "c":
			header, body := w.C(name)
			files = append(files, source.File{Name: name + "_watch.h", Text: header}, source.File{Name: name + "_watch.c", Text: body})
		case "cpp":
			files = append(files, source.File{Name: name + "_watch.hpp", Text: w.Cpp(name)})
		default:
			return nil, project.NewOptionError("{lang} %s: the model observer is written in c and cpp", language)
		}
	}
	return &code.Generated{Document: doc, Files: files}, nil
}
