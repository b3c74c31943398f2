import type { ChoiceList } from './choice.ts';

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

/** Moves the cursor of the help, and scrolls by as few lines as possible to show it. */
export function withHelpMoved<S extends { scroll: number; help: HelpLook }>(
	screen: S,
	steps: number,
	{ choices, windowLines }: ChoiceList,
): S {
	const from = choices.findIndex(({ id }) => id === screen.help.chosenId);
	const index = Math.max(0, Math.min(Math.max(0, from) + steps, choices.length - 1));
	const choice = choices[index];
	if (!choice) return screen;
	const { line } = choice;
	// The heading above the first key of a block stays in sight.
	const highest = Math.max(0, line - 1);
	const scroll = Math.max(line - windowLines + 1, Math.min(screen.scroll, highest));
	return { ...screen, scroll, help: { ...screen.help, chosenId: choice.id } };
}
