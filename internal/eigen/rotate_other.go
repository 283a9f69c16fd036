//go:build !amd64 || purego

package eigen

func (s *Symmetric) rotateVectors(first, m int) bool { return false }
