import type { Reading } from '../fleet/computers/computer.ts';
import { busyCpu, idleLimitMsOf } from '../fleet/computers/stop-reason.ts';
import { type Fact, type FactBody, factTable } from '../fleet/fact.ts';
import type { Operation } from '../fleet/operations/operation.ts';
import { operationFact } from '../fleet/operations/operation-fact.ts';
import * as v from '../foundation/schema.ts';
import { validatorOf } from '../foundation/validate.ts';
import { changeEntryFrom, creditEntryFrom, newEntriesOf } from '../journal/journal-entry.ts';
import { usageAt } from '../simulator/world/computer.ts';
import type { PastOperation, WorldPast } from '../simulator/world/story.ts';
import type { World } from '../simulator/world/world.ts';
import { fold } from '../store/fold.ts';
import { emptyState } from '../store/state.ts';
import {
	emptyUsage,
	recalledUsageFrom,
	slotCount,
	slotMs,
	usageAfter,
} from '../store/usage-history.ts';
import { isFleet, readingOf, restoredFrom } from './demo-fleet.ts';

// The demo has no files. The process that runs its world watches the past of the world as a monitor would have, and
// sends the lines that the journal would have:
//
//   past of the world ──▶ facts ──▶ store ──▶ journal lines ══ message ══▶ facts ──▶ store of the monitor

type DemoWorld = {
	past: WorldPast;
	owner: string;
	/** The key of the account in the journal. */
	account?: string;
	plan: string;
	now: number;
	/** Returns the usage of the computers at an earlier time. */
	usageAt: (at: number) => readonly Pick<Reading, 'id' | 'cpu' | 'memory'>[];
};

const storySchema = v.object({
	type: v.oneOf(['story']),
	changes: v.listOf(v.text),
	credits: v.listOf(v.text),
	usage: v.optional(v.object(factTable.usageRecalled)),
});

/** The message with the past, which the process of the demo sends to the monitor. */
export type DemoStory = v.ValueOf<typeof storySchema>;

const { isValid: isStory } = validatorOf(storySchema);

/** Returns the facts in a message of the demo; undefined if the message has no facts. */
export function factsFromStory(
	message: unknown,
	account: string,
	at: number,
): readonly Fact[] | undefined {
	if (isFleet(message)) {
		return [{ account, at, type: 'fleetRecalled', computers: message.computers }];
	}
	if (!isStory(message)) return undefined;
	const changes = message.changes.flatMap(line => changeEntryFrom(line)?.what ?? []);
	const samples = message.credits.flatMap(line => creditEntryFrom(line)?.what ?? []);
	const { usage } = message;
	return [
		{ account, at, type: 'pastRecalled', changes, samples },
		...(usage ? [{ account, at, type: 'usageRecalled', ...usage } as const] : []),
	];
}

const maxChanges = 1_000;

/** Writes the past of a world as the journal of a monitor that watched it all the time. */
export function journalStoryFrom(world: DemoWorld): DemoStory {
	const { account = 'demo' } = world;
	const changes: string[] = [];
	const credits: string[] = [];
	let state = emptyState;
	for (const fact of pastFacts(world)) {
		const before = state;
		const whole = { account, ...fact } as Fact;
		state = fold(before, whole);
		const entries = newEntriesOf(before, whole, state);
		for (const entry of entries.changes) changes.push(JSON.stringify(entry));
		for (const entry of entries.credits) credits.push(JSON.stringify(entry));
	}
	const usage = recentUsage(world);
	return {
		type: 'story',
		changes: changes.slice(-maxChanges),
		credits,
		...(usage && { usage }),
	};
}

type PastFact = FactBody & { at: number };

function pastFacts(world: DemoWorld): readonly PastFact[] {
	const { past, owner, now } = world;
	const others: readonly PastFact[] = [
		{ type: 'signedIn', email: owner, at: past.since },
		...past.balances.map(({ at, balance }) => ({
			type: 'creditsRead' as const,
			credits: { balance },
			at,
		})),
		...past.operations.flatMap((operation, index) => operationFacts(operation, index, owner)),
		...releaseFacts(past, now),
	];
	return [...readFacts(world), ...others].sort((a, b) => a.at - b.at);
}

const noticedAfterMs = 1_000;

// The longest time between two reads of the past. After a longer pause, a computer could have slept unnoticed, and
// the past would show that.
const watchIntervalMs = 10 * 60_000;

const listOf = (readings: ReadonlyMap<string, Reading>, at: number): PastFact => ({
	type: 'listRead',
	computers: [...readings.values()],
	at,
});

/**
 * Reads each computer shortly before and after each of its changes, and some computer at regular intervals. Computers
 * without a change are left out, because each read would take longer with them.
 */
function readFacts({ past, plan, now }: DemoWorld): readonly PastFact[] {
	const changed = new Set([...past.states, ...past.operations].map(({ computer }) => computer.id));
	const watched = past.computersBefore.filter(({ id }) => changed.has(id));
	const readings = new Map(watched.map(each => [each.id, readingOf(each)]));
	const [first] = readings.values();
	const computers = watched.map(each => restoredFrom(each, past.since));
	const facts: PastFact[] = [
		{ type: 'fleetRecalled', computers, at: past.since },
		{ type: 'subscriptionRead', subscription: { plan, planName: plan }, at: past.since },
		listOf(readings, past.since),
	];
	for (const { at, computer } of past.states) {
		const before = readings.get(computer.id);
		const after = readingOf(computer);
		if (!before) facts.push(listOf(readings, at - noticedAfterMs));
		readings.set(computer.id, after);
		if (!before) facts.push(listOf(readings, at + noticedAfterMs));
		if (before) {
			if (before.status === 'active' && computer.stoppedBy === 'idleness')
				facts.push(...idleTimeFacts(computer.id, at, plan, past.since));
			facts.push({ type: 'statusRead', computer: before, at: at - noticedAfterMs });
			facts.push({ type: 'statusRead', computer: after, at: at + noticedAfterMs });
		}
	}
	for (let at = past.since; first && at < now; at += watchIntervalMs) {
		facts.push({ type: 'statusRead', computer: { id: first.id }, at });
	}
	return facts;
}

/** Shows a computer busy for the last time as long before its sleep as the plan lets it idle, and idle right before. */
function idleTimeFacts(id: string, at: number, plan: string, since: number): readonly PastFact[] {
	const busyAt = at - (idleLimitMsOf(plan) ?? 0);
	const cpuAt = (cpu: number, time: number): PastFact => ({
		type: 'statusRead',
		computer: { id, cpu },
		at: Math.max(since, time),
	});
	return [cpuAt(2 * busyCpu, busyAt), cpuAt(0, at - 2 * noticedAfterMs)];
}

/** Samples the usage of the last 30 minutes, up to the present slot, so that the first read leaves no gap. */
function recentUsage({ usageAt, now }: DemoWorld): DemoStory['usage'] {
	let usage = emptyUsage;
	for (let slot = slotCount - 1; slot >= 0; slot -= 1) {
		const at = now - slot * slotMs;
		usage = usageAfter(usage, usageAt(at), at);
	}
	return recalledUsageFrom(usage);
}

function operationFacts(
	{ at, endedAt, operation, computer: { id, name }, who, batch }: PastOperation,
	index: number,
	owner: string,
): readonly PastFact[] {
	const key = `story-${index}`;
	const spec = { key, operation, computer: id, name, batch: `story-${batch}` };
	const sent: Operation = { spec, stage: 'sent', askedAt: at, sentAt: at, hasPhaseChanged: false };
	const accepted: Operation = { ...sent, stage: 'accepted', acceptedAt: at };
	const settledAt = endedAt + 2 * noticedAfterMs;
	const email = who ?? owner;
	return [
		{ type: 'signedIn', email, at },
		{ ...operationFact(sent), at },
		{ ...operationFact(accepted), at },
		{ type: 'signedIn', email, at: settledAt },
		{ ...operationFact({ ...accepted, stage: 'done', endedAt: settledAt }), at: settledAt },
		{ type: 'signedIn', email: owner, at: settledAt },
	];
}

function releaseFacts({ releases, since }: WorldPast, now: number): readonly PastFact[] {
	return releases
		.filter(({ releasedAt }) => releasedAt <= now)
		.slice(-2)
		.map(({ version, title, releasedAt }) => ({
			type: 'releaseRead' as const,
			release: { version, title, changes: [] },
			at: Math.max(since, releasedAt),
		}));
}

// The usage of more computers would delay the first screen of the demo.
const maxSampledComputers = 2_000;

/** Returns the story of a simulated world, or undefined if the world has no past. */
export function storyOfWorld(world: World, owner: string, account?: string): DemoStory | undefined {
	const past = world.past();
	const sampled = world.computers().slice(0, maxSampledComputers);
	return (
		past &&
		journalStoryFrom({
			past,
			owner,
			...(account !== undefined && { account }),
			plan: world.plan,
			now: world.now(),
			usageAt: at =>
				sampled
					.filter(({ startedAt }) => startedAt !== null && startedAt <= at)
					.filter(({ unreachableSince = at }) => at <= unreachableSince)
					.map(computer => ({ id: computer.id, ...usageAt(world.seed, computer, at) })),
		})
	);
}
