/** The parts of a dialog that a person reads in a frame. */
export type Dialog = {
	/** "Stop atlas?" */
	title: string;
	/** The whole text of the dialog, in one line. */
	text: string;
	/** The line that says what to type or press: "Stop it? y / n", "Type atlas to delete it:". */
	prompt: string;
	/** The text typed so far; absent without a text field, or if it does not fit. */
	typed?: string;
};

const prompts =
	/(Type .+? to [a-z]+ (?:it|them):|[A-Z][a-z ]+\? [yY] \/ n|Quit [yY], stay n|Password:|Port, 1 to 65535:|Port to unpublish:|Name \(optional\):|Provider:)(?: (.*?)▏)?/;

/** Finds the dialog in a frame; undefined if there is none. */
export function dialogIn(frame: string): Dialog | undefined {
	const lines = frame.split('\n');
	const top = lines.findIndex(line => /╭ .*╮/.test(line));
	const [, head = '', title = ''] = lines[top]?.match(/^(.*)╭ (.*?) ?─*╮/) ?? [];
	const bottom = lines.findIndex((line, at) => at > top && line.includes('╰'));
	if (top < 0 || bottom < 0) return undefined;
	const width = (lines[bottom] ?? '').lastIndexOf('╯') - head.length;
	const inside = lines
		.slice(top + 1, bottom)
		.map(line => line.slice(head.length + 2, head.length + width - 1));
	const text = inside.map(line => line.trim()).join(' ');
	const last = inside.map(line => prompts.exec(line)).findLast(found => found !== null);
	const [, prompt = '', typed] = last ?? [];
	return { title, text, prompt, ...(typed !== undefined && { typed }) };
}

/** What hides the countdowns: a dialog, a small terminal, or the shell. */
export type Cover = 'dialog' | 'quit' | 'small' | 'shell';

/** Finds what covers countdowns. Help, the palette, the filter and menus leave them visible. */
export function coverIn(frame: string): Exclude<Cover, 'shell'> | undefined {
	if (frame.startsWith('crowsnest needs')) return 'small';
	const { title } = dialogIn(frame) ?? {};
	if (title === undefined || title === 'Columns') return undefined;
	return title.startsWith('Quit') ? 'quit' : 'dialog';
}

/** The text field with the caret, in a dialog or elsewhere; undefined if there is none. */
export function lineIn(frame: string): string | undefined {
	return /([^│\n]*)▏/.exec(frame)?.[1]?.trim();
}

/** The key that says yes, if the prompt asks for a single key. */
export function yesIn(prompt: string): string | undefined {
	const [, toQuestion, toQuit] = /\? ([yY]) \/ n$|^Quit ([yY]), stay n$/.exec(prompt) ?? [];
	return toQuestion ?? toQuit;
}

/** The notice of a cancellation in a frame. */
export function cancelledIn(frame: string): string | undefined {
	return /Cancelled: [^│]*?(?:was not \w+|operations were not sent|$)/m.exec(frame)?.[0];
}

/** Whether two titles are the same, although one or both may be cut. */
export function isSameTitle(one: string | undefined, other: string | undefined): boolean {
	if (one === undefined || other === undefined) return one === other;
	const [begin, end] = [one.replace(/…$/, ''), other.replace(/…$/, '')];
	if (one === begin && other === end) return one === other;
	return begin.startsWith(end) || end.startsWith(begin);
}

export type Named = {
	operation: string;
	/** The name of a single computer, or the number of several. */
	who: string;
	/** The name was cut because it did not fit. */
	isCut: boolean;
	count: number;
};

/** Parses the title of a question about an operation; undefined for any other dialog. */
export function namedIn(title: string): Named | undefined {
	const own = { who: '', isCut: false, count: 1 };
	if (title === 'Open a payment page?') return { operation: 'pay', ...own };
	if (title === 'Start billing?') return { operation: 'billing', ...own };
	if (title === 'Create a computer?') return { operation: 'create', ...own };
	const [, label = '', who = ''] =
		/^(Start|Stop|Restart|Update|Publish|Unpublish|Delete) (.+)[?…]$/.exec(title) ?? [];
	if (label === '') return undefined;
	const [, many] = /^(?:port \d+ of )?(\d+) computers$/.exec(who) ?? [];
	const only = who.replace(/^port \d+ of /, '');
	const isCut = title.endsWith('…');
	return { operation: label.toLowerCase(), who: only, isCut, count: many ? Number(many) : 1 };
}

/** What Esc would cancel according to the frame: everything that waits, or only countdowns. */
export function offeredToKeep(frame: string): 'all' | 'countdowns' | undefined {
	if (frame.includes('Esc stops sending') && !frame.includes('╭')) return 'all';
	const isCounting = /Esc (?:to cancel|cancels (?:both|all))/.test(frame);
	return isCounting && !frame.includes('╭ ') ? 'countdowns' : undefined;
}
