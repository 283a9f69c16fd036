package datasets

import "testing"

func TestWithConstant(t *testing.T) {
	l := FromColumns("log", []Channel{{Name: "t"}, {Name: "a"}}, [][]float64{{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}}, nil).Slice(1, 5)
	c := l.WithConstant(Channel{Name: "z", Unit: "m"}, 2.5).WithConstant(Channel{Name: "y"}, -1)
	cols, err := c.Columns("z", "a", "y", "t")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if cols[0][i] != 2.5 || cols[1][i] != float64(6+i) || cols[2][i] != -1 || cols[3][i] != float64(1+i) {
			t.Errorf("row %d: %v %v %v %v", i+1, cols[0][i], cols[1][i], cols[2][i], cols[3][i])
		}
	}
	if z, err := c.Slice(1, 3).Column("z"); err != nil || len(z) != 2 || z[1] != 2.5 {
		t.Errorf("alone: %v, %v", z, err)
	}
	if _, err := l.Column("z"); err == nil {
		t.Error("the log itself has changed")
	}
	defer func() {
		if recover() == nil {
			t.Error("a second channel of the same name is accepted")
		}
	}()
	c.WithConstant(Channel{Name: "a"}, 0)
}
