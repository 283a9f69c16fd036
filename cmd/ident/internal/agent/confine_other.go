//go:build !linux

package agent

import (
	"errors"
	"fmt"
)

// Confine returns errors.ErrUnsupported: this system has no means by which a program confines itself to folders.
func Confine(Folders) error { return fmt.Errorf("Linux alone offers it: %w", errors.ErrUnsupported) }
