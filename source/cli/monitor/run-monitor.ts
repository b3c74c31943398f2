import { join } from 'node:path';
import type { MonitorContents, MonitorOptions } from '../../monitor/monitor-state.ts';
import type { OpenedMonitor, openMonitor } from '../../monitor/open-monitor.ts';
import type { showMonitor } from '../../monitor/show-monitor.tsx';
import { printFleetOnce } from '../../script/plain-list.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import { exitCodes, type ParsedArgs } from '../../shell/command.ts';
import { looksFromFlags } from '../../shell/display-options.ts';
import {
	environmentFrom,
	type TerminalPreferences,
	whyNoScreen,
} from '../../terminal/environment.ts';

type ShownMonitor = ReturnType<typeof showMonitor>;

type Contents = MonitorContents & Pick<MonitorOptions, 'welcome'>;

/** Shows the opened account on a terminal, either drawn or as spoken lines. */
type Display = {
	show(contents: Contents): ShownMonitor;
	/** Lends the terminal to `work`, and takes it back afterwards. */
	lend(work: () => Promise<void>): Promise<void>;
};

/**
 * Runs the monitor until a person closes it. `open` opens an account, the demo or a recording. The monitor
 * is drawn on the screen, printed as lines for a screen reader, or, without a terminal, printed once as a
 * list. Long, because signing in from the demo replaces both the account and the display.
 */
export async function runMonitor(
	host: Host,
	args: ParsedArgs,
	open: typeof openMonitor,
): Promise<number> {
	const flags = looksFromFlags(args);
	// Problems that occur before there is a display are shown as soon as there is one.
	const early: string[] = [];
	let report = (message: string): void => {
		early.push(message);
	};
	const options = { onTrouble: (message: string) => report(message) };
	let opened = await open(host, args, options);
	const looks = { ...opened.looks, ...flags };
	const isSpoken = wantsSpeech(host, args, opened) && canPrintLines(host.program);
	if (!isSpoken && whyNoScreen(host.program.env, host.program.stdin, host.program.stdout)) {
		return printOnce(host, opened, looks);
	}
	const openDisplay = isSpoken ? openSpeech : openScreen;
	const display = await openDisplay(host, args, opened, looks, async () => {
		shown.close();
		await opened.close();
	});
	let switching: Promise<void> | undefined;
	let shown = showWithWelcome();
	report = message => shown.say(message);
	for (const message of early) report(message);
	let last: ShownMonitor;
	do {
		last = shown;
		await last.closed;
		await switching;
	} while (shown !== last);
	return exitCodes.done;

	function showWithWelcome(): ShownMonitor {
		const { welcome, ...contents } = opened;
		if (!welcome?.isDue) return display.show(contents);
		const signIn = () => {
			switching = switchAccount();
		};
		const first = display.show({ ...contents, welcome: { signIn } });
		welcome.seen();
		return first;
	}

	/** Asks a person to sign in, and replaces the demo with the new account if the sign-in works. */
	async function switchAccount() {
		const demo = opened;
		await display.lend(async () => {
			const { logInFromMonitor } = await import('../login/conversation.ts');
			if (!(await logInFromMonitor(host, args))) return;
			opened = await open(host, args, options);
			shown.close();
		});
		if (opened === demo) return;
		const { welcome: _, ...contents } = opened;
		shown = display.show(contents);
		await demo.close();
	}
}

function wantsSpeech({ program }: Host, args: ParsedArgs, { isSpoken }: OpenedMonitor): boolean {
	const isInkSpeaking = program.env['INK_SCREEN_READER'] === 'true';
	return args.flag('screen-reader') || isInkSpeaking || isSpoken === true;
}

/** Spoken lines need no cursor movement, so even a dumb terminal can show them. */
function canPrintLines({ stdin, stdout }: Host['program']): boolean {
	return stdin.isTTY && stdout.isTTY;
}

async function printOnce(
	host: Host,
	opened: OpenedMonitor,
	looks: TerminalPreferences,
): Promise<number> {
	const { hasUnicode } = environmentFrom(host.program.env, looks);
	// The list is printed without asking anything, so it must not wait for a password.
	opened.passwordRequest?.cancel();
	const code = await printFleetOnce(host, opened.session, hasUnicode);
	await opened.close();
	return code;
}

// The drawn and the spoken monitor are imported only when they are needed, so that neither delays the start
// of the other.

async function openScreen(
	host: Host,
	args: ParsedArgs,
	{ hasMouse = false }: OpenedMonitor,
	looks: TerminalPreferences,
	beforeExit: () => Promise<void>,
): Promise<Display> {
	const { showMonitor } = await import('../../monitor/show-monitor.tsx');
	const { createTerminal } = await import('../../terminal/terminal.ts');
	const terminal = createTerminal({
		...terminalOptions(host, beforeExit),
		hasMouse: args.flag('mouse') || hasMouse,
		isLowBandwidth: args.flag('low-bandwidth'),
		preferences: looks,
	});
	terminal.open();
	const { lend } = terminal;
	return {
		lend,
		show(contents) {
			const shown = showMonitor({ ...contents, terminal, lend, clock: host.clock });
			if (hasIdleMarks(host)) terminal.markIdle(shown.settled);
			return shown;
		},
	};
}

async function openSpeech(
	host: Host,
	_args: ParsedArgs,
	_opened: OpenedMonitor,
	looks: TerminalPreferences,
	beforeExit: () => Promise<void>,
): Promise<Display> {
	const { showSpeech } = await import('../../speech/show-speech.tsx');
	const { createLineTerminal } = await import('../../terminal/line-terminal.ts');
	const { hasUnicode } = environmentFrom(host.program.env, looks);
	const terminal = createLineTerminal({ ...terminalOptions(host, beforeExit), hasUnicode });
	terminal.open();
	const { lend } = terminal;
	return {
		lend,
		show(contents) {
			const shown = showSpeech({ ...contents, terminal, lend, clock: host.clock });
			if (hasIdleMarks(host)) terminal.markIdle(shown.settled);
			return shown;
		},
	};
}

function terminalOptions(host: Host, beforeExit: () => Promise<void>) {
	return {
		program: host.program,
		clock: host.clock,
		activity: host.activity,
		reportsPath: join(pathsOf(host).statePath, 'reports'),
		programInfo: `crowsnest ${host.version}`,
		beforeExit,
	};
}

/**
 * Returns whether to mark in the output when the screen is up to date. Tests press a key and wait for the
 * next mark.
 */
function hasIdleMarks({ program }: Host): boolean {
	return program.env['CROWSNEST_IDLE_MARKS'] === '1';
}
