package collector

import (
	"syscall"
	"unsafe"
)

// Huge asks for huge pages.
func Huge() {
	const arena = 64 << 20
	p := new([1 << 16]byte)
	at := uintptr(unsafe.Pointer(p)) &^ (arena - 1)
	syscall.Syscall(syscall.SYS_MADVISE, at, arena, syscall.MADV_HUGEPAGE)
}
