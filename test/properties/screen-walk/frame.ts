/** A dialog in a frame, as a person reads it. */
export type Dialog = {
	/** "Stop atlas?" */
	title: string;
	/** All that stands in the frame, in one line. */
	text: string;
	/** What has to be typed or pressed: "Stop it? y / n", "Type atlas to delete it:". */
	prompt: string;
	/** What was typed so far; absent where nothing is, or where there is no room for it. */
	typed?: string;
};

const prompts =
	/(Type .+? to [a-z]+ (?:it|them):|[A-Z][a-z ]+\? [yY] \/ n|Quit [yY], stay n|Password:|Port, 1 to 65535:|Port to unpublish:|Name \(optional\):|Provider:)(?: (.*?)▏)?/;

/** The dialog in a frame; undefined when there is none. */
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

/** Why countdowns are out of sight: in the place of the program is something else, or over it. */
export type Cover = 'dialog' | 'quit' | 'small' | 'shell';

/** Help, the palette, the filter and menus leave a countdown in sight. */
export function coverIn(frame: string): Exclude<Cover, 'shell'> | undefined {
	if (frame.startsWith('crowsnest needs')) return 'small';
	const { title } = dialogIn(frame) ?? {};
	if (title === undefined || title === 'Columns') return undefined;
	return title.startsWith('Quit') ? 'quit' : 'dialog';
}

/** What is being typed at the caret, in a dialog or elsewhere; undefined where there is none. */
export function lineIn(frame: string): string | undefined {
	return /([^│\n]*)▏/.exec(frame)?.[1]?.trim();
}

/** The key that says yes to a prompt which wants no more than that. */
export function yesIn(prompt: string): string | undefined {
	const [, toQuestion, toQuit] = /\? ([yY]) \/ n$|^Quit ([yY]), stay n$/.exec(prompt) ?? [];
	return toQuestion ?? toQuit;
}

/** What the frame says was cancelled. */
export function cancelledIn(frame: string): string | undefined {
	return /Cancelled: [^│]*?(?:was not \w+|operations were not sent|$)/m.exec(frame)?.[0];
}

/** One title, cut in the one frame or in both of them. */
export function isSameTitle(one: string | undefined, other: string | undefined): boolean {
	if (one === undefined || other === undefined) return one === other;
	const [begin, end] = [one.replace(/…$/, ''), other.replace(/…$/, '')];
	if (one === begin && other === end) return one === other;
	return begin.startsWith(end) || end.startsWith(begin);
}

export type Named = {
	operation: string;
	/** The only one that is meant, or how many. */
	who: string;
	/** There was no room for all of it. */
	isCut: boolean;
	count: number;
};

/** What a question's title says; undefined for the program's questions about itself. */
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

/** What the frame says that Esc keeps from being done: all that waits, or what counts down. */
export function offeredToKeep(frame: string): 'all' | 'countdowns' | undefined {
	if (frame.includes('Esc: send no more') && !frame.includes('╭')) return 'all';
	const isCounting = /Esc (?:to keep it|keeps (?:them|both|all))/.test(frame);
	return isCounting && !frame.includes('╭ ') ? 'countdowns' : undefined;
}
