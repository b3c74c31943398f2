import {
	cancellationIn,
	countdownCoverIn,
	type Dialog,
	dialogIn,
	fieldTextIn,
	isSameTitle,
	operationIn,
} from './frame.ts';
import type { Report } from './report.ts';

type Moment = {
	before: string;
	frame: string;
	/** The keys that were pressed between the two frames. */
	keys: readonly string[];
	/** Whether a dialog, a small terminal or the shell covered the table in the previous frame. */
	wasCovered: boolean;
};

const isNarrow = (frame: string) => frame.split('\n').every(line => line.length < 100);

/** Reports dialogs that open, close or change when they must not. */
export function createDialogRules({ problem }: Report, isReadOnly: boolean) {
	/** The notice of a cancellation in the previous frame. */
	let cancelledBefore: string | undefined;
	/** A narrow terminal has no room for the notice, which then appears when the terminal grows. */
	let hasEscapedWhileNarrow = false;
	/** The dialog that was on the screen before a paste or other bytes that are not keys. */
	let beforeBytes:
		| { title: string | undefined; line: string | undefined; isField: boolean }
		| undefined;
	/** A sign-in dialog may come back by itself when the password was wrong. */
	let hasSeenSignIn = false;
	let hasAnswered = false;

	/** Esc closes an open dialog and keeps the countdowns; otherwise it cancels them. */
	function checkEscape({ before, frame, keys, wasCovered }: Moment) {
		// The notice stays until the next key.
		const isNoticeLeft = hasEscapedWhileNarrow && keys.length === 0;
		hasEscapedWhileNarrow = isNarrow(before) && (isNoticeLeft || keys.includes('escape'));
		const cancelled = cancellationIn(frame);
		if (cancelled !== undefined && !isSameTitle(cancelled, cancelledBefore)) {
			if (!keys.includes('escape') && !hasEscapedWhileNarrow)
				problem(`${cancelled}, and Esc was not pressed`);
			if (keys.length === 1 && wasCovered) problem(`${cancelled}, although a dialog was open`);
		}
		// The notice stays until the next key, and returns after a resize that had hidden it.
		if (cancelled !== undefined || (keys.length > 0 && countdownCoverIn(frame) !== 'small'))
			cancelledBefore = cancelled;
	}

	/** Only a key opens a dialog, except for the sign-in before the first read has been answered. */
	function checkOpening({ before, frame, keys, wasCovered }: Moment) {
		const title = dialogIn(frame)?.title;
		if (title === undefined) return;
		const isSignIn = title.startsWith('Sign in');
		const isAllowed = isSignIn && (hasSeenSignIn || !hasAnswered);
		if (isSignIn) hasSeenSignIn = true;
		if (before === '' || dialogIn(before) || wasCovered || keys.length > 0 || isAllowed) return;
		problem(`${title} opened by itself`);
	}

	/** The quit and sign-in dialogs may close by themselves, and the lock closes every dialog. */
	const mayClose = (title: string, frame: string, isLocked: boolean) =>
		isLocked || /\blocked\b/.test(frame) || /^(Quit|Sign in)/.test(title);

	return {
		saw(moment: Moment) {
			checkEscape(moment);
			checkOpening(moment);
			const question = operationIn(dialogIn(moment.frame)?.title ?? '');
			if (isReadOnly && question)
				problem(`a question about ${question.operation} opened while read-only`);
		},
		/** Records that the platform has answered a read. */
		answered() {
			hasAnswered = true;
		},
		/** Records the dialog before a paste or other bytes that are not keys. */
		beforeBytesArrive(frame: string, dialog: Dialog | undefined) {
			const line = fieldTextIn(frame);
			// A typed confirmation refuses pastes.
			const isField = line !== undefined && !dialog?.prompt.startsWith('Type ');
			beforeBytes = { title: dialog?.title, line, isField };
		},
		/** Reports a dialog that the bytes opened, answered or changed. A dialog may still have closed by itself. */
		checkUnchanged(frame: string, isPaste: boolean, isLocked: boolean) {
			const { title, line, isField } = beforeBytes ?? {};
			beforeBytes = undefined;
			if (countdownCoverIn(frame) === 'small') return;
			const next = dialogIn(frame)?.title;
			if (next !== undefined && !isSameTitle(next, title)) problem(`${title} became ${next}`);
			if (title !== undefined && next === undefined && !mayClose(title, frame, isLocked)) {
				problem(`${title} was closed without a key`);
			}
			if (isSameTitle(next, title) && !(isPaste && isField) && fieldTextIn(frame) !== line) {
				problem(`${line} became ${fieldTextIn(frame)}`);
			}
		},
	};
}
