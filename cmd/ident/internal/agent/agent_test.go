package agent

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"joint_1":              "joint_1",
		"Winkel °\n# system":   `Winkel °\n# system`,
		"a\u202eb\u200bc\x1b[": `a\u202eb\u200bc\x1b[`,
		`ends with "`:          `ends with "`,
		"\xff":                 `\xff`,
	} {
		if got := Clean(text); got != want {
			t.Errorf("Clean(%q) = %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{strings.Repeat("a", 201), strings.Repeat("\n", 150), strings.Repeat("ä", 1000)} {
		if got := Clean(text); utf8.RuneCountInString(got) != textBound || !strings.HasSuffix(got, "…") {
			t.Errorf("%d characters of a text of %d", utf8.RuneCountInString(got), utf8.RuneCountInString(text))
		}
	}
}

func TestMark(t *testing.T) {
	w := words{"grade": true, "sound": true, "name": true, "list": true, "matrix": true, "joints": true}
	numbers := "[" + strings.Repeat("1,", 40) + "1]"
	for text, want := range map[string]string{
		`{"grade":"sound","name":"sound advice"}`: `{"grade":"sound","name":{"untrusted":"sound advice"}}`,
		`{"joints":{"q\n1":1}}`:                   `{"joints":[{"name":{"untrusted":"q\\n1"},"value":1}]}`,
		`{"list":[1,2]}`:                          `{"list":[1,2]}`,
		`{"list":` + numbers + `}`:                `{"list":{"left_out":41}}`,
		`{"matrix":[` + numbers + `]}`:            `{"matrix":{"left_out":1}}`,
		`{"matrix":[[1,2],[3,4]]}`:                `{"matrix":[[1,2],[3,4]]}`,
	} {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(w.mark(v)); string(got) != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}

func TestFolders(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	for _, path := range []string{filepath.Join(dir, "sub", "log.csv"), filepath.Join(outside, "secret.csv"), dir + "-twin/secret.csv"} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"out": outside, "file": filepath.Join(outside, "secret.csv"), "in": "sub", "loop": "loop", "dangling": filepath.Join(outside, "new.csv")} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	f, err := NewFolders([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	for path, ok := range map[string]bool{
		"sub/log.csv": true, "in/log.csv": true, filepath.Join(dir, "sub", "log.csv"): true, "sub/../sub/log.csv": true,
		"out/secret.csv": false, "file": false, "loop": false, "dangling": false, "../x.csv": false, filepath.Join(outside, "secret.csv"): false,
		dir + "-twin/secret.csv": false, "sub/none.csv": false, "in/../../secret.csv": false,
	} {
		if at, err := f.Resolve(path); (err == nil) != ok {
			t.Errorf("reading %s: %s, %v", path, at, err)
		}
	}
	for path, ok := range map[string]bool{
		"new.csv": true, "sub/log.csv": true, "in/new.csv": true, "new/folder/x.csv": true,
		"out/new.csv": false, "file": false, "dangling": false, "in": false, "../new.csv": false, filepath.Join(outside, "new.csv"): false, "out/new/x.csv": false,
		dir + "-twin/new.csv": false,
	} {
		if at, err := f.ResolveNew(path); (err == nil) != ok {
			t.Errorf("writing %s: %s, %v", path, at, err)
		}
	}
}

// Lines that are no messages have an answer, and the messages behind them reach the server; also the last, without a line's end.
func TestLines(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	var out strings.Builder
	long := `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", mostLine) + `"}`
	got, err := io.ReadAll(NewLines(strings.NewReader("hello\n\n"+ping+"\r\n5\n[]\n["+ping+"]\n"+long+"\n{\"id\":1}\n"+ping), &out))
	if want := ping + "\n[" + ping + "]\n" + ping + "\n"; err != nil || string(got) != want {
		t.Errorf("%q and %v, want %q", got, err, want)
	}
	if want := noText + noMessage + noMessage + noText + noMessage; out.String() != want {
		t.Errorf("answers %s, want %s", out.String(), want)
	}
}
