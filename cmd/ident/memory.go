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
	// garbage, per cent of the memory in use, is what a collection waits for. A check of a short log has 10 MB in use and makes ten times
	// as much garbage: at the runtime's 100 % the collector takes a tenth of its time and more.
	garbage = 200
)

// collectLater has the collector wait for more garbage than the runtime's does, unless the user set its pace or a bound.
func collectLater() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(garbage)
	}
}

// boundMemory has the collector hold the memory of a command with many logs, unless the user set a bound.
func boundMemory(logs int) {
	if logs >= manyLogs && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(heapBound)
	}
}
