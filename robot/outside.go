package robot

// BaseMotion is the motion of the base along its own axes: angular velocity (rad/s) and acceleration (rad/s²), velocity
// of the origin (m/s), and its acceleration without gravity (m/s²). NaN means a symbol.
type BaseMotion struct{ W, WP, V, VP [3]float64 }

// ExternalLinks returns the links that exert a wrench on their environment according to the file.
func (r *Robot) ExternalLinks() []int {
	var out []int
	for j := range r.Links {
		if r.Links[j].HasExternal {
			out = append(out, j)
		}
	}
	return out
}
