import { clickable } from '../../drawing/drawn-line.ts';
import { maxScroll } from '../../drawing/layout.ts';
import { cursorBlockTop, type Section, sectionsHeight } from '../../drawing/section.ts';
import { justifySpans, type Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import {
	type Binding,
	type HelpContext,
	helpHeadings,
	isTextContext,
	viewContexts,
} from '../../keys/binding.ts';
import type { Choice, ChoiceList } from '../../screen/choice.ts';
import type { Screen } from '../../screen/screen.ts';
import { homeView, isTextView } from '../../screen/view-table.ts';
import {
	detailSections,
	detailTitle,
	type FleetDetailOptions,
	openDetailOptions,
} from './detail-text.ts';
import { type ViewSelectors, type ViewTextOptions, viewTexts } from './view-texts.ts';

/** The text that a person scrolls, beside the table or in its place. */
export type OpenText = {
	title: readonly [left: readonly Span[], right: readonly Span[]];
	sections: readonly Section[];
	width: number;
	/** The lines that the cursor can choose; absent in a text without a cursor. */
	choiceList?: ChoiceList | undefined;
};

type OpenTextOptions = Omit<FleetDetailOptions, 'detailSelectors'> &
	Omit<ViewTextOptions, keyof ViewSelectors | keyof Screen | 'canChange'> & {
		bindings: readonly Binding[];
		viewSelectors: ViewSelectors;
	};

/** Returns the open text: the help, else the view, else the details; undefined if only the table is open. */
export function openText(options: OpenTextOptions): OpenText | undefined {
	const { screen, viewSelectors, width } = options;
	if (screen.isHelpOpen)
		return { title: helpTitle(options), sections: helpSections(options), width };
	if (isTextView(screen.view)) {
		const { title, sections: sectionsOf, choices } = viewTexts[screen.view];
		const canChange = !options.operationsState.isReadOnly;
		const view = { ...screen, ...viewSelectors, ...options, canChange };
		const sections = sectionsOf(view);
		const choiceList = choices && listFrom(choices(view), sections, options.lines);
		return { title: title(view), sections, width, choiceList };
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

//  Keys                                      right: action name for [keys] in config.toml
//  In the table
//    s                 run it until it is stopped                                start

type HelpOptions = { bindings: readonly Binding[]; width: number; theme: Theme };

// Narrower screens leave out the action names, which a person needs only to write the configuration.
const minWidthForActionNames = 100;

export function helpTitle({
	width,
}: Pick<HelpOptions, 'width'>): readonly [Span[], readonly Span[]] {
	const names =
		width < minWidthForActionNames ? '' : ' right: action name for [keys] in config.toml ';
	return [[['Keys', 'strong']], [[names, 'faint']]];
}

/** Builds the help from the key bindings, so that the help is never out of date. */
export function helpSections({ bindings, width, theme }: HelpOptions): readonly Section[] {
	return helpHeadings.flatMap(([context, title]): readonly Section[] => {
		const listed = bindings.filter(
			({ keys, contexts, isRefused }) =>
				!isRefused && keys.length > 0 && isListedUnder(context, contexts),
		);
		if (listed.length === 0) return [];
		const lines = listed.map(({ action, keys, help }): readonly Span[] => {
			const left = clickable([[`   ${keys.join(', ').padEnd(18)}`, 'accent'], [help]], {
				type: 'key',
				key: keys[0] ?? '',
			});
			return width < minWidthForActionNames
				? left
				: justifySpans(left, [[` ${action} `, 'faint']], width, theme);
		});
		return [[{ type: 'lines', lines: [[[` ${title}`, 'strong']], ...lines] }]];
	});
}

/**
 * Returns whether a binding with these contexts is listed under the heading. The keys of the home view are not
 * repeated under the other views, nor the keys of every text field under each text field.
 */
function isListedUnder(heading: HelpContext, contexts: Binding['contexts']): boolean {
	const isView = viewContexts.some(context => context === heading);
	const general = isView ? homeView : isTextContext(heading) ? 'field' : undefined;
	const isRepeated = general !== undefined && general !== heading && contexts.includes(general);
	return contexts.includes(heading) && !isRepeated;
}
