import { CommandError, exitCodes, UsageError } from '../foundation/error.ts';
import type { Host } from '../session/host.ts';
import { errorFromUsage, errorText, type ParsedArgs } from './command.ts';
import type { Fleet, Fleets } from './fleet.ts';
import { TimedOut } from './interruption.ts';

/** The result of one account. */
export type AccountResult<T> = { fleet: Fleet; result: T };

// Accounts that answer within this time are printed in the order in which they were chosen.
const jointPrintMs = 1_000;

/**
 * Runs `read` for all accounts at the same time, and prints each result as soon as it is ready. A failing account is
 * reported on standard error, and does not hide or delay the others. Resolves with the exit code.
 *
 * With a single account, a failure is thrown.
 */
export async function readAccounts<T>(
	{ program, clock }: Host,
	args: ParsedArgs,
	fleets: Fleets,
	read: (fleet: Fleet) => Promise<T>,
	print: (results: readonly AccountResult<T>[]) => void,
): Promise<number> {
	const [only] = fleets;
	if (fleets.length === 1) {
		print([{ fleet: only, result: await read(only) }]);
		return exitCodes.done;
	}
	const { signal } = only;
	const failures: CommandError[] = [];
	let resultCount = 0;
	let unprinted: AccountResult<T>[] = [];
	let isPrintingJointly = true;

	function printNow() {
		const results = fleets.flatMap(each => unprinted.filter(({ fleet }) => fleet === each));
		unprinted = [];
		if (results.length > 0) print(results);
	}

	const cancelTimer = clock.after(jointPrintMs, () => {
		isPrintingJointly = false;
		printNow();
	});
	try {
		await Promise.all(
			fleets.map(async fleet => {
				try {
					const result = await read(fleet);
					unprinted.push({ fleet, result });
					resultCount += 1;
					if (!isPrintingJointly) printNow();
				} catch (error) {
					const failure = failureOfAccount(error, signal);
					failures.push(failure);
					program.stderr.write(errorText(failure, args.flag('json'), fleet.name));
				}
			}),
		);
	} finally {
		cancelTimer();
	}
	printNow();
	return exitCodeOf(failures, resultCount);
}

/** Returns the failure of one account. Throws the error again if it ends the command for all accounts. */
function failureOfAccount(error: unknown, { aborted, reason }: AbortSignal): CommandError {
	if (aborted) {
		if (reason instanceof TimedOut) return reason;
		throw reason;
	}
	if (error instanceof UsageError) return errorFromUsage(error, undefined);
	if (error instanceof CommandError) return error;
	throw error;
}

/** Returns the exit code of a command that read several accounts, of which some failed. */
export function exitCodeOf(failures: readonly CommandError[], resultCount: number): number {
	const codes = new Set(failures.map(({ code }) => code));
	const [code = exitCodes.done] = codes;
	if (failures.length > 0 && resultCount > 0) return exitCodes.partial;
	return codes.size > 1 ? exitCodes.failed : code;
}

/** Returns the name of the account for a JSON record; undefined if the command works on one account. */
export function accountOf({
	name,
	isOneOfSeveral,
}: Pick<Fleet, 'name' | 'isOneOfSeveral'>): string | undefined {
	return isOneOfSeveral ? name : undefined;
}

/** Returns the column ACCOUNT of plain output, which is empty if the command works on one account. */
export function accountColumn(accounts: readonly { shortName: string }[]): {
	title: string;
	cellOf(account: { shortName: string }): string;
} {
	if (accounts.length === 1) return { title: '', cellOf: () => '' };
	const title = 'ACCOUNT';
	const width = Math.max(title.length, ...accounts.map(({ shortName }) => shortName.length));
	const cell = (text: string) => `${text.padEnd(width)}  `;
	return { title: cell(title), cellOf: ({ shortName }) => cell(shortName) };
}
