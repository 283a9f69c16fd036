"""Fits the logs of sway.py and counts the intervals that hold the truth.

coverage.py IDENT FOLDER [--standing HOW] LOG ...    one log each; HOW is an option of ident, as auto for feet that are lifted
coverage.py IDENT FOLDER --load KG BARE LOADED    the load of two logs
"""
import json, os, subprocess, sys

IMU = 'base=-0.02557,0,0.04232'


def fit(ident, robot, logs, feet, *more):
    out = logs[0][:-4] + '.ident'
    r = subprocess.run([ident, 'fit', *logs, '--robot', robot, '--feet', feet, '--base-imu', IMU, '-o', out, '--overwrite', '--force', *more], capture_output=True, text=True)
    if not os.path.exists(out + '/result.json') or r.returncode not in (0, 1, 2, 3):
        sys.exit(r.stderr)
    return json.load(open(out + '/result.json'))


def main():
    ident, folder, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    at = lambda name: os.path.join(folder, name)
    robot = at('robot.xml')
    if names[0] == '--load':
        mass, bare, loaded = float(names[1]), at(names[2] + '.csv'), at(names[3] + '.csv')
        d = json.load(open(bare[:-4] + '.json'))
        r = fit(ident, robot, [bare, loaded], f"{d['feet']}:{d['radius']}", '--terms', 'links,Ia,Fv,Fs,payload:base', '--carries', os.path.basename(loaded))
        for p in r['payloads'][0]['parameters']:
            print(names[2], p['name'], p['value'], p['sigma'])
        return
    how = ()
    if names[0] == '--standing':
        how, names = names[:2], names[2:]
    total = held = wide = 0
    for name in names:
        d = json.load(open(at(name + '.json')))
        feet = f"{d['feet']}:{d['radius']}"
        true = {p['name']: p['prior'] for p in fit(ident, at(name + '.xml'), [at(name + '.csv')], feet, *how)['base_parameters'] if p.get('has_prior')}
        r = fit(ident, robot, [at(name + '.csv')], feet, *how)
        z = []
        for p in r['base_parameters']:
            truth = d[p['name'][:2]] if p['name'][:2] in ('Ia', 'Fv', 'Fs') and p['name'][-1] != 'R' else true.get(p['name'])
            if truth is not None:
                total, held = total + 1, held + (p['low95'] <= truth <= p['high95'])
                z.append((abs(p['value'] - truth) / p['sigma'], p['name']))
        wide += sum(v < 3 for v, _ in z)
        print(name, r['grade']['value'], '%.3f %%' % r['fit']['relative_error_percent']['stacked'] if isinstance(r['fit'].get('relative_error_percent'), dict) else '', len(z), 'worst %.1f %s' % max(z), [f['id'] for f in r.get('findings', [])], flush=True)
    print(f'{100 * held / total:.1f} % of {total} intervals hold, {100 * wide / total:.1f} % within 3 standard deviations')


main()
