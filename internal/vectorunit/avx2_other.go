//go:build !amd64 || purego

package vectorunit

// AVX2 returns false here: no kernel in assembly is linked.
func AVX2() bool { return false }
