// Package laboratory serves the browser laboratory: a folder of static files, or the archive of a release that holds it.
package laboratory

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path"
	"runtime"
	"strings"
	"time"
)

// needed are files that every laboratory has.
var needed = [...]string{"index.html", "ident.wasm.gz"}

// Open returns the files of a laboratory from its folder or its archive, and a function that closes them. It is an error
// that names the missing file if path holds something else.
func Open(name string) (files fs.FS, done func() error, err error) {
	wrong := func(err error) (fs.FS, func() error, error) {
		return nil, nil, fmt.Errorf("%s is no laboratory: %w; give the folder or the archive ident-lab-VERSION.zip of a release", name, err)
	}
	info, err := os.Stat(name)
	if err != nil {
		return wrong(err)
	}
	files, done = os.DirFS(name), func() error { return nil }
	if !info.IsDir() {
		archive, err := zip.OpenReader(name)
		if err != nil {
			return wrong(err)
		}
		files, done = archive, archive.Close
	}
	if inner, err := fs.ReadDir(files, "."); err == nil && len(inner) == 1 && inner[0].IsDir() {
		if files, err = fs.Sub(files, inner[0].Name()); err != nil {
			return wrong(errors.Join(err, done()))
		}
	}
	for _, file := range needed {
		if _, err := fs.Stat(files, file); err != nil {
			return wrong(errors.Join(err, done()))
		}
	}
	return files, done, nil
}

// types are the content types of the files. They do not depend on the system's table.
var types = map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".json": "application/json"}

// Handler serves files to GET and HEAD. A browser must ask again for each of them, so that another release is seen at once.
func Handler(files fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		if name == "" {
			name = "index.html"
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "the laboratory only hands out files", http.StatusMethodNotAllowed)
			return
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			http.Error(w, name+" is no file of the laboratory", http.StatusNotFound)
			return
		}
		kind := types[path.Ext(name)]
		if kind == "" {
			kind = "application/octet-stream"
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	})
}

// Browse opens an address in the user's browser and reports whether there is one. On Linux that needs a desktop.
func Browse(address string) bool {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	default:
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return false
		}
	}
	c := exec.Command(name, args...)
	if c.Start() != nil {
		return false
	}
	go func() { _ = c.Wait() }()
	return true
}
