/** The result of one check of `crowsnest doctor`. It contains no secrets, so it can go into a bug report. */
export type Check = {
	subject: string;
	/** The profile of the account that was checked, if there are several. */
	account?: string;
	status: 'right' | 'unsure' | 'wrong' | 'skipped';
	finding: string;
	advice?: string;
	/** The names and types of the fields in a response, without their values. */
	shape?: string;
};

const signsByStatus = {
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
	{ subject, account, status, finding, advice, shape }: Check,
	hasUnicode: boolean,
): string {
	const sign = signsByStatus[hasUnicode ? 'unicode' : 'ascii'][status];
	const indent = ' '.repeat(20);
	const statusPrefix = status === 'right' ? '' : `${status}: `;
	return [
		`${sign} ${subject.padEnd(17)} ${account ? `${account}: ` : ''}${statusPrefix}${finding}`,
		...(advice ? [`${indent}${hasUnicode ? '→' : '->'} ${advice}`] : []),
		...(shape ? [`${indent}${shape}`] : []),
	].join('\n');
}

/** Returns the JSON object of a check. Scripts rely on its field names, so the names never change. */
export function checkRecord({ subject, status, finding, ...details }: Check) {
	return { about: subject, state: status, said: finding, ...details };
}

export type CheckRecord = ReturnType<typeof checkRecord>;

/** Returns the check with the finding, the advice and the shape changed by a function. */
export function mapTexts(check: Check, change: (text: string) => string): Check {
	const { finding, advice, shape } = check;
	return {
		...check,
		finding: change(finding),
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
