import type { Section } from '../drawing/section.ts';
import type { Span } from '../drawing/span.ts';
import { timeText } from '../drawing/time-text.ts';
import { cursorIndex } from '../screen/screen.ts';
import { billingSections, billingTitle } from '../wording/billing-text.ts';
import { emptyTableLines } from '../wording/empty-text.ts';
import { createLogFilter } from '../wording/log-text.ts';
import { modelsSections, modelsTitle } from '../wording/models-text.ts';
import { createVersionCounter, versionsSections, versionsTitle } from '../wording/versions-text.ts';
import { spokenChange } from './change-words.ts';
import { detailWords } from './detail-words.ts';
import { rowAndPositionWords } from './row-words.ts';
import { linesPerPage, type Scene } from './scene.ts';
import { sectionWords } from './section-words.ts';
import { summaryWords } from './summary-words.ts';
import { pluralized, spokenText, unlimitedWidth } from './words.ts';

/** A view as text. `lineAt` builds each line only when it is spoken. */
export type ViewWords = {
	title: readonly string[];
	lineCount: number;
	lineAt: (at: number) => string;
};

type ViewTitle = readonly [left: readonly Span[], right: readonly Span[]];

/** The width of the billing view, in cells, at which labels and values are laid out in one column. */
const oneColumnWidth = 73;

export function viewWords(scene: Scene): ViewWords {
	const { account, screen, shown, now, theme } = scene;
	const shared = { account, now, width: unlimitedWidth, theme };
	switch (screen.view) {
		case 'fleet': {
			const title = summaryWords(scene);
			const { length: count } = shown.rows;
			if (count === 0) return fixedViewWords([...title, ...emptyWords(scene)], []);
			return { title, lineCount: count, lineAt: at => rowAndPositionWords(scene, at) ?? '' };
		}
		case 'billing': {
			const options = billingOptions(scene);
			return viewWordsFrom(billingTitle(options), billingSections(options));
		}
		case 'models': {
			const options = { ...shared, ordering: screen.modelOrdering };
			return viewWordsFrom(modelsTitle(options), modelsSections(options));
		}
		case 'versions': {
			const options = { ...shared, versionCounts: createVersionCounter()(account) };
			return viewWordsFrom(versionsTitle(options), versionsSections(options));
		}
		case 'log': {
			const entries = createLogFilter()(account.changes, screen.logFilter);
			const of = screen.logFilter === '' ? '' : ` of ${account.changes.length}`;
			const word = account.changes.length === 1 ? 'entry' : 'entries';
			const title = [`Log, ${entries.length}${of} ${word}, newest first.`];
			const line = (at: number) => {
				const change = entries[at];
				return change ? `${timeText(change.at, now)}: ${spokenChange(change)}` : '';
			};
			return { title, lineCount: entries.length, lineAt: line };
		}
	}
}

/** Describes the state of the payment page. */
export function paymentWords(scene: Scene): readonly string[] {
	return sectionWords(billingSections(billingOptions(scene)).slice(0, 1));
}

// The account has no samples here, so that no chart is drawn.
function billingOptions({ account, screen: { payment }, runway, now, theme }: Scene) {
	return {
		account: { ...account, samples: [] },
		runway,
		...(payment && { payment }),
		qrOf: () => undefined,
		now,
		width: oneColumnWidth,
		lines: unlimitedWidth,
		theme,
	};
}

/** Explains why there are no rows, and says what to do. */
export function emptyWords({ account, screen, now }: Scene): readonly string[] {
	return emptyTableLines(account, screen, now)
		.map(spokenText)
		.filter(line => line !== '');
}

function viewWordsFrom([left, right]: ViewTitle, sections: readonly Section[]): ViewWords {
	return fixedViewWords([`${spokenText(left)}, ${spokenText(right)}.`], sectionWords(sections));
}

function fixedViewWords(title: readonly string[], lines: readonly string[]): ViewWords {
	return { title, lineCount: lines.length, lineAt: at => lines[at] ?? '' };
}

/** Returns the text that a person moves through: the open details, or otherwise the view. */
export function wordsOfOpenText(scene: Scene): ViewWords {
	if (scene.screen.view !== 'fleet' || !scene.screen.isDetailOpen) return viewWords(scene);
	const lines = detailWords(scene);
	return { title: [], lineCount: lines.length, lineAt: at => lines[at] ?? '' };
}

/**
 * Returns the index of the current line: the row under the cursor in the table, and the scroll position
 * elsewhere.
 */
export function currentLineIndex({ screen, shown }: Scene): number {
	const isTable = screen.view === 'fleet' && !screen.isDetailOpen;
	return isTable ? Math.max(0, cursorIndex(screen, shown.ids)) : screen.scroll;
}

/** Speaks one page of lines from the current line on, and says how many lines follow. */
export function pageWords(scene: Scene): readonly string[] {
	const { lineCount: count, lineAt: line } = wordsOfOpenText(scene);
	const from = currentLineIndex(scene);
	const to = Math.min(count, from + linesPerPage);
	const lines = Array.from({ length: Math.max(0, to - from) }, (_, at) => line(from + at));
	const remainingCount = count - to;
	return remainingCount > 0
		? [...lines, `${pluralized(remainingCount, 'more line')}: page down continues.`]
		: lines;
}
