import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import {
	closeSync,
	constants,
	fdatasyncSync,
	fstatSync,
	readdirSync,
	readSync,
	unlinkSync,
	writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeStateFolder, openFile, undefinedIfMissing } from '../accounts/private-file.ts';
import { hourMs } from '../foundation/duration.ts';
import { stateFileErrorText } from '../foundation/error.ts';
import {
	type Limit,
	type LimitsByScope,
	longestSlotMs,
	type Scope,
	scopes,
	slotLifetimeMs,
} from './limits.ts';

// Each host has a file for each hour since it started:
//
//   requests-1f-HOST-7      take 9c3e.4 other 1795848005210 0000000025210
//                           done 9c3e.4 1795848005302 0000000025302
//                           told other 30 12 1795848031000 1795848005302 0000000025302
//                           refused other 1795848031000 1 1795848005302 0000000025302
//
// Each line ends with the wall time and the milliseconds since the host started. A process appends its take and then
// reads what stands before it, so all agree on the order without a lock.

const scopeWord = `(${scopes.join('|')})`;
const count = String.raw`(\d{1,16})`;
const countOrNone = String.raw`(\d{1,16}|-)`;
const lineFormats = [
	String.raw`(take) (\S+) ${scopeWord}`,
	String.raw`(done|free) (\S+)`,
	`(refused) ${scopeWord} ${count} ${count}`,
	`(told) ${scopeWord} ${countOrNone} ${countOrNone} ${count}`,
];
// All times have the same length, so that a line without its last digits is noticed.
const linePattern = new RegExp(String.raw`^(?:${lineFormats.join('|')}) (\d{13}) (\d{13})$`);

const digits = (time: number) => String(Math.floor(time)).padStart(13, '0');

type AnswerCounts = { limit: number | undefined; remaining: number | undefined };

export type Take = {
	id: string;
	scope: Scope;
	file: string;
	number: number;
	at: number;
	doneAt?: number;
	/** The share of the limit that the reads of this process could use when it read with this slot. */
	share?: number;
};

type Report = {
	/** From the answer to the take of this number. */
	limit?: { number: number; until: number; limit: number };
	/** The platform has not counted the requests of takes after this number. */
	remainder?: { number: number; until: number; remaining: number; elsewhere: number };
	refusal?: { at: number; until: number; times: number };
};

export type RequestLog = ReturnType<typeof createRequestLog>;

type RequestLogOptions = {
	name: string;
	limits: LimitsByScope;
	msSinceBoot: () => number;
	wallClockNow: () => number;
	hostId?: string;
	files?: RequestFiles;
	onProblem?: (message: string) => void;
};

const keptHours = 3;
const maxDelayMs = 1_000;
export const maxRefusalMs = hourMs;
const inMemory = 'memory';
const longAgo = Number.NEGATIVE_INFINITY;

export function createRequestLog(options: RequestLogOptions) {
	const { limits, msSinceBoot, wallClockNow, hostId = '', files, onProblem } = options;
	const prefix = `${options.name}-`;
	const ownPrefix = `${prefix}${hostId}-`;
	const now = () => Math.floor(msSinceBoot());
	const processId = randomUUID().slice(-12);
	const known = new Map<string, { offset: number; lastAt: number }>();
	const takes = new Map<string, Take>();
	const reports: Record<Scope, Report> = { create: {}, status: {}, other: {} };
	let refreshedAt = longAgo;
	let idCount = 0;
	let takeCount = 0;
	let lastDone: Take | undefined;
	let problem: string | undefined;
	let aloneAt = longAgo;

	const untilIn = (milliseconds: number) => Math.floor(wallClockNow() + milliseconds);
	const isOwn = (file: string) => file === inMemory || file.startsWith(ownPrefix);
	const takesOf = (scope: Scope) => [...takes.values()].filter(take => take.scope === scope);

	function withFiles(use: (files: RequestFiles) => void): boolean {
		if (!files) return false;
		try {
			use(files);
			return true;
		} catch (error) {
			const message = stateFileErrorText(error);
			if (problem === undefined) onProblem?.(message);
			problem = message;
			aloneAt = now();
			return false;
		}
	}

	function append(words: readonly string[], isSynced = false): boolean {
		const lines = words.map(each => `${each} ${digits(wallClockNow())} ${digits(now())}`);
		const isWritten = withFiles(all => {
			const file = `${ownPrefix}${Math.floor(now() / hourMs)}`;
			// The first line break ends a line that a killed process left incomplete.
			all.append(file, `\n${lines.join('\n')}\n`, isSynced);
			if (!known.has(file)) removeOldFiles(all);
		});
		if (!isWritten) for (const line of lines) apply(line, inMemory, now);
		return isWritten;
	}

	function refresh(): boolean {
		const begunAt = now();
		return withFiles(all => {
			const names = all.names().filter(name => name.startsWith(prefix));
			for (const name of names.sort(byHour)) readFile(all, name);
			for (const name of known.keys()) if (!names.includes(name)) known.delete(name);
			refreshedAt = begunAt;
		});
	}

	function readFile(all: RequestFiles, name: string) {
		const file = known.get(name);
		const found = all.read(name, file?.offset ?? 0);
		if (!found) return;
		if (file && found.size < file.offset) {
			known.delete(name);
			return readFile(all, name);
		}
		const current = file ?? { offset: 0, lastAt: dateOf(found.writtenAt) };
		known.set(name, current);
		const isOfThisBoot = hostId !== '' && isOwn(name);
		const lines = found.text.split('\n');
		// The last line may be incomplete.
		lines.pop();
		for (const line of lines) {
			const at = apply(line, name, (wall, boot) =>
				isOfThisBoot ? Math.min(now(), boot) : dateOf(wall),
			);
			current.lastAt = at ?? current.lastAt;
			// It may be what is left of a take.
			if (at === undefined && line !== '')
				for (const scope of scopes)
					addTake(`${name} ${current.offset} ${scope}`, scope, name, current.lastAt);
			current.offset += line.length + 1;
		}
	}

	/** A new line that seems older than the last reading comes from a clock that is behind. */
	function dateOf(wall: number) {
		const at = now() - (wallClockNow() - wall);
		return at > refreshedAt - maxDelayMs ? Math.min(now(), at) : now();
	}

	/** Returns when the line was written, or undefined if it is damaged. */
	function apply(
		line: string,
		file: string,
		dateFrom: (wall: number, boot: number) => number,
	): number | undefined {
		const words = linePattern
			.exec(line)
			?.slice(1)
			.filter(word => word !== undefined);
		const [boot, wall] = [Number(words?.pop()), Number(words?.pop())];
		if (!words) return undefined;
		const at = dateFrom(wall, boot);
		const endOf = (until = '') => at + Math.min(Math.max(0, Number(until) - wall), maxRefusalMs);
		const [word, first = '', ...others] = words;
		if (word === 'take') addTake(first, others[0] as Scope, file, at);
		if (word === 'free') takes.delete(first);
		if (word === 'done') {
			lastDone = takes.get(first);
			if (lastDone) lastDone.doneAt = Math.max(lastDone.at, at);
		}
		if (word === 'refused') {
			const report = reports[first as Scope];
			const until = Math.max(endOf(others[0]), report.refusal?.until ?? 0);
			report.refusal = { at, until, times: Number(others[1]) };
		}
		if (word === 'told' && lastDone) {
			const [limit, remaining] = others.map(count => (count === '-' ? undefined : Number(count)));
			noteReport(lastDone, { limit, remaining }, at, endOf(others[2]));
		}
		return at;
	}

	function addTake(id: string, scope: Scope, file: string, at: number) {
		takeCount += 1;
		if (!takes.has(id)) takes.set(id, { id, scope, file, number: takeCount, at });
	}

	/** What a response does not repeat stays in force until its own end. */
	function noteReport({ scope, number }: Take, counts: AnswerCounts, at: number, end: number) {
		const rule = limits[scope];
		const report = reports[scope];
		const { limit, remaining } = counts;
		const isLatest = (last: { number: number } | undefined) => !last || number > last.number;
		if (limit !== undefined && isLatest(report.limit)) {
			// A limit holds beyond the present window.
			const until = Math.max(end, at + slotLifetimeMs(rule));
			report.limit = { number, until, limit };
		}
		if (remaining === undefined || !isLatest(report.remainder)) return;
		const ours = takesOf(scope).filter(take => slotEndOf(take, rule) > at).length;
		const counted = Math.min(rule.maxRequests, limit ?? rule.maxRequests) - remaining;
		const elsewhere = Math.max(0, counted - ours);
		report.remainder = { number, until: end, remaining, elsewhere };
	}

	function removeOldFiles(all: RequestFiles) {
		refresh();
		for (const [name, { lastAt }] of known)
			if (lastAt < now() - keptHours * hourMs) all.remove(name);
	}

	return {
		limits,
		now,
		wallClockNow,
		refresh,
		counted(scope: Scope, before?: Take) {
			for (const take of takes.values())
				if (slotEndOf(take, limits[take.scope]) <= now()) takes.delete(take.id);
			const counting = takesOf(scope).filter(
				({ file, number }) => !before || file !== before.file || number < before.number,
			);
			const inForce = <Part extends { until: number }>(part?: Part, afterMs = 0) =>
				part && part.until + afterMs > now() ? part : undefined;
			const { limit, remainder, refusal } = reports[scope];
			return {
				takes: counting,
				limit: inForce(limit)?.limit,
				remainder: inForce(remainder),
				refusal: inForce(refusal, slotLifetimeMs(limits[scope])),
			};
		},
		/** Undefined if the file was deleted meanwhile. */
		take(scope: Scope): Take | undefined {
			idCount += 1;
			const id = `${processId}.${idCount}`;
			const hasOtherHosts = [...takes.values()].some(({ file }) => !isOwn(file));
			const isWritten = append([`take ${id} ${scope}`], scope === 'create' || hasOtherHosts);
			const isRead = refresh();
			if (isWritten && !isRead) addTake(id, scope, inMemory, now());
			if (isRead && isWritten && problem !== undefined) {
				problem = undefined;
				aloneAt = now();
			}
			return takes.get(id);
		},
		done({ id, scope }: Take, counts?: AnswerCounts & { forMs: number }) {
			const { limit = '-', remaining = '-', forMs = 0 } = counts ?? {};
			append([
				// A request that ended after its longest time counts from its end.
				...(takes.has(id) ? [] : [`take ${id} ${scope}`]),
				`done ${id}`,
				...(counts ? [`told ${scope} ${limit} ${remaining} ${untilIn(forMs)}`] : []),
			]);
			refresh();
		},
		free({ id }: Take) {
			append([`free ${id}`]);
			refresh();
		},
		refused(scope: Scope, forMs: number, times: number) {
			append([`refused ${scope} ${untilIn(forMs)} ${times}`]);
			refresh();
		},
		hasOthers: (scope: Scope) => takesOf(scope).some(({ id }) => !id.startsWith(`${processId}.`)),
		/** While this process cannot write to the log, and until what it sent then no longer counts. */
		countsAlone: (scope: Scope) =>
			problem !== undefined || now() < aloneAt + longestSlotMs(limits[scope]),
	};
}

export const slotEndOf = ({ at, doneAt }: Take, rule: Limit): number =>
	doneAt === undefined ? at + longestSlotMs(rule) : doneAt + slotLifetimeMs(rule);

/** Earlier hours come first, because a request may end in another hour than it began. */
const byHour = (one: string, other: string) => one.length - other.length || (one < other ? -1 : 1);

export type RequestFiles = ReturnType<typeof openRequestFiles>;

const maxFileBytes = 8_000_000;

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;

/** A file is opened for each call, because a network file system shows what another machine wrote only then. */
export function openRequestFiles(folder: string) {
	function withFile<T>(name: string, flags: number, use: (file: number, size: number) => T): T {
		const path = join(folder, name);
		const { file, stats } = openFile(path, flags | O_NOFOLLOW);
		try {
			if (stats.size > maxFileBytes) throw new Error(`${path} is too large`);
			return use(file, stats.size);
		} finally {
			closeSync(file);
		}
	}

	return {
		names: (): readonly string[] => undefinedIfMissing(() => readdirSync(folder)) ?? [],
		read: (name: string, from: number) =>
			undefinedIfMissing(() =>
				withFile(name, O_RDONLY, (file, size) => {
					const bytes = Buffer.alloc(Math.max(0, size - from));
					const count = bytes.length && readSync(file, bytes, 0, bytes.length, from);
					const text = bytes.toString('latin1', 0, count);
					return { text, size, writtenAt: fstatSync(file).mtimeMs };
				}),
			),
		append(name: string, text: string, isSynced: boolean) {
			makeStateFolder(folder);
			withFile(name, O_WRONLY | O_APPEND | O_CREAT, file => {
				// One call to the system, so that the lines of several processes do not mix.
				if (writeSync(file, text) < text.length) throw new Error('the disk is full');
				if (isSynced) fdatasyncSync(file);
			});
		},
		remove(name: string) {
			undefinedIfMissing(() => unlinkSync(join(folder, name)));
		},
	};
}
