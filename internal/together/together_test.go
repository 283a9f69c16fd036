package together_test

import (
	"sync/atomic"
	"testing"

	"ident/internal/together"
)

// Each number is called once, also where there are none.
func TestDo(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		calls := make([]atomic.Int32, n)
		together.Do(n, func(i int) { calls[i].Add(1) })
		for i := range calls {
			if k := calls[i].Load(); k != 1 {
				t.Errorf("%d calls: %d of number %d", n, k, i)
			}
		}
	}
}
