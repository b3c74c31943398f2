import type { PasswordDesk } from '../accounts/password-desk.ts';
import type { QuestionInput } from '../operations/question.ts';

export type PasswordIntents = ReturnType<typeof createPasswordIntents>;

/** What is typed of a password: kept here, shown nowhere, and forgotten when it is given. */
export function createPasswordIntents(
	desk: PasswordDesk | undefined,
	onTyping: (isTyping: boolean) => void,
) {
	let typed = '';

	const become = (text: string) => {
		typed = text;
		onTyping(text !== '');
	};

	return {
		isWanted: () => desk?.wanted() !== undefined,
		press(input: QuestionInput) {
			if ('paste' in input) return become(typed + (input.paste.split(/[\r\n]/)[0] ?? ''));
			const { key } = input;
			const letter = key === 'space' ? ' ' : key;
			if (key === 'enter' && typed !== '') {
				const password = typed;
				become('');
				desk?.give(password);
			} else if (key === 'escape') {
				become('');
				desk?.decline();
			} else if (key === 'backspace') {
				become(Array.from(typed).slice(0, -1).join(''));
			} else if (key === 'ctrl-u') {
				become('');
			} else if (Array.from(letter).length === 1) {
				become(typed + letter);
			}
		},
		/** Asks again after it was declined. True when there was something to ask again for. */
		reopen(): boolean {
			if (!desk?.isDeclined()) return false;
			desk.reopen();
			return true;
		},
	};
}
