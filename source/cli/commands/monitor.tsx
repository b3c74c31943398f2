import { join } from 'node:path';
import { type OpenedMonitor, openMonitor } from '../../monitor/open-monitor.ts';
import { showMonitor } from '../../monitor/show-monitor.tsx';
import { printFleetOnce } from '../../script/plain-list.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import { exitCodes, type ParsedArgs, type Run } from '../../shell/command.ts';
import { looksFromFlags } from '../../shell/display-options.ts';
import { environmentFrom, whyNoScreen } from '../../terminal/environment.ts';
import type { IdleMarking } from '../../terminal/idle-marks.ts';
import { createLineTerminal } from '../../terminal/line-terminal.ts';
import { createTerminal } from '../../terminal/terminal.ts';

/** The monitor: opens the account and the screen, and joins them. */
export const monitor: Run = (host, args) => showMonitored(host, args, openMonitor);

/** The same for whatever `open` opens: it may be recorded, or be a recording. */
export async function showMonitored(
	host: Host,
	args: ParsedArgs,
	open: typeof openMonitor,
): Promise<number> {
	const { program, clock } = host;
	const troubles: string[] = [];
	let tell = (message: string): void => {
		troubles.push(message);
	};
	const flags = looksFromFlags(args);
	const onTrouble = (message: string) => tell(message);
	let monitored = await open(host, args, { onTrouble });
	const looks = { ...monitored.looks, ...flags };
	const wantsSpeech =
		args.flag('screen-reader') ||
		program.env['INK_SCREEN_READER'] === 'true' ||
		monitored.isSpoken === true;
	const isSpoken = wantsSpeech && canSpeak(program);
	if (!isSpoken && whyNoScreen(program.env, program.stdin, program.stdout) !== undefined) {
		const { hasUnicode } = environmentFrom(program.env, looks);
		// Nobody can type one where nothing is asked.
		monitored.desk?.cancel();
		const code = await printFleetOnce(host, monitored.session, hasUnicode);
		await monitored.close();
		return code;
	}
	const shared = {
		program,
		clock,
		activity: host.activity,
		reportsPath: join(pathsOf(host).statePath, 'reports'),
		about: `crowsnest ${host.version}`,
		async beforeExit() {
			shown.close();
			await monitored.close();
		},
	};
	let change: Promise<void> | undefined;
	let shown = isSpoken ? await speak() : show();
	tell = message => shown.say(message);
	for (const trouble of troubles) tell(trouble);
	for (let last: typeof shown | undefined; last !== shown; ) {
		last = shown;
		await last.closed;
		await change;
	}
	return exitCodes.done;

	function show() {
		const terminal = createTerminal({
			...shared,
			hasMouse: args.flag('mouse') || (monitored.hasMouse ?? false),
			isLowBandwidth: args.flag('low-bandwidth'),
			preferences: looks,
		});
		terminal.open();
		return greeted(terminal, parts =>
			marked(terminal, showMonitor({ ...parts, terminal, lend: terminal.lend, clock })),
		);
	}

	// Whoever sees the screen does not wait for this code.
	async function speak() {
		const { showSpeech } = await import('../../speech/show-speech.tsx');
		const { hasUnicode } = environmentFrom(program.env, looks);
		const terminal = createLineTerminal({ ...shared, hasUnicode });
		terminal.open();
		return greeted(terminal, parts =>
			marked(terminal, showSpeech({ ...parts, terminal, lend: terminal.lend, clock })),
		);
	}

	// Tests in a real terminal press a key and wait for the next mark.
	function marked(terminal: IdleMarking, showing: Showing) {
		if (program.env['CROWSNEST_IDLE_MARKS'] === '1') terminal.markIdle(showing.settled);
		return showing;
	}

	function greeted({ lend }: Lender, put: Put) {
		const { welcome, ...others } = monitored;
		if (!welcome?.isDue) return put(others);
		const signIn = () => {
			change = changeOver(lend, put);
		};
		const first = put({ ...others, welcome: { signIn } });
		welcome.seen();
		return first;
	}

	/** From the demo to the account, if there is one after the questions. */
	async function changeOver(lend: Lender['lend'], put: Put) {
		const demo = monitored;
		await lend(async () => {
			const { signInByLines } = await import('../login/conversation.ts');
			if (!(await signInByLines(host, args))) return;
			monitored = await open(host, args, { onTrouble });
			shown.close();
		});
		if (monitored === demo) return;
		const { welcome: _, ...others } = monitored;
		shown = put(others);
		await demo.close();
	}
}

type Lender = { lend: (work: () => Promise<void>) => Promise<void> };

type Showing = ReturnType<typeof showMonitor>;

/** Puts what is opened before somebody, by pictures or by words. */
type Put = (
	parts: Omit<OpenedMonitor, 'welcome'> & { welcome?: { signIn: () => void } },
) => Showing;

// A terminal that can only show lines is enough for that.
function canSpeak({ stdin, stdout }: Host['program']): boolean {
	return stdin.isTTY && stdout.isTTY;
}
