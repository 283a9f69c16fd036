// Package collector sets the pace of the garbage collector for commands and their tests. A fit of short logs has 20 MB
// in use or less and makes half a gigabyte of garbage: at the runtime's own pace, a collection for as much garbage as memory
// in use, the collector takes a fifth of the time.
package collector

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// leastGarbage is collected at once, bytes.
	leastGarbage = 32 << 20
	// garbageShare is collected where it is more, percent of the memory in use: buffers of a stream hold no
	// pointers, and collecting them costs little.
	garbageShare = 30
	// leastHeap is used before anything is collected, bytes: a fit of short logs needs more for moments, and memory that is given
	// back to the system in between costs a fault a page.
	leastHeap = 64 << 20
)

// Less has the collector wait for leastGarbage and leastHeap, or for garbageShare where that is more, unless the user set a
// percentage by GOGC. It is for the main function of a program, or the TestMain of a package: the setting is one of
// the whole process.
func Less() {
	if os.Getenv("GOGC") == "" {
		pace(&struct{ next *byte }{})
	}
}

// pace sets the garbage that the next collection waits for, after every collection: the finalizer of an object that
// nothing holds runs then.
func pace(o *struct{ next *byte }) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(percent(live[0].Value.Uint64()))
	runtime.SetFinalizer(o, func(*struct{ next *byte }) { pace(&struct{ next *byte }{}) })
}

// percent is the garbage that a collection waits for, percent of the memory in use, bytes.
func percent(inUse uint64) int {
	inUse = max(inUse, 4<<20) // of less the runtime takes a percentage of 4 MiB
	garbage := max(leastGarbage, garbageShare*inUse/100)
	if inUse < leastHeap {
		garbage = max(garbage, leastHeap-inUse)
	}
	return int(100 * garbage / inUse)
}
