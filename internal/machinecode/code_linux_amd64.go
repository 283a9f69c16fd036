//go:build !purego

package machinecode

import "syscall"

// Code is code in executable memory. It is immutable and may run in several goroutines.
type Code struct{ memory []byte }

// New returns a copy of the code that can be executed, or nil where the system refuses.
func New(code []byte) *Code {
	m, err := syscall.Mmap(-1, 0, len(code), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	copy(m, code)
	if syscall.Mprotect(m, syscall.PROT_READ|syscall.PROT_EXEC) != nil {
		syscall.Munmap(m)
		return nil
	}
	return &Code{memory: m}
}

// Release gives the memory back. No call of Run may be under way or follow.
func (c *Code) Release() {
	syscall.Munmap(c.memory)
	c.memory = nil
}

// Run executes code that starts at byte entry, once for each group of samples that fills a vector. After each, wide moves
// on by a vector, stride bytes, and the offset in the outputs by outStride bytes.
func (c *Code) Run(entry int, wide, narrow *float64, out **float64, offset, groups, stride, outStride int) {
	call(&c.memory[entry], wide, narrow, out, offset, groups, stride, outStride)
}

// The code reads and writes the memory of its arguments alone.
//
//go:noescape
func call(code *byte, wide, narrow *float64, out **float64, offset, groups, stride, outStride int)
