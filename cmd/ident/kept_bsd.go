//go:build unix && !linux

package main

import "runtime"

// yield lets another goroutine run; the system has no call that is cheap enough to let another thread do so.
func yield() { runtime.Gosched() }
