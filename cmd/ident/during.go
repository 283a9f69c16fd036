package main

import (
	"fmt"
	"io"
	"time"
)

// during calls do; on a terminal it names the work from the first second on, and for how long it has gone on. Work that
// knows how far it is has a progress bar instead.
func (s streams) during(what string, do func() error) error {
	if !s.terminal {
		return do()
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	return announce(s.screen, what, tick.C, do)
}

// announce calls do and rewrites a line at each tick, which is gone when do is done.
func announce(w io.Writer, what string, ticks <-chan time.Time, do func() error) error {
	stop, gone := make(chan struct{}), make(chan struct{})
	began := time.Now()
	go func() {
		defer close(gone)
		shown := false
		for {
			select {
			case <-stop:
				if shown {
					fmt.Fprint(w, "\r\033[K")
				}
				return
			case now := <-ticks:
				shown = true
				fmt.Fprintf(w, "\r\033[K%s, %.0f s", what, now.Sub(began).Seconds())
			}
		}
	}()
	defer func() { // before anything else is printed
		close(stop)
		<-gone
	}()
	return do()
}
