// What was dropped: files, folders taken whole, and what each of them is by its name. The program looks into them.
import {size} from './dom.js';

// Extensions as the program has them; a test holds the lists against it.
export const robots = ['.urdf', '.xacro', '.xml', '.sdf', '.par', '.yaml', '.yml'];
const text = ['.csv', '.tsv', '.jsonl', '.ndjson'].flatMap(e => [e, e + '.gz', e + '.zst']);
const binary = ['.parquet', '.arrow', '.feather', '.arrows', '.mcap', '.npz', '.mat', '.bag', '.db3', '.h5', '.hdf5', '.npy'];
export const logs = [...text, ...binary];
export const written = [...text.slice(0, 6), ...binary.slice(0, 7)];
const besides = ['.txt', '.dat', '.json'].flatMap(e => [e, e + '.gz', e + '.zst']);
const meshes = ['.stl', '.dae', '.obj', '.ply', '.mtl', '.png', '.jpg', '.jpeg'];
const archives = ['.zip', '.tar', '.tgz', '.tar.gz', '.7z', '.rar'];

export const largest = 100e6; // bytes of a log

const ends = (name, list) => list.filter(e => name.toLowerCase().endsWith(e)).sort((a, b) => b.length - a.length)[0];

// kindOf returns robot, log, settings, part (of a robot or a recording) or, with a reason, none.
export function kindOf(name, bytes) {
  const base = name.split('/').pop();
  if (base === 'ident.yaml') return {kind: 'settings'};
  if (base === 'metadata.yaml') return {kind: 'part'}; // of a recording of ROS 2
  if (bytes === 0) return {kind: 'none', why: `${name} is empty.`};
  if (ends(base, logs) || ends(base, besides)) {
    if (bytes <= largest) return {kind: 'log'};
    return {kind: 'none', why: `${name} has ${size(bytes)}, and this page reads logs up to ${size(largest)}. The command line has no such limit:`, command: n => `ident fit ${name} --robot ${n}`};
  }
  if (ends(base, robots)) return {kind: 'robot'};
  if (ends(base, meshes)) return {kind: 'none', why: `${name} is a mesh or a picture, which is not needed.`, quiet: true};
  if (ends(base, archives)) return {kind: 'none', why: `${name} is an archive: unpack it, and drop its folder or its files.`};
  return {kind: 'none', why: `${name} is neither a robot file (${robots.join(' ')}) nor a log (${logs.join(' ')}).`};
}

// stem is the name of a log without folders and extension, by which the program calls it.
export function stem(name) {
  const base = name.split('/').pop(), end = ends(base, [...logs, ...besides]) ?? '';
  return base.slice(0, base.length - end.length);
}

// repairedName is the name of a log with its repairs, of a format that can be written.
export function repairedName(name) {
  const end = ends(name, [...logs, ...besides]) ?? '';
  return `${name.slice(0, name.length - end.length)}-repaired${written.includes(end) ? name.slice(name.length - end.length) : '.parquet'}`;
}

// entries reads a drop: [name, file] each, with the folders above a file in its name.
export async function entries(transfer) {
  const roots = [...transfer.items].filter(i => i.kind === 'file').map(i => ({entry: i.webkitGetAsEntry?.(), file: i.getAsFile()}));
  const found = [];
  const walk = async (entry, above) => {
    if (entry.isFile) return found.push([above + entry.name, await new Promise((ok, no) => entry.file(ok, no))]);
    for (const reader = entry.createReader();;) {
      const some = await new Promise((ok, no) => reader.readEntries(ok, no));
      if (!some.length) return;
      for (const e of some) await walk(e, above + entry.name + '/');
    }
  };
  for (const {entry, file} of roots) {
    if (entry?.isDirectory) await walk(entry, '');
    else if (file) found.push([file.name, file]);
  }
  return found;
}
