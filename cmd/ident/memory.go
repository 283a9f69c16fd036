package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// manyLogs is the number of logs from which the collector bounds the memory of a command. It may take up to
	// half of the time then, where one log would rather have twice the memory.
	manyLogs = 100
	// heapBound leaves room below 512 MiB for stacks, the program and freed pages, bytes.
	heapBound = 400 << 20
	// leastGarbage is collected at once, bytes: a fit of short logs has 20 MB in use or less and makes half a gigabyte of
	// garbage.
	leastGarbage = 32 << 20
	// garbageShare is collected where it is more, percent of the memory in use: buffers of a stream hold no
	// pointers, and collecting them costs little.
	garbageShare = 30
)

// collectLess has the collector wait for leastGarbage, or for garbageShare where that is more, unless the user set a
// percentage.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		pace(&struct{ next *byte }{})
	}
}

// pace sets the garbage that the next collection waits for, after every collection: the finalizer of an object that
// nothing holds runs then.
func pace(o *struct{ next *byte }) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	inUse := max(live[0].Value.Uint64(), 4<<20) // of less the runtime takes a percentage of 4 MiB
	debug.SetGCPercent(int(max(garbageShare, 100*leastGarbage/inUse)))
	runtime.SetFinalizer(o, func(*struct{ next *byte }) { pace(&struct{ next *byte }{}) })
}

// boundMemory has the collector hold the memory of a command with many logs, unless the user set a bound.
func boundMemory(logs int) {
	if logs >= manyLogs && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(heapBound)
	}
}
