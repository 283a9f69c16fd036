package result

// OuterParameter is a parameter on which the torques depend nonlinearly, found by minimising the residual over the
// linear ones. Determined is false if the data do not determine it.
type OuterParameter struct {
	Name       string  `json:"name"`
	Joint      string  `json:"joint"`
	Unit       string  `json:"unit"`
	Value      float64 `json:"value"`
	Sigma      float64 `json:"sigma"`
	Determined bool    `json:"determined"`
}
