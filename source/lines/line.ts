import { cut, type Span, type Tone, widthOf, wrapText } from './span.ts';

export type Line = {
	/** The first cell is a blank, in whose place the cursor stands. A function composes only the lines in sight. */
	spans: readonly Span[] | (() => readonly Span[]);
	/** The cursor can choose the line. The id stays when other lines appear or disappear. */
	id?: string;
	isDrawing?: boolean;
	isGap?: boolean;
	isWaiting?: boolean;
	/** The address that the whole line is a link to. Speech reads it in place of the line. */
	url?: string;
	/** The blanks before the text, which a pipe does not print; one by default. */
	margin?: number;
	/** What speech reads in place of the spans, where a line is not a sentence. */
	spoken?: string | (() => string);
};

export const line = (...spans: readonly Span[]): Line => ({ spans: [[' '], ...spans] });

export const drawing = (spans: readonly Span[]): Line => ({ spans, isDrawing: true });

export const gap: Line = { spans: [], isGap: true };

export const spansOf = ({ spans }: Line): readonly Span[] =>
	typeof spans === 'function' ? spans() : spans;

export function parted<L extends Line>(...parts: readonly (readonly L[])[]): readonly (L | Line)[] {
	return parts
		.filter(part => part.length > 0)
		.flatMap((part, at): readonly (L | Line)[] => (at > 0 ? [gap, ...part] : part));
}

export function paragraph(text: string, width: number, tone?: Tone, bullet = ''): readonly Line[] {
	const room = Math.max(1, width - bullet.length - 2);
	return wrapText(text, room).map((part, at) =>
		line([at === 0 ? bullet : ' '.repeat(bullet.length), 'faint'], [part, tone]),
	);
}

/** As many parts in a line as fit. A longer part is cut. Without a width, as for speech, each part has a line. */
export function flowing(
	parts: readonly (readonly Span[])[],
	width: number,
	gap: string,
): readonly Line[] {
	const lines: (readonly Span[])[] = [];
	for (const part of parts) {
		const joined: readonly Span[] = [...(lines.at(-1) ?? []), [gap], ...part];
		const isJoined = lines.length > 0 && width < Infinity && widthOf(joined) <= width - 2;
		if (isJoined) lines[lines.length - 1] = joined;
		else lines.push(cut(part, width - 1));
	}
	return lines.map(spans => line(...spans));
}

export type LabelledValue = readonly [label: string, value: readonly Span[]];

const labelWidth = 10;

export const valueLines = (values: readonly LabelledValue[]): readonly Line[] =>
	values.map(([label, value]) => line([label.padEnd(labelWidth), 'faint'], ...value));

type Window<L extends Line> = {
	lines: readonly L[];
	above: number;
	below: number;
};

/** Where not all lines fit, one line says how many are hidden. */
export function windowOf<L extends Line>(
	lines: readonly L[],
	firstWanted: number,
	height: number,
): Window<L> {
	if (lines.length <= height) return { lines, above: 0, below: 0 };
	const count = Math.max(0, height - 1);
	const above = Math.max(0, Math.min(firstWanted, lines.length - count));
	const below = lines.length - count - above;
	return { lines: lines.slice(above, above + count), above, below };
}

export const maxScrollOf = ({ length }: readonly Line[], height: number): number =>
	length <= height ? 0 : length - Math.max(0, height - 1);

export function overflowLine({ above, below }: Pick<Window<Line>, 'above' | 'below'>): Line {
	const parts = [
		below > 0 ? `▼ ${below} more line${below === 1 ? '' : 's'}` : '',
		above > 0 ? `▲ ${above} above` : '',
	];
	return { spans: [[` ${parts.filter(part => part !== '').join('  ')}`, 'faint']] };
}
