import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { openReplayLookout } from '../../source/commands/replay-lookout.ts';
import { createPlayer } from '../../source/commands/replay-player.ts';
import { showLookout } from '../../source/commands/show-lookout.tsx';
import { createRecorder, type RecorderOptions } from '../../source/journal/recording.ts';
import { createReel } from '../../source/journal/recording-reel.ts';
import { bindings } from '../../source/keys/bindings.ts';
import { replayBindings } from '../../source/keys/replay-bindings.ts';
import { createHeldClock } from '../held-clock.ts';
import { tapeOf } from '../journal/recorded.ts';
import { stateDirectory } from '../journal/state-directory.ts';
import { createStageTerminal, type Stage } from './stage.ts';

/** Records what a stage goes through from now on; `end` gives what then lies on disk. */
export async function recordStage(
	{ clock, lookout }: Stage,
	options: Partial<RecorderOptions> = {},
) {
	const path = join(await stateDirectory(), '..', 'recording.jsonl');
	const recorder = await createRecorder({
		path,
		clock,
		areNamesReplaced: false,
		isForced: false,
		onTrouble(message) {
			throw new Error(message);
		},
		...options,
	});
	const { account, baseUrl, store } = lookout;
	store.witness(recorder.begin({ program: '1.2.3', account, baseUrl }));
	return {
		async end() {
			await recorder.close();
			return readFile(path, 'utf8');
		},
	};
}

type Wish = {
	size?: readonly [columns: number, rows: number];
	speed?: number;
	isPaused?: boolean;
	from?: number;
};

const keys: Readonly<Record<string, string>> = {
	enter: '\r',
	escape: '\x1b',
	left: '\x1b[D',
	right: '\x1b[C',
	'ctrl-right': '\x1b[1;5C',
	space: ' ',
};

/** A recording on a stage: what is seen of it, with a clock that is held. */
export async function openReplayStage(
	text: string,
	{ size = [120, 36], speed = 1, isPaused = false, from }: Wish = {},
) {
	const clock = createHeldClock(Date.UTC(2027, 1, 3, 4));
	const tape = tapeOf(text);
	const reel = createReel(tape);
	const host = { clock, elapsed: clock.now, random: () => 0.5 };
	const lookout = openReplayLookout(host, tape.header);
	const player = createPlayer({
		reel,
		clock,
		show: lookout.store.restore,
		from: from ?? reel.timeOf(1),
		speed,
		isPaused,
	});
	const terminal = createStageTerminal(size);
	const shown = showLookout({
		lookout,
		player,
		bindings: replayBindings(bindings),
		badge: { text: 'replay', colour: 'magenta' },
		terminal,
		clock,
		isPlain: true,
	});
	onTestFinished(async () => {
		shown.close();
		await lookout.close();
	});
	const frame = () => terminal.frame();
	return {
		...terminal,
		clock,
		reel,
		player,
		lookout,
		text: frame,
		see: (wanted: string | RegExp) =>
			vi.waitFor(() => {
				const isThere =
					typeof wanted === 'string' ? frame().includes(wanted) : wanted.test(frame());
				if (!isThere) throw new Error(`not on screen: ${wanted}\n\n${frame()}`);
			}),
		async press(...names: readonly string[]) {
			for (const name of names) {
				terminal.type(keys[name] ?? name);
				await new Promise(resolve => setTimeout(resolve, name === 'escape' ? 30 : 0));
			}
		},
	};
}
