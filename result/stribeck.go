package result

// OuterParameter enters the torques nonlinearly and is found by minimising the residual
// of the linear ones. Determined is false if the data do not determine it.
type OuterParameter struct {
	Name       string  `json:"name"`
	Joint      string  `json:"joint"`
	Unit       string  `json:"unit"`
	Value      float64 `json:"value"`
	Sigma      float64 `json:"sigma"`
	Determined bool    `json:"determined"`
}
