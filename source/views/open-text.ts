import type { CompleteFilter } from '../fleet/filters/completion.ts';
import { memoize } from '../foundation/memoize.ts';
import type { Span } from '../lines/span.ts';
import { billing } from './billing.ts';
import { detail, seenIn } from './detail.ts';
import { help } from './help.ts';
import { detailPlacement } from './layout.ts';
import { log } from './log.ts';
import type { Choice, ChoiceList } from './look/cursor.ts';
import { isHelpOpen, isTable } from './look/screen.ts';
import { isTextView, type TextViewName } from './look/view-table.ts';
import { models } from './models.ts';
import { output } from './output.ts';
import { readAge } from './phrases/reads.ts';
import type { NamedView, Scene, View, ViewLine } from './scene.ts';
import { versions } from './versions.ts';

export const textViews: Readonly<Record<TextViewName, NamedView>> = {
	billing,
	models,
	versions,
	log,
	output,
};

export type OpenText = {
	title: readonly [left: readonly Span[], right: readonly Span[]];
	lines: readonly ViewLine[];
	width: number;
	choiceList?: ChoiceList | undefined;
	filterCompletions?: CompleteFilter | undefined;
};

/** The help, else the view, else the details; undefined if only the table is open. */
export const openText = memoize((scene: Scene): OpenText | undefined => {
	const { screen, width, height } = scene;
	if (isHelpOpen(screen)) {
		const { title, lines, choices } = help(scene);
		return { title, lines, width, choiceList: choiceListOf(lines, height, choices) };
	}
	const view = isTextView(screen.view) ? textViews[screen.view] : detail;
	const placed = detailPlacement(screen, width);
	if (view === detail && (placed.place === 'hidden' || !seenIn(scene))) return undefined;
	const narrowed = view === detail ? { ...scene, width: placed.width } : scene;
	const all = view.lines(narrowed);
	const lines = all.length < height ? all : all.filter(({ isGap }) => !isGap);
	return {
		title: titleOf(view, narrowed),
		lines,
		width: narrowed.width,
		choiceList: view.hasCursor ? choiceListOf(lines, height) : undefined,
		filterCompletions: view.completions?.(scene),
	};
});

export function titleOf({ title, read }: View, scene: Scene): OpenText['title'] {
	const [left, right = read ? readAge(scene, read) : []] = title(scene);
	return [left, right];
}

export function isTableShown(scene: Scene): boolean {
	const { screen, layout } = scene;
	const { place } = detailPlacement(screen, layout.columns);
	return isTable(screen) && !isHelpOpen(screen) && (place === 'beside' || !openText(scene));
}

function choiceListOf(
	lines: readonly ViewLine[],
	height: number,
	choices = choicesIn(lines),
): ChoiceList {
	// The title does not scroll, and a text that does not fit keeps one line for the number of its hidden lines.
	return { choices, windowLines: height - (lines.length < height ? 1 : 2) };
}

export const choicesIn = (lines: readonly ViewLine[]): readonly Choice[] =>
	lines.flatMap(({ id, opens, isCancellable, hasFailed }, line) =>
		id === undefined ? [] : [{ id, line, opens, isCancellable, hasFailed }],
	);
