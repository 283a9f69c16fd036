//go:build !linux || !amd64 || purego

package machinecode

// Code is code in executable memory, of which there is none here.
type Code struct{}

// New returns nil.
func New([]byte) *Code { return nil }

// Release is not called.
func (c *Code) Release() {}

// Run is not called.
func (c *Code) Run(entry int, wide, narrow *float64, out **float64, offset, groups, stride, outStride int) {
	panic("machinecode: no code on this system")
}
