//go:build !purego

#include "textflag.h"

// func rotateAVX2(row *float64, stride int, cosine, sine *float64, count int)
//
// Applies count rotations to sixteen columns, from the row at row on upward; stride is the bytes of a row, cosine and sine
// are at the last of the rotations. The second product is fused with the sum, as in the portable loop.
TEXT ·rotateAVX2(SB), NOSPLIT, $0-40
	MOVQ row+0(FP), DI
	MOVQ stride+8(FP), BX
	MOVQ cosine+16(FP), SI
	MOVQ sine+24(FP), DX
	MOVQ count+32(FP), CX
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
	VMOVUPD 64(DI), Y2
	VMOVUPD 96(DI), Y3
	TESTQ CX, CX
	JLE   done

loop:
	MOVQ DI, AX
	SUBQ BX, DI
	VBROADCASTSD (SI), Y4
	VBROADCASTSD (DX), Y5
	VMOVUPD (DI), Y6
	VMOVUPD 32(DI), Y7
	VMOVUPD 64(DI), Y8
	VMOVUPD 96(DI), Y9
	VMULPD  Y5, Y6, Y10
	VFMADD231PD Y4, Y0, Y10
	VMOVUPD Y10, (AX)
	VMULPD  Y5, Y7, Y10
	VFMADD231PD Y4, Y1, Y10
	VMOVUPD Y10, 32(AX)
	VMULPD  Y5, Y8, Y10
	VFMADD231PD Y4, Y2, Y10
	VMOVUPD Y10, 64(AX)
	VMULPD  Y5, Y9, Y10
	VFMADD231PD Y4, Y3, Y10
	VMOVUPD Y10, 96(AX)
	VMULPD  Y4, Y6, Y6
	VFNMADD213PD Y6, Y5, Y0
	VMULPD  Y4, Y7, Y7
	VFNMADD213PD Y7, Y5, Y1
	VMULPD  Y4, Y8, Y8
	VFNMADD213PD Y8, Y5, Y2
	VMULPD  Y4, Y9, Y9
	VFNMADD213PD Y9, Y5, Y3
	SUBQ $8, SI
	SUBQ $8, DX
	DECQ CX
	JNZ  loop

done:
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VZEROUPPER
	RET
