package par

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ident/robot"
)

// constraints are the explicit relations of a file NAME.cons of SYMORO+, which may stand below the table too: the position Q[[i,j]] and the rate QD[[i,j]] of
// each passive joint j by those of the driven ones, in the language of Mathematica.
//
//	Constraint[nbs_Integer]:= Module[{i, Pi = 3.14159265358979},
//	For[i = 1, i <= nbs, i++,
//	Q[[i,3]] = Pi/2 - Q[[i,2]] + Q[[i,7]];
//	QD[[i,3]] = -QD[[i,2]] + QD[[i,7]];
//	];
//	];
type constraints struct {
	line       int // of the module in the text
	statements []statement
}

// statement assigns an expression to Q[[i,joint]], to QD[[i,joint]], or to a name of the module's own.
type statement struct {
	to    variable
	value formula
	line  int
}

// variable is a joint's position, with rate its velocity, or a name if joint is 0.
type variable struct {
	name  string
	joint int
	rate  bool
}

func (v variable) String() string {
	switch {
	case v.joint == 0:
		return v.name
	case v.rate:
		return fmt.Sprintf("QD[[i,%d]]", v.joint)
	}
	return fmt.Sprintf("Q[[i,%d]]", v.joint)
}

// formula evaluates an expression of the module.
type formula func(at map[variable]float64) float64

var moduleStart = regexp.MustCompile(`(?i)\bConstraint\s*\[[^\]]*\]\s*:?=?\s*:?\s*Module\s*\[`)

var loopStart = regexp.MustCompile(`\bFor\s*\[`)

// takeConstraints takes the module out of a text without comments, and leaves its lines empty; nil where there is none.
func takeConstraints(s string) (string, *constraints, error) {
	at := moduleStart.FindStringIndex(s)
	if at == nil {
		return s, nil, nil
	}
	c := &constraints{line: 1 + strings.Count(s[:at[0]], "\n")}
	end := closing(s, at[1]-1)
	if end < 0 {
		return "", nil, robot.Fault(c.line, "Constraint", "the module that begins here has no closing bracket")
	}
	if moduleStart.MatchString(s[end:]) {
		return "", nil, robot.Fault(c.line, "Constraint", "there are two modules of constraints; keep one")
	}
	body := s[at[1]:end]
	head := loopStart.FindStringIndex(body)
	if head == nil {
		return "", nil, robot.Fault(c.line, "Constraint", "the module has no loop For[i = 1, i <= nbs, i++, …]")
	}
	start := head[1]
	stop := closing(body, start-1)
	if stop < 0 {
		return "", nil, robot.Fault(c.line+strings.Count(body[:start], "\n"), "Constraint", "the loop For[ has no closing bracket")
	}
	for range 3 { // i = 1, the condition and i++
		comma := topLevel(body[start:stop], ',')
		if comma < 0 {
			return "", nil, robot.Fault(c.line, "Constraint", "the loop must be For[i = 1, i <= nbs, i++, …]")
		}
		start += comma + 1
	}
	for start < stop {
		n := topLevel(body[start:stop], ';')
		if n < 0 {
			n = stop - start
		}
		text := body[start : start+n]
		line := c.line + strings.Count(s[at[0]:at[1]]+body[:start]+text[:len(text)-len(strings.TrimLeft(text, " \t\r\n"))], "\n")
		start += n + 1
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		st, err := parseStatement(text)
		if err != nil {
			return "", nil, robot.Fault(line, "Constraint", "%v", err)
		}
		st.line = line
		c.statements = append(c.statements, st)
	}
	blank := strings.Repeat("\n", strings.Count(s[at[0]:end], "\n"))
	return s[:at[0]] + blank + s[end+1:], c, nil
}

// closing returns the place of the bracket that closes the one at open, or -1.
func closing(s string, open int) int {
	depth := 0
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '[', '(', '{':
			depth++
		case ']', ')', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// topLevel returns the first place of a byte outside of brackets, or -1.
func topLevel(s string, b byte) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[', '(', '{':
			depth++
		case ']', ')', '}':
			depth--
		case b:
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

// maxStatement bounds the bytes of a statement, and with them the depth of its brackets.
const maxStatement = 1 << 16

func parseStatement(text string) (statement, error) {
	if len(text) > maxStatement {
		return statement{}, fmt.Errorf("a statement of %d characters is too long", len(text))
	}
	p := &mathematica{s: text}
	to, err := p.variable()
	if err != nil {
		return statement{}, fmt.Errorf("%q is no assignment of Q[[i,j]], QD[[i,j]] or a name", text)
	}
	if !p.take("=") {
		return statement{}, fmt.Errorf("%q: expected = after %s", text, to)
	}
	v, err := p.sum(0)
	if p.space(); err == nil && p.at < len(p.s) {
		err = fmt.Errorf("%q is not understood", p.s[p.at:])
	}
	if err != nil {
		return statement{}, fmt.Errorf("%s: %w", to, err)
	}
	return statement{to: to, value: v}, nil
}

// mathematica reads the arithmetic of a module: numbers, names, Q[[i,j]], + - * / ^, a product without a sign, and functions in square brackets.
type mathematica struct {
	s  string
	at int
}

// maxDepth bounds brackets within brackets.
const maxDepth = 200

func (p *mathematica) space() {
	for p.at < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.at]) >= 0 {
		p.at++
	}
}

func (p *mathematica) take(token string) bool {
	p.space()
	if !strings.HasPrefix(p.s[p.at:], token) {
		return false
	}
	p.at += len(token)
	return true
}

func letter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }
func digit(b byte) bool  { return b >= '0' && b <= '9' }

func (p *mathematica) word() string {
	p.space()
	start := p.at
	for p.at < len(p.s) && (letter(p.s[p.at]) || p.at > start && digit(p.s[p.at])) {
		p.at++
	}
	return p.s[start:p.at]
}

// variable reads Q[[i,3]], QD[[i,3]] or a name.
func (p *mathematica) variable() (variable, error) {
	name := p.word()
	if name == "" {
		return variable{}, fmt.Errorf("expected a name at %q", p.s[p.at:])
	}
	if name != "Q" && name != "QD" {
		return variable{name: name}, nil
	}
	if !p.take("[[") || p.word() == "" || !p.take(",") {
		return variable{}, fmt.Errorf("%s must be %s[[i,j]]", name, name)
	}
	p.space()
	start := p.at
	for p.at < len(p.s) && digit(p.s[p.at]) {
		p.at++
	}
	j, err := strconv.Atoi(p.s[start:p.at])
	if err != nil || j < 1 || !p.take("]") || !p.take("]") {
		return variable{}, fmt.Errorf("%s must be %s[[i,j]] with the number j of a joint", name, name)
	}
	return variable{joint: j, rate: name == "QD"}, nil
}

func (p *mathematica) sum(depth int) (formula, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("brackets within more than %d others", maxDepth)
	}
	left, err := p.product(depth)
	for err == nil {
		sign := 1.0
		switch {
		case p.take("+"):
		case p.take("-"):
			sign = -1
		default:
			return left, nil
		}
		var right formula
		a := left
		if right, err = p.product(depth); err == nil {
			left = func(at map[variable]float64) float64 { return a(at) + sign*right(at) }
		}
	}
	return nil, err
}

func (p *mathematica) product(depth int) (formula, error) {
	left, err := p.signed(depth)
	for err == nil {
		p.space()
		divide := p.take("/")
		more := divide || p.take("*") || p.at < len(p.s) && (letter(p.s[p.at]) || digit(p.s[p.at]) || p.s[p.at] == '(')
		if !more {
			return left, nil
		}
		var right formula
		a := left
		if right, err = p.signed(depth); err != nil {
			break
		}
		if divide {
			left = func(at map[variable]float64) float64 { return a(at) / right(at) }
		} else {
			left = func(at map[variable]float64) float64 { return a(at) * right(at) }
		}
	}
	return nil, err
}

func (p *mathematica) signed(depth int) (formula, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("signs and brackets are nested more than %d deep", maxDepth)
	}
	if p.take("-") {
		v, err := p.signed(depth + 1)
		if err != nil {
			return nil, err
		}
		return func(at map[variable]float64) float64 { return -v(at) }, nil
	}
	if p.take("+") {
		return p.signed(depth + 1)
	}
	base, err := p.factor(depth)
	if err != nil || !p.take("^") {
		return base, err
	}
	power, err := p.signed(depth + 1)
	if err != nil {
		return nil, err
	}
	return func(at map[variable]float64) float64 { return math.Pow(base(at), power(at)) }, nil
}

// functionsOfOne are the functions of one argument.
var functionsOfOne = map[string]func(float64) float64{"Sin": math.Sin, "Cos": math.Cos, "Tan": math.Tan, "Sqrt": math.Sqrt, "Abs": math.Abs,
	"ArcSin": math.Asin, "ArcCos": math.Acos, "ArcTan": math.Atan, "Sign": func(x float64) float64 {
		if x == 0 {
			return 0
		}
		return math.Copysign(1, x)
	}}

func (p *mathematica) factor(depth int) (formula, error) {
	p.space()
	switch {
	case p.at == len(p.s):
		return nil, fmt.Errorf("the expression ends too early")
	case p.take("("):
		v, err := p.sum(depth + 1)
		if err == nil && !p.take(")") {
			err = fmt.Errorf("a bracket ( is not closed")
		}
		return v, err
	case digit(p.s[p.at]) || p.s[p.at] == '.':
		return p.number()
	}
	v, err := p.variable()
	if err != nil {
		return nil, err
	}
	if v.joint > 0 || !p.take("[") {
		return func(at map[variable]float64) float64 {
			if x, ok := at[v]; ok {
				return x
			}
			if v.name == "Pi" {
				return math.Pi
			}
			return math.NaN()
		}, nil
	}
	first, err := p.sum(depth + 1)
	if err != nil {
		return nil, err
	}
	if v.name == "ArcTan" && p.take(",") { // of x and y
		second, err := p.sum(depth + 1)
		if err == nil && !p.take("]") {
			err = fmt.Errorf("ArcTan[ is not closed")
		}
		return func(at map[variable]float64) float64 { return math.Atan2(second(at), first(at)) }, err
	}
	f := functionsOfOne[v.name]
	if f == nil {
		return nil, fmt.Errorf("the function %s is not known; there are %s", v.name, strings.Join(slices.Sorted(maps.Keys(functionsOfOne)), ", "))
	}
	if !p.take("]") {
		return nil, fmt.Errorf("%s[ is not closed", v.name)
	}
	return func(at map[variable]float64) float64 { return f(first(at)) }, nil
}

// number reads 12, 1.5 and 1.5*^-3.
func (p *mathematica) number() (formula, error) {
	start := p.at
	for p.at < len(p.s) && (digit(p.s[p.at]) || p.s[p.at] == '.') {
		p.at++
	}
	text := p.s[start:p.at]
	if strings.HasPrefix(p.s[p.at:], "*^") {
		p.at += 2
		from := p.at
		if p.at < len(p.s) && strings.IndexByte("+-", p.s[p.at]) >= 0 {
			p.at++
		}
		for p.at < len(p.s) && digit(p.s[p.at]) {
			p.at++
		}
		text += "e" + p.s[from:p.at]
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) {
		return nil, fmt.Errorf("%q is no finite number", text)
	}
	return func(map[variable]float64) float64 { return v }, nil
}

// run evaluates the statements in order.
func (c *constraints) run(at map[variable]float64) {
	for _, s := range c.statements {
		at[s.to] = s.value(at)
	}
}

const (
	// constraintStates is how many states a relation is tried at: two formulas of few terms that agree there agree everywhere.
	constraintStates = 20
	// constraintTolerance is that of positions, in rad and in metres: SYMORO+ prints π with 15 digits.
	constraintTolerance = 1e-9
	// rateTolerance is that of rates against differences of positions by differenceStep, beside four times what half the step changes: rounding over the step.
	rateTolerance, differenceStep = 1e-6, 1e-5
)

// constrain applies the file's constraints: if it has the loops, they are held against these and give the assembly, otherwise linear ones couple the joints.
func (p *reader) constrain() error {
	c := p.constraints
	if c == nil || p.opt.TreeOnly {
		return nil
	}
	fault := func(line int, format string, args ...any) error {
		return robot.Fault(line, "Constraint", format, args...)
	}
	given := map[int]bool{} // the position of each joint
	for _, s := range c.statements {
		j := s.to.joint
		switch {
		case j == 0 || s.to.rate:
			continue
		case j > p.nj:
			return fault(s.line, "%s: the robot has %d joints", s.to, p.nj)
		case j <= len(p.r.Links) && !p.r.Links[j-1].Joint.Passive:
			return fault(s.line, "%s: joint %d is driven (mu = 1), so nothing else gives its position", s.to, j)
		}
		if given[j] {
			return fault(s.line, "%s is given twice; keep one", s.to)
		}
		given[j] = true
	}
	for j, l := range p.r.Links {
		if l.Joint.Passive && !given[j+1] {
			return fault(c.line, "passive joint %d has no position Q[[i,%d]]", j+1, j+1)
		}
	}
	if len(p.r.Unset) > 0 && len(p.r.Loops) > 0 {
		p.note("Constraint", "the constraints are not tried while "+strings.Join(p.r.Unset, ", ")+" have no value")
		return nil
	}
	states, err := c.states(p)
	if err != nil {
		return err
	}
	if len(p.r.Loops) == 0 {
		return p.couple(states)
	}
	best, most := states[0], -1.0
	for _, q := range states {
		if err := p.closedAt(q); err != nil {
			return err
		}
		if v := p.regularity(q); v > most {
			best, most = q, v
		}
	}
	p.r.Assembly = map[string]float64{}
	for j, l := range p.r.Links {
		if l.Joint.Kind != robot.Fixed {
			p.r.Assembly[l.Joint.Name] = best[j+1]
		}
	}
	for k := range p.r.Loops {
		p.r.Assembly[p.r.Extra[p.r.Loops[k].Frame].Name] = p.cutAt(k, best)
	}
	p.note("Constraint", "the constraints close the loops of the table, and say which way they are assembled")
	return nil
}

// states evaluates the positions by joint numbers at drawn ones of the driven joints, first at zero, and holds the rates against their differences.
func (c *constraints) states(p *reader) ([]map[int]float64, error) {
	rng := rand.New(rand.NewPCG(1, 0xc0))
	var out []map[int]float64
	for try := 0; len(out) < constraintStates && try < 20*constraintStates; try++ {
		q, dq := map[variable]float64{}, map[variable]float64{}
		for j, l := range p.r.Links {
			if l.Joint.Passive || l.Joint.Kind == robot.Fixed {
				continue
			}
			scale := math.Pi
			if l.Joint.Kind == robot.Prismatic {
				scale = 1
			}
			if try == 0 {
				scale = 0
			}
			q[variable{joint: j + 1}] = scale * (2*rng.Float64() - 1)
			dq[variable{joint: j + 1, rate: true}] = rng.NormFloat64()
		}
		at := func(step float64) map[variable]float64 {
			x := maps.Clone(q)
			for v, rate := range dq {
				x[v] = rate
				x[variable{joint: v.joint}] += step * rate
			}
			c.run(x)
			return x
		}
		here, above, below := at(0), at(differenceStep), at(-differenceStep)
		nearer, under := at(differenceStep/2), at(-differenceStep/2)
		state, finite := map[int]float64{}, true
		for v, x := range here {
			if v.joint > 0 && !v.rate {
				state[v.joint] = x
				finite = finite && !math.IsNaN(x+above[v]+below[v]) && !math.IsInf(x, 0)
			}
		}
		if !finite {
			continue
		}
		for _, s := range c.statements {
			if s.to.joint == 0 || !s.to.rate {
				continue
			}
			v := variable{joint: s.to.joint}
			d := math.Remainder(above[v]-below[v], 2*math.Pi) / (2 * differenceStep)
			half := math.Remainder(nearer[v]-under[v], 2*math.Pi) / differenceStep
			if got := here[s.to]; !(math.Abs(got-d) <= rateTolerance*(1+math.Abs(d))+4*math.Abs(half-d)) {
				return nil, robot.Fault(s.line, "Constraint", "%s is %.6g where Q[[i,%d]] changes by %.6g: it is not the derivative of the position", s.to, got, s.to.joint, d)
			}
		}
		out = append(out, state)
	}
	if len(out) == 0 {
		return nil, robot.Fault(c.line, "Constraint", "the constraints have no value at any of %d positions of the driven joints; is a name without one, or a root negative?", 20*constraintStates)
	}
	return out, nil
}

// place returns the frame of a link in the base.
func (p *reader) place(link int, q map[int]float64) robot.Transform {
	if link < 0 {
		return robot.Identity()
	}
	l := &p.r.Links[link]
	t := p.place(l.Antecedent, q).Mul(l.Placement)
	switch l.Joint.Kind {
	case robot.Revolute:
		return t.Mul(robot.MdhTransform(0, 0, 0, 0, q[link+1], 0))
	case robot.Prismatic:
		return t.Mul(robot.MdhTransform(0, 0, 0, 0, 0, q[link+1]))
	}
	return t
}

// cut returns the frame that meets another at a cut in axes of the cut joint's frame at zero.
func (p *reader) cut(loop int, q map[int]float64) robot.Transform {
	var at func(k int) robot.Transform
	at = func(k int) robot.Transform {
		f := p.r.Extra[k]
		if f.Antecedent < -1 {
			return at(-2 - f.Antecedent).Mul(f.Placement)
		}
		return p.place(f.Antecedent, q).Mul(f.Placement)
	}
	return at(p.r.Loops[loop].Frame).Inv().Mul(at(p.r.Loops[loop].Meets))
}

// cutAt returns the position of the joint at a cut.
func (p *reader) cutAt(loop int, q map[int]float64) float64 {
	t := p.cut(loop, q)
	switch p.r.Extra[p.r.Loops[loop].Frame].Kind {
	case robot.Revolute:
		return math.Atan2(t.R[1][0], t.R[0][0])
	case robot.Prismatic:
		return t.P[2]
	}
	return 0
}

// regularity returns the determinant of the Gram matrix of what the passive joints and those at the cuts do to the frames there, in parts of what they would do
// if they were independent: 0 at a singular state.
func (p *reader) regularity(q map[int]float64) float64 {
	cuts := make([]float64, len(p.r.Loops))
	for k := range cuts {
		cuts[k] = p.cutAt(k, q)
	}
	frames := func(q map[int]float64, cuts []float64) (out []float64) {
		for k, x := range cuts {
			joint := robot.MdhTransform(0, 0, 0, 0, x, 0)
			if p.r.Extra[p.r.Loops[k].Frame].Kind == robot.Prismatic {
				joint = robot.MdhTransform(0, 0, 0, 0, 0, x)
			}
			t := joint.Inv().Mul(p.cut(k, q))
			for i := range 3 {
				out = append(append(out, t.R[i][:]...), t.P[i])
			}
		}
		return out
	}
	here := frames(q, cuts)
	var columns [][]float64
	add := func(moved []float64) {
		for i := range moved {
			moved[i] -= here[i]
		}
		columns = append(columns, moved)
	}
	for j, l := range p.r.Links {
		if l.Joint.Passive {
			moved := maps.Clone(q)
			moved[j+1] += differenceStep
			add(frames(moved, cuts))
		}
	}
	for k, l := range p.r.Loops {
		if p.r.Extra[l.Frame].Kind != robot.Fixed {
			moved := slices.Clone(cuts)
			moved[k] += differenceStep
			add(frames(q, moved))
		}
	}
	det := 1.0
	dot := func(a, b []float64) (sum float64) {
		for i, v := range a {
			sum += v * b[i]
		}
		return sum
	}
	for i, c := range columns { // by Gram and Schmidt
		whole := dot(c, c)
		for _, d := range columns[:i] {
			f := dot(c, d)
			for k := range c {
				c[k] -= f * d[k]
			}
		}
		rest := dot(c, c)
		det *= rest / whole
		for k := range c {
			c[k] /= math.Sqrt(rest)
		}
	}
	return det
}

// closedAt tells a loop that the positions do not close.
func (p *reader) closedAt(q map[int]float64) error {
	for k, l := range p.r.Loops {
		t := p.cut(k, q)
		kind := p.r.Extra[l.Frame].Kind
		if kind == robot.Prismatic {
			t.P[2] = 0
		}
		apart := math.Hypot(math.Hypot(t.P[0], t.P[1]), t.P[2])
		turned := math.Hypot(t.R[0][2], t.R[1][2]) // of the axes
		if t.R[2][2] < 0 {
			turned = 2
		}
		if kind != robot.Revolute {
			turned = max(turned, math.Hypot(t.R[1][0], t.R[0][0]-1))
		}
		if apart <= constraintTolerance && turned <= constraintTolerance {
			continue
		}
		var at []string
		for j, link := range p.r.Links {
			if !link.Joint.Passive && link.Joint.Kind != robot.Fixed {
				at = append(at, fmt.Sprintf("%s = %.4g", link.Joint.Name, q[j+1]))
			}
		}
		return robot.Fault(p.constraints.line, "Constraint", "the constraints do not close %s at %s: its frames are %.3g m and %.3g rad apart; correct them or leave them out",
			p.r.LoopName(k), strings.Join(at, ", "), apart, turned)
	}
	return nil
}

// couple makes couplings of linear constraints.
func (p *reader) couple(states []map[int]float64) error {
	if !p.opt.Loops {
		return &robot.UnsupportedError{What: "constraints of joints", Frames: []string{"Constraint"}, Advice: "read the tree that is left without them (TreeOnly), or give a file of the tree"}
	}
	c := p.constraints
	var driven []int
	for j, l := range p.r.Links {
		if !l.Joint.Passive && l.Joint.Kind != robot.Fixed {
			driven = append(driven, j+1)
		}
	}
	positions := func(of map[int]float64) map[int]float64 {
		x := map[variable]float64{}
		for _, j := range driven {
			x[variable{joint: j}] = of[j]
		}
		c.run(x)
		out := map[int]float64{}
		for v, value := range x {
			if v.joint > 0 && !v.rate {
				out[v.joint] = value
			}
		}
		return out
	}
	zero := positions(nil)
	slopes := map[int]map[int]float64{} // by driven joint
	for _, d := range driven {
		slopes[d] = positions(map[int]float64{d: 1})
	}
	for j, l := range p.r.Links {
		if !l.Joint.Passive {
			continue
		}
		of := map[int]float64{}
		for _, d := range driven {
			if f := slopes[d][j+1] - zero[j+1]; math.Abs(f) > constraintTolerance {
				of[d-1] = f
			}
		}
		for _, q := range states {
			v := zero[j+1]
			for d, f := range of {
				v += f * q[d+1]
			}
			if !(math.Abs(v-q[j+1]) <= constraintTolerance*(1+math.Abs(v))) {
				return robot.Fault(c.line, "Constraint", "Q[[i,%d]] is not linear in the driven joints, so it cannot stand for loops that the table lacks; give the table the frames of the cut (NJ, NF)", j+1)
			}
		}
		p.r.Couplings = append(p.r.Couplings, robot.Coupling{Joint: j, Of: of, Offset: zero[j+1]})
	}
	return nil
}
