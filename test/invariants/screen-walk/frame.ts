import { operationIds, operationRowOf } from '../../../source/fleet/operations/operation-table.ts';
import type { TypedLine } from '../../../source/views/look/typed-line.ts';

/** The parts of a dialog that a person reads in a frame. */
export type Dialog = {
	/** For example "Stop atlas?". */
	title: string;
	/** The whole text of the dialog, in one line. */
	text: string;
	/** The line that says what to type or press, such as "y stops" or "Type atlas to delete it:". */
	prompt: string;
	/** The line typed so far; absent without a text field, or if it does not fit. */
	typed?: TypedLine;
};

const prompts =
	/(Type .+? to [a-z]+ (?:it|them):|^[yY] [a-z]+s(?: [a-z]+)*(?= ·| *$)|Password:|Port, 1 to 65535:|Port to unpublish:|Name \(optional\):|Provider:)(?: (.*?)▏(.*))?/;

/** Finds the dialog in a frame. Returns undefined if the frame shows none. */
export function dialogIn(frame: string): Dialog | undefined {
	const lines = frame.split('\n');
	const top = lines.findIndex(line => /╭[ ─].*╮/.test(line));
	const [, head = '', onBorder = ''] = lines[top]?.match(/^(.*)╭ ?(.*?) ?─*╮/) ?? [];
	const bottom = lines.findIndex((line, at) => at > top && line.includes('╰'));
	if (top < 0 || bottom < 0) return undefined;
	const width = (lines[bottom] ?? '').lastIndexOf('╯') - head.length;
	const inside = lines
		.slice(top + 1, bottom)
		.map(line => line.slice(head.length + 2, head.length + width - 1));
	const text = inside.map(line => line.trim()).join(' ');
	// A title that is wider than the border stands inside. The palette has none, but perhaps a line about the key `?`.
	const titleInside = text.startsWith(':') ? undefined : /^.*?\?/.exec(text)?.[0];
	const title = onBorder === '' ? (titleInside ?? '') : onBorder;
	const last = inside.map(line => prompts.exec(line)).findLast(found => found !== null);
	const [, prompt = '', before, after = ''] = last ?? [];
	if (before === undefined) return { title, text, prompt };
	return { title, text, prompt, typed: { text: before + after.trimEnd(), caret: before.length } };
}

/** The things that can hide countdowns: a dialog, a terminal that is too small, or the shell. */
export type CountdownCover = 'dialog' | 'quit' | 'small' | 'shell';

/**
 * Finds what covers countdowns. Help, the palette, the filter and menus hold them too: then the frame says that they are
 * on hold.
 */
export function countdownCoverIn(frame: string, mayBeOld = false): CountdownCover | undefined {
	if (frame.startsWith('crowsnest needs')) return 'small';
	const { title } = dialogIn(frame) ?? {};
	if (title === undefined || title === 'Columns')
		return / on hold/.test(frame) && !mayBeOld ? 'dialog' : undefined;
	return title.startsWith('Quit') ? 'quit' : 'dialog';
}

/** The text before the caret, in a dialog or elsewhere. Returns undefined if the frame shows no text field. */
export function fieldTextIn(frame: string): string | undefined {
	return /([^│\n]*)▏/.exec(frame)?.[1]?.trim();
}

/** The key that answers the prompt with yes, if the prompt asks for a single key. */
export function yesKeyIn(prompt: string): string | undefined {
	return /^([yY]) [a-z]/.exec(prompt)?.[1];
}

/** The notice of a cancellation in a frame. */
export function cancellationIn(frame: string): string | undefined {
	return /Cancelled: [^│]*?(?:was not \w+…?|operations were not sent|$)/m.exec(frame)?.[0];
}

/** Whether two titles are the same, even if one or both are cut off with an ellipsis. */
export function isSameTitle(first: string | undefined, second: string | undefined): boolean {
	if (first === undefined || second === undefined) return first === second;
	const [firstStart, secondStart] = [first.replace(/…$/, ''), second.replace(/…$/, '')];
	if (first === firstStart && second === secondStart) return first === second;
	return firstStart.startsWith(secondStart) || secondStart.startsWith(firstStart);
}

export type OperationTitle = {
	operation: string;
	/** The name of a single computer, or the number of several. */
	target: string;
	/** Whether the name was cut off because it did not fit. */
	isTargetCut: boolean;
	count: number;
};

/** Parses the title of a question about an operation. Returns undefined for any other dialog. */
export function operationIn(title: string): OperationTitle | undefined {
	const own = { target: '', isTargetCut: false, count: 1 };
	if (title === 'Open a payment page?') return { operation: 'pay', ...own };
	if (title === 'Start billing?') return { operation: 'billing', ...own };
	if (title.startsWith('Create ')) return { operation: 'create', ...own };
	const [, label = '', target = ''] = /^(?:Start and )?(\w+) (.+)[?…]$/.exec(title) ?? [];
	const operation = operationIds().find(
		id => operationRowOf(id).label.toLowerCase() === label.toLowerCase(),
	);
	if (operation === undefined) return undefined;
	const [, many] = /^(?:port \d+ of )?(\d+) computers$/.exec(target) ?? [];
	// If another computer has the name, the id follows.
	const only = target.replace(/^port \d+ of /, '').replace(/ \(sb_\w{6,}\)$/, '');
	const isTargetCut = title.endsWith('…');
	return { operation, target: only, isTargetCut, count: many ? Number(many) : 1 };
}

/** Whether the frame says that Esc would cancel countdowns. */
export function offersToCancel(frame: string): boolean {
	const isCounting = /Esc (?:to cancel|cancels (?:both|all)|cancel\b)/.test(frame);
	return isCounting && !/╭[ ─]/.test(frame);
}
