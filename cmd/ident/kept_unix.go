//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"ident/identify"
)

// keptRows is the largest number of states of a request, that of a batch of the compiled regressor.
const keptRows = 64

// keptIdle is the time for which ident looks for the next request before it sleeps: a loop over states asks again within some
// 10 µs, and waking a process costs as much; a controller that asks each millisecond costs a fifth of a core.
const keptIdle = 200 * time.Microsecond

// Words of the memory that ident shares with the program that keeps it. States begin at wordStates, and values behind keptRows states.
// The caller writes the first eight words, a line of the cache, and ident the next eight: a side that looks at the other's line does not
// hold up its own.
const (
	wordAsked    = iota // number of the last request, counted by the caller
	wordQuantity        // index into keptQuantities
	wordRows            // number of states
	wordLooks           // 1: both sides may look at the memory, because stores keep their order; 0: each side waits for a byte from the other
)

const (
	wordAnswered = 8 + iota // number of the last answer
	wordSleeps              // 1: ident needs a byte on its standard input
	wordRefused             // 1: the quantity cannot be evaluated at these states
	wordJoints              // number of joints, n: a state has 3n numbers
	wordColumns             // values of a joint in the answer
	wordStates   = 16
)

var keptQuantities = [...]identify.Quantity{identify.EvaluateInverseDynamics, identify.EvaluateRegressor, identify.EvaluateBaseRegressor}

// keptMemory is the shared memory.
type keptMemory struct {
	words  []uint64
	floats []float64 // the same memory
}

func (m *keptMemory) load(word int) uint64     { return atomic.LoadUint64(&m.words[word]) }
func (m *keptMemory) store(word int, x uint64) { atomic.StoreUint64(&m.words[word], x) }

// serveStates evaluates states for the program that keeps this one, until standard input ends. Requests and answers are in the
// file at path, which both map; bytes on standard input and output only wake the other side. A byte on standard output says
// that the memory is ready.
func (s streams) serveStates(ctx context.Context, subject *identify.Evaluator, path string) error {
	regressor, err := subject.States(ctx, identify.EvaluateRegressor, keptRows) // the quantity with the most values
	if err != nil {
		return err
	}
	n := regressor.Joints()
	m, err := mapMemory(path, wordStates+keptRows*n*(3+regressor.Columns))
	if err != nil {
		return fmt.Errorf("mapping the memory of the states: %w", err)
	}
	m.store(wordJoints, uint64(n))
	wake := []byte{0}
	if _, err := s.data.Write(wake); err != nil {
		return err
	}
	states, values := m.floats[wordStates:][:keptRows*3*n], m.floats[wordStates+keptRows*3*n:]
	prepared := [...]*identify.StateValues{1: regressor, len(keptQuantities) - 1: nil}
	before, beforeRows := uint64(0), uint64(0)
	for last := uint64(0); ; {
		if err := m.await(s.in, last, wake); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		last = m.load(wordAsked)
		q, rows := m.load(wordQuantity), m.load(wordRows)
		if q >= uint64(len(prepared)) || rows < 1 || rows > keptRows {
			return fmt.Errorf("request %d asks for quantity %d at %d states: must be below %d, and 1 to %d states", last, q, rows, len(prepared), keptRows)
		}
		if prepared[q] == nil {
			if prepared[q], err = subject.States(ctx, keptQuantities[q], keptRows); err != nil {
				return err
			}
		}
		if q != before || rows != beforeRows {
			clear(values)
			before, beforeRows = q, rows
		}
		refused := uint64(0)
		if prepared[q].Eval(values, states[:int(rows)*3*n]) != nil {
			refused = 1
		}
		m.store(wordColumns, uint64(prepared[q].Columns))
		m.store(wordRefused, refused)
		m.store(wordAnswered, last)
		if m.load(wordLooks) == 0 {
			if _, err := s.data.Write(wake); err != nil {
				return err
			}
		}
	}
}

// await returns when a request with another number than last is in the memory, or with io.EOF when the caller has ended.
func (m *keptMemory) await(in io.Reader, last uint64, wake []byte) error {
	if m.load(wordLooks) == 1 {
		began := time.Now()
		for i := 1; ; i++ {
			if m.load(wordAsked) != last {
				return nil
			}
			if i%16000 == 0 { // some 10 µs
				if time.Since(began) > keptIdle {
					break
				}
				yield() // the caller may wait for this core
			}
		}
	}
	m.store(wordSleeps, 1)
	defer m.store(wordSleeps, 0)
	// A byte may be left of a request that was seen before it.
	for m.load(wordLooks) == 0 || m.load(wordAsked) == last {
		if _, err := io.ReadFull(in, wake); err != nil {
			return err
		}
		if m.load(wordAsked) != last {
			break
		}
	}
	return nil
}

// mapMemory maps the file at path, with room for the words.
func mapMemory(path string, words int) (*keptMemory, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := f.Truncate(int64(8 * words)); err != nil {
		return nil, err
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, 8*words, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	at := unsafe.Pointer(unsafe.SliceData(data))
	return &keptMemory{words: unsafe.Slice((*uint64)(at), words), floats: unsafe.Slice((*float64)(at), words)}, nil
}
