"""Write the files of this folder in the layouts that programs of the field publish, by the libraries that these use.

    python make.py [FOLDER]

Forty rows of one motion of two joints, all numbers with few binary digits, so that they are the same in every type: t = k/64,
q = (k/8 - 2, -k/4), dq = (k/16, k/2), tau = (1000 + 3k, 7 - k/8). truth.csv has them in SI units, truth_deg.csv in milliseconds and degrees.
corpus.json says of each file where its layout is published, which options it needs and what it holds.
"""
import gzip
import json
import os
import pathlib
import shutil
import sys

import h5py
import hdf5storage
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import scipy.io
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, timestamp_pb2
from mcap.writer import Writer as McapWriter
from mcap_ros2.writer import Writer as Ros2Writer
from rosbags.rosbag1 import Writer as Bag1Writer
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as Bag2Writer
from rosbags.typesys import Stores, get_typestore

HERE = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)))
N = 40
K = np.arange(N)
T = K / 64
Q = np.stack([K / 8 - 2, -K / 4], 1)
DQ = np.stack([K / 16, K / 2], 1)
TAU = np.stack([1000 + 3.0 * K, 7 - K / 8], 1)
JOINTS = ['shoulder', 'elbow']
HEAD = ['t', 'q1', 'q2', 'dq1', 'dq2', 'tau1', 'tau2']
ROWS = np.column_stack([T, Q, DQ, TAU])
START = 1_764_327_600  # seconds: 2025-11-28 11:00 UTC
NS = [START * 10**9 + int(k) * 15_625_000 for k in K]
ISO = pd.to_datetime(NS)
CORPUS = []


def entry(name, source, needs=None, **more):
    """A file of the corpus: where its layout is published, and the options that it needs."""
    CORPUS.append(dict(file=name, source=source, **({'needs': needs} if needs else {}), **more))
    path = HERE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def text(name, source, head, rows, sep=',', cell=repr, needs=None, end='\n', bom='', units=None, **more):
    lines = ([sep.join(head)] if head else []) + ([sep.join(units)] if units else [])
    lines += [sep.join(cell(float(x)) if not isinstance(x, str) else x for x in row) for row in rows]
    with open(entry(name, source, needs, **more), 'w', encoding='utf-8', newline='') as f:
        f.write(bom + end.join(lines) + end)


def grouped(between, point, quote=False):
    def cell(x):
        s = f'{x:,.6f}'.replace(',', '\0').replace('.', point).replace('\0', between)
        return f'"{s}"' if quote and between in s else s
    return cell


def put_truth():
    for name, head, rows in (('truth.csv', HEAD, ROWS), ('truth_deg.csv', ['t [ms]', 'q1 [deg]', 'q2 [deg]', 'dq1 [deg/s]', 'dq2 [deg/s]', 'tau1', 'tau2'], ROWS * [1000, 1, 1, 1, 1, 1, 1])):
        with open(HERE / name, 'w') as f:
            f.write(','.join(head) + '\n' + ''.join(','.join(map(repr, map(float, row))) + '\n' for row in rows))


def put_text():
    deg = ROWS * [1000, 1, 1, 1, 1, 1, 1]
    long = [f'{field}_{j}' for field in ('position', 'velocity', 'effort') for j in JOINTS]
    text('text/plain.csv', 'numpy.savetxt(delimiter=",", header=…, comments="")', HEAD, ROWS)
    text('text/savetxt.txt', 'numpy.savetxt(header="t q1 …"): names in a comment, blanks', ['# ' + ' '.join(HEAD)], [], sep=' ')
    np.savetxt(HERE / 'text/savetxt.txt', ROWS, header=' '.join(HEAD))
    text('text/names.tsv', 'spreadsheets and ROOT: tabs', HEAD, ROWS, sep='\t')
    text('text/german.csv', 'Excel, German: semicolons, decimal comma, thousands, BOM, CR LF', ['Zeit [ms]', 'q1 [deg]', 'q2 [deg]', 'dq1 [deg/s]', 'dq2 [deg/s]', 'tau1', 'tau2'], deg, ';', grouped('.', ','), end='\r\n', bom='\ufeff', truth='truth_deg.csv')
    text('text/german_words.csv', 'the same with words for names', ['Zeit [ms]'] + [f'{w} {j}' for w in ('Winkel', 'Geschwindigkeit', 'Moment') for j in JOINTS], deg, ';', grouped('.', ','),
         needs={'map': {'q_*': 'Winkel *', 'dq_*': 'Geschwindigkeit *', 'tau_*': 'Moment *'}, 'units': {'Winkel*': 'deg', 'Gesch*': 'deg/s'}}, truth='truth_deg.csv')
    text('text/english.csv', 'Excel, English: quoted thousands, a line of units', HEAD, deg, ',', grouped(',', '.', True), units=['ms', 'deg', 'deg', 'deg/s', 'deg/s', 'Nm', 'Nm'], truth='truth_deg.csv')
    text('text/swiss.csv', 'Excel, Swiss: apostrophes', HEAD, ROWS, ';', grouped("'", '.'))
    text('text/french.csv', 'Excel, French: narrow unbreakable blanks', HEAD, ROWS, ';', grouped('\u202f', ','))
    text('text/nbsp.csv', 'LibreOffice: unbreakable blanks', HEAD, ROWS, ';', grouped('\u00a0', ','))
    text('text/semicolon_points.csv', 'Excel with points', HEAD, ROWS, ';')
    text('text/nohead.csv', 'a lab: numbers alone', None, ROWS, needs={'columns': 't,q1..q2,dq1..dq2,tau1..tau2'})
    text('text/nohead_noclock.dat', 'a lab: columns of numbers between blanks', None, ROWS[:, 1:], '  ', needs={'columns': 'q1..q2,dq1..dq2,tau1..tau2', 'rate': 64})
    text('text/noclock.csv', 'a table without a clock', HEAD[1:], ROWS[:, 1:], needs={'rate': 64})
    text('text/iso.csv', 'loggers of ISO 8601', ['timestamp'] + HEAD[1:], [[f'{s.isoformat()}Z'] + list(r[1:]) for s, r in zip(ISO, ROWS)])
    text('text/iso_zone.csv', 'datetime.isoformat() with a zone', ['time'] + HEAD[1:], [[s.tz_localize('UTC').tz_convert('Europe/Berlin').isoformat()] + list(r[1:]) for s, r in zip(ISO, ROWS)])
    text('text/day_first.csv', 'Excel, German: dates', ['Zeit'] + HEAD[1:], [[s.strftime('%d.%m.%Y %H:%M:%S,%f')] + list(r[1:]) for s, r in zip(ISO, ROWS)], ';')
    text('text/mode.csv', 'loggers with a column of words', ['t', 'mode'] + HEAD[1:], [[repr(float(r[0])), 'AUTO' if k % 7 else 'HOLD'] + list(r[1:]) for k, r in enumerate(ROWS)])
    df = pd.DataFrame(ROWS, columns=HEAD)
    df.to_csv(entry('text/pandas.csv', 'pandas.DataFrame.to_csv()'))
    df[HEAD[1:]].set_index(ISO).to_csv(entry('text/pandas_stamps.csv', 'pandas.DataFrame.to_csv() of a DatetimeIndex'))
    df[HEAD[1:]].set_index(ISO.tz_localize('UTC')).to_csv(entry('text/pandas_zone.csv', 'the same with a zone'))
    df[HEAD[1:]].set_index(pd.to_timedelta(T, unit='s')).to_csv(entry('text/pandas_durations.csv', 'pandas.DataFrame.to_csv() of a TimedeltaIndex'))
    pl.DataFrame(ROWS, schema=HEAD, orient='row').write_csv(entry('text/polars.csv', 'polars.DataFrame.write_csv'))
    with gzip.GzipFile(entry('text/plain.csv.gz', 'gzip'), 'wb', mtime=0) as f:
        f.write((HERE / 'text/plain.csv').read_bytes())
    ur = ['timestamp'] + [f'{field}_{j}' for field in ('actual_q', 'actual_qd', 'actual_current_as_torque') for j in range(2)]
    text('text/ur_rtde.csv', 'UniversalRobots/RTDE_Python_Client_Library, examples/record.py', ur, ROWS + [START, 0, 0, 0, 0, 0, 0], ' ', needs={'preset': 'ur-rtde-torque'})
    text('text/franka.csv', 'frankaemika/libfranka, src/log.cpp (logToCSV)', ['time'] + [f'state.{field}[{j}]' for field in ('q', 'dq', 'tau_J') for j in range(2)], ROWS * [1000, 1, 1, 1, 1, 1, 1], needs={'preset': 'franka-csv'})
    text('text/plotjuggler.csv', 'facontidavide/PlotJuggler, CSV export of /joint_states', ['__time'] + [f'/joint_states/{j}/{field}' for field in ('position', 'velocity', 'effort') for j in JOINTS], ROWS + [START, 0, 0, 0, 0, 0, 0])
    text('text/rostopic.csv', 'ROS 1: rostopic echo -p /joint_states', ['%time', 'field.header.seq', 'field.header.stamp'] + [f'field.{field}{j}' for field in ('position', 'velocity', 'effort') for j in range(2)],
         [[str(ns), str(k), str(ns)] + list(r[1:]) for k, (ns, r) in enumerate(zip(NS, ROWS))], needs={'units': {'%time': 'ns', 'field.header.stamp': 'ns'}}, stamps='float')
    text('text/unitree.csv', 'unitreerobotics/unitree_sdk2_python: motor_state[i].q, .dq, .tau_est of LowState', ['time'] + [f'motor_state[{j}].{field}' for field in ('q', 'dq', 'tau_est') for j in range(2)], ROWS)
    text('text/kuka_fri.csv', 'KUKA Sunrise, DataRecorder: one column an axis, degrees', ['Zeit [ms]'] + [f'{field}_J{j}' for field in ('axisQMsr_LBR_iiwa_7', 'axisQdMsr_LBR_iiwa_7', 'axisTauMsr_LBR_iiwa_7') for j in (1, 2)], deg,
         needs={'map': {'q_*': 'axisQMsr*', 'dq_*': 'axisQdMsr*', 'tau_*': 'axisTauMsr*'}, 'units': {'axisQ*': 'deg', 'axisQdMsr_LBR_iiwa_7_J1': 'deg/s', 'axisQdMsr_LBR_iiwa_7_J2': 'deg/s'}}, truth='truth_deg.csv', joints=['_LBR_iiwa_7_J1', '_LBR_iiwa_7_J2'])
    text('text/kuka_rsi.csv', 'KUKA RSI: axes A1, A2 (AIPos), motor torques', ['t'] + [f'{field}.A{j}' for field in ('AIPos', 'AIVel', 'MACur') for j in (1, 2)], ROWS,
         needs={'map': {'q_*': 'AIPos.A*', 'dq_*': 'AIVel.A*', 'tau_*': 'MACur.A*'}})
    text('text/dynamixel.csv', 'ROBOTIS-GIT/DynamixelSDK, read of Present Position in counts of 4096', ['timestamp_ms'] + [f'present_position_{j}' for j in (1, 2)] + [f'present_velocity_{j}' for j in (1, 2)] + [f'effort_{j}' for j in (1, 2)],
         [[str(15625 * k // 1000) if False else repr(15.625 * k), str(int(2048 + 64 * q[0])), str(int(2048 + 64 * q[1])), repr(float(d[0])), repr(float(d[1])), repr(float(x[0])), repr(float(x[1]))] for k, q, d, x in zip(K.tolist(), Q, DQ, TAU)],
         needs={'scale': {'present_position_*': 0.015625}, 'zero': {'present_position_*': 2048}})
    text('text/lerobot_record.csv', 'huggingface/lerobot: names of motors with .pos, .vel, .effort', ['timestamp'] + [f'{j}.{field}' for field in ('pos', 'vel', 'effort') for j in JOINTS], ROWS)
    text('text/mujoco.csv', 'google-deepmind/mujoco: time, qpos, qvel, qfrc_actuator', ['time'] + [f'{field}[{j}]' for field in ('qpos', 'qvel', 'qfrc_actuator') for j in range(2)], ROWS)
    text('text/joint_first.csv', 'names with the joint in front', ['time_s'] + [f'joint_{j}_{field}' for field in ('position', 'velocity', 'torque') for j in (1, 2)], ROWS)
    text('text/short_first.csv', 'names with the axis in front', ['Time [s]'] + [f'J{j} {field}' for field in ('Position', 'Velocity', 'Torque') for j in (1, 2)], ROWS)
    text('text/ros_names.csv', 'names of the joints behind', ['time'] + long, ROWS)


def put_json():
    def lines(name, source, rows, **more):
        with open(entry(name, source, **more), 'w') as f:
            f.writelines(json.dumps(r) + '\n' for r in rows)
    lines('json/plain.jsonl', 'json.dumps a row', [dict(zip(HEAD, map(float, r))) for r in ROWS])
    lines('json/lists.jsonl', 'a list a signal', [{'t': t, 'q': list(q), 'dq': list(d), 'tau': list(x)} for t, q, d, x in zip(T, Q, DQ, TAU)])
    lines('json/nested.jsonl', 'robosuite and lerobot loggers: an object a joint', [{'timestamp': t, **{j: {'pos': q[i], 'vel': d[i], 'effort': x[i]} for i, j in enumerate(JOINTS)}} for t, q, d, x in zip(T, Q, DQ, TAU)])
    lines('json/iso.ndjson', 'structured loggers: ISO 8601', [{'time': f'{s.isoformat()}Z', 'level': 'info', 'position': list(q), 'velocity': list(d), 'effort': list(x)} for s, q, d, x in zip(ISO, Q, DQ, TAU)])
    df = pd.DataFrame(ROWS, columns=HEAD)
    df.to_json(entry('json/columns.json', 'pandas.DataFrame.to_json()'))
    df.to_json(entry('json/records.json', 'pandas.DataFrame.to_json(orient="records")'), orient='records')
    with open(entry('json/dict.json', 'json.dump of a dict of lists', {'rate': 64}), 'w') as f:
        json.dump({'dt': 1 / 64, 'joint_pos': Q.tolist(), 'joint_vel': DQ.tolist(), 'joint_torque': TAU.tolist()}, f, indent=1)


def put_tables():
    df = pd.DataFrame(ROWS, columns=HEAD)
    df.to_parquet(entry('parquet/pandas.parquet', 'pandas.DataFrame.to_parquet()'))
    df[HEAD[1:]].set_index(ISO).to_parquet(entry('parquet/stamps.parquet', 'pandas, DatetimeIndex'))
    df[HEAD[1:]].set_index(ISO.tz_localize('UTC').tz_convert('Europe/Berlin').rename('when')).to_parquet(entry('parquet/zone.parquet', 'pandas, DatetimeIndex with a zone'))
    df.astype('float32').convert_dtypes(convert_integer=False).to_parquet(entry('parquet/nullable.parquet', 'pandas, nullable float32'))
    pl.from_pandas(df).write_parquet(entry('parquet/polars.parquet', 'polars.DataFrame.write_parquet'))
    pl.DataFrame({'t': T, 'q': Q.tolist(), 'dq': DQ.tolist(), 'tau': TAU.tolist()}).write_parquet(entry('parquet/polars_lists.parquet', 'polars, a list a signal'))
    pl.DataFrame({'t': T, 'state': [{'q': list(q), 'dq': list(d), 'tau': list(x)} for q, d, x in zip(Q, DQ, TAU)]}).write_parquet(
        entry('parquet/polars_struct.parquet', 'polars, a structure of lists', {'map': {'q_*': 'state.q[*]', 'dq_*': 'state.dq[*]', 'tau_*': 'state.tau[*]'}}))
    f32 = pa.list_(pa.float32(), 2)
    lerobot = pa.table({'action': pa.array(Q.tolist(), f32), 'observation.state': pa.array(Q.tolist(), f32), 'observation.velocity': pa.array(DQ.tolist(), f32), 'observation.effort': pa.array(TAU.tolist(), f32),
                        'timestamp': pa.array(T, pa.float32()), 'frame_index': pa.array(K), 'episode_index': pa.array([0] * N), 'index': pa.array(K), 'task_index': pa.array([0] * N)})
    pq.write_table(lerobot, entry('parquet/lerobot_v2.parquet', 'huggingface/lerobot, data/chunk-000/episode_000000.parquet of v2.1'))
    pq.write_table(lerobot, entry('parquet/lerobot_v3.parquet', 'huggingface/lerobot, data/chunk-000/file-000.parquet of v3.0'), compression='snappy', use_dictionary=True, data_page_version='2.0')
    rerun = pa.table({'log_time': pa.array(NS, pa.timestamp('ns')), **{f'/arm/{field}/{j}:Scalars:scalars': pa.array([[v] for v in x[:, i].tolist()], pa.list_(pa.float64())) for field, x in (('q', Q), ('dq', DQ), ('tau', TAU)) for i, j in enumerate(JOINTS)}})
    pq.write_table(rerun, entry('parquet/rerun.parquet', 'rerun-io/rerun, dataframe API: a list a component',
                                {'map': {'q_*': '/arm/q/*:Scalars:scalars[0]', 'dq_*': '/arm/dq/*:Scalars:scalars[0]', 'tau_*': '/arm/tau/*:Scalars:scalars[0]'}}))
    pq.write_table(pa.Table.from_pandas(df), entry('parquet/brotli.parquet', 'pyarrow.parquet, brotli'), compression='brotli')
    pa.feather.write_feather(df, entry('arrow/pandas.feather', 'pandas.DataFrame.to_feather (lz4)'))
    pl.from_pandas(df).write_ipc(entry('arrow/polars.arrow', 'polars.DataFrame.write_ipc'), compression='zstd')
    with pa.ipc.new_stream(str(entry('arrow/stream.arrows', 'pyarrow.ipc.new_stream')), pa.Table.from_pandas(df).schema) as w:
        w.write_table(pa.Table.from_pandas(df), 16)
    with pa.ipc.new_file(str(entry('arrow/zone.arrow', 'pyarrow, time stamps with a zone')), pa.schema([('when', pa.timestamp('us', 'Europe/Berlin'))] + [(n, pa.float64()) for n in HEAD[1:]])) as w:
        w.write_table(pa.table([pa.array([ns // 1000 for ns in NS], pa.timestamp('us', 'Europe/Berlin'))] + [pa.array(ROWS[:, i]) for i in range(1, 7)], names=['when'] + HEAD[1:]))


def put_numpy():
    np.savez(entry('numpy/plain.npz', 'numpy.savez'), t=T, q=Q, dq=DQ, tau=TAU)
    np.savez_compressed(entry('numpy/compressed.npz', 'numpy.savez_compressed, float32'), t=T.astype('f4'), q=Q.astype('f4'), dq=DQ.astype('f4'), tau=TAU.astype('f4'))
    np.savez(entry('numpy/isaaclab.npz', 'isaac-sim/IsaacLab: joint_pos, joint_vel, applied_torque and dt', {'rate': 64}), joint_pos=Q, joint_vel=DQ, applied_torque=TAU, dt=1 / 64)
    three = [np.stack([x + 100, x, x - 50], 1) for x in (Q, DQ, TAU)]
    np.savez(entry('numpy/isaacgym.npz', 'isaac-sim/IsaacGymEnvs: steps by environments by joints', {'rate': 64, 'env': 1}), dof_pos=three[0], dof_vel=three[1], dof_force=three[2], dt=1 / 64)
    np.savez(entry('numpy/env_first.npz', 'the same, environments first, with a clock', {'env': 1}), time=T, dof_pos=three[0].swapaxes(0, 1).copy(), dof_vel=three[1].swapaxes(0, 1).copy(), torques=three[2].swapaxes(0, 1).copy())
    np.savez(entry('numpy/images.npz', 'demonstrations with images', None), t=T, images=np.zeros((N, 8, 8, 3), 'u1'), depth=np.zeros((N, 4, 160), 'f4')[:, :1], q=Q, dq=DQ, tau=TAU)
    records = np.zeros(N, [('t', '>f8'), ('q', '>f4', 2), ('dq', '>f4', 2), ('tau', '>f4', 2)])
    records['t'], records['q'], records['dq'], records['tau'] = T, Q, DQ, TAU
    flat = np.zeros(N, [(n, '>f8') for n in HEAD])
    for i, n in enumerate(HEAD):
        flat[n] = ROWS[:, i]
    np.save(entry('numpy/records.npy', 'numpy.save of a structured array, big-endian'), flat)
    np.save(entry('numpy/matrix.npy', 'numpy.save of a matrix', {'columns': 't,q1..q2,dq1..dq2,tau1..tau2'}), ROWS)
    np.save(entry('numpy/fortran.npy', 'the same in Fortran order', {'columns': 't,q1..q2,dq1..dq2,tau1..tau2'}), np.asfortranarray(ROWS))


def put_matlab():
    scipy.io.savemat(entry('matlab/v5.mat', 'scipy.io.savemat'), dict(t=T[:, None], q=Q, dq=DQ, tau=TAU))
    scipy.io.savemat(entry('matlab/v7.mat', 'MATLAB save -v7: compressed'), dict(t=T[:, None], q=Q, dq=DQ, tau=TAU), do_compression=True)
    scipy.io.savemat(entry('matlab/struct.mat', 'a structure of signals'), dict(log=dict(time=T[:, None], q=Q, dq=DQ, tau=TAU)))
    hdf5storage.savemat(str(entry('matlab/v73.mat', 'MATLAB save -v7.3, by hdf5storage')), dict(t=T[:, None], q=Q, dq=DQ, tau=TAU), format='7.3')
    hdf5storage.savemat(str(entry('matlab/v73_struct.mat', 'MATLAB save -v7.3 of a structure')), {'log': dict(time=T[:, None], q=Q, dq=DQ, tau=TAU)}, format='7.3', truncate_existing=True)


def put_hdf5():
    def file(name, source, needs=None, **more):
        return h5py.File(entry(name, source, needs, **more), 'w')
    with file('hdf5/aloha.hdf5', 'tonyzhaozh/act, record_sim_episodes.py: observations/qpos …, no clock', {'rate': 64}) as f:
        f.attrs['sim'] = True
        f['action'] = Q
        g = f.create_group('observations')
        g['qpos'], g['qvel'], g['effort'] = Q, DQ, TAU
        g.create_dataset('images/top', data=np.zeros((N, 8, 8, 3), 'u1'), chunks=(1, 8, 8, 3))
    with file('hdf5/robomimic.hdf5', 'ARISE-Initiative/robomimic, data/demo_N/obs', {'rate': 64}, runs=2) as f:
        f.create_group('data').attrs['env_args'] = '{"env_name": "Lift"}'
        for d, rows in enumerate((slice(0, 20), slice(20, 40))):
            g = f.create_group(f'data/demo_{d}')
            g.attrs['num_samples'] = 20
            g['actions'] = Q[rows]
            g['obs/robot0_joint_pos'], g['obs/robot0_joint_vel'], g['obs/robot0_joint_torque'] = Q[rows], DQ[rows], TAU[rows]
    with file('hdf5/libero.hdf5', 'Lifelong-Robot-Learning/LIBERO, obs/joint_states', {'rate': 64, 'map': {'q_*': 'joint_states*'}}, roles=['q']) as f:
        for d, rows in enumerate((slice(0, 20), slice(20, 40))):
            f[f'data/demo_{d}/obs/joint_states'], f[f'data/demo_{d}/actions'] = Q[rows], DQ[rows]
    with file('hdf5/droid.h5', 'droid-dataset/droid, trajectory.h5: observation/robot_state, stamps in ms', {'units': {'step_start': 'ms'}, 'map': {'t': 'step_start'}}, stamps='float') as f:
        f['observation/robot_state/joint_positions'], f['observation/robot_state/joint_velocities'], f['observation/robot_state/motor_torques_measured'] = Q, DQ, TAU
        f['observation/timestamp/control/step_start'], f['observation/timestamp/robot_state/read_start'] = START * 1000 + T * 1000, START * 1000 + T * 1000
        f['action/joint_position'] = Q
    with file('hdf5/isaaclab.hdf5', 'isaac-sim/IsaacLab, HDF5DatasetFileHandler: data/demo_N/states', {'rate': 64}, runs=1) as f:
        g = f.create_group('data/demo_0')
        g['obs/joint_pos'], g['obs/joint_vel'], g['obs/joint_torque'] = Q, DQ, TAU
    for name, options in (('gzip', dict(chunks=(16, 2), compression='gzip', shuffle=True)), ('lzf', dict(chunks=(40, 2), compression='lzf')), ('fletcher32', dict(chunks=(16, 2), fletcher32=True))):
        with file(f'hdf5/{name}.h5', f'h5py, {name}') as f:
            f['time'] = T
            f['time'].attrs['units'] = 's'
            for n, x in (('q', Q), ('dq', DQ), ('tau', TAU)):
                f.create_dataset(n, data=x.astype('>f4'), **options)
    with file('hdf5/table.h5', 'h5py, one matrix without names', {'columns': 't,q1..q2,dq1..dq2,tau1..tau2'}) as f:
        f['data'] = ROWS
    with file('hdf5/compound.h5', 'h5py, a table of records (PyTables and pandas)') as f:
        flat = np.zeros(N, [(n, '<f8') for n in HEAD])
        for i, n in enumerate(HEAD):
            flat[n] = ROWS[:, i]
        f['log'] = flat


def put_ros():
    for name, store, plugin in (('ros/noetic.bag', Stores.ROS1_NOETIC, None), ('ros/humble_db3', Stores.ROS2_HUMBLE, StoragePlugin.SQLITE3), ('ros/jazzy_mcap', Stores.ROS2_JAZZY, StoragePlugin.MCAP)):
        store = get_typestore(store)
        state, header, time = (store.types[n] for n in ('sensor_msgs/msg/JointState', 'std_msgs/msg/Header', 'builtin_interfaces/msg/Time'))
        path = entry(name, 'ros2 bag record, rosbag record: sensor_msgs/JointState')
        shutil.rmtree(path, ignore_errors=True)
        path.unlink(missing_ok=True)
        with Bag1Writer(path) if plugin is None else Bag2Writer(path, version=9, storage_plugin=plugin) as w:
            c = w.add_connection('/joint_states', state.__msgtype__, typestore=store)
            for k, ns in enumerate(NS):
                head = header(**({'seq': k} if plugin is None else {}), stamp=time(sec=ns // 10**9, nanosec=ns % 10**9), frame_id='')
                m = state(header=head, name=JOINTS[::-1], position=Q[k][::-1].copy(), velocity=DQ[k][::-1].copy(), effort=TAU[k][::-1].copy())
                w.write(c, ns, store.serialize_ros1(m, state.__msgtype__) if plugin is None else store.serialize_cdr(m, state.__msgtype__))
    store = get_typestore(Stores.ROS2_HUMBLE)
    array, layout = store.types['std_msgs/msg/Float64MultiArray'], store.types['std_msgs/msg/MultiArrayLayout']
    path = entry('ros/arrays_mcap', 'topics of std_msgs/Float64MultiArray', {'topics': ['/q', '/dq', '/tau'], 'map': {'q_*': '/q[*]', 'dq_*': '/dq[*]', 'tau_*': '/tau[*]'}})
    shutil.rmtree(path, ignore_errors=True)
    with Bag2Writer(path, version=9, storage_plugin=StoragePlugin.MCAP) as w:
        topics = {n: w.add_connection(n, array.__msgtype__, typestore=store) for n in ('/q', '/dq', '/tau')}
        for k, ns in enumerate(NS):
            for n, x in (('/q', Q), ('/dq', DQ), ('/tau', TAU)):
                w.write(topics[n], ns, store.serialize_cdr(array(layout=layout(dim=[], data_offset=0), data=x[k].copy()), array.__msgtype__))


DEFINITION = """std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
"""


def stamp(ns):
    return {'sec': ns // 10**9, 'nsec': ns % 10**9}


def put_mcap():
    with open(entry('mcap/ros2.mcap', 'foxglove/mcap, mcap_ros2 writer'), 'wb') as out, Ros2Writer(out) as w:
        schema = w.register_msgdef('sensor_msgs/msg/JointState', DEFINITION)
        for k, ns in enumerate(NS):
            w.write_message('/joint_states', schema, {'header': {'stamp': {'sec': ns // 10**9, 'nanosec': ns % 10**9}, 'frame_id': ''}, 'name': JOINTS, 'position': list(Q[k]), 'velocity': list(DQ[k]), 'effort': list(TAU[k])}, log_time=ns, publish_time=ns)

    def messages(name, source, schema, encoding, data, message_encoding, each, topic='/joint_states'):
        with open(entry(name, source), 'wb') as out:
            w = McapWriter(out)
            w.start()
            c = w.register_channel(topic, message_encoding, w.register_schema(schema, encoding, data))
            for k, ns in enumerate(NS):
                w.add_message(c, ns, each(k, ns), ns)
            w.finish()
    messages('mcap/foxglove_json.mcap', 'foxglove/foxglove-sdk, foxglove.JointStates in JSON', 'foxglove.JointStates', 'jsonschema', b'{}', 'json',
             lambda k, ns: json.dumps({'timestamp': stamp(ns), 'joints': [{'name': j, 'position': Q[k][i], 'velocity': DQ[k][i], 'effort': TAU[k][i]} for i, j in enumerate(JOINTS)]}).encode())
    messages('mcap/ros_json.mcap', 'rosbridge and mcap: sensor_msgs/JointState in JSON', 'sensor_msgs/JointState', 'jsonschema', b'{}', 'json',
             lambda k, ns: json.dumps({'header': {'stamp': {'sec': ns // 10**9, 'nanosec': ns % 10**9}}, 'name': JOINTS, 'position': list(Q[k]), 'velocity': list(DQ[k]), 'effort': list(TAU[k])}).encode())
    f = descriptor_pb2.FileDescriptorProto(name='foxglove/JointStates.proto', package='foxglove', syntax='proto3', dependency=['google/protobuf/timestamp.proto'])
    joint = f.message_type.add(name='JointState')
    joint.field.add(name='name', number=1, type=9, label=1)
    for i, n in enumerate(('position', 'velocity', 'acceleration', 'effort')):
        joint.field.add(name=n, number=i + 2, type=1, label=1, proto3_optional=True, oneof_index=i)
    for n in ('position', 'velocity', 'acceleration', 'effort'):
        joint.oneof_decl.add(name='_' + n)
    states = f.message_type.add(name='JointStates')
    states.field.add(name='timestamp', number=1, type=11, label=1, type_name='.google.protobuf.Timestamp')
    states.field.add(name='joints', number=2, type=11, label=3, type_name='.foxglove.JointState')
    pool = descriptor_pool.DescriptorPool()
    time = descriptor_pb2.FileDescriptorProto()
    timestamp_pb2.DESCRIPTOR.CopyToProto(time)
    pool.Add(time)
    pool.Add(f)
    kind = message_factory.GetMessageClass(pool.FindMessageTypeByName('foxglove.JointStates'))

    def each(k, ns):
        m = kind()
        m.timestamp.seconds, m.timestamp.nanos = ns // 10**9, ns % 10**9
        for i, j in enumerate(JOINTS):
            m.joints.add(name=j, position=Q[k][i], velocity=DQ[k][i], effort=TAU[k][i])
        return m.SerializeToString()
    messages('mcap/foxglove_protobuf.mcap', 'foxglove/foxglove-sdk, foxglove.JointStates in Protocol Buffers', 'foxglove.JointStates', 'protobuf', descriptor_pb2.FileDescriptorSet(file=[time, f]).SerializeToString(), 'protobuf', each)


HERE.mkdir(parents=True, exist_ok=True)
for part in (put_truth, put_text, put_json, put_tables, put_numpy, put_matlab, put_hdf5, put_ros, put_mcap):
    part()
for e in CORPUS:
    path = HERE / e['file']
    size = sum(p.stat().st_size for p in path.rglob('*')) if path.is_dir() else path.stat().st_size
    assert size <= 64 << 10, (e['file'], size)
with open(HERE / 'corpus.json', 'w', encoding='utf-8') as f:
    json.dump(CORPUS, f, indent=1, ensure_ascii=False)
    f.write('\n')
print(len(CORPUS), 'files')
