package codegen

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"ident/codegen/source"
	"ident/internal/canceltest"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/symbolic"
)

// Programs and their text end by the context, and look at it every few thousand operations.
func TestCancel(t *testing.T) {
	long.Only(t, "cmd/ident.TestCancelledCommands ends a command by its context")
	const joints = 20
	r := testrobot.Random(rand.New(rand.NewPCG(5, 5)), joints, false)
	p, err := Build(t.Context(), Lagrange, r, Options{})
	if err != nil {
		t.Fatal(err)
	}
	// Each operation of the program was made once at least, and lowered once.
	least := 2 * len(p.Code) / 4096
	canceltest.Everywhere(t, least, func(ctx context.Context) error {
		p, err := Build(ctx, Lagrange, r, Options{})
		if (p == nil) != (err != nil) {
			return fmt.Errorf("a program %v beside the error %v", p != nil, err)
		}
		return err
	})
	values := map[string]float64{}
	for _, in := range p.Inputs {
		if in.Kind == symbolic.Parameter {
			values[in.Name] = 1
		}
	}
	canceltest.Everywhere(t, len(p.Code)/4096, func(ctx context.Context) error {
		_, err := p.Bind(ctx, values)
		return err
	})
	u := source.Unit{Name: "arm", Programs: []*symbolic.Program{p}}
	for _, language := range source.Languages() {
		if language == "go" && !long.Set() {
			continue // the formatter takes longer than all the rest
		}
		canceltest.Everywhere(t, len(p.Code)/4096, func(ctx context.Context) error {
			files, err := source.Write(ctx, language, u)
			if (files == nil) != (err != nil) {
				return fmt.Errorf("%s: %d files beside the error %w", language, len(files), err)
			}
			return err
		})
	}
}
