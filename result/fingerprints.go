package result

import (
	"encoding/base64"
	"encoding/binary"
)

// SetFingerprints stores hashes of a training log's samples, of rows in succession and of single rows, which detect a copy of them
// among validation logs.
func (l *LogInfo) SetFingerprints(successive, single []uint64) {
	l.EncodedFingerprints, l.EncodedRowPrints = encode(successive), encode(single)
}

// Fingerprints returns the stored hashes of rows in succession and of single rows, or nil if a text is not base 64.
func (l *LogInfo) Fingerprints() (successive, single []uint64) {
	return decode(l.EncodedFingerprints), decode(l.EncodedRowPrints)
}

func encode(prints []uint64) string {
	text := make([]byte, 0, 8*len(prints))
	for _, p := range prints {
		text = binary.LittleEndian.AppendUint64(text, p)
	}
	return base64.StdEncoding.EncodeToString(text)
}

func decode(encoded string) (out []uint64) {
	text, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil
	}
	for len(text) >= 8 {
		out = append(out, binary.LittleEndian.Uint64(text))
		text = text[8:]
	}
	return out
}
