// Package together shares calls among the processors.
package together

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Do calls f of 0 to n-1, each once and in no order, and returns after the last. The caller's goroutine works too, so that
// one processor has none beside it. f must not panic.
func Do(n int, f func(i int)) {
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(i)
		}
	}
	var group sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
}
