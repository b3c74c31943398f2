import { type Section, tableLine } from '../drawing/section.ts';
import type { CompletedWord } from '../foundation/term-completion.ts';
import { drawing, gap, type Line } from '../lines/line.ts';
import type { Span } from '../lines/span.ts';
import { withoutGapsIfTight } from '../lines/window.ts';
import type { Choice, ChoiceList } from '../screen/choice.ts';
import { isTable } from '../screen/screen.ts';
import type { TypedLine } from '../screen/typed-line.ts';
import { isTextView } from '../screen/view-table.ts';
import { detailSections, detailTitle, openDetailOptions } from '../wording/views/detail-text.ts';
import { viewTexts } from '../wording/views/view-texts.ts';
import { detailPlacement } from './fleet/column-widths.ts';
import { help } from './help.ts';
import type { Scene } from './scene.ts';
import { textViews } from './text-views.ts';
import type { ViewLine } from './view.ts';

/** The text that a person scrolls, beside the table or in its place. */
export type OpenText = {
	title: readonly [left: readonly Span[], right: readonly Span[]];
	lines: readonly ViewLine[];
	width: number;
	/** The lines that the cursor can choose; absent in a text without a cursor. */
	choiceList?: ChoiceList | undefined;
	/** Completes the word at the caret of the view's filter; absent in a text without one. */
	filterCompletions?: ((line: TypedLine) => CompletedWord) | undefined;
};

/** Returns the open text: the help, else the view, else the details; undefined if only the table is open. */
export function openText(scene: Scene): OpenText | undefined {
	const { screen, viewSelectors, width, height } = scene;
	const options = { ...scene, lines: height };
	if (screen.isHelpOpen) {
		const { title, lines, choices } = help(scene);
		const choiceList = { ...choiceListOf(lines, height), choices, isOfHelp: true };
		return { title, lines, width, choiceList };
	}
	if (isTextView(screen.view)) {
		const converted = textViews[screen.view];
		if (converted) {
			const lines = converted.lines(scene);
			return {
				title: converted.title(scene),
				lines,
				width,
				choiceList: converted.hasCursor ? choiceListOf(lines, height) : undefined,
				filterCompletions: converted.completions?.(scene),
			};
		}
		const { title, sections, choices, completions } = viewTexts[screen.view as 'log' | 'output'];
		const { commandRuns } = options.operationsState;
		const view = { ...screen, ...viewSelectors, ...options, commandRuns };
		const lines = linesFrom(sections(view), choices?.(view) ?? [], scene);
		return {
			title: title(view),
			lines,
			width,
			choiceList: choices && choiceListOf(lines, height),
			filterCompletions: completions?.(view),
		};
	}
	const detail = openDetailOptions({ ...options, detailSelectors: viewSelectors.detail });
	return (
		detail && {
			title: detailTitle(detail),
			lines: linesFrom(detailSections(detail), [], scene),
			width: detail.width,
		}
	);
}

/** Whether the table or the map is in sight: nothing is open in its place. */
export function isTableShown(
	{ accounts, screen, layout }: Scene,
	text: OpenText | undefined,
): boolean {
	const { place } = detailPlacement(screen, layout.columns, accounts.length);
	return isTable(screen) && !screen.isHelpOpen && (text === undefined || place === 'beside');
}

/** Lists the lines that the cursor can choose, by their place among the lines of the view. */
function choiceListOf(all: readonly ViewLine[], height: number): ChoiceList {
	const lines = withoutGapsIfTight(all, height - 1);
	const choices = lines.flatMap(
		({ id, opens, isCancellable, hasFailed }, line): readonly Choice[] =>
			id === undefined ? [] : [{ id, line, opens, isCancellable, hasFailed }],
	);
	// The title does not scroll, and a text that does not fit keeps one line for the number of its hidden lines.
	return { choices, top: 0, windowLines: height - (lines.length < height ? 1 : 2) };
}

function linesFrom(
	sections: readonly Section[],
	choices: readonly Choice[],
	{ theme }: Scene,
): readonly ViewLine[] {
	return sections
		.filter(section => section.length > 0)
		.flatMap((section, at): readonly ViewLine[] => {
			// biome-ignore lint/suspicious/useIterableCallbackReturn: the compiler checks that every block has a case
			const lines = section.flatMap((block): readonly ViewLine[] => {
				const chosen = (line: number) => {
					const choice =
						'cursorLine' in block ? choices.find(each => each.line === line) : undefined;
					return choice ? { ...choice } : {};
				};
				switch (block.type) {
					case 'lines':
					case 'values':
						return block.lines.map(spans => ({ spans }));
					case 'chart':
						return block.lines.map(drawing);
					case 'list': {
						const byLine = new Map(choices.map(choice => [choice.line, choice]));
						return Array.from({ length: block.count }, (_, line): ViewLine => {
							const { line: __, ...choice } = byLine.get(line) ?? { line };
							const spans = () =>
								block.cursorLine === undefined
									? block.lineAt(line)
									: [[' '] as const, ...block.lineAt(line)];
							return { spans, ...choice };
						});
					}
					case 'table':
						return Array.from({ length: 1 + block.rows.length }, (_, line): ViewLine => {
							const margin = block.cursorLine === undefined ? ' ' : '  ';
							const { line: __, ...choice } = { line, ...chosen(line) };
							return { spans: [[margin], ...tableLine(block, line, theme)], ...choice };
						});
					case 'link':
						return block.pieces.map(
							(piece): Line => ({
								spans: [[' '], [piece, 'accent']],
								url: block.url,
							}),
						);
					case 'paper':
						return block.lines.map(
							(paper, line): Line => ({
								spans: [[' '], [paper, 'paper'], ['  '], ...(block.beside?.[line] ?? [])],
								isDrawing: true,
							}),
						);
					case 'waiting':
						return [{ spans: [[`  ${block.text}`]], isWaiting: true }];
				}
			});
			return at > 0 ? [gap, ...lines] : lines;
		});
}
