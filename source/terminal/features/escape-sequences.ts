import type { Environment } from './environment.ts';

const esc = '\u001B';
export const bell = '\u0007';

/** Replaces control characters, which could end a sequence early and begin another one. */
export function cleanForTerminal(text: string): string {
	return text.replace(/[\p{Control}\p{Surrogate}]+/gu, ' ').trim();
}

function wrappedForMultiplexer(sequence: string, { multiplexer }: Environment): string {
	if (multiplexer === 'tmux') {
		return `${esc}Ptmux;${sequence.replaceAll(esc, esc + esc)}${esc}\\`;
	}
	if (multiplexer !== 'screen') return sequence;
	// GNU screen accepts short strings only, and ends them at any escape.
	const parts = sequence.match(/[\s\S]{1,250}/g) ?? [];
	return parts.map(part => `${esc}P${part}${esc}\\`).join('');
}

export const saveTitle = `${esc}[22;2t`;
export const restoreTitle = `${esc}[23;2t`;

/** GNU screen and the Linux console cannot restore the previous title, so the program sets no title there. */
export function canRestoreTitle({ multiplexer, printsUnknownSequences }: Environment): boolean {
	return !printsUnknownSequences && multiplexer !== 'screen';
}

export function titleSequence(text: string): string {
	return `${esc}]2;${cleanForTerminal(text).slice(0, 200)}${bell}`;
}

/** Only one of three sequences is sent, because a terminal that knows two would notify twice. Every terminal knows the bell. */
export function notificationSequence(
	text: string,
	terminalName: string,
	environment: Environment,
): string {
	const clean = cleanForTerminal(text).slice(0, 200);
	if (environment.printsUnknownSequences) return bell;
	return wrappedForMultiplexer(unwrappedNotification(terminalName, clean), environment) + bell;
}

function unwrappedNotification(terminalName: string, text: string): string {
	if (/kitty/i.test(terminalName)) return `${esc}]99;;${text}${bell}`;
	if (/vte|foot|rxvt|gnome|tilix/i.test(terminalName)) {
		return `${esc}]777;notify;crowsnest;${text.replaceAll(';', ',')}${bell}`;
	}
	// In some terminals, `OSC 9;` followed by a number is another command, not a notification.
	return `${esc}]9;${/^\d/.test(text) ? `crowsnest: ${text}` : text}${bell}`;
}

/** In characters of base64. Terminals refuse or cut off longer texts. */
const maxCopyLength = 74_000;

/** Depending on its configuration tmux either handles the plain sequence or forwards the wrapped one, so tmux gets both. */
export function clipboardSequence(text: string, environment: Environment): string {
	const content = Buffer.from(text, 'utf8').toString('base64');
	if (environment.printsUnknownSequences || content.length > maxCopyLength) return '';
	const sequence = `${esc}]52;c;${content}${bell}`;
	const passed = wrappedForMultiplexer(sequence, environment);
	return environment.multiplexer === 'tmux' ? sequence + passed : passed;
}
