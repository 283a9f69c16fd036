package symbolic

import (
	"math"
	"math/big"
)

// Sin returns the sine of an angle in radians.
func Sin(angle Expr) Expr {
	rest, k, sign := foldAngle(angle)
	return circular(rest, k, sign)
}

// Cos returns the cosine of an angle in radians.
func Cos(angle Expr) Expr {
	rest, k, sign := foldAngle(angle)
	// cos(s·x + k·π/2) = sin(s·x + (k+1)·π/2)
	return circular(rest, k+1, sign)
}

// circular returns sin(sign·rest + k·π/2).
func circular(rest Expr, k, sign int) Expr {
	k = (k%4 + 4) % 4
	cosine := k%2 == 1
	negative := k >= 2
	if !cosine && sign < 0 {
		negative = !negative
	}
	var v Expr
	if num, den, ok := pieces(rest); ok && 12%den == 0 {
		v = special(num*(12/den), cosine)
	} else {
		fn := "sin"
		if cosine {
			fn = "cos"
		}
		v = call(fn, rest)
	}
	if negative {
		return v.Neg()
	}
	return v
}

// foldAngle writes an angle as sign·rest + k·π/2, the part of rest in π being
// above -π/4 and at most π/4, and its first other term positive.
func foldAngle(angle Expr) (rest Expr, k, sign int) {
	sign = 1
	flip := func(other bool) {
		for _, t := range angle.terms {
			if other && t.isPi() {
				continue
			}
			if t.c.Sign() < 0 {
				angle, sign = angle.Neg(), -sign
			}
			return
		}
	}
	flip(true)
	for _, t := range angle.terms {
		if t.isPi() {
			// The integer nearest to the multiple of π/2, a half rounded down.
			half := new(big.Rat).Mul(t.c, big.NewRat(2, 1))
			num := new(big.Int).Mul(half.Num(), big.NewInt(2))
			num.Add(num, half.Denom())
			num.Sub(num, big.NewInt(1))
			q := new(big.Int).Div(num, new(big.Int).Mul(half.Denom(), big.NewInt(2)))
			k = sign * int(new(big.Int).Mod(q, big.NewInt(4)).Int64())
			angle = angle.Sub(Symbol("Pi").times(new(big.Rat).SetFrac(q, big.NewInt(2))))
			break
		}
	}
	if len(angle.terms) == 1 && angle.terms[0].isPi() {
		flip(false)
	}
	return angle, k, sign
}

// isPi reports whether a term is a multiple of π.
func (t term) isPi() bool {
	return len(t.m) == 1 && t.m[0].n == 1 && t.m[0].a.fn == "" && t.m[0].a.key == "Pi"
}

// pieces reads an angle num/den·π.
func pieces(e Expr) (num, den int, ok bool) {
	if e.IsZero() {
		return 0, 1, true
	}
	if len(e.terms) != 1 {
		return 0, 0, false
	}
	t := e.terms[0]
	if !t.isPi() || !t.c.Num().IsInt64() || !t.c.Denom().IsInt64() {
		return 0, 0, false
	}
	return int(t.c.Num().Int64()), int(t.c.Denom().Int64()), true
}

// special returns the sine or cosine of k·π/12 for 0 ≤ k ≤ 3.
func special(k int, cosine bool) Expr {
	if cosine {
		k = 6 - k
	}
	switch k {
	case 0:
		return Expr{}
	case 2:
		return Rat(1, 2)
	case 6:
		return Int(1)
	}
	r2, r3 := call("sqrt", Int(2)), call("sqrt", Int(3))
	r6 := r2.Mul(r3)
	switch k {
	case 1:
		return r6.Sub(r2).Mul(Rat(1, 4))
	case 3:
		return r2.Mul(Rat(1, 2))
	case 4:
		return r3.Mul(Rat(1, 2))
	}
	return r6.Add(r2).Mul(Rat(1, 4))
}

// Sqrt returns the square root. That of a rational number is taken apart into
// square roots of primes as far as they are below a thousand.
func Sqrt(e Expr) Expr {
	if e.IsZero() {
		return e
	}
	c, ok := e.Number()
	if !ok || c.Sign() < 0 {
		return call("sqrt", e)
	}
	// √(p/q) = √(p·q)/q
	out := number(new(big.Rat).SetFrac(big.NewInt(1), c.Denom()))
	n := new(big.Int).Mul(c.Num(), c.Denom())
	if root := new(big.Int).Sqrt(n); new(big.Int).Mul(root, root).Cmp(n) == 0 {
		return out.times(new(big.Rat).SetInt(root))
	}
	for p := int64(2); p < 1000; p++ {
		prime := big.NewInt(p)
		if n.Cmp(big.NewInt(p*p)) < 0 {
			break // the remaining factor is 1 or a prime
		}
		for {
			q, r := new(big.Int).QuoRem(n, prime, new(big.Int))
			if r.Sign() != 0 {
				break
			}
			n = q
			out = out.Mul(call("sqrt", Int(p))) // √p·√p becomes p
		}
	}
	if n.IsInt64() && n.Int64() == 1 {
		return out
	}
	if root := new(big.Int).Sqrt(n); new(big.Int).Mul(root, root).Cmp(n) == 0 {
		return out.times(new(big.Rat).SetInt(root))
	}
	return out.Mul(call("sqrt", number(new(big.Rat).SetInt(n))))
}

// call makes an atom of a function and its argument.
func call(fn string, arg Expr) Expr {
	return atomic(&atom{key: fn + "(" + arg.String() + ")", fn: fn, arg: arg})
}

// functions are those of Parse and Eval by name; tan is written as sin/cos.
var functions = map[string]func(float64) float64{
	"sin": math.Sin, "cos": math.Cos, "sqrt": math.Sqrt,
	"asin": math.Asin, "acos": math.Acos, "atan": math.Atan, "abs": math.Abs,
	"sum": func(x float64) float64 { return x },
}

// Eval returns the value under the symbols' values; NaN where one is missing.
func (e Expr) Eval(values map[string]float64) float64 {
	sum := 0.0
	for _, t := range e.terms {
		v, _ := t.c.Float64()
		for _, f := range t.m {
			var x float64
			switch {
			case f.a.fn != "":
				x = functions[f.a.fn](f.a.arg.Eval(values))
			case f.a.key == "Pi":
				x = math.Pi
			default:
				var ok bool
				if x, ok = values[f.a.key]; !ok {
					x = math.NaN()
				}
			}
			for range max(f.n, -f.n) {
				if f.n > 0 {
					v *= x
				} else {
					v /= x
				}
			}
		}
		sum += v
	}
	return sum
}
