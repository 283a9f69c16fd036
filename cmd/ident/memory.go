package main

import (
	"os"
	"runtime/debug"
)

const (
	// manyLogs is the number of logs from which the collector bounds the memory of a command. It may take up to
	// half of the time then, where one log would rather have twice the memory.
	manyLogs = 100
	// heapBound leaves room below 512 MiB for stacks, the program and freed pages, bytes.
	heapBound = 400 << 20
)

// boundMemory has the collector hold the memory of a command with many logs, unless the user set a bound.
func boundMemory(logs int) {
	if logs >= manyLogs && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(heapBound)
	}
}
