package main

import (
	"os"
	"runtime/debug"
)

const (
	// manyLogs is the number of logs from which the memory of a command is bounded. The collector may then use up to
	// half of the time; with one log, twice the memory is better.
	manyLogs = 100
	// heapBound leaves room below 512 MiB for stacks, the program and freed pages, bytes.
	heapBound = 400 << 20
	// garbage is the percentage of the memory in use after which a collection starts. A check of a short log uses 10 MB
	// and produces a hundred: with the runtime's default of 100 % the collector would take a tenth of its time or more.
	garbage = 200
)

// collectLater delays garbage collection compared with the runtime's default, unless the user set the pace or a bound.
func collectLater() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(garbage)
	}
}

// boundMemory bounds the memory of a command with many logs, unless the user set a bound.
func boundMemory(logs int) {
	if logs >= manyLogs && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(heapBound)
	}
}
