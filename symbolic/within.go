package symbolic

import "context"

// every is the number of operations between two looks at a context: some hundred microseconds of work.
const every = 4096

// ended is the value that leaves Within out of the midst of building.
type ended struct{ err error }

// watch counts operations, and looks at a context every so often. The zero value never ends anything.
type watch struct {
	ctx  context.Context
	done int // operations
}

// step counts an operation, and panics with an ended where the context is done.
func (w *watch) step() {
	if w.done++; w.done%every == 0 && w.ctx != nil {
		if err := w.ctx.Err(); err != nil {
			panic(ended{err})
		}
	}
}

// Within runs build, which makes operations and programs of the graph. Once ctx is done, the next few thousand
// operations end it, and Within returns the error of ctx; the graph is of no use then. Models of a hundred joints
// have ten million operations.
func (g *Graph) Within(ctx context.Context, build func()) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	outer := g.watch
	g.watch = watch{ctx: ctx}
	defer func() {
		g.watch = outer
		switch r := recover().(type) {
		case nil:
		case ended:
			err = r.err
		default:
			panic(r)
		}
	}()
	build()
	return nil
}
