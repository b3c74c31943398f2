import { cellsOf, fitTo, type Span, type Tone } from './span.ts';

//  ╭ title ──────╮
//  │ a line      │
//  ╰─────────────╯

export function framed(
	title: string,
	lines: readonly (readonly Span[])[],
	width: number,
	tone: Tone,
): readonly (readonly Span[])[] {
	const size = title === '' ? 0 : Math.min(width - 2, cellsOf(title) + 2);
	return [
		[
			['╭', tone],
			...fitTo(size > 0 ? [[` ${title} `, 'strong']] : [], size),
			[`${'─'.repeat(width - 2 - size)}╮`, tone],
		],
		...lines.map((spans): readonly Span[] => [
			['│', tone],
			[' '],
			...fitTo(spans, width - 4),
			[' '],
			['│', tone],
		]),
		[[`╰${'─'.repeat(width - 2)}╯`, tone]],
	];
}
