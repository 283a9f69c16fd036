package project

import (
	"io"

	"ident/internal/output"
	"ident/report"
	"ident/result"
)

// WriteComparePage writes a file, a comparison as a page; command is printed as it is, "" for none.
func WriteComparePage(path string, c *result.Comparison, command string) error {
	opt := report.Options{Date: today().Format("2 Jan 2006"), Version: Version, Command: command}
	return output.Write(path, func(w io.Writer) error { return report.CompareHTML(w, c, opt) })
}
