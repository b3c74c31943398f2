import { hour, minute, second } from '../../durations.ts';
import {
	type CountdownCover,
	cancellationIn,
	countdownCoverIn,
	type Dialog,
	dialogIn,
	fieldTextIn,
	isSameTitle,
	operationIn,
} from './frame.ts';
import type { ArrivedRequest } from './permissions.ts';
import type { Context } from './report.ts';

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
export function createDialogRules({ problem, isReadOnly }: Context) {
	/** The notice of a cancellation in the previous frame. */
	let cancelledBefore: string | undefined;
	/** A narrow terminal has no room for the notice, which then appears when the terminal grows. */
	let hasEscapedWhileNarrow = false;
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
			// On top of the log, `x` and Delete cancel the operation of the line.
			const isOfLine = /^ Log /m.test(frame) && (keys.includes('x') || keys.includes('delete'));
			const isMeant = keys.includes('escape') || isOfLine;
			if (!isMeant && !hasEscapedWhileNarrow) problem(`${cancelled}, and Esc was not pressed`);
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
		/**
		 * Records the dialog before a paste or other bytes that are not keys. Returns what reports afterwards a dialog that the
		 * bytes opened, answered or changed. A dialog may still have closed by itself.
		 */
		beforeBytes(before: string, dialog: Dialog | undefined, isPaste: boolean) {
			const title = dialog?.title;
			const line = fieldTextIn(before);
			// A typed confirmation refuses pastes.
			const mayChange = isPaste && line !== undefined && !dialog?.prompt.startsWith('Type ');
			return (frame: string, isLocked: boolean) => {
				if (countdownCoverIn(frame) === 'small') return;
				const next = dialogIn(frame)?.title;
				if (next !== undefined && !isSameTitle(next, title)) problem(`${title} became ${next}`);
				if (title !== undefined && next === undefined && !mayClose(title, frame, isLocked))
					problem(`${title} was closed without a key`);
				if (isSameTitle(next, title) && !mayChange && fieldTextIn(frame) !== line)
					problem(`${line} became ${fieldTextIn(frame)}`);
			};
		},
	};
}

type Cover = CountdownCover | undefined;

const lockAfterMs = 600_000;
const maxCreatesPerHour = 5;

/** Reports requests at times when nothing may be sent, even if the operation was confirmed. */
export function createSendingRules({ counts, problem, elapsed, isReadOnly }: Context) {
	const creates: number[] = [];
	let isLocked = false;
	let activeAt = elapsed();
	/** Requests after a key in the quit dialog. They are wrong unless that key has closed the dialog. */
	let suspects: string[] = [];

	function checkCreates() {
		creates.push(elapsed());
		const recentCreates = creates.filter(at => elapsed() - at < hour);
		if (recentCreates.length > maxCreatesPerHour)
			problem(`${recentCreates.length} creates within an hour`);
	}

	return {
		isLocked: () => isLocked,
		/** Reads a frame, which says when the monitor locks. */
		saw(frame: string, cover: Cover, before: Cover) {
			if (before === 'quit' && cover === 'quit') suspects.forEach(problem);
			suspects = [];
			if (!frame.includes('Locked. Still watching; L unlocks')) return;
			if (!isLocked) counts.locks += 1;
			isLocked = true;
		},
		unlocked() {
			isLocked = false;
		},
		/** Records that a person did something. */
		active() {
			activeAt = elapsed();
		},
		arrived(arrival: ArrivedRequest, request: string, cover: Cover, hadKeys: boolean) {
			if (arrival.hasQuit) problem(`${request} after quit`);
			if (isReadOnly) problem(`${request} while read-only`);
			if (isLocked) problem(`${request} while locked`);
			if (elapsed() - activeAt >= lockAfterMs)
				problem(`${request} after ten minutes without a key`);
			activeAt = elapsed();
			if (cover === 'quit') {
				const why = `${request} while the quit dialog was open`;
				if (hadKeys) suspects.push(why);
				else problem(why);
			}
			if (arrival.operation === 'create') checkCreates();
		},
	};
}

/** Every read is repeated at least once in this time. */
const maxReadIntervalMs = minute;
/** The screen shows the time of the last tick, which is up to this long ago on a slow line. */
const tickMs = minute + 2 * second;
/** The program must show an outage after a silence of this length, even if only one kind of read fails. */
const outageMs = 15 * second;
/** In a terminal with fewer rows, the text of a question may be cut off. */
const minRows = 18;

/**
 * Reports frames that are wrong long after the last response of the platform: a live connection, a computer
 * that is shown as running now, or a question that does not mention the outage.
 */
export function createSilenceRule({ counts, problem, wall, elapsed }: Context) {
	let lastAnswerAt: number | undefined;
	let failedAt: number | undefined;
	/** Since when each condition has held. */
	const since = new Map<string, number>();

	/** Whether the condition has held for so long that the screen must show it. */
	function mustBeShown(name: string, condition: boolean): boolean {
		const from = since.get(name) ?? elapsed();
		if (condition) since.set(name, from);
		else since.delete(name);
		return condition && elapsed() - from > tickMs;
	}

	function isOut(): boolean {
		if (lastAnswerAt === undefined || failedAt === undefined) return false;
		return wall() > Math.max(lastAnswerAt + outageMs, failedAt);
	}

	return {
		readEnded(isGood: boolean) {
			if (isGood) {
				lastAnswerAt = wall();
				failedAt = undefined;
			} else {
				failedAt ??= wall();
			}
		},
		saw(frame: string, isGreen: () => boolean) {
			const age = lastAnswerAt === undefined ? 0 : wall() - lastAnswerAt;
			const isOutage = mustBeShown('outage', isOut());
			const mayNotBeLive = mustBeShown('live', isOut() || age > 2 * maxReadIntervalMs);
			const mayNotBeGreen = mustBeShown('green', isOut() || age > 4 * maxReadIntervalMs);
			if (mayNotBeGreen) counts.silences += 1;
			if (mayNotBeLive && frame.includes('live, ')) problem(`live after a silence of ${age}`);
			if (mayNotBeGreen && isGreen()) problem(`green after a silence of ${age}`);
			const { title = '', text = '' } = dialogIn(frame) ?? {};
			const { operation } = operationIn(title) ?? {};
			const isAboutComputer = !['pay', 'billing', undefined].includes(operation);
			if (!isOutage || !isAboutComputer || frame.split('\n').length < minRows) return;
			counts.silentQuestions += 1;
			if (!/has not answered|signed out/.test(text))
				problem(`${title} does not mention a silence of ${age}`);
		},
	};
}
