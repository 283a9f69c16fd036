package doctor_test

import "ident/robot"

// body is a link as a solid of some mass about its centre, with radii of gyration.
type body struct {
	m       float64
	c, gyro [3]float64
}

// drive is a joint's rotor inertia, friction and offset.
type drive struct{ ia, fv, fs, fo float64 }

// built makes a robot of frames, bodies and drives.
func built(name string, frames []robot.MDHFrame, bodies []body, drives []drive, effort []float64) *robot.Robot {
	r := robot.FromMDH(name, frames)
	for i := range r.Links {
		b, d := bodies[i], drives[i]
		in := &r.Links[i].Inertial
		g, c := b.gyro, b.c
		in[robot.M] = b.m
		in[robot.MX], in[robot.MY], in[robot.MZ] = b.m*c[0], b.m*c[1], b.m*c[2]
		in[robot.XX] = b.m * (g[1]*g[1] + g[2]*g[2] + c[1]*c[1] + c[2]*c[2])
		in[robot.YY] = b.m * (g[0]*g[0] + g[2]*g[2] + c[0]*c[0] + c[2]*c[2])
		in[robot.ZZ] = b.m * (g[0]*g[0] + g[1]*g[1] + c[0]*c[0] + c[1]*c[1])
		in[robot.XY], in[robot.XZ], in[robot.YZ] = -b.m*c[0]*c[1], -b.m*c[0]*c[2], -b.m*c[1]*c[2]
		r.Links[i].HasInertial = true
		j := &r.Links[i].Joint
		j.Ia, j.Fv, j.Fs, j.Fo = d.ia, d.fv, d.fs, d.fo
		j.Lower, j.Upper, j.Velocity, j.Effort = -2.9, 2.9, 4, effort[i]
	}
	return r
}

// puma is of the size of a PUMA 560 (Armstrong, Khatib and Burdick 1986).
func puma() *robot.Robot {
	return built("puma", []robot.MDHFrame{
		{Antecedent: -1}, {Antecedent: 0, Alpha: -half, R: 0.2435}, {Antecedent: 1, D: 0.4318, R: -0.0934},
		{Antecedent: 2, D: -0.0203, Alpha: half, R: 0.4331}, {Antecedent: 3, Alpha: -half}, {Antecedent: 4, Alpha: half},
	}, []body{
		{10, [3]float64{0, 0.02, -0.05}, [3]float64{0.1, 0.1, 0.1}},
		{17.4, [3]float64{0.068, 0.006, -0.016}, [3]float64{0.08, 0.17, 0.17}},
		{4.8, [3]float64{0, -0.070, 0.014}, [3]float64{0.12, 0.05, 0.12}},
		{0.82, [3]float64{0, 0, -0.019}, [3]float64{0.05, 0.05, 0.04}},
		{0.34, [3]float64{0, -0.004, 0}, [3]float64{0.03, 0.03, 0.03}},
		{0.29, [3]float64{0.01, 0, 0.052}, [3]float64{0.03, 0.03, 0.02}},
	}, []drive{{1.14, 4, 6, 0.5}, {4.7, 5, 8, -0.8}, {0.83, 2.5, 5, 0.4}, {0.2, 0.5, 1.2, 0.1}, {0.18, 0.4, 1.0, -0.1}, {0.19, 0.3, 0.9, 0.05}},
		[]float64{97, 186, 89, 24, 20, 21})
}

// panda is a light arm of seven joints with torque sensors behind the gears, so with little friction.
func panda7() *robot.Robot {
	return built("seven", []robot.MDHFrame{
		{Antecedent: -1, R: 0.333}, {Antecedent: 0, Alpha: -half}, {Antecedent: 1, Alpha: half, R: 0.316}, {Antecedent: 2, D: 0.0825, Alpha: half},
		{Antecedent: 3, D: -0.0825, Alpha: -half, R: 0.384}, {Antecedent: 4, Alpha: half}, {Antecedent: 5, D: 0.088, Alpha: half},
	}, []body{
		{4.97, [3]float64{0.004, 0.002, -0.05}, [3]float64{0.12, 0.12, 0.06}},
		{3.2, [3]float64{-0.003, -0.028, 0.004}, [3]float64{0.08, 0.05, 0.08}},
		{3.2, [3]float64{0.027, 0.039, -0.066}, [3]float64{0.09, 0.09, 0.06}},
		{3.5, [3]float64{-0.053, 0.104, 0.027}, [3]float64{0.09, 0.07, 0.1}},
		{1.2, [3]float64{-0.011, 0.041, -0.038}, [3]float64{0.14, 0.13, 0.07}},
		{1.7, [3]float64{0.060, -0.014, -0.010}, [3]float64{0.04, 0.06, 0.06}},
		{0.75, [3]float64{0.011, -0.004, 0.062}, [3]float64{0.08, 0.07, 0.05}},
	}, []drive{{0, 0.07, 0.3, 0.1}, {0, 0.1, 0.4, 0.2}, {0, 0.08, 0.25, -0.1}, {0, 0.1, 0.35, -0.2}, {0, 0.06, 0.2, 0.05}, {0, 0.04, 0.18, 0}, {0, 0.03, 0.15, -0.03}},
		[]float64{87, 87, 87, 87, 12, 12, 12})
}

// ur10 is of the size of a UR10, with the friction of its gears.
func ur10() *robot.Robot {
	return built("ur10", []robot.MDHFrame{
		{Antecedent: -1, R: 0.1273}, {Antecedent: 0, Alpha: half}, {Antecedent: 1, D: -0.612}, {Antecedent: 2, D: -0.5723, R: 0.1639},
		{Antecedent: 3, Alpha: half, R: 0.1157}, {Antecedent: 4, Alpha: -half, R: 0.0922},
	}, []body{
		{7.8, [3]float64{0.02, 0.004, -0.03}, [3]float64{0.07, 0.07, 0.06}},
		{12.9, [3]float64{-0.24, 0.003, 0.158}, [3]float64{0.06, 0.18, 0.18}},
		{3.9, [3]float64{-0.27, 0.004, 0.068}, [3]float64{0.05, 0.16, 0.16}},
		{1.96, [3]float64{0, -0.018, 0.007}, [3]float64{0.05, 0.04, 0.05}},
		{1.96, [3]float64{0, 0.018, 0.007}, [3]float64{0.05, 0.04, 0.05}},
		{0.9, [3]float64{0.02, 0.01, -0.026}, [3]float64{0.03, 0.03, 0.03}},
	}, []drive{{4.5, 15, 12, 0.3}, {4.5, 15, 13, -0.5}, {2.0, 9, 8, 0.4}, {0.6, 3, 3, 0.1}, {0.6, 3.2, 3.1, -0.1}, {0.5, 2.8, 2.6, 0.1}},
		[]float64{330, 330, 150, 54, 54, 54})
}
