import type { Clock } from '../../foundation/clock.ts';
import { isPlaceholderOfHiddenKey, keySequenceFrom, sequenceForInk } from './key-sequences.ts';
import { reportFrom, type TerminalReport } from './reports.ts';
import { createSequenceParser, type InputToken } from './sequence-parser.ts';

export type { MouseInput, TerminalReport as Report } from './reports.ts';

type InputOptions = {
	clock: Clock;
	/**
	 * The same clock, wrapped so that the program does not count as idle while a wait on this clock is
	 * pending.
	 */
	activityClock?: Clock;
	/** Whether the terminal puts marks before and after a paste. */
	hasPasteMarks: boolean;
	onReport: (report: TerminalReport) => void;
	/**
	 * Called with true when an unfinished sequence or paste begins to swallow every key, and with false when this
	 * ends.
	 */
	onStall?: (isStalled: boolean) => void;
	/**
	 * Called with one key in the form that Ink understands, or with a paste between its marks. A key is not alone if other
	 * keys came in the same read.
	 */
	onKey: (text: string, isAlone: boolean) => void;
};

type Input = {
	(text: string): void;
	/** Whether an escape character has arrived that may be a key or the start of a sequence; a timer decides. */
	isEscapePending(): boolean;
};

type PendingKey = { text: string; isCharacter: boolean };

/** If nothing follows an escape character within this time, it is the Esc key and not the start of a sequence. */
const escapeTimeoutMs = 30;

/**
 * While a sequence or a paste is unfinished, every key counts as a part of it. If its end is lost, a person ends it
 * by pressing single keys:
 *
 *    inside ── no input for `stallMs` ──► stalled ── one single key ──► ending
 *      ▲                                                                   │
 *      ├──── input within `minPauseAfterSingleKeyMs` ◄─────────────────────┤
 *      │                                                                   ▼
 *      └──────────────────────────── no input in that time: the sequence is dropped
 *
 * Keys before that have no effect, because they may be the rest of the sequence that arrives late on a slow line.
 */
const stallMs = 2000;
const minPauseAfterSingleKeyMs = 500;

/**
 * If the terminal does not mark pastes, this number of characters at once counts as a paste, because no person types
 * that fast. A held key does not count, because it repeats the same character.
 */
const minPasteLength = 16;

/** Sorts input into keys, pastes and the terminal's reports, and drops everything else. */
export function createInput(options: InputOptions): Input {
	const {
		clock,
		activityClock: timing = clock,
		hasPasteMarks: marksPastes,
		onReport: report,
		onKey: pass,
	} = options;
	const parser = createSequenceParser(receiveToken);
	let passed: PendingKey[] = [];
	let cancelWait = () => {};
	let isEscapePending = false;
	let isStalled = false;
	let isStallReported = false;
	let takenForKey = { start: '', at: 0 };

	function receive(text: string) {
		if (text === '') return;
		cancelWait();
		const isEnding = isStalled && isSingleKey(text);
		isStalled = false;
		parser.feed(startOfRest(text) + text);
		passAll();
		const pending = parser.pending();
		if (pending !== 'inside') reportStall(false);
		if (pending === 'ambiguous') wait(escapeTimeoutMs, takeAsKey);
		else if (pending === 'inside' && isEnding) wait(minPauseAfterSingleKeyMs, drop);
		else if (pending === 'inside') waitForSilence();
	}

	function wait(time: number, then: () => void) {
		isEscapePending = true;
		const cancel = timing.after(time, () => {
			isEscapePending = false;
			then();
		});
		cancelWait = () => {
			isEscapePending = false;
			cancel();
		};
	}

	function waitForSilence() {
		cancelWait = clock.after(stallMs, () => {
			isStalled = true;
			reportStall(true);
		});
	}

	function drop() {
		parser.reset();
		reportStall(false);
	}

	function reportStall(isNow: boolean) {
		if (isNow === isStallReported) return;
		isStallReported = isNow;
		options.onStall?.(isNow);
	}

	function takeAsKey() {
		takenForKey = { start: parser.takeAsKey(), at: clock.now() };
		passAll();
	}

	/**
	 * On a slow line, the start of a sequence may be taken for Esc, or for Alt and a bracket, before the rest
	 * arrives. If the text looks like such a rest, returns the start, so that both are parsed together.
	 */
	function startOfRest(text: string): string {
		const { start, at } = takenForKey;
		takenForKey = { start: '', at: 0 };
		const isSoon = start !== '' && clock.now() - at < stallMs;
		if (!isSoon || Array.from(text).length < 2) return '';
		const isRest = start.endsWith('\u001B') ? /^[[\]^_]/ : /^[^\u001B]/;
		return isRest.test(text) ? start : '';
	}

	function receiveToken(token: InputToken) {
		switch (token.kind) {
			case 'character':
				if (!isPlaceholderOfHiddenKey(token.text))
					passed.push({ text: token.text, isCharacter: true });
				break;
			case 'escape':
				passKey('\u001B');
				break;
			case 'alt':
				passKey(`\u001B${token.text}`);
				break;
			case 'paste':
				passed.push({ text: `\u001B[200~${token.text}\u001B[201~`, isCharacter: false });
				break;
			default:
				receiveSequence(token);
		}
	}

	function receiveSequence(token: Extract<InputToken, { prefix: unknown }>) {
		const key = token.kind === 'string' ? undefined : keySequenceFrom(token);
		if (key !== undefined) return passKey(key);
		const found = token.kind === 'shift' ? undefined : reportFrom(token);
		if (!found) return;
		if (token.prefix === 'two escapes') passKey('\u001B');
		report(found);
	}

	function passKey(sequence: string) {
		passed.push({ text: sequenceForInk(sequence), isCharacter: false });
	}

	function passAll() {
		const all = passed;
		passed = [];
		const isPasted =
			!marksPastes &&
			all.length >= minPasteLength &&
			all.every(({ isCharacter }) => isCharacter) &&
			new Set(all.map(({ text }) => text)).size > 1;
		const texts = all.map(({ text }) => text);
		const isAlone = texts.length === 1 && parser.pending() === 'nothing';
		if (isPasted) pass(`\u001B[200~${texts.join('')}\u001B[201~`, true);
		else for (const text of texts) pass(text, isAlone);
	}

	return Object.assign(receive, { isEscapePending: () => isEscapePending });
}

/** Whether the text is a single character, or a single short sequence. */
function isSingleKey(text: string): boolean {
	return Array.from(text).length === 1 || /^\u001B[[O]?[\d;]{0,6}[A-Za-z~]$/.test(text);
}
