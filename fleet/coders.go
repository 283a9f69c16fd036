package fleet

import (
	"bytes"
	"io"
	"reflect"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/coder"

	"ident/fleet/intake"
)

// registerCoders makes the elements between stages bytes that no runner reads. By itself Beam gives them the coder of rows, by which an
// engine decodes every field and encodes it again: that costs its time, and that of Flink (Beam 2.62.0) mistook the fields of nested
// rows ("varint overflow"). Beam calls coders by name, so that each type has two functions of its own.
func registerCoders() {
	for _, c := range []struct{ of, encode, decode any }{
		{intake.Entry{}, encodeEntry, decodeEntry},
		{intake.Refusal{}, encodeRefusal, decodeRefusal},
		{Part{}, encodePart, decodePart},
		{Taken{}, encodeTaken, decodeTaken},
		{InDay{}, encodeInDay, decodeInDay},
		{DayFate{}, encodeDayFate, decodeDayFate},
		{Counts{}, encodeCounts, decodeCounts},
		{Fitted{}, encodeFitted, decodeFitted},
		{Judged{}, encodeJudged, decodeJudged},
		{Estimate{}, encodeEstimate, decodeEstimate},
		{Population{}, encodePopulation, decodePopulation},
	} {
		beam.RegisterCoder(reflect.TypeOf(c.of), c.encode, c.decode)
	}
}

func encodeEntry(v intake.Entry) ([]byte, error)        { return encode(v) }
func decodeEntry(text []byte) (intake.Entry, error)     { return decode[intake.Entry](text) }
func encodeRefusal(v intake.Refusal) ([]byte, error)    { return encode(v) }
func decodeRefusal(text []byte) (intake.Refusal, error) { return decode[intake.Refusal](text) }
func encodePart(v Part) ([]byte, error)                 { return encode(v) }
func decodePart(text []byte) (Part, error)              { return decode[Part](text) }
func encodeTaken(v Taken) ([]byte, error)               { return encode(v) }
func decodeTaken(text []byte) (Taken, error)            { return decode[Taken](text) }
func encodeInDay(v InDay) ([]byte, error)               { return encode(v) }
func decodeInDay(text []byte) (InDay, error)            { return decode[InDay](text) }
func encodeDayFate(v DayFate) ([]byte, error)           { return encode(v) }
func decodeDayFate(text []byte) (DayFate, error)        { return decode[DayFate](text) }
func encodeCounts(v Counts) ([]byte, error)             { return encode(v) }
func decodeCounts(text []byte) (Counts, error)          { return decode[Counts](text) }
func encodeFitted(v Fitted) ([]byte, error)             { return encode(v) }
func decodeFitted(text []byte) (Fitted, error)          { return decode[Fitted](text) }
func encodeJudged(v Judged) ([]byte, error)             { return encode(v) }
func decodeJudged(text []byte) (Judged, error)          { return decode[Judged](text) }
func encodeEstimate(v Estimate) ([]byte, error)         { return encode(v) }
func decodeEstimate(text []byte) (Estimate, error)      { return decode[Estimate](text) }
func encodePopulation(v Population) ([]byte, error)     { return encode(v) }
func decodePopulation(text []byte) (Population, error)  { return decode[Population](text) }

// encoders and decoders are Beam's of rows, by type: making one takes longer than using it.
var encoders, decoders sync.Map

func encode[T any](v T) ([]byte, error) {
	of := reflect.TypeFor[T]()
	made, is := encoders.Load(of)
	if !is {
		e, err := coder.RowEncoderForStruct(of)
		if err != nil {
			return nil, err
		}
		made, _ = encoders.LoadOrStore(of, e)
	}
	var to bytes.Buffer
	err := made.(func(any, io.Writer) error)(v, &to)
	return to.Bytes(), err
}

func decode[T any](text []byte) (v T, err error) {
	of := reflect.TypeFor[T]()
	made, is := decoders.Load(of)
	if !is {
		d, err := coder.RowDecoderForStruct(of)
		if err != nil {
			return v, err
		}
		made, _ = decoders.LoadOrStore(of, d)
	}
	got, err := made.(func(io.Reader) (any, error))(bytes.NewReader(text))
	if err != nil {
		return v, err
	}
	return got.(T), nil
}
