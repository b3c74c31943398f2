import { pluralize, spellOut } from '../views/phrases/words.ts';
import { colouringRows } from '../wording/map/map-colours.ts';
import { groupingRows } from '../wording/map/map-groups.ts';
import { summarizeMap } from '../wording/map/map-summary.ts';
import type { SpokenScene } from './scene.ts';

/**
 * Describes the map of the fleet, with one sentence for each group. In speech, the cursor still moves from row to
 * row.
 */
export function mapWords({ accounts, screen, visibleRows, now }: SpokenScene): readonly string[] {
	const { grouping, colouring } = screen.map;
	const { allRows, rows } = visibleRows;
	const groups = summarizeMap({ ...screen.map, accounts, allRows, rows, now });
	return [
		`Map by ${groupingRows[grouping].title}, counted by ${colouringRows[colouring].title}.`,
		...groups.map(
			({ label, total, levels }) =>
				`${label}: ${pluralize(total, 'computer')}, ${spellOut(levels.join(', '))}.`,
		),
	];
}
