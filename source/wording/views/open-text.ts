import { maxScroll } from '../../drawing/layout.ts';
import { cursorBlockTop, type Section, sectionsHeight } from '../../drawing/section.ts';
import type { Span } from '../../drawing/span.ts';
import type { CompletedWord } from '../../foundation/term-completion.ts';
import type { Binding } from '../../keys/binding.ts';
import type { Choice, ChoiceList } from '../../screen/choice.ts';
import type { Screen } from '../../screen/screen.ts';
import type { TypedLine } from '../../screen/typed-line.ts';
import { isTextView } from '../../screen/view-table.ts';
import {
	detailSections,
	detailTitle,
	type FleetDetailOptions,
	openDetailOptions,
} from './detail-text.ts';
import { helpText } from './help-text.ts';
import { type ViewSelectors, type ViewTextOptions, viewTexts } from './view-texts.ts';

/** The text that a person scrolls, beside the table or in its place. */
export type OpenText = {
	title: readonly [left: readonly Span[], right: readonly Span[]];
	sections: readonly Section[];
	width: number;
	/** The lines that the cursor can choose; absent in a text without a cursor. */
	choiceList?: ChoiceList | undefined;
	/** Completes the word at the caret of the view's filter; absent in a text without one. */
	filterCompletions?: ((line: TypedLine) => CompletedWord) | undefined;
};

type OpenTextOptions = Omit<FleetDetailOptions, 'detailSelectors'> &
	Omit<ViewTextOptions, keyof ViewSelectors | keyof Screen | 'canChange' | 'commandRuns'> & {
		bindings: readonly Binding[];
		viewSelectors: ViewSelectors;
	};

/** Returns the open text: the help, else the view, else the details; undefined if only the table is open. */
export function openText(options: OpenTextOptions): OpenText | undefined {
	const { screen, viewSelectors, width } = options;
	if (screen.isHelpOpen) {
		const { title, sections, choices } = helpText(options);
		const choiceList = { ...listFrom(choices, sections, options.lines), isOfHelp: true };
		return { title, sections, width, choiceList };
	}
	if (isTextView(screen.view)) {
		const { title, sections: sectionsOf, choices, completions } = viewTexts[screen.view];
		const canChange = !options.operationsState.isReadOnly;
		const { commandRuns } = options.operationsState;
		const view = { ...screen, ...viewSelectors, ...options, canChange, commandRuns };
		const sections = sectionsOf(view);
		const choiceList = choices && listFrom(choices(view), sections, options.lines);
		const filterCompletions = completions?.(view);
		return { title: title(view), sections, width, choiceList, filterCompletions };
	}
	const detail = openDetailOptions({ ...options, detailSelectors: viewSelectors.detail });
	return (
		detail && { title: detailTitle(detail), sections: detailSections(detail), width: detail.width }
	);
}

function listFrom(
	choices: readonly Choice[],
	sections: readonly Section[],
	lines: number,
): ChoiceList {
	// The title does not scroll, and a text that does not fit keeps one line for the number of its hidden lines.
	const isWhole = maxScroll(sectionsHeight(sections), lines) === 0;
	return { choices, top: cursorBlockTop(sections), windowLines: lines - (isWhole ? 1 : 2) };
}

/** Returns how many lines the open text can be scrolled down. */
export function maxTextScroll(options: OpenTextOptions): number {
	const text = openText(options);
	return text ? maxScroll(sectionsHeight(text.sections), options.lines) : 0;
}
