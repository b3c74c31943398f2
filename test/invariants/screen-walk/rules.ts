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

type SendingOptions = {
	report: Report;
	elapsed: () => number;
	isReadOnly: boolean;
};

const lockAfterMs = 600_000;
const hour = 3_600_000;
const maxCreatesPerHour = 5;

/** Reports requests at times when nothing may be sent, even if the operation was confirmed. */
export function createSendingRules({ report, elapsed, isReadOnly }: SendingOptions) {
	const { counts, problem } = report;
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
		saw(frame: string, cover: CountdownCover | undefined, before: CountdownCover | undefined) {
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
		arrived(
			arrival: ArrivedRequest,
			request: string,
			cover: CountdownCover | undefined,
			hadKeys: boolean,
		) {
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

type SilenceOptions = {
	report: Report;
	/** The time of the program, which may jump. */
	wall: () => number;
	/** The elapsed time, which never jumps. */
	elapsed: () => number;
};

const second = 1_000;
const minute = 60 * second;

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
export function createSilenceRule({ report, wall, elapsed }: SilenceOptions) {
	const { counts, problem } = report;
	let lastAnswerAt: number | undefined;
	let failedAt: number | undefined;
	const since: {
		outage?: number | undefined;
		live?: number | undefined;
		green?: number | undefined;
	} = {};

	/** Whether the condition has held for so long that the screen must show it. */
	function mustBeShown(name: keyof typeof since, condition: boolean): boolean {
		if (!condition) since[name] = undefined;
		else since[name] ??= elapsed();
		return condition && elapsed() - (since[name] ?? elapsed()) > tickMs;
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
			const isAboutComputer = !['pay', 'billing', undefined].includes(
				operationIn(title)?.operation,
			);
			if (!isOutage || !isAboutComputer || frame.split('\n').length < minRows) return;
			counts.silentQuestions += 1;
			if (!text.includes('has not answered'))
				problem(`${title} does not mention a silence of ${age}`);
		},
	};
}
