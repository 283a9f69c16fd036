package main

import (
	"fmt"
	"strings"
	"time"
)

// progress draws one line on the terminal, rewritten in place; elsewhere it
// draws nothing.
type progress struct {
	s     streams
	last  time.Time
	drawn bool
}

// report shows how far a stage is. It draws at most ten times a second.
func (p *progress) report(stage string, done, total int) {
	if !p.s.terminal || total <= 0 {
		return
	}
	if now := time.Now(); now.Sub(p.last) >= 100*time.Millisecond {
		p.last, p.drawn = now, true
		const width = 24
		n := width * done / total
		fmt.Fprintf(p.s.screen, "\r%-12s [%s%s] %3d %%", stage, strings.Repeat("=", n), strings.Repeat(" ", width-n), 100*done/total)
	}
}

// line shows a free text in place of a bar.
func (p *progress) line(text string) {
	if p.s.terminal {
		p.drawn = true
		fmt.Fprintf(p.s.screen, "\r\033[K%s", text)
	}
}

// end clears the line.
func (p *progress) end() {
	if p.drawn {
		fmt.Fprint(p.s.screen, "\r\033[K")
		p.drawn = false
	}
}
