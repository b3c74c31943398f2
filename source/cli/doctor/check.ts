/** One thing that was looked at. Holds no secret, so that it may be shown to anybody. */
export type Check = {
	about: string;
	state: 'right' | 'unsure' | 'wrong' | 'skipped';
	said: string;
	/** What to do about it. */
	advice?: string;
	/** The names and kinds in what came back, without what they held. */
	shape?: string;
};

const signs = {
	unicode: { right: '✔', unsure: '!', wrong: '✖', skipped: '-' },
	ascii: { right: '+', unsure: '!', wrong: 'x', skipped: '-' },
} as const;

/**
 * ```
 * ✖ Clock           wrong: 412 s behind the platform's
 *                   → Set the clock of this machine.
 * ```
 */
export function checkText(
	{ about, state, said, advice, shape }: Check,
	hasUnicode: boolean,
): string {
	const sign = signs[hasUnicode ? 'unicode' : 'ascii'][state];
	const indent = ' '.repeat(20);
	const word = state === 'right' ? '' : `${state}: `;
	return [
		`${sign} ${about.padEnd(17)} ${word}${said}`,
		...(advice ? [`${indent}${hasUnicode ? '→' : '->'} ${advice}`] : []),
		...(shape ? [`${indent}${shape}`] : []),
	].join('\n');
}

/** Changes every text that a check shows. */
export function mapTexts(check: Check, change: (text: string) => string): Check {
	const { said, advice, shape } = check;
	return {
		...check,
		said: change(said),
		...(advice && { advice: change(advice) }),
		...(shape && { shape: change(shape) }),
	};
}

/** An address may be told, its owner only nearly. */
export function maskedEmail(email: string): string {
	const at = email.lastIndexOf('@');
	return at < 1 ? '…' : `${email.slice(0, 1)}…${email.slice(at)}`;
}

export const shortPath = (path: string, home: string) =>
	home !== '' && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
