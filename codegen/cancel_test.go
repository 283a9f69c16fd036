package codegen

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"ident/codegen/source"
	"ident/internal/testrobot"
	"ident/robot"
	"ident/symbolic"
)

// looks is a context that is done at a look of its number, and counts.
type looks struct {
	context.Context
	left, count int
}

func (c *looks) Err() error {
	if c.count++; c.count > c.left {
		return context.Canceled
	}
	return nil
}

// Programs and their text end by the context at any look, and look often: a look stands for a few thousand operations.
func TestCancel(t *testing.T) {
	const joints, never = 20, 1 << 30
	r := testrobot.Random(rand.New(rand.NewPCG(5, 5)), joints, false)
	all := &looks{Context: t.Context(), left: never}
	p, err := Build(all, Lagrange, r, Options{})
	if err != nil {
		t.Fatal(err)
	}
	// Each operation of the program was made once at least, and lowered once.
	if least := 2 * len(p.Code) / 4096; all.count < least {
		t.Errorf("%d looks for %d operations, want %d", all.count, len(p.Code), least)
	}
	for _, left := range []int{0, 1, all.count / 2, all.count - 1} {
		if p, err := Build(&looks{Context: t.Context(), left: left}, Lagrange, r, Options{}); p != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("ended at look %d: %v", left+1, err)
		}
	}
	bind := map[string]float64{}
	for _, in := range p.Inputs {
		if in.Kind == symbolic.Parameter {
			bind[in.Name] = 1
		}
	}
	if q, err := p.Bind(&looks{Context: t.Context(), left: 3}, bind); q != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("values of parameters: %v", err)
	}
	u := source.Unit{Name: "arm", Programs: []*symbolic.Program{p}}
	for _, language := range source.Languages() {
		for _, left := range []int{0, 1, 3, 5} {
			if files, err := source.Write(&looks{Context: t.Context(), left: left}, language, u); files != nil || !errors.Is(err, context.Canceled) {
				t.Errorf("%s ended at look %d: %v", language, left+1, err)
			}
		}
	}
	if _, err := Build(t.Context(), "none", &robot.Robot{}, Options{}); err == nil {
		t.Error("a model of no name was built")
	}
}
