import { onTestFinished } from 'vitest';
import { createActivity } from '../../source/foundation/activity.ts';
import { showSpoken } from '../../source/monitor/spoken/show-spoken.ts';
import { createSessionTable } from '../../source/session/session-table.ts';
import { createLineTerminal } from '../../source/terminal/line-terminal.ts';
import type { Ending } from '../../source/terminal/terminal.ts';
import type { Action } from '../../source/views/scene.ts';
import { createDevice } from './device.ts';
import { createDriver } from './driver.ts';
import { createIdle } from './idle.ts';
import { memoryByName } from './memory.ts';
import { openScene, type SceneOptions } from './scene.ts';

export type SpokenMonitor = Awaited<ReturnType<typeof openSpokenMonitor>>;

/** Opens the spoken monitor with a real server and client, and a clock that the test moves. */
export async function openSpokenMonitor(
	options: SceneOptions & { actions?: readonly Action[] } = {},
) {
	const { actions, ...sceneOptions } = options;
	const { clock, requests, simulator, session } = await openScene(sceneOptions);
	const activity = createActivity();
	const device = createDevice([120, 36], clock);
	const endings: Ending[] = [];
	const terminal = createLineTerminal({
		program: device.program,
		clock: device.clock,
		activity,
		hasUnicode: true,
		crashReportFolder: '/dev/null/reports',
		programInfo: 'the tests',
	});
	terminal.open();
	const shown = showSpoken({
		sessions: createSessionTable([session]),
		terminal: {
			...terminal,
			end(ending) {
				endings.push(ending);
				return terminal.end(ending);
			},
		},
		clock,
		memory: memoryByName(),
		...(actions && { actions }),
	});
	onTestFinished(() => shown.close());
	/** The number of lines that `hear` has searched already. */
	let searchedLines = 0;
	const lines = () => device.written().replaceAll('\u0007', '').split('\n');
	const newLines = () => lines().slice(searchedLines);
	const { idle, answered } = createIdle({
		activity,
		requests,
		heldBack: () => simulator.heldBackCount,
		settled: shown.settled,
		isDrawing: device.isDrawing,
		stalledFrames: device.stalledFrames,
		clock,
		text: () => newLines().join('\n'),
	});

	async function hear(expected: string | RegExp) {
		await idle();
		const isMatch = (line: string) =>
			typeof expected === 'string' ? line.includes(expected) : expected.test(line);
		const at = newLines().findIndex(isMatch);
		if (at < 0) throw new Error(`not said: ${expected}\n\n${newLines().join('\n')}`);
		searchedLines += at + 1;
	}

	const driver = createDriver({
		clock,
		idle,
		answered,
		send: device.send,
		text: () => newLines().join('\n'),
	});
	const spoken = {
		...driver,
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
		/** Fails unless the text is in a line after the last line that `hear` found. */
		hear,
		/** Skips every line that was spoken so far. */
		skipSpokenLines() {
			searchedLines = lines().length - 1;
		},
	};
	// The terminal takes keys from the second turn after its first line.
	for (const _ of [1, 2, 3]) await idle();
	if (options.asksForPassword) return spoken;
	await spoken.pass(3000);
	await hear('Press the question mark for help');
	return spoken;
}
