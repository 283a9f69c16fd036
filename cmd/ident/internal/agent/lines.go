package agent

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// mostLine is the longest message of a client, in bytes: a call names files and options.
const mostLine = 16 << 20

// The answers to lines that are no messages; JSON-RPC 2.0, section 5.1, gives them these numbers, and no id.
const (
	noText    = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: the line is no JSON text, or longer than 16 MiB; send one message a line"}}` + "\n"
	noMessage = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: the line is no message of JSON-RPC 2.0"}}` + "\n"
)

// Lines hands the messages of a client to a server. The server would end at a line that is no message: Lines does not hand it on, but
// answers it with an error.
type Lines struct {
	in   *bufio.Reader
	rest []byte

	mu  sync.Mutex
	out io.Writer
}

// NewLines reads messages from in, and writes them to out. Both ends of the server's transport must be the Lines.
func NewLines(in io.Reader, out io.Writer) *Lines {
	return &Lines{in: bufio.NewReaderSize(in, 64<<10), out: out}
}

// Read returns bytes of messages.
func (l *Lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.line()
		text := bytes.TrimSpace(line)
		switch {
		case len(text) == 0:
		case message(text):
			l.rest = append(text, '\n')
		case json.Valid(text):
			_, err = io.WriteString(l, noMessage)
		default:
			_, err = io.WriteString(l, noText)
		}
		if err != nil && len(l.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// message reports whether a line is a message, or a batch of some.
func message(text []byte) bool {
	var batch []json.RawMessage
	if text[0] != '[' {
		batch = append(batch, text)
	} else if json.Unmarshal(text, &batch) != nil {
		return false
	}
	for _, m := range batch {
		if _, err := jsonrpc.DecodeMessage(m); err != nil {
			return false
		}
	}
	return len(batch) > 0
}

// line returns the next line; "too long", which is no JSON text, for one of more than 16 MiB.
func (l *Lines) line() (line []byte, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		if len(line) <= mostLine {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case len(line) > mostLine:
			return []byte("too long"), err
		default:
			return line, err
		}
	}
}

// Write writes a message, whole.
func (l *Lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(p)
}

// Close leaves both ends open.
func (l *Lines) Close() error { return nil }
