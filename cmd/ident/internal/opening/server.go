package opening

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"time"

	"ident/identify/project"
	"ident/report"
)

//go:embed page
var pageFiles embed.FS

// TokenHeader is the header of a request that carries the token of the address.
const TokenHeader = "X-Ident-Token"

// NewToken returns 128 random bits as text.
func NewToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

const (
	// mostBody is the largest request, in bytes: the edits of a log of a thousand channels.
	mostBody = 1 << 20
	// longPoll is the time after which a request for the next document is answered by the present one.
	longPoll = 20 * time.Second
)

// Handler serves a session to this computer's browser. The page itself holds nothing of the log. Every other request must
// have the token in its header, which a page of another origin cannot send, and a host and an origin of the address.
// GET changes nothing.
func Handler(s *Session, host, token string) (http.Handler, error) {
	page, err := pageText()
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	guarded := func(pattern string, serve func(w http.ResponseWriter, r *http.Request) error) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if subtle.ConstantTimeCompare([]byte(r.Header.Get(TokenHeader)), []byte(token)) != 1 {
				http.Error(w, "the token of the address is missing: open the address that ident open printed", http.StatusForbidden)
				return
			}
			r.Body = http.MaxBytesReader(w, r.Body, mostBody)
			switch err := serve(w, r); {
			case errors.Is(err, ErrChanged):
				http.Error(w, err.Error(), http.StatusConflict)
			case err != nil:
				http.Error(w, s.words(err), http.StatusUnprocessableEntity)
			}
		})
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page) // the reader may leave
	})
	guarded("GET /document", func(w http.ResponseWriter, r *http.Request) error {
		since, err := strconv.Atoi(r.FormValue("since"))
		if err != nil {
			since = -1
		}
		ctx, cancel := context.WithTimeout(r.Context(), longPoll)
		defer cancel()
		return writeJSON(w, s.Document(ctx, since))
	})
	guarded("GET /curves", func(w http.ResponseWriter, _ *http.Request) error {
		d := s.Curves()
		if d == nil {
			return writeJSON(w, nil)
		}
		return writeJSON(w, map[string]any{"figure": d.Figure, "series": d.Series})
	})
	guarded("GET /robot", func(w http.ResponseWriter, _ *http.Request) error { return writeJSON(w, s.Robot()) })
	guarded("GET /report", func(w http.ResponseWriter, _ *http.Request) error { return writeJSON(w, s.Page()) })
	guarded("POST /settings", func(w http.ResponseWriter, r *http.Request) error {
		var asked struct{ Edits, Declined []Edit }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			return fmt.Errorf("the settings cannot be read: %w", err)
		}
		return writeJSON(w, s.Change(asked.Edits, asked.Declined))
	})
	shown := func(act func(sum string) error) func(w http.ResponseWriter, r *http.Request) error {
		return func(w http.ResponseWriter, r *http.Request) error {
			var asked struct{ Sum string }
			if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
				return fmt.Errorf("the request cannot be read: %w", err)
			}
			if err := act(asked.Sum); err != nil {
				return err
			}
			return writeJSON(w, true)
		}
	}
	guarded("POST /write", shown(s.Write))
	guarded("POST /fit", shown(s.Fit))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
		origin := r.Header.Get("Origin")
		switch {
		case r.Host != host: // another name is a page elsewhere that was led here
			http.Error(w, "the page is at "+host+" only", http.StatusMisdirectedRequest)
		case origin != "" && origin != "http://"+host, r.Method == http.MethodPost && origin == "":
			http.Error(w, "the request is of another page", http.StatusForbidden)
		default:
			mux.ServeHTTP(w, r)
		}
	}), nil
}

func writeJSON(w http.ResponseWriter, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text) // the reader may leave
	return nil
}

// pageText returns the page, which is the same for every log.
func pageText() ([]byte, error) {
	style, script, err := report.Assets()
	if err != nil {
		return nil, fmt.Errorf("the page of a log: %w", err)
	}
	t, err := template.ParseFS(pageFiles, "page/open.tmpl")
	if err != nil {
		return nil, fmt.Errorf("the page of a log: %w", err)
	}
	own, err := pageFiles.ReadFile("page/open.css")
	if err != nil {
		return nil, fmt.Errorf("the page of a log: %w", err)
	}
	act, err := pageFiles.ReadFile("page/open.js")
	if err != nil {
		return nil, fmt.Errorf("the page of a log: %w", err)
	}
	var b bytes.Buffer
	err = t.Execute(&b, struct {
		Version string
		Style   template.CSS
		Script  template.JS
	}{project.Version, template.CSS(style + string(own)), template.JS(script + string(act))})
	return b.Bytes(), err
}
