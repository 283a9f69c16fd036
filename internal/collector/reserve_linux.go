package collector

import "syscall"

// reserve makes room of the given size in the heap, which the system is asked to fill by pages of 2 MB as it is first touched. The
// room is garbage on return: the next collection frees it, and later memory lies in it.
func reserve(size int) {
	// Of a system without large pages the room is like other memory, so that its error says nothing.
	_ = syscall.Madvise(make([]byte, size), syscall.MADV_HUGEPAGE)
}
