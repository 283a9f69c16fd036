// Command watch measures what ident watch promises, on arms whose bodies are known: false alarms by arm, noise and speed, and by draws of result,
// quiet logs and motion (rates); the delay of contacts at the tip and on two links beside a momentum observer with thresholds set by hand;
// payloads against their masses; what changed on a robot; friction that changes. Models come from fits of two minutes through the front door, and every motion but
// theirs is new.
//
//	go run -C studies ./watch [-hours H] [-first N] [-trials N] [-only ARM] [-part alarms|contacts|payloads|changed|drift|rates]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	hours := flag.Float64("hours", 100, "quiet hours of all arms together")
	first := flag.Float64("first", 0, "quiet hours, or draws of rates, to leave out: those that another run watches")
	trials := flag.Int("trials", 100, "draws of each contact, payload and change of friction")
	only := flag.String("only", "", "arms whose names and noises hold this")
	part := flag.String("part", "", "alarms, contacts, payloads, changed, drift or rates (of draws); all but the last by default")
	flag.Parse()
	run := func(ctx context.Context) error { return study(ctx, *hours, *first, *trials, *only, *part) }
	if *part == "rates" {
		run = func(ctx context.Context) error { return rates(ctx, int(*first), *trials, *hours) }
	}
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func study(ctx context.Context, hours, first float64, trials int, only, part string) error {
	for _, c := range classes() {
		if !strings.Contains(c.name+", "+c.noise, only) {
			continue
		}
		w, err := c.watched(ctx, 0, 2)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		fmt.Printf("\n%s, %s, %g Hz\n", c.name, c.noise, c.rate)
		for _, p := range []struct {
			name string
			run  func(context.Context) error
		}{
			{"alarms", func(ctx context.Context) error {
				return w.alarms(ctx, hours/float64(len(classes())), first/float64(len(classes())))
			}},
			{"contacts", func(ctx context.Context) error { return w.contacts(ctx, trials) }},
			{"payloads", func(ctx context.Context) error { return c.payloads(ctx, trials) }},
			{"changed", func(ctx context.Context) error { return w.changed(ctx, trials) }},
			{"drift", func(ctx context.Context) error { return w.drift(ctx, trials) }},
		} {
			if part == "" || part == p.name {
				if err := p.run(ctx); err != nil {
					return err
				}
			}
		}
		w.close()
	}
	return nil
}
