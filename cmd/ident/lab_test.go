package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ident/cmd/ident/internal/interrupt"
)

// ident lab serves a folder, and the archive of a release, at the loopback address until Ctrl-C.
func TestLab(t *testing.T) {
	page, err := os.ReadFile("../../docs/browser.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"\n$ release/build --host lab\n", "\n$ ident lab dist/ident-lab-" + Version + ".zip\n"} {
		if !strings.Contains(string(page), line) {
			t.Errorf("docs/browser.md does not have the line %q", line)
		}
	}
	folder := t.TempDir()
	for name, text := range map[string]string{"index.html": "<p>here", "ident.wasm.gz": "\x1f\x8b", "frame.html": "", "lab.js": "1", "part/a.css": "p{}", ".git/config": "secret"} {
		write(t, filepath.Join(folder, name), text)
	}
	t.Chdir(t.TempDir())
	archive := filepath.Join("dist", "ident-lab-"+Version+".zip")
	writeZip(t, archive, "ident-lab-"+Version, folder)
	for _, from := range []string{folder, archive} {
		ctx, cancel := context.WithCancelCause(t.Context())
		in, out := io.Pipe()
		var errs bytes.Buffer
		ended := make(chan int, 1)
		go func() {
			ended <- run(ctx, []string{"lab", from, "--address"}, streams{out: out, err: &errs})
			out.Close()
		}()
		address, err := bufio.NewReader(in).ReadString('\n')
		if err != nil {
			t.Fatalf("%s: %v, %s", from, err, errs.String())
		}
		address = strings.TrimSpace(address)
		if !strings.HasPrefix(address, "http://127.0.0.1:") {
			t.Errorf("%s: served at %s", from, address)
		}
		for path, want := range map[string]struct {
			status     int
			kind, text string
		}{
			"":               {200, "text/html; charset=utf-8", "<p>here"},
			"index.html":     {200, "text/html; charset=utf-8", "<p>here"},
			"lab.js":         {200, "text/javascript; charset=utf-8", "1"},
			"part/a.css":     {200, "text/css; charset=utf-8", "p{}"},
			"ident.wasm.gz":  {200, "application/octet-stream", "\x1f\x8b"},
			"missing.js":     {404, "text/plain; charset=utf-8", "missing.js is no file of the laboratory\n"},
			"part":           {404, "text/plain; charset=utf-8", "part is no file of the laboratory\n"},
			".git/config":    {404, "text/plain; charset=utf-8", ".git/config is no file of the laboratory\n"},
			"%2e%2e/secrets": {404, "text/plain; charset=utf-8", "secrets is no file of the laboratory\n"},
		} {
			got, err := http.Get(address + path)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(got.Body)
			if err != nil || got.StatusCode != want.status || got.Header.Get("Content-Type") != want.kind || string(text) != want.text {
				t.Errorf("%s of %s: %d, %s, %q, %v", path, from, got.StatusCode, got.Header.Get("Content-Type"), text, err)
			}
			got.Body.Close()
		}
		for path, want := range map[string]string{"": "frame-ancestors 'none'", "lab.js": "frame-ancestors 'none'", "frame.html": "frame-ancestors 'self'; sandbox allow-scripts allow-modals"} {
			got, err := http.Head(address + path)
			if err != nil {
				t.Fatal(err)
			}
			if policy := got.Header.Get("Content-Security-Policy"); policy != want {
				t.Errorf("%s of %s: %s", path, from, policy)
			}
			got.Body.Close()
		}
		for host, want := range map[string]int{"localhost:1": 200, "127.0.0.1": 200, "[::1]:80": 200, "example.org": 421, "127.0.0.1.example.org:80": 421, "192.168.1.1": 421} {
			r, err := http.NewRequest(http.MethodGet, address, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = host
			got, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			if got.Body.Close(); got.StatusCode != want {
				t.Errorf("host %s: %d", host, got.StatusCode)
			}
		}
		if got, err := http.Post(address, "text/plain", nil); err != nil || got.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("a POST: %v, %v", got, err)
		} else {
			got.Body.Close()
		}
		cancel(interrupt.By{Signal: syscall.SIGINT})
		if code := <-ended; code != exitDone {
			t.Errorf("%s: exit code %d after Ctrl-C: %s", from, code, errs.String())
		}
		if _, err := http.Get(address); err == nil {
			t.Errorf("%s is served after the end", from)
		}
	}
	write(t, "half.zip", "PK\x03\x04")
	write(t, filepath.Join("other", "index.html"), "")
	for path, want := range map[string]string{
		"missing": "missing is no laboratory", "half.zip": "half.zip is no laboratory: zip", "other": "ident.wasm.gz", folder + "/lab.js": "zip",
	} {
		var errs bytes.Buffer
		if code := run(t.Context(), []string{"lab", path, "--address"}, streams{out: io.Discard, err: &errs}); code != exitFailed || !strings.Contains(errs.String(), want) || !strings.Contains(errs.String(), "of a release") {
			t.Errorf("%s: %d, %s", path, code, errs.String())
		}
	}
}

// write writes a file and makes the folders above it.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// writeZip packs the files of a folder below a prefix.
func writeZip(t *testing.T, path, prefix, folder string) {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if _, err := z.Create(prefix + "/"); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(folder, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		w, err := z.Create(prefix + strings.TrimPrefix(filepath.ToSlash(name), filepath.ToSlash(folder)))
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, path, b.String())
}
