package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRefuseCopies(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	long := strings.Repeat("0.1,2\n", headBytes)
	a, other, late, copied := write("a.csv", long), write("b.csv", "x"+long[1:]), write("c.csv", long[:len(long)-2]+"3\n"), write("d.csv", long)
	if err := refuseCopies(new(Settings), []string{a, other, late, filepath.Join(dir, "absent.csv"), a}); err != nil {
		t.Errorf("files of one size with other bytes, and one that is given twice: %v", err)
	}
	if err := refuseCopies(&Settings{Rows: map[string]string{"a.csv": "1-9"}}, []string{a, copied}); err != nil {
		t.Errorf("rows may not overlap: %v", err)
	}
	if err := refuseCopies(new(Settings), []string{a, other, copied}); err == nil || !strings.Contains(err.Error(), "a and d hold copies") {
		t.Errorf("a copy: %v", err)
	}
}
