// Package collector sets the pace of the garbage collector for commands and their tests. A fit of short logs has 20 MB
// in use or less and makes half a gigabyte of garbage: at the runtime's own pace, a collection for as much garbage as memory
// in use, the collector takes a fifth of the time.
package collector

import (
	"os"
	"runtime"
	"runtime/debug"
)

const (
	// ballast counts as memory in use and is never touched, so that the system gives no pages for it, bytes.
	ballast = 300 << 20
	// percent of the memory in use, ballast and all, is the garbage that a collection waits for: 40 MB, and one byte in eight of those in
	// use. A fit of short logs with 20 MB in use collects a third less often than with 80 MB and 30 %, and a stream with 110 MB in use, whose
	// memory has a bound to keep, as often.
	percent = 13
)

// Patient runs a program, or the tests of a package, with a collector that waits for more garbage than the runtime's does, unless
// the user set a percentage by GOGC or a limit of memory by GOMEMLIMIT, to which ballast would count.
func Patient(run func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		run()
		return
	}
	unused := make([]byte, ballast)
	debug.SetGCPercent(percent)
	run()
	runtime.KeepAlive(unused)
}
