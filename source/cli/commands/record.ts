import { createStore } from 'zustand/vanilla';
import { CommandError, exitCodes, fileErrorText, hasCode } from '../../foundation/error.ts';
import { openRecordingFile, type RecordingFile } from '../../journal/recording.ts';
import type { Badge } from '../../lines/theme.ts';
import { openMonitor } from '../../monitor/open-monitor.ts';
import { recordHeadless } from '../../monitor/record-headless.ts';
import type { ParsedArgs } from '../../script/command.ts';
import type { Host } from '../../session/host.ts';
import { reasonForNoScreen } from '../../terminal/features/environment.ts';
import { cleanForTerminal } from '../../terminal/features/escape-sequences.ts';
import { type Command, onlyArgument } from '../command.ts';
import { monitorOptions } from '../options.ts';
import { runMonitor } from './monitor.ts';

export const record: Command = {
	name: 'record',
	isRare: true,
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
		let recorderFailure: string | undefined;
		const end = () => badge.setState({ text: endedBadgeText });
		const recorder = await openRecorder(host, args, path, message => {
			recorderFailure = message;
			end();
			notify(`Recording stopped: ${message}`);
		});
		const openRecorded: typeof openMonitor = async (_host, _args, options) => {
			notify = options.onTrouble;
			// The welcome is left out, because it lets a person sign in to an account that would not be recorded.
			const { welcomed: _, ...monitored } = await openMonitor(host, args, {
				...options,
				onOpening(store, accounts) {
					store.onFact(recorder.begin({ program: host.version, accounts }));
				},
			});
			const own = monitored.badge?.getState();
			if (own && badge.getState().text !== endedBadgeText)
				badge.setState({ text: `rec ${own.text}`, colour: own.colour });
			return {
				...monitored,
				badge,
				greeting: `Recording to ${name}`,
				async close() {
					await monitored.close();
					await recorder.close();
					program.stderr.write(`${summaryText(recorder, name)}\n`);
				},
			};
		};
		try {
			if (reasonForNoScreen(program.env, program.stdin, program.stdout) !== undefined) {
				await recordHeadless(host, args, {
					open: openRecorded,
					durationMs,
					hasRecorderFailed: () => recorderFailure !== undefined,
				});
				return recorderFailure === undefined ? exitCodes.done : exitCodes.failed;
			}
			if (durationMs !== undefined) {
				clock.after(durationMs, () => {
					end();
					void recorder.close().then(() => notify(`Recording finished: ${name}`));
				});
			}
			return await runMonitor(host, args, openRecorded);
		} finally {
			await recorder.close();
		}
	},
};

async function openRecorder(
	{ clock }: Host,
	args: ParsedArgs,
	path: string,
	onTrouble: (message: string) => void,
): Promise<RecordingFile> {
	const canOverwrite = args.flag('force');
	try {
		return await openRecordingFile({ path, clock, canOverwrite, onProblem: onTrouble });
	} catch (error) {
		if (hasCode(error, 'EEXIST')) {
			throw new CommandError('output', `${path} already exists`, 'Use --force to overwrite it.');
		}
		throw new CommandError('output', `Cannot write ${path}: ${fileErrorText(error)}`, '');
	}
}

const endedBadgeText = 'rec ended';

function summaryText(recorder: RecordingFile, fileName: string): string {
	const { factCount, byteCount } = recorder.progress();
	const size =
		byteCount < 1e6 ? `${Math.ceil(byteCount / 1e3)} kB` : `${(byteCount / 1e6).toFixed(1)} MB`;
	return `Recorded ${factCount} facts (${size}) to ${fileName}`;
}
