//go:build !purego

#include "textflag.h"

// func momentsAVX512(dst, x, w *float64, vectors, blocks int)
//
// Two blocks at a time, so that each vector of weights is loaded once for both: Z0-Z3
// and Z4-Z7 are the partial sums of their four moments.
TEXT ·momentsAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ w+16(FP), DX
	MOVQ vectors+24(FP), CX
	MOVQ blocks+32(FP), BX
	MOVQ CX, R9
	SHLQ $6, R9           // bytes of a block

blocks:
	// Of a last single block both halves are the same.
	MOVQ SI, R8
	CMPQ BX, $2
	JLT  start
	ADDQ R9, R8

start:
	MOVQ   DX, AX
	MOVQ   CX, R10
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3
	VPXORQ Z4, Z4, Z4
	VPXORQ Z5, Z5, Z5
	VPXORQ Z6, Z6, Z6
	VPXORQ Z7, Z7, Z7

samples:
	VMOVUPD     (SI), Z20
	VMOVUPD     (R8), Z21
	VMOVUPD     (AX), Z16
	VMOVUPD     64(AX), Z17
	VMOVUPD     128(AX), Z18
	VMOVUPD     192(AX), Z19
	VFMADD231PD Z20, Z16, Z0
	VFMADD231PD Z20, Z17, Z1
	VFMADD231PD Z20, Z18, Z2
	VFMADD231PD Z20, Z19, Z3
	VFMADD231PD Z21, Z16, Z4
	VFMADD231PD Z21, Z17, Z5
	VFMADD231PD Z21, Z18, Z6
	VFMADD231PD Z21, Z19, Z7
	ADDQ        $64, SI
	ADDQ        $64, R8
	ADDQ        $256, AX
	DECQ        R10
	JNZ         samples

	// Lanes l and l+4 of both blocks: the first in the low half, the second in the high.
	VSHUFF64X2 $0x44, Z4, Z0, Z8
	VSHUFF64X2 $0xee, Z4, Z0, Z0
	VADDPD     Z8, Z0, Z0
	VSHUFF64X2 $0x44, Z5, Z1, Z8
	VSHUFF64X2 $0xee, Z5, Z1, Z1
	VADDPD     Z8, Z1, Z1
	VSHUFF64X2 $0x44, Z6, Z2, Z8
	VSHUFF64X2 $0xee, Z6, Z2, Z2
	VADDPD     Z8, Z2, Z2
	VSHUFF64X2 $0x44, Z7, Z3, Z8
	VSHUFF64X2 $0xee, Z7, Z3, Z3
	VADDPD     Z8, Z3, Z3

	// Neighbours, then the two pairs of each half.
	VUNPCKHPD  Z1, Z0, Z8
	VUNPCKLPD  Z1, Z0, Z0
	VADDPD     Z8, Z0, Z0
	VUNPCKHPD  Z3, Z2, Z8
	VUNPCKLPD  Z3, Z2, Z2
	VADDPD     Z8, Z2, Z2
	VSHUFF64X2 $0x88, Z2, Z0, Z8
	VSHUFF64X2 $0xdd, Z2, Z0, Z0
	VADDPD     Z8, Z0, Z0
	VSHUFF64X2 $0xd8, Z0, Z0, Z0

	CMPQ    BX, $2
	JLT     single
	VMOVUPD Z0, (DI)
	ADDQ    $64, DI
	MOVQ    R8, SI
	SUBQ    $2, BX
	JNZ     blocks
	VZEROUPPER
	RET

single:
	VMOVUPD Y0, (DI)
	VZEROUPPER
	RET

// func momentsAVX2(dst, x, w *float64, vectors, blocks int)
//
// Y0-Y3 are the partial sums of lanes 0 to 3 of the four moments, Y4-Y7 of lanes 4 to 7.
TEXT ·momentsAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ w+16(FP), DX
	MOVQ vectors+24(FP), CX
	MOVQ blocks+32(FP), BX

blocks:
	MOVQ   DX, AX
	MOVQ   CX, R10
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7

samples:
	VMOVUPD     (SI), Y8
	VMOVUPD     32(SI), Y9
	VFMADD231PD (AX), Y8, Y0
	VFMADD231PD 32(AX), Y9, Y4
	VFMADD231PD 64(AX), Y8, Y1
	VFMADD231PD 96(AX), Y9, Y5
	VFMADD231PD 128(AX), Y8, Y2
	VFMADD231PD 160(AX), Y9, Y6
	VFMADD231PD 192(AX), Y8, Y3
	VFMADD231PD 224(AX), Y9, Y7
	ADDQ        $64, SI
	ADDQ        $256, AX
	DECQ        R10
	JNZ         samples

	VADDPD     Y4, Y0, Y0
	VADDPD     Y5, Y1, Y1
	VADDPD     Y6, Y2, Y2
	VADDPD     Y7, Y3, Y3
	VHADDPD    Y1, Y0, Y0
	VHADDPD    Y3, Y2, Y2
	VPERM2F128 $0x20, Y2, Y0, Y8
	VPERM2F128 $0x31, Y2, Y0, Y9
	VADDPD     Y9, Y8, Y0
	VMOVUPD    Y0, (DI)
	ADDQ       $32, DI
	DECQ       BX
	JNZ        blocks
	VZEROUPPER
	RET
