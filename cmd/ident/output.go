package main

import (
	"encoding/json"
	"fmt"
	"io"
)

// writeJSON prints one document.
func writeJSON(w io.Writer, doc any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(doc); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}

// note prints a line for the user beside the results.
func (s streams) note(format string, args ...any) { fmt.Fprintf(s.err, "note: "+format+"\n", args...) }

func (s streams) warn(format string, args ...any) {
	fmt.Fprintf(s.err, "warning: "+format+"\n", args...)
}
