import type { Clock } from '../../fleet/clock.ts';
import { phaseOf, type Reading } from '../../fleet/computer.ts';
import type { Failure } from '../../fleet/failure.ts';
import { cleanText } from '../../platform/clean.ts';
import type { Platform } from '../../platform/platform.ts';
import { PlatformError } from '../../platform/platform-error.ts';
import type { RequestOptions } from '../../platform/transport.ts';
import type { Check } from './check.ts';
import type { HttpTap } from './http-tap.ts';

type ReadTools = { platform: Platform; tap: HttpTap; clock: Clock };

export type ReadResult = { check: Check; failure?: Failure; computers?: readonly Reading[] };

// A used-up rate limit may take a minute to recover, and a person takes time to type a password.
const readTimeout = 100_000;

/** Reads the list, which every account has. This first read also signs in. */
export async function listCheck(tools: ReadTools): Promise<ReadResult> {
	let computers: readonly Reading[] = [];
	let unreadable = 0;
	const result = await readCheck('List', tools, async ({ platform }, request) => {
		const list = await platform.listComputers(request);
		computers = list.computers;
		unreadable = list.unreadable ?? 0;
		const pages = list.requests > 1 ? ` on ${list.requests} pages` : '';
		return `${computers.length} computers${pages}, ${fieldsText(computers)}`;
	});
	const check = withUnreadable(withUnknownStatuses(result.check, computers), unreadable);
	return { ...result, computers, check };
}

/** Runs all other reads, one after the other. */
export async function* otherReadChecks(
	tools: ReadTools,
	computers: readonly Reading[],
): AsyncGenerator<Check> {
	const first = computers[0];
	for (const [about, ask] of Object.entries(computerReads)) {
		if (first) {
			yield (await readCheck(about, tools, (each, request) => ask(each, first.id, request))).check;
		} else {
			yield { about, state: 'skipped', said: 'there is no computer to read' };
		}
	}
	for (const [about, ask] of Object.entries(accountReads)) {
		yield (await readCheck(about, tools, ask)).check;
	}
}

type ReadFunction<More extends readonly unknown[] = []> = (
	tools: ReadTools,
	...more: [...More, RequestOptions]
) => Promise<string>;

const computerReads: Readonly<Record<string, ReadFunction<[id: string]>>> = {
	Status: async ({ platform }, id, request) => fieldsText([await platform.readStatus(id, request)]),
	Detail: async ({ platform }, id, request) =>
		fieldsText([await platform.readComputer(id, request)]),
};

const accountReads: Readonly<Record<string, ReadFunction>> = {
	Credits: async ({ platform }, request) => {
		const { balance } = await platform.credits(request);
		return balance === null ? 'no balance' : 'has a balance';
	},
	Subscription: async ({ platform }, request) => {
		const subscription = await platform.subscription(request);
		return subscription ? `plan ${subscription.planName}` : 'none';
	},
	'Latest version': async ({ platform }, request) =>
		(await platform.latestRelease(request)).version,
	Models: async ({ platform }, request) => `${(await platform.models(request)).length} models`,
};

async function readCheck(about: string, tools: ReadTools, ask: ReadFunction): Promise<ReadResult> {
	const { clock, tap } = tools;
	const timeout = new AbortController();
	const cancelTimer = clock.after(readTimeout, () => timeout.abort());
	try {
		const content = await ask(tools, { signal: timeout.signal, priority: 'operation' });
		return {
			check: { about, state: 'right', said: `${responseText(tap)}${content}`, ...lastShape(tap) },
		};
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		const { failure } = error;
		if (failure.kind === 'cancelled') {
			const said = 'not read: other requests have used up the rate limit';
			return {
				failure,
				check: { about, state: 'skipped', said, advice: 'Try again in a minute.' },
			};
		}
		const said = `${responseText(tap)}${failure.message}`;
		return {
			failure,
			check: { about, state: 'wrong', said, advice: failure.advice, ...lastShape(tap) },
		};
	} finally {
		cancelTimer();
	}
}

function lastShape(tap: HttpTap): { shape?: string } {
	const shape = tap.last()?.shape;
	return shape === undefined ? {} : { shape };
}

function responseText(tap: HttpTap): string {
	const seen = tap.last();
	return seen
		? `${seen.status} in ${Math.max(1, Math.round(seen.answeredAt - seen.askedAt))} ms; `
		: '';
}

/** Lists the names of the fields that at least one of these readings has. */
function fieldsText(readings: readonly Reading[]): string {
	const fields = readings.flatMap(reading => Object.entries(reading));
	const names = new Set(fields.flatMap(([name, value]) => (value === null ? [] : [name])));
	return `with ${[...names].join(' ') || 'no fields'}`;
}

function withUnreadable(check: Check, count: number): Check {
	if (count === 0) return check;
	const records = count === 1 ? '1 record' : `${count} records`;
	const advice =
		'No command shows these records. A record needs an id that is text without invisible characters.';
	return { ...check, state: 'unsure', said: `${check.said}; ${records} could not be read`, advice };
}

function withUnknownStatuses(check: Check, computers: readonly Reading[]): Check {
	const unknown = new Set(
		computers.flatMap(({ status }) =>
			status !== undefined && phaseOf(status) === 'unknown' ? [cleanText(status)] : [],
		),
	);
	if (unknown.size === 0 || check.state !== 'right') return check;
	const said = `${check.said}; unknown statuses: ${[...unknown].join(', ')}`;
	return {
		...check,
		state: 'unsure',
		said,
		advice: 'The monitor shows these statuses as the platform spells them.',
	};
}
