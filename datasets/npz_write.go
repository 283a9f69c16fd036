package datasets

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// writeNPZ writes an archive of stored arrays, the description first.
func (e *arrayEncoder) writeNPZ(src source, channels []ownChannel, text string) error {
	z := zip.NewWriter(e.w)
	entry := func(name, descr, shape string) (io.Writer, error) {
		// No time of writing: equal logs give equal files.
		w, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
		if err != nil {
			return nil, err
		}
		_, err = w.Write(npyHeader(descr, shape))
		return w, err
	}
	w, err := entry(ownArraysName, fmt.Sprintf("|S%d", len(text)), "()")
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	for i, c := range channels {
		w, err := entry(c.Variable, "<f8", fmt.Sprintf("(%d,)", e.spool.rows))
		if err != nil {
			return err
		}
		if err := e.writeColumn(w, src, i); err != nil {
			return err
		}
	}
	return z.Close()
}

// npyHeader returns the header of a .npy file, padded with blanks to a multiple of 64 bytes.
func npyHeader(descr, shape string) []byte {
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	pad := 63 - (10+len(dict))%64
	b := append([]byte(npyMagic), 1, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(dict)+pad+1))
	return append(b, dict+strings.Repeat(" ", pad)+"\n"...)
}
