import { createStore } from 'zustand/vanilla';
import { bindings } from '../../keys/bindings.ts';
import { replayBindings } from '../../keys/replay-bindings.ts';
import { bindingsFor, type Monitored } from '../../monitor/open-monitor.ts';
import { createPlayer } from '../../monitor/replay-player.ts';
import { openReplayLookout } from '../../monitor/replay-session.ts';
import { cleanText } from '../../platform/clean.ts';
import { readRecording } from '../../recording/recording-file.ts';
import type { RecordingHeader } from '../../recording/recording-line.ts';
import { createTimeline } from '../../recording/timeline.ts';
import { timeWithin } from '../../script/replay-from.ts';
import { printReplay } from '../../script/replay-lines.ts';
import { exitCodes, type Given, type Run, UsageError } from '../../shell/command.ts';
import { screenWishes } from '../../shell/display-options.ts';
import type { Host } from '../../shell/host.ts';
import { settingsOf } from '../../shell/load-settings.ts';
import { refusalFrom } from '../../terminal/environment.ts';
import { cleanForTerminal } from '../../terminal/say.ts';
import { showMonitored } from './monitor.tsx';

/** Shows what was recorded, in the monitor or line by line. */
export const replay: Run = async (host, given) => {
	const [path, ...more] = given.rest;
	if (path === undefined || more.length > 0) throw new UsageError('replay takes one file');
	const { program } = host;
	const tape = await readRecording(path, cleanText);
	if (typeof tape === 'string') {
		program.stderr.write(cleanForTerminal(`crowsnest: ${path}: ${tape}`).concat('\n'));
		return exitCodes.failed;
	}
	const reel = createTimeline(tape);
	const [start, end] = [reel.timeOf(1), reel.timeOf(reel.length)];
	const wanted = given.text('from');
	const from = wanted === undefined ? start : timeWithin(wanted, start, end);
	const speed = given.whole('speed', 1, 3_600) ?? 1;
	const wishes = wishesFor(host, given);
	// A screen reader gets the lines, too.
	const isSpoken = program.env['INK_SCREEN_READER'] === 'true' || wishes.isSpoken === true;
	if (isSpoken || refusalFrom(program.env, program.stdin, program.stdout) !== undefined) {
		await printReplay(host, reel, from);
		if (tape.flaw) program.stderr.write(`crowsnest: ${cleanForTerminal(path)}: ${tape.flaw}\n`);
		return tape.flaw ? exitCodes.failed : exitCodes.done;
	}
	return showMonitored(host, given, async () => {
		const lookout = openReplayLookout(host, tape.header);
		const player = createPlayer({
			reel,
			clock: host.clock,
			show: lookout.store.restore,
			from,
			speed,
			isPaused: given.flag('paused'),
		});
		return {
			...wishes,
			lookout,
			player,
			badge: createStore(() => ({ text: badgeText(tape.header), colour: 'magenta' })),
			...(tape.flaw && { greeting: `the recording is damaged: ${tape.flaw}` }),
			async close() {
				player.stop();
				await lookout.close();
			},
		};
	});
};

// Whoever is signed in by the environment alone has no name for that.
function badgeText({ account, label = account }: RecordingHeader): string {
	return label === 'environment' ? 'replay' : `replay ${label}`;
}

/** Own keys and looks count here too; an account that is not in order is none of a replay's business. */
function wishesFor(host: Host, given: Given): Partial<Monitored> {
	const settings = settingsOf(host, given);
	const table = replayBindings(bindings);
	if (settings.kind === 'wrong') return { bindings: table };
	const { preferences } = settings.kind === 'account' ? settings.account : settings;
	return { ...screenWishes(host, preferences), bindings: bindingsFor(host, preferences, table) };
}
