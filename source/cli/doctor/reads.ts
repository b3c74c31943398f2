import { phaseOf, type Reading } from '../../fleet/computers/computer.ts';
import type { ReadName } from '../../fleet/fact.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Failure } from '../../foundation/failure.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { PlatformError } from '../../platform/decoding/platform-error.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RequestOptions } from '../../platform/transport.ts';
import type { Check } from './check.ts';
import type { HttpTap } from './http-tap.ts';

type ReadTools = { platform: Platform; tap: HttpTap; clock: Clock };

type ReadResult = { check: Check; failure?: Failure; computers?: readonly Reading[] };

// A used-up rate limit may need a minute to recover, and a person needs time to type a password.
const readTimeoutMs = 100_000;

/** Checks the list of computers. It is the first read, so it also signs in. */
export async function listCheck(tools: ReadTools): Promise<ReadResult> {
	let computers: readonly Reading[] = [];
	let unreadableCount = 0;
	const result = await readCheck('List', tools, async ({ platform }, request) => {
		const list = await platform.listComputers(request);
		computers = list.computers;
		unreadableCount = list.unreadable ?? 0;
		const pages = list.requestCount > 1 ? ` on ${list.requestCount} pages` : '';
		return `${computers.length} computers${pages}, ${fieldNamesText(computers)}`;
	});
	const check = withUnreadableRecords(
		withUnknownStatuses(result.check, computers),
		unreadableCount,
	);
	return { ...result, computers, check };
}

/** Checks every read but the list: first the reads of one computer, then the reads of the account. */
export async function* otherReadChecks(
	tools: ReadTools,
	computers: readonly Reading[],
): AsyncGenerator<Check> {
	const firstComputer = computers[0];
	for (const { subject, describe } of Object.values(computerReads)) {
		if (firstComputer) {
			yield (
				await readCheck(subject, tools, (readTools, request) =>
					describe(readTools, firstComputer.id, request),
				)
			).check;
		} else {
			yield { subject, status: 'skipped', finding: 'there is no computer to read' };
		}
	}
	for (const { subject, describe } of Object.values(accountReads)) {
		yield (await readCheck(subject, tools, describe)).check;
	}
}

type ReadFunction<More extends readonly unknown[] = []> = (
	tools: ReadTools,
	...more: [...More, RequestOptions]
) => Promise<string>;

type ComputerReadName = 'status' | 'detail';

type ReadChecks<Name extends string, More extends readonly unknown[] = []> = Readonly<
	Record<Name, { subject: string; describe: ReadFunction<More> }>
>;

const computerReads: ReadChecks<ComputerReadName, [id: string]> = {
	status: {
		subject: 'Status',
		describe: async ({ platform }, id, request) =>
			fieldNamesText([await platform.readStatus(id, request)]),
	},
	detail: {
		subject: 'Detail',
		describe: async ({ platform }, id, request) =>
			fieldNamesText([await platform.readComputer(id, request)]),
	},
};

const accountReads: ReadChecks<Exclude<ReadName, 'list' | ComputerReadName>> = {
	credits: {
		subject: 'Credits',
		async describe({ platform }, request) {
			const { balance } = await platform.credits(request);
			return balance === null
				? 'the response does not contain the balance'
				: 'the response contains the balance';
		},
	},
	subscription: {
		subject: 'Subscription',
		async describe({ platform }, request) {
			const subscription = await platform.subscription(request);
			return subscription ? `plan ${subscription.planName}` : 'none';
		},
	},
	release: {
		subject: 'Latest version',
		describe: async ({ platform }, request) => (await platform.latestRelease(request)).version,
	},
	models: {
		subject: 'Models',
		describe: async ({ platform }, request) => `${(await platform.models(request)).length} models`,
	},
};

async function readCheck(
	subject: string,
	tools: ReadTools,
	readAndDescribe: ReadFunction,
): Promise<ReadResult> {
	const { clock, tap } = tools;
	const timeout = new AbortController();
	const cancelTimer = clock.after(readTimeoutMs, () => timeout.abort());
	try {
		const contentText = await readAndDescribe(tools, {
			signal: timeout.signal,
			priority: 'operation',
		});
		return {
			check: {
				subject,
				status: 'right',
				finding: `${responseText(tap)}${contentText}`,
				...lastShape(tap),
			},
		};
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		const { failure } = error;
		if (failure.kind === 'cancelled') {
			const finding = 'not read: other requests have used up the rate limit';
			return {
				failure,
				check: { subject, status: 'skipped', finding, advice: 'Try again in a minute.' },
			};
		}
		const finding = `${responseText(tap)}${failure.message}`;
		return {
			failure,
			check: { subject, status: 'wrong', finding, advice: failure.advice, ...lastShape(tap) },
		};
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
	const records = count === 1 ? '1 record' : `${count} records`;
	const advice =
		'No command shows these records, because they have no id that is text without invisible characters.';
	return {
		...check,
		status: 'unsure',
		finding: `${check.finding}; ${records} could not be read`,
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
