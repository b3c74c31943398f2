import { listedCount } from '../drawing/section.ts';
import { cursorIndex, isTable } from '../screen/screen.ts';
import { isTextView } from '../screen/view-table.ts';
import { pluralize } from '../wording/phrases/words.ts';
import { emptyTableLines } from '../wording/table/empty-text.ts';
import { billingSections } from '../wording/views/billing-text.ts';
import { viewTexts } from '../wording/views/view-texts.ts';
import { detailWords } from './detail-words.ts';
import { rowAndPositionWords } from './row-words.ts';
import { linesPerPage, type Scene } from './scene.ts';
import { allLines, type SpokenLines, sectionWords, spokenLines } from './section-words.ts';
import { summaryWords } from './summary-words.ts';
import { spokenTextOfSpans, unlimitedWidth } from './words.ts';

/** A view as text. */
type ViewWords = SpokenLines & { title: readonly string[] };

function viewWords(scene: Scene): ViewWords {
	const { view } = scene.screen;
	if (isTextView(view)) {
		const { title, sections, spokenOrder } = viewTexts[view];
		const options = textOptionsOf(scene);
		const [left, right] = title(options).map(spokenTextOfSpans);
		const parts = [left, right, ...(spokenOrder ? [spokenOrder] : [])];
		return { title: [`${parts.join(', ')}.`], ...sectionWords(sections(options)) };
	}
	const title = summaryWords(scene);
	const { length: lineCount } = scene.visibleRows.rows;
	if (lineCount === 0) return { title: [...title, ...emptyWords(scene)], ...spokenLines([]) };
	return { title, lineCount, lineAt: at => rowAndPositionWords(scene, at) ?? '' };
}

/** Returns how many lines of the open view match its filter. */
export function matchingLineCount(scene: Scene): number {
	const { view } = scene.screen;
	return isTextView(view)
		? listedCount(viewTexts[view].sections(textOptionsOf(scene)))
		: scene.visibleRows.rows.length;
}

/** Describes the state of the payment page. */
export function paymentWords(scene: Scene): readonly string[] {
	const [payment = []] = billingSections(textOptionsOf(scene));
	return allLines(sectionWords([payment]));
}

function textOptionsOf({ account, screen, runway, viewSelectors, now, theme }: Scene) {
	const size = { width: unlimitedWidth, lines: unlimitedWidth };
	return { ...screen, ...viewSelectors, ...size, account, runway, now, theme };
}

/** Explains why there are no rows, and says what to do. */
export function emptyWords({ account, screen, now }: Scene): readonly string[] {
	return emptyTableLines(account, screen, now)
		.map(spokenTextOfSpans)
		.filter(line => line !== '');
}

/** Returns the text that a person moves through: the open details, or otherwise the view. */
export function detailOrViewWords(scene: Scene): ViewWords {
	if (!isTable(scene.screen) || !scene.screen.isDetailOpen) return viewWords(scene);
	return { title: [], ...spokenLines(detailWords(scene)) };
}

/**
 * Returns the index of the current line: the row under the cursor in the table, and the scroll position
 * elsewhere.
 */
export function currentLineIndex({ screen, visibleRows }: Scene): number {
	const hasCursor = isTable(screen) && !screen.isDetailOpen;
	return hasCursor ? Math.max(0, cursorIndex(screen, visibleRows.ids)) : screen.scroll;
}

/** Speaks one page of lines from the current line on, and says how many lines follow. */
export function pageWords(scene: Scene): readonly string[] {
	const { lineCount: count, lineAt: line } = detailOrViewWords(scene);
	const from = currentLineIndex(scene);
	const to = Math.min(count, from + linesPerPage);
	const lines = Array.from({ length: Math.max(0, to - from) }, (_, at) => line(from + at));
	const remainingCount = count - to;
	return remainingCount > 0
		? [...lines, `${pluralize(remainingCount, 'more line')}: press page down to continue.`]
		: lines;
}
