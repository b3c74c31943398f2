import { execFile } from 'node:child_process';
import type { Clock } from '../../foundation/clock.ts';
import { environmentFrom, reasonForNoScreen } from '../../terminal/features/environment.ts';
import type { Program } from '../../terminal/terminal.ts';
import type { Check } from './check.ts';

const colourTexts = { 0: 'none', 4: '16', 8: '256', 24: 'all' } as const;

/** Checks the size, colours, encoding and clipboard of the terminal. */
export async function terminalChecks(program: Program, clock: Clock): Promise<Check[]> {
	const { env, stdin, stdout } = program;
	if (!stdin.isTTY || !stdout.isTTY) {
		const finding = 'the input or the output is not a terminal';
		return [{ subject: 'Terminal', status: 'skipped', finding }];
	}
	const refusal = reasonForNoScreen(env, stdin, stdout);
	if (refusal !== undefined) {
		const advice = 'The monitor needs a terminal; the other commands do not.';
		return [{ subject: 'Terminal', status: 'unsure', finding: refusal, advice }];
	}
	const {
		colourBits,
		hasUnicode,
		multiplexer,
		printsUnknownSequences,
		terminalName: name,
	} = environmentFrom(env);
	const tmux = multiplexer === 'tmux' ? await readTmuxSettings(env, clock) : undefined;
	return [
		sizeCheck(stdout.columns, stdout.rows),
		colourCheck(colourBits, env['NO_COLOR']),
		unicodeCheck(hasUnicode, printsUnknownSequences),
		...(multiplexer === 'tmux' ? [tmuxCheck(tmux)] : []),
		clipboardCheck({ printsUnknownSequences, multiplexer, tmux, name, env }),
	];
}

function sizeCheck(columns: number, rows: number): Check {
	const subject = 'Terminal size';
	const finding = `${columns} × ${rows}`;
	if (columns < 30 || rows < 6) {
		return {
			subject,
			status: 'wrong',
			finding,
			advice: 'Make the terminal at least 30 × 6. At 120 × 40 everything is visible.',
		};
	}
	const isNarrow = columns < 120;
	return {
		subject,
		status: 'right',
		finding: isNarrow ? `${finding}; some columns are hidden` : finding,
	};
}

function colourCheck(colourBits: keyof typeof colourTexts, noColour: string | undefined): Check {
	const subject = 'Colours';
	const finding = colourTexts[colourBits];
	if (colourBits > 0) return { subject, status: 'right', finding };
	if (noColour) return { subject, status: 'right', finding: 'none, because NO_COLOR is set' };
	return {
		subject,
		status: 'unsure',
		finding,
		advice: 'Set TERM to the type of your terminal, such as xterm-256color.',
	};
}

function unicodeCheck(hasUnicode: boolean, printsUnknownSequences: boolean): Check {
	const subject = 'UTF-8';
	if (hasUnicode) return { subject, status: 'right', finding: 'yes' };
	if (printsUnknownSequences)
		return { subject, status: 'right', finding: 'no: the console shows ASCII' };
	const advice = 'Set LANG to a UTF-8 locale, such as C.UTF-8.';
	return { subject, status: 'unsure', finding: 'no: symbols are drawn in ASCII', advice };
}

function tmuxCheck(settings: TmuxSettings | undefined): Check {
	const subject = 'tmux';
	if (settings === undefined) {
		return { subject, status: 'unsure', finding: 'tmux does not report its settings' };
	}
	const { focusEvents, allowPassthrough, setClipboard } = settings;
	const missingLines = [
		...(focusEvents ? [] : ['set -g focus-events on']),
		...(allowPassthrough ? [] : ['set -g allow-passthrough on']),
	];
	const finding = `focus-events ${onOffText(focusEvents)}, allow-passthrough ${onOffText(allowPassthrough)}, set-clipboard ${setClipboard}`;
	if (missingLines.length === 0) return { subject, status: 'right', finding };
	const advice = `Add to ~/.tmux.conf: ${missingLines.join('; ')}`;
	return { subject, status: 'unsure', finding, advice };
}

const onOffText = (isEnabled: boolean) => (isEnabled ? 'on' : 'off');

function clipboardCheck(options: {
	printsUnknownSequences: boolean;
	multiplexer: 'tmux' | 'screen' | undefined;
	tmux: TmuxSettings | undefined;
	name: string;
	env: NodeJS.ProcessEnv;
}): Check {
	const subject = 'Clipboard';
	const { printsUnknownSequences, tmux, name, env } = options;
	if (printsUnknownSequences)
		return {
			subject,
			status: 'unsure',
			finding: 'the console has no clipboard',
			advice: copyAdvice,
		};
	if (name === 'Apple_Terminal' || env['VTE_VERSION']) {
		return {
			subject,
			status: 'unsure',
			finding: 'this terminal does not support copying (OSC 52)',
			advice: copyAdvice,
		};
	}
	if (tmux && tmux.setClipboard !== 'on' && !tmux.allowPassthrough) {
		const finding = `tmux blocks copying (set-clipboard ${tmux.setClipboard})`;
		return {
			subject,
			status: 'unsure',
			finding,
			advice: 'Add to ~/.tmux.conf: set -s set-clipboard on',
		};
	}
	return {
		subject,
		status: 'right',
		finding: 'copies with OSC 52; some terminals need it enabled in their settings',
	};
}

const copyAdvice = 'Select ids and addresses with the mouse instead.';

type TmuxSettings = {
	focusEvents: boolean;
	allowPassthrough: boolean;
	setClipboard: string;
};

const tmuxFormat = '#{focus-events} #{allow-passthrough} #{set-clipboard}';

/** Asks tmux, in which the program runs, for its settings. Resolves with undefined if tmux reports none. */
function readTmuxSettings(env: NodeJS.ProcessEnv, clock: Clock): Promise<TmuxSettings | undefined> {
	return new Promise(resolve => {
		const child = execFile(
			'tmux',
			['display-message', '-p', tmuxFormat],
			{ env },
			(error, stdout) => {
				cancelTimer();
				resolve(error ? undefined : tmuxSettingsFrom(stdout));
			},
		);
		const cancelTimer = clock.after(2000, () => child.kill());
	});
}

function tmuxSettingsFrom(text: string): TmuxSettings | undefined {
	const match = /^(\w*) (\w*) (on|off|external)\s*$/.exec(text);
	if (!match) return undefined;
	return {
		focusEvents: isSettingOn(match[1]),
		allowPassthrough: isSettingOn(match[2]),
		setClipboard: match[3] ?? '',
	};
}

const isSettingOn = (word: string | undefined) => word === 'on' || word === '1' || word === 'all';
