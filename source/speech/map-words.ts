import { spellOut } from '../lines/print.ts';
import { summarizeMap } from '../views/fleet/map.ts';
import { pluralize } from '../views/phrases/words.ts';
import type { SpokenScene } from './scene.ts';

/**
 * Describes the map of the fleet, with one sentence for each group. In speech, the cursor still moves from row to
 * row.
 */
export function mapWords({ accounts, screen, visibleRows, now }: SpokenScene): readonly string[] {
	const { grouping, colouring } = screen.map;
	const { allRows, rows } = visibleRows;
	const groups = summarizeMap(accounts, allRows, rows, screen.map, now);
	return [
		`Map by ${grouping}, counted by ${colouring}.`,
		...groups.map(
			({ label, total, levels }) =>
				`${label}: ${pluralize(total, 'computer')}, ${spellOut(levels.join(', '))}.`,
		),
	];
}
