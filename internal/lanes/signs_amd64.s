//go:build !purego

#include "textflag.h"

// func signsAVX2(dst, x *float64, vectors int)
//
// Y0 is zero, Y1 one, Y2 the bit of the sign. Zeros, and values that are no numbers, are equal to zero or unordered.
TEXT ·signsAVX2(SB), NOSPLIT, $0-24
	MOVQ     dst+0(FP), DI
	MOVQ     x+8(FP), SI
	MOVQ     vectors+16(FP), CX
	VXORPD   Y0, Y0, Y0
	VPCMPEQQ Y2, Y2, Y2
	VPSRLQ   $54, Y2, Y1
	VPSLLQ   $52, Y1, Y1
	VPSLLQ   $63, Y2, Y2

loop:
	VMOVUPD   (SI), Y3
	VANDPD    Y2, Y3, Y4
	VORPD     Y1, Y4, Y4
	VCMPPD    $8, Y0, Y3, Y5
	VBLENDVPD Y5, Y3, Y4, Y4
	VMOVUPD   Y4, (DI)
	ADDQ      $32, SI
	ADDQ      $32, DI
	DECQ      CX
	JNZ       loop

	VZEROUPPER
	RET
