//go:build !purego

#include "textflag.h"

// The machine for 256-bit registers: Y0 to Y7 are the accumulator, a block.
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
	VMOVUPD 0(BX), Y0   \
	VMOVUPD 32(BX), Y1  \
	VMOVUPD 64(BX), Y2  \
	VMOVUPD 96(BX), Y3  \
	VMOVUPD 128(BX), Y4 \
	VMOVUPD 160(BX), Y5 \
	VMOVUPD 192(BX), Y6 \
	VMOVUPD 224(BX), Y7

#define LOADTMP \
	VMOVUPD 0(BX), Y8    \
	VMOVUPD 32(BX), Y9   \
	VMOVUPD 64(BX), Y10  \
	VMOVUPD 96(BX), Y11  \
	VMOVUPD 128(BX), Y12 \
	VMOVUPD 160(BX), Y13 \
	VMOVUPD 192(BX), Y14 \
	VMOVUPD 224(BX), Y15

#define PUTACC \
	VMOVUPD Y0, 0(BX)   \
	VMOVUPD Y1, 32(BX)  \
	VMOVUPD Y2, 64(BX)  \
	VMOVUPD Y3, 96(BX)  \
	VMOVUPD Y4, 128(BX) \
	VMOVUPD Y5, 160(BX) \
	VMOVUPD Y6, 192(BX) \
	VMOVUPD Y7, 224(BX)

#define MULB \
	VMULPD 0(CX), Y0, Y0   \
	VMULPD 32(CX), Y1, Y1  \
	VMULPD 64(CX), Y2, Y2  \
	VMULPD 96(CX), Y3, Y3  \
	VMULPD 128(CX), Y4, Y4 \
	VMULPD 160(CX), Y5, Y5 \
	VMULPD 192(CX), Y6, Y6 \
	VMULPD 224(CX), Y7, Y7

#define DIVB \
	VDIVPD 0(CX), Y0, Y0   \
	VDIVPD 32(CX), Y1, Y1  \
	VDIVPD 64(CX), Y2, Y2  \
	VDIVPD 96(CX), Y3, Y3  \
	VDIVPD 128(CX), Y4, Y4 \
	VDIVPD 160(CX), Y5, Y5 \
	VDIVPD 192(CX), Y6, Y6 \
	VDIVPD 224(CX), Y7, Y7

#define ADDA \
	VADDPD 0(BX), Y0, Y0   \
	VADDPD 32(BX), Y1, Y1  \
	VADDPD 64(BX), Y2, Y2  \
	VADDPD 96(BX), Y3, Y3  \
	VADDPD 128(BX), Y4, Y4 \
	VADDPD 160(BX), Y5, Y5 \
	VADDPD 192(BX), Y6, Y6 \
	VADDPD 224(BX), Y7, Y7

#define SUBA \
	VSUBPD 0(BX), Y0, Y0   \
	VSUBPD 32(BX), Y1, Y1  \
	VSUBPD 64(BX), Y2, Y2  \
	VSUBPD 96(BX), Y3, Y3  \
	VSUBPD 128(BX), Y4, Y4 \
	VSUBPD 160(BX), Y5, Y5 \
	VSUBPD 192(BX), Y6, Y6 \
	VSUBPD 224(BX), Y7, Y7

#define MULA \
	VMULPD 0(BX), Y0, Y0   \
	VMULPD 32(BX), Y1, Y1  \
	VMULPD 64(BX), Y2, Y2  \
	VMULPD 96(BX), Y3, Y3  \
	VMULPD 128(BX), Y4, Y4 \
	VMULPD 160(BX), Y5, Y5 \
	VMULPD 192(BX), Y6, Y6 \
	VMULPD 224(BX), Y7, Y7

#define RSUBTMP \
	VSUBPD Y0, Y8, Y0  \
	VSUBPD Y1, Y9, Y1  \
	VSUBPD Y2, Y10, Y2 \
	VSUBPD Y3, Y11, Y3 \
	VSUBPD Y4, Y12, Y4 \
	VSUBPD Y5, Y13, Y5 \
	VSUBPD Y6, Y14, Y6 \
	VSUBPD Y7, Y15, Y7

#define FMAB \
	VFMADD231PD 0(CX), Y8, Y0    \
	VFMADD231PD 32(CX), Y9, Y1   \
	VFMADD231PD 64(CX), Y10, Y2  \
	VFMADD231PD 96(CX), Y11, Y3  \
	VFMADD231PD 128(CX), Y12, Y4 \
	VFMADD231PD 160(CX), Y13, Y5 \
	VFMADD231PD 192(CX), Y14, Y6 \
	VFMADD231PD 224(CX), Y15, Y7

#define FNMAB \
	VFNMADD231PD 0(CX), Y8, Y0    \
	VFNMADD231PD 32(CX), Y9, Y1   \
	VFNMADD231PD 64(CX), Y10, Y2  \
	VFNMADD231PD 96(CX), Y11, Y3  \
	VFNMADD231PD 128(CX), Y12, Y4 \
	VFNMADD231PD 160(CX), Y13, Y5 \
	VFNMADD231PD 192(CX), Y14, Y6 \
	VFNMADD231PD 224(CX), Y15, Y7

#define FMSB \
	VFMSUB231PD 0(CX), Y8, Y0    \
	VFMSUB231PD 32(CX), Y9, Y1   \
	VFMSUB231PD 64(CX), Y10, Y2  \
	VFMSUB231PD 96(CX), Y11, Y3  \
	VFMSUB231PD 128(CX), Y12, Y4 \
	VFMSUB231PD 160(CX), Y13, Y5 \
	VFMSUB231PD 192(CX), Y14, Y6 \
	VFMSUB231PD 224(CX), Y15, Y7

// func runAVX2(tape *step, slots *float64, out **float64, offset int)
TEXT ·runAVX2(SB), NOSPLIT, $0-32
	MOVQ tape+0(FP), R8
	MOVQ slots+8(FP), R9
	MOVQ out+16(FP), R11
	MOVQ offset+24(FP), R12
	LEAQ handlers2<>(SB), R10
	MOVQ (R8), AX
	MOVQ (R10)(AX*8), AX
	JMP  AX

TEXT end2<>(SB), NOSPLIT|NOFRAME, $0-0
	VZEROUPPER
	RET

TEXT load2<>(SB), NOSPLIT|NOFRAME, $0-0
	A
	LOADACC
	NEXT

TEXT mul2<>(SB), NOSPLIT|NOFRAME, $0-0
	AB
	LOADACC
	MULB
	NEXT

TEXT div2<>(SB), NOSPLIT|NOFRAME, $0-0
	AB
	LOADACC
	DIVB
	NEXT

TEXT add2<>(SB), NOSPLIT|NOFRAME, $0-0
	A
	ADDA
	NEXT

TEXT sub2<>(SB), NOSPLIT|NOFRAME, $0-0
	A
	SUBA
	NEXT

TEXT rsub2<>(SB), NOSPLIT|NOFRAME, $0-0
	A
	LOADTMP
	RSUBTMP
	NEXT

TEXT scale2<>(SB), NOSPLIT|NOFRAME, $0-0
	A
	MULA
	NEXT

TEXT fma2<>(SB), NOSPLIT|NOFRAME, $0-0
	AB
	LOADTMP
	FMAB
	NEXT

TEXT fnma2<>(SB), NOSPLIT|NOFRAME, $0-0
	AB
	LOADTMP
	FNMAB
	NEXT

TEXT fms2<>(SB), NOSPLIT|NOFRAME, $0-0
	AB
	LOADTMP
	FMSB
	NEXT

TEXT store2<>(SB), NOSPLIT|NOFRAME, $0-0
	A
	PUTACC
	NEXT

TEXT out2<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVL 8(R8), BX
	MOVQ (R11)(BX*8), BX
	ADDQ R12, BX
	PUTACC
	NEXT

DATA handlers2<>+0(SB)/8, $end2<>(SB)
DATA handlers2<>+8(SB)/8, $load2<>(SB)
DATA handlers2<>+16(SB)/8, $mul2<>(SB)
DATA handlers2<>+24(SB)/8, $div2<>(SB)
DATA handlers2<>+32(SB)/8, $add2<>(SB)
DATA handlers2<>+40(SB)/8, $sub2<>(SB)
DATA handlers2<>+48(SB)/8, $rsub2<>(SB)
DATA handlers2<>+56(SB)/8, $scale2<>(SB)
DATA handlers2<>+64(SB)/8, $fma2<>(SB)
DATA handlers2<>+72(SB)/8, $fnma2<>(SB)
DATA handlers2<>+80(SB)/8, $fms2<>(SB)
DATA handlers2<>+88(SB)/8, $store2<>(SB)
DATA handlers2<>+96(SB)/8, $out2<>(SB)
GLOBL handlers2<>(SB), RODATA|NOPTR, $104
