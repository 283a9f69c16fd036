// Writes Parquet files by parquet-wasm and Arrow files by apache-arrow into a folder, with the numbers that they mean, as
// write.py does:
//
//     node write.mjs FOLDER
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);
const arrow = require("apache-arrow");
const parquet = require("parquet-wasm/node");

const folder = process.argv[2], rows = 5000;
const odd = [0, -0, 1.5, Infinity, -Infinity, NaN, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, 1e-310, 0.1];
const range = (f) => Array.from({ length: rows }, (_, k) => f(k));
const gap = (f) => (k) => (k % 3 === 1 ? null : f(k));
const columns = {
	t: [new arrow.Float64(), (k) => k / 1000],
	odd: [new arrow.Float64(), (k) => odd[k % odd.length]],
	gaps: [new arrow.Float64(), gap((k) => odd[k % odd.length])],
	coarse: [new arrow.Float64(), (k) => Math.round(50 * Math.sin(k / 40)) / 8],
	f4: [new arrow.Float32(), (k) => Math.fround(k / 7)],
	i8: [new arrow.Int8(), (k) => (k % 256) - 128],
	i32: [new arrow.Int32(), (k) => (k % 2 ? 2147483647 - k : k - 2147483648)],
	u32: [new arrow.Uint32(), gap((k) => 4294967295 - k)],
	i64: [new arrow.Int64(), (k) => BigInt(k) * 1000000007n - 5n],
	on: [new arrow.Bool(), gap((k) => k % 5 === 2)],
	word: [new arrow.Utf8(), (k) => "word " + (k % 11)],
};
const table = new arrow.Table(Object.fromEntries(Object.entries(columns).map(([n, [type, f]]) => [n, arrow.vectorFromArray(range(f), type)])));

const numbers = {}, manifest = {};
for (const [name, [, f]] of Object.entries(columns)) {
	if (name === "word") continue;
	const file = name + ".f8", x = new Float64Array(range((k) => (f(k) === null ? NaN : Number(f(k)))));
	writeFileSync(join(folder, file), new Uint8Array(x.buffer));
	numbers[name] = file;
}
const give = (file, bytes) => {
	writeFileSync(join(folder, file), bytes);
	manifest[file] = numbers;
};
const { Compression, WriterVersion, Encoding, EnabledStatistics } = parquet;
const ipc = arrow.tableToIPC(table, "stream");
for (const codec of ["UNCOMPRESSED", "SNAPPY", "GZIP", "BROTLI", "ZSTD", "LZ4", "LZ4_RAW"])
	for (const version of ["V1", "V2"])
		for (const dictionary of [true, false]) {
			const properties = new parquet.WriterPropertiesBuilder()
				.setCompression(Compression[codec])
				.setWriterVersion(WriterVersion[version])
				.setDictionaryEnabled(dictionary)
				.setMaxRowGroupSize(1999)
				.build();
			give(`wasm_${codec}_${version}_${dictionary ? "dictionary" : "plain"}.parquet`, parquet.writeParquet(parquet.Table.fromIPCStream(ipc), properties));
		}
give("wasm_default.parquet", parquet.writeParquet(parquet.Table.fromIPCStream(ipc)));
give("js.arrow", arrow.tableToIPC(table, "file"));
give("js.arrows", ipc);
writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
console.log(Object.keys(manifest).length, "files by parquet-wasm and apache-arrow");
