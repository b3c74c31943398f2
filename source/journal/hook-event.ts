import type { Hook, HookKind, hookFields, hookVariables } from '../accounts/hook-settings.ts';
import { type Change, computerIdOf, type StatusChange, subjectOf } from '../fleet/change.ts';
import { phaseOf } from '../fleet/computers/computer.ts';
import type { AccountState } from '../store/state.ts';

/** A change that starts a hook. */
export type HookEvent = {
	kind: HookKind;
	/** The name of the account's profile. */
	account: string;
	/** The computer, operation or account that changed. */
	subject: string;
	at: number;
	computer?: { id: string; name: string | null; address: string | null } | undefined;
	/** The operation that ended. */
	operation?: string | undefined;
	/** The values before and after the change. Null stands for a computer that did not exist yet, or exists no longer. */
	from: string | null;
	to: string | null;
	reason: string | null;
	/** How many earlier changes of the same subject this one replaced while it waited. */
	merged: number;
};

/**
 * Returns the name of a change in the settings of a hook, such as `computerFailed`; undefined if the hook does not run
 * on this change.
 */
export function hookKindOf(
	{ on, from, to }: Pick<Hook, 'on' | 'from' | 'to'>,
	change: Change,
	account: AccountState,
): HookKind | undefined {
	const ifWanted = (kind: HookKind) => (on.includes(kind) ? kind : undefined);
	switch (change.type) {
		case 'statusChanged': {
			if (isFailure(change) && on.includes('computerFailed')) return 'computerFailed';
			const isMatch = isStatusIn(from, change.from) && isStatusIn(to, change.to);
			return isMatch ? ifWanted('stateChanged') : undefined;
		}
		case 'operationMoved': {
			const { key } = change.wish;
			// An operation whose response was lost has ended only when its outcome is found or given up.
			const isGivenUp = account.operations.get(key)?.stage === 'failed';
			const hasEnded =
				change.to === 'settled' || change.to === 'failed' || (change.to === 'unknown' && isGivenUp);
			return hasEnded ? ifWanted('operationEnded') : undefined;
		}
		case 'accountNoted':
			return on.find(kind => kind === change.event);
		default:
			return undefined;
	}
}

const phaseIn = (status: string | null) => (status === null ? undefined : phaseOf(status));

const isFailure = ({ from, to }: StatusChange) =>
	phaseIn(to) === 'error' && phaseIn(from) !== 'error';

function isStatusIn(words: readonly string[] | undefined, status: string | null): boolean {
	if (!words) return true;
	return (
		status !== null && (words.includes(status.toLowerCase()) || words.includes(phaseOf(status)))
	);
}

const accountValues = {
	accountDown: { from: 'up', to: 'down' },
	accountUp: { from: 'down', to: 'up' },
	creditsLow: { from: 'enough', to: 'low' },
	creditsEnough: { from: 'low', to: 'enough' },
} as const;

export function hookEventOf(
	kind: HookKind,
	change: Change,
	accountName: string,
	account: AccountState,
): HookEvent {
	const { at } = change;
	const id = computerIdOf(change);
	const known = id === undefined ? undefined : account.computers.get(id);
	const named = change.type === 'operationMoved' ? change.wish : change;
	const name = ('name' in named && named.name) || known?.reading.name || null;
	const computer =
		id === undefined ? undefined : { id, name, address: known?.reading.address ?? null };
	const event = { kind, account: accountName, subject: subjectOf(change), at, computer, merged: 0 };
	switch (change.type) {
		case 'statusChanged': {
			const { from, to } = change;
			if (phaseIn(to) !== 'error') return { ...event, from, to, reason: change.reason ?? null };
			const now = known?.phase === 'error' ? known.reading.error : undefined;
			return { ...event, from, to, reason: change.error ?? now ?? null };
		}
		case 'operationMoved': {
			const to = change.to === 'settled' ? 'done' : change.to;
			const { operation, computer: subject = change.wish.key } = change.wish;
			const reason = change.message ?? null;
			return { ...event, subject: `${operation} ${subject}`, operation, from: null, to, reason };
		}
		case 'accountNoted':
			return { ...event, ...accountValues[change.event], reason: change.message ?? null };
		default:
			return { ...event, from: null, to: null, reason: null };
	}
}

/** Returns the JSON object that a hook reads from its stdin. */
export function eventRecord(event: HookEvent) {
	const { kind, account, computer, operation, from, to, reason, at, merged } = event;
	return {
		kind,
		account,
		computer: computer ?? null,
		operation: operation ?? null,
		from,
		to,
		reason,
		time: new Date(at).toISOString(),
		merged,
	} satisfies Record<keyof typeof hookFields, unknown>;
}

/** Returns the variables that a hook gets, for scripts that do not read JSON. Missing values are empty. */
export function eventVariables({
	kind,
	account,
	computer,
	from,
	to,
	reason,
}: HookEvent): Readonly<Record<keyof typeof hookVariables, string>> {
	return {
		CROWSNEST_EVENT: kind,
		CROWSNEST_ACCOUNT: account,
		CROWSNEST_COMPUTER_ID: computer?.id ?? '',
		CROWSNEST_COMPUTER_NAME: computer?.name ?? '',
		CROWSNEST_COMPUTER_ADDRESS: computer?.address ?? '',
		CROWSNEST_FROM: from ?? '',
		CROWSNEST_TO: to ?? '',
		CROWSNEST_REASON: reason ?? '',
	};
}
