//go:build !purego

#include "textflag.h"

// PRODUCTS512 adds the products of a weight with a sample of 16 blocks of two signals, Z16 Z17 and Z18 Z19.
#define PRODUCTS512(at, a, b, c, d) \
	VBROADCASTSD at(DX), Z20; \
	VFMADD231PD  Z16, Z20, a; \
	VFMADD231PD  Z17, Z20, b; \
	VFMADD231PD  Z18, Z20, c; \
	VFMADD231PD  Z19, Z20, d

// func groupMomentsAVX512(dst, x, y, w *float64, samples int)
//
// Z0-Z3 are the sums of the first moment of both signals, Z4-Z7 those of the second, and so on.
TEXT ·groupMomentsAVX512(SB), NOSPLIT, $0-40
	MOVQ   dst+0(FP), DI
	MOVQ   x+8(FP), SI
	MOVQ   y+16(FP), R8
	MOVQ   w+24(FP), DX
	MOVQ   samples+32(FP), CX
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3
	VPXORQ Z4, Z4, Z4
	VPXORQ Z5, Z5, Z5
	VPXORQ Z6, Z6, Z6
	VPXORQ Z7, Z7, Z7
	VPXORQ Z8, Z8, Z8
	VPXORQ Z9, Z9, Z9
	VPXORQ Z10, Z10, Z10
	VPXORQ Z11, Z11, Z11
	VPXORQ Z12, Z12, Z12
	VPXORQ Z13, Z13, Z13
	VPXORQ Z14, Z14, Z14
	VPXORQ Z15, Z15, Z15

samples:
	VMOVUPD 0(SI), Z16
	VMOVUPD 64(SI), Z17
	VMOVUPD 0(R8), Z18
	VMOVUPD 64(R8), Z19
	PRODUCTS512(0, Z0, Z1, Z2, Z3)
	PRODUCTS512(8, Z4, Z5, Z6, Z7)
	PRODUCTS512(16, Z8, Z9, Z10, Z11)
	PRODUCTS512(24, Z12, Z13, Z14, Z15)
	ADDQ $128, SI
	ADDQ $128, R8
	ADDQ $32, DX
	DECQ CX
	JNZ  samples

	VMOVUPD Z0, 0(DI)
	VMOVUPD Z1, 64(DI)
	VMOVUPD Z2, 128(DI)
	VMOVUPD Z3, 192(DI)
	VMOVUPD Z4, 2048(DI)
	VMOVUPD Z5, 2112(DI)
	VMOVUPD Z6, 2176(DI)
	VMOVUPD Z7, 2240(DI)
	VMOVUPD Z8, 4096(DI)
	VMOVUPD Z9, 4160(DI)
	VMOVUPD Z10, 4224(DI)
	VMOVUPD Z11, 4288(DI)
	VMOVUPD Z12, 6144(DI)
	VMOVUPD Z13, 6208(DI)
	VMOVUPD Z14, 6272(DI)
	VMOVUPD Z15, 6336(DI)
	VZEROUPPER
	RET

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

// NEXT512 carries the state re, im of eight signals over a block: times the complex number Z0, Z1, plus the moments at o.
#define NEXT512(o, re, im) \
	VMULPD re, Z0, Z10; \
	VMULPD im, Z1, Z11; \
	VMULPD im, Z0, Z12; \
	VMULPD re, Z1, Z13; \
	VSUBPD Z11, Z10, re; \
	VADDPD Z13, Z12, im; \
	VADDPD o(SI), re, re; \
	VADDPD o(R8), im, im

// func forwardAVX512(rows, re, im *float64, blocks int, coef *[3]float64, st *[2][16]float64)
//
// Z4 Z5 are the real parts of the states, Z6 Z7 the imaginary ones.
TEXT ·forwardAVX512(SB), NOSPLIT, $0-48
	MOVQ         rows+0(FP), DI
	MOVQ         re+8(FP), SI
	MOVQ         im+16(FP), R8
	MOVQ         blocks+24(FP), CX
	MOVQ         coef+32(FP), AX
	MOVQ         st+40(FP), BX
	VBROADCASTSD 0(AX), Z0
	VBROADCASTSD 8(AX), Z1
	VBROADCASTSD 16(AX), Z2
	VMOVUPD      0(BX), Z4
	VMOVUPD      64(BX), Z5
	VMOVUPD      128(BX), Z6
	VMOVUPD      192(BX), Z7

loop:
	VMULPD  0(DI), Z2, Z8
	VMULPD  64(DI), Z2, Z9
	VADDPD  Z4, Z8, Z8
	VADDPD  Z5, Z9, Z9
	VMOVUPD Z8, 0(DI)
	VMOVUPD Z9, 64(DI)
	NEXT512(0, Z4, Z6)
	NEXT512(64, Z5, Z7)
	ADDQ    $128, DI
	ADDQ    $128, SI
	ADDQ    $128, R8
	DECQ    CX
	JNZ     loop

	VMOVUPD Z4, 0(BX)
	VMOVUPD Z5, 64(BX)
	VMOVUPD Z6, 128(BX)
	VMOVUPD Z7, 192(BX)
	VZEROUPPER
	RET

// func backwardAVX512(rows, re, im *float64, blocks int, coef *[2]float64, st *[2][16]float64)
//
// The pointers are those of the last block.
TEXT ·backwardAVX512(SB), NOSPLIT, $0-48
	MOVQ         rows+0(FP), DI
	MOVQ         re+8(FP), SI
	MOVQ         im+16(FP), R8
	MOVQ         blocks+24(FP), CX
	MOVQ         coef+32(FP), AX
	MOVQ         st+40(FP), BX
	VBROADCASTSD 0(AX), Z0
	VBROADCASTSD 8(AX), Z1
	VMOVUPD      0(BX), Z4
	VMOVUPD      64(BX), Z5
	VMOVUPD      128(BX), Z6
	VMOVUPD      192(BX), Z7

loop:
	NEXT512(0, Z4, Z6)
	NEXT512(64, Z5, Z7)
	VADDPD  0(DI), Z4, Z8
	VADDPD  64(DI), Z5, Z9
	VMOVUPD Z8, 0(DI)
	VMOVUPD Z9, 64(DI)
	SUBQ    $128, DI
	SUBQ    $128, SI
	SUBQ    $128, R8
	DECQ    CX
	JNZ     loop

	VMOVUPD Z4, 0(BX)
	VMOVUPD Z5, 64(BX)
	VMOVUPD Z6, 128(BX)
	VMOVUPD Z7, 192(BX)
	VZEROUPPER
	RET

// NEXT256 is NEXT512 for four signals.
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
