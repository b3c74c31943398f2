import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
	readPrivately,
	refusePublicStateFolder,
	writePrivately,
} from '../accounts/private-file.ts';
import { filterFrom } from '../fleet/computers/filter.ts';
import { isReversible, type Ordering, orderFieldFrom } from '../fleet/computers/order-fields.ts';
import { shortHash } from '../foundation/short-hash.ts';
import { cleanLine } from '../platform/decoding/clean.ts';
import { colourings, groupings, initialMapLook, type MapLook } from '../screen/map-look.ts';
import type { Screen } from '../screen/screen.ts';
import type { Filters, Orderings } from '../screen/view-table.ts';

/**
 * The parts of the screen that are saved for the next start. The open view is not saved: a new pane always opens on
 * the fleet.
 */
export type SavedScreen = Pick<Screen, 'columns'> & {
	map?: MapLook;
	filter: Filters['fleet'];
	ordering: Orderings['fleet'];
};

export type ScreenKeeper = {
	restore(): Partial<SavedScreen> & { droppedFilter?: string };
	save(screen: SavedScreen): void;
};

const maxFilterLength = 1000;
const maxColumns = 100;

const fileVersion = 1;

/**
 * Creates an object that saves the screen of an account in a file and restores it. A damaged file is ignored, and a
 * file of a newer version is neither used nor replaced.
 */
export function createScreenKeeper(
	directory: string,
	account: string,
	onTrouble: (message: string) => void = () => {},
): ScreenKeeper {
	const path = pathOf(directory, account);
	let isNewer = false;

	return {
		restore() {
			try {
				const value = jsonFromFile(path);
				isNewer = savedVersionOf(value) > fileVersion;
				if (isNewer)
					onTrouble(`${path} was written by a newer version of crowsnest and is left alone`);
				if (isNewer) return {};
				return restoredScreenFrom(value);
			} catch {
				return {};
			}
		},
		save({ filter, ordering, map, columns }) {
			if (isNewer) return;
			try {
				refusePublicStateFolder(directory);
				const savedScreen = { version: fileVersion, filter, ordering, map, columns };
				writePrivately(path, `${JSON.stringify(savedScreen)}\n`);
			} catch {
				// If the screen cannot be saved, the next start uses the default order and no filter.
			}
		},
	};
}

function pathOf(directory: string, account: string): string {
	const name = shortHash(account);
	return join(directory, `screen-${name}.json`);
}

function jsonFromFile(path: string): unknown {
	const text = readPrivately(path);
	return text === undefined ? undefined : JSON.parse(text);
}

function savedVersionOf(value: unknown): number {
	const { version: savedVersion }: Record<string, unknown> = { ...Object(value) };
	return typeof savedVersion === 'number' ? savedVersion : 0;
}

/** Returns a notice that explains why the saved filter was not restored. */
export const droppedFilterText = (filter: string) =>
	`Dropped the saved filter “${filter}”: ${filterFrom(filter).problem ?? ''}`;

// The table ignores unknown names of columns, so any short text is accepted.
const isColumnNames = (value: unknown): value is readonly string[] =>
	Array.isArray(value) && value.length < maxColumns && value.every(isColumnName);

const isColumnName = (value: unknown) => typeof value === 'string' && value.length < maxColumns;

// An invalid filter is dropped as a whole, because part of it could select the wrong computers.
function restoredFilterFrom(filter: string) {
	const { problem, unknownStatus } = filterFrom(filter);
	const isUnderstood = problem === undefined || unknownStatus !== undefined;
	return isUnderstood ? { filter } : { droppedFilter: filter };
}

function restoredScreenFrom(value: unknown): ReturnType<ScreenKeeper['restore']> {
	const { filter, ordering, map, columns }: Record<string, unknown> = { ...Object(value) };
	const restoredOrdering = restoredOrderingFrom(ordering);
	return {
		...(typeof filter === 'string' &&
			restoredFilterFrom(cleanLine(filter).slice(0, maxFilterLength))),
		...(restoredOrdering && { ordering: restoredOrdering }),
		...(map !== undefined && { map: restoredMapFrom(map) }),
		...(isColumnNames(columns) && { columns }),
	};
}

function restoredOrderingFrom(value: unknown): Ordering | undefined {
	const { by, isReversed }: Record<string, unknown> = { ...Object(value) };
	const field = typeof by === 'string' ? orderFieldFrom(by) : undefined;
	if (field === undefined) return undefined;
	return { by: field, isReversed: isReversed === true && isReversible(field) };
}

/** Restores how the map looks. Values that this version does not know become the defaults. */
function restoredMapFrom(value: unknown): MapLook {
	const { isOpen, grouping, colouring }: Record<string, unknown> = { ...Object(value) };
	return {
		isOpen: isOpen === true,
		grouping: groupings.find(each => each === grouping) ?? initialMapLook.grouping,
		colouring: colourings.find(each => each === colouring) ?? initialMapLook.colouring,
	};
}

/** The welcome screen, which appears at the first start without an account. */
export type Welcome = {
	isDue: boolean;
	/** Records that the welcome screen was shown, so that the next start does not show the welcome again. */
	markShown(): void;
};

export function welcomeFrom(statePath: string): Welcome {
	const path = join(statePath, 'welcomed');
	return {
		isDue: !existsSync(path),
		markShown() {
			try {
				writePrivately(path, '');
			} catch {
				// A failure to save is ignored: then the next start shows the welcome again.
			}
		},
	};
}
