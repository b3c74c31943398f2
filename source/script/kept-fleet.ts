import { isCountedPhase } from '../fleet/computers/computer.ts';
import type { CommandError } from '../foundation/error.ts';
import { spacedAgeText } from '../lines/time-text.ts';
import { statusAnswerOf } from '../store/freshness.ts';
import type { AccountState } from '../store/state.ts';
import { errorText } from './command.ts';
import type { Fleet } from './fleet.ts';
import { accountOf } from './read-accounts.ts';

const outageKinds: readonly string[] = ['offline', 'server', 'unreadable'];

/**
 * Whether a command prints what was read before, because the platform cannot be read now. Then standard error says
 * why, and how old the data is. After a refused sign-in, what is kept is not printed.
 */
export function usesKept(
	fleet: Pick<Fleet, 'accountNow' | 'isOneOfSeveral' | 'name' | 'notify'>,
	error: CommandError,
	now: number,
	report: { stderr: { write(text: string): unknown }; isJson: boolean },
): boolean {
	const age = keptAgeText(fleet.accountNow(), now);
	if (!outageKinds.includes(error.kind) || age === undefined) return false;
	report.stderr.write(errorText(error, report.isJson, accountOf(fleet)));
	fleet.notify(`What is printed was read ${age} ago`);
	return true;
}

/** Returns how old the known statuses are, as in "3 m" or "4 s to 31 m"; undefined if no status is known. */
function keptAgeText(account: AccountState, now: number): string | undefined {
	const times = [...account.computers.values()]
		.filter(({ phase }) => isCountedPhase(phase))
		.flatMap(computer => statusAnswerOf(account, computer)?.at ?? []);
	if (times.length === 0) return undefined;
	const ages = [now - Math.max(...times), now - Math.min(...times)].map(spacedAgeText);
	return [...new Set(ages)].join(' to ');
}
