package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ident/codegen"
	"ident/codegen/source"
	"ident/identify"
	"ident/identify/project"
	"ident/symbolic"
	"ident/watch"
)

// writeObserver runs ident codegen RESULT --model observer.
func writeObserver(c *cobra.Command, s streams, folder, out string, ch codegenChoice, alarms string, quiet []string, asJSON bool) error {
	opt := identify.WatchOptions{Quiet: quiet}
	var err error
	if opt.FalseAlarms, err = alarmRate(alarms); err != nil {
		return usagef("--false-alarms: %w", err)
	}
	for _, language := range ch.languages {
		if language != "c" && language != "cpp" {
			return usagef("--lang: the model observer is written in c and cpp")
		}
	}
	var doc *codegenDoc
	var files []source.File
	if err := s.during("measuring the noise, making the observer", func() (err error) {
		doc, files, err = generateObserver(c.Context(), folder, ch.name, ch.languages, opt, s.inUse.seals)
		return err
	}); err != nil {
		return err
	}
	return finishCodegen(c, s, out, doc, files, asJSON)
}

// generateObserver returns C or C++ code that supervises a robot by a result: the observer's step with the result's parameters
// as numbers, and the tests with their thresholds.
func generateObserver(ctx context.Context, folder, name string, languages []string, opt identify.WatchOptions, seals project.Seals) (*codegenDoc, []source.File, error) {
	saved, err := identify.OpenResult(folder, seals)
	if err != nil {
		return nil, nil, fmt.Errorf("the model observer is that of a result: %w", err)
	}
	m, err := saved.WatchModel()
	if err != nil {
		return nil, nil, err
	}
	noise, err := saved.Noise(ctx, m, opt)
	if err != nil {
		return nil, nil, err
	}
	w, err := watch.New(m, noise, opt.Options)
	if err != nil {
		return nil, nil, err
	}
	f := saved.Fitted
	if len(f.Settings.Known) > 0 {
		return nil, nil, fmt.Errorf("%s: no observer in C of a result with known parameters", folder)
	}
	p, err := codegen.Build(ctx, codegen.ObserverStep, m.Robot, codegen.Options{Terms: f.Terms, Base: f.Set})
	if err != nil {
		return nil, nil, err
	}
	values := map[string]float64{}
	for k, v := range f.X {
		values[f.Set.Name(k)] = v
	}
	if p, err = p.Bind(ctx, values); err != nil {
		return nil, nil, err
	}
	p.Name = "observer_step"
	if name == "" {
		if name = source.Identifier(m.Robot.Name); name == "" {
			name = "robot"
		}
	}
	doc := &codegenDoc{Schema: "ident.codegen/1", Robot: m.Robot.Name, Name: name, Base: true, Terms: f.Terms,
		Notes:  []string{fmt.Sprintf("thresholds for %g false alarms an hour, from %.3g s of quiet logs at %.4g Hz", opt.FalseAlarms, noise.Seconds, noise.RateHz)},
		Models: []codegenModel{{Model: "observer", Function: p.Name, Arguments: programArguments(p), Counts: p.Counts()}}}
	var files []source.File
	for _, language := range languages {
		list, err := source.Write(ctx, language, source.Unit{Name: name, Maker: "ident " + Version, Programs: []*symbolic.Program{p}})
		if err != nil {
			return nil, nil, err
		}
		files = append(files, list...)
		if language == "cpp" {
			files = append(files, source.File{Name: name + "_watch.hpp", Text: w.Cpp(name)})
			continue
		}
		header, body := w.C(name)
		files = append(files, source.File{Name: name + "_watch.h", Text: header}, source.File{Name: name + "_watch.c", Text: body})
	}
	return doc, files, nil
}
