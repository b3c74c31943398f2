import type { ColumnChoice, Screen } from './screen.ts';

/** A move in the column menu, or a change to the column under its cursor. */
export type ColumnMove =
	| { action: 'step'; steps: 1 | -1 }
	| { action: 'toggle' }
	/** Moves the column to the left or right. */
	| { action: 'shift'; direction: 1 | -1 };

export function withColumnMove(screen: Screen, move: ColumnMove): Screen {
	const { columnMenu: menu } = screen;
	const chosen = menu?.choices[menu.index];
	if (!menu || !chosen) return screen;
	const { choices, index } = menu;
	switch (move.action) {
		case 'step':
			return { ...screen, columnMenu: { choices, index: clampIndex(choices, index + move.steps) } };
		case 'toggle': {
			if (chosen.isFixed) return screen;
			const toggled = { ...chosen, isShown: !chosen.isShown };
			return withChoices(screen, choices.with(index, toggled), index);
		}
		case 'shift': {
			const to = clampIndex(choices, index + move.direction);
			const others = choices.toSpliced(index, 1);
			return withChoices(screen, others.toSpliced(to, 0, chosen), to);
		}
	}
}

const clampIndex = (choices: readonly ColumnChoice[], index: number) =>
	Math.max(0, Math.min(index, choices.length - 1));

/** Sets the choices of the column menu. The table shows the chosen columns at once. */
function withChoices(screen: Screen, choices: readonly ColumnChoice[], index: number): Screen {
	const columns = choices.filter(({ isShown }) => isShown).map(({ name }) => name);
	return { ...screen, columns, columnMenu: { choices, index } };
}
