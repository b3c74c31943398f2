import { maxScroll } from '../../drawing/layout.ts';
import { type Section, sectionsHeight } from '../../drawing/section.ts';
import type { Span } from '../../drawing/span.ts';
import type { Binding } from '../../keys/binding.ts';
import type { Screen } from '../../screen/screen.ts';
import { isTextView } from '../../screen/view-table.ts';
import {
	detailSections,
	detailTitle,
	type FleetDetailOptions,
	openDetailOptions,
} from './detail-text.ts';
import { helpSections, helpTitle } from './help-text.ts';
import { type ViewSelectors, type ViewTextOptions, viewTexts } from './view-texts.ts';

/** The text that a person scrolls, beside the table or in its place. */
export type OpenText = {
	title: readonly [left: readonly Span[], right: readonly Span[]];
	sections: readonly Section[];
	width: number;
};

type OpenTextOptions = FleetDetailOptions &
	Omit<ViewTextOptions, keyof ViewSelectors | keyof Screen> & {
		bindings: readonly Binding[];
		viewSelectors: ViewSelectors;
	};

/** Returns the open text: the help, else the view, else the details; undefined if only the table is open. */
export function openText(options: OpenTextOptions): OpenText | undefined {
	const { screen, viewSelectors, width } = options;
	if (screen.isHelpOpen)
		return { title: helpTitle(options), sections: helpSections(options), width };
	if (isTextView(screen.view)) {
		const { title, sections } = viewTexts[screen.view];
		const view = { ...screen, ...viewSelectors, ...options };
		return { title: title(view), sections: sections(view), width };
	}
	const detail = openDetailOptions(options);
	return (
		detail && { title: detailTitle(detail), sections: detailSections(detail), width: detail.width }
	);
}

/** Returns how many lines the open text can be scrolled down. */
export function maxTextScroll(options: OpenTextOptions): number {
	const text = openText(options);
	return text ? maxScroll(sectionsHeight(text.sections), options.lines) : 0;
}
