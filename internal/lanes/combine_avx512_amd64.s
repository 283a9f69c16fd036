//go:build !purego

#include "textflag.h"

// func combineAVX512(dst *float64, n int, coef *float64, cols *[]float64, count, from int)
//
// Thirty-two entries of dst at a time, the last of them under a mask, those of the columns from bytes further on; a slice
// header is 24 bytes.
TEXT ·combineAVX512(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ n+8(FP), R10
	MOVQ from+40(FP), AX
	SUBQ AX, DI

block:
	MOVL $-1, R9
	CMPQ R10, $32
	JGE  masks
	MOVQ R10, CX
	MOVL $1, R9
	SHLL CX, R9
	DECL R9

masks:
	KMOVW R9, K1
	SHRL  $8, R9
	KMOVW R9, K2
	SHRL  $8, R9
	KMOVW R9, K3
	SHRL  $8, R9
	KMOVW R9, K4
	VMOVUPD.Z (DI)(AX*1), K1, Z0
	VMOVUPD.Z 64(DI)(AX*1), K2, Z1
	VMOVUPD.Z 128(DI)(AX*1), K3, Z2
	VMOVUPD.Z 192(DI)(AX*1), K4, Z3
	MOVQ coef+16(FP), SI
	MOVQ cols+24(FP), DX
	MOVQ count+32(FP), BX

column:
	MOVQ (DX), R8
	VBROADCASTSD (SI), Z4
	VMULPD.Z (R8)(AX*1), Z4, K1, Z5
	VMULPD.Z 64(R8)(AX*1), Z4, K2, Z6
	VMULPD.Z 128(R8)(AX*1), Z4, K3, Z7
	VMULPD.Z 192(R8)(AX*1), Z4, K4, Z8
	VADDPD Z5, Z0, Z0
	VADDPD Z6, Z1, Z1
	VADDPD Z7, Z2, Z2
	VADDPD Z8, Z3, Z3
	ADDQ $8, SI
	ADDQ $24, DX
	DECQ BX
	JNZ  column

	VMOVUPD Z0, K1, (DI)(AX*1)
	VMOVUPD Z1, K2, 64(DI)(AX*1)
	VMOVUPD Z2, K3, 128(DI)(AX*1)
	VMOVUPD Z3, K4, 192(DI)(AX*1)
	ADDQ $256, AX
	SUBQ $32, R10
	JG   block
	VZEROUPPER
	RET
