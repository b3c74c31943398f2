import { onTestFinished } from 'vitest';
import { createActivity } from '../../source/foundation/activity.ts';
import { showSpoken } from '../../source/monitor/spoken/show-spoken.ts';
import { createSessionTable } from '../../source/session/session-table.ts';
import { createLineTerminal } from '../../source/terminal/line-terminal.ts';
import type { Action } from '../../source/views/scene.ts';
import { createDevice } from './device.ts';
import { createDriver, followedBy, has, type Seen } from './driver.ts';
import { memoryByName } from './memory.ts';
import { programInTests, withEndings } from './monitor.ts';
import { openScene, type SceneOptions } from './scene.ts';

export type SpokenMonitor = Awaited<ReturnType<typeof openSpokenMonitor>>;

/** Opens the spoken monitor with a real server and client, and a clock that the test moves. */
export async function openSpokenMonitor(
	options: SceneOptions & { actions?: readonly Action[] } = {},
) {
	const { actions, ...sceneOptions } = options;
	const { clock, requests, simulator, session } = await openScene({
		profile: 'test',
		...sceneOptions,
	});
	const activity = createActivity();
	const device = createDevice([120, 36], clock);
	const { terminal, endings } = withEndings(
		createLineTerminal({ ...programInTests(device), activity, hasUnicode: true }),
	);
	terminal.open();
	const shown = showSpoken({
		sessions: createSessionTable([session]),
		terminal,
		clock,
		memory: memoryByName(),
		...(actions && { actions }),
	});
	onTestFinished(() => shown.close());
	/** The number of lines that `hear` has searched already. */
	let searchedLines = 0;
	const lines = () => device.written().replaceAll('\u0007', '').split('\n');
	const newLines = () => lines().slice(searchedLines);
	const driver = await createDriver({
		...device,
		clock,
		activity,
		requests,
		heldBack: () => simulator.heldBackCount,
		settled: shown.settled,
		text: () => newLines().join('\n'),
	});

	async function hear(...expected: readonly Seen[]) {
		await driver.idle();
		for (const each of expected) {
			const at = newLines().findIndex(line => has(line, each));
			if (at < 0) throw new Error(`not said: ${each}\n\n${newLines().join('\n')}`);
			searchedLines += at + 1;
		}
	}

	const step = followedBy(done => ({
		hear: (...expected: readonly Seen[]) => done.then(() => hear(...expected)),
	}));
	const spoken = {
		...driver,
		press: step(driver.press),
		pass: step(driver.pass),
		answer: step(driver.answer),

		clock,
		simulator,
		session,
		device,
		endings,
		resume: device.continue,
		/** Returns every spoken line. The last line may be incomplete. */
		lines,
		/** Returns the lines after the last line that `hear` found. */
		newLines,
		/** Fails unless each text is in a line after the last line that `hear` found. */
		hear,
		/** Skips every line that was spoken so far. */
		skipSpokenLines() {
			searchedLines = lines().length - 1;
		},
	};
	if (options.asksForPassword) return spoken;
	await spoken.pass(3000);
	await hear('Press the question mark for help');
	return spoken;
}
