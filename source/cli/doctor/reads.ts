import { phaseOf, type Reading } from '../../fleet/computers/computer.ts';
import { type ReadName, readNames } from '../../fleet/fact.ts';
import type { Clock } from '../../foundation/clock.ts';
import { durationText } from '../../foundation/duration.ts';
import type { Failure } from '../../foundation/failure.ts';
import type { Pace } from '../../pace/pace.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { PlatformError } from '../../platform/decoding/platform-error.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RequestOptions } from '../../platform/transport.ts';
import { fleetReadNames } from '../../watch/reads.ts';
import { cannotReadText, troubleWords } from '../../wording/phrases/trouble-text.ts';
import { repeatedText, unreadableText } from '../../wording/table/table-rules.ts';
import type { Check } from './check.ts';
import type { HttpTap } from './http-tap.ts';

type ReadTools = { platform: Platform; pace: Pace; tap: HttpTap; clock: Clock };

type ReadResult = { check: Check; failure?: Failure; computers?: readonly Reading[] };

// A used-up rate limit may need a minute to recover, and a person needs time to type a password.
const readTimeoutMs = 100_000;

const subjects: Readonly<Record<ReadName, string>> = {
	list: 'List',
	status: 'Status',
	detail: 'Detail',
	credits: 'Credits',
	subscription: 'Subscription',
	release: 'Latest version',
	models: 'Models',
};

/** Checks the list of computers. It is the first read, so it also signs in. */
export async function listCheck(tools: ReadTools): Promise<ReadResult> {
	let computers: readonly Reading[] = [];
	let unreadableCount = 0;
	let repeatedCount = 0;
	const result = await readCheck('list', tools, async request => {
		const list = await tools.platform.listComputers(request);
		computers = list.computers;
		unreadableCount = list.unreadable ?? 0;
		repeatedCount = list.repeated ?? 0;
		const pages = list.requestCount > 1 ? ` on ${list.requestCount} pages` : '';
		return `${computers.length} computers${pages}, ${fieldNamesText(computers)}`;
	});
	const check = withUnreadableRecords(
		withUnknownStatuses(result.check, computers),
		unreadableCount,
	);
	if (repeatedCount === 0) return { ...result, computers, check };
	const finding = `${check.finding}; ${repeatedText(repeatedCount)}`;
	const advice = 'Each id has one row. The platform should give each computer an id of its own.';
	return { ...result, computers, check: { ...check, status: 'unsure', finding, advice } };
}

/** Checks every read but the list: first the reads of one computer, then the reads of the account. */
export async function* otherReadChecks(
	tools: ReadTools,
	[firstComputer]: readonly Reading[],
): AsyncGenerator<Check> {
	for (const read of readNames) {
		if (read === 'list') continue;
		const frozen = frozenCheck(read, tools);
		if (frozen) {
			yield frozen;
		} else if (!firstComputer && fleetReadNames.has(read)) {
			const finding = 'there is no computer to read';
			yield { subject: subjects[read], status: 'skipped', finding };
		} else {
			const { check } = await readCheck(read, tools, request =>
				describe[read](tools.platform, request, firstComputer?.id ?? ''),
			);
			yield check;
		}
	}
}

/** Reports a read that the platform has refused until a time, perhaps to another process; undefined if it has not. */
export function frozenCheck(read: ReadName, { pace, clock }: ReadTools): Check | undefined {
	const { frozenUntil } = pace.budgets()[read === 'status' ? 'status' : 'other'];
	if (frozenUntil === undefined) return undefined;
	const left = durationText(frozenUntil - clock.now());
	return {
		subject: subjects[read],
		status: 'wrong',
		finding: `${cannotReadText(read)}: the platform accepts no requests for ${left} (rate limit)`,
		advice: 'crowsnest sends nothing before then. Try again afterwards.',
	};
}

type Describe = (platform: Platform, request: RequestOptions, id: string) => Promise<string>;

/** Sends a read, and says what its response contains. */
const describe: Readonly<Record<Exclude<ReadName, 'list'>, Describe>> = {
	status: async (platform, request, id) => fieldNamesText([await platform.readStatus(id, request)]),
	detail: async (platform, request, id) =>
		fieldNamesText([await platform.readComputer(id, request)]),
	async credits(platform, request) {
		const { balance } = await platform.credits(request);
		return balance === null
			? 'the response does not contain the balance'
			: 'the response contains the balance';
	},
	async subscription(platform, request) {
		const subscription = await platform.subscription(request);
		return subscription ? `plan ${subscription.planName}` : 'none';
	},
	release: async (platform, request) => (await platform.latestRelease(request)).version,
	models: async (platform, request) => `${(await platform.models(request)).length} models`,
};

async function readCheck(
	read: ReadName,
	{ clock, tap }: ReadTools,
	sendAndDescribe: (request: RequestOptions) => Promise<string>,
): Promise<ReadResult> {
	const subject = subjects[read];
	const timeout = new AbortController();
	const cancelTimer = clock.after(readTimeoutMs, () => timeout.abort());
	try {
		const content = await sendAndDescribe({ signal: timeout.signal, priority: 'operation' });
		const finding = `${responseText(tap)}${content}`;
		return { check: { subject, status: 'right', finding, ...lastShape(tap) } };
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		const { failure } = error;
		if (failure.kind === 'cancelled') {
			const finding = `${cannotReadText(read)}: other requests have used up the rate limit`;
			const advice = 'Try again in a minute.';
			return { failure, check: { subject, status: 'wrong', finding, advice } };
		}
		const finding = `${responseText(tap)}${troubleWords({ read, failure }).line}`;
		const { advice } = failure;
		return { failure, check: { subject, status: 'wrong', finding, advice, ...lastShape(tap) } };
	} finally {
		cancelTimer();
	}
}

function lastShape(tap: HttpTap): { shape?: string } {
	const shape = tap.lastExchange()?.shape;
	return shape === undefined ? {} : { shape };
}

function responseText(tap: HttpTap): string {
	const exchange = tap.lastExchange();
	return exchange
		? `${exchange.status} in ${Math.max(1, Math.round(exchange.answeredAt - exchange.sentAt))} ms; `
		: '';
}

/** Lists the names of the fields that have a value in at least one reading. */
function fieldNamesText(readings: readonly Reading[]): string {
	const fields = readings.flatMap(reading => Object.entries(reading));
	const names = new Set(fields.flatMap(([name, value]) => (value === null ? [] : [name])));
	return `with ${[...names].join(' ') || 'no fields'}`;
}

function withUnreadableRecords(check: Check, count: number): Check {
	if (count === 0) return check;
	const advice =
		'No command shows these records, because they have no id that is text without invisible characters.';
	return {
		...check,
		status: 'unsure',
		finding: `${check.finding}; ${unreadableText(count)}`,
		advice,
	};
}

function withUnknownStatuses(check: Check, computers: readonly Reading[]): Check {
	const unknownStatuses = new Set(
		computers.flatMap(({ status }) =>
			status !== undefined && phaseOf(status) === 'unknown' ? [cleanText(status)] : [],
		),
	);
	if (unknownStatuses.size === 0 || check.status !== 'right') return check;
	const finding = `${check.finding}; unknown statuses: ${[...unknownStatuses].join(', ')}`;
	return {
		...check,
		status: 'unsure',
		finding,
		advice: 'The monitor shows these statuses as the platform spells them.',
	};
}
