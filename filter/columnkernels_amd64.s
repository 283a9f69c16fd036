//go:build !purego

#include "textflag.h"

// PRODUCTS256 adds the products of a weight with a sample of eight blocks, Y8 and Y9.
#define PRODUCTS256(at, a, b) \
	VBROADCASTSD at(DX), Y10; \
	VFMADD231PD  Y8, Y10, a; \
	VFMADD231PD  Y9, Y10, b

// func groupMomentsAVX2(dst, x, w *float64, samples int)
//
// For eight blocks of a signal: Y0 Y1 are the sums of the first moment, and so on.
TEXT ·groupMomentsAVX2(SB), NOSPLIT, $0-32
	MOVQ   dst+0(FP), DI
	MOVQ   x+8(FP), SI
	MOVQ   w+16(FP), DX
	MOVQ   samples+24(FP), CX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7

samples:
	VMOVUPD 0(SI), Y8
	VMOVUPD 32(SI), Y9
	PRODUCTS256(0, Y0, Y1)
	PRODUCTS256(8, Y2, Y3)
	PRODUCTS256(16, Y4, Y5)
	PRODUCTS256(24, Y6, Y7)
	ADDQ $128, SI
	ADDQ $32, DX
	DECQ CX
	JNZ  samples

	VMOVUPD Y0, 0(DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 2048(DI)
	VMOVUPD Y3, 2080(DI)
	VMOVUPD Y4, 4096(DI)
	VMOVUPD Y5, 4128(DI)
	VMOVUPD Y6, 6144(DI)
	VMOVUPD Y7, 6176(DI)
	VZEROUPPER
	RET

// NEXT256 carries the state re, im of four signals over a block: times the complex number Y0, Y1, plus the moments at o.
#define NEXT256(o, re, im) \
	VMULPD re, Y0, Y12; \
	VMULPD im, Y1, Y13; \
	VMULPD im, Y0, Y14; \
	VMULPD re, Y1, Y15; \
	VSUBPD Y13, Y12, re; \
	VADDPD Y15, Y14, im; \
	VADDPD o(SI), re, re; \
	VADDPD o(R8), im, im

#define LOAD256 \
	VMOVUPD 0(BX), Y4; \
	VMOVUPD 32(BX), Y5; \
	VMOVUPD 64(BX), Y6; \
	VMOVUPD 96(BX), Y7; \
	VMOVUPD 128(BX), Y8; \
	VMOVUPD 160(BX), Y9; \
	VMOVUPD 192(BX), Y10; \
	VMOVUPD 224(BX), Y11

#define STORE256 \
	VMOVUPD Y4, 0(BX); \
	VMOVUPD Y5, 32(BX); \
	VMOVUPD Y6, 64(BX); \
	VMOVUPD Y7, 96(BX); \
	VMOVUPD Y8, 128(BX); \
	VMOVUPD Y9, 160(BX); \
	VMOVUPD Y10, 192(BX); \
	VMOVUPD Y11, 224(BX)

// ROW256 multiplies a row by Y2 and adds a state.
#define ROW256(o, re) \
	VMULPD  o(DI), Y2, Y12; \
	VADDPD  re, Y12, Y12; \
	VMOVUPD Y12, o(DI)

// func forwardAVX2(rows, re, im *float64, blocks int, coef *[3]float64, st *[2][16]float64)
//
// Y4-Y7 are the real parts of the states, Y8-Y11 the imaginary ones.
TEXT ·forwardAVX2(SB), NOSPLIT, $0-48
	MOVQ         rows+0(FP), DI
	MOVQ         re+8(FP), SI
	MOVQ         im+16(FP), R8
	MOVQ         blocks+24(FP), CX
	MOVQ         coef+32(FP), AX
	MOVQ         st+40(FP), BX
	VBROADCASTSD 0(AX), Y0
	VBROADCASTSD 8(AX), Y1
	VBROADCASTSD 16(AX), Y2
	LOAD256

loop:
	ROW256(0, Y4)
	ROW256(32, Y5)
	ROW256(64, Y6)
	ROW256(96, Y7)
	NEXT256(0, Y4, Y8)
	NEXT256(32, Y5, Y9)
	NEXT256(64, Y6, Y10)
	NEXT256(96, Y7, Y11)
	ADDQ $128, DI
	ADDQ $128, SI
	ADDQ $128, R8
	DECQ CX
	JNZ  loop
	STORE256
	VZEROUPPER
	RET

// SUM256 adds a state to a row.
#define SUM256(o, re) \
	VADDPD  o(DI), re, Y12; \
	VMOVUPD Y12, o(DI)

// func backwardAVX2(rows, re, im *float64, blocks int, coef *[2]float64, st *[2][16]float64)
//
// The pointers are those of the last block.
TEXT ·backwardAVX2(SB), NOSPLIT, $0-48
	MOVQ         rows+0(FP), DI
	MOVQ         re+8(FP), SI
	MOVQ         im+16(FP), R8
	MOVQ         blocks+24(FP), CX
	MOVQ         coef+32(FP), AX
	MOVQ         st+40(FP), BX
	VBROADCASTSD 0(AX), Y0
	VBROADCASTSD 8(AX), Y1
	LOAD256

loop:
	NEXT256(0, Y4, Y8)
	NEXT256(32, Y5, Y9)
	NEXT256(64, Y6, Y10)
	NEXT256(96, Y7, Y11)
	SUM256(0, Y4)
	SUM256(32, Y5)
	SUM256(64, Y6)
	SUM256(96, Y7)
	SUBQ $128, DI
	SUBQ $128, SI
	SUBQ $128, R8
	DECQ CX
	JNZ  loop
	STORE256
	VZEROUPPER
	RET
