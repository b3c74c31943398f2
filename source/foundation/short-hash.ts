/**
 * Returns a short hash that does not reveal the text and is valid in a file name. Do not change the hash: files on
 * disk are named with it.
 *
 * It is the beginning of a SHA-256 hash. Loading `node:crypto` for it would take a tenth of the time to the first
 * rows.
 */
export function shortHash(text: string, length = 16): string {
	let hash = knownHashes.get(text);
	if (hash === undefined) {
		if (knownHashes.size >= maxKnownHashes) knownHashes.clear();
		hash = sha256(Buffer.from(text, 'utf8'));
		knownHashes.set(text, hash);
	}
	return hash.slice(0, length);
}

// Several files of an account have names with the same hash, and a hash takes almost a quarter of a millisecond before V8
// has compiled it.
const knownHashes = new Map<string, string>();
const maxKnownHashes = 20;

let constants: { roundKeys: readonly number[]; initial: readonly number[] } | undefined;

/** The fractional parts of the roots of the first primes, as whole numbers of 32 bits. */
function sha256Constants() {
	const primes: number[] = [];
	for (let candidate = 2; primes.length < 64; candidate++) {
		if (primes.every(prime => candidate % prime !== 0)) primes.push(candidate);
	}
	const fractionOf = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0;
	return {
		roundKeys: primes.map(prime => fractionOf(Math.cbrt(prime))),
		initial: primes.slice(0, 8).map(prime => fractionOf(Math.sqrt(prime))),
	};
}

function sha256(bytes: Uint8Array): string {
	constants ??= sha256Constants();
	const { roundKeys, initial } = constants;
	// The text is padded to whole blocks of 64 bytes: with a 1 bit, zeros, and the number of bits.
	const padded = new DataView(new ArrayBuffer(((bytes.length + 8) >> 6) * 64 + 64));
	for (const [at, byte] of bytes.entries()) padded.setUint8(at, byte);
	padded.setUint8(bytes.length, 0x80);
	padded.setUint32(padded.byteLength - 4, bytes.length * 8);
	const state = Int32Array.from(initial);
	const words = new Int32Array(64);
	for (let block = 0; block < padded.byteLength; block += 64) {
		for (let at = 0; at < 16; at++) words[at] = padded.getInt32(block + at * 4);
		addBlock(state, words, roundKeys);
	}
	return Array.from(state, word => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/**
 * The function is FIPS 180-4, section 6.2.2. Its names are those of the standard. It assigns one value at a time, because
 * it runs a few times in a process, uncompiled, and an assignment of several values takes ten times as long then. For the
 * same reason the rotations are no calls.
 */
function addBlock(state: Int32Array, w: Int32Array, k: readonly number[]): void {
	for (let t = 16; t < 64; t++) {
		const early = w[t - 15] as number;
		const late = w[t - 2] as number;
		const sigma0 =
			((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
		const sigma1 = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
		w[t] = (w[t - 16] as number) + sigma0 + (w[t - 7] as number) + sigma1;
	}
	let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
	for (let t = 0; t < 64; t++) {
		const sum1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
		const sum0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
		const choice = (e & f) ^ (~e & g);
		const majority = (a & b) ^ (a & c) ^ (b & c);
		const first = (h + sum1 + choice + (k[t] as number) + (w[t] as number)) | 0;
		h = g;
		g = f;
		f = e;
		e = (d + first) | 0;
		d = c;
		c = b;
		b = a;
		a = (first + sum0 + majority) | 0;
	}
	for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) {
		state[index] = (state[index] ?? 0) + value;
	}
}
