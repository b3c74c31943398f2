import type { InputToken } from './sequence-parser.ts';

export type MouseInput = {
	kind: 'press' | 'wheelUp' | 'wheelDown';
	x: number;
	y: number;
};

export type TerminalReport =
	| { kind: 'focus'; isFocused: boolean }
	| { kind: 'mouse'; mouse: MouseInput }
	/** The reply that every terminal sends, after all other replies. */
	| { kind: 'attributes' }
	| { kind: 'name'; name: string }
	| { kind: 'background'; background: 'dark' | 'light' }
	/** The column of the cursor in the second row, counted from 0. */
	| { kind: 'cursor'; x: number };

export function reportFrom(
	token: Extract<InputToken, { kind: 'control' | 'string' }>,
): TerminalReport | undefined {
	if (token.kind === 'control') return reportFromControlSequence(token.body);
	const { introducer, content } = token;
	if (introducer === 'P' && content.startsWith('>|')) {
		const name = content.slice(2).replace(/[^ -~]/g, '');
		return { kind: 'name', name: name.slice(0, 80) };
	}
	const background =
		introducer === ']' && content.startsWith('11;') ? backgroundFrom(content.slice(3)) : undefined;
	return background && { kind: 'background', background };
}

// In the first row the report would look like F3 with a modifier.
const cursorReportPattern = /^2;(\d+)R$/;
const mouseReportPattern = /^<(\d+);(\d+);(\d+)([Mm])$/;
const attributesPattern = /^\?[\d;]*c$/;

function reportFromControlSequence(body: string): TerminalReport | undefined {
	if (body === 'I' || body === 'O') return { kind: 'focus', isFocused: body === 'I' };
	const [, column] = cursorReportPattern.exec(body) ?? [];
	if (column !== undefined) return { kind: 'cursor', x: Number(column) - 1 };
	const [, button, x, y, press] = mouseReportPattern.exec(body) ?? [];
	if (button !== undefined) return mouseFrom(Number(button), Number(x), Number(y), press === 'M');
	return attributesPattern.test(body) ? { kind: 'attributes' } : undefined;
}

/** The button's number includes bits for Shift, Alt, Ctrl and moves of the mouse, which are ignored. */
function mouseFrom(
	button: number,
	x: number,
	y: number,
	isPress: boolean,
): TerminalReport | undefined {
	const which = button & ~0b11100;
	const kind = which === 64 ? 'wheelUp' : which === 65 ? 'wheelDown' : 'press';
	if (!isPress || (kind === 'press' && which > 2)) return undefined;
	return { kind: 'mouse', mouse: { kind, x: x - 1, y: y - 1 } };
}

/** Parses a colour such as `rgb:ffff/ffff/ffff`, with one to four hexadecimal digits for each part. */
function backgroundFrom(content: string): 'dark' | 'light' | undefined {
	const parts = /^rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)/i.exec(content);
	if (!parts) return undefined;
	const [red = 0, green = 0, blue = 0] = parts
		.slice(1)
		.map(digits => Number.parseInt(digits, 16) / (16 ** digits.length - 1));
	return 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 ? 'light' : 'dark';
}
