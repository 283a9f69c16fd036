//go:build !amd64 || purego

package vectorunit

// Best returns the highest level of this processor.
func Best() Level { return Portable }
