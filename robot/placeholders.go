package robot

// LimitOrigins holds, for each kind of limit of a joint, the setting that gave it; "" means the robot file.
type LimitOrigins struct{ Position, Velocity, Accel, Jerk, Effort string }
