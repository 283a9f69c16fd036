//go:build !js

package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"ident/cmd/ident/internal/laboratory"
	"ident/cmd/ident/internal/opening"
)

// serveOpened serves an opened log until the command is interrupted.
func (s streams) serveOpened(ctx context.Context, session *opening.Session, addressOnly bool) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("cannot serve the page on this computer: %w", err)
	}
	token := opening.NewToken()
	handler, err := opening.Handler(session, listener.Addr().String(), token)
	if err != nil {
		return err
	}
	// The token stands behind #, which a browser keeps to itself.
	at := fmt.Sprintf("http://%s/#%s", listener.Addr(), token)
	fmt.Fprintf(s.out, "%s\n", at)
	if !addressOnly && !laboratory.Browse(at) {
		s.note("no browser was found: open the address in one on this computer")
	}
	s.note("Ctrl-C ends it")
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving the page: %w", err)
	case <-ctx.Done():
	}
	return server.Close()
}
