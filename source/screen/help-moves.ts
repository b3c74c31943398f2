import type { ChoiceList } from './choice.ts';
import { endScrollPosition } from './view-table.ts';

/** How a person looks at the help. */
export type HelpLook = {
	/** The key under the cursor; undefined for the first one. */
	chosenId: string | undefined;
	/** The words that the listed keys contain. */
	filter: string;
	isFiltering: boolean;
	/** Whether each key is listed with its name for the configuration instead of its explanation. */
	showsNames: boolean;
};

export const initialHelpLook: HelpLook = {
	chosenId: undefined,
	filter: '',
	isFiltering: false,
	showsNames: false,
};

/**
 * Moves the cursor of the help, and scrolls by as few lines as possible to show it. A page moves the text as far as the
 * cursor. Beyond the first and the last key, the text scrolls. A jump to an end shows the end of the text.
 */
export function withHelpMoved<S extends { scroll: number; help: HelpLook }>(
	screen: S,
	steps: number,
	{ choices, windowLines }: ChoiceList,
	maxScroll: () => number,
): S {
	const from = Math.max(
		0,
		choices.findIndex(({ id }) => id === screen.help.chosenId),
	);
	const index = Math.max(0, Math.min(from + steps, choices.length - 1));
	const choice = choices[index];
	if (!choice) return screen;
	const { line } = choice;
	// The heading above the first key of a block stays in sight.
	const highest = Math.max(0, line - 1);
	const isPage = Math.abs(steps) > 1;
	const moved = isPage ? screen.scroll + line - (choices[from]?.line ?? line) : screen.scroll;
	const wanted = isPage ? Math.max(0, Math.min(moved, maxScroll())) : moved;
	const shown = Math.max(line - windowLines + 1, Math.min(wanted, highest));
	const goesOn = index === from || Math.abs(steps) >= endScrollPosition;
	const scroll = goesOn
		? Math.max(0, Math.min(screen.scroll + steps, Math.max(0, maxScroll())))
		: shown;
	return { ...screen, scroll, help: { ...screen.help, chosenId: choice.id } };
}
