// Files in memory behind the part of node's fs that Go programs call. Nothing of a disk is read or written: the page
// hands over what was dropped, as blobs that are read when they are opened.
'use strict';
(() => {
  const O = {O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536};
  const FILE = 0o100644, FOLDER = 0o040755;
  const nodes = new Map(), handles = new Map();
  let made = 0, nextHandle = 3, here = '/';

  const failure = (code, path) => Object.assign(new Error(code + ' ' + (path ?? '')), {code});
  const resolve = path => {
    const parts = [];
    for (const p of (path.startsWith('/') ? path : here + '/' + path).split('/')) {
      if (p === '..') parts.pop();
      else if (p && p !== '.') parts.push(p);
    }
    return '/' + parts.join('/');
  };
  const above = path => path.slice(0, Math.max(1, path.lastIndexOf('/')));
  const isFolder = n => n !== undefined && n.mode === FOLDER;

  // add makes a file or a folder, whose folder must be there.
  function add(path, mode, data = new Uint8Array(0)) {
    if (path !== '/' && !isFolder(nodes.get(above(path)))) throw failure('ENOENT', path);
    const n = {mode, data, size: data.length, blob: null, changed: true, at: Date.now(), number: ++made};
    nodes.set(path, n);
    return n;
  }
  function find(path) {
    const n = nodes.get(resolve(path));
    if (!n) throw failure('ENOENT', path);
    return n;
  }
  function handle(fd) {
    const h = handles.get(fd);
    if (!h) throw failure('EBADF');
    return h;
  }
  // load reads the blob of a file at its first use.
  function load(n) {
    if (!n.blob) return;
    try {
      n.data = new Uint8Array(new FileReaderSync().readAsArrayBuffer(n.blob));
    } catch {
      throw failure('EIO');
    }
    n.size = n.data.length;
    n.blob = null;
  }
  function extend(n, size) {
    if (size > n.data.length) {
      const grown = new Uint8Array(Math.max(size, 2 * n.data.length, 4096));
      grown.set(n.data.subarray(0, n.size));
      n.data = grown;
    }
    if (size > n.size) n.size = size;
  }
  function cut(n, size) {
    load(n);
    if (size < n.size) n.data.fill(0, size, n.size);
    extend(n, size);
    n.size = size;
    n.at = Date.now();
    n.changed = true;
  }
  const status = n => ({
    dev: 1, ino: n.number, mode: n.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size: n.size, blksize: 4096, blocks: Math.ceil(n.size / 512),
    atimeMs: n.at, mtimeMs: n.at, ctimeMs: n.at, isDirectory: () => n.mode === FOLDER,
  });

  const calls = {
    open(path, flags) {
      const at = resolve(path);
      let n = nodes.get(at);
      if (n && flags & O.O_CREAT && flags & O.O_EXCL) throw failure('EEXIST', path);
      if (!n && !(flags & O.O_CREAT)) throw failure('ENOENT', path);
      if (n && flags & O.O_DIRECTORY && !isFolder(n)) throw failure('ENOTDIR', path);
      if (isFolder(n) && flags & (O.O_WRONLY | O.O_RDWR)) throw failure('EISDIR', path);
      n ??= add(at, FILE);
      if (flags & O.O_TRUNC) cut(n, 0);
      handles.set(nextHandle, {n, position: 0, append: Boolean(flags & O.O_APPEND)});
      return nextHandle++;
    },
    close(fd) { handles.delete(fd); },
    read(fd, buffer, offset, length, position) {
      if (fd === 0) return 0;
      const h = handle(fd), from = position ?? h.position;
      if (isFolder(h.n)) throw failure('EISDIR');
      load(h.n);
      const part = h.n.data.subarray(from, Math.min(from + length, h.n.size));
      buffer.set(part, offset);
      if (position === null) h.position += part.length;
      return part.length;
    },
    write(fd, buffer, offset, length, position) {
      const part = buffer.subarray(offset, offset + length);
      if (fd === 1 || fd === 2) {
        fs.onText(fd, part);
        return length;
      }
      const h = handle(fd);
      load(h.n);
      const to = h.append ? h.n.size : position ?? h.position;
      extend(h.n, to + length);
      h.n.data.set(part, to);
      h.n.at = Date.now();
      h.n.changed = true;
      if (position === null) h.position = to + length;
      return length;
    },
    fstat(fd) { return status(fd < 3 ? {mode: 0o020666, size: 0, at: 0, number: fd} : handle(fd).n); },
    stat: path => status(find(path)),
    lstat: path => status(find(path)),
    mkdir(path) {
      const at = resolve(path);
      if (nodes.has(at)) throw failure('EEXIST', path);
      add(at, FOLDER);
    },
    readdir(path) {
      if (!isFolder(find(path))) throw failure('ENOTDIR', path);
      const at = resolve(path), head = at === '/' ? at : at + '/';
      return [...nodes.keys()].filter(p => p !== '/' && p.startsWith(head) && !p.slice(head.length).includes('/')).map(p => p.slice(head.length)).sort();
    },
    rename(from, to) {
      const a = resolve(from), b = resolve(to), n = find(from);
      if (!isFolder(nodes.get(above(b)))) throw failure('ENOENT', to);
      if (isFolder(n) !== isFolder(nodes.get(b)) && nodes.has(b)) throw failure(isFolder(n) ? 'ENOTDIR' : 'EISDIR', to);
      if (isFolder(n) && nodes.has(b) && calls.readdir(to).length) throw failure('ENOTEMPTY', to);
      for (const [path, node] of [...nodes]) {
        if (path !== a && !path.startsWith(a + '/')) continue;
        nodes.delete(path);
        nodes.set(b + path.slice(a.length), node);
      }
    },
    unlink(path) {
      if (isFolder(find(path))) throw failure('EISDIR', path);
      nodes.delete(resolve(path));
    },
    rmdir(path) {
      if (calls.readdir(path).length) throw failure('ENOTEMPTY', path);
      nodes.delete(resolve(path));
    },
    truncate(path, size) { cut(find(path), size); },
    ftruncate(fd, size) { cut(handle(fd).n, size); },
    utimes(path, _, seconds) { find(path).at = 1000 * seconds; },
    fsync() {}, chmod() {}, fchmod() {}, chown() {}, fchown() {}, lchown() {},
    readlink(path) { find(path); throw failure('EINVAL', path); },
    link() { throw failure('ENOSYS'); },
    symlink() { throw failure('ENOSYS'); },
  };

  const fs = globalThis.fs = {constants: O, onText() {}, writeSync: (fd, buffer) => calls.write(fd, buffer, 0, buffer.length, null)};
  for (const [name, call] of Object.entries(calls)) {
    fs[name] = (...args) => {
      const done = args.pop();
      let value;
      try {
        value = call(...args);
      } catch (e) {
        if (!e.code || typeof e.code !== 'string') throw e; // a fault of this file, or no memory
        return done(e);
      }
      done(null, value);
    };
  }
  // put lays a blob at a path and makes the folders above it.
  fs.put = (path, blob) => {
    let at = '';
    for (const part of resolve(above(resolve(path))).split('/').slice(1)) {
      if (part && !nodes.has(at += '/' + part)) add(at, FOLDER);
    }
    Object.assign(add(resolve(path), FILE), {blob, size: blob.size, changed: false});
  };
  // written lists the files below a folder that the program made or changed, as [path, bytes].
  fs.written = folder => [...nodes].filter(([path, n]) => path.startsWith(folder + '/') && n.mode === FILE && n.changed)
    .map(([path, n]) => [path.slice(folder.length + 1), n.data.slice(0, n.size)]);

  globalThis.path = {resolve: (...parts) => resolve(parts.join('/'))};
  globalThis.process = {
    getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [0], pid: 1, ppid: 0, umask: () => 0o022,
    cwd: () => here, chdir(path) { if (!isFolder(find(path))) throw failure('ENOTDIR', path); here = resolve(path); },
  };
  for (const path of ['/', '/tmp', '/lab']) add(path, FOLDER);
  here = '/lab';
})();
