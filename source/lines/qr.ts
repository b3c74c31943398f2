import { encode } from 'uqr';

// The standard requires a margin of this many modules around a QR code.
const quietZoneCells = 4;

// The QR code of a text with more characters than this would not fit into any window.
const maxTextLength = 1000;

export function qrCode(text: string): readonly string[] | undefined {
	if (text.length > maxTextLength) return undefined;
	const { data } = encode(text, { border: quietZoneCells });
	const rows = Array.from({ length: Math.ceil(data.length / 2) }, (_, row) => row * 2);
	return rows.map(row =>
		(data[row] ?? [])
			.map((isUpper, at) => {
				const isLower = data[row + 1]?.[at] ?? false;
				return isUpper ? (isLower ? '█' : '▀') : isLower ? '▄' : ' ';
			})
			.join(''),
	);
}
