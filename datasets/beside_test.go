package datasets

import (
	"encoding/csv"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestTextIsATable draws logs and metadata: the text is a table from its first line to its last, and the log that is read has both. A
// text that was changed has no metadata, and neither has one that is written over it without any.
func TestTextIsATable(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		meta := rapid.MapOf(rapid.StringN(1, 20, 40), rapid.String()).Draw(rt, "meta")
		channels, cols := sample(1, rapid.IntRange(1, 4).Draw(rt, "rows"))
		path := filepath.Join(t.TempDir(), "log.csv")
		write := func(meta map[string]string) *Log {
			err := Write(path, channels, meta, func(w *Writer) error { return w.Append(cols) })
			if err != nil {
				rt.Fatal(err)
			}
			l, err := Open(path, Options{})
			if err != nil {
				rt.Fatal(err)
			}
			defer l.Close()
			return l
		}
		if l := write(meta); !maps.Equal(l.Meta(), meta) || len(l.Notes()) > 0 {
			rt.Fatalf("metadata %q for %q, notes %v", l.Meta(), meta, l.Notes())
		}
		text, err := os.ReadFile(path)
		if err != nil {
			rt.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		if err != nil || len(rows) != 1+len(cols[0]) || len(rows[0]) != len(channels) || rows[0][0] != channels[0].Name {
			rt.Fatalf("%q, %v", text, err)
		}
		if err := os.WriteFile(path, append(text, text[strings.IndexByte(string(text), '\n')+1:]...), 0o666); err != nil {
			rt.Fatal(err)
		}
		l, err := Open(path, Options{})
		if err != nil {
			rt.Fatal(err)
		}
		if l.Close(); len(l.Meta()) > 0 || (len(l.Notes()) > 0) != (len(meta) > 0) {
			rt.Fatalf("of another text: %q, notes %v", l.Meta(), l.Notes())
		}
		if l := write(nil); len(l.Meta()) > 0 || len(l.Notes()) > 0 {
			rt.Fatalf("without metadata: %q, notes %v", l.Meta(), l.Notes())
		}
	})
}

// TestCommentsOf040 reads a text of version 0.4.0.
func TestCommentsOf040(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.csv")
	if err := os.WriteFile(path, []byte("# ident.robot: \"<robot name=\\\"a\\\"/>\\n\"\n# \"a:b\": c\nt,q1\n0,1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if m := l.Meta(); m["ident.robot"] != "<robot name=\"a\"/>\n" || m["a:b"] != "c" || l.Rows() != 1 {
		t.Errorf("%q, %d rows", m, l.Rows())
	}
}
