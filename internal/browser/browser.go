// Package browser drives a headless Chromium in tests of pages, over the DevTools protocol on two pipes
// (--remote-debugging-pipe): messages are JSON documents that end in a zero byte.
package browser

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is the longest wait for one answer: the first page of a cold start on a loaded machine takes seconds.
const patience = 60 * time.Second

// Browser is one running Chromium.
type Browser struct {
	to    io.Writer
	lock  sync.Mutex
	last  int
	wait  map[int]chan message
	page  map[string]*Page // by session
	trace chan message     // takes the events of a trace; nil without one
}

// message is a command, its answer or an event.
type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Start starts Chromium and stops it at the end of the test, which it skips where none is installed.
func Start(t testing.TB) *Browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium is installed: pages are not tested in a browser (Debian: apt-get install chromium)")
	}
	// The browser reads descriptor 3 and writes descriptor 4.
	in, to, err := os.Pipe()
	must(t, err)
	from, out, err := os.Pipe()
	must(t, err)
	c := exec.Command(path, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--no-first-run", "--disable-extensions",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
		"--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--user-data-dir="+t.TempDir(), "about:blank")
	c.ExtraFiles = []*os.File{in, out}
	must(t, c.Start())
	must(t, errors.Join(in.Close(), out.Close()))
	b := &Browser{to: to, wait: map[int]chan message{}, page: map[string]*Page{}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.read(from)
	}()
	t.Cleanup(func() {
		_, _ = b.call("", "Browser.close", nil)
		exited := make(chan error, 1)
		go func() { exited <- c.Wait() }()
		select {
		case <-exited:
		case <-time.After(patience):
			_ = c.Process.Kill()
			<-exited
		}
		_ = to.Close()
		_ = from.Close()
		<-done
	})
	return b
}

// read hands out answers and events until the browser closes its end.
func (b *Browser) read(from io.Reader) {
	r := bufio.NewReaderSize(from, 1<<20)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			b.lock.Lock()
			for id, c := range b.wait {
				close(c)
				delete(b.wait, id)
			}
			b.lock.Unlock()
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		b.lock.Lock()
		if c, ok := b.wait[m.ID]; ok && m.ID != 0 {
			delete(b.wait, m.ID)
			c <- m
		} else if p := b.page[m.Session]; p != nil {
			p.event(m)
		} else if b.trace != nil && strings.HasPrefix(m.Method, "Tracing.") {
			b.trace <- m
		}
		b.lock.Unlock()
	}
}

// call sends a command and waits for its answer.
func (b *Browser) call(session, method string, params any) (json.RawMessage, error) {
	p, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	if params == nil {
		p = []byte("{}")
	}
	answer := make(chan message, 1)
	b.lock.Lock()
	b.last++
	m := message{ID: b.last, Session: session, Method: method, Params: p}
	b.wait[m.ID] = answer
	text, err := json.Marshal(m)
	if err == nil {
		_, err = b.to.Write(append(text, 0))
	}
	b.lock.Unlock()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	select {
	case got, ok := <-answer:
		switch {
		case !ok:
			return nil, fmt.Errorf("%s: the browser has gone", method)
		case got.Error != nil:
			return nil, fmt.Errorf("%s: %s", method, got.Error.Message)
		}
		return got.Result, nil
	case <-time.After(patience):
		return nil, fmt.Errorf("%s: no answer in %v", method, patience)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
