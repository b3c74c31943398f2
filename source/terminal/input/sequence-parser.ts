/**
 * After ECMA-48 and the state machine of DEC's terminals. Text may arrive in any pieces, and only a bounded part is kept.
 *
 *            ┌──────────────────────── any other character ───────► character
 *            │
 *   ground ──┤            ┌── other ───────────────────────────────► alt + character
 *      ▲     ├── ESC ── escape
 *      │     │            ├── [ ── control ── final ──┬─────────────► control sequence
 *      │     │            │         │                ├─ 200~ ─ paste ─ ESC [ 201 ~ ─► paste
 *      │     │            │         │                └─ M, t, T ── payload: 3, 2 or 6 characters
 *      │     │            ├── O ── shift ── final ─────────────────► single shift
 *      │     │            └── ] P X ^ _ ── string ── ESC \ or U+009C (or BEL after ]) ──► string
 *      │     └── U+0080 to U+009F: the same introducers in their 8-bit forms
 *      └────────────────────────── after each token
 */
export type InputToken =
	| { kind: 'character'; text: string }
	| { kind: 'escape' }
	/** Alt and a character, sent as an escape before it. */
	| { kind: 'alt'; text: string }
	/** `body` is the part after the introducer, including the final character. */
	| { kind: 'control'; prefix: SequencePrefix; body: string }
	| { kind: 'shift'; prefix: SequencePrefix; body: string }
	| { kind: 'string'; prefix: SequencePrefix; introducer: string; content: string }
	| { kind: 'paste'; text: string };

/** The start of a sequence. Two escapes mean Alt, or that Escape was pressed just before. */
type SequencePrefix = 'escape' | 'two escapes' | 'C1';

type ParserState = 'ground' | 'escape' | 'control' | 'shift' | 'string' | 'payload' | 'paste';

const esc = '\u001B';
const maxControlLength = 64;
const maxStringLength = 2000;
const maxPasteLength = 100_000;
const pasteEnds = ['\u001B[201~', '\u009B201~'];

/** The characters that follow in old encodings of the mouse, by the final character of the sequence. */
const mousePayloadLengths: Readonly<Record<string, number>> = { M: 3, t: 2, T: 6 };
const introducersByEightBitForm: Readonly<Record<string, string>> = {
	'\u008F': 'O',
	'\u0090': 'P',
	'\u0098': 'X',
	'\u009B': '[',
	'\u009D': ']',
	'\u009E': '^',
	'\u009F': '_',
};
/** SS2, which changes the meaning of the one character after it. */
const singleShiftTwo = '\u008E';
const isC1 = (character: string) => character >= '\u0080' && character <= '\u009F';
const isControl = (character: string) => character < ' ' || character === '\u007F';

export function createSequenceParser(emit: (token: InputToken) => void) {
	let state: ParserState = 'ground';
	let prefix: SequencePrefix = 'escape';
	let introducer = '';
	let body = '';
	let isDropped = false;
	let payload = 0;
	let pasteLength = 0;
	let pasteTail = '';

	function reset() {
		state = 'ground';
		body = '';
		isDropped = false;
	}

	function begin(form: string) {
		reset();
		introducer = form;
		state = form === '[' ? 'control' : form === 'O' ? 'shift' : 'string';
	}

	function beginEscape() {
		reset();
		prefix = 'escape';
		state = 'escape';
	}

	function beginC1(character: string) {
		const form = introducersByEightBitForm[character];
		prefix = 'C1';
		if (form !== undefined) begin(form);
		else if (character === singleShiftTwo) beginPayload(1);
		else reset();
	}

	function beginPayload(length: number) {
		reset();
		payload = length;
		state = 'payload';
	}

	function keep(character: string, maxLength: number) {
		if (body.length < maxLength) body += character;
		else isDropped = true;
	}

	const steps: Readonly<Record<ParserState, (character: string) => void>> = {
		ground(character) {
			if (character === esc) beginEscape();
			else if (isC1(character)) beginC1(character);
			else if (character !== '\uFFFD') emit({ kind: 'character', text: character });
		},
		escape(character) {
			if (character === esc) {
				if (prefix === 'two escapes') emit({ kind: 'escape' });
				prefix = prefix === 'escape' ? 'two escapes' : 'escape';
			} else if ('[O]PX^_'.includes(character)) begin(character);
			else if (isC1(character)) beginC1(character);
			else endEscape(character);
		},
		control(character) {
			if (isInterrupted(character)) return;
			if (body === '' && character === '[') body = character;
			else if (character >= '@' && character <= '~') endControl(character);
			else if (character >= ' ' && character <= '?') keep(character, maxControlLength);
			else isDropped = true;
		},
		shift(character) {
			if (isInterrupted(character)) return;
			if (/[\d;]/.test(character)) keep(character, maxControlLength);
			else endShift(character);
		},
		string(character) {
			const isEnded = body.endsWith(esc) && character === '\\';
			if (isEnded || character === '\u009C') endString(isEnded ? body.slice(0, -1) : body);
			else if (character === '\u0007' && introducer === ']') endString(body);
			else keepInString(character);
		},
		payload(character) {
			if (character === esc) return beginEscape();
			payload -= 1;
			if (payload === 0) reset();
		},
		paste(character) {
			if (body.length < maxPasteLength) body += character;
			pasteLength += character.length;
			pasteTail = (pasteTail + character).slice(-6);
			const end = pasteEnds.find(mark => pasteTail.endsWith(mark));
			if (end) endPaste(body.slice(0, pasteLength - end.length));
		},
	};

	/** An escape or an 8-bit introducer begins a new sequence, even in the middle of another one. */
	function isInterrupted(character: string): boolean {
		if (character !== esc && !isC1(character)) return false;
		if (isShiftedEdit()) emit({ kind: 'control', prefix, body });
		if (character === esc) beginEscape();
		else beginC1(character);
		return true;
	}

	/** An editing key with Shift in rxvt ends with `$`, as no other sequence does. */
	function isShiftedEdit() {
		return state === 'control' && !isDropped && /^[235678]\$$/.test(body);
	}

	function endEscape(character: string) {
		const isDoubled = prefix === 'two escapes';
		reset();
		if (isDoubled) emit({ kind: 'escape' });
		if (isControl(character) || !/\p{C}|\uFFFD/u.test(character)) {
			emit({ kind: 'alt', text: character });
		}
	}

	function endControl(final: string) {
		const whole = body + final;
		const wasDropped = isDropped;
		reset();
		const length = mousePayloadLengths[whole];
		if (wasDropped) return;
		if (length !== undefined) beginPayload(length);
		else if (whole === '200~') beginPaste();
		else emit({ kind: 'control', prefix, body: whole });
	}

	function endShift(final: string) {
		const whole = body + final;
		const wasDropped = isDropped;
		reset();
		if (!wasDropped && final >= '@' && final <= '~') emit({ kind: 'shift', prefix, body: whole });
	}

	function endString(content: string) {
		const wasDropped = isDropped;
		reset();
		if (!wasDropped) emit({ kind: 'string', prefix, introducer, content });
	}

	function beginPaste() {
		state = 'paste';
		pasteLength = 0;
		pasteTail = '';
		if (prefix === 'two escapes') emit({ kind: 'escape' });
	}

	function endPaste(text: string) {
		reset();
		emit({ kind: 'paste', text });
	}

	/** Keeps only the last character of a string that is too long, because it may begin the end mark. */
	function keepInString(character: string) {
		if (isDropped || body.length >= maxStringLength) isDropped = true;
		body = isDropped ? character : body + character;
	}

	return {
		feed(text: string) {
			for (const character of text) steps[state](character);
		},
		/** A bare introducer is ambiguous, because Alt and a bracket send the same. */
		pending(): 'nothing' | 'ambiguous' | 'inside' {
			if (state === 'ground') return 'nothing';
			const mayBeKey = body === '' && !isDropped && prefix !== 'C1' && state !== 'payload';
			return (mayBeKey && state !== 'paste') || isShiftedEdit() ? 'ambiguous' : 'inside';
		},
		/** Emits ambiguous text as a key, and returns its characters. */
		takeAsKey(): string {
			const escapes = prefix === 'two escapes' ? esc + esc : esc;
			const isEscape = state === 'escape';
			const isEdit = isShiftedEdit();
			const edit = { kind: 'control', prefix, body } as const;
			reset();
			if (isEdit) emit(edit);
			else if (isEscape || prefix === 'two escapes') emit({ kind: 'escape' });
			if (!isEdit && !isEscape) emit({ kind: 'alt', text: introducer });
			return isEdit ? '' : isEscape ? escapes : escapes + introducer;
		},
		reset,
	};
}
