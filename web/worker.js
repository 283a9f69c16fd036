// One command of the program: files in, progress while it runs, then its texts, its exit code and the files that it wrote.
// The worker ends after it, so that nothing of one command is left for the next. The command open does not end: it calls serve
// with its page and what answers the page's requests.
'use strict';
let answer;
globalThis.serve = (page, f) => { answer = f; postMessage({page}); };
onmessage = async ({data: {module, args, files, ask, name, value, wanted}}) => {
  if (ask) return answer(name, value, (ok, text) => postMessage({answer: ask, ok, text}));
  if (wanted) return postMessage({written: fs.written('/lab')});
  for (const [path, blob] of files) fs.put(path, blob);
  const texts = {1: '', 2: ''}, decoders = {1: new TextDecoder(), 2: new TextDecoder()};
  let kept = 0; // of the messages: what stands before is no progress
  fs.onText = (fd, bytes) => {
    texts[fd] += decoders[fd].decode(bytes, {stream: true});
    if (fd !== 2) return;
    for (let end; (end = texts[2].indexOf('\n', kept)) >= 0;) {
      const line = /^progress: (.*) (\d+)\/(\d+)$/.exec(texts[2].slice(kept, end));
      if (!line) { kept = end + 1; continue; }
      texts[2] = texts[2].slice(0, kept) + texts[2].slice(end + 1);
      postMessage({progress: {stage: line[1], done: Number(line[2]), total: Number(line[3])}});
    }
  };
  const go = new Go();
  let code = -1;
  go.argv = ['ident', ...args];
  go.env = {IDENT_PROGRESS: 'lines', HOME: '/lab', TMPDIR: '/tmp', PWD: '/lab'};
  go.exit = c => { code = c; };
  try {
    await go.run(await WebAssembly.instantiate(module, go.importObject));
  } catch (e) {
    texts[2] += `\n${e}`;
  }
  const written = fs.written('/lab');
  postMessage({code, out: texts[1], err: texts[2], files: written}, written.map(([, bytes]) => bytes.buffer));
};
