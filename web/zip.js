// A folder as one file: a ZIP archive without compression.
const table = Uint32Array.from({length: 256}, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

function checksum(bytes) {
  let c = ~0;
  for (const b of bytes) c = table[(c ^ b) & 255] ^ (c >>> 8);
  return ~c >>> 0;
}

// packed returns an archive of files, [name, blob] each.
export async function packed(files) {
  const parts = [], index = [];
  let at = 0;
  for (const [name, blob] of files) {
    const bytes = new Uint8Array(await blob.arrayBuffer()), text = new TextEncoder().encode(name);
    // Version 2.0, names in UTF-8, stored, 1 January 1980; sum, both sizes, lengths of the name and of nothing else.
    const about = new DataView(new ArrayBuffer(26));
    [[0, 20], [2, 0x800], [4, 0], [6, 0], [8, 0x21]].forEach(([i, v]) => about.setUint16(i, v, true));
    [[10, checksum(bytes)], [14, bytes.length], [18, bytes.length]].forEach(([i, v]) => about.setUint32(i, v, true));
    about.setUint16(22, text.length, true);
    const rest = new DataView(new ArrayBuffer(14));
    rest.setUint32(10, at, true);
    index.push(Uint8Array.of(0x50, 0x4b, 1, 2, 20, 0), about, rest, text);
    parts.push(Uint8Array.of(0x50, 0x4b, 3, 4), about, text, bytes);
    at += 30 + text.length + bytes.length;
  }
  const length = index.reduce((n, p) => n + p.byteLength, 0), end = new DataView(new ArrayBuffer(22));
  [[0, 0x06054b50], [12, length], [16, at]].forEach(([i, v]) => end.setUint32(i, v, true));
  [[8, files.length], [10, files.length]].forEach(([i, v]) => end.setUint16(i, v, true));
  return new Blob([...parts, ...index, end], {type: 'application/zip'});
}
