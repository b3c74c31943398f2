import { join } from 'node:path';
import * as v from 'valibot';
import { readPrivately, writePrivately } from '../accounts/private-file.ts';
import { computerFilter, isReversible, orderFields } from '../fleet/computers/fields.ts';
import type { GlobalId } from '../fleet/computers/global-id.ts';
import { filterFrom } from '../fleet/filters/filter.ts';
import { shortHash } from '../foundation/short-hash.ts';
import { cleanLine } from '../platform/decoding/clean.ts';
import { type Host, pathsOf } from '../session/host.ts';
import type { SessionTable } from '../session/session-table.ts';
import { groupings, type HeadingId, initialMapLook, type Screen } from '../views/look/screen.ts';
import { maxHistoryLines } from '../views/look/typed-line.ts';

// What the monitor remembers between runs: in one file for each account, or table of accounts, and in one for the host.

const text = v.pipe(
	v.string(),
	v.transform(value => cleanLine(value).slice(0, 1000)),
);
const texts = v.pipe(
	v.array(text),
	v.transform(values => values.slice(-maxHistoryLines)),
	v.readonly(),
);

const ordering = v.pipe(
	v.object({ by: v.picklist(orderFields), isReversed: v.boolean() }),
	v.transform(({ by, isReversed }) => ({ by, isReversed: isReversed && isReversible(by) })),
);

const mapLook = v.object({
	isOpen: v.fallback(v.boolean(), initialMapLook.isOpen),
	grouping: v.fallback(v.picklist(groupings), initialMapLook.grouping),
	colouring: v.fallback(v.picklist(groupings), initialMapLook.colouring),
});

/** It is only compared with the ids of computers, and shown nowhere. */
const globalId = v.custom<GlobalId>(value => typeof value === 'string');

const headingId = v.custom<HeadingId>(value => typeof value === 'string' && value.startsWith('\n'));

const keptSetting = v.object({
	word: v.string(),
	/** The value in the configuration when the person chose. The choice is valid until that value changes. */
	over: v.string(),
	chosenAt: v.number(),
});

export type KeptSetting = v.InferOutput<typeof keptSetting>;

/** A damaged field is forgotten, and the others stay. */
const field = <S extends v.GenericSchema>(schema: S) => v.fallback(v.optional(schema), undefined);

const schema = v.object({
	version: v.literal(1),
	filter: field(text),
	ordering: field(ordering),
	map: field(mapLook),
	grouping: field(v.picklist(groupings)),
	foldedGroups: field(v.pipe(v.array(headingId), v.readonly())),
	pins: field(v.pipe(v.array(globalId), v.readonly())),
	/** The table ignores names of columns that it does not know. */
	columns: field(texts),
	lines: field(v.pipe(v.record(text, texts), v.readonly())),
	filters: field(v.pipe(v.record(text, text), v.readonly())),
	settings: field(v.record(v.string(), keptSetting)),
	profiles: field(texts),
	/** The profiles to open besides those that `profile =` in the configuration names. */
	addedProfiles: field(texts),
	isWelcomed: field(v.boolean()),
});

type Remembered = Partial<Omit<v.InferOutput<typeof schema>, 'version'>>;

export type Memory = {
	read(): Remembered;
	/** `change` gets what other panes have saved meanwhile as well. */
	update(change: (saved: Remembered) => Remembered): void;
};

export function createMemory(path: string): Memory {
	function read(): Remembered {
		try {
			const { version, ...saved } = v.parse(schema, JSON.parse(readPrivately(path) ?? ''));
			return saved;
		} catch {
			return {};
		}
	}
	return {
		read,
		update(change) {
			try {
				writePrivately(path, `${JSON.stringify({ version: 1, ...change(read()) })}\n`);
			} catch {
				// Then the next start has what was saved before.
			}
		},
	};
}

const pathIn = (host: Host, name: string) => join(pathsOf(host).statePath, 'monitor', name);

export const hostMemory = (host: Host): Memory => createMemory(pathIn(host, 'host.json'));

export const accountMemory = (host: Host, owners: readonly string[]): Memory =>
	createMemory(pathIn(host, `${shortHash(owners.toSorted().join(' '))}.json`));

const nothing: Memory = { read: () => ({}), update() {} };

/** Several accounts together have a memory of their own, and the demo has none. */
export function tableMemory(host: Host, sessions: Pick<SessionTable, 'all'>): Memory {
	const now = () => {
		const kept = sessions.all().filter(({ journal }) => journal !== undefined);
		return kept.length > 0
			? accountMemory(
					host,
					kept.map(({ account }) => account),
				)
			: nothing;
	};
	return { read: () => now().read(), update: change => now().update(change) };
}

/** An invalid filter is dropped as a whole, because a part of it could select the wrong computers. */
export function restoredFilter(filter = ''): { filter: string; notice?: string } {
	const { mistake } = filterFrom(filter, computerFilter);
	if (!mistake || mistake.isUnknownValue) return { filter };
	return { filter: '', notice: `Dropped the saved filter “${filter}”: ${mistake.problem}` };
}

export const existingNames = (
	names: readonly string[] | undefined,
	existing: readonly { name: string }[],
): readonly string[] =>
	existing.flatMap(({ name }) => (names?.includes(name) === true ? name : []));

type Lines = Pick<Screen, 'lineHistories' | 'savedFilters'>;

/** What other panes have entered meanwhile comes before the lines of this one. */
export function withLines(saved: Remembered, before: Lines, after: Lines): Remembered {
	const lines = { ...saved.lines };
	for (const [field, entered] of Object.entries(after.lineHistories)) {
		const others = (lines[field] ?? []).filter(line => !entered.includes(line));
		lines[field] = [...others, ...entered].slice(-maxHistoryLines);
	}
	const filters = new Map(Object.entries(saved.filters ?? {}));
	for (const name of Object.keys(before.savedFilters))
		if (!Object.hasOwn(after.savedFilters, name)) filters.delete(name);
	for (const [name, filter] of Object.entries(after.savedFilters))
		if (before.savedFilters[name] !== filter) filters.set(name, filter);
	return { ...saved, lines, filters: Object.fromEntries(filters) };
}

/** What other panes have pinned meanwhile stays. */
export function withPins(
	saved: Remembered,
	before: Screen['pins'],
	after: Screen['pins'],
): Remembered {
	const others = (saved.pins ?? []).filter(id => !before.has(id) && !after.has(id));
	return { ...saved, pins: [...others, ...after] };
}
