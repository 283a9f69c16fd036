package doctor
func (p *patient) checkExcitation() {}
