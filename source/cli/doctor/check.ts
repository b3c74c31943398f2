/**
 * The result of one check. The result contains no secret, so that a person can paste it into a bug report.
 */
export type Check = {
	about: string;
	state: 'right' | 'unsure' | 'wrong' | 'skipped';
	said: string;
	advice?: string;
	/** The names and types of the fields in a response, without their values. */
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

/** Applies a function to every text that a check shows. */
export function mapTexts(check: Check, change: (text: string) => string): Check {
	const { said, advice, shape } = check;
	return {
		...check,
		said: change(said),
		...(advice && { advice: change(advice) }),
		...(shape && { shape: change(shape) }),
	};
}

/** Shortens `owner@example.com` to `o…@example.com`. */
export function maskedEmail(email: string): string {
	const at = email.lastIndexOf('@');
	return at < 1 ? '…' : `${email.slice(0, 1)}…${email.slice(at)}`;
}

export const shortPath = (path: string, home: string) =>
	home !== '' && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
