// Package machinecode encodes the few vector instructions of amd64 that a straight program of sums and products needs, and
// holds them in memory that can be executed. It knows registers and addresses, and no programs: package symbolic chooses
// both.
//
// # Safety
//
// Memory is written first and made executable afterwards, never both at once, and is read-only from then on. Where the
// system refuses (a policy against writable memory that becomes executable), New returns nil, and the caller interprets its
// program. So it does on other systems than Linux and on other processors, and with the build tag purego.
//
// The code calls nothing, keeps to the memory that Run is given, uses no stack, and takes some microseconds. The Go runtime
// interrupts a goroutine by signals only at instructions that it knows, so that such code runs to its end; profiles count
// it as an external function.
//
// # Sources
//
// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, sections 2.3 (VEX) and 2.7 (EVEX).
package machinecode
