package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	// documentBound is the number of bytes of a document that are kept.
	documentBound = 32 << 20
	// messageBound is the number of messages of a run that are returned.
	messageBound = 40
	// ending is the time that a run has to end by itself. A design makes its final check in 5 s.
	ending = 7 * time.Second
)

// Runner runs the program: one run at a time, each in a process of its own, within limits.
type Runner struct {
	Program string        // the executable
	Name    string        // by which it is called
	Env     []string      // in addition to that of the server
	Time    time.Duration // of a run
	Folder  string        // in which it runs

	slot chan struct{} // holds one entry during a run
}

// outcome is how a run ended.
type outcome struct {
	code     int
	document []byte
	messages []string // lines of standard error
}

// run waits for its turn, and runs the program. Cancelling ctx ends the run. step is told of progress.
func (r *Runner) run(ctx context.Context, args []string, step func(stage string, done, total float64)) (outcome, error) {
	select {
	case r.slot <- struct{}{}:
	case <-ctx.Done():
		return outcome{}, errors.New("cancelled before the run began")
	}
	defer func() { <-r.slot }()
	limited, cancel := context.WithTimeout(ctx, r.Time)
	defer cancel()
	cmd := exec.CommandContext(limited, r.Program, args...)
	cmd.Args[0] = r.Name
	cmd.Dir = r.Folder
	cmd.Env = append(os.Environ(), r.Env...)
	var document bounded
	messages := messageLines{step: step}
	cmd.Stdout, cmd.Stderr = &document, &messages
	alive, err := cmd.StdinPipe() // whose end tells the run to end, on every system
	if err != nil {
		return outcome{}, err
	}
	cmd.Cancel = func() error { return alive.Close() }
	cmd.WaitDelay = ending
	err = cmd.Run()
	messages.end()
	out := outcome{code: cmd.ProcessState.ExitCode(), document: document.Bytes(), messages: messages.kept}
	switch {
	case ctx.Err() != nil:
		return out, errors.New("cancelled")
	case limited.Err() != nil:
		return out, fmt.Errorf("ended after %v: the time limit of a run (ident mcp --time-limit)", r.Time)
	case document.over:
		return out, fmt.Errorf("the document has more than %d MB", documentBound>>20)
	case err != nil && !errors.As(err, new(*exec.ExitError)):
		return out, err
	}
	return out, nil
}

// bounded keeps the beginning of what is written.
type bounded struct {
	bytes.Buffer
	over bool
}

// Write keeps p as far as there is room.
func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > documentBound {
		b.over = true
		return len(p), nil
	}
	return b.Buffer.Write(p)
}

// messageLines splits standard error into lines: progress, and the first messages.
type messageLines struct {
	step func(stage string, done, total float64)
	rest []byte
	kept []string
}

// progressLine is a line of progress, as IDENT_PROGRESS=lines asks for it.
var progressLine = regexp.MustCompile(`^progress: (.*) (\d+)/(\d+)$`)

// Write takes a part of the stream. A line that is longer than any message is cut.
func (m *messageLines) Write(p []byte) (int, error) {
	for _, c := range p {
		if c == '\n' {
			m.end()
		} else if len(m.rest) < 4096 {
			m.rest = append(m.rest, c)
		}
	}
	return len(p), nil
}

func (m *messageLines) end() {
	line := strings.TrimSpace(string(m.rest))
	m.rest = m.rest[:0]
	if p := progressLine.FindStringSubmatch(line); p != nil {
		done, _ := strconv.ParseFloat(p[2], 64)
		total, _ := strconv.ParseFloat(p[3], 64)
		m.step(p[1], done, total)
	} else if line != "" && len(m.kept) < messageBound {
		m.kept = append(m.kept, line)
	}
}
