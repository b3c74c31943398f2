import { type Dialog, dialogIn, isSameTitle, type Named, namedIn, yesIn } from './frame.ts';
import { isNamed } from './permissions.ts';
import type { Report } from './report.ts';

/** The dialog on screen, with the time of the first frame that shows it. */
export type OpenDialog = Dialog & {
	/** The text typed into its field. */
	line: string;
	seenAt: number;
	/** The keys that were pressed before it appeared. */
	openedWith: readonly string[];
};

type Options = {
	report: Report;
	/** The time of the program, which may jump. */
	wall: () => number;
	/** The keys that open a question, as far as the bindings show. */
	askingKeys: ReadonlySet<string>;
	/** Called when the dialog was confirmed. */
	onConfirmed: (dialog: OpenDialog, named: Named | undefined) => void;
};

const deafTime = 300;

/** Follows the dialog on the screen, and decides which keys confirm it. */
export function createOpenDialog({ report, wall, askingKeys, onConfirmed }: Options) {
	const { met, note } = report;
	let dialog: OpenDialog | undefined;
	/** The dialog that a small terminal or the shell has covered. */
	let covered: OpenDialog | undefined;

	function isDeaf(): boolean {
		if (!dialog) return false;
		// After the clock was set back, the time on the screen is not known.
		if (wall() < dialog.seenAt) dialog.seenAt = wall();
		return wall() - dialog.seenAt < deafTime;
	}

	/** Whether an answer counts: not by the key that opened the dialog, nor Enter alone, nor without the name. */
	function isValid(key: string, { title, text, openedWith }: OpenDialog, line: string): boolean {
		const openers = openedWith.filter(each => askingKeys.has(each));
		if (openers.length === 1 && openers[0] === key) return false;
		const named = namedIn(title);
		if (!named) return true;
		const { operation, count } = named;
		const isTyped =
			count > 1 ? line === `${operation} ${count}` : line === idIn(text) || isNamed(line, named);
		const losesWork = ['stop', 'restart', 'update'].includes(operation);
		if ((operation === 'delete' || (losesWork && count > 1)) && !isTyped) return false;
		return key !== 'enter' || line !== '';
	}

	function confirm(key: string, line: string) {
		if (!dialog || !isValid(key, dialog, line)) return;
		onConfirmed({ ...dialog, line }, namedIn(dialog.title));
	}

	return {
		current: () => dialog,
		isDeaf,
		/** Reads the frame that is on the screen after these keys. */
		saw(frame: string, keys: readonly string[]) {
			const next = dialogIn(frame);
			const line = next?.typed;
			// Two dialogs with the same title may differ only in the key that says yes.
			if (isSameTitle(next?.title, dialog?.title) && !isYesChanged(next, dialog)) {
				dialog = next && dialog && { ...dialog, ...next, line: line ?? dialog.line };
				return;
			}
			const isBack = next !== undefined && isSameTitle(next.title, covered?.title);
			const openedWith = isBack ? (covered?.openedWith ?? []) : keys;
			dialog = next && { ...next, line: line ?? '', seenAt: wall(), openedWith };
			if (next) covered = undefined;
			if (next && namedIn(next.title)) met.questions += 1;
			note(`on screen: ${next ? `${next.title} ${next.prompt}` : 'no dialog'}`);
		},
		/** Records that something else covers the terminal. */
		cover() {
			covered = dialog ?? covered;
			dialog = undefined;
		},
		/** Follows what keys that arrived together do to the dialog that was on screen before them. */
		pressed(keys: readonly string[]) {
			if (!dialog) return;
			if (isDeaf()) {
				met.deafKeys += keys.length;
				return;
			}
			let { prompt, line } = dialog;
			for (const key of keys) {
				const yes = yesIn(prompt);
				const isYes = yes ? key === yes : prompt === '' && key.toLowerCase() === 'y';
				if (isYes) return confirm(key, line);
				// The question about a new computer goes back a step first.
				const hasSteps = dialog.title === 'Create a computer?';
				if (key === 'escape' && !hasSteps) return;
				if (yes && key === 'n') return;
				if (key === 'enter' && !yes && !hasSteps) confirm(key, line);
				if (hasSteps && (key === 'escape' || (key === 'enter' && !yes))) prompt = '';
				line = edited(line, key);
				dialog = { ...dialog, line };
			}
		},
		/** A typed confirmation refuses a paste; other fields take its first line. */
		pasted(text: string) {
			if (!dialog || isDeaf() || dialog.prompt.startsWith('Type ')) return;
			const [first = ''] = text.split(/[\r\n]/);
			dialog = { ...dialog, line: dialog.line + first };
		},
		clear() {
			dialog = undefined;
			covered = undefined;
		},
	};
}

/** The id of the only computer that a question is about. */
export const idIn = (text: string): string | undefined => /^(sb_\d+)/.exec(text)?.[1];

function isYesChanged(next: Dialog | undefined, before: Dialog | undefined): boolean {
	const [is, was] = [yesIn(next?.prompt ?? ''), yesIn(before?.prompt ?? '')];
	return is !== undefined && was !== undefined && is !== was;
}

function edited(line: string, key: string): string {
	if (key === 'backspace') return line.slice(0, -1);
	if (key === 'ctrl-u') return '';
	if (key === 'ctrl-w') return line.replace(/\S*\s*$/, '');
	if (key === 'space') return `${line} `;
	return key.length === 1 ? line + key : line;
}
