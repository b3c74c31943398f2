import type { ColumnChoice, Screen } from './screen.ts';

/** What can be done with the column under the menu's cursor. */
export type ColumnMove =
	| { what: 'step'; by: 1 | -1 }
	| { what: 'toggle' }
	/** To the left or to the right among the others. */
	| { what: 'shift'; by: 1 | -1 };

export function columnsMoved(screen: Screen, move: ColumnMove): Screen {
	const { columnMenu: menu } = screen;
	const chosen = menu?.choices[menu.index];
	if (!menu || !chosen) return screen;
	const { choices, index } = menu;
	switch (move.what) {
		case 'step':
			return { ...screen, columnMenu: { choices, index: within(choices, index + move.by) } };
		case 'toggle': {
			if (chosen.isFixed) return screen;
			const toggled = { ...chosen, isShown: !chosen.isShown };
			return withChoices(screen, choices.with(index, toggled), index);
		}
		case 'shift': {
			const to = within(choices, index + move.by);
			const others = choices.toSpliced(index, 1);
			return withChoices(screen, others.toSpliced(to, 0, chosen), to);
		}
	}
}

const within = (choices: readonly ColumnChoice[], index: number) =>
	Math.max(0, Math.min(index, choices.length - 1));

/** What is chosen is seen in the table at once. */
function withChoices(screen: Screen, choices: readonly ColumnChoice[], index: number): Screen {
	const columns = choices.filter(({ isShown }) => isShown).map(({ name }) => name);
	return { ...screen, columns, columnMenu: { choices, index } };
}
