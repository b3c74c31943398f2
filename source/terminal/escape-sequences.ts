import type { Environment } from './environment.ts';

/** Sequences that tell the terminal something beside what is on the screen. */

const esc = '\u001B';
export const bell = '\u0007';

/** No control character of a text may end a sequence early and be read as another. */
export function cleanForTerminal(text: string): string {
	return text.replace(/[\p{Control}\p{Surrogate}]+/gu, ' ').trim();
}

/** Lets a sequence through what stands between the program and the terminal. */
function throughMultiplexer(sequence: string, { multiplexer }: Environment): string {
	if (multiplexer === 'tmux') {
		return `${esc}Ptmux;${sequence.replaceAll(esc, esc + esc)}${esc}\\`;
	}
	if (multiplexer !== 'screen') return sequence;
	// It takes short strings only, and ends them at any escape.
	const parts = sequence.match(/[\s\S]{1,250}/g) ?? [];
	return parts.map(part => `${esc}P${part}${esc}\\`).join('');
}

/** The title that stood there before is kept by the terminal, until it is restored. */
export const saveTitle = `${esc}[22;2t`;
export const restoreTitle = `${esc}[23;2t`;

/** GNU screen and the Linux console have no title that could be restored. */
export function hasTitle({ multiplexer, isConsole }: Environment): boolean {
	return !isConsole && multiplexer !== 'screen';
}

export function titleSequence(text: string): string {
	return `${esc}]2;${cleanForTerminal(text).slice(0, 200)}${bell}`;
}

/**
 * There are three ways to notify, and a terminal that knows two of them would show two. Only the bell
 * works everywhere.
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

/** Terminals refuse longer ones, or stop reading in the middle. */
const maxCopy = 74_000;

/** Nothing where there is no clipboard to reach. tmux takes what is meant for itself, and passes on
 *  what is not, as it is configured: so it is told both ways. */
export function copySequence(text: string, environment: Environment): string {
	const content = Buffer.from(text, 'utf8').toString('base64');
	if (environment.isConsole || content.length > maxCopy) return '';
	const sequence = `${esc}]52;c;${content}${bell}`;
	const passed = throughMultiplexer(sequence, environment);
	return environment.multiplexer === 'tmux' ? sequence + passed : passed;
}
