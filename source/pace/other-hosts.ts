import { constants } from 'node:fs';
import { join } from 'node:path';
import { privateFlags } from '../accounts/private-file.ts';
import { shortHash } from '../foundation/short-hash.ts';
import { combinedState, isEmptyState } from './combined-state.ts';
import { entryFromLine, writeTimesOf } from './ledger-entry.ts';
import { createLineReader, isReadable } from './ledger-file.ts';
import { type LedgerFs, undefinedIfFailedWith } from './ledger-rotation.ts';
import {
	applyLedgerEntry,
	createLedgerState,
	type Freeze,
	type Interval,
	intervalEndOf,
	type LedgerEntry,
	type LedgerState,
	removeEndedSpends,
} from './ledger-state.ts';
import { documentedLimits, scopes, slotLifetimeMs } from './limits.ts';

/**
 * The ledgers of other hosts, and of earlier boots of this host, in the same folder. This process only reads
 * them.
 */
type OtherHostLedgers = {
	/**
	 * Reads the new entries of all other ledgers. Both parameters are the present time: by the ledger's clock,
	 * and by the wall clock.
	 */
	readNewEntries(ledgerClockNow: number, wallClockNow: number): void;
	/** Whether any entry of the other ledgers still counts against a limit. */
	haveCountingEntries(): boolean;
	/** Returns the state with the requests of the other hosts added. */
	addRequestsTo(state: LedgerState, ledgerClockNow: number): LedgerState;
};

/** The ledger of another host, with all times converted to this host's clock. */
type OtherLedger = {
	generation: number;
	lineReader: ReturnType<typeof createLineReader>;
	state: LedgerState;
	readAt: number;
};

const beforeAllTimes = Number.NEGATIVE_INFINITY;

// The clocks of hosts that share a folder are assumed to differ by less than this.
const maxClockSkewMs = 5_000;
// If a host has not written for this long, its ledger is deleted. The host is gone, or will begin a new ledger.
const maxSilenceMs = 24 * 60 * 60_000;

/** Returns a hash that identifies one boot of one host without revealing its inputs. */
export const hostIdFrom = (bootIdentity: readonly string[]): string =>
	bootIdentity.every(text => text === '') ? '' : shortHash(JSON.stringify(bootIdentity));

export function createOtherHostLedgers(
	files: LedgerFs,
	{ directory, baseName, ownName }: { directory: string; baseName: string; ownName: string },
): OtherHostLedgers {
	const ledgersByOwner = new Map<string, OtherLedger>();

	/** Returns, for every other host, the sequence number in the name of its newest file. */
	function newestFiles(): Map<string, number> {
		const newest = new Map<string, number>();
		for (const file of files.readdirSync(directory)) {
			const [, owner = '', generation] = /^(.+)\.(\d+)$/.exec(file) ?? [];
			if (owner === ownName || (owner !== baseName && !owner.startsWith(`${baseName}-`))) continue;
			newest.set(owner, Math.max(newest.get(owner) ?? 0, Number(generation)));
		}
		return newest;
	}

	function readOwnersLedger(
		owner: string,
		generation: number,
		ledgerClockNow: number,
		wallClockNow: number,
	) {
		const knownLedger = ledgersByOwner.get(owner);
		const otherLedger =
			knownLedger?.generation === generation
				? knownLedger
				: emptyLedger(files, generation, knownLedger?.readAt ?? beforeAllTimes);
		const path = join(directory, `${owner}.${generation}`);
		if (readLedger(files, path, otherLedger, ledgerClockNow, wallClockNow))
			ledgersByOwner.set(owner, otherLedger);
	}

	return {
		readNewEntries(ledgerClockNow, wallClockNow) {
			const newest = newestFiles();
			for (const [owner, generation] of newest)
				readOwnersLedger(owner, generation, ledgerClockNow, wallClockNow);
			for (const [owner, { state }] of ledgersByOwner) {
				// After a ledger is deleted, its slots still count until they end.
				removeEnded(state, ledgerClockNow);
				if (!newest.has(owner) && isEmptyState(state)) ledgersByOwner.delete(owner);
			}
		},
		haveCountingEntries: () =>
			[...ledgersByOwner.values()].some(({ state }) => !isEmptyState(state)),
		addRequestsTo(state, ledgerClockNow) {
			let sum = state;
			for (const [owner, other] of ledgersByOwner) {
				removeEnded(other.state, ledgerClockNow);
				sum = combinedState(sum, other.state, owner);
			}
			return sum;
		},
	};
}

const emptyLedger = (files: LedgerFs, generation: number, readAt: number): OtherLedger => ({
	generation,
	lineReader: createLineReader(files),
	state: createLedgerState(),
	readAt,
});

/** Reads the lines that were appended to a file. Returns false if the file does not exist. */
function readLedger(
	files: LedgerFs,
	path: string,
	otherLedger: OtherLedger,
	ledgerClockNow: number,
	wallClockNow: number,
): boolean {
	// The file is opened each time, because a network file system shows the writes of other hosts only then.
	const descriptor = undefinedIfFailedWith(['ENOENT', 'ELOOP'], () =>
		files.openSync(path, constants.O_RDONLY | privateFlags),
	);
	if (descriptor === undefined) return false;
	try {
		const stats = files.fstatSync(descriptor);
		const { size, mtimeMs } = stats;
		const ageMs = Math.max(0, wallClockNow - mtimeMs);
		const isBroken =
			!isReadable(stats) ||
			size < otherLedger.lineReader.offset() ||
			!applyNewLines(descriptor, otherLedger, ledgerClockNow, wallClockNow);
		// An unreadable ledger does not say how many requests its host sent. Until that host rewrites the file,
		// the host counts as having used up the whole limit.
		if (isBroken)
			for (const scope of scopes) otherLedger.state[scope].fullSince = ledgerClockNow - ageMs;
		otherLedger.readAt = ledgerClockNow;
		removeEnded(otherLedger.state, ledgerClockNow);
		if (ageMs > maxSilenceMs) undefinedIfFailedWith(['ENOENT'], () => files.unlinkSync(path));
		return true;
	} finally {
		files.closeSync(descriptor);
	}
}

/** Applies the lines that were added since the last reading. Returns false if a line is broken. */
function applyNewLines(
	descriptor: number,
	otherLedger: OtherLedger,
	ledgerClockNow: number,
	wallClockNow: number,
): boolean {
	for (const line of otherLedger.lineReader.readFrom(descriptor)) {
		const entry = entryFromLine(line);
		if (entry === 'broken') return false;
		if (entry === 'torn') continue;
		const writeTimes = writeTimesOf(line);
		// The line was written between the last reading and this one, even if the wall clocks disagree.
		const writtenAt =
			writeTimes &&
			Math.max(otherLedger.readAt, ledgerClockNow - Math.max(0, wallClockNow - writeTimes.date));
		applyLedgerEntry(
			otherLedger.state,
			entryByOurClock(entry, at => timeByOurClock(at, writeTimes?.at, writtenAt, ledgerClockNow)),
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
	writtenAt: number | undefined,
	ledgerClockNow: number,
): number {
	if (stampedAt === undefined || writtenAt === undefined) return at > ledgerClockNow ? 0 : at;
	return Math.min(ledgerClockNow, writtenAt - (stampedAt - at));
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
	const convertedFreeze = (freeze?: Freeze) =>
		freeze ? { freeze: { ...converted(freeze), number: 0 } } : {};
	switch (entry.kind) {
		case 'sealed':
			return entry;
		case 'take':
		case 'unknown':
			return converted(entry);
		case 'done': {
			const { heard, freeze, ...spend } = entry;
			return { ...converted(spend), ...convertedFreeze(freeze) };
		}
		case 'carried': {
			const { heard, freeze, fullSince, spends, ...others } = entry;
			const full = fullSince === undefined ? {} : { fullSince: toOurClock(fullSince) };
			return { ...others, ...convertedFreeze(freeze), ...full, spends: spends.map(converted) };
		}
	}
}

function removeEnded(ledger: LedgerState, ledgerClockNow: number) {
	removeEndedSpends(ledger, ledgerClockNow);
	for (const scope of scopes) {
		const state = ledger[scope];
		if (state.freeze && intervalEndOf(state.freeze) <= ledgerClockNow) delete state.freeze;
		const isOver =
			(state.fullSince ?? beforeAllTimes) + slotLifetimeMs(documentedLimits[scope]) <=
			ledgerClockNow;
		if (isOver) delete state.fullSince;
	}
}
