import { operationRowOf } from '../../../source/fleet/operations/operation-table.ts';
import { effectAt } from '../../../source/monitor/actions/dispatcher.ts';
import { actions } from '../../../source/monitor/actions/table.ts';
import { type TypedLine, typedLineFrom, withEdit } from '../../../source/views/look/typed-line.ts';
import {
	type Dialog,
	dialogIn,
	isSameTitle,
	type OperationTitle,
	operationIn,
	yesKeyIn,
} from './frame.ts';
import { isNameOf, maxComputersWithoutTyping } from './permissions.ts';
import type { Context } from './report.ts';

/** The dialog on screen, with the time of the first frame that shows it. */
export type OpenDialog = Dialog & {
	/** The line typed into its field. */
	line: TypedLine;
	seenAt: number;
	/** The keys that were pressed before it appeared. */
	openedWith: readonly string[];
};

const ignoredMs = 300;

/** Follows the dialog on the screen, and decides which keys confirm it. */
export function createOpenDialog(
	{ counts, note, wall, askingKeys }: Context,
	onConfirmed: (dialog: OpenDialog, question: OperationTitle | undefined) => void,
) {
	let dialog: OpenDialog | undefined;
	/** The last dialog, while a small terminal or the shell covers it. */
	let covered: OpenDialog | undefined;

	/** After the clock was set back, the time since the dialog opened is unknown, so it starts again. */
	function noteClock() {
		if (dialog && wall() < dialog.seenAt) dialog.seenAt = wall();
	}

	/**
	 * Rejects an answer by the key that opened the dialog, by Enter alone, or without the name that must be typed. The
	 * Enter that ended the port of a question may also end what is typed in its next step.
	 */
	function isValid(key: string, { title, text, openedWith, line: { text: line } }: OpenDialog) {
		const openers = openedWith.filter(each => askingKeys.has(each));
		if (openers.length === 1 && openers[0] === key && line === '') return false;
		const named = operationIn(title);
		if (!named) return true;
		const { operation, count } = named;
		const isTyped =
			count > 1 ? line === `${operation} ${count}` : line === idIn(text) || isNameOf(line, named);
		const mustBeTyped =
			operationRowOf(operation).asks === 'type' || count > maxComputersWithoutTyping;
		if (mustBeTyped && !isTyped) return false;
		return key !== 'enter' || line !== '';
	}

	return {
		current: () => dialog,
		/** Reads the frame that is on the screen after these keys. */
		saw(frame: string, keys: readonly string[]) {
			noteClock();
			const next = dialogIn(frame);
			// Two dialogs with the same title may differ only in the key that says yes.
			if (isSameTitle(next?.title, dialog?.title) && !isStepChanged(next?.prompt, dialog?.prompt)) {
				if (!next || !dialog) return;
				// Esc may have closed the dialog, and a later key opened it again.
				const openers = keys.includes('escape') ? keys : [];
				const openedWith = [...dialog.openedWith, ...openers];
				dialog = { ...dialog, ...next, line: next.typed ?? dialog.line, openedWith };
				return;
			}
			const isBack = next !== undefined && isSameTitle(next.title, covered?.title);
			const openedWith = isBack ? (covered?.openedWith ?? []) : keys;
			const line = next?.typed ?? typedLineFrom('');
			dialog = next && { ...next, line, seenAt: wall(), openedWith };
			if (next) covered = undefined;
			if (next && operationIn(next.title)) counts.questions += 1;
			note(`on screen: ${next ? `${next.title} ${next.prompt}` : 'no dialog'}`);
		},
		/** Records that something else covers the terminal. */
		cover() {
			covered = dialog ?? covered;
			dialog = undefined;
		},
		/**
		 * Applies keys that arrived together to the dialog that was on the screen before them. Only a key that came alone, and
		 * that a person could know to be about this dialog, confirms it.
		 */
		pressed(keys: readonly string[]) {
			if (!dialog) return;
			noteClock();
			const { prompt } = dialog;
			const [key = '', ...others] = keys;
			const yes = yesKeyIn(prompt);
			const isYes = yes ? key === yes : prompt === '' && key.toLowerCase() === 'y';
			// On a narrow screen, the prompt leaves as the line grows. A new computer and a port are confirmed by a single key.
			const isCutPrompt = prompt === '' && !/^(Create|Publish|Unpublish) /.test(dialog.title);
			const isTyped = key === 'enter' && (prompt.startsWith('Type ') || isCutPrompt);
			if (others.length === 0 && (isYes || isTyped)) {
				if (wall() - dialog.seenAt >= ignoredMs) {
					if (isValid(key, dialog)) onConfirmed(dialog, operationIn(dialog.title));
					return;
				}
				counts.ignoredKeys += 1;
			}
			for (const each of keys) {
				if (each === 'escape') return;
				dialog = { ...dialog, line: edited(dialog.line, each) };
			}
		},
		/** A typed confirmation refuses a paste; other fields take its first line. */
		pasted(text: string) {
			if (!dialog || dialog.prompt.startsWith('Type ')) return;
			const [first = ''] = text.split(/[\r\n]/);
			dialog = { ...dialog, line: withEdit(dialog.line, { type: 'paste', text: first }) };
		},
	};
}

/** The id of the computer, if the question is about a single computer. A warning before it may name a computer like an id. */
export function idIn(text: string): string | undefined {
	const [, warned] = /This is (sb_\w{6,})\./.exec(text) ?? [];
	return warned ?? /\b(sb_\w{6,})/.exec(text)?.[1];
}

/** Whether a dialog asks for another key, or for a key after a text. */
const isStepChanged = (next = '', before = '') =>
	next !== '' && before !== '' && yesKeyIn(next) !== yesKeyIn(before);

function edited(line: TypedLine, key: string): TypedLine {
	const { edit } = effectAt(actions, 'field', key) ?? {};
	return edit ? withEdit(line, edit) : line;
}
