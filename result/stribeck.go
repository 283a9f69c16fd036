package result

// OuterParameter is one that torques are not linear in, found by minimising what
// the linear ones leave. Determined is false where the data say nothing about it.
type OuterParameter struct {
	Name       string  `json:"name"`
	Joint      string  `json:"joint"`
	Unit       string  `json:"unit"`
	Value      float64 `json:"value"`
	Sigma      float64 `json:"sigma"`
	Determined bool    `json:"determined"`
}
