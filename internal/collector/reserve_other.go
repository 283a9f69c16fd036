//go:build !linux

package collector

// reserve does nothing: other systems are not asked for large pages.
func reserve(int) {}
