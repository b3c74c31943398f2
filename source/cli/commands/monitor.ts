import { join } from 'node:path';
import { exitCodes } from '../../foundation/error.ts';
import { demoOptionsFrom } from '../../monitor/demo-options.ts';
import type { showMonitor } from '../../monitor/drawn/show-monitor.tsx';
import type { MonitorOptions } from '../../monitor/monitor.ts';
import { type OpenedMonitor, openMonitor } from '../../monitor/open-monitor.ts';
import { terminalPreferencesFrom } from '../../script/display-options.ts';
import type { ParsedArgs } from '../../script/parsed-args.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import { loadSettings } from '../../session/settings.ts';
import { environmentFrom, reasonForNoScreen } from '../../terminal/features/environment.ts';
import { createLineTerminal } from '../../terminal/line-terminal.ts';
import { createTerminal } from '../../terminal/terminal.ts';
import type { Command } from '../command.ts';
import { runInDemo } from '../command-line.ts';
import { monitorOptions } from '../options.ts';
import { list } from './list.ts';
import { logInFromMonitor } from './login.ts';

export const monitor: Command = {
	name: 'monitor',
	summary: 'watch and operate the fleet (the default command)',
	options: monitorOptions,
	examples: ['crowsnest', 'crowsnest --demo --computers 1000'],
	async run(host, args, commands) {
		if (hasDisplay(host, args)) return runMonitor(host, args, openMonitor);
		// Where nothing can be drawn, the monitor is a list.
		if (!args.flag('demo')) return list.run(host, args, commands);
		return runInDemo(host, args, demoOptionsFrom(args), demo => list.run(demo, args, commands));
	},
};

/** Even a dumb terminal can print lines. */
export function displayFor({ program }: Host, args: ParsedArgs, isSpoken = false) {
	const { env, stdin, stdout } = program;
	const wantsSpeech = isSpoken || args.flag('screen-reader') || env['INK_SCREEN_READER'] === 'true';
	if (wantsSpeech && stdin.isTTY && stdout.isTTY) return 'lines';
	return reasonForNoScreen(env, stdin, stdout) === undefined ? 'screen' : 'list';
}

export function hasDisplay(host: Host, args: ParsedArgs): boolean {
	if (displayFor(host, args) !== 'list') return true;
	const settings = loadSettings(host, args);
	if (settings.kind === 'wrong') return false;
	const { preferences } = settings.kind === 'accounts' ? settings.accounts[0] : settings;
	return displayFor(host, args, preferences.screenReader) !== 'list';
}

type Shown = ReturnType<typeof showMonitor>;

export async function runMonitor(
	host: Host,
	args: ParsedArgs,
	openContents: typeof openMonitor,
): Promise<number> {
	// Said once the display is open.
	const earlyMessages: string[] = [];
	let report = (message: string): void => {
		earlyMessages.push(message);
	};
	const options = { onTrouble: (message: string) => report(message) };
	let opened = await openContents(host, args, options);
	const isSpoken = displayFor(host, args, opened.isSpoken) === 'lines';
	const { terminal, show } = await openDisplay(host, args, opened, isSpoken, async () => {
		shown.close();
		await opened.close();
	});
	let accountSwitch: Promise<void> | undefined;
	let shown = showContents();
	report = message => shown.say(message);
	for (const message of earlyMessages) report(message);
	let lastShown: Shown;
	do {
		lastShown = shown;
		await lastShown.closed;
		await accountSwitch;
	} while (shown !== lastShown);
	return exitCodes.done;

	/** Only the demo that stands in for an account has a welcome, and can be left to sign in. */
	function showContents(canSignIn = true): Shown {
		const { welcomed, ...contents } = opened;
		const memory = canSignIn ? welcomed : undefined;
		const opensWithWelcome = memory !== undefined && memory.read().isWelcomed !== true;
		const next = show({
			...contents,
			clock: host.clock,
			lendTerminal: terminal.lend,
			folder: () => host.program.cwd(),
			opensWithWelcome,
			leaveToSignIn: memory && leaveToSignIn,
		});
		if (opensWithWelcome) memory.update(saved => ({ ...saved, isWelcomed: true }));
		// Tests press a key and wait for the next mark.
		if (host.program.env['CROWSNEST_IDLE_MARKS'] === '1') terminal.markWhenIdle(next.settled);
		return next;
	}

	function leaveToSignIn() {
		accountSwitch ??= switchAccount().finally(() => {
			accountSwitch = undefined;
		});
	}

	async function switchAccount() {
		const demo = opened;
		await terminal.lend(async () => {
			if (!(await logInFromMonitor(host, args, isSpoken))) return;
			opened = await openContents(host, args, options);
			shown.close();
		});
		if (opened === demo) return;
		shown = showContents(false);
		await demo.close();
	}
}

/** Loaded only here, because commands need neither Ink nor its views. */
async function openDisplay(
	host: Host,
	args: ParsedArgs,
	{ hasMouse = false, terminalPreferences }: OpenedMonitor,
	isSpoken: boolean,
	beforeExit: () => Promise<void>,
) {
	const { program, clock, activity } = host;
	const preferences = { ...terminalPreferences, ...terminalPreferencesFrom(args) };
	const options = {
		program,
		clock,
		activity,
		crashReportFolder: join(pathsOf(host).statePath, 'reports'),
		programInfo: `crowsnest ${host.version}`,
		beforeExit,
		atExit: () => host.runningChildren?.forEach(kill => void kill()),
	};
	if (isSpoken) {
		const { showSpoken } = await import('../../monitor/spoken/show-spoken.ts');
		const { hasUnicode } = environmentFrom(program.env, preferences);
		const terminal = createLineTerminal({ ...options, hasUnicode });
		terminal.open();
		return { terminal, show: (contents: MonitorOptions) => showSpoken({ ...contents, terminal }) };
	}
	const { showMonitor } = await import('../../monitor/drawn/show-monitor.tsx');
	const terminal = createTerminal({
		...options,
		hasMouse: args.flag('mouse') || hasMouse,
		isLowBandwidth: args.flag('low-bandwidth'),
		preferences,
	});
	terminal.open();
	return { terminal, show: (contents: MonitorOptions) => showMonitor({ ...contents, terminal }) };
}
