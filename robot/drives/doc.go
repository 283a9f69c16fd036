// Package drives models the drives of joints: direct-current motors of second and third
// order behind a gear, and electro-hydraulic cylinders of third and fifth order.
//
// # Motors
//
// With the voltage u at the terminals, the current i, the torque constant k (N·m/A), the
// constant k_e of the back-EMF (V·s/rad) and the gear's ratio N,
//
//	L·di/dt = u − k_e·N·dq − R·i        third order
//	      0 = u − k_e·N·dq − R·i        second order, L = 0
//	      τ = N·k·i                     on the joint's side, before the gear's losses
//
// (Vukobratović and Potkonjak 1985, 3.9.1 to 3.9.6; their (3.9.5) prints the back-EMF with
// the wrong sign, and their table of measured motors has the right one). The inertia and
// the viscous friction of the rotor are the joint's Ia and Fv, N² times those at the motor.
//
// An amplifier keeps the voltage within ±u_max, and the current within ±i_max by holding
// the voltage within ±R·i_max of the back-EMF. That bound never lets a current outside, and
// it is that of the second order where L vanishes.
//
// An amplifier commanded by voltage gives u = R·τ*/(N·k) for the asked torque τ*: the torque
// at standstill, less by the back-EMF in motion. One commanded by current takes the
// back-EMF out; of third order its loop has a bandwidth ω and lets the current follow by
// di/dt = ω·(i* − i) where the limits allow it.
//
// # Gears
//
// The gear of efficiency η takes (1 − η)·|τ| against the motion: of a driving motor the
// joint gets η·τ. A driven one holds (2 − η)·|τ|, which is |τ|/η to first order in the
// loss. At rest the gear holds as much, so that the loss is load-dependent Coulomb
// friction, the term Fl of package regressor. ThroughGear is this law; package loads has it too.
//
// # Cylinders
//
// With the pressure difference p on the piston area A, the flow Q of the servo valve and
// its current u (3.9.8),
//
//	dp/dt = (4β/V)·(Q − A·dq − (k_c + C_il + C_el/2)·p),  τ = A·p
//	d²Q/dt² = −c₁·Q − c₂·dQ/dt + k_q·u                   fifth order
//	      Q = (k_q/c₁)·u                                 third order
//
// Of (3.9.9), the third order, the signs are those of (3.9.8), and Q is its steady flow: the
// print has +4β·A/V and k_q/C_ℓ. Mass and friction of the piston are the joint's Ia and Fv.
//
// # Units
//
// rad or m, N·m or N, s, V, A, Ω, H, Pa.
package drives
