import type { Clock } from '../../foundation/clock.ts';
import { keyNameOf } from './key-sequences.ts';
import { reportFrom, type TerminalReport } from './reports.ts';
import { createSequenceParser, type InputToken } from './sequence-parser.ts';

type InputOptions = {
	clock: Clock;
	/** While a wait on this clock is pending, the program does not count as idle. */
	activityClock: Clock;
	hasPasteMarks: boolean;
	onReport: (report: TerminalReport) => void;
	/** An unfinished sequence or paste begins or ceases to swallow every key. */
	onStall: (isStalled: boolean) => void;
	/** The key is not alone if other keys came in the same read. */
	onKey: (name: string, isAlone: boolean) => void;
	onPaste: (text: string) => void;
};

/** Passed on at the end of the read; `character` is what the key types. */
type Pending = { key: string; character?: string } | { paste: string };

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

/** Without marks, so many characters at once count as a paste, unless a held key repeats the same one. */
const minPasteLength = 16;

export function createInput(options: InputOptions) {
	const { clock, activityClock, hasPasteMarks } = options;
	const decode = createUtf8Decoder();
	const parser = createSequenceParser(receiveToken);
	let passed: Pending[] = [];
	let cancelWait = () => {};
	let isEscapePending = false;
	let isStalled = false;
	let isStallReported = false;
	let takenForKey = { start: '', at: 0 };

	function receive(bytes: Uint8Array | string) {
		const text = decode(bytes);
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
		const cancel = activityClock.after(time, () => {
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
		options.onStall(isNow);
	}

	function takeAsKey() {
		takenForKey = { start: parser.takeAsKey(), at: clock.now() };
		passAll();
	}

	/** On a slow line, the start of a sequence may be taken for Esc, or for Alt and a bracket, before the rest arrives. */
	function startOfRest(text: string): string {
		const { start, at } = takenForKey;
		takenForKey = { start: '', at: 0 };
		const isSoon = start !== '' && clock.now() - at < stallMs;
		if (!isSoon || Array.from(text).length < 2) return '';
		const isRest = start.endsWith('\u001B') ? /^[[\]^_]/ : /^[^\u001B]/;
		return isRest.test(text) ? start : '';
	}

	function receiveToken(token: InputToken) {
		if (token.kind === 'paste') {
			passed.push({ paste: token.text });
			return;
		}
		const key = keyNameOf(token);
		if (key !== undefined)
			passed.push({ key, character: token.kind === 'character' ? token.text : undefined });
		else if (token.kind === 'control' || token.kind === 'string') receiveReport(token);
	}

	function receiveReport(token: Extract<InputToken, { kind: 'control' | 'string' }>) {
		const found = reportFrom(token);
		if (!found) return;
		if (token.prefix === 'two escapes') passed.push({ key: 'escape' });
		options.onReport(found);
	}

	function passAll() {
		const all = passed;
		passed = [];
		const isAlone = all.length === 1 && parser.pending() === 'nothing';
		const characters = all.flatMap(each => ('key' in each && each.character) || []);
		const isPasted =
			!hasPasteMarks &&
			all.length >= minPasteLength &&
			characters.length === all.length &&
			new Set(characters).size > 1;
		if (isPasted) return options.onPaste(characters.join(''));
		for (const each of all) {
			if ('key' in each) options.onKey(each.key, isAlone);
			else options.onPaste(each.paste);
		}
	}

	return Object.assign(receive, { isEscapePending: () => isEscapePending });
}

function isSingleKey(text: string): boolean {
	return Array.from(text).length === 1 || /^\u001B[[O]?[\d;]{0,6}[A-Za-z~]$/.test(text);
}

/** In a text of Latin-1, each byte is a character. These are characters of UTF-8, whole or cut off, and bytes that are none. */
const utf8Character =
	/[\xC2-\xDF][\x80-\xBF]?|[\xE0-\xEF][\x80-\xBF]{0,2}|[\xF0-\xF4][\x80-\xBF]{0,3}|[\xA0-\xFF]/g;
const utf8CutOff = /(?:[\xC2-\xDF]|[\xE0-\xEF][\x80-\xBF]?|[\xF0-\xF4][\x80-\xBF]{0,2})$/;

/** Node's decoder makes U+FFFD of an 8-bit control character, so that the rest of its sequence would be read as keys. */
export function createUtf8Decoder(): (bytes: Uint8Array | string) => string {
	let rest = '';
	return bytes => {
		// The stream returns strings if another reader has set an encoding.
		if (typeof bytes === 'string') return bytes;
		const text = rest + Buffer.from(bytes).toString('latin1');
		rest = utf8CutOff.exec(text)?.[0] ?? '';
		return text
			.slice(0, text.length - rest.length)
			.replace(utf8Character, piece => Buffer.from(piece, 'latin1').toString('utf8'));
	};
}
