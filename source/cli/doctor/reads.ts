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

// A spent budget may take a minute, and a person some time to type a password.
const patience = 100_000;

/** The read that every account has, which signs in on its way. */
export async function listCheck(tools: ReadTools): Promise<ReadResult> {
	let computers: readonly Reading[] = [];
	let unreadable = 0;
	const result = await readCheck('List', tools, async ({ platform }, asking) => {
		const list = await platform.listComputers(asking);
		computers = list.computers;
		unreadable = list.unreadable ?? 0;
		const pages = list.requests > 1 ? ` on ${list.requests} pages` : '';
		return `${computers.length} computers${pages}, ${toldBy(computers)}`;
	});
	const check = withUnreadable(withStrangeStatuses(result.check, computers), unreadable);
	return { ...result, computers, check };
}

/** All the other reads, one after the other. */
export async function* otherReadChecks(
	tools: ReadTools,
	computers: readonly Reading[],
): AsyncGenerator<Check> {
	const first = computers[0];
	for (const [about, ask] of Object.entries(readsOfOne)) {
		if (first) {
			yield (await readCheck(about, tools, (each, asking) => ask(each, first.id, asking))).check;
		} else {
			yield { about, state: 'skipped', said: 'there is no computer to ask about' };
		}
	}
	for (const [about, ask] of Object.entries(reads)) {
		yield (await readCheck(about, tools, ask)).check;
	}
}

type Ask<More extends readonly unknown[] = []> = (
	tools: ReadTools,
	...more: [...More, RequestOptions]
) => Promise<string>;

const readsOfOne: Readonly<Record<string, Ask<[id: string]>>> = {
	Status: async ({ platform }, id, asking) => toldBy([await platform.readStatus(id, asking)]),
	Detail: async ({ platform }, id, asking) => toldBy([await platform.readComputer(id, asking)]),
};

const reads: Readonly<Record<string, Ask>> = {
	Credits: async ({ platform }, asking) => {
		const { balance } = await platform.credits(asking);
		return balance === null ? 'no balance told' : 'a balance';
	},
	Subscription: async ({ platform }, asking) => {
		const subscription = await platform.subscription(asking);
		return subscription ? `plan ${subscription.planName}` : 'none';
	},
	'Latest version': async ({ platform }, asking) => (await platform.latestRelease(asking)).version,
	Models: async ({ platform }, asking) => `${(await platform.models(asking)).length} models`,
};

async function readCheck(about: string, tools: ReadTools, ask: Ask): Promise<ReadResult> {
	const { clock, tap } = tools;
	const late = new AbortController();
	const callOff = clock.after(patience, () => late.abort());
	try {
		const understood = await ask(tools, { signal: late.signal, priority: 'operation' });
		const took = tookBy(tap);
		return { check: { about, state: 'right', said: `${took}${understood}`, ...shapeOn(tap) } };
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		const { failure } = error;
		if (failure.kind === 'cancelled') {
			const said = 'its turn did not come: the budget is spent, here or by other programs';
			return {
				failure,
				check: { about, state: 'skipped', said, advice: 'Try again in a minute.' },
			};
		}
		const said = `${tookBy(tap)}${failure.message}`;
		return {
			failure,
			check: { about, state: 'wrong', said, advice: failure.advice, ...shapeOn(tap) },
		};
	} finally {
		callOff();
	}
}

function shapeOn(tap: HttpTap): { shape?: string } {
	const shape = tap.last()?.shape;
	return shape === undefined ? {} : { shape };
}

function tookBy(tap: HttpTap): string {
	const seen = tap.last();
	return seen
		? `${seen.status} in ${Math.max(1, Math.round(seen.answeredAt - seen.askedAt))} ms; `
		: '';
}

/** The fields that any of them tells. */
function toldBy(readings: readonly Reading[]): string {
	const told = readings.flatMap(reading => Object.entries(reading));
	const names = new Set(told.flatMap(([name, value]) => (value === null ? [] : [name])));
	return `telling ${[...names].join(' ') || 'nothing'}`;
}

function withUnreadable(check: Check, count: number): Check {
	if (count === 0) return check;
	const records = count === 1 ? '1 record' : `${count} records`;
	const advice =
		'No command shows them. A record needs an id that is text without invisible characters.';
	return { ...check, state: 'unsure', said: `${check.said}; ${records} could not be read`, advice };
}

function withStrangeStatuses(check: Check, computers: readonly Reading[]): Check {
	const strange = new Set(
		computers.flatMap(({ status }) =>
			status !== undefined && phaseOf(status) === 'unknown' ? [cleanText(status)] : [],
		),
	);
	if (strange.size === 0 || check.state !== 'right') return check;
	const said = `${check.said}; statuses unknown here: ${[...strange].join(', ')}`;
	return { ...check, state: 'unsure', said, advice: 'They are shown as they come.' };
}
