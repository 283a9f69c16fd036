//go:build !js

package opening

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"
)

// TokenHeader is the header of a request that carries the token of the address.
const TokenHeader = "X-Ident-Token"

// NewToken returns 128 random bits as text.
func NewToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// mostBody is the largest request, in bytes: the edits of a log of a thousand channels.
const mostBody = 1 << 20

// Handler serves a session to this computer's browser. The page itself holds nothing of the log. Every other request must
// have the token in its header, which a page of another origin cannot send, and a host and an origin of the address.
// GET changes nothing.
func Handler(s *Session, host, token string) (http.Handler, error) {
	page, err := Page(Served)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page) // the reader may leave
	})
	answer := func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get(TokenHeader)), []byte(token)) != 1 {
			http.Error(w, "the token of the address is missing: open the address that ident open printed", http.StatusForbidden)
			return
		}
		value := r.URL.Query().Get("since")
		var err error
		if r.Method == http.MethodPost {
			var body []byte
			body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
			value = string(body)
		}
		var text []byte
		if err == nil {
			text, err = s.Answer(r.Context(), strings.TrimPrefix(r.URL.Path, "/"), value)
		}
		switch {
		case errors.Is(err, ErrChanged):
			http.Error(w, err.Error(), http.StatusConflict)
		case err != nil:
			http.Error(w, s.Words(err), http.StatusUnprocessableEntity)
		default:
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(text) // the reader may leave
		}
	}
	for _, pattern := range []string{"GET /document", "GET /curves", "GET /robot", "GET /report", "POST /settings", "POST /write", "POST /fit"} {
		mux.HandleFunc(pattern, answer)
	}
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
