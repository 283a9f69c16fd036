package opening

import (
	"bufio"
	"errors"
	"os"
	"strings"
	"unicode"

	"ident/datasets"
)

const (
	nearLines = 2   // to either side of the place: they show what the rows are like
	nearText  = 400 // bytes of a line that are shown: three lines of a wide window
)

// near returns the lines of a text file about the place of an error; nil where it names no line, or the file is no plain text.
func near(err error) (rows []NearRow) {
	var at *datasets.FileError
	if !errors.As(err, &at) || at.Line < 1 {
		return nil
	}
	f, err := os.Open(at.Path)
	if err != nil {
		return nil
	}
	defer f.Close()
	r := bufio.NewReader(f)
	for line := 1; line <= at.Line+nearLines; line++ {
		begin, more, err := r.ReadLine()
		if err != nil {
			break
		}
		text := strings.ToValidUTF8(string(begin[:min(len(begin), nearText)]), "")
		if more || len(begin) > nearText {
			text += "…"
		}
		for more && err == nil {
			_, more, err = r.ReadLine()
		}
		switch {
		case strings.ContainsFunc(text, func(c rune) bool { return unicode.IsControl(c) && c != '\t' }):
			return nil
		case line >= at.Line-nearLines:
			rows = append(rows, NearRow{line, text, line == at.Line})
		}
	}
	return rows
}
