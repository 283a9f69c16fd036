package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"time"
)

// memoryVariable is the environment variable by which a program that calls this one bounds its memory, in MiB. The
// command ends as if the caller had ended once it needs more.
const memoryVariable = "IDENT_MEMORY"

const (
	// manyLogs is the number of logs from which the memory of a command is bounded. The collector may then use up to
	// half of the time; with one log, twice the memory is better.
	manyLogs = 100
	// heapBound leaves room below 512 MiB for stacks, the program and freed pages, bytes.
	heapBound = 400 << 20
)

// boundMemory bounds the memory of a command with many logs, or beside a browser, unless the user set a bound.
func boundMemory(bound bool) {
	if bound && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(heapBound)
	}
}

// withMemory bounds the memory of a command whose caller says so.
func (s streams) withMemory() streams {
	most, err := strconv.ParseUint(os.Getenv(memoryVariable), 10, 32)
	if err != nil || s.caller == nil {
		return s
	}
	debug.SetMemoryLimit(int64(most<<20) / 10 * 9)
	caller := s.caller
	ended, end := io.Pipe()
	s.caller = ended
	go func() {
		_, _ = io.Copy(io.Discard, caller)
		end.Close()
	}()
	go func() {
		for memoryInUse() <= most<<20 {
			time.Sleep(20 * time.Millisecond)
		}
		fmt.Fprintf(s.err, "ident: the run needs more than the %d MiB that it may use\n", most)
		end.Close()
	}()
	return s
}

// memoryInUse returns the bytes that the runtime holds.
func memoryInUse() uint64 {
	in := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(in)
	return in[0].Value.Uint64() - in[1].Value.Uint64()
}
