package main

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ident/cmd/ident/internal/laboratory"
	"ident/internal/browser"
	"ident/internal/long"
)

var (
	labBuilt = flag.String("lab", "", "folder of a laboratory that is built already")
	labLook  = flag.String("lab-pictures", "", "folder into which TestLaboratory writes pictures of the page")
)

// lab is a laboratory in a browser, on a server that counts requests.
type lab struct {
	*browser.Page
	t        *testing.T
	address  string
	requests atomic.Int64
}

// labFolder builds the laboratory, or returns the one of -lab.
func labFolder(t *testing.T) string {
	t.Helper()
	if *labBuilt != "" {
		return *labBuilt
	}
	dir := t.TempDir()
	c := exec.Command("../../web/build", dir)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("web/build: %v\n%s", err, out)
	} else {
		t.Logf("%s", out)
	}
	return dir
}

// newLaboratory serves a folder.
func newLaboratory(t *testing.T, folder string) *lab {
	t.Helper()
	files, done, err := laboratory.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{t: t}
	handler := laboratory.Handler(files)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.requests.Add(1)
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		server.Close()
		if err := done(); err != nil {
			t.Error(err)
		}
	})
	l.address = server.URL + "/"
	return l
}

// open opens the page anew and waits until it takes files.
func (l *lab) open(b *browser.Browser) {
	l.t.Helper()
	l.Page = b.Open(l.t, l.address, 1280, 800)
	began := time.Now()
	l.wait("the program is loaded", `!document.getElementById('example').disabled`)
	l.t.Logf("loaded after %.1f s", time.Since(began).Seconds())
}

// wait waits two minutes for a condition.
func (l *lab) wait(about, condition string) {
	l.t.Helper()
	end := time.Now().Add(2 * time.Minute)
	for {
		var ok bool
		l.Eval(`Boolean(`+condition+`)`, &ok)
		if ok {
			return
		}
		if time.Now().After(end) {
			var text string
			l.Eval(`document.body.innerText`, &text)
			l.t.Fatalf("%s: not so: %s\n%s\n%s", about, condition, text, strings.Join(l.Problems(), "\n"))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

const (
	labIdle  = `document.getElementById('work').hidden && !document.getElementById('robot-words').textContent.includes('…')`
	labFound = `document.getElementById('findings-words').textContent`
)

func TestLaboratory(t *testing.T) {
	long.Only(t, "TestLab serves the page; the program in it is the one of all other tests")
	b := browser.Start(t)
	l := newLaboratory(t, labFolder(t))
	l.open(b)
	before := l.requests.Load()

	began := time.Now()
	l.Eval(`document.getElementById('example').click()`, nil)
	l.wait("findings", labFound+` && `+`document.getElementById('work').hidden`)
	t.Logf("first finding after %.2f s", time.Since(began).Seconds())
	l.wait("robot", labIdle)
	t.Logf("robot after %.2f s", time.Since(began).Seconds())
	began = time.Now()
	l.Eval(`document.getElementById('fit').click()`, nil)
	l.wait("fit", `!document.getElementById('results').hidden && document.getElementById('work').hidden`)
	t.Logf("fit after %.2f s", time.Since(began).Seconds())
	var text string
	l.Eval(`document.body.innerText`, &text)
	t.Log(text)
	l.picture("fit")
	if n := l.requests.Load() - before; n != 0 {
		t.Errorf("%d requests after loading", n)
	}
	for _, r := range l.Requests() {
		t.Log("request:", r)
	}
	for _, p := range l.Problems() {
		t.Error("console:", p)
	}
}

// picture writes a picture of the page where one was asked for.
func (l *lab) picture(name string) {
	if *labLook == "" {
		return
	}
	l.Eval(`new Promise(r => setTimeout(r, 500))`, nil)
	if err := os.WriteFile(filepath.Join(*labLook, name+".png"), l.Screenshot(true), 0o644); err != nil {
		l.t.Fatal(err)
	}
}
