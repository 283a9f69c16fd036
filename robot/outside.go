package robot

// BaseMotion is the motion of the base, along its own axes: angular velocity, rad/s, and acceleration,
// rad/s², velocity of the origin, m/s, and its acceleration without gravity, m/s². NaN is a symbol.
type BaseMotion struct{ W, WP, V, VP [3]float64 }

// ExternalLinks lists the links that exert a wrench on their environment, as far as the file says.
func (r *Robot) ExternalLinks() []int {
	var out []int
	for j := range r.Links {
		if r.Links[j].HasExternal {
			out = append(out, j)
		}
	}
	return out
}
