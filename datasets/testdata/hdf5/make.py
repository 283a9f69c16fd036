"""Write the HDF5 files of this folder with h5py, in the layouts that programs of the field publish; see README.md.

Forty rows of the motion of two joints: t = k/100, q = (k/8, -k/4), dq = (k/16, k/2), tau = (3k, 7 - k/8).
"""
import os
import sys

import h5py
import numpy as np

HERE = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
K = np.arange(40)
T = K / 100
Q = np.stack([K / 8, -K / 4], 1)
DQ = np.stack([K / 16, K / 2], 1)
TAU = np.stack([3.0 * K, 7 - K / 8], 1)


def file(name, **options):
    return h5py.File(os.path.join(HERE, name), 'w', **options)


def plain(f, **options):
    """One array a signal, with a unit of the clock."""
    f.create_dataset('t', data=T * 1000, **options)
    f['t'].attrs['units'] = 'ms'
    for name, x in (('q', Q), ('dq', DQ), ('tau', TAU)):
        f.create_dataset(name, data=x, **options)


def matlab(f, name, x, kind='double', **options):
    """A variable of MATLAB 7.3: transposed, with its class."""
    x = np.atleast_2d(x)
    f.create_dataset(name, data=x.T, **options)
    f[name].attrs['MATLAB_class'] = np.bytes_(kind)


for name, options in (('contiguous', {}), ('gzip', dict(chunks=(16, 2), compression='gzip')), ('shuffle', dict(chunks=(7, 1), compression='gzip', shuffle=True)),
                      ('fletcher32', dict(chunks=(16, 2), fletcher32=True)), ('lzf', dict(chunks=(40, 2), compression='lzf', shuffle=True))):
    with file(name + '.h5') as f:
        clock = {**options, 'chunks': options['chunks'][:1]} if options else {}
        f.create_dataset('t', data=T, **clock)
        for channel, x in (('q', Q), ('dq', DQ), ('tau', TAU)):
            f.create_dataset(channel, data=x, **options)
for libver in ('earliest', 'v108'):
    with file(libver + '.h5', libver=libver) as f:
        plain(f)
with file('v110.h5', libver='v110') as f:  # one chunk, of which version 4 of the layout keeps the address alone
    plain(f)
    del f['q']
    f.create_dataset('q', data=Q, chunks=Q.shape, compression='gzip')
with file('types.h5') as f:
    f['t'], f['q'], f['dq'], f['tau'] = T, Q.astype('>f8'), DQ.astype('<f4'), TAU.astype('>f4')
    f['half'], f['on'], f['k8'], f['k16'], f['k64'], f['u32'] = (K / 8).astype('f2'), K % 2 == 1, (K - 20).astype('i1'), (-K).astype('>i2'), K.astype('i8'), K.astype('>u4')
    f['mode'], f['fs'], f['word'] = 'free', 100.0, np.bytes_('fixed')
    f['pair'] = np.zeros(40, [('a', 'f8'), ('b', 'i4')])
    f['names'] = ['a', 'b']
    f['empty'] = h5py.Empty('f8')
    f.attrs['robot'], f.attrs['rate'], f.attrs['sim'] = 'arm é', 100, True
with file('grown.h5') as f:  # recorded row by row; the last chunk is not full, and ten rows of tau were never written
    f['t'] = T
    for name, x in (('q', Q), ('tau', TAU)):
        f.create_dataset(name, shape=(0, 2), maxshape=(None, 2), chunks=(16, 2), dtype='f8', fillvalue=np.nan)
        f[name].resize((40, 2))
        f[name][:30 if name == 'tau' else 40] = x[:30 if name == 'tau' else 40]
with file('userblock.h5', userblock_size=1024) as f:
    plain(f)
with file('aloha.hdf5') as f:  # episode_N.hdf5 of ALOHA: no clock, images beside
    f.attrs['sim'] = False
    f['action'], f['observations/qpos'], f['observations/qvel'], f['observations/effort'] = Q, Q, DQ, TAU
    f.create_dataset('observations/images/cam_high', data=np.zeros((40, 6, 8, 3), 'u1'), chunks=(1, 6, 8, 3))
with file('robomimic.hdf5') as f:
    g = f.create_group('data')
    g.attrs['env_args'], g.attrs['total'] = '{"env_name": "Lift"}', 40
    for i, (a, b) in enumerate(((0, 9), (9, 14), (14, 40))):
        d = g.create_group(f'demo_{(0, 2, 10)[i]}')
        d.attrs['num_samples'] = b - a
        d['actions'], d['obs/robot0_joint_pos'], d['obs/robot0_joint_vel'] = TAU[a:b], Q[a:b], DQ[a:b]
        d.create_dataset('obs/agentview_image', data=np.zeros((b - a, 4, 4, 3), 'u1'))
    f['mask/train'] = np.array([b'demo_0', b'demo_2'])
with file('libero.hdf5') as f:
    for i in range(2):
        d = f.create_group(f'data/demo_{i}')
        d['obs/joint_states'], d['obs/gripper_states'], d['actions'] = Q[20 * i:20 * i + 20], DQ[20 * i:20 * i + 20], TAU[20 * i:20 * i + 20]
with file('droid.h5') as f:
    s = f.create_group('observation/robot_state')
    s['joint_positions'], s['joint_velocities'], s['joint_torques_computed'] = Q, DQ, TAU
    f['observation/timestamp/robot_state/read_start'] = (T * 1000).astype('i8') + 1700000000000
    f['action/joint_position'] = Q
with file('matlab73.mat', userblock_size=512) as f:
    matlab(f, 't', T.reshape(-1, 1))
    for name, x in (('q', Q), ('dq', DQ), ('tau', TAU)):
        matlab(f, name, x, chunks=(1, 40), compression='gzip')
    matlab(f, 'on', (K % 2).reshape(-1, 1).astype('u1'), 'logical')
    matlab(f, 'mode', np.array([[ord(c) for c in 'free']], 'u2'), 'char')
    matlab(f, 'fs', np.array([[100.0]]))
    g = f.create_group('log')
    g.attrs['MATLAB_class'] = np.bytes_('struct')
    matlab(g, 'x', Q[:, :1])
    f.create_dataset('names', (1, 1), h5py.ref_dtype)
    f['names'][0, 0] = f['t'].ref
    f['names'].attrs['MATLAB_class'] = np.bytes_('cell')
with open(os.path.join(HERE, 'matlab73.mat'), 'r+b') as f:
    f.write(b'MATLAB 7.3 MAT-file, Platform: GLNXA64, Created on: Mon Jan  1 00:00:00 2024 HDF5 schema 1.00 .'.ljust(124) + b'\0\2IM')
# What is refused by name.
with file('version5.h5', libver='latest') as f:
    f['t'], f['tau'] = T, TAU
    f.create_dataset('q', data=Q, chunks=Q.shape, compression='gzip')
with file('dense.h5', libver='v110') as f:
    for i in range(20):
        f[f'x{i}'] = T
with file('extensible.h5', libver='v110') as f:
    f['t'] = T
    f.create_dataset('q', data=Q, chunks=(8, 2), maxshape=(None, 2))
    f['tau'] = TAU
