//go:build !purego

#include "textflag.h"

// func combineAVX512(dst *float64, n int, coef *float64, cols *[]float64, count, from int)
//
// Up to 128 entries of dst at a time stay in as many registers as they need, the last of them under a mask; those of the
// columns are from bytes further on. A slice header is 24 bytes.

#define LOAD(o, z) VMOVUPD o(DI)(AX*1), z
#define STORE(o, z) VMOVUPD z, o(DI)(AX*1)
#define ADD(o, z) VFMADD231PD o(R8)(AX*1), Z31, z

// The registers before the last.
#define LOAD1 LOAD(0, Z0)
#define LOAD2 LOAD1; LOAD(64, Z1)
#define LOAD3 LOAD2; LOAD(128, Z2)
#define LOAD4 LOAD3; LOAD(192, Z3)
#define LOAD5 LOAD4; LOAD(256, Z4)
#define LOAD6 LOAD5; LOAD(320, Z5)
#define LOAD7 LOAD6; LOAD(384, Z6)
#define LOAD8 LOAD7; LOAD(448, Z7)
#define LOAD9 LOAD8; LOAD(512, Z8)
#define LOAD10 LOAD9; LOAD(576, Z9)
#define LOAD11 LOAD10; LOAD(640, Z10)
#define LOAD12 LOAD11; LOAD(704, Z11)
#define LOAD13 LOAD12; LOAD(768, Z12)
#define LOAD14 LOAD13; LOAD(832, Z13)
#define LOAD15 LOAD14; LOAD(896, Z14)
#define ADD1 ADD(0, Z0)
#define ADD2 ADD1; ADD(64, Z1)
#define ADD3 ADD2; ADD(128, Z2)
#define ADD4 ADD3; ADD(192, Z3)
#define ADD5 ADD4; ADD(256, Z4)
#define ADD6 ADD5; ADD(320, Z5)
#define ADD7 ADD6; ADD(384, Z6)
#define ADD8 ADD7; ADD(448, Z7)
#define ADD9 ADD8; ADD(512, Z8)
#define ADD10 ADD9; ADD(576, Z9)
#define ADD11 ADD10; ADD(640, Z10)
#define ADD12 ADD11; ADD(704, Z11)
#define ADD13 ADD12; ADD(768, Z12)
#define ADD14 ADD13; ADD(832, Z13)
#define ADD15 ADD14; ADD(896, Z14)
#define STORE1 STORE(0, Z0)
#define STORE2 STORE1; STORE(64, Z1)
#define STORE3 STORE2; STORE(128, Z2)
#define STORE4 STORE3; STORE(192, Z3)
#define STORE5 STORE4; STORE(256, Z4)
#define STORE6 STORE5; STORE(320, Z5)
#define STORE7 STORE6; STORE(384, Z6)
#define STORE8 STORE7; STORE(448, Z7)
#define STORE9 STORE8; STORE(512, Z8)
#define STORE10 STORE9; STORE(576, Z9)
#define STORE11 STORE10; STORE(640, Z10)
#define STORE12 STORE11; STORE(704, Z11)
#define STORE13 STORE12; STORE(768, Z12)
#define STORE14 STORE13; STORE(832, Z13)
#define STORE15 STORE14; STORE(896, Z14)

// The last one, and the loop over the columns.
#define FIRST(o, z) VMOVUPD.Z o(DI)(AX*1), K1, z
#define COLUMN MOVQ (DX), R8; VBROADCASTSD (SI), Z31
#define LAST(o, z, label) VFMADD231PD o(R8)(AX*1), Z31, K1, z; ADDQ $8, SI; ADDQ $24, DX; DECQ BX; JNZ label
#define FINISH(o, z) VMOVUPD z, K1, o(DI)(AX*1); JMP done

TEXT ·combineAVX512(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ n+8(FP), R10
	MOVQ from+40(FP), AX
	SUBQ AX, DI

block:
	MOVQ coef+16(FP), SI
	MOVQ cols+24(FP), DX
	MOVQ count+32(FP), BX
	MOVQ R10, R11
	CMPQ R11, $128
	JLE  size
	MOVQ $128, R11

size:
	// R11 becomes the number of registers, less one, and K1 the mask of the last.
	DECQ R11
	MOVQ R11, CX
	ANDQ $7, CX
	MOVL $2, R9
	SHLL CX, R9
	DECL R9
	KMOVW R9, K1
	SHRQ $3, R11
	CMPQ R11, $0
	JEQ  load1
	CMPQ R11, $1
	JEQ  load2
	CMPQ R11, $2
	JEQ  load3
	CMPQ R11, $3
	JEQ  load4
	CMPQ R11, $4
	JEQ  load5
	CMPQ R11, $5
	JEQ  load6
	CMPQ R11, $6
	JEQ  load7
	CMPQ R11, $7
	JEQ  load8
	CMPQ R11, $8
	JEQ  load9
	CMPQ R11, $9
	JEQ  load10
	CMPQ R11, $10
	JEQ  load11
	CMPQ R11, $11
	JEQ  load12
	CMPQ R11, $12
	JEQ  load13
	CMPQ R11, $13
	JEQ  load14
	CMPQ R11, $14
	JEQ  load15
	JMP  load16

load1:
	FIRST(0, Z0)

add1:
	COLUMN
	LAST(0, Z0, add1)
	FINISH(0, Z0)

load2:
	LOAD1
	FIRST(64, Z1)

add2:
	COLUMN
	ADD1
	LAST(64, Z1, add2)
	STORE1
	FINISH(64, Z1)

load3:
	LOAD2
	FIRST(128, Z2)

add3:
	COLUMN
	ADD2
	LAST(128, Z2, add3)
	STORE2
	FINISH(128, Z2)

load4:
	LOAD3
	FIRST(192, Z3)

add4:
	COLUMN
	ADD3
	LAST(192, Z3, add4)
	STORE3
	FINISH(192, Z3)

load5:
	LOAD4
	FIRST(256, Z4)

add5:
	COLUMN
	ADD4
	LAST(256, Z4, add5)
	STORE4
	FINISH(256, Z4)

load6:
	LOAD5
	FIRST(320, Z5)

add6:
	COLUMN
	ADD5
	LAST(320, Z5, add6)
	STORE5
	FINISH(320, Z5)

load7:
	LOAD6
	FIRST(384, Z6)

add7:
	COLUMN
	ADD6
	LAST(384, Z6, add7)
	STORE6
	FINISH(384, Z6)

load8:
	LOAD7
	FIRST(448, Z7)

add8:
	COLUMN
	ADD7
	LAST(448, Z7, add8)
	STORE7
	FINISH(448, Z7)

load9:
	LOAD8
	FIRST(512, Z8)

add9:
	COLUMN
	ADD8
	LAST(512, Z8, add9)
	STORE8
	FINISH(512, Z8)

load10:
	LOAD9
	FIRST(576, Z9)

add10:
	COLUMN
	ADD9
	LAST(576, Z9, add10)
	STORE9
	FINISH(576, Z9)

load11:
	LOAD10
	FIRST(640, Z10)

add11:
	COLUMN
	ADD10
	LAST(640, Z10, add11)
	STORE10
	FINISH(640, Z10)

load12:
	LOAD11
	FIRST(704, Z11)

add12:
	COLUMN
	ADD11
	LAST(704, Z11, add12)
	STORE11
	FINISH(704, Z11)

load13:
	LOAD12
	FIRST(768, Z12)

add13:
	COLUMN
	ADD12
	LAST(768, Z12, add13)
	STORE12
	FINISH(768, Z12)

load14:
	LOAD13
	FIRST(832, Z13)

add14:
	COLUMN
	ADD13
	LAST(832, Z13, add14)
	STORE13
	FINISH(832, Z13)

load15:
	LOAD14
	FIRST(896, Z14)

add15:
	COLUMN
	ADD14
	LAST(896, Z14, add15)
	STORE14
	FINISH(896, Z14)

load16:
	LOAD15
	FIRST(960, Z15)

add16:
	COLUMN
	ADD15
	LAST(960, Z15, add16)
	STORE15
	FINISH(960, Z15)

done:
	ADDQ $1024, AX
	SUBQ $128, R10
	JG   block
	VZEROUPPER
	RET
