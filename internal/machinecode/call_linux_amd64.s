//go:build !purego

#include "textflag.h"

// func call(code *byte, wide, narrow *float64, out **float64, offset, groups, stride, outStride int)
//
// The stack holds the return address of the code, and the frame is large enough that its growth is checked.
TEXT ·call(SB), 0, $16-64
	MOVQ code+0(FP), R8
	MOVQ wide+8(FP), DI
	MOVQ narrow+16(FP), SI
	MOVQ out+24(FP), DX
	MOVQ offset+32(FP), CX
	MOVQ groups+40(FP), R9
	MOVQ stride+48(FP), R10
	MOVQ outStride+56(FP), R11

group:
	CALL R8
	ADDQ R10, DI
	ADDQ R11, CX
	DECQ R9
	JNZ  group
	VZEROUPPER
	RET
