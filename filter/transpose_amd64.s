//go:build !purego

#include "textflag.h"

// COLUMNS8 loads the pointers of eight columns.
#define COLUMNS8(p) \
	MOVQ 0(p), R8; \
	MOVQ 8(p), R9; \
	MOVQ 16(p), R10; \
	MOVQ 24(p), R11; \
	MOVQ 32(p), R12; \
	MOVQ 40(p), R13; \
	MOVQ 48(p), AX; \
	MOVQ 56(p), BX

// BLOCKS8 sets the pointers of eight blocks, stride bytes apart in DX, from R8 on.
#define BLOCKS8 \
	LEAQ (R8)(DX*1), R9; \
	LEAQ (R9)(DX*1), R10; \
	LEAQ (R10)(DX*1), R11; \
	LEAQ (R11)(DX*1), R12; \
	LEAQ (R12)(DX*1), R13; \
	LEAQ (R13)(DX*1), AX; \
	LEAQ (AX)(DX*1), BX

// TRANSPOSE4 sets a to d, rows of a square, to its columns; t to w are scratch.
#define TRANSPOSE4(a, b, c, d, t, u, v, w) \
	VUNPCKLPD  b, a, t; \
	VUNPCKHPD  b, a, u; \
	VUNPCKLPD  d, c, v; \
	VUNPCKHPD  d, c, w; \
	VPERM2F128 $0x20, v, t, a; \
	VPERM2F128 $0x20, w, u, b; \
	VPERM2F128 $0x31, v, t, c; \
	VPERM2F128 $0x31, w, u, d

// func interleaveAVX2(dst *float64, cols *[8]*float64, groups, ahead int)
//
// Groups of eight samples are two halves of four. Samples are called for so many bytes ahead.
TEXT ·interleaveAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ cols+8(FP), SI
	MOVQ groups+16(FP), CX
	COLUMNS8(SI)
	MOVQ ahead+24(FP), SI
	SHLQ $1, CX
	XORQ DX, DX

loop:
	PREFETCHT0 (R8)(SI*1)
	PREFETCHT0 (R9)(SI*1)
	PREFETCHT0 (R10)(SI*1)
	PREFETCHT0 (R11)(SI*1)
	PREFETCHT0 (R12)(SI*1)
	PREFETCHT0 (R13)(SI*1)
	PREFETCHT0 (AX)(SI*1)
	PREFETCHT0 (BX)(SI*1)
	VMOVUPD (R8)(DX*1), Y0
	VMOVUPD (R9)(DX*1), Y1
	VMOVUPD (R10)(DX*1), Y2
	VMOVUPD (R11)(DX*1), Y3
	VMOVUPD (R12)(DX*1), Y4
	VMOVUPD (R13)(DX*1), Y5
	VMOVUPD (AX)(DX*1), Y6
	VMOVUPD (BX)(DX*1), Y7
	TRANSPOSE4(Y0, Y1, Y2, Y3, Y8, Y9, Y10, Y11)
	TRANSPOSE4(Y4, Y5, Y6, Y7, Y12, Y13, Y14, Y15)
	VMOVUPD Y0, 0(DI)
	VMOVUPD Y4, 32(DI)
	VMOVUPD Y1, 128(DI)
	VMOVUPD Y5, 160(DI)
	VMOVUPD Y2, 256(DI)
	VMOVUPD Y6, 288(DI)
	VMOVUPD Y3, 384(DI)
	VMOVUPD Y7, 416(DI)
	ADDQ    $512, DI
	ADDQ    $32, DX
	ADDQ    $32, SI
	DECQ    CX
	JNZ     loop
	VZEROUPPER
	RET

// func interleaveBlocksAVX2(dst, x *float64, stride, groups, ahead int)
//
// As interleaveAVX2, of eight blocks of one signal that begin stride bytes apart.
TEXT ·interleaveBlocksAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), R8
	MOVQ stride+16(FP), DX
	MOVQ groups+24(FP), CX
	BLOCKS8
	MOVQ ahead+32(FP), SI
	SHLQ $1, CX
	XORQ DX, DX

loop:
	PREFETCHT0 (R8)(SI*1)
	PREFETCHT0 (R9)(SI*1)
	PREFETCHT0 (R10)(SI*1)
	PREFETCHT0 (R11)(SI*1)
	PREFETCHT0 (R12)(SI*1)
	PREFETCHT0 (R13)(SI*1)
	PREFETCHT0 (AX)(SI*1)
	PREFETCHT0 (BX)(SI*1)
	VMOVUPD (R8)(DX*1), Y0
	VMOVUPD (R9)(DX*1), Y1
	VMOVUPD (R10)(DX*1), Y2
	VMOVUPD (R11)(DX*1), Y3
	VMOVUPD (R12)(DX*1), Y4
	VMOVUPD (R13)(DX*1), Y5
	VMOVUPD (AX)(DX*1), Y6
	VMOVUPD (BX)(DX*1), Y7
	TRANSPOSE4(Y0, Y1, Y2, Y3, Y8, Y9, Y10, Y11)
	TRANSPOSE4(Y4, Y5, Y6, Y7, Y12, Y13, Y14, Y15)
	VMOVUPD Y0, 0(DI)
	VMOVUPD Y4, 32(DI)
	VMOVUPD Y1, 128(DI)
	VMOVUPD Y5, 160(DI)
	VMOVUPD Y2, 256(DI)
	VMOVUPD Y6, 288(DI)
	VMOVUPD Y3, 384(DI)
	VMOVUPD Y7, 416(DI)
	ADDQ    $512, DI
	ADDQ    $32, DX
	ADDQ    $32, SI
	DECQ    CX
	JNZ     loop
	VZEROUPPER
	RET

// func separateAVX2(cols *[8]*float64, src *float64, groups int)
TEXT ·separateAVX2(SB), NOSPLIT, $0-24
	MOVQ cols+0(FP), SI
	MOVQ src+8(FP), DI
	MOVQ groups+16(FP), CX
	COLUMNS8(SI)
	SHLQ $1, CX
	XORQ DX, DX

loop:
	VMOVUPD 0(DI), Y0
	VMOVUPD 32(DI), Y4
	VMOVUPD 128(DI), Y1
	VMOVUPD 160(DI), Y5
	VMOVUPD 256(DI), Y2
	VMOVUPD 288(DI), Y6
	VMOVUPD 384(DI), Y3
	VMOVUPD 416(DI), Y7
	TRANSPOSE4(Y0, Y1, Y2, Y3, Y8, Y9, Y10, Y11)
	TRANSPOSE4(Y4, Y5, Y6, Y7, Y12, Y13, Y14, Y15)
	VMOVUPD Y0, (R8)(DX*1)
	VMOVUPD Y1, (R9)(DX*1)
	VMOVUPD Y2, (R10)(DX*1)
	VMOVUPD Y3, (R11)(DX*1)
	VMOVUPD Y4, (R12)(DX*1)
	VMOVUPD Y5, (R13)(DX*1)
	VMOVUPD Y6, (AX)(DX*1)
	VMOVUPD Y7, (BX)(DX*1)
	ADDQ    $512, DI
	ADDQ    $32, DX
	DECQ    CX
	JNZ     loop
	VZEROUPPER
	RET
