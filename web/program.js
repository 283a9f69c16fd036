// The program: loaded once, then one worker for each command. Everything is fetched here, so that nothing is requested later.
const text = async name => (await answer(name)).text();

async function answer(name) {
  const r = await fetch(name);
  if (!r.ok) throw new Error(`${name}: ${r.status} ${r.statusText}`);
  return r;
}

// fetched reads an answer and reports the bytes that came.
async function fetched(name, report) {
  const r = await answer(name), parts = [];
  let n = 0;
  for (const reader = r.body.getReader();;) {
    const {done, value} = await reader.read();
    if (done) break;
    parts.push(value);
    report(n += value.length);
  }
  return new Blob(parts);
}

// unpacked undoes gzip, unless the server already has.
async function unpacked(blob) {
  const [a, b] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  if (a !== 0x1f || b !== 0x8b) return blob.arrayBuffer();
  return new Response(blob.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

let module, source;

// load fetches and compiles the program. The example and the options come with it.
export async function load(report) {
  const example = ['puma560.urdf', 'puma560.parquet'];
  const [program, options, ...rest] = await Promise.all([fetched('ident.wasm.gz', report), text('options.json'),
    text('memory.js'), text('wasm_exec.js'), text('worker.js'), ...example.map(async n => (await answer(n)).blob())]);
  report(0);
  module = await WebAssembly.compile(await unpacked(program));
  source = URL.createObjectURL(new Blob(rest.slice(0, 3), {type: 'text/javascript'}));
  const commands = new Map(JSON.parse(options).commands.map(c => [c.name, new Map(c.options.map(o => [o.name, o]))]));
  return {commands, example: example.map((name, i) => ({name, blob: rest[3 + i]}))};
}

// run starts a command over files, [name, blob] each. The outcome has code, out, err and files, the written ones as [name, blob];
// it is null after cancel.
export function run(args, files, onProgress = () => {}) {
  const worker = new Worker(source);
  let cancel;
  const outcome = new Promise(resolve => {
    const end = value => { worker.terminate(); resolve(value); };
    cancel = () => end(null);
    worker.onmessage = ({data}) => {
      if (data.progress) onProgress(data.progress);
      else end({...data, err: words(data), files: data.files.map(([name, bytes]) => [name, new Blob([bytes])])});
    };
    worker.onerror = e => { e.preventDefault(); end({code: -1, out: '', err: words({err: e.message ?? '', code: -1}), files: []}); };
    worker.postMessage({module, args, files});
  });
  return {outcome, cancel};
}

// open opens logs over files. page is given the page, answered each answer to it; ended is called if the program ends, with its
// messages. ask passes a request of the page on; written returns the files that the program wrote by now, as run's.
export function open(args, files, {page, answered, ended}) {
  const worker = new Worker(source), wanted = [];
  const close = () => worker.terminate();
  const end = data => { close(); ended(words(data)); };
  worker.onmessage = ({data}) => {
    if (data.page) page(data.page);
    else if (data.answer) answered(data);
    else if (data.written) wanted.shift()(data.written.map(([name, bytes]) => [name, new Blob([bytes])]));
    else if (data.code !== undefined) end(data);
  };
  worker.onerror = e => { e.preventDefault(); end({err: e.message ?? '', code: -1}); };
  worker.postMessage({module, args, files});
  return {close, ask: request => worker.postMessage(request), written: () => new Promise(resolve => { wanted.push(resolve); worker.postMessage({wanted: true}); })};
}

// words returns the messages of a command for people: a fault of memory is one.
export function words({code, err}) {
  if (/out of memory|Array buffer allocation failed|Invalid typed array length|memory access out of bounds/i.test(err)) {
    return 'The browser has no memory left for this. Close other pages, drop fewer or shorter logs, or use the program on the command line.';
  }
  if (code < 0) return `The program broke off: ${err.trim().slice(0, 400) || 'the browser ended it'}. Use it on the command line, and report this.`;
  return err.trim().replace(/^ident: /gm, '');
}
