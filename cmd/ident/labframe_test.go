package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"ident/cmd/ident/internal/laboratory"
	"ident/internal/browser"
	"ident/internal/long"
)

// The frame of pages of results runs scripts for the laboratory alone, and never with an origin, whether the server sends
// headers or not. Any other page gets nothing into it.
func TestLaboratoryFrame(t *testing.T) {
	long.Only(t, "TestLab holds the headers that the frame comes with")
	b := browser.Start(t)
	folder := t.TempDir()
	frame, err := os.ReadFile("../../web/frame.html")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"index.html": "<p>here", "ident.wasm.gz": "", "frame.html": string(frame)} {
		write(t, filepath.Join(folder, name), text)
	}
	files, done, err := laboratory.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	lab, bare, foreign := httptest.NewServer(laboratory.Handler(files)), httptest.NewServer(http.FileServerFS(files)), httptest.NewServer(http.NotFoundHandler())
	for _, s := range []*httptest.Server{lab, bare, foreign} {
		defer s.Close()
	}
	// say posts a page into the frame, whose script answers with its origin to all windows above it.
	const say = `new Promise(done => {
		addEventListener('message', e => { if (e.data && e.data.answer) done(e.data.answer) });
		setTimeout(() => done('nothing'), %d);
		const f = document.createElement('iframe');
		%s
		f.onload = () => f.contentWindow.postMessage({title: 'x', html: '<script>for (let w = self; w !== top;) { w = w.parent; w.postMessage({answer: "ran as " + self.origin}, "*") }</' + 'script>'}, '*');
		f.src = %q;
		document.body.append(f);
	})`
	for _, c := range []struct{ about, page, frame, sandbox, want string }{
		{"the laboratory", lab.URL, lab.URL, "f.setAttribute('sandbox', 'allow-scripts')", "ran as null"},
		{"the laboratory without a sandbox", lab.URL, lab.URL, "", "ran as null"}, // the header has one
		{"the laboratory on another server", bare.URL, bare.URL, "f.setAttribute('sandbox', 'allow-scripts')", "ran as null"},
		{"another server without a sandbox", bare.URL, bare.URL, "", "nothing"},
		{"a foreign page", foreign.URL, lab.URL, "", "nothing"},
		{"a foreign page with a sandbox", foreign.URL, lab.URL, "f.setAttribute('sandbox', 'allow-scripts')", "nothing"},
		{"a foreign page of another server", foreign.URL, bare.URL, "", "nothing"},
		{"a foreign page of another server with a sandbox", foreign.URL, bare.URL, "f.setAttribute('sandbox', 'allow-scripts')", "nothing"},
		{"a foreign page with an origin", foreign.URL, bare.URL, "f.setAttribute('sandbox', 'allow-scripts allow-same-origin')", "nothing"},
	} {
		p := b.Open(t, c.page+"/", 800, 600)
		var got string
		wait := 1500 // ms, for an answer that must not come
		if c.want != "nothing" {
			wait = 30_000 // a browser that has just started is slow
		}
		p.Eval(fmt.Sprintf(say, wait, c.sandbox, c.frame+"/frame.html"), &got)
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.about, got, c.want)
		}
		p.Close()
	}
}

// Links out of the folder, hidden files and pipes are no files of a laboratory, and readers that take nothing hold no whole file.
func TestLaboratoryFiles(t *testing.T) {
	folder := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret.txt")
	write(t, secret, "secret")
	const size = 64 << 20
	for name, text := range map[string]string{"index.html": "<p>here", "ident.wasm.gz": "", "part/within.txt": "within"} {
		write(t, filepath.Join(folder, name), text)
	}
	large, err := os.Create(filepath.Join(folder, "large"))
	if err != nil {
		t.Fatal(err)
	}
	if err := large.Truncate(size); err != nil {
		t.Fatal(err)
	}
	large.Close()
	for name, to := range map[string]string{"absolute": secret, "folder": filepath.Dir(secret), "inner": filepath.Join("part", "within.txt")} {
		if err := os.Symlink(to, filepath.Join(folder, name)); err != nil {
			t.Skip(err)
		}
	}
	up, err := filepath.Rel(folder, secret)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(up, filepath.Join(folder, "relative")); err != nil {
		t.Fatal(err)
	}
	files, done, err := laboratory.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	server := httptest.NewServer(laboratory.Handler(files))
	defer server.Close()
	for path, want := range map[string]int{"absolute": 404, "relative": 404, "folder/secret.txt": 404, "inner": 200, "part/within.txt": 200, "part": 404} {
		got, err := http.Get(server.URL + "/" + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(got.Body)
		if got.Body.Close(); got.StatusCode != want || err != nil || strings.Contains(string(text), "secret\n") {
			t.Errorf("%s: %d, %q, %v", path, got.StatusCode, text, err)
		}
	}
	var before, during runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 20 {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
	}
	time.Sleep(100 * time.Millisecond)
	runtime.ReadMemStats(&during)
	if grown := during.TotalAlloc - before.TotalAlloc; grown > size/4 {
		t.Errorf("20 readers of %d bytes: %d bytes allocated", size, grown)
	}
}
