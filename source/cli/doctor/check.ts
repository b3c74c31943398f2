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
	{ hasUnicode, isVerbose }: { hasUnicode: boolean; isVerbose: boolean },
): string {
	const indent = ' '.repeat(20);
	const statusPrefix = status === 'right' ? '' : `${status}: `;
	return [
		`${signOf(status, hasUnicode)} ${subject.padEnd(17)} ${account ? `${account}: ` : ''}${statusPrefix}${finding}`,
		...(advice ? [`${indent}${arrow(hasUnicode)} ${advice}`] : []),
		...(shape && isVerbose ? [`${indent}${shape}`] : []),
	].join('\n');
}

/**
 * Sums up all checks in the first problem and the advice for it.
 *
 * ```
 * ✖ Sign-in: id.example.com refuses this e-mail address with this password
 *   → Check the e-mail address and the password: either may be wrong.
 * ```
 */
export function doctorText(checks: readonly Check[], hasUnicode: boolean): string {
	const [first, ...others] = problemsIn(checks);
	if (!first) return `${signOf('right', hasUnicode)} crowsnest works`;
	const { status, subject, account, finding, advice } = first;
	const opening = status === 'wrong' ? '' : 'crowsnest works. ';
	return [
		`${signOf(status, hasUnicode)} ${opening}${subject}: ${account ? `${account}: ` : ''}${finding}`,
		...(advice ? [`  ${arrow(hasUnicode)} ${advice}`] : []),
		...(others.length > 0 ? [`  ${others.length} more below`] : []),
	].join('\n');
}

/** Returns the checks that a person can do something about, the gravest first. */
export function problemsIn(checks: readonly Check[]): readonly Check[] {
	const wrong = checks.filter(({ status }) => status === 'wrong');
	return [...wrong, ...checks.filter(({ status, advice }) => status === 'unsure' && advice)];
}

const signOf = (status: Check['status'], hasUnicode: boolean) =>
	signsByStatus[hasUnicode ? 'unicode' : 'ascii'][status];

const arrow = (hasUnicode: boolean) => (hasUnicode ? '→' : '->');

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
