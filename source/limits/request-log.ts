import { randomUUID } from 'node:crypto';
import { stateFileErrorText } from '../foundation/error.ts';
import {
	type Limit,
	type LimitsByScope,
	longestSlotMs,
	type Scope,
	scopes,
	slotLifetimeMs,
} from './limits.ts';
import type { RequestFiles } from './request-files.ts';

// The log of requests counts the requests of all processes and hosts. Each host has a file for each hour since it started:
//
//   requests-1f-HOST-7      take 9c3e.4 other 1795848005210 25210
//                           done 9c3e.4 1795848005302 25302
//                           told other 30 12 1795848031000 1795848005302 25302
//                           refused other 1795848031000 1 1795848005302 25302
//
// A process appends the line of its take and then reads what stands before it. So all processes of a host agree on the
// order without a lock, which a killed process could leave behind.

type Report = { limit: number | undefined; remaining: number | undefined };

type RequestLine =
	| { word: 'take'; id: string; scope: Scope }
	| { word: 'done'; id: string }
	| { word: 'free'; id: string }
	| { word: 'refused'; scope: Scope; until: number; times: number }
	| ({ word: 'told'; scope: Scope; until: number } & Report);

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

type Remainder = {
	/** The platform has not counted the requests of takes after this one. */
	number: number;
	until: number;
	remaining: number;
	elsewhere: number;
};

type Refusal = { at: number; until: number; times: number };

export type RequestLog = ReturnType<typeof createRequestLog>;

type RequestLogOptions = {
	/** The same in all processes that share the log. */
	name: string;
	limits: LimitsByScope;
	msSinceBoot: () => number;
	wallClockNow: () => number;
	hostId?: string;
	files?: RequestFiles | undefined;
	onProblem?: ((message: string) => void) | undefined;
};

const hourMs = 3_600_000;
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
	const reportedLimits = new Map<Scope, { number: number; until: number; limit: number }>();
	const remainders = new Map<Scope, Remainder>();
	const refusals = new Map<Scope, Refusal>();
	let refreshedAt = longAgo;
	let idCount = 0;
	let takeCount = 0;
	let lastDone: Take | undefined;
	let problem: string | undefined;
	let aloneAt = longAgo;

	const untilIn = (milliseconds: number) => Math.floor(wallClockNow() + milliseconds);
	const ownFile = () => `${ownPrefix}${Math.floor(now() / hourMs)}`;
	const isOwn = (name: string) => name === inMemory || name.startsWith(ownPrefix);
	const isOfThisBoot = (name: string) => hostId !== '' && isOwn(name);
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

	function append(lines: readonly RequestLine[], isSynced = false): boolean {
		const written = { wall: wallClockNow(), boot: now() };
		const isWritten = withFiles(each => {
			const file = ownFile();
			// The first line break ends a line that a killed process left incomplete.
			const texts = lines.map(line => textFromLine(line, written));
			each.append(file, `\n${texts.join('\n')}\n`, isSynced);
			if (!known.has(file)) removeOldFiles(each);
		});
		if (!isWritten) for (const line of lines) apply(line, inMemory, now(), written.wall);
		return isWritten;
	}

	function refresh(): boolean {
		const begunAt = now();
		return withFiles(each => {
			const names = each.names().filter(name => name.startsWith(prefix));
			for (const name of names.sort(byHour)) readFile(each, name);
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
		const texts = found.text.split('\n');
		// The last line may be incomplete, and does not count yet.
		texts.pop();
		for (const text of texts) {
			const line = lineFrom(text);
			if (line) {
				current.lastAt = isOfThisBoot(name) ? Math.min(now(), line.boot) : dateOf(line.wall);
				apply(line, name, current.lastAt, line.wall);
			} else if (text !== '') {
				// It may be all that is left of a take.
				for (const scope of scopes)
					addTake(`${name} ${current.offset} ${scope}`, scope, name, current.lastAt);
			}
			current.offset += text.length + 1;
		}
	}

	/** Dates a line by its wall clock. What is new but seems older than the last reading has a clock that is behind. */
	function dateOf(wall: number) {
		const at = now() - (wallClockNow() - wall);
		return at > refreshedAt - maxDelayMs ? Math.min(now(), at) : now();
	}

	function apply(line: RequestLine, file: string, at: number, wall: number) {
		const endOf = (until: number) => at + Math.min(Math.max(0, until - wall), maxRefusalMs);
		switch (line.word) {
			case 'take':
				return addTake(line.id, line.scope, file, at);
			case 'free':
				return void takes.delete(line.id);
			case 'done':
				lastDone = takes.get(line.id);
				if (lastDone) lastDone.doneAt = Math.max(lastDone.at, at);
				return;
			case 'refused': {
				const until = Math.max(endOf(line.until), refusals.get(line.scope)?.until ?? 0);
				return void refusals.set(line.scope, { at, until, times: line.times });
			}
			case 'told':
				if (lastDone) noteReport(lastDone, line, at, endOf(line.until));
		}
	}

	function addTake(id: string, scope: Scope, file: string, at: number) {
		takeCount += 1;
		if (!takes.has(id)) takes.set(id, { id, scope, file, number: takeCount, at });
	}

	/** What a response does not repeat stays in force until its own end. */
	function noteReport(
		{ scope, number }: Take,
		{ limit, remaining }: Report,
		at: number,
		end: number,
	) {
		const rule = limits[scope];
		const isLatest = (last: { number: number } | undefined) => !last || number > last.number;
		if (limit !== undefined && isLatest(reportedLimits.get(scope))) {
			// A limit does not end with the present window, so it counts for at least one more.
			const until = Math.max(end, at + slotLifetimeMs(rule));
			reportedLimits.set(scope, { number, until, limit });
		}
		if (remaining === undefined || !isLatest(remainders.get(scope))) return;
		const ours = takesOf(scope).filter(take => slotEndOf(take, rule) > at).length;
		const counted = Math.min(rule.maxRequests, limit ?? rule.maxRequests) - remaining;
		const elsewhere = Math.max(0, counted - ours);
		remainders.set(scope, { number, until: end, remaining, elsewhere });
	}

	function prune() {
		const time = now();
		for (const take of takes.values())
			if (slotEndOf(take, limits[take.scope]) <= time) takes.delete(take.id);
		for (const [scope, { until }] of refusals)
			if (until + slotLifetimeMs(limits[scope]) <= time) refusals.delete(scope);
		for (const reports of [reportedLimits, remainders])
			for (const [scope, { until }] of reports) if (until <= time) reports.delete(scope);
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
			prune();
			return {
				takes: takesOf(scope).filter(
					({ file, number }) => !before || file !== before.file || number < before.number,
				),
				limit: reportedLimits.get(scope)?.limit,
				remainder: remainders.get(scope),
				refusal: refusals.get(scope),
			};
		},
		/** Undefined if the take is not in the log afterwards, because the file was deleted. */
		take(scope: Scope): Take | undefined {
			idCount += 1;
			const id = `${processId}.${idCount}`;
			const hasOtherHosts = [...takes.values()].some(({ file }) => !isOwn(file));
			const isWritten = append([{ word: 'take', id, scope }], scope === 'create' || hasOtherHosts);
			const isRead = refresh();
			if (isWritten && !isRead) addTake(id, scope, inMemory, now());
			if (isRead && isWritten && problem !== undefined) {
				problem = undefined;
				aloneAt = now();
			}
			return takes.get(id);
		},
		done({ id, scope }: Take, report?: Report & { forMs: number }) {
			const lines: RequestLine[] = [{ word: 'done', id }];
			// A request that ended after its longest time counts from its end.
			if (!takes.has(id)) lines.unshift({ word: 'take', id, scope });
			if (report) {
				const { limit, remaining, forMs } = report;
				lines.push({ word: 'told', scope, limit, remaining, until: untilIn(forMs) });
			}
			append(lines);
			refresh();
		},
		free({ id }: Take) {
			append([{ word: 'free', id }]);
			refresh();
		},
		refused(scope: Scope, forMs: number, times: number) {
			append([{ word: 'refused', scope, until: untilIn(forMs), times }]);
			refresh();
		},
		hasOthers: (scope: Scope) => takesOf(scope).some(({ id }) => !id.startsWith(`${processId}.`)),
		isAlone: (scope: Scope) =>
			problem !== undefined || now() < aloneAt + longestSlotMs(limits[scope]),
	};
}

export const slotEndOf = ({ at, doneAt }: Take, rule: Limit): number =>
	doneAt === undefined ? at + longestSlotMs(rule) : doneAt + slotLifetimeMs(rule);

/** Earlier hours come first, because a request may end in another hour than it began. */
const byHour = (one: string, other: string) => one.length - other.length || (one < other ? -1 : 1);

/** When a line was written: by the wall clock, and in milliseconds since its host started. */
type Written = { wall: number; boot: number };

const fieldsByWord: ReadonlyMap<string, readonly string[]> = new Map([
	['take', ['id', 'scope']],
	['done', ['id']],
	['free', ['id']],
	['refused', ['scope', 'until', 'times']],
	['told', ['scope', 'limit', 'remaining', 'until']],
]);

function textFromLine(line: RequestLine, { wall, boot }: Written): string {
	const values: Readonly<Record<string, string | number | undefined>> = line;
	const fields = fieldsByWord.get(line.word) ?? [];
	const texts = fields.map(field => values[field] ?? '-');
	return [line.word, ...texts, digits(wall), digits(boot)].join(' ');
}

function lineFrom(text: string): (RequestLine & Written) | undefined {
	const [word = '', ...texts] = text.split(' ');
	const fields = fieldsByWord.get(word);
	const boot = texts.at(-1);
	if (!fields || texts.length !== fields.length + 2 || boot !== digits(Number(boot)))
		return undefined;
	const line: Record<string, unknown> = { word };
	for (const [place, field] of [...fields, 'wall', 'boot'].entries()) {
		const value = valueFrom(field, texts[place] ?? '');
		if (value === undefined && !isReported(field)) return undefined;
		line[field] = value;
	}
	return line as RequestLine & Written;
}

const isReported = (field: string) => field === 'limit' || field === 'remaining';

function valueFrom(field: string, text: string): string | number | undefined {
	if (field === 'id') return text;
	if (field === 'scope') return scopes.find(scope => scope === text);
	return /^\d{1,16}$/.test(text) ? Number(text) : undefined;
}

// All times have the same length, so that a line without its last digits is noticed.
const digits = (time: number) => String(Math.floor(time)).padStart(13, '0');
