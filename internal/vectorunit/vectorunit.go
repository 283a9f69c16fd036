// Package vectorunit tells the packages with kernels in assembly whether they can run here. Each kernel has a counterpart in Go,
// which runs elsewhere, and with the build tag purego.
package vectorunit
