package main

import (
	"bytes"
	"io"
	"regexp"
	"runtime"
)

// gradeWords are the words of a judgement at the beginning of a line.
var gradeWords = regexp.MustCompile(`^(sound|doubtful|unusable|pass|fail|error|warning)(:| {2,}|\n|$)`)

// colourOf has the code of the terminal's colour of each word: green, yellow or red.
var colourOf = map[string]string{"sound": "32", "pass": "32", "doubtful": "33", "warning": "33", "unusable": "31", "fail": "31", "error": "31"}

// colourWriter colours the words of a judgement that begin a line. It stands behind the writer that takes control
// characters out of names, and no name of a file begins a line.
type colourWriter struct {
	w      io.Writer
	inLine bool // the last text has not ended its line
}

// Write writes p with colours.
func (c *colourWriter) Write(p []byte) (int, error) {
	var b bytes.Buffer
	for line := range bytes.Lines(p) {
		if m := gradeWords.FindSubmatch(line); m != nil && !c.inLine {
			b.WriteString("\033[" + colourOf[string(m[1])] + "m")
			b.Write(m[1])
			b.WriteString("\033[0m")
			line = line[len(m[1]):]
			if len(line) == 0 {
				c.inLine = true
			}
		}
		b.Write(line)
		if len(line) > 0 {
			c.inLine = line[len(line)-1] != '\n'
		}
	}
	if _, err := c.w.Write(b.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// wantsColour reports whether standard output is shown in colours: on a terminal that has them, unless NO_COLOR is set
// (no-color.org). Standard output of the laboratory is its page.
func wantsColour(terminal bool, getenv func(string) string) bool {
	prints := runtime.GOOS == "js" || runtime.GOOS == "windows" && getenv("WT_SESSION") == "" // it prints the codes
	return terminal && !prints && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}
