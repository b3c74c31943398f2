import { onTestFinished } from 'vitest';
import { createActivity } from '../../source/fleet/activity.ts';
import { showSpeech } from '../../source/speech/show-speech.tsx';
import { createLineTerminal } from '../../source/terminal/line-terminal.ts';
import type { Ending } from '../../source/terminal/terminal.ts';
import { createDevice } from './device.ts';
import { createDriver } from './driver.ts';
import { createIdle } from './idle.ts';
import { openScene, type SceneOptions } from './scene.ts';

export type SpokenMonitor = Awaited<ReturnType<typeof openSpokenMonitor>>;

/** The monitor as one hears it: real server, real client, every line that was said, and a held clock. */
export async function openSpokenMonitor(wish: SceneOptions = {}) {
	const { clock, requests, simulator, session, desk } = await openScene(wish);
	const activity = createActivity();
	const device = createDevice([120, 36], clock);
	const endings: Ending[] = [];
	const terminal = createLineTerminal({
		program: device.program,
		clock: device.clock,
		activity,
		hasUnicode: true,
		reportsPath: '/nowhere',
		about: 'the tests',
	});
	terminal.open();
	const shown = showSpeech({
		session,
		terminal: {
			...terminal,
			end(ending) {
				endings.push(ending);
				return terminal.end(ending);
			},
		},
		clock,
		...(desk && { desk }),
	});
	onTestFinished(() => shown.close());
	/** What was heard before is not listened for again. */
	let heardLines = 0;
	const lines = () => device.written().replaceAll('\u0007', '').split('\n');
	const newLines = () => lines().slice(heardLines);
	const idle = createIdle({
		activity,
		requests,
		heldBack: () => simulator.heldBack,
		settled: shown.settled,
		isDrawing: device.isDrawing,
		stalledFrames: device.stalledFrames,
		clock,
		text: () => newLines().join('\n'),
	});

	async function hear(wanted: string | RegExp) {
		await idle();
		const isIt = (line: string) =>
			typeof wanted === 'string' ? line.includes(wanted) : wanted.test(line);
		const at = newLines().findIndex(isIt);
		if (at < 0) throw new Error(`not said: ${wanted}\n\n${newLines().join('\n')}`);
		heardLines += at + 1;
	}

	const driver = createDriver({
		clock,
		idle,
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
		/** Every line that was ever said; the last may not be over yet. */
		lines,
		/** All lines since what was heard last. */
		fresh: newLines,
		/** The line was said since what was heard last, and what came before it is over. */
		hear,
		skipHeard() {
			heardLines = lines().length;
		},
	};
	if (wish.asksForPassword) return spoken;
	await spoken.pass(3000);
	await hear('Press question mark for help');
	return spoken;
}
