package datasets

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// checksumKey is the key of the checksum in the metadata of our Parquet and Arrow files. Values have checksums in their
// compressed pages and buffers; this one covers what says how to read them: names, units, metadata and the number of rows.
const checksumKey = "ident.checksum"

// checksumOf returns the checksum of a description: CRC-32C of its texts, each behind its length. rows is -1 in Arrow, whose
// description stands in front of the rows.
func checksumOf(rows int, columns []string, meta map[string]string) string {
	table := crc32.MakeTable(crc32.Castagnoli)
	sum := crc32.Checksum(binary.LittleEndian.AppendUint64(nil, uint64(rows)), table)
	add := func(s string) {
		b := binary.LittleEndian.AppendUint64(nil, uint64(len(s)))
		sum = crc32.Update(sum, table, append(b, s...))
	}
	for _, c := range columns {
		add(c)
	}
	for _, k := range sortedKeys(meta) {
		if k != checksumKey {
			add(k)
			add(meta[k])
		}
	}
	return fmt.Sprintf("%08x", sum)
}

// takeChecksum removes the checksum from the metadata, compares it and reports whether there is one.
func takeChecksum(rows int, columns []string, meta map[string]string) (ours bool, err error) {
	want, ours := meta[checksumKey]
	if !ours {
		return false, nil
	}
	if got := checksumOf(rows, columns, meta); got != want {
		err = damage("the checksum of its description is %s in place of %s", got, excerpt([]byte(want)))
	}
	delete(meta, checksumKey)
	return true, err
}
