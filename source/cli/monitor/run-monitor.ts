import { join } from 'node:path';
import { exitCodes } from '../../foundation/error.ts';
import type { MonitorContents, MonitorOptions } from '../../monitor/monitor-state.ts';
import type { OpenedMonitor } from '../../monitor/open-accounts.ts';
import type { openMonitor } from '../../monitor/open-monitor.ts';
import type { showMonitor } from '../../monitor/show-monitor.tsx';
import type { LendTerminal } from '../../operations/command-runner.ts';
import type { ParsedArgs } from '../../script/command.ts';
import { displayFor, terminalPreferencesFrom } from '../../script/display-options.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import { environmentFrom, type TerminalPreferences } from '../../terminal/features/environment.ts';
import { createLineTerminal } from '../../terminal/line-terminal.ts';
import { createTerminal } from '../../terminal/terminal.ts';
import { logInFromMonitor } from '../commands/login.ts';

type ShownMonitor = ReturnType<typeof showMonitor>;

type DisplayedContents = MonitorContents &
	Pick<MonitorOptions, 'opensWithWelcome' | 'leaveToSignIn'>;

type Display = {
	showContents(contents: DisplayedContents): ShownMonitor;
	lendTerminal: LendTerminal;
};

/** `openContents` opens an account, the demo or a recording. */
export async function runMonitor(
	host: Host,
	args: ParsedArgs,
	openContents: typeof openMonitor,
): Promise<number> {
	const flags = terminalPreferencesFrom(args);
	// Problems that occur before the display opens are shown as soon as the display is open.
	const earlyMessages: string[] = [];
	let report = (message: string): void => {
		earlyMessages.push(message);
	};
	const options = { onTrouble: (message: string) => report(message) };
	let opened = await openContents(host, args, options);
	const terminalPreferences = { ...opened.terminalPreferences, ...flags };
	const isSpoken = displayFor(host, args, opened.isSpoken) === 'lines';
	const close = async () => {
		shown.close();
		await opened.close();
	};
	const display = await openDisplay(host, args, opened, terminalPreferences, isSpoken, close);
	let accountSwitch: Promise<void> | undefined;
	let shown = showWithWelcome();
	report = message => shown.say(message);
	for (const message of earlyMessages) report(message);
	let lastShown: ShownMonitor;
	do {
		lastShown = shown;
		await lastShown.closed;
		await accountSwitch;
	} while (shown !== lastShown);
	return exitCodes.done;

	function showWithWelcome(): ShownMonitor {
		const { welcomed, ...contents } = opened;
		if (!welcomed) return display.showContents(contents);
		const opensWithWelcome = welcomed.read().isWelcomed !== true;
		const leaveToSignIn = () => {
			accountSwitch ??= switchAccount().finally(() => {
				accountSwitch = undefined;
			});
		};
		const firstShown = display.showContents({
			...contents,
			opensWithWelcome,
			leaveToSignIn,
		});
		if (opensWithWelcome) welcomed.update(saved => ({ ...saved, isWelcomed: true }));
		return firstShown;
	}

	async function switchAccount() {
		const demo = opened;
		await display.lendTerminal(async () => {
			if (!(await logInFromMonitor(host, args, isSpoken))) return;
			opened = await openContents(host, args, options);
			shown.close();
		});
		if (opened === demo) return;
		const { welcomed: _, ...contents } = opened;
		shown = display.showContents(contents);
		await demo.close();
	}
}

/** Ink and the views are loaded only here, because commands need neither. */
async function openDisplay(
	host: Host,
	args: ParsedArgs,
	{ hasMouse = false }: OpenedMonitor,
	preferences: TerminalPreferences,
	isSpoken: boolean,
	beforeExit: () => Promise<void>,
): Promise<Display> {
	const { program, clock, activity } = host;
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
		return displayOn(host, terminal, contents =>
			showSpoken({ ...contents, terminal, lendTerminal: terminal.lend, clock }),
		);
	}
	const { showMonitor } = await import('../../monitor/show-monitor.tsx');
	const terminal = createTerminal({
		...options,
		hasMouse: args.flag('mouse') || hasMouse,
		isLowBandwidth: args.flag('low-bandwidth'),
		preferences,
	});
	return displayOn(host, terminal, contents =>
		showMonitor({ ...contents, terminal, lendTerminal: terminal.lend, clock }),
	);
}

function displayOn(
	host: Host,
	terminal: Pick<ReturnType<typeof createTerminal>, 'open' | 'lend' | 'markWhenIdle'>,
	show: (contents: DisplayedContents) => ShownMonitor,
): Display {
	terminal.open();
	return {
		lendTerminal: terminal.lend,
		showContents(contents) {
			const shown = show(contents);
			// Tests press a key and wait for the next mark.
			if (host.program.env['CROWSNEST_IDLE_MARKS'] === '1') terminal.markWhenIdle(shown.settled);
			return shown;
		},
	};
}
