import type { Hook, HookKind, hookFields, hookVariables } from '../accounts/hook-settings.ts';
import { type Change, computerIdOf, type StatusChange, subjectOf } from '../fleet/change.ts';
import { phaseOf } from '../fleet/computers/computer.ts';
import type { AccountState, ComputerState } from '../store/state.ts';

export type HookEvent = {
	kind: HookKind;
	account: string;
	computer: { id: string; name: string | null; address: string | null } | null;
	operation: string | null;
	from: string | null;
	to: string | null;
	reason: string | null;
	time: string;
	merged: number;
};

export function hookKindOf(
	{ on, from, to }: Pick<Hook, 'on' | 'from' | 'to'>,
	change: Change,
	{ operations }: AccountState,
): HookKind | undefined {
	const ifWanted = (kind: HookKind) => (on.includes(kind) ? kind : undefined);
	switch (change.type) {
		case 'statusChanged': {
			if (isFailure(change) && on.includes('computerFailed')) return 'computerFailed';
			const isMatch = isStatusIn(from, change.from) && isStatusIn(to, change.to);
			return isMatch ? ifWanted('stateChanged') : undefined;
		}
		case 'operationMoved': {
			// An operation whose response was lost has ended only when its outcome is found or given up.
			const isGivenUp = operations.get(change.wish.key)?.stage === 'failed';
			const hasEnded = ['settled', 'failed'].includes(change.to);
			return hasEnded || (change.to === 'unknown' && isGivenUp)
				? ifWanted('operationEnded')
				: undefined;
		}
		case 'accountNoted':
			return on.find(kind => kind === change.event);
		default:
			return undefined;
	}
}

/** What a cooldown counts for: a computer, an operation on a computer, or the account. */
export function hookSubjectOf(change: Change): string {
	if (change.type !== 'operationMoved') return subjectOf(change);
	const { operation, computer, key } = change.wish;
	return `${operation} ${computer ?? key}`;
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

export function hookEventOf(
	kind: HookKind,
	change: Change,
	accountName: string,
	account: AccountState,
): HookEvent {
	const id = computerIdOf(change);
	const known = id === undefined ? undefined : account.computers.get(id);
	const { wish = undefined } = change.type === 'operationMoved' ? change : {};
	const named = wish ?? change;
	const name = ('name' in named && named.name) || known?.reading.name || null;
	return {
		kind,
		account: accountName,
		computer: id === undefined ? null : { id, name, address: known?.reading.address ?? null },
		operation: wish?.operation ?? null,
		...valuesOf(change, known),
		time: new Date(change.at).toISOString(),
		merged: 0,
	} satisfies Record<keyof typeof hookFields, unknown>;
}

const accountValues = {
	accountDown: { from: 'up', to: 'down' },
	accountUp: { from: 'down', to: 'up' },
	creditsLow: { from: 'enough', to: 'low' },
	creditsEnough: { from: 'low', to: 'enough' },
} as const;

function valuesOf(
	change: Change,
	known: ComputerState | undefined,
): Pick<HookEvent, 'from' | 'to' | 'reason'> {
	switch (change.type) {
		case 'statusChanged': {
			const { from, to } = change;
			const error = change.error ?? (known?.phase === 'error' ? known.reading.error : null);
			return { from, to, reason: (phaseIn(to) === 'error' ? error : change.reason) ?? null };
		}
		case 'operationMoved': {
			const to = change.to === 'settled' ? 'done' : change.to;
			return { from: null, to, reason: change.message ?? null };
		}
		case 'accountNoted':
			return { ...accountValues[change.event], reason: change.message ?? null };
		default:
			return { from: null, to: null, reason: null };
	}
}

export const hookVariablesOf = (
	event: HookEvent,
): Readonly<Record<keyof typeof hookVariables, string>> => ({
	CROWSNEST_EVENT: event.kind,
	CROWSNEST_ACCOUNT: event.account,
	CROWSNEST_COMPUTER_ID: event.computer?.id ?? '',
	CROWSNEST_COMPUTER_NAME: event.computer?.name ?? '',
	CROWSNEST_COMPUTER_ADDRESS: event.computer?.address ?? '',
	CROWSNEST_FROM: event.from ?? '',
	CROWSNEST_TO: event.to ?? '',
	CROWSNEST_REASON: event.reason ?? '',
});
