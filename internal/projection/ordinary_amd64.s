//go:build !purego

#include "textflag.h"

// COUNT adds one to the counter at base that a lane of the stack names.
#define COUNT(lane, base) \
	MOVQ lane(SP), AX; \
	INCQ (base)(AX*8)

#define COUNT8(base) \
	COUNT(0, base); \
	COUNT(8, base); \
	COUNT(16, base); \
	COUNT(24, base); \
	COUNT(32, base); \
	COUNT(40, base); \
	COUNT(48, base); \
	COUNT(56, base)

// func takeAVX512(x *float64, groups int, of *group) (done int)
//
// Z16-Z19 hold the bound, the excursion, the origin and zero, Z20 the bits of a magnitude, Z21 that of the sign; Z24-Z27
// are least and largest values, sums and sums of squares.
TEXT ·takeAVX512(SB), NOSPLIT, $64-32
	MOVQ         x+0(FP), SI
	MOVQ         groups+8(FP), CX
	MOVQ         of+16(FP), DX
	XORQ         R10, R10
	VBROADCASTSD 0(DX), Z16
	VBROADCASTSD 8(DX), Z17
	VBROADCASTSD 16(DX), Z18
	VPXORQ       Z19, Z19, Z19
	MOVQ         $0x7fffffffffffffff, AX
	VPBROADCASTQ AX, Z20
	MOVQ         $0x8000000000000000, AX
	VPBROADCASTQ AX, Z21
	MOVQ         24(DX), R8
	MOVQ         32(DX), R9
	MOVQ         296(DX), R11
	LEAQ         16384(R11), R12
	LEAQ         32768(R11), R13
	VMOVUPD      40(DX), Z24
	VMOVUPD      104(DX), Z25
	VMOVUPD      168(DX), Z26
	VMOVUPD      232(DX), Z27

loop:
	VMOVUPD  16(SI), Z0
	VMOVUPD  8(SI), Z1
	VSUBPD   Z1, Z0, Z3            // the step
	VSUBPD   0(SI), Z1, Z4         // the step before it
	VPANDQ   Z20, Z0, Z5
	VPANDQ   Z20, Z3, Z6
	VPANDQ   Z20, Z4, Z7
	VCMPPD   $18, Z16, Z5, K1      // within the bound
	VCMPPD   $12, Z19, Z3, K1, K2  // and a step
	VCMPPD   $12, Z19, Z0, K2, K3  // and not zero
	VCMPPD   $30, Z17, Z6, K4      // two large steps
	VCMPPD   $30, Z17, Z7, K4, K5
	VPXORQ   Z3, Z4, Z8
	VPTESTMQ Z21, Z8, K5, K6       // of opposite signs
	KMOVW    K3, AX
	KMOVW    K6, BX
	CMPL     AX, $0xff
	JNE      done
	TESTL    BX, BX
	JNZ      done

	VMINPD Z0, Z24, Z24
	VMAXPD Z0, Z25, Z25
	VSUBPD Z18, Z0, Z9
	VADDPD Z9, Z26, Z26
	VMULPD Z9, Z9, Z9
	VADDPD Z9, Z27, Z27

	// Exponents of neighbouring values are mostly equal.
	VPSRLQ       $52, Z5, Z11
	VPSRLQ       $52, Z6, Z12
	VPBROADCASTQ X11, Z13
	VPCMPEQQ     Z13, Z11, K1
	KMOVW        K1, BX
	CMPL         BX, $0xff
	JNE          sizes
	VMOVQ        X11, AX
	ADDQ         $8, (R8)(AX*8)

	// Steps of neighbours are alike, and a counter that was just written is waited for: four tables take turns.
steps:
	VMOVDQU64 Z12, 0(SP)
	COUNT(0, R9)
	COUNT(8, R11)
	COUNT(16, R12)
	COUNT(24, R13)
	COUNT(32, R9)
	COUNT(40, R11)
	COUNT(48, R12)
	COUNT(56, R13)
	ADDQ      $64, SI
	INCQ      R10
	DECQ      CX
	JNZ       loop

done:
	VMOVUPD Z24, 40(DX)
	VMOVUPD Z25, 104(DX)
	VMOVUPD Z26, 168(DX)
	VMOVUPD Z27, 232(DX)
	MOVQ    R10, done+24(FP)
	VZEROUPPER
	RET

sizes:
	VMOVDQU64 Z11, 0(SP)
	COUNT8(R8)
	JMP       steps
