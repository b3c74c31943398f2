import { join } from 'node:path';
import { shortHash } from '../fleet/short-hash.ts';
import { entryFromLine, writeTimesOf } from './ledger-entry.ts';
import { createLineReader } from './ledger-file.ts';
import { type LedgerFs, undefinedOnError } from './ledger-rotation.ts';
import {
	applyEntry,
	createLedgerState,
	endOf,
	type Freeze,
	type Interval,
	type LedgerEntry,
	type LedgerState,
	removeEndedSpends,
	type ScopeState,
} from './ledger-state.ts';
import { documentedLimits, scopes, slotLifetime } from './limits.ts';

/**
 * The ledgers of other hosts, and of earlier boots of this host, in the same folder. This process only reads
 * them.
 */
export type OtherHosts = {
	/**
	 * Reads the new entries of all other ledgers. Both parameters are the present time: by the ledger's clock,
	 * and by the wall clock.
	 */
	readNew(elapsed: number, date: number): void;
	/** Whether the other ledgers contain any entry that still counts. */
	haveEntries(): boolean;
	/** Returns the state with the requests of the other hosts added. */
	withOthersAdded(state: LedgerState, elapsed: number): LedgerState;
};

/** The ledger of another host, with all times converted to this host's clock. */
type OtherLedger = {
	generation: number;
	lines: ReturnType<typeof createLineReader>;
	state: LedgerState;
	readAt: number;
};

const never = Number.NEGATIVE_INFINITY;

// The clocks of hosts that share a folder are assumed to differ by less than this.
const maxClockSkewMs = 5_000;
// If a host has not written for this long, its ledger is deleted. The host is gone, or will begin a new ledger.
const longestSilenceMs = 24 * 60 * 60_000;

/** Returns a hash that identifies one boot of one host without revealing its inputs. */
export const hostKey = (boot: readonly string[]): string =>
	boot.every(part => part === '') ? '' : shortHash(JSON.stringify(boot));

export function createOtherHosts(
	files: LedgerFs,
	{ directory, name, own }: { directory: string; name: string; own: string },
): OtherHosts {
	const others = new Map<string, OtherLedger>();

	/** Returns the number of the newest file of each other host. */
	function newest(): Map<string, number> {
		const found = new Map<string, number>();
		for (const file of files.readdirSync(directory)) {
			const [, owner = '', generation] = /^(.+)\.(\d+)$/.exec(file) ?? [];
			if (owner === own || (owner !== name && !owner.startsWith(`${name}-`))) continue;
			found.set(owner, Math.max(found.get(owner) ?? 0, Number(generation)));
		}
		return found;
	}

	function read(owner: string, generation: number, elapsed: number, date: number) {
		const known = others.get(owner);
		const other =
			known?.generation === generation
				? known
				: emptyLedger(files, generation, known?.readAt ?? never);
		const path = join(directory, `${owner}.${generation}`);
		if (readLedger(files, path, other, elapsed, date)) others.set(owner, other);
	}

	return {
		readNew(elapsed, date) {
			const found = newest();
			for (const [owner, generation] of found) read(owner, generation, elapsed, date);
			for (const [owner, { state }] of others) {
				// The slots of a deleted ledger still count until they end.
				removeEnded(state, elapsed);
				if (!found.has(owner) && isEmpty(state)) others.delete(owner);
			}
		},
		haveEntries: () => [...others.values()].some(({ state }) => !isEmpty(state)),
		withOthersAdded(state, elapsed) {
			let sum = state;
			for (const [owner, other] of others) {
				removeEnded(other.state, elapsed);
				sum = combinedState(sum, other.state, owner);
			}
			return sum;
		},
	};
}

const emptyLedger = (files: LedgerFs, generation: number, readAt: number): OtherLedger => ({
	generation,
	lines: createLineReader(files),
	state: createLedgerState(),
	readAt,
});

/** Reads the lines that were appended to a file. Returns false if the file does not exist. */
function readLedger(
	files: LedgerFs,
	path: string,
	other: OtherLedger,
	elapsed: number,
	date: number,
): boolean {
	// The file is opened each time, because a network file system shows the writes of other hosts only then.
	const descriptor = undefinedOnError(['ENOENT'], () => files.openSync(path, 'r'));
	if (descriptor === undefined) return false;
	try {
		const { size, mtimeMs } = files.fstatSync(descriptor);
		const age = Math.max(0, date - mtimeMs);
		const isBroken =
			size < other.lines.offset() || !applyNewLines(descriptor, other, elapsed, date);
		// A broken file does not reveal how much was spent, so its whole limit counts as spent until its host
		// replaces it.
		if (isBroken) for (const scope of scopes) other.state[scope].fullSince = elapsed - age;
		other.readAt = elapsed;
		removeEnded(other.state, elapsed);
		if (age > longestSilenceMs) undefinedOnError(['ENOENT'], () => files.unlinkSync(path));
		return true;
	} finally {
		files.closeSync(descriptor);
	}
}

/** Returns false if a line is broken. */
function applyNewLines(
	descriptor: number,
	other: OtherLedger,
	elapsed: number,
	date: number,
): boolean {
	for (const line of other.lines.readFrom(descriptor)) {
		const entry = entryFromLine(line);
		if (entry === 'broken') return false;
		if (entry === 'torn') continue;
		const stamp = writeTimesOf(line);
		// The line was written between the last reading and this one, even if the wall clocks disagree.
		const written = stamp && Math.max(other.readAt, elapsed - Math.max(0, date - stamp.date));
		applyEntry(
			other.state,
			entryByOurClock(entry, at => timeByOurClock(at, stamp?.at, written, elapsed)),
		);
	}
	return true;
}

/**
 * Converts a time of another host to this host's clock. An entry without a stamp was written by an old version
 * on this host.
 */
function timeByOurClock(
	at: number,
	stampedAt: number | undefined,
	written: number | undefined,
	elapsed: number,
): number {
	if (stampedAt === undefined || written === undefined) return at > elapsed ? 0 : at;
	return Math.min(elapsed, written - (stampedAt - at));
}

/**
 * Converts the times of an entry. Server reports are omitted, because their request numbers belong to the other
 * host.
 */
function entryByOurClock(entry: LedgerEntry, toOurClock: (at: number) => number): LedgerEntry {
	const converted = <T extends Interval>(interval: T): T => ({
		...interval,
		at: toOurClock(interval.at),
		hold: interval.hold + maxClockSkewMs,
	});
	const frozen = (freeze?: Freeze) =>
		freeze ? { freeze: { ...converted(freeze), number: 0 } } : {};
	switch (entry.kind) {
		case 'sealed':
			return entry;
		case 'take':
		case 'unknown':
			return converted(entry);
		case 'done': {
			const { heard, freeze, ...spend } = entry;
			return { ...converted(spend), ...frozen(freeze) };
		}
		case 'carried': {
			const { heard, freeze, fullSince, spends, ...others } = entry;
			const full = fullSince === undefined ? {} : { fullSince: toOurClock(fullSince) };
			return { ...others, ...frozen(freeze), ...full, spends: spends.map(converted) };
		}
	}
}

function removeEnded(ledger: LedgerState, elapsed: number) {
	removeEndedSpends(ledger, elapsed);
	for (const scope of scopes) {
		const state = ledger[scope];
		if (state.freeze && endOf(state.freeze) <= elapsed) delete state.freeze;
		const isOver = (state.fullSince ?? never) + slotLifetime(documentedLimits[scope]) <= elapsed;
		if (isOver) delete state.fullSince;
	}
}

const isEmpty = (ledger: LedgerState) =>
	scopes.every(scope => {
		const { spends, freeze, fullSince } = ledger[scope];
		return spends.size === 0 && !freeze && fullSince === undefined;
	});

function combinedState(one: LedgerState, other: LedgerState, owner: string): LedgerState {
	if (isEmpty(other)) return one;
	const sum = (scope: keyof LedgerState) => combinedScopeState(one[scope], other[scope], owner);
	return { create: sum('create'), status: sum('status'), other: sum('other') };
}

function combinedScopeState(one: ScopeState, other: ScopeState, owner: string): ScopeState {
	const spends = new Map(one.spends);
	// Request numbers of another host have no meaning here. Number 0 sorts them before all numbers of this host.
	for (const spend of other.spends.values()) {
		spends.set(`${owner}:${spend.id}`, { ...spend, number: 0 });
	}
	const freezes = [one.freeze, other.freeze].filter(freeze => freeze !== undefined);
	const freeze = freezes.toSorted((a, b) => endOf(b) - endOf(a))[0];
	const full = [one.fullSince, other.fullSince].filter(since => since !== undefined);
	return {
		...one,
		spends,
		...(freeze && { freeze }),
		...(full.length > 0 && { fullSince: Math.max(...full) }),
	};
}
