package drives_test

import (
	"fmt"

	"ident/drives"
)

// A motor as the entry of a joint in a robot file, behind a gear of 100.
func Example() {
	d, err := drives.Parse("{dc: {resistance: 0.6, constant: 0.05, max_voltage: 24, max_current: 4}}", 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := d.(*drives.Motor)
	fmt.Printf("%.1f N·m at standstill, %.2f rad/s without a load\n", m.Stall(), m.NoLoad())
	s := m.Signals(15, 2, nil) // 15 N·m asked of the joint at 2 rad/s
	fmt.Printf("%.2f V, %.2f A, at a limit: %t\n", s.Voltage, s.Current, s.Limited)
	// Output:
	// 20.0 N·m at standstill, 4.80 rad/s without a load
	// 7.60 V, -4.00 A, at a limit: true
}
