// Writes the two kinds of archive of a Debian package: tar for the files, and ar for the package. Both formats are
// simple, with a text header before each file, so a package can be made on a machine without Debian's tools.

const blockSize = 512;

const octal = (number, width) => `${number.toString(8).padStart(width - 1, '0')}\0`;

/** Fills the rest of a block with zeros. */
const padding = length => Buffer.alloc((blockSize - (length % blockSize)) % blockSize);

/**
 * Returns a tar archive. An entry without data is a folder. Everything belongs to root, and has the same time, so that the same
 * files always make the same archive.
 */
export function tarOf(entries, seconds) {
	const parts = entries.flatMap(({ path, mode, data }) => {
		const content = data ?? Buffer.alloc(0);
		const header = tarHeader({ path, mode, seconds, size: content.length, isFolder: !data });
		return [header, content, padding(content.length)];
	});
	return Buffer.concat([...parts, Buffer.alloc(2 * blockSize)]);
}

function tarHeader({ path, mode, seconds, size, isFolder }) {
	if (Buffer.byteLength(path) > 100) throw new Error(`The path is too long for tar: ${path}`);
	const header = Buffer.alloc(blockSize);
	const write = (text, at) => header.write(text, at, 'utf8');
	write(path, 0);
	write(octal(mode, 8), 100);
	write(octal(0, 8), 108);
	write(octal(0, 8), 116);
	write(octal(size, 12), 124);
	write(octal(seconds, 12), 136);
	// The checksum counts its own field as spaces.
	write(' '.repeat(8), 148);
	write(isFolder ? '5' : '0', 156);
	write('ustar\0', 257);
	write('00', 263);
	write('root', 265);
	write('root', 297);
	const sum = header.reduce((total, byte) => total + byte, 0);
	write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
	return header;
}

/** Returns an ar archive, whose members begin at even offsets. */
export function arOf(members, seconds) {
	const parts = members.flatMap(({ name, data }) => [
		Buffer.from(
			`${name.padEnd(16)}${String(seconds).padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}` +
				`${'100644'.padEnd(8)}${String(data.length).padEnd(10)}\`\n`,
		),
		data,
		Buffer.from(data.length % 2 === 0 ? '' : '\n'),
	]);
	return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
