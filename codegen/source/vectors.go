package source

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"

	"ident/symbolic"
)

// VectorsSchema is the value of "schema" in the file of vectors.
const VectorsSchema = "ident.vectors/1"

// VectorsDocument is the file of vectors of a unit.
type VectorsDocument struct {
	Schema  string   `json:"schema"`
	Unit    string   `json:"unit"`
	Maker   string   `json:"maker,omitempty"`
	Vectors []Vector `json:"vectors"`
}

// Vector is one evaluation of a function: what it is given and what it returns, by the names of its arguments and results, vectors and matrices row by row.
type Vector struct {
	Function  string               `json:"function"`
	Arguments map[string][]float64 `json:"arguments"`
	Results   map[string][]float64 `json:"results"`
}

// Vectors returns the file NAME_vectors.json with n evaluations of each function of a unit at random arguments, drawn by a seed, against which a build of the text can be
// tried on its own machine. Parameters and lengths that the robot file gives have their values; poses are rotations with a place.
func Vectors(u Unit, n int, seed uint64) (File, error) {
	rng := rand.New(rand.NewPCG(seed, 88))
	list := []Vector{}
	for _, p := range u.Programs {
		for range n {
			in := make([]float64, len(p.Inputs))
			for i := range in {
				in[i] = drawn(rng, &p.Inputs[i])
			}
			args := argumentsOf(p)
			for _, a := range args {
				if len(a.inputs) == 12 && (a.name == "T" || a.name == "Tr") {
					pose(rng, in[a.first:a.first+12])
				}
			}
			v := Vector{p.Name, map[string][]float64{}, map[string][]float64{}}
			for _, a := range args {
				v.Arguments[a.name] = in[a.first : a.first+len(a.inputs)]
			}
			sound := true
			for i, out := range p.Eval(in) {
				v.Results[p.Outputs[i].Name] = out
				for _, x := range out {
					sound = sound && !math.IsNaN(x) && !math.IsInf(x, 0)
				}
			}
			if sound { // JSON has no other numbers
				list = append(list, v)
			}
		}
	}
	text, err := json.MarshalIndent(VectorsDocument{VectorsSchema, u.Name, u.Maker, list}, "", " ")
	return File{u.Name + "_vectors.json", append(text, '\n')}, err
}

// drawn returns a value of an argument.
func drawn(rng *rand.Rand, in *symbolic.Input) float64 {
	switch {
	case in.Known:
		return in.Value
	case in.Group == "limit": // of a drive: none, one that is reached, one that is not
		return []float64{0, 1 + rng.Float64(), 1e6}[rng.IntN(3)]
	case in.Kind == symbolic.Motion || in.Kind == symbolic.State:
		return rng.NormFloat64()
	case in.Kind == symbolic.Parameter:
		for _, positive := range []string{"XX", "YY", "ZZ", "M", "I", "F"} {
			if rest, ok := strings.CutPrefix(in.Name, positive); ok && (rest == "" || rest[0] < 'A' || rest[0] > 'Z') {
				return 1 + rng.Float64()
			}
		}
		return 0.1 * rng.NormFloat64()
	}
	return 0.5 + rng.Float64()
}

// pose fills three rows of four entries with a random rotation and place.
func pose(rng *rand.Rand, to []float64) {
	var q [4]float64
	size := 0.0
	for i := range q {
		q[i] = rng.NormFloat64()
		size += q[i] * q[i]
	}
	for i := range q {
		q[i] /= math.Sqrt(size)
	}
	w, x, y, z := q[0], q[1], q[2], q[3]
	copy(to, []float64{1 - 2*(y*y+z*z), 2 * (x*y - w*z), 2 * (x*z + w*y), rng.Float64(),
		2 * (x*y + w*z), 1 - 2*(x*x+z*z), 2 * (y*z - w*x), rng.Float64(),
		2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2*(x*x+y*y), rng.Float64()})
}
