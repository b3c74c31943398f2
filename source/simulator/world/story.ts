import type { Change } from '../../fleet/change.ts';
import type { CreditSample } from '../../fleet/computers/runway.ts';
import { dayMs, hourMs, minuteMs } from '../../foundation/duration.ts';
import { addExistingComputer, addFleet } from './fleet.ts';
import type { Computer, Provisioning } from './simulated-computer.ts';
import { type Before, burnPerMs, type OperationName, type Plan, World } from './world.ts';

const weekMs = 7 * dayMs;

type Event = {
	ago: number;
	what: OperationName | 'fail' | 'sleep' | 'lose machine';
	computers: readonly number[];
	who?: string;
};

/** The week before the demo opens, beside the sleepers, which fall asleep and wake up all the time. */
const events: readonly Event[] = [
	{ ago: 26 * hourMs, what: 'stop', computers: [15] },
	{ ago: 24 * hourMs, what: 'update', computers: [6, 9, 12, 18], who: 'norma@example.com' },
	{ ago: 5 * hourMs, what: 'restart', computers: [12] },
	{ ago: 3 * hourMs, what: 'restart', computers: [0] },
	{ ago: 52 * minuteMs, what: 'fail', computers: [3] },
	{ ago: 12 * minuteMs, what: 'sleep', computers: [2] },
	{ ago: 9 * minuteMs, what: 'lose machine', computers: [20] },
];
const sleepers = [2, 7, 10, 19];
const idling = [9, 16];
const outdated = [2, 5, 16, 6, 9, 12, 18];
const livingCount = 24;

type Creation = { ago: number; durationMs: number; failure?: NonNullable<Provisioning['failure']> };

const pastCreations: readonly Creation[] = [
	{ ago: 49 * hourMs, durationMs: 55_000 },
	{ ago: 48 * hourMs, durationMs: 51_000 },
];
const failure = { atFraction: 0.7, message: 'no capacity left in the chosen location' };
const presentCreations: readonly Creation[] = [
	{ ago: 40_000, durationMs: 55_000 },
	{ ago: 9_000, durationMs: 64_000, failure },
];

/** When the demo opens: 71.03 for the usual fleet, which last for more than a day. */
const creditsPerComputer = 71.0273 / livingCount;

type StoryOptions = { seed: number; plan: Plan; computers: number; owner: string };

type Past = { changes: readonly Change[]; samples: readonly CreditSample[] };

export function openInStory(
	{ seed, plan, computers, owner }: StoryOptions,
	clock: { now(): number },
): { world: World; past: Past } {
	const opensAt = clock.now();
	let time: number | undefined = opensAt - weekMs;
	const now = () => time ?? clock.now();
	const world = new World(seed, plan, { now }, opensAt);
	const settledCount = Math.max(0, computers - presentCreations.length);
	const isWhole = settledCount >= livingCount - pastCreations.length;
	const createdCount = isWhole ? pastCreations.length : 0;
	for (let number = 0; number < Math.min(livingCount, settledCount) - createdCount; number += 1) {
		const computer = addExistingComputer(world, number);
		computer.isAlwaysInUse = !sleepers.includes(number);
		computer.isIdling = idling.includes(number);
		computer.version = world.releases().at(outdated.includes(number) ? -4 : -1)?.version ?? null;
	}

	const changes: Change[] = [];
	world.onChange = (computer, before) => {
		changes.push(statusChange(computer, before));
	};
	for (const creation of pastCreations.slice(0, createdCount)) {
		time = opensAt - creation.ago;
		addCreation(world, creation, time).isAlwaysInUse = true;
	}
	for (const { ago, what, computers: numbers, who = owner } of events) {
		const at = opensAt - ago;
		time = at;
		const batch = `story-${ago}`;
		for (const computer of numbers.map(number => world.computers()[number])) {
			if (!computer) continue;
			const { id, name, state } = computer;
			if (what !== 'fail' && what !== 'sleep' && what !== 'lose machine') {
				if ('refused' in world.operate(what, computer)) continue;
				const wish = { key: `${batch}-${id}`, operation: what, computer: id, name, batch };
				const step = { type: 'operationMoved', wish, who } as const;
				const took = computer.stateEndsAt - at;
				changes.push({ ...step, at, to: 'sent', took: 0 });
				changes.push({ ...step, at: at + took, to: 'settled', took });
			} else if (state === 'active') {
				if (what === 'sleep') world.sleep(id);
				else if (what === 'fail') world.fail(id, 'image pull failed: disk quota exceeded');
				else computer.unreachableSince = at;
			}
		}
	}
	time = undefined;
	world.onChange = () => {};
	addFleet(world, settledCount, world.computers().length);
	for (const creation of presentCreations.slice(0, computers))
		addCreation(world, creation, opensAt - creation.ago);
	world.setCredits(Math.max(22, creditsPerComputer * computers));

	const byTime = (first: { at: number }, second: { at: number }) => first.at - second.at;
	const samples = creditsBefore(world, changes.toSorted(byTime));
	for (const [index, { version: to, releasedAt: at }] of world.releases().entries()) {
		const from = world.releases()[index - 1]?.version ?? to;
		changes.push({ type: 'released', at, notBefore: at, from, to });
	}
	for (const [index, { at, balance: to }] of samples.entries()) {
		const { at: notBefore, balance: from } = samples[index - 1] ?? { at, balance: to };
		if (to > from) changes.push({ type: 'toppedUp', at, notBefore, from, to });
	}
	const ofTheWeek = changes.filter(({ at }) => at > opensAt - weekMs);
	return { world, past: { changes: ofTheWeek.sort(byTime), samples } };
}

function addCreation(world: World, { durationMs, failure }: Creation, startedAt: number): Computer {
	const computer = world.addComputer(startedAt);
	world.enter(computer, 'provisioning', startedAt, {
		provisioning: { startedAt, durationMs, failure },
	});
	return computer;
}

const stopReasons = { idleness: 'asleep', owner: 'asked', credits: 'credits' } as const;

function statusChange(computer: Computer, before: Before): Change {
	const { id, name, state, stateSince: at, stoppedBy, error } = computer;
	const isNew = state === 'provisioning';
	return {
		type: 'statusChanged',
		at,
		notBefore: at,
		id,
		name,
		from: isNew ? null : before.state,
		to: state,
		lasted: isNew ? undefined : at - before.stateSince,
		wasAsleep: (before.state === 'stopped' && before.stoppedBy === 'idleness') || undefined,
		reason: state === 'stopped' && stoppedBy ? stopReasons[stoppedBy] : undefined,
		error: state === 'error' ? (error ?? undefined) : undefined,
	};
}

/** The balance of the week, from the present one and from when the computers were active. */
function creditsBefore(world: World, changes: readonly Change[]): readonly CreditSample[] {
	const { total } = world.balance();
	let active = world.computers().filter(({ state }) => state === 'active').length;
	let [next, until, spent] = [changes.length - 1, world.now(), 0];
	const samples: CreditSample[] = [];
	for (let ago = 0; ago <= weekMs; ago += (ago < 3 * hourMs ? 5 : 30) * minuteMs) {
		const at = world.now() - ago;
		for (let change = changes[next]; change && change.at > at; change = changes[--next]) {
			if (change.type !== 'statusChanged') continue;
			spent += active * burnPerMs * (until - change.at);
			active += Number(change.from === 'active') - Number(change.to === 'active');
			until = change.at;
		}
		spent += active * burnPerMs * (until - at);
		until = at;
		// At a quarter of the present balance, the owner pays for as much again.
		const balance = total / 4 + ((0.75 * total + spent) % total);
		samples.push({ at, balance: Math.round(100 * balance) / 100 });
	}
	return samples.reverse();
}
