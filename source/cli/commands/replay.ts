import { createStore } from 'zustand/vanilla';
import { bindings } from '../../keys/bindings.ts';
import { replayBindings } from '../../keys/replay-bindings.ts';
import { bindingsFor, type OpenedMonitor } from '../../monitor/open-monitor.ts';
import { createPlayer } from '../../monitor/replay-player.ts';
import { openReplaySession } from '../../monitor/replay-session.ts';
import { cleanText } from '../../platform/clean.ts';
import { readRecording } from '../../recording/recording-file.ts';
import type { RecordingHeader } from '../../recording/recording-line.ts';
import { createTimeline } from '../../recording/timeline.ts';
import { printReplay, replayStart } from '../../script/replay.ts';
import type { Host } from '../../session/host.ts';
import { exitCodes, type ParsedArgs, type Run } from '../../shell/command.ts';
import { displayOptionsFrom } from '../../shell/display-options.ts';
import { UsageError } from '../../shell/errors.ts';
import { loadSettings } from '../../shell/load-settings.ts';
import { whyNoScreen } from '../../terminal/environment.ts';
import { cleanForTerminal } from '../../terminal/escape-sequences.ts';
import { showMonitored } from './monitor.tsx';

/** Shows what was recorded, in the monitor or line by line. */
export const replay: Run = async (host, args) => {
	const [path, ...more] = args.rest;
	if (path === undefined || more.length > 0) throw new UsageError('replay takes one file');
	const { program } = host;
	const tape = await readRecording(path, cleanText);
	if (typeof tape === 'string') {
		program.stderr.write(cleanForTerminal(`crowsnest: ${path}: ${tape}`).concat('\n'));
		return exitCodes.failed;
	}
	const reel = createTimeline(tape);
	const [start, end] = [reel.timeOf(1), reel.timeOf(reel.length)];
	const wanted = args.text('from');
	const from = wanted === undefined ? start : replayStart(wanted, start, end);
	const speed = args.whole('speed', 1, 3_600) ?? 1;
	const wishes = wishesFor(host, args);
	// A screen reader gets the lines, too.
	const isSpoken = program.env['INK_SCREEN_READER'] === 'true' || wishes.isSpoken === true;
	if (isSpoken || whyNoScreen(program.env, program.stdin, program.stdout) !== undefined) {
		await printReplay(host, reel, from);
		if (tape.flaw) program.stderr.write(`crowsnest: ${cleanForTerminal(path)}: ${tape.flaw}\n`);
		return tape.flaw ? exitCodes.failed : exitCodes.done;
	}
	return showMonitored(host, args, async () => {
		const session = openReplaySession(host, tape.header);
		const player = createPlayer({
			reel,
			clock: host.clock,
			show: session.store.restore,
			from,
			speed,
			isPaused: args.flag('paused'),
		});
		return {
			...wishes,
			session,
			player,
			badge: createStore(() => ({ text: badgeText(tape.header), colour: 'magenta' })),
			...(tape.flaw && { greeting: `the recording is damaged: ${tape.flaw}` }),
			async close() {
				player.stop();
				await session.close();
			},
		};
	});
};

// Whoever is signed in by the environment alone has no name for that.
function badgeText({ account, label = account }: RecordingHeader): string {
	return label === 'environment' ? 'replay' : `replay ${label}`;
}

/** Own keys and looks count here too; an account that is not in order is none of a replay's business. */
function wishesFor(host: Host, args: ParsedArgs): Partial<OpenedMonitor> {
	const settings = loadSettings(host, args);
	const table = replayBindings(bindings);
	if (settings.kind === 'wrong') return { bindings: table };
	const { preferences } = settings.kind === 'account' ? settings.account : settings;
	return {
		...displayOptionsFrom(host, preferences),
		bindings: bindingsFor(host, preferences, table),
	};
}
