#include "textflag.h"

// func pairTwoSSE2(a, b *float64, n, stride int, c *[7]float64, st *[4][2]float64)
//
// The recursion of pair, two signals in the two halves of each register.
// X0 X1 X2 hold d p q of the first section, X3 X4 X5 of the second, X6 the scale;
// X8 X9 are s and r of the first section, X10 X11 of the second.
TEXT ·pairTwoSSE2(SB), NOSPLIT, $0-48
	MOVQ a+0(FP), SI
	MOVQ b+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ stride+24(FP), DX
	MOVQ c+32(FP), AX
	MOVQ st+40(FP), BX

	MOVSD    0(AX), X0
	MOVSD    8(AX), X1
	MOVSD    16(AX), X2
	MOVSD    24(AX), X3
	MOVSD    32(AX), X4
	MOVSD    40(AX), X5
	MOVSD    48(AX), X6
	UNPCKLPD X0, X0
	UNPCKLPD X1, X1
	UNPCKLPD X2, X2
	UNPCKLPD X3, X3
	UNPCKLPD X4, X4
	UNPCKLPD X5, X5
	UNPCKLPD X6, X6
	MOVUPD   0(BX), X8
	MOVUPD   16(BX), X9
	MOVUPD   32(BX), X10
	MOVUPD   48(BX), X11

loop:
	MOVSD  (SI), X12
	MOVHPD (DI), X12
	SUBPD  X8, X12   // e = x - s
	MOVAPD X8, X13
	ADDPD  X9, X13
	MOVAPD X12, X14
	MULPD  X0, X14
	ADDPD  X14, X13  // t = (s + r) + d*e
	MULPD  X1, X9
	MULPD  X2, X12
	ADDPD  X12, X9   // r = p*r + q*e
	ADDPD  X13, X8   // s + t, the second section's input
	SUBPD  X10, X8   // e
	MOVAPD X10, X14
	ADDPD  X11, X14
	MOVAPD X8, X12
	MULPD  X3, X12
	ADDPD  X12, X14  // t
	MULPD  X4, X11
	MULPD  X5, X8
	ADDPD  X8, X11   // r
	ADDPD  X14, X10
	MULPD  X6, X10
	MOVSD  X10, (SI)
	MOVHPD X10, (DI)
	MOVAPD X13, X8
	MOVAPD X14, X10
	ADDQ   DX, SI
	ADDQ   DX, DI
	DECQ   CX
	JNZ    loop

	MOVUPD X8, 0(BX)
	MOVUPD X9, 16(BX)
	MOVUPD X10, 32(BX)
	MOVUPD X11, 48(BX)
	RET
