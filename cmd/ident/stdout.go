package main

import "io"

// checkedWriter keeps the first error of a writer, so that commands can print line by line and report a lost line at
// their end.
type checkedWriter struct {
	w   io.Writer
	err error
}

// Write writes p, and keeps the first error for the exit code.
func (c *checkedWriter) Write(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.w.Write(p)
	if err != nil {
		c.err = err
	}
	return n, err
}
