// Package laboratory serves the browser laboratory: a folder of static files, or the archive of a release that holds it.
package laboratory

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// needed are files that every laboratory has.
var needed = [...]string{"index.html", "ident.wasm.gz"}

// Open returns the files of a laboratory from its folder or its archive, and a function that closes them. It is an error
// that names the missing file if path holds something else. A link that leads out of the folder is no file of it.
func Open(name string) (files fs.FS, done func() error, err error) {
	wrong := func(err error) (fs.FS, func() error, error) {
		return nil, nil, fmt.Errorf("%s is no laboratory: %w; give the folder or the archive ident-lab-VERSION.zip of a release", name, err)
	}
	info, err := os.Stat(name)
	if err != nil {
		return wrong(err)
	}
	if info.IsDir() {
		root, err := os.OpenRoot(name)
		if err != nil {
			return wrong(err)
		}
		files, done = root.FS(), root.Close
	} else {
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

// readers is the number of files that are handed out at a time: a browser opens six connections to a server, so that two pages load
// at once. Further requests wait.
const readers = 12

// Serving is the time after which a request that its reader does not take is dropped. A laboratory of 22 MB takes a tenth of a
// second on the computer itself.
const Serving = time.Minute

// ownFrame is the page in which the pages of results are shown. Its scripts are a result's, so it has no origin, and no page but
// the laboratory's shows it.
const ownFrame = "frame.html"

// Handler serves files to GET and HEAD, to this computer's names only: another name is a page elsewhere that was led here.
// A browser must ask again for each file, so that another release is seen at once.
func Handler(files fs.FS) http.Handler {
	places := make(chan struct{}, readers)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Content-Security-Policy", "frame-ancestors 'none'")
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		switch name {
		case "":
			name = "index.html"
		case ownFrame:
			h.Set("Content-Security-Policy", "frame-ancestors 'self'; sandbox allow-scripts allow-modals")
		}
		if !local(r.Host) {
			http.Error(w, "the laboratory is at 127.0.0.1 and localhost only", http.StatusMisdirectedRequest)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "the laboratory only serves files: ask with GET or HEAD", http.StatusMethodNotAllowed)
			return
		}
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
		case <-r.Context().Done():
			return
		}
		content, info, err := open(files, name)
		if err != nil {
			http.Error(w, name+" is no file of the laboratory", http.StatusNotFound)
			return
		}
		defer content.Close()
		kind := types[path.Ext(name)]
		if kind == "" {
			kind = "application/octet-stream"
		}
		h.Set("Content-Type", kind)
		h.Set("Cache-Control", "no-cache")
		if seeker, ok := content.(io.ReadSeeker); ok {
			http.ServeContent(w, r, name, time.Time{}, seeker)
			return
		}
		h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
		if r.Method == http.MethodGet {
			_, _ = io.Copy(w, content) // the reader may leave
		}
	})
}

// local reports whether the host of a request is a name of this computer itself.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// open opens a regular file whose path has no hidden part.
func open(files fs.FS, name string) (fs.File, fs.FileInfo, error) {
	if strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
		return nil, nil, fs.ErrNotExist
	}
	// It is asked before it is opened, since the opening of a pipe waits for its writer.
	info, err := fs.Stat(files, name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fs.ErrNotExist
	}
	f, err := files.Open(name)
	return f, info, err
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
