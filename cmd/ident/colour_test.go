package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
)

func TestColour(t *testing.T) {
	const text = "sound: torques sound\nsoundness\n  fail\npass  x\nfail\nwarning\n"
	const want = "\033[32msound\033[0m: torques sound\nsoundness\n  fail\n\033[32mpass\033[0m  x\n\033[31mfail\033[0m\n\033[33mwarning\033[0m\n"
	for _, parts := range [][]string{{text}, strings.SplitAfter(text, "\n"), {text[:12], text[12:]}} {
		var b bytes.Buffer
		c := &colourWriter{w: &b}
		for _, p := range parts {
			if n, err := c.Write([]byte(p)); n != len(p) || err != nil {
				t.Fatal(n, err)
			}
		}
		if b.String() != want {
			t.Errorf("%q becomes %q", parts, b.String())
		}
	}
	for _, x := range []struct {
		terminal, want bool
		env            map[string]string
	}{{true, true, map[string]string{"WT_SESSION": "1"}}, {false, false, nil}, {true, false, map[string]string{"NO_COLOR": "1"}}, {true, false, map[string]string{"TERM": "dumb"}}} {
		if got := wantsColour(x.terminal, func(k string) string { return x.env[k] }); got != x.want {
			t.Errorf("%+v: %v", x, got)
		}
	}
}

// Colours are those of texts for people: documents have none, and a text without them is the same.
func TestColourOfCommands(t *testing.T) {
	log, _ := filepath.Abs(filepath.Join(exampleFolder, "puma560.parquet"))
	printed := func(colours bool, args ...string) string {
		var out bytes.Buffer
		if code := run(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &bytes.Buffer{}, colours: colours}); code != exitDone {
			t.Fatalf("%v: exit code %d", args, code)
		}
		return out.String()
	}
	dir := filepath.Join(t.TempDir(), "r.ident")
	fit := printed(true, "fit", log, "-o", dir)
	if !strings.HasPrefix(fit, "\033[32msound\033[0m: torques sound") || strings.Count(fit, "\033") != 2 {
		t.Errorf("a fit prints %q", fit)
	}
	if plain := printed(false, "export", dir, "--to", "text"); strings.Contains(plain, "\033") || !strings.HasPrefix(plain, "sound: torques sound") {
		t.Errorf("without colours: %q", plain)
	}
	if document := printed(true, "check", log, "--json"); strings.Contains(document, "\033") {
		t.Error("a document has colours")
	}
}
