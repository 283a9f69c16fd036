package symbolic

import (
	"context"
	"errors"
	"testing"
)

// Operations end within a few thousand of the end of their context, found or made; a panic of the builder is its own.
func TestWithin(t *testing.T) {
	for _, again := range []bool{false, true} {
		g := NewGraph()
		x := g.Input(Input{Name: "x"})
		ctx, cancel := context.WithCancel(t.Context())
		after := 0
		err := g.Within(ctx, func() {
			sum := x
			for k := range 50_000 {
				if k == 20_000 {
					cancel()
				} else if k > 20_000 {
					after++
				}
				y := g.Mul(sum, x)
				if !again {
					sum = y
				}
			}
		})
		if !errors.Is(err, context.Canceled) || after > every {
			t.Errorf("operations found again %v: %v, after %d further ones", again, err, after)
		}
		if err := g.Within(t.Context(), func() { g.Add(x, One) }); err != nil {
			t.Errorf("a later use: %v", err)
		}
	}
	defer func() {
		if r := recover(); r != "own" {
			t.Errorf("recovered %v", r)
		}
	}()
	_ = NewGraph().Within(t.Context(), func() { panic("own") })
}
