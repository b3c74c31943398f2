import { existsSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Change, mergeChanges } from '../../source/fleet/change.ts';
import { readLines } from '../../source/journal/log-files.ts';
import { createSimulator } from '../../source/simulator/simulator.ts';
import { createFastClock, speed } from './fast-clock.ts';
import { type PaneProcess, preparePanes } from './pane-processes.ts';

// With `TEST_MINUTES`, more panes of a larger fleet are disturbed for that long. Many panes on a busy machine look silent
// on a fast clock, so it is slower then.
const { TEST_MINUTES: minutes, TEST_SEED: wantedSeed } = process.env;
const [paneCount, computers] = minutes === undefined ? [3, 12] : [10, 1000];
const fewKills = 3;
const seed = Number(wantedSeed ?? Math.floor(Math.random() * 0x7fff_ffff));

/** Returns numbers from 0 to below 1 that follow from the seed. */
function createRandom(from: number) {
	let state = from >>> 0;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 0x1_0000_0000;
	};
}

// On a busy machine, many panes wait for the processor most of the time, so the limit is long.
const timeout = minutes === undefined ? 60_000 : 180_000;

/** Waits for the condition. If it does not come true, the error says in which state each pane is. */
const until = (what: string, panes: readonly PaneProcess[], condition: () => boolean) =>
	vi.waitUntil(condition, { timeout, interval: 5 }).catch(() => {
		const states = panes.map(
			({ child, role, isStopped, lists, newsAt, polledAt }) =>
				`${child.pid} ${isStopped ? 'stopped while ' : ''}${role}: ${lists} lists, the last ${Date.now() - newsAt} ms ago, ${polledAt.length} requested`,
		);
		throw new Error(`${what}: not within ${timeout / 1_000} s\n${states.join('\n')}`);
	});

/** Returns every change of a status in the journal, and how many lines it has. */
function journalOf(folder: string) {
	const changes = readLines(join(folder, 'log'))
		.map(line => JSON.parse(line).what as Change)
		.filter(({ type }) => type === 'statusChanged');
	return { lines: changes.length, changes: mergeChanges([], changes) };
}

const isFleetKept = (folder: string) =>
	existsSync(join(folder, 'log')) &&
	readdirSync(join(folder, 'log')).some(name => /^fleet-.*\.json$/.test(name));

/** Returns the changes that do not begin with the status that the previous change led to. */
function gapsIn(changes: readonly Change[]) {
	const statuses = new Map<string, string | null>();
	return changes.filter(change => {
		if (change.type !== 'statusChanged') return false;
		const before = statuses.has(change.id) ? statuses.get(change.id) : change.from;
		statuses.set(change.id, change.to);
		return change.from !== before;
	});
}

/** A computer of the simulator ends its creation, falls asleep and wakes up by itself. */
const wordsBetween = new Set(['provisioning', 'stopping', 'stopped', 'starting']);

const textOf = (change: Change) =>
	change.type === 'statusChanged' ? `${change.id} ${change.from} ${change.to}` : change.type;

test(`while panes are killed, stopped and closed at random, one of them polls, and each change is journalled once (seed ${seed})`, async () => {
	const random = createRandom(seed);
	const choose = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T;
	const simulator = await createSimulator({ clock: createFastClock(), computers });
	onTestFinished(simulator.close);
	const { folder, socket, start } = preparePanes(simulator);
	// A computer that starts after this may be known to the panes as starting.
	const begunAt = simulator.world.now();
	let panes: PaneProcess[] = Array.from({ length: paneCount }, () => start());
	await until('each pane has a list', panes, () => panes.every(({ lists }) => lists > 0));
	// If all panes are killed before the fleet is kept, the next ones cannot know what has changed.
	await until('the fleet is kept', panes, () => isFleetKept(folder));

	const expected: string[] = [];
	let oldestNewsMs = 0;
	let newcomers = 0;

	/** Fails a computer that has run since the beginning, or adds one. Each changes once. */
	function changeWorld() {
		const untouched = simulator.world
			.computers()
			.filter(({ state, stateSince }) => state === 'active' && stateSince < begunAt)
			.filter(({ id }) => !expected.some(text => text.startsWith(id)));
		const target = choose(untouched);
		if (target && untouched.length > 3) {
			simulator.world.fail(target.id);
			expected.push(`${target.id} active error`);
		} else {
			newcomers += 1;
			const { id } = simulator.world.add({ name: `newcomer-${newcomers}` });
			expected.push(`${id} null active`);
		}
	}

	/** Returns whether a pane has learned of this number of further lists. */
	function createListTest(count: number) {
		const before = new Map(panes.map(pane => [pane, pane.lists]));
		return () => panes.some(pane => pane.lists >= (before.get(pane) ?? 0) + count);
	}

	async function end(pane: PaneProcess, signal: 'SIGKILL' | 'SIGTERM') {
		resume(pane);
		pane.child.kill(signal);
		await until('a pane ends', [pane], () => pane.role === 'ended');
		panes = panes.filter(other => other !== pane);
	}

	function resume(pane: PaneProcess) {
		if (!pane.isStopped) return;
		pane.isStopped = false;
		pane.child.kill('SIGCONT');
		pane.newsAt = Date.now();
	}

	async function disturb() {
		const leader = panes.find(({ role }) => role === 'leading');
		const pane = leader && random() < 0.6 ? leader : choose(panes);
		const dice = random();
		const running = panes.filter(({ isStopped }) => !isStopped);
		if (dice < 0.7) {
			await end(pane, dice < 0.6 ? 'SIGKILL' : 'SIGTERM');
			panes.push(start());
		} else if (dice < 0.9 && !pane.isStopped && running.length > 1) {
			pane.isStopped = true;
			pane.child.kill('SIGSTOP');
			// A leader that is stopped is replaced within a few lists.
			const isOver = createListTest(1 + Math.floor(random() * 6));
			void until('lists arrive', [], () => isOver() || !pane.isStopped)
				.catch(() => {})
				.then(() => resume(pane));
		} else if (existsSync(socket)) unlinkSync(socket);
	}

	const endsAt = Date.now() + Number(minutes ?? 0) * 60_000;
	let kills = 0;
	for (; kills < fewKills || Date.now() < endsAt; kills += 1) {
		changeWorld();
		if (random() < 0.5) await until('a pane has a list', panes, createListTest(1));
		await disturb();
		if (random() < 0.5) changeWorld();
		if (random() < 0.5) await until('a pane has a list', panes, createListTest(1));
		const ages = panes
			.filter(({ isStopped }) => !isStopped)
			.map(({ newsAt }) => Date.now() - newsAt);
		oldestNewsMs = Math.max(oldestNewsMs, ...ages);
	}
	for (const pane of panes) resume(pane);
	const listsBefore = new Map(panes.map(pane => [pane, pane.lists]));
	await until('each pane has two more lists', panes, () =>
		panes.every(pane => pane.lists > (listsBefore.get(pane) ?? 0) + 1),
	);
	await until('one pane polls', panes, () => {
		const polls = panes.flatMap(pane => pane.polledAt.map(at => ({ pane, at })));
		const latest = polls.sort((a, b) => a.at - b.at).slice(-3);
		return latest.length === 3 && new Set(latest.map(({ pane }) => pane)).size === 1;
	});
	const ids = new Set(expected.map(text => text.split(' ')[0]));
	const isOurs = (change: Change) =>
		change.type === 'statusChanged' &&
		ids.has(change.id) &&
		![change.from, change.to].some(word => word !== null && wordsBetween.has(word));
	// The comparison below says which change is missing.
	const journalled = () => journalOf(folder).changes.filter(isOurs).length;
	await until('changes', panes, () => journalled() >= expected.length).catch(() => {});
	await Promise.all(panes.map(pane => end(pane, 'SIGTERM')));

	const journal = journalOf(folder);
	expect(journal.changes.filter(isOurs).map(textOf).toSorted()).toEqual(expected.toSorted());
	expect(gapsIn(journal.changes)).toEqual([]);
	expect(simulator.requests.filter(({ status }) => status === 429)).toEqual([]);
	process.stdout.write(
		`${kills} disturbances: ${expected.length} changes in ${journal.lines} lines (${journal.changes.length} different), oldest news ${((oldestNewsMs * speed) / 1_000).toFixed(1)} s\n`,
	);
}, 3_600_000);
