//go:build !purego

#include "textflag.h"

// The machine for 512-bit registers: Z0 to Z7 are the accumulator, a whole block.
// R8 points to the step at hand, R9 to the slots, R10 to the table of handlers,
// R11 to the table of outputs, and R12 is the outputs' offset in bytes. Handlers
// jump from one to the next, each through its own jump, which the processor
// learns to predict; the last returns for all of them.

#define NEXT \
	ADDQ $16, R8         \
	MOVQ (R8), AX        \
	MOVQ (R10)(AX*8), AX \
	JMP  AX

// A and B are the addresses of the operands.
#define A \
	MOVL 8(R8), BX \
	ADDQ R9, BX

#define AB \
	A \
	MOVL 12(R8), CX \
	ADDQ R9, CX

#define LOADACC \
	VMOVUPD 0(BX), Z0   \
	VMOVUPD 64(BX), Z1  \
	VMOVUPD 128(BX), Z2 \
	VMOVUPD 192(BX), Z3 \
	VMOVUPD 256(BX), Z4 \
	VMOVUPD 320(BX), Z5 \
	VMOVUPD 384(BX), Z6 \
	VMOVUPD 448(BX), Z7

#define LOADTMP \
	VMOVUPD 0(BX), Z8    \
	VMOVUPD 64(BX), Z9   \
	VMOVUPD 128(BX), Z10 \
	VMOVUPD 192(BX), Z11 \
	VMOVUPD 256(BX), Z12 \
	VMOVUPD 320(BX), Z13 \
	VMOVUPD 384(BX), Z14 \
	VMOVUPD 448(BX), Z15

#define PUTACC \
	VMOVUPD Z0, 0(BX)   \
	VMOVUPD Z1, 64(BX)  \
	VMOVUPD Z2, 128(BX) \
	VMOVUPD Z3, 192(BX) \
	VMOVUPD Z4, 256(BX) \
	VMOVUPD Z5, 320(BX) \
	VMOVUPD Z6, 384(BX) \
	VMOVUPD Z7, 448(BX)

#define MULB \
	VMULPD 0(CX), Z0, Z0   \
	VMULPD 64(CX), Z1, Z1  \
	VMULPD 128(CX), Z2, Z2 \
	VMULPD 192(CX), Z3, Z3 \
	VMULPD 256(CX), Z4, Z4 \
	VMULPD 320(CX), Z5, Z5 \
	VMULPD 384(CX), Z6, Z6 \
	VMULPD 448(CX), Z7, Z7

#define DIVB \
	VDIVPD 0(CX), Z0, Z0   \
	VDIVPD 64(CX), Z1, Z1  \
	VDIVPD 128(CX), Z2, Z2 \
	VDIVPD 192(CX), Z3, Z3 \
	VDIVPD 256(CX), Z4, Z4 \
	VDIVPD 320(CX), Z5, Z5 \
	VDIVPD 384(CX), Z6, Z6 \
	VDIVPD 448(CX), Z7, Z7

#define ADDA \
	VADDPD 0(BX), Z0, Z0   \
	VADDPD 64(BX), Z1, Z1  \
	VADDPD 128(BX), Z2, Z2 \
	VADDPD 192(BX), Z3, Z3 \
	VADDPD 256(BX), Z4, Z4 \
	VADDPD 320(BX), Z5, Z5 \
	VADDPD 384(BX), Z6, Z6 \
	VADDPD 448(BX), Z7, Z7

#define SUBA \
	VSUBPD 0(BX), Z0, Z0   \
	VSUBPD 64(BX), Z1, Z1  \
	VSUBPD 128(BX), Z2, Z2 \
	VSUBPD 192(BX), Z3, Z3 \
	VSUBPD 256(BX), Z4, Z4 \
	VSUBPD 320(BX), Z5, Z5 \
	VSUBPD 384(BX), Z6, Z6 \
	VSUBPD 448(BX), Z7, Z7

#define MULA \
	VMULPD 0(BX), Z0, Z0   \
	VMULPD 64(BX), Z1, Z1  \
	VMULPD 128(BX), Z2, Z2 \
	VMULPD 192(BX), Z3, Z3 \
	VMULPD 256(BX), Z4, Z4 \
	VMULPD 320(BX), Z5, Z5 \
	VMULPD 384(BX), Z6, Z6 \
	VMULPD 448(BX), Z7, Z7

#define RSUBTMP \
	VSUBPD Z0, Z8, Z0  \
	VSUBPD Z1, Z9, Z1  \
	VSUBPD Z2, Z10, Z2 \
	VSUBPD Z3, Z11, Z3 \
	VSUBPD Z4, Z12, Z4 \
	VSUBPD Z5, Z13, Z5 \
	VSUBPD Z6, Z14, Z6 \
	VSUBPD Z7, Z15, Z7

#define FMAB \
	VFMADD231PD 0(CX), Z8, Z0    \
	VFMADD231PD 64(CX), Z9, Z1   \
	VFMADD231PD 128(CX), Z10, Z2 \
	VFMADD231PD 192(CX), Z11, Z3 \
	VFMADD231PD 256(CX), Z12, Z4 \
	VFMADD231PD 320(CX), Z13, Z5 \
	VFMADD231PD 384(CX), Z14, Z6 \
	VFMADD231PD 448(CX), Z15, Z7

#define FNMAB \
	VFNMADD231PD 0(CX), Z8, Z0    \
	VFNMADD231PD 64(CX), Z9, Z1   \
	VFNMADD231PD 128(CX), Z10, Z2 \
	VFNMADD231PD 192(CX), Z11, Z3 \
	VFNMADD231PD 256(CX), Z12, Z4 \
	VFNMADD231PD 320(CX), Z13, Z5 \
	VFNMADD231PD 384(CX), Z14, Z6 \
	VFNMADD231PD 448(CX), Z15, Z7

#define FMSB \
	VFMSUB231PD 0(CX), Z8, Z0    \
	VFMSUB231PD 64(CX), Z9, Z1   \
	VFMSUB231PD 128(CX), Z10, Z2 \
	VFMSUB231PD 192(CX), Z11, Z3 \
	VFMSUB231PD 256(CX), Z12, Z4 \
	VFMSUB231PD 320(CX), Z13, Z5 \
	VFMSUB231PD 384(CX), Z14, Z6 \
	VFMSUB231PD 448(CX), Z15, Z7

// func runAVX512(tape *step, slots *float64, out **float64, offset int)
TEXT ·runAVX512(SB), NOSPLIT, $0-32
	MOVQ tape+0(FP), R8
	MOVQ slots+8(FP), R9
	MOVQ out+16(FP), R11
	MOVQ offset+24(FP), R12
	LEAQ handlers512<>(SB), R10
	MOVQ (R8), AX
	MOVQ (R10)(AX*8), AX
	JMP  AX

TEXT end512<>(SB), NOSPLIT|NOFRAME, $0-0
	VZEROUPPER
	RET

TEXT load512<>(SB), NOSPLIT|NOFRAME, $0-0
	A
	LOADACC
	NEXT

TEXT mul512<>(SB), NOSPLIT|NOFRAME, $0-0
	AB
	LOADACC
	MULB
	NEXT

TEXT div512<>(SB), NOSPLIT|NOFRAME, $0-0
	AB
	LOADACC
	DIVB
	NEXT

TEXT add512<>(SB), NOSPLIT|NOFRAME, $0-0
	A
	ADDA
	NEXT

TEXT sub512<>(SB), NOSPLIT|NOFRAME, $0-0
	A
	SUBA
	NEXT

TEXT rsub512<>(SB), NOSPLIT|NOFRAME, $0-0
	A
	LOADTMP
	RSUBTMP
	NEXT

TEXT scale512<>(SB), NOSPLIT|NOFRAME, $0-0
	A
	MULA
	NEXT

TEXT fma512<>(SB), NOSPLIT|NOFRAME, $0-0
	AB
	LOADTMP
	FMAB
	NEXT

TEXT fnma512<>(SB), NOSPLIT|NOFRAME, $0-0
	AB
	LOADTMP
	FNMAB
	NEXT

TEXT fms512<>(SB), NOSPLIT|NOFRAME, $0-0
	AB
	LOADTMP
	FMSB
	NEXT

TEXT store512<>(SB), NOSPLIT|NOFRAME, $0-0
	A
	PUTACC
	NEXT

TEXT out512<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVL 8(R8), BX
	MOVQ (R11)(BX*8), BX
	ADDQ R12, BX
	PUTACC
	NEXT

DATA handlers512<>+0(SB)/8, $end512<>(SB)
DATA handlers512<>+8(SB)/8, $load512<>(SB)
DATA handlers512<>+16(SB)/8, $mul512<>(SB)
DATA handlers512<>+24(SB)/8, $div512<>(SB)
DATA handlers512<>+32(SB)/8, $add512<>(SB)
DATA handlers512<>+40(SB)/8, $sub512<>(SB)
DATA handlers512<>+48(SB)/8, $rsub512<>(SB)
DATA handlers512<>+56(SB)/8, $scale512<>(SB)
DATA handlers512<>+64(SB)/8, $fma512<>(SB)
DATA handlers512<>+72(SB)/8, $fnma512<>(SB)
DATA handlers512<>+80(SB)/8, $fms512<>(SB)
DATA handlers512<>+88(SB)/8, $store512<>(SB)
DATA handlers512<>+96(SB)/8, $out512<>(SB)
GLOBL handlers512<>(SB), RODATA|NOPTR, $104
