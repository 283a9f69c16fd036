package robot

// UserInertial moves parameters of a link from frame j to the user's own link
// frame, about that frame's origin.
func (r *Robot) UserInertial(link int, p Inertial) Inertial {
	return p.InFrame(r.Links[link].UserFrame.Inv())
}

// FrameInertial is the inverse of UserInertial: from the user's own link frame
// to frame j.
func (r *Robot) FrameInertial(link int, p Inertial) Inertial {
	return p.InFrame(r.Links[link].UserFrame)
}
