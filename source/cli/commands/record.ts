import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Badge } from '../../drawing/theme.ts';
import { fileErrorText } from '../../journal/file-error.ts';
import { openMonitor } from '../../monitor/open-monitor.ts';
import { recordHeadless } from '../../monitor/record-headless.ts';
import { createRecorder, type Recorder } from '../../recording/recorder.ts';
import { durationFrom } from '../../script/replay.ts';
import type { Host } from '../../session/host.ts';
import { exitCodes, type ParsedArgs, type Run } from '../../shell/command.ts';
import { UsageError } from '../../shell/errors.ts';
import { whyNoScreen } from '../../terminal/environment.ts';
import { cleanForTerminal } from '../../terminal/escape-sequences.ts';
import { showMonitored } from './monitor.tsx';

/** The monitor as usual, and everything that it comes to know in a file. */
export const record: Run = async (host, args) => {
	const [path, ...more] = args.rest;
	if (path === undefined || more.length > 0) throw new UsageError('record takes one file');
	const length = lengthOf(args);
	const { program, clock } = host;
	const name = cleanForTerminal(path);
	let tell: (message: string) => void = () => {};
	let trouble: string | undefined;
	let isOver = false;
	let badge: StoreApi<Badge> | undefined;
	// It must not look as if the recording went on.
	const end = () => {
		isOver = true;
		badge?.setState({ text: overText });
	};
	const recorder = await openRecorder(host, args, path, message => {
		trouble = message;
		end();
		tell(`the recording ends here: ${message}`);
	});
	if (typeof recorder === 'string') {
		program.stderr.write(`crowsnest: ${name} ${recorder}\n`);
		return exitCodes.failed;
	}

	const open: typeof openMonitor = async (_host, _args, options) => {
		tell = options.onTrouble;
		// Signing in would open another account, which this recording is not about.
		const { welcome: _, ...monitored } = await openMonitor(host, args, {
			...options,
			onOpened({ account, label, baseUrl, store }) {
				const names = args.flag('replace-names') ? {} : { label, baseUrl };
				store.witness(recorder.begin({ program: host.version, account, ...names }));
			},
		});
		const { close } = monitored;
		const { text = '', colour = 'red' } = monitored.badge?.getState() ?? {};
		badge = createStore(() => ({ text: isOver ? overText : `rec ${text}`.trim(), colour }));
		return {
			...monitored,
			badge,
			greeting: `recording into ${name}`,
			async close() {
				await close();
				await recorder.close();
				program.stderr.write(`${summary(recorder, name)}\n`);
			},
		};
	};

	try {
		if (whyNoScreen(program.env, program.stdin, program.stdout) !== undefined) {
			await recordHeadless(host, args, { open, length, hasEnded: () => trouble !== undefined });
			return trouble === undefined ? exitCodes.done : exitCodes.failed;
		}
		if (length !== undefined) {
			clock.after(length, () => {
				end();
				void recorder.close().then(() => tell(`the recording is done: ${name}`));
			});
		}
		return await showMonitored(host, args, open);
	} finally {
		await recorder.close();
	}
};

const overText = 'rec over';

/** In words why it cannot be, else. */
async function openRecorder(
	{ clock }: Host,
	args: ParsedArgs,
	path: string,
	onTrouble: (message: string) => void,
): Promise<Recorder | string> {
	const isForced = args.flag('force');
	const areNamesReplaced = args.flag('replace-names');
	try {
		return await createRecorder({ path, clock, isForced, areNamesReplaced, onTrouble });
	} catch (error) {
		const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
		if (isThere) return 'is there already; --force puts the recording in its place';
		return `cannot be written: ${fileErrorText(error)}`;
	}
}

function lengthOf(args: ParsedArgs): number | undefined {
	const text = args.text('for');
	const length = text === undefined ? undefined : durationFrom(text);
	if (text === undefined || length) return length;
	throw new UsageError('--for takes a time such as 90s, 10m or 8h');
}

function summary(recorder: Recorder, name: string): string {
	const { facts, bytes } = recorder.written();
	const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
	return `recorded ${facts} facts (${size}) into ${name}`;
}
