//go:build !purego

#include "textflag.h"

// func combineAVX2(dst *float64, blocks int, coef *float64, cols *[]float64, count, from int)
//
// Sixteen entries of dst at a time, those of the columns from bytes further on; a slice header is 24 bytes.
TEXT ·combineAVX2(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ blocks+8(FP), CX
	MOVQ from+40(FP), AX
	SUBQ AX, DI

block:
	VMOVUPD (DI)(AX*1), Y0
	VMOVUPD 32(DI)(AX*1), Y1
	VMOVUPD 64(DI)(AX*1), Y2
	VMOVUPD 96(DI)(AX*1), Y3
	MOVQ coef+16(FP), SI
	MOVQ cols+24(FP), DX
	MOVQ count+32(FP), BX

column:
	MOVQ (DX), R8
	VBROADCASTSD (SI), Y4
	VFMADD231PD (R8)(AX*1), Y4, Y0
	VFMADD231PD 32(R8)(AX*1), Y4, Y1
	VFMADD231PD 64(R8)(AX*1), Y4, Y2
	VFMADD231PD 96(R8)(AX*1), Y4, Y3
	ADDQ $8, SI
	ADDQ $24, DX
	DECQ BX
	JNZ  column

	VMOVUPD Y0, (DI)(AX*1)
	VMOVUPD Y1, 32(DI)(AX*1)
	VMOVUPD Y2, 64(DI)(AX*1)
	VMOVUPD Y3, 96(DI)(AX*1)
	ADDQ $128, AX
	DECQ CX
	JNZ  block
	VZEROUPPER
	RET
