package main

import (
	"fmt"
	"strings"
	"time"

	"ident/identify/project"
)

// progressVariable is the environment variable that asks for progress as lines, for programs that start this one:
// "progress: STAGE DONE/TOTAL" on standard error.
const progressVariable = "IDENT_PROGRESS"

// progress draws one line on the terminal, rewritten in place; elsewhere it
// draws nothing, or prints lines where they are asked for.
type progress struct {
	s     streams
	last  time.Time
	drawn bool
}

// report shows how far a stage is. It draws at most ten times a second.
func (p *progress) report(stage string, done, total int) {
	if total <= 0 || !p.s.terminal && !p.s.steps {
		return
	}
	if p.s.steps {
		if now := time.Now(); now.Sub(p.last) >= 100*time.Millisecond || done == total {
			p.last = now
			fmt.Fprintf(p.s.screen, "progress: %s %d/%d\n", stage, done, total)
		}
		return
	}
	if now := time.Now(); now.Sub(p.last) >= 100*time.Millisecond {
		p.last, p.drawn = now, true
		const width = 24
		n := width * done / total
		fmt.Fprintf(p.s.screen, "\r%-12s [%s%s] %3d %%", stage, strings.Repeat("=", n), strings.Repeat(" ", width-n), 100*done/total)
	}
}

// observer tells of progress on the bar, and of doubts and decisions below it.
func (p *progress) observer() project.Observer {
	return project.Observer{Progress: p.report,
		Warn: func(text string) { p.end(); p.s.warn("%s", text) },
		Note: func(text string) { p.end(); p.s.note("%s", text) }}
}

// figures shows how far a search is that can be ended early, with its figures in place of a bar.
func (p *progress) figures(stage string, done, total int, figures string) {
	if p.s.steps {
		p.report(stage, done, total)
	} else if p.s.terminal {
		p.drawn = true
		fmt.Fprintf(p.s.screen, "\r\033[K%s %d/%d  %s  (Ctrl-C ends it)", stage, done, total, figures)
	}
}

// end clears the line.
func (p *progress) end() {
	if p.drawn {
		fmt.Fprint(p.s.screen, "\r\033[K")
		p.drawn = false
	}
}
