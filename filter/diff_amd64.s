//go:build !purego

#include "textflag.h"

DATA eight<>+0(SB)/8, $8.0
GLOBL eight<>(SB), RODATA|NOPTR, $8

// func differencesAVX2(dst, x *float64, vectors int, h float64)
//
// dst[k] is ((x[k] - x[k+4]) + 8·(x[k+3] - x[k+1])) / h.
TEXT ·differencesAVX2(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DI
	MOVQ         x+8(FP), SI
	MOVQ         vectors+16(FP), CX
	VBROADCASTSD h+24(FP), Y0
	VBROADCASTSD eight<>+0(SB), Y1

loop:
	VMOVUPD (SI), Y2
	VMOVUPD 24(SI), Y3
	VSUBPD  32(SI), Y2, Y2
	VSUBPD  8(SI), Y3, Y3
	VMULPD  Y3, Y1, Y3
	VADDPD  Y3, Y2, Y2
	VDIVPD  Y0, Y2, Y2
	VMOVUPD Y2, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	DECQ    CX
	JNZ     loop

	VZEROUPPER
	RET
