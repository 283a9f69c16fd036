//go:build !amd64 || purego

package fingerprint

func mixVectors(own []uint64, x []float64) int { return 0 }

func changeVectors(moved []uint8, x []float64, last float64) int { return 0 }

func sumVectors(hits []uint8, hashes []uint64, rows int, bound uint64) bool { return false }
