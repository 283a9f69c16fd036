package symbolic

// Op is the operation of an instruction.
type Op uint8

// The operations of a program. Asin, Acos and Atan occur only where the symbols
// of a geometry ask for them, Atan2 where loops are closed.
const (
	opConst Op = iota
	opInput
	OpAdd   // A + B
	OpSub   // A - B
	OpMul   // A · B
	OpDiv   // A / B
	OpNeg   // -A
	OpSin   // sin(A)
	OpCos   // cos A
	OpSqrt  // √A
	OpAbs   // |A|
	OpSign  // -1, 0 or 1
	OpAsin  // asin A
	OpAcos  // acos A
	OpAtan  // atan A
	OpAtan2 // angle of the vector (B, A), in -π … π
)

var opNames = [...]string{opConst: "const", opInput: "input", OpAdd: "add", OpSub: "sub", OpMul: "mul", OpDiv: "div", OpNeg: "neg",
	OpSin: "sin", OpCos: "cos", OpSqrt: "sqrt", OpAbs: "abs", OpSign: "sign", OpAsin: "asin", OpAcos: "acos", OpAtan: "atan", OpAtan2: "atan2"}

func (op Op) String() string { return opNames[op] }

// Binary reports whether the operation has two operands.
func (op Op) Binary() bool { return op >= OpAdd && op <= OpDiv || op == OpAtan2 }

// Trigonometric reports whether Counts counts the operation as trigonometric.
func (op Op) Trigonometric() bool {
	return op == OpSin || op == OpCos || op == OpAsin || op == OpAcos || op == OpAtan || op == OpAtan2
}

// Program is straight-line code: every instruction makes one new value out of
// inputs, constants and earlier values, and every value is used. It is a plain
// value, and refers to no Graph.
type Program struct {
	Name    string
	Doc     []string // lines for a header: robot, gravity, order of parameters
	Inputs  []Input
	Consts  []Constant // Consts[0] is 0 and Consts[1] is 1
	Code    []Instruction
	Outputs []Output
}

// Input is an argument of a program. Inputs of one group make a vector: Index
// is the position there, and a group's inputs stand together, in order, without
// gaps.
type Input struct {
	Name  string // an identifier: letters, digits and _, no digit first
	Kind  InputKind
	Group string // the vector's name: "q", "dq", "ddq", "chi"
	Index int
	Unit  string
	Doc   string
	// Value of the input, where Known is set: a symbol's value in the robot's
	// file, a parameter of the file, the direction of gravity.
	Value float64
	Known bool
}

// InputKind is the kind of quantity that an input stands for.
type InputKind uint8

// The kinds of inputs.
const (
	Motion    InputKind = iota // a joint's position, velocity or acceleration, a torque: changes with every sample
	Parameter                  // a dynamic parameter, linear in the model
	Geometry                   // a length or an angle of the robot
	Gravity                    // a component of the acceleration of gravity
	State                      // state of a recursion in time, from the sample before
	Setting                    // a constant of the computation: a cut-off, a sampling period
)

func (k InputKind) String() string {
	return [...]string{"motion", "parameter", "geometry", "gravity", "state", "setting"}[k]
}

// Constant is a number of a program.
type Constant struct {
	Value float64
	Exact string // as an expression, "Pi/2" or "√3/2" written sqrt(3)/2; "" where it has none
}

// Ref is an operand: a constant, an input or the value of an instruction. The
// zero Ref is the number 0.
type Ref struct {
	Kind  RefKind
	Index int32 // index into Consts, Inputs or Code
}

// RefKind is the list that holds an operand.
type RefKind uint8

// The places of operands.
const (
	ConstRef RefKind = iota
	InputRef
	ValueRef
)

// IsZero reports whether the operand is the number 0: a structural zero.
func (r Ref) IsZero() bool { return r == Ref{} }

// Instruction makes a value. B is the zero Ref for operations of one operand.
// Name is given by Graph.Name, "" for values without one; no two instructions and
// inputs have the same.
type Instruction struct {
	Op   Op
	A, B Ref
	Name string
}

// Output is a result: a scalar, a vector (one column) or a matrix.
type Output struct {
	Name       string
	Rows, Cols int
	Entries    []Ref // row by row; the zero Ref for a structural zero
	Unit       string
	Doc        string
	RowNames   []string // nil, or a name for each row: the joints
	ColNames   []string // nil, or a name for each column: the parameters
}

// Named reports whether the rows or the columns have names: those of joints or parameters.
func (o *Output) Named() bool { return o.RowNames != nil || o.ColNames != nil }

// Scalar reports whether the output is one number by itself. A vector or a matrix of one joint is none.
func (o *Output) Scalar() bool { return o.Rows == 1 && o.Cols == 1 && !o.Named() }

// Vector reports whether the output is one column.
func (o *Output) Vector() bool { return o.Cols == 1 && o.ColNames == nil && !o.Scalar() }

// At returns the entry in a row and column.
func (o *Output) At(row, col int) Ref { return o.Entries[row*o.Cols+col] }

// NonZero counts the entries that are not structurally zero.
func (o *Output) NonZero() int {
	n := 0
	for _, r := range o.Entries {
		if !r.IsZero() {
			n++
		}
	}
	return n
}

// Counts are the numbers of operations of a program. Subtractions count as
// additions, and a change of sign as such, which processors do for nothing.
type Counts struct {
	Mul  int `json:"multiplications"`
	Add  int `json:"additions"`
	Div  int `json:"divisions"`
	Sqrt int `json:"square_roots"`
	Trig int `json:"trigonometric"`
	Neg  int `json:"negations"`
	// Other operations: sign and absolute value.
	Other int `json:"other"`
}

// Counts counts the operations.
func (p *Program) Counts() Counts {
	var c Counts
	for _, in := range p.Code {
		switch {
		case in.Op == OpMul:
			c.Mul++
		case in.Op == OpAdd || in.Op == OpSub:
			c.Add++
		case in.Op == OpDiv:
			c.Div++
		case in.Op == OpSqrt:
			c.Sqrt++
		case in.Op.Trigonometric():
			c.Trig++
		case in.Op == OpNeg:
			c.Neg++
		default:
			c.Other++
		}
	}
	return c
}

// Uses tells, for each input, whether anything depends on it.
func (p *Program) Uses() []bool {
	used := make([]bool, len(p.Inputs))
	mark := func(r Ref) {
		if r.Kind == InputRef {
			used[r.Index] = true
		}
	}
	for _, in := range p.Code {
		mark(in.A)
		mark(in.B)
	}
	for i := range p.Outputs {
		for _, r := range p.Outputs[i].Entries {
			mark(r)
		}
	}
	return used
}

// Eval returns the outputs' entries, row by row, for values of the inputs, by the
// standard library's functions. It is the reference for compiled programs and
// emitted code. It panics where there is not one value an input.
func (p *Program) Eval(inputs []float64) [][]float64 {
	if len(inputs) != len(p.Inputs) {
		panic("symbolic: Eval wants one value an input")
	}
	values := make([]float64, len(p.Code))
	get := func(r Ref) float64 {
		switch r.Kind {
		case InputRef:
			return inputs[r.Index]
		case ValueRef:
			return values[r.Index]
		}
		return p.Consts[r.Index].Value
	}
	for i, in := range p.Code {
		values[i] = in.Op.apply(get(in.A), get(in.B))
	}
	out := make([][]float64, len(p.Outputs))
	for i := range p.Outputs {
		for _, r := range p.Outputs[i].Entries {
			out[i] = append(out[i], get(r))
		}
	}
	return out
}
