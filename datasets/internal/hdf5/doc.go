// Package hdf5 reads HDF5 files as h5py, MATLAB 7.3 and the recorders of robot learning write them: superblocks 0 to 3, groups by
// symbol tables and by compact links, contiguous, compact and chunked datasets of numbers, attributes and texts.
//
//	Open ─► File.Datasets ─► Dataset{Path, Dims, Type, Attributes}
//	                            ├─ Contiguous: the elements lie in the file as they are
//	                            └─ Elements: a reader of all elements, chunks put together and decompressed
//
// The layout is that of "HDF5 File Format Specification Version 3.0" (The HDF Group); section numbers in comments are its own.
// A file is not trusted: each size is compared with the bytes that are there, each object is read once, and the numbers of objects
// and chunks are bounded. Errors wrap [ErrFormat] for what this package does not read, which is named, [ErrDamaged] for what
// contradicts itself, and [ErrTruncated] for bytes that are missing.
package hdf5
