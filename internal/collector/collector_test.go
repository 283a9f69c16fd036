package collector

import (
	"runtime"
	"runtime/metrics"
	"testing"
)

// Garbage goes up to some 40 MB where little is in use, and to no multiple of it where much is, from the first collection on: a
// percentage that followed the memory in use would be that of the collection before.
func TestPatient(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	goal := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}, {Name: "/gc/heap/live:bytes"}}
		runtime.GC()
		metrics.Read(s)
		return (s[0].Value.Uint64() - s[1].Value.Uint64()) >> 20
	}
	Patient(func() {
		if few := goal(); few < 35 || few > 50 {
			t.Errorf("%d MB of garbage before a collection, want some 40", few)
		}
		used := make([]byte, 400<<20)
		if more := goal(); more < 80 || more > 105 {
			t.Errorf("%d MB of garbage before a collection with 400 MB in use, want some 90", more)
		}
		runtime.KeepAlive(used)
	})
}
