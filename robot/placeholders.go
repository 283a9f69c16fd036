package robot

// LimitOrigins say where the limits of a joint come from that are not those of the robot file: the setting that gave
// them. "" is the robot file.
type LimitOrigins struct{ Position, Velocity, Accel, Jerk, Effort string }
