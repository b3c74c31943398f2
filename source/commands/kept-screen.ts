import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readPrivately, writePrivately } from '../accounts/private-file.ts';
import { fieldFrom } from '../fleet/field.ts';
import { cleanLine } from '../platform/clean.ts';
import { type Screen, views } from '../store/screen.ts';

/** What of the screen is as it was when the monitor opens again. */
type Kept = Pick<Screen, 'filter' | 'ordering' | 'view' | 'columns'>;

export type ScreenKeeper = {
	recall(): Partial<Kept>;
	keep(screen: Kept): void;
};

const longestFilter = 1000;
const mostColumns = 100;

/** One file an account, whose name tells nothing. What is wrong with it is no reason not to open. */
export function createScreenKeeper(directory: string, account: string): ScreenKeeper {
	const name = createHash('sha256').update(account).digest('hex').slice(0, 16);
	const path = join(directory, `screen-${name}.json`);
	return {
		recall() {
			try {
				return keptFrom(JSON.parse(readPrivately(path) ?? '{}'));
			} catch {
				return {};
			}
		},
		keep({ filter, ordering, view, columns }) {
			try {
				writePrivately(path, `${JSON.stringify({ filter, ordering, view, columns })}\n`);
			} catch {
				// A full or read-only disk costs the order of the table, and nothing else.
			}
		},
	};
}

// Names that only another version knows do no harm.
const isNames = (value: unknown): value is readonly string[] =>
	Array.isArray(value) && value.length < mostColumns && value.every(isName);

const isName = (value: unknown) => typeof value === 'string' && value.length < mostColumns;

function keptFrom(value: unknown): Partial<Kept> {
	const { filter, ordering, view, columns }: Record<string, unknown> = { ...Object(value) };
	const { by, isReversed }: Record<string, unknown> = { ...Object(ordering) };
	const field = typeof by === 'string' ? fieldFrom(by) : undefined;
	const known = views.find(each => each === view);
	return {
		...(typeof filter === 'string' && { filter: cleanLine(filter).slice(0, longestFilter) }),
		...(field && { ordering: { by: field, isReversed: isReversed === true } }),
		...(known && { view: known }),
		...(isNames(columns) && { columns }),
	};
}
