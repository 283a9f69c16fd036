//go:build !purego

#include "textflag.h"

// FACTORS loads those of mix: Z10 is added, Z11 and Z12 multiply.
#define FACTORS \
	MOVQ         $0x9e3779b97f4a7c15, AX; \
	VPBROADCASTQ AX, Z10; \
	MOVQ         $0xbf58476d1ce4e5b9, AX; \
	VPBROADCASTQ AX, Z11; \
	MOVQ         $0x94d049bb133111eb, AX; \
	VPBROADCASTQ AX, Z12

// MIX is mix of eight numbers; t is scratch.
#define MIX(x, t) \
	VPADDQ  Z10, x, x; \
	VPSRLQ  $30, x, t; \
	VPXORQ  t, x, x; \
	VPMULLQ Z11, x, x; \
	VPSRLQ  $27, x, t; \
	VPXORQ  t, x, x; \
	VPMULLQ Z12, x, x; \
	VPSRLQ  $31, x, t; \
	VPXORQ  t, x, x

// func mixAVX512(own *uint64, x *float64, vectors int)
TEXT ·mixAVX512(SB), NOSPLIT, $0-24
	MOVQ         own+0(FP), DI
	MOVQ         x+8(FP), SI
	MOVQ         vectors+16(FP), CX
	FACTORS
	MOVQ         $0x1000, AX
	VPBROADCASTQ AX, Z13
	VPXORQ       Z14, Z14, Z14

loop:
	VMOVUPD   (SI), Z0
	VCMPPD    $0, Z14, Z0, K1 // a zero of either sign
	VPADDQ    Z13, Z0, Z1
	VPSRLQ    $13, Z1, Z1
	VPXORQ    Z1, Z1, K1, Z1
	VPXORQ    (DI), Z1, Z1
	MIX(Z1, Z2)
	VMOVDQU64 Z1, (DI)
	ADDQ      $64, SI
	ADDQ      $64, DI
	DECQ      CX
	JNZ       loop
	VZEROUPPER
	RET

// func changesAVX512(moved *uint8, x *float64, vectors int, last float64)
TEXT ·changesAVX512(SB), NOSPLIT, $0-32
	MOVQ         moved+0(FP), DI
	MOVQ         x+8(FP), SI
	MOVQ         vectors+16(FP), CX
	VBROADCASTSD last+24(FP), Z0

loop:
	VMOVUPD (SI), Z1
	VALIGNQ $7, Z0, Z1, Z2 // the values before
	VCMPPD  $4, Z2, Z1, K1
	KMOVB   K1, AX
	ORB     AX, (DI)
	VMOVAPD Z1, Z0
	ADDQ    $64, SI
	INCQ    DI
	DECQ    CX
	JNZ     loop
	VZEROUPPER
	RET

// func sumsAVX512(hits *uint8, hashes *uint64, rows, vectors int, bound uint64)
TEXT ·sumsAVX512(SB), NOSPLIT, $0-40
	MOVQ         hits+0(FP), DI
	MOVQ         hashes+8(FP), SI
	MOVQ         rows+16(FP), DX
	MOVQ         vectors+24(FP), CX
	VPBROADCASTQ bound+32(FP), Z13
	FACTORS

loop:
	VPXORQ Z0, Z0, Z0
	MOVQ   SI, R8
	MOVQ   DX, R9

row:
	VPXORQ (R8), Z0, Z0
	MIX(Z0, Z1)
	ADDQ   $8, R8
	DECQ   R9
	JNZ    row

	VPCMPUQ $2, Z13, Z0, K1 // not above the bound
	KMOVB   K1, AX
	MOVB    AX, (DI)
	ADDQ    $64, SI
	INCQ    DI
	DECQ    CX
	JNZ     loop
	VZEROUPPER
	RET
