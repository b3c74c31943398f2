import type { PasswordRequest } from '../accounts/password-request.ts';
import type { Clock } from '../fleet/clock.ts';
import { isDeaf, type QuestionInput } from '../operations/question.ts';

export type PasswordIntents = ReturnType<typeof createPasswordIntents>;

/** What is typed of a password: kept here, shown nowhere, and forgotten when it is given. */
export function createPasswordIntents(
	desk: PasswordRequest | undefined,
	clock: Clock,
	/** How many letters there are: no more than that is ever shown. */
	onTyping: (letters: number) => void,
	/** Lends the terminal while the work goes on. */
	lend?: (work: () => Promise<void>) => Promise<void>,
) {
	let typed = '';
	let seen: { wanted: unknown; openedAt: number } | undefined;

	const become = (text: string) => {
		typed = text;
		onTyping(Array.from(text).length);
	};

	/** What was meant for something else must not be sent away as a password. */
	function isDeafNow(): boolean {
		const now = clock.now();
		if (!seen || seen.wanted !== desk?.prompt()) return true;
		// A clock that was put back tells nothing of how long the dialog has been open.
		if (now < seen.openedAt) seen = { ...seen, openedAt: now };
		return isDeaf(seen, now);
	}

	return {
		isWanted: () => desk?.prompt() !== undefined,
		/** The dialog can be seen, for the first time or after something had covered it. */
		shown() {
			seen = { wanted: desk?.prompt(), openedAt: clock.now() };
		},
		press(input: QuestionInput) {
			if (isDeafNow()) return;
			if ('paste' in input) return become(typed + firstLine(input.paste));
			const { key } = input;
			const letter = key === 'space' ? ' ' : key;
			if (key === 'enter' && typed !== '') {
				const password = typed;
				become('');
				desk?.give(password);
			} else if (key === 'escape') {
				become('');
				desk?.cancel();
			} else if (key === 'backspace') {
				become(Array.from(typed).slice(0, -1).join(''));
			} else if (key === 'ctrl-u') {
				become('');
			} else if (key === 'ctrl-r' && desk?.prompt()?.hasCommand) {
				become('');
				void lend?.(desk.runCommand);
			} else if (Array.from(letter).length === 1) {
				become(typed + letter);
			}
		},
		/** Opens the dialog. False where no password can be typed. */
		open(): boolean {
			desk?.open();
			return desk !== undefined;
		},
	};
}

/** Of what is pasted the first line. A control character is no part of a password that anyone typed. */
function firstLine(pasted: string): string {
	const [line = ''] = pasted.split(/[\r\n]/);
	return line.replace(/\p{Cc}/gu, '');
}
