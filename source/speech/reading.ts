import { cursorIndex } from '../screen/screen.ts';
import { detailWords } from './detail-words.ts';
import type { Scene } from './scene.ts';
import { type ViewWords, viewWords } from './view-words.ts';
import { pluralized } from './words.ts';

/** How many lines are told at once of what has more. */
export const pageLines = 10;

/** What is being read: the open details, or else the view. */
export function readingOf(scene: Scene): ViewWords {
	if (scene.screen.view !== 'fleet' || !scene.screen.isDetailOpen) return viewWords(scene);
	const lines = detailWords(scene);
	return { title: [], count: lines.length, line: at => lines[at] ?? '' };
}

/** The line that reading stands at: in the table that of the cursor. */
export function readingAt({ screen, shown }: Scene): number {
	const isTable = screen.view === 'fleet' && !screen.isDetailOpen;
	return isTable ? Math.max(0, cursorIndex(screen, shown.ids)) : screen.scroll;
}

/** A page from the present line on, and how much comes after it. */
export function pageWords(scene: Scene): readonly string[] {
	const { count, line } = readingOf(scene);
	const from = readingAt(scene);
	const to = Math.min(count, from + pageLines);
	const lines = Array.from({ length: Math.max(0, to - from) }, (_, at) => line(from + at));
	const more = count - to;
	return more > 0 ? [...lines, `${pluralized(more, 'more line')}: page down reads on.`] : lines;
}
