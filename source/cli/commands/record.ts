import { once } from 'node:events';
import { promises } from 'node:stream';
import { createStore } from 'zustand/vanilla';
import type { PasswordRequest } from '../../accounts/password-request.ts';
import { parseDuration } from '../../foundation/duration.ts';
import {
	CommandError,
	exitCodes,
	fileErrorText,
	hasCode,
	UsageError,
} from '../../foundation/error.ts';
import {
	openRecordingFile,
	type RecordingFile,
	type RecordingHeader,
	readRecording,
} from '../../journal/recording.ts';
import { createTimeline, newChangesBetween, type Timeline } from '../../journal/timeline.ts';
import type { Badge } from '../../lines/theme.ts';
import { actions, replayActions } from '../../monitor/actions/table.ts';
import { actionsFor } from '../../monitor/configuration.ts';
import { type OpenedMonitor, openMonitor } from '../../monitor/open-monitor.ts';
import { createPlayer, openReplaySessions } from '../../monitor/replay.ts';
import { sizeText } from '../../platform/decoding/answer.ts';
import { displayOptionsFrom } from '../../script/display-options.ts';
import { watchForInterruption } from '../../script/interruption.ts';
import type { ParsedArgs } from '../../script/parsed-args.ts';
import { createNotify, outputError } from '../../script/stderr.ts';
import { changeLine } from '../../script/watch-changes.ts';
import type { Host } from '../../session/host.ts';
import type { AccountSession } from '../../session/session.ts';
import { createSessionTable, startWatches } from '../../session/session-table.ts';
import { loadSettings } from '../../session/settings.ts';
import { cleanForTerminal } from '../../terminal/features/escape-sequences.ts';
import { readAgainText, troubleSentences } from '../../views/phrases/reads.ts';
import { changeRecord } from '../../views/records.ts';
import { type Command, onlyArgument } from '../command.ts';
import { monitorOptions, screenOptions } from '../options.ts';
import { displayFor, hasDisplay, runMonitor } from './monitor.ts';

export const record: Command = {
	name: 'record',
	summary: 'run the monitor and record everything that it reads',
	description:
		'A recording holds what was read, which operations were requested, and how they ended. It holds no\n' +
		'passwords, no tokens and no addresses that grant access. Without a terminal, record shows\n' +
		'nothing and runs until it is interrupted.',
	argumentUsage: 'FILE',
	options: [
		{
			name: 'for',
			valueName: 'TIME',
			help: 'record for 90s, 10m or 8h (until the monitor is closed)',
		},
		{ name: 'force', help: 'overwrite an existing file' },
		...monitorOptions,
	],
	examples: [
		'crowsnest record incident.jsonl',
		'crowsnest record night.jsonl --for 8h < /dev/null',
	],
	async run(host, args) {
		const path = onlyArgument(args, 'record', 'one file');
		const durationMs = args.duration('for');
		const { program, clock } = host;
		const name = cleanForTerminal(path);
		const badge = createStore<Badge>(() => ({ text: 'rec', colour: 'red' }));
		let notify = (_message: string): void => {};
		let hasFailed = false;
		function end(message: string) {
			badge.setState({ text: 'rec ended' });
			notify(message);
		}
		const file = openFile(host, args, path, message => {
			hasFailed = true;
			end(`Recording stopped: ${message}`);
		});
		const openRecorded: typeof openMonitor = async (_host, _args, options) => {
			notify = options.onTrouble;
			// Its welcome would let a person sign in to an account that is not recorded.
			const { welcomed: _, ...monitored } = await openMonitor(host, args, {
				...options,
				onOpening(store, accounts) {
					store.onFact(file.begin({ program: host.version, accounts }));
				},
			});
			return {
				...monitored,
				badge,
				greeting: `Recording to ${name}`,
				async close() {
					await monitored.close();
					file.close();
					const { factCount, byteCount } = file.progress();
					const said = `Recorded ${factCount} facts (${sizeText(byteCount)}) to ${name}`;
					program.stderr.write(`${said}\n`);
				},
			};
		};
		try {
			if (!hasDisplay(host, args)) {
				await recordHeadless(host, args, openRecorded, durationMs, () => hasFailed);
				return hasFailed ? exitCodes.failed : exitCodes.done;
			}
			if (durationMs !== undefined)
				clock.after(durationMs, () => {
					file.close();
					end(`Recording finished: ${name}`);
				});
			return await runMonitor(host, args, openRecorded);
		} finally {
			file.close();
		}
	},
};

function openFile(
	{ clock }: Host,
	args: ParsedArgs,
	path: string,
	onTrouble: (message: string) => void,
): RecordingFile {
	const canOverwrite = args.flag('force');
	try {
		return openRecordingFile({ path, clock, canOverwrite, onProblem: onTrouble });
	} catch (error) {
		if (hasCode(error, 'EEXIST'))
			throw new CommandError('output', `${path} already exists`, 'Use --force to overwrite it.');
		throw new CommandError('output', `Cannot write ${path}: ${fileErrorText(error)}`, '');
	}
}

async function recordHeadless(
	host: Host,
	args: ParsedArgs,
	open: typeof openMonitor,
	durationMs: number | undefined,
	hasFailed: () => boolean,
): Promise<void> {
	const { program, clock } = host;
	const seconds = durationMs && durationMs / 1000;
	const { signal, interrupt, stop } = watchForInterruption(program, clock, seconds);
	program.on('SIGHUP', interrupt);
	const say = createNotify(program, false);
	const opened = await open(host, args, {
		onTrouble(message) {
			say(message);
			if (hasFailed()) interrupt();
		},
	});
	const { sessions, greeting, close } = opened;
	if (greeting) say(durationMs === undefined ? `${greeting}. Ctrl-C ends the recording` : greeting);
	const unsubscribers = [
		sessions.follow(session => reportFailures(session, say)),
		sessions.follow(({ passwordRequest }) => declinePasswords(passwordRequest, say)),
		startWatches(sessions),
	];
	if (!signal.aborted) await once(signal, 'abort');
	for (const unsubscribe of unsubscribers) unsubscribe();
	stop();
	program.off('SIGHUP', interrupt);
	await close();
}

function reportFailures(
	{ store, account }: AccountSession,
	say: (line: string) => void,
): () => void {
	let reported: string | undefined;
	return store.subscribe(({ accounts }) => {
		const streak = accounts.get(account)?.reads.list?.failing;
		const { failure } = streak ?? {};
		if (failure?.message === reported) return;
		reported = failure?.message;
		if (streak) say(troubleSentences({ read: 'list', streak }));
		else say(`${readAgainText('list')}.`);
	});
}

function declinePasswords(
	passwordRequest: PasswordRequest | undefined,
	say: (line: string) => void,
): () => void {
	if (!passwordRequest) return () => {};
	return passwordRequest.subscribe(() => {
		if (!passwordRequest.prompt()) return;
		say('A password is needed, and there is no terminal to ask on: set CROWSNEST_PASSWORD.');
		passwordRequest.cancel();
	});
}

export const replay: Command = {
	name: 'replay',
	summary: 'show a recording in the monitor',
	description:
		'Space pauses, ] and [ change the speed, the left and right arrows move by a minute, and ? lists\n' +
		'the other keys. Nothing is read from the platform. When the output is a pipe, replay prints one line per change.',
	argumentUsage: 'FILE',
	options: [
		{
			name: 'from',
			valueName: 'TIME',
			help: "start at 08:14, at '2026-11-21 08:14', or 90m after the beginning",
		},
		{ name: 'speed', valueName: 'N', help: 'play N times as fast (1)' },
		{ name: 'paused', help: 'start paused' },
		...screenOptions.filter(({ name }) => name !== 'screen-reader'),
	],
	examples: [
		'crowsnest replay incident.jsonl --from 08:14 --speed 16',
		'crowsnest replay night.jsonl | grep error',
	],
	async run(host, args) {
		const path = onlyArgument(args, 'replay', 'one file');
		const recording = await readRecording(path);
		if (typeof recording === 'string')
			throw new CommandError('unreadable', `${path}: ${recording}`, '');
		const { header, flaw } = recording;
		const timeline = createTimeline(recording);
		const speed = args.wholeNumber('speed', 1, 3_600) ?? 1;
		const [first, last] = [timeline.timeOfFact(1), timeline.timeOfFact(timeline.factCount)];
		const from = args.text('from');
		const startTime = from === undefined ? first : replayStartFrom(from, first, last);
		const display = await displayOptionsOf(host, args);
		// For a screen reader, plain lines.
		if (displayFor(host, args, display.isSpoken) !== 'screen') {
			await printReplay(host, timeline, startTime, header);
			if (flaw === undefined) return exitCodes.done;
			host.program.stderr.write(`crowsnest: ${cleanForTerminal(`${path}: ${flaw}`)}\n`);
			return exitCodes.failed;
		}
		const { clock } = host;
		const isPaused = args.flag('paused');
		return runMonitor(host, args, async () => {
			const sessions = createSessionTable(openReplaySessions(host, header));
			const showState = sessions.store.restore;
			const player = createPlayer({ timeline, clock, showState, startTime, speed, isPaused });
			return {
				...display,
				sessions,
				player,
				badge: createStore(() => ({ text: 'replay', colour: 'magenta' })),
				greeting: flaw && `The recording is damaged: ${flaw}`,
				async close() {
					player.stop();
					await Promise.all(sessions.all().map(session => session.close()));
				},
			};
		});
	},
};

/** A replay needs no account, so a wrong configuration does not matter. */
async function displayOptionsOf(host: Host, args: ParsedArgs): Promise<Partial<OpenedMonitor>> {
	const settings = loadSettings(host, args);
	const replayTable = replayActions(actions);
	if (settings.kind === 'wrong') return { actions: replayTable };
	const { preferences } = settings.kind === 'accounts' ? settings.accounts[0] : settings;
	return {
		...displayOptionsFrom(host, preferences),
		actions: actionsFor(host, preferences, replayTable),
	};
}

export function replayStartFrom(text: string, start: number, end: number): number {
	const duration = parseDuration(text);
	const pattern = /^(?:(\d{4}-\d{2}-\d{2})[ T])?(\d{1,2}:\d{2}(?::\d{2})?)$/;
	const [, date, clock = ''] = pattern.exec(text) ?? [];
	// Without a date, the first in the recording. The Swedish form of a date is that of ISO 8601.
	const dates = [start, start + 86_400_000].map(at => new Date(at).toLocaleDateString('sv'));
	const times =
		duration === undefined
			? (date ? [date] : dates).map(each => Date.parse(`${each}T${clock.padStart(5, '0')}`))
			: [start + duration];
	if (times.some(Number.isNaN))
		throw new UsageError("--from takes a time such as 08:14, '2026-11-21 08:14' or 90m");
	// A time without seconds is a whole minute, in which the recording may start.
	const time = times.find(at => at > start - 60_000 && at <= end);
	if (time === undefined) throw new UsageError(`--from ${text} is outside the recording`);
	return Math.max(time, start);
}

/** Waits for a slow reader, and ends when it closes the pipe, as `head` does. */
async function printReplay(
	{ program }: Host,
	timeline: Timeline,
	startAt: number,
	{ accounts }: RecordingHeader,
): Promise<void> {
	const labelled = accounts.map(({ account, label = account }) => [account, label] as const);
	const labels = accounts.length > 1 ? new Map(labelled) : undefined;
	function* lines() {
		const first = timeline.factCountAt(startAt - 1);
		let before = timeline.stateAfter(first);
		for (let count = first + 1; count <= timeline.factCount; count += 1) {
			const state = timeline.stateAfter(count);
			for (const change of newChangesBetween(before, state, labels))
				yield `${cleanForTerminal(changeLine(changeRecord(change)))}\n`;
			before = state;
		}
	}
	await promises.pipeline(lines, program.stdout, { end: false }).catch(error => {
		if (!hasCode(error, 'EPIPE')) throw outputError(error.message);
	});
}
