import { type Span, wrapped } from '../../drawing/span.ts';
import type { Theme, Tone } from '../../drawing/theme.ts';
import type { Release } from '../../fleet/computers/account.ts';

//  Faster starts
//  Computers wake in half the time, and the shell keeps its history.
//  · fixed: a full disk no longer stops the image from loading

/** Formats the notes of a release as lines, wrapped to the width. */
export function releaseNotesLines(
	{ title, description, changes }: Release,
	width: number,
	theme: Theme,
): readonly (readonly Span[])[] {
	const bullet = `${theme.glyphs.separator} `;
	return [
		...(title ? paragraphLines(title, '', width, theme) : []),
		...(description ? paragraphLines(description, '', width, theme, 'faint') : []),
		...changes.flatMap(({ type, text }) =>
			paragraphLines(type === 'change' ? text : `${type}: ${text}`, bullet, width, theme),
		),
	];
}

/** Wraps a text after a bullet, and indents the other lines by the width of the bullet. */
export function paragraphLines(
	text: string,
	bullet: string,
	width: number,
	theme: Theme,
	tone?: Tone,
): readonly (readonly Span[])[] {
	const room = Math.max(1, width - bullet.length - 2);
	return wrapped(text, room, theme).map((line, at): readonly Span[] => [
		[` ${at === 0 ? bullet : ' '.repeat(bullet.length)}`, 'faint'],
		[line, tone],
	]);
}
