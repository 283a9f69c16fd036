package result

import "testing"

// Masses are held against the file's where the data determine them and the difference is more than chance makes of so many.
func TestAgainstFile(t *testing.T) {
	mass := func(kg, sigma, file float64, from MassSource) Mass {
		return Mass{Kg: kg, Sigma: sigma, FileKg: file, From: from}
	}
	b := &Bodies{Links: []LinkMass{
		{Link: "a", Mass: mass(2.4, 0.1, 3, FromData)},
		{Link: "b", Mass: mass(5, 0.5, 3, FromFile)},     // the file's
		{Link: "c", Mass: mass(1.22, 0.1, 1, FromData)},  // 2.2 σ
		{Link: "d", Mass: mass(2, 0.2, 1, FromData)},     // the largest
		{Link: "e", Mass: mass(7, 0.001, 0, FromData)},   // the file gives none
		{Link: "f", Mass: mass(0.9, 0.02, 1, FromData)},  // third
		{Link: "g", Mass: mass(1.05, 0.01, 1, FromData)}, // fourth
	}}
	if got, want := b.AgainstFile(), "d is 1.00 ± 0.20 kg heavier, a is 0.60 ± 0.10 kg lighter, f is 0.100 ± 0.020 kg lighter than the robot file says, as others do: 1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.Links = b.Links[1:3]
	if got := b.AgainstFile(); got != "" {
		t.Error(got)
	}
	if got := (*Bodies)(nil).AgainstFile(); got != "" {
		t.Error(got)
	}
}
