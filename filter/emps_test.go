package filter

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// shared returns the path of a file of the shared data and cases, or skips.
func shared(t *testing.T, elem ...string) string {
	t.Helper()
	root := os.Getenv("IDENT_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	path := filepath.Join(append([]string{root}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("shared data not found (set IDENT_DATA): %v", err)
	}
	return path
}

// matVariables reads the real double matrices of an uncompressed or compressed
// MATLAB 5 file, little-endian: elements are (type, bytes) and data padded to 8,
// or both packed in one word when the data fit in four bytes.
func matVariables(data []byte) (map[string][]float64, error) {
	const (
		miDouble     = 9
		miMatrix     = 14
		miCompressed = 15
		headerBytes  = 128
	)
	if len(data) < headerBytes || string(data[126:128]) != "IM" {
		return nil, fmt.Errorf("not a little-endian MATLAB 5 file")
	}
	element := func(b []byte) (kind uint32, body, rest []byte, err error) {
		if len(b) < 8 {
			return 0, nil, nil, io.ErrUnexpectedEOF
		}
		kind, size := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
		if kind>>16 != 0 {
			return kind & 0xffff, b[4 : 4+min(kind>>16, 4)], b[8:], nil
		}
		if uint64(size) > uint64(len(b)-8) {
			return 0, nil, nil, io.ErrUnexpectedEOF
		}
		end := 8 + int(size)
		if kind != miCompressed {
			end = min((end+7)&^7, len(b))
		}
		return kind, b[8 : 8+size], b[end:], nil
	}
	vars := map[string][]float64{}
	for rest := data[headerBytes:]; len(rest) > 0; {
		kind, body, next, err := element(rest)
		if err != nil {
			return nil, err
		}
		rest = next
		if kind == miCompressed {
			z, err := zlib.NewReader(bytes.NewReader(body))
			if err != nil {
				return nil, err
			}
			if body, err = io.ReadAll(z); err != nil {
				return nil, err
			}
			if kind, body, _, err = element(body); err != nil {
				return nil, err
			}
		}
		if kind != miMatrix {
			continue
		}
		var parts [4][]byte // flags, dimensions, name, values
		for i := range parts {
			var k uint32
			if k, parts[i], body, err = element(body); err != nil {
				return nil, err
			}
			if i == 3 && k != miDouble {
				return nil, fmt.Errorf("variable %s is not of doubles", parts[2])
			}
		}
		v := make([]float64, len(parts[3])/8)
		for i := range v {
			v[i] = math.Float64frombits(binary.LittleEndian.Uint64(parts[3][8*i:]))
		}
		vars[string(parts[2])] = v
	}
	return vars, nil
}

// The least-squares figures that Janot, Gautier and Brunot print for their
// electro-mechanical positioning system, with their own chain of filters: all
// digits come out only if each link of it is theirs.
func TestEMPSPrintedFigures(t *testing.T) {
	raw, err := os.ReadFile(shared(t, "data", "emps", "DATA_EMPS.mat"))
	if err != nil {
		t.Fatal(err)
	}
	vars, err := matVariables(raw)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(shared(t, "cases", "pub_emps.json"))
	if err != nil {
		t.Fatal(err)
	}
	type figures struct {
		Params     map[string]json.Number `json:"params"`
		SD         []json.Number          `json:"sd"`
		SDPercent  []json.Number          `json:"sd_percent"`
		DiagR      []json.Number          `json:"abs_diag_R"`
		Cond       json.Number            `json:"cond"`
		ErrorNorm  json.Number            `json:"error_norm"`
		RelPercent json.Number            `json:"rel_error_percent"`
		ErrorStd   json.Number            `json:"error_std"`
	}
	var c struct {
		Published struct {
			Symmetric  figures `json:"IDIM_LS"`
			Asymmetric figures `json:"asymmetric_friction"`
		} `json:"published"`
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}

	const rate, border, factor = 1000.0, 49, 10
	q := vars["qm"]
	low, err := Butterworth(4, 100, rate)
	if err != nil {
		t.Fatal(err)
	}
	n := len(q)
	pos, vel, acc := make([]float64, n), make([]float64, n), make([]float64, n)
	low.zeroPhasePadded(pos, q, 12, nil)
	Differentiate(vel, pos, 1/rate)
	Differentiate(acc, vel, 1/rate)
	force := make([]float64, n)
	for i, v := range vars["vir"] {
		force[i] = vars["gtau"][0] * v
	}
	column := func(f func(i int) float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = f(i)
		}
		return x[border:]
	}
	where := func(sign float64, value func(i int) float64) func(i int) float64 {
		return func(i int) float64 {
			if sign*vel[i] > 0 {
				return value(i)
			}
			return 0
		}
	}
	one := func(int) float64 { return 1 }
	speed := func(i int) float64 { return vel[i] }
	inertia := func(i int) float64 { return acc[i] }
	sign := func(i int) float64 {
		if vel[i] == 0 {
			return 0
		}
		return math.Copysign(1, vel[i])
	}
	minus := func(int) float64 { return -1 }
	y := matlabDecimate(column(func(i int) float64 { return force[i] }), factor)

	check := func(name string, want figures, order []string, columns ...func(i int) float64) {
		// The authors print R before decimation, the other figures after it.
		w := mat.NewDense(len(y), len(columns), nil)
		before := mat.NewDense(n-border, len(columns), nil)
		for j, f := range columns {
			before.SetCol(j, column(f))
			w.SetCol(j, matlabDecimate(column(f), factor))
		}
		var qr mat.QR
		qr.Factorize(w)
		var x, pred, r mat.Dense
		b := mat.NewDense(len(y), 1, y)
		if err := qr.SolveTo(&x, false, b); err != nil {
			t.Fatal(err)
		}
		pred.Mul(w, &x)
		var res mat.Dense
		res.Sub(b, &pred)
		var all mat.QR
		all.Factorize(before)
		all.RTo(&r)
		var svd mat.SVD
		svd.Factorize(w, mat.SVDNone)
		mean := mat.Sum(&res) / float64(len(y))
		std := 0.0
		for _, v := range res.RawMatrix().Data {
			std += (v - mean) * (v - mean)
		}
		std = math.Sqrt(std / float64(len(y)-1))
		var gram, inv mat.Dense
		gram.Mul(w.T(), w)
		if err := inv.Inverse(&gram); err != nil {
			t.Fatal(err)
		}
		printed := func(what string, got float64, want json.Number) {
			if want == "" {
				t.Fatalf("%s: no published %s", name, what)
			}
			// All are printed with four decimals; the case file drops final zeros.
			v, err := want.Float64()
			if err != nil || math.Abs(got-v) > 0.5000001e-4 {
				t.Errorf("%s: %s is %.6f, published %s", name, what, got, want)
			}
		}
		for j, p := range order {
			v := x.At(j, 0)
			sd := std * math.Sqrt(inv.At(j, j))
			printed(p, v, want.Params[p])
			printed("sd of "+p, sd, want.SD[j])
			printed("sd % of "+p, 100*sd/math.Abs(v), want.SDPercent[j])
			printed("R of "+p, math.Abs(r.At(j, j)), want.DiagR[j])
		}
		printed("cond", svd.Cond(), want.Cond)
		printed("error norm", mat.Norm(&res, 2), want.ErrorNorm)
		printed("relative error %", 100*mat.Norm(&res, 2)/mat.Norm(b, 2), want.RelPercent)
		printed("std of error", std, want.ErrorStd)
	}
	check("symmetric friction", c.Published.Symmetric, []string{"M", "Fv", "Fc", "offset"},
		inertia, speed, sign, one)
	check("asymmetric friction", c.Published.Asymmetric, []string{"M", "Fv+", "Fc+", "Fv-", "Fc-"},
		inertia, where(1, speed), where(1, one), where(-1, speed), where(-1, minus))
}
