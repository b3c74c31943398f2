import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { entryFromLine, stampOf } from './ledger-entry.ts';
import { ignoring, type LedgerFs } from './ledger-rotation.ts';
import {
	applyEntry,
	createLedgerState,
	endOf,
	type Freeze,
	type Interval,
	type LedgerEntry,
	type LedgerState,
	prune,
	type ScopeState,
	scopes,
} from './ledger-state.ts';
import { documentedLimits, slotLifetime } from './limits.ts';

/** The ledgers of other hosts, and of earlier starts of this one, in the same folder. They are only read. */
export type OtherHosts = {
	/** Reads what they wrote since; both times are of now. */
	readNew(elapsed: number, date: number): void;
	/** Whether there is anything of theirs to be counted. */
	haveEntries(): boolean;
	/** The book with what they spent. */
	addedTo(book: LedgerState, elapsed: number): LedgerState;
};

/** One other host's ledger as far as it was read, with all times by our own clock. */
type OtherLedger = {
	generation: number;
	offset: number;
	unfinished: string;
	book: LedgerState;
	/** When it was last read. */
	readAt: number;
};

const never = Number.NEGATIVE_INFINITY;

// The clocks of two hosts that share a folder differ by less than this.
const maxClockSkew = 5_000;
// A host whose ledger has been silent for so long is gone, or begins a new one.
const longestSilence = 24 * 60 * 60_000;

export function createOtherHosts(
	files: LedgerFs,
	{ directory, name, own }: { directory: string; name: string; own: string },
): OtherHosts {
	const others = new Map<string, OtherLedger>();

	/** The newest generation of each. */
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
		const path = join(directory, `${owner}.${generation}`);
		// Opened each time: only then does a folder on the network show what others wrote.
		const descriptor = ignoring(['ENOENT'], () => files.openSync(path, 'r'));
		if (descriptor === undefined) return;
		try {
			const known = others.get(owner);
			const other =
				known?.generation === generation ? known : emptyLedger(generation, known?.readAt ?? never);
			const { size, mtimeMs } = files.fstatSync(descriptor);
			const age = Math.max(0, date - mtimeMs);
			const isBroken = size < other.offset || !readLines(files, descriptor, other, elapsed, date);
			// Its owner sets it aside. Until that is over, nobody knows what was spent there.
			if (isBroken) for (const scope of scopes) other.book[scope].fullSince = elapsed - age;
			other.readAt = elapsed;
			others.set(owner, other);
			forgetEnded(other.book, elapsed);
			if (age > longestSilence) ignoring(['ENOENT'], () => files.unlinkSync(path));
		} finally {
			files.closeSync(descriptor);
		}
	}

	return {
		readNew(elapsed, date) {
			const found = newest();
			for (const [owner, generation] of found) read(owner, generation, elapsed, date);
			for (const [owner, { book }] of others) {
				// One that was deleted still counts until its time is over.
				forgetEnded(book, elapsed);
				if (!found.has(owner) && isEmpty(book)) others.delete(owner);
			}
		},
		haveEntries: () => [...others.values()].some(({ book }) => !isEmpty(book)),
		addedTo(book, elapsed) {
			let sum = book;
			for (const [owner, other] of others) {
				forgetEnded(other.book, elapsed);
				sum = sumOf(sum, other.book, owner);
			}
			return sum;
		},
	};
}

const emptyLedger = (generation: number, readAt: number): OtherLedger => ({
	generation,
	offset: 0,
	unfinished: '',
	book: createLedgerState(),
	readAt,
});

/** False when something there is no entry. */
function readLines(
	files: LedgerFs,
	descriptor: number,
	other: OtherLedger,
	elapsed: number,
	date: number,
): boolean {
	const chunk = Buffer.alloc(16_384);
	const texts = [other.unfinished];
	for (;;) {
		const count = files.readSync(descriptor, chunk, 0, chunk.length, other.offset);
		if (count === 0) break;
		other.offset += count;
		texts.push(chunk.toString('latin1', 0, count));
	}
	const lines = texts.join('').split('\n');
	other.unfinished = lines.pop() ?? '';
	for (const line of lines) {
		const entry = entryFromLine(line);
		if (entry === 'broken') return false;
		if (entry === 'torn') continue;
		const stamp = stampOf(line);
		// It was written after the last reading and before this one, whatever the wall's clock says.
		const written = stamp && Math.max(other.readAt, elapsed - Math.max(0, date - stamp.date));
		applyEntry(
			other.book,
			movedTo(entry, at => ownTime(at, stamp?.at, written, elapsed)),
		);
	}
	return true;
}

/** A time of another host by our own clock. Entries of old did not say whose clock theirs was: ours. */
function ownTime(
	at: number,
	stampedAt: number | undefined,
	written: number | undefined,
	elapsed: number,
): number {
	if (stampedAt === undefined || written === undefined) return at > elapsed ? 0 : at;
	return Math.min(elapsed, written - (stampedAt - at));
}

/** An entry with its times moved. What was heard is left out: it is about that host's own numbers. */
function movedTo(entry: LedgerEntry, own: (at: number) => number): LedgerEntry {
	const moved = <T extends Interval>(span: T): T => ({
		...span,
		at: own(span.at),
		hold: span.hold + maxClockSkew,
	});
	const frozen = (freeze?: Freeze) => (freeze ? { freeze: { ...moved(freeze), number: 0 } } : {});
	switch (entry.kind) {
		case 'sealed':
			return entry;
		case 'take':
		case 'unknown':
			return moved(entry);
		case 'done': {
			const { heard, freeze, ...spend } = entry;
			return { ...moved(spend), ...frozen(freeze) };
		}
		case 'carried': {
			const { heard, freeze, fullSince, spends, ...rest } = entry;
			const full = fullSince === undefined ? {} : { fullSince: own(fullSince) };
			return { ...rest, ...frozen(freeze), ...full, spends: spends.map(moved) };
		}
	}
}

/** Forgets what is over, so that nothing of theirs has to be counted. */
function forgetEnded(book: LedgerState, elapsed: number) {
	prune(book, elapsed);
	for (const scope of scopes) {
		const page = book[scope];
		if (page.freeze && endOf(page.freeze) <= elapsed) delete page.freeze;
		const isOver = (page.fullSince ?? never) + slotLifetime(documentedLimits[scope]) <= elapsed;
		if (isOver) delete page.fullSince;
	}
}

const isEmpty = (book: LedgerState) =>
	scopes.every(scope => {
		const { spends, freeze, fullSince } = book[scope];
		return spends.size === 0 && !freeze && fullSince === undefined;
	});

function sumOf(one: LedgerState, other: LedgerState, owner: string): LedgerState {
	if (isEmpty(other)) return one;
	const sum = (scope: keyof LedgerState) => scopeSum(one[scope], other[scope], owner);
	return { create: sum('create'), status: sum('status'), other: sum('other') };
}

function scopeSum(one: ScopeState, other: ScopeState, owner: string): ScopeState {
	const spends = new Map(one.spends);
	// They have numbers of their own; among ours they were all sent before.
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

/** A name for one start of one host, in which neither can be read. */
export function hostKey(boot: readonly string[]): string {
	if (boot.every(part => part === '')) return '';
	return createHash('sha256').update(JSON.stringify(boot)).digest('hex').slice(0, 16);
}
