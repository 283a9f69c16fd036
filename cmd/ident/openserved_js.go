package main

import (
	"context"
	"syscall/js"

	"ident/cmd/ident/internal/opening"
)

// serveOpened hands the page of an opened log to the laboratory, and answers what the page asks until the laboratory ends
// the program.
func (s streams) serveOpened(ctx context.Context, session *opening.Session, _ bool) error {
	page, err := opening.Page(opening.Framed)
	if err != nil {
		return err
	}
	answer := js.FuncOf(func(_ js.Value, args []js.Value) any {
		name, value, reply := args[0].String(), args[1].String(), args[2]
		go func() {
			if text, err := session.Answer(ctx, name, value); err != nil {
				reply.Invoke(false, session.Words(err))
			} else {
				reply.Invoke(true, string(text))
			}
		}()
		return nil
	})
	defer answer.Release()
	js.Global().Call("serve", string(page), answer)
	<-ctx.Done()
	return nil
}
