// Package records keeps what a study has measured, a line of JSON each, so that a study that was interrupted goes on.
package records

import (
	"bufio"
	"encoding/json"
	"os"
)

// Open returns the records that a file holds and their keys, and the file, which a further record is appended to. The caller must close it.
func Open[T any](path string, key func(*T) string) (done []T, known map[string]bool, file *os.File, err error) {
	known = map[string]bool{}
	if f, err := os.Open(path); err == nil {
		for lines := bufio.NewScanner(f); lines.Scan(); {
			var o T
			if json.Unmarshal(lines.Bytes(), &o) == nil {
				done, known[key(&o)] = append(done, o), true
			}
		}
		f.Close()
	}
	file, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	return done, known, file, err
}
