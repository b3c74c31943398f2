import type { Clock } from '../fleet/clock.ts';
import { keyForInk, keySequence, standsForHiddenKey } from './key-sequences.ts';
import { type Report, reportFrom } from './reports.ts';
import { createSequenceParser, type Token } from './sequence-parser.ts';

export type { Mouse, Report } from './reports.ts';

export type InputOptions = {
	clock: Clock;
	/** The same clock, for waits that a test has to sit out before the program is idle. */
	timing?: Clock;
	/** Whether the terminal marks what is pasted. */
	marksPastes: boolean;
	onReport: (report: Report) => void;
	/** What has begun swallows every key and nothing more comes of it, or that is over. */
	onStall?: (isStalled: boolean) => void;
	/** One key as Ink understands it, or pasted text between its marks. */
	onKey: (text: string) => void;
};

export type Input = {
	(text: string): void;
	/** True while time alone decides whether an escape is a key or the start of a sequence. */
	isWaiting(): boolean;
};

type Passed = { text: string; isCharacter: boolean };

/** How long the rest of a sequence may take where what has come may be a key as well. */
const escapeTimeout = 30;

/**
 * A sequence or a paste that has begun for certain swallows everything until its end, however long
 * that takes. If the end is lost, a person must still get out: once nothing has come for `silence`, a
 * chunk that is one single key, and nothing else for `pause` after it, ends it. That key is swallowed,
 * and so is every key that comes with others or too soon, because it may belong to a line that stalls.
 */
const stallTime = 2000;
const stallKeyPause = 500;

/** Nobody types so much at once: where pastes are not marked, that was one. A key that is held down
 *  sends one character many times. */
const pasteLength = 16;

/** Sorts what comes in into keys, pastes and the terminal's reports, and drops everything else. */
export function createInput(options: InputOptions): Input {
	const { clock, timing = clock, marksPastes, onReport: report, onKey: pass } = options;
	const parser = createSequenceParser(receiveToken);
	let passed: Passed[] = [];
	let cancelWait = () => {};
	let isWaiting = false;
	let isStalled = false;
	let isStallTold = false;
	let settled = { start: '', at: 0 };

	function receive(text: string) {
		if (text === '') return;
		cancelWait();
		const isEnding = isStalled && isOneKey(text);
		isStalled = false;
		parser.feed(startOfRest(text) + text);
		passAll();
		const pending = parser.pending();
		if (pending !== 'inside') tellStall(false);
		if (pending === 'ambiguous') wait(escapeTimeout, settle);
		else if (pending === 'inside' && isEnding) wait(stallKeyPause, leave);
		else if (pending === 'inside') waitForSilence();
	}

	function wait(time: number, then: () => void) {
		isWaiting = true;
		const cancel = timing.after(time, () => {
			isWaiting = false;
			then();
		});
		cancelWait = () => {
			isWaiting = false;
			cancel();
		};
	}

	function waitForSilence() {
		cancelWait = clock.after(stallTime, () => {
			isStalled = true;
			tellStall(true);
		});
	}

	function leave() {
		parser.reset();
		tellStall(false);
	}

	function tellStall(isIt: boolean) {
		if (isIt === isStallTold) return;
		isStallTold = isIt;
		options.onStall?.(isIt);
	}

	function settle() {
		settled = { start: parser.settle(), at: clock.now() };
		passAll();
	}

	/**
	 * On a slow line the rest of a sequence may come after its start was taken for Esc or for Alt and
	 * a bracket. Nobody types such a rest in one chunk, so it goes on with the sequence.
	 */
	function startOfRest(text: string): string {
		const { start, at } = settled;
		settled = { start: '', at: 0 };
		const isSoon = start !== '' && clock.now() - at < stallTime;
		if (!isSoon || Array.from(text).length < 2) return '';
		const isRest = start.endsWith('\u001B') ? /^[[\]^_]/ : /^[^\u001B]/;
		return isRest.test(text) ? start : '';
	}

	function receiveToken(token: Token) {
		switch (token.kind) {
			case 'character':
				if (!standsForHiddenKey(token.text)) passed.push({ text: token.text, isCharacter: true });
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

	function receiveSequence(token: Extract<Token, { prefix: unknown }>) {
		const key = token.kind === 'string' ? undefined : keySequence(token);
		if (key !== undefined) return passKey(key);
		const found = token.kind === 'shift' ? undefined : reportFrom(token);
		if (!found) return;
		if (token.prefix === 'two escapes') passKey('\u001B');
		report(found);
	}

	function passKey(sequence: string) {
		passed.push({ text: keyForInk(sequence), isCharacter: false });
	}

	function passAll() {
		const all = passed;
		passed = [];
		const isPasted =
			!marksPastes &&
			all.length >= pasteLength &&
			all.every(({ isCharacter }) => isCharacter) &&
			new Set(all.map(({ text }) => text)).size > 1;
		const texts = all.map(({ text }) => text);
		if (isPasted) pass(`\u001B[200~${texts.join('')}\u001B[201~`);
		else for (const text of texts) pass(text);
	}

	return Object.assign(receive, { isWaiting: () => isWaiting });
}

/** A single character, or a short sequence by itself. */
function isOneKey(text: string): boolean {
	return Array.from(text).length === 1 || /^\u001B[[O]?[\d;]{0,6}[A-Za-z~]$/.test(text);
}
