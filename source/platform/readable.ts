import type { Answer } from './exchange.ts';
import { unreadable } from './platform-error.ts';

/** The JSON of an answer, or what it is instead. */
export function readable(answer: Answer): unknown {
	if (answer.json !== undefined) return answer.json;
	if (answer.text.trim() === '') throw unreadable('', 'JSON, got nothing');
	throw unreadable('', isWebPage(answer) ? 'JSON, got a web page' : 'JSON, got something else');
}

/** A proxy or a page to sign in at has answered, whatever the status says. */
export function isWebPage({ text }: Answer): boolean {
	return /^\s*</.test(text);
}
