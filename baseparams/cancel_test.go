package baseparams

import (
	"context"
	"math/rand/v2"
	"testing"

	"ident/internal/canceltest"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/regressor"
)

// Searches for independent columns look at their context at every column and at every joint of the reduction, those of
// closed robots at every assembly too, and end by it.
func TestCancel(t *testing.T) {
	long.Only(t, "cmd/ident.TestCancelledCommands ends a command by its context")
	r := testrobot.Random(rand.New(rand.NewPCG(5, 5)), 8, false)
	m, err := regressor.NewDynamic(r, linksAndRotors)
	if err != nil {
		t.Fatal(err)
	}
	columns := len(m.Columns())
	sr400 := testrobot.SR400(t)
	of := func(find func(context.Context) (*Set, error)) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := find(ctx)
			return err
		}
	}
	for name, c := range map[string]struct {
		least int
		find  func(context.Context) error
	}{
		"QR": {columns + 8, of(func(ctx context.Context) (*Set, error) { return QRContext(ctx, m, Options{}) })},
		"rows": {columns, of(func(ctx context.Context) (*Set, error) {
			return QRContext(ctx, m, Options{Rows: []int{0, 3}})
		})},
		"floating": {columns + 8, of(func(ctx context.Context) (*Set, error) { return QRFloating(ctx, r, linksAndRotors, Options{}) })},
		"a wrench": {columns + 8, of(func(ctx context.Context) (*Set, error) {
			return QRWith(ctx, r, linksAndRotors, []int{AtBase}, Options{})
		})},
		"closed": {assemblies * len(sr400.Links), of(func(ctx context.Context) (*Set, error) { return QRLoops(ctx, sr400, linksAndRotors, Options{}) })},
		"ways of a loop": {assemblyStarts, func(ctx context.Context) error {
			_, err := Assemble(ctx, sr400, map[string]float64{"J2": 0.2, "J7": -1.3, "J4": 1}, Options{})
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) { canceltest.Everywhere(t, c.least, c.find) })
	}
}
