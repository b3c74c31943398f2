import { isCountedPhase } from '../fleet/computers/computer.ts';
import { CommandError, exitCodes, UsageError } from '../foundation/error.ts';
import { spacedAgeText } from '../lines/time-text.ts';
import type { Host } from '../session/host.ts';
import { statusAnswerOf } from '../store/freshness.ts';
import type { Fleet, Fleets } from './fleet.ts';
import { TimedOut } from './interruption.ts';
import type { ParsedArgs } from './parsed-args.ts';
import { errorFromUsage, errorText } from './stderr.ts';

// Accounts that answer within this time are printed in the order in which they were chosen.
const jointPrintMs = 1_000;

/**
 * A failing account neither hides nor delays the others; a single one throws. `print` gets each result once, `results`
 * all in the order of the accounts.
 */
export async function readAccounts<T>(
	{ program, clock }: Host,
	args: ParsedArgs,
	fleets: Fleets,
	read: (fleet: Fleet) => Promise<T>,
	print: (results: readonly T[]) => void = () => {},
): Promise<{ results: readonly T[]; code: number }> {
	const failures: CommandError[] = [];
	const answers = new Map<Fleet, readonly [T]>();
	const unprinted = new Set(fleets);
	let isJoint = true;
	const answersOf = (some: readonly Fleet[]) => some.flatMap(fleet => answers.get(fleet) ?? []);

	function printNow() {
		const fresh = fleets.filter(fleet => answers.has(fleet) && unprinted.delete(fleet));
		if (fresh.length > 0) print(answersOf(fresh));
	}

	async function readOne(fleet: Fleet) {
		try {
			answers.set(fleet, [await read(fleet)]);
			if (!isJoint) printNow();
		} catch (error) {
			if (fleets.length === 1) throw error;
			const failure = failureOfAccount(error, fleet.signal);
			failures.push(failure);
			program.stderr.write(errorText(failure, args.flag('json'), fleet.label));
		}
	}

	const cancelTimer = clock.after(jointPrintMs, () => {
		isJoint = false;
		printNow();
	});
	try {
		await Promise.all(fleets.map(readOne));
	} finally {
		cancelTimer();
	}
	printNow();
	return { results: answersOf(fleets), code: exitCodeOf(failures, answers.size) };
}

function failureOfAccount(error: unknown, { aborted, reason }: AbortSignal): CommandError {
	if (aborted && !(reason instanceof TimedOut)) throw reason;
	if (aborted) return reason;
	if (error instanceof UsageError) return errorFromUsage(error);
	if (error instanceof CommandError) return error;
	throw error;
}

function exitCodeOf(failures: readonly CommandError[], answerCount: number): number {
	const [code = exitCodes.done, ...others] = new Set(failures.map(each => each.code));
	if (failures.length > 0 && answerCount > 0) return exitCodes.partial;
	return others.length > 0 ? exitCodes.failed : code;
}

export const labelAmong = (accounts: readonly unknown[], { name }: { name: string }) =>
	accounts.length > 1 ? name : undefined;

export const accountWidthOf = (accounts: readonly { shortName: string }[]) =>
	accounts.length === 1
		? 0
		: Math.max('ACCOUNT'.length, ...accounts.map(({ shortName }) => shortName.length));

/** At the beginning of a line; empty for one account. */
export function accountCells(accounts: readonly { shortName: string }[]) {
	const width = accountWidthOf(accounts);
	return ({ shortName }: { shortName: string }) =>
		width === 0 ? '' : `${shortName.padEnd(width)}  `;
}

const outageKinds: readonly string[] = ['offline', 'server', 'unreadable'];

export function usesKept(
	{ program, clock }: Host,
	args: ParsedArgs,
	{ accountNow, label, notify }: Fleet,
	error: CommandError,
): boolean {
	const account = accountNow();
	const times = [...account.computers.values()]
		.filter(({ phase }) => isCountedPhase(phase))
		.flatMap(computer => statusAnswerOf(account, computer)?.at ?? []);
	if (!outageKinds.includes(error.kind) || times.length === 0) return false;
	program.stderr.write(errorText(error, args.flag('json'), label));
	const oldest = clock.now() - Math.min(...times);
	notify(`What is printed was read ${spacedAgeText(oldest)} ago`);
	return true;
}
