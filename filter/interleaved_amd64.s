//go:build !purego

#include "textflag.h"

// func sectionAVX512(x *float64, n, stride int, c *[4]float64, st *lanesState)
//
// Z0-Z3 hold d, p, q and the scale, Z4 Z5 the states s of 16 columns, Z6 Z7 their r.
TEXT ·sectionAVX512(SB), NOSPLIT, $0-40
	MOVQ         x+0(FP), SI
	MOVQ         n+8(FP), CX
	MOVQ         stride+16(FP), DX
	MOVQ         c+24(FP), AX
	MOVQ         st+32(FP), BX
	VBROADCASTSD 0(AX), Z0
	VBROADCASTSD 8(AX), Z1
	VBROADCASTSD 16(AX), Z2
	VBROADCASTSD 24(AX), Z3
	VMOVUPD      0(BX), Z4
	VMOVUPD      64(BX), Z5
	VMOVUPD      128(BX), Z6
	VMOVUPD      192(BX), Z7

loop:
	VMOVUPD 0(SI), Z8
	VMOVUPD 64(SI), Z9
	VSUBPD  Z4, Z8, Z8   // e = x - s
	VSUBPD  Z5, Z9, Z9
	VADDPD  Z6, Z4, Z10
	VADDPD  Z7, Z5, Z11
	VMULPD  Z8, Z0, Z12
	VMULPD  Z9, Z0, Z13
	VMULPD  Z6, Z1, Z6
	VMULPD  Z7, Z1, Z7
	VMULPD  Z8, Z2, Z8
	VMULPD  Z9, Z2, Z9
	VADDPD  Z12, Z10, Z10 // t = (s + r) + d*e
	VADDPD  Z13, Z11, Z11
	VADDPD  Z8, Z6, Z6   // r = p*r + q*e
	VADDPD  Z9, Z7, Z7
	VADDPD  Z10, Z4, Z8
	VADDPD  Z11, Z5, Z9
	VMULPD  Z8, Z3, Z8
	VMULPD  Z9, Z3, Z9
	VMOVUPD Z8, 0(SI)
	VMOVUPD Z9, 64(SI)
	VMOVAPD Z10, Z4
	VMOVAPD Z11, Z5
	ADDQ    DX, SI
	DECQ    CX
	JNZ     loop

	VMOVUPD Z4, 0(BX)
	VMOVUPD Z5, 64(BX)
	VMOVUPD Z6, 128(BX)
	VMOVUPD Z7, 192(BX)
	VZEROUPPER
	RET

// STEP is a sample of the columns at o, whose states are s and r; e, t and u are
// scratch.
#define STEP(o, s, r, e, t, u) \
	VMOVUPD o(SI), e; \
	VSUBPD  s, e, e; \
	VADDPD  r, s, t; \
	VMULPD  e, Y0, u; \
	VMULPD  r, Y1, r; \
	VMULPD  e, Y2, e; \
	VADDPD  u, t, t; \
	VADDPD  e, r, r; \
	VADDPD  t, s, u; \
	VMULPD  u, Y3, u; \
	VMOVUPD u, o(SI); \
	VMOVAPD t, s

// func sectionAVX2(x *float64, n, stride int, c *[4]float64, st *lanesState)
//
// Y0-Y3 hold d, p, q and the scale, Y4-Y7 the states s of 16 columns, Y8-Y11 their r.
TEXT ·sectionAVX2(SB), NOSPLIT, $0-40
	MOVQ         x+0(FP), SI
	MOVQ         n+8(FP), CX
	MOVQ         stride+16(FP), DX
	MOVQ         c+24(FP), AX
	MOVQ         st+32(FP), BX
	VBROADCASTSD 0(AX), Y0
	VBROADCASTSD 8(AX), Y1
	VBROADCASTSD 16(AX), Y2
	VBROADCASTSD 24(AX), Y3
	VMOVUPD      0(BX), Y4
	VMOVUPD      32(BX), Y5
	VMOVUPD      64(BX), Y6
	VMOVUPD      96(BX), Y7
	VMOVUPD      128(BX), Y8
	VMOVUPD      160(BX), Y9
	VMOVUPD      192(BX), Y10
	VMOVUPD      224(BX), Y11

loop:
	STEP(0, Y4, Y8, Y12, Y13, Y14)
	STEP(32, Y5, Y9, Y12, Y13, Y14)
	STEP(64, Y6, Y10, Y12, Y13, Y14)
	STEP(96, Y7, Y11, Y12, Y13, Y14)
	ADDQ DX, SI
	DECQ CX
	JNZ  loop

	VMOVUPD Y4, 0(BX)
	VMOVUPD Y5, 32(BX)
	VMOVUPD Y6, 64(BX)
	VMOVUPD Y7, 96(BX)
	VMOVUPD Y8, 128(BX)
	VMOVUPD Y9, 160(BX)
	VMOVUPD Y10, 192(BX)
	VMOVUPD Y11, 224(BX)
	VZEROUPPER
	RET
