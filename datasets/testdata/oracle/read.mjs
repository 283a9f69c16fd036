// Reads files by parquet-wasm and apache-arrow, and compares their numbers to the bit, as read.py does:
//
//     node read.mjs FOLDER
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);
const arrow = require("apache-arrow");
const parquet = require("parquet-wasm/node");

const folder = process.argv[2];
const names = readdirSync(folder);
for (const file of names.filter((n) => n.startsWith("log."))) {
	const bytes = readFileSync(join(folder, file));
	let table;
	if (file.endsWith(".parquet")) table = arrow.tableFromIPC(parquet.readParquet(bytes).intoIPCStream());
	else {
		// apache-arrow for JavaScript has no decoder of Zstandard of its own.
		const { decompress } = require("fzstd");
		arrow.compressionRegistry.set(arrow.CompressionType.ZSTD, { decode: (b) => decompress(b).slice() });
		table = arrow.tableFromIPC(bytes);
	}
	for (const n of names.filter((n) => n.endsWith(".f8"))) {
		const want = new BigUint64Array(new Uint8Array(readFileSync(join(folder, n))).buffer);
		const x = table.getChild(n.slice(0, -3)).toArray();
		const got = new BigUint64Array(x.buffer, x.byteOffset, x.length);
		if (got.length !== want.length || got.some((v, k) => v !== want[k])) {
			console.error(file, n, "differs");
			process.exit(1);
		}
	}
	console.log(file, "is equal");
}
