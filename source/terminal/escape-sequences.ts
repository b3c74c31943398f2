import type { Environment } from './environment.ts';
import type { Tty } from './tty.ts';

// Sequences for what a terminal does besides showing cells: title, notifications, clipboard.

const esc = '\u001B';
export const bell = '\u0007';

/** Replaces control characters, which could end a sequence early and begin another. */
export function cleanForTerminal(text: string): string {
	return text.replace(/[\p{Control}\p{Surrogate}]+/gu, ' ').trim();
}

/** Wraps a sequence so that tmux or screen passes it on to the terminal. */
function throughMultiplexer(sequence: string, { multiplexer }: Environment): string {
	if (multiplexer === 'tmux') {
		return `${esc}Ptmux;${sequence.replaceAll(esc, esc + esc)}${esc}\\`;
	}
	if (multiplexer !== 'screen') return sequence;
	// GNU screen accepts short strings only, and ends them at any escape.
	const parts = sequence.match(/[\s\S]{1,250}/g) ?? [];
	return parts.map(part => `${esc}P${part}${esc}\\`).join('');
}

/** The terminal keeps the previous title until it is restored. */
export const saveTitle = `${esc}[22;2t`;
export const restoreTitle = `${esc}[23;2t`;

/** GNU screen and the Linux console cannot restore a title. */
export function hasTitle({ multiplexer, isConsole }: Environment): boolean {
	return !isConsole && multiplexer !== 'screen';
}

export function titleSequence(text: string): string {
	return `${esc}]2;${cleanForTerminal(text).slice(0, 200)}${bell}`;
}

/**
 * Three sequences notify. A terminal that knows two of them would show two notifications, so only one is
 * sent. The bell works everywhere.
 */
export function notificationSequence(text: string, name: string, environment: Environment): string {
	const clean = cleanForTerminal(text).slice(0, 200);
	if (environment.isConsole) return bell;
	return throughMultiplexer(notificationFor(name, clean), environment) + bell;
}

function notificationFor(name: string, text: string): string {
	if (/kitty/i.test(name)) return `${esc}]99;;${text}${bell}`;
	if (/vte|foot|rxvt|gnome|tilix/i.test(name)) {
		return `${esc}]777;notify;crowsnest;${text.replaceAll(';', ',')}${bell}`;
	}
	// Some terminals take a number after the 9 for another command.
	return `${esc}]9;${/^\d/.test(text) ? `crowsnest: ${text}` : text}${bell}`;
}

/** Terminals refuse longer texts, or cut them off. */
const maxCopy = 74_000;

/**
 * Empty where no clipboard can be reached. Depending on its configuration tmux either handles the plain
 * sequence or passes on the wrapped one, so it gets both.
 */
export function copySequence(text: string, environment: Environment): string {
	const content = Buffer.from(text, 'utf8').toString('base64');
	if (environment.isConsole || content.length > maxCopy) return '';
	const sequence = `${esc}]52;c;${content}${bell}`;
	const passed = throughMultiplexer(sequence, environment);
	return environment.multiplexer === 'tmux' ? sequence + passed : passed;
}

/** Sends these sequences and remembers the title. */
export function createSignals(
	tty: Pick<Tty, 'write'>,
	environment: Environment,
	name: () => string | undefined,
) {
	let currentTitle = '';

	return {
		/** The sequence that sets the title again after the screen was given back. */
		title: () => (currentTitle === '' ? '' : titleSequence(currentTitle)),
		setTitle(text: string) {
			if (!hasTitle(environment) || text === currentTitle) return;
			currentTitle = text;
			tty.write(titleSequence(text));
		},
		bell: () => tty.write(bell),
		notify(text: string) {
			tty.write(notificationSequence(text, name() ?? environment.terminalName, environment));
		},
		copy(text: string): boolean {
			const sequence = copySequence(text, environment);
			tty.write(sequence);
			return sequence !== '';
		},
	};
}
