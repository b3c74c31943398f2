import { accountKey } from '../accounts/credentials.ts';
import type { FleetSummary } from '../fleet/fleet-summary.ts';
import { pathErrorText } from '../foundation/error.ts';
import { readFleetSummary } from '../journal/fleet-file.ts';
import { type Host, pathsOf } from '../session/host.ts';
import { logPath } from '../session/open-journal.ts';
import { emptyAccount } from '../store/state.ts';
import { createStore } from '../store/store.ts';
import { fleetSummaryOf } from '../store/summarise-fleet.ts';
import { factsOfLeader } from './read-account.ts';

/** The summary of an account that is known without a request, from a running monitor or from the last run. */
export type KnownSummary = FleetSummary & { source: 'pane' | 'snapshot'; readAt: number };

/** Returns what is known about an account without a request; undefined if nothing is known. */
export async function knownSummaryOf(
	host: Host,
	identity: Parameters<typeof accountKey>[0],
	notify: (line: string) => void,
): Promise<KnownSummary | undefined> {
	const account = accountKey(identity);
	const leader = await leaderSummaryOf(host, account);
	if (leader) return { ...leader, source: 'pane' };
	try {
		const kept = readFleetSummary(logPath(host), account);
		if (kept?.readAt === undefined) return undefined;
		// The problem of the last run is left out, because it may be over.
		const { trouble: _, readAt, ...summary } = kept;
		return { ...summary, readAt, source: 'snapshot' };
	} catch (error) {
		const reason = pathErrorText(pathsOf(host).statePath, error);
		notify(`Cannot read the last known fleet: ${reason}`);
		return undefined;
	}
}

/** Returns what the process that polls an account has read; undefined if no process polls, or it has read no list. */
export async function leaderSummaryOf(
	host: Host,
	account: string,
): Promise<(FleetSummary & { readAt: number }) | undefined> {
	const facts = await factsOfLeader(host, account);
	if (!facts) return undefined;
	const store = createStore();
	store.receive(facts);
	const state = store.getState().accounts.get(account) ?? emptyAccount;
	const { readAt, ...summary } = fleetSummaryOf(state, host.clock.now());
	return readAt === undefined ? undefined : { ...summary, readAt };
}

/** Adds up several accounts. The sum is as old as its oldest part, and counts as from a snapshot if any part is. */
export function joinedSummary([first, ...others]: readonly [
	KnownSummary,
	...KnownSummary[],
]): KnownSummary {
	return others.reduce((sum, each) => {
		const { readAt, source, credits: _, trouble: __, limits: ___, ...counts } = sum;
		const credits = [sum.credits, each.credits].filter(amount => amount !== undefined);
		const trouble = sum.trouble ?? each.trouble;
		const names = Object.keys(counts) as (keyof typeof counts)[];
		return {
			...counts,
			...(Object.fromEntries(
				names.map(name => [name, counts[name] + each[name]]),
			) as typeof counts),
			readAt: Math.min(readAt, each.readAt),
			source: source === 'pane' ? each.source : source,
			...(credits.length > 0 && { credits: credits.reduce((total, amount) => total + amount) }),
			...(trouble && { trouble }),
		};
	}, first);
}
