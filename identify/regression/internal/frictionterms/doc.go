// Package frictionterms has the friction terms that a fit chooses among, as columns of one reduction of its rows.
//
// Columns of all candidates are reduced in one pass, behind those of the model: the part that friction of each direction (Fa)
// adds to Fv, Fs and Fo, Stribeck friction at six velocities, and laws that are offered by name. A candidate is a selection of
// them, so that cross-validation of all candidates costs no further pass (columns of a triangular factor are those of the rows).
// Candidates with fewer parameters than the model leave columns out: viscous friction, which torque sensors behind the gears
// do not measure and which slow motion does not tell apart from the shape of Coulomb's.
package frictionterms
