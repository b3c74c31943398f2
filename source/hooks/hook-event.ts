import type { Hook, HookKind, hookFields, hookVariables } from '../accounts/hook-settings.ts';
import { phaseOf } from '../fleet/computers/computer.ts';
import * as v from '../foundation/schema.ts';

/**
 * A change that can start hooks. A change of a computer's status is a single edge, even if the new status is an
 * error. Each hook decides whether it runs.
 */
export const edgeSchema = v.object({
	kind: v.oneOf(['stateChanged', 'operationEnded', 'creditsLow', 'accountDown']),
	/**
	 * Identifies the computer, operation or account that changed. A later edge with the same subject replaces an edge
	 * that still waits.
	 */
	subject: v.text,
	at: v.time,
	computer: v.optional(
		v.object({ id: v.id, name: v.optional(v.name), address: v.optional(v.address) }),
	),
	/** The id of the operation that ended. */
	operation: v.optional(v.word),
	/** The values before and after the change. Null stands for a computer that did not exist yet, or exists no longer. */
	from: v.nullable(v.word),
	to: v.nullable(v.word),
	reason: v.nullable(v.text),
});

export type Edge = v.ValueOf<typeof edgeSchema>;

/** A change in an account that starts a hook. */
export type HookEvent = {
	/** The key of the account in the store. */
	account: string;
	/** The name of the account's profile. */
	accountName: string;
	kind: HookKind;
	edge: Edge;
	/** How many earlier edges of the same subject this one replaced while it waited. */
	merged: number;
};

/**
 * Returns the name of an edge in the settings of a hook, such as `computerFailed`; undefined if the hook does not run
 * on this edge.
 */
export function eventKindFor(
	hook: Pick<Hook, 'on' | 'from' | 'to'>,
	edge: Edge,
): HookKind | undefined {
	const { on, from, to } = hook;
	if (edge.kind !== 'stateChanged') return on.includes(edge.kind) ? edge.kind : undefined;
	if (isFailure(edge) && on.includes('computerFailed')) return 'computerFailed';
	const isMatch = isStatusIn(from, edge.from) && isStatusIn(to, edge.to);
	return on.includes('stateChanged') && isMatch ? 'stateChanged' : undefined;
}

const phaseIn = (status: string | null) => (status === null ? undefined : phaseOf(status));

const isFailure = ({ from, to }: Edge) => phaseIn(to) === 'error' && phaseIn(from) !== 'error';

function isStatusIn(words: readonly string[] | undefined, status: string | null): boolean {
	if (!words) return true;
	return (
		status !== null && (words.includes(status.toLowerCase()) || words.includes(phaseOf(status)))
	);
}

/** Returns the JSON object that a hook reads from its stdin. */
export function eventRecord({ accountName, kind, edge, merged }: HookEvent) {
	const { computer, operation, from, to, reason, at } = edge;
	const { id, name = null, address = null } = computer ?? {};
	return {
		kind,
		account: accountName,
		computer: id === undefined ? null : { id, name, address },
		operation: operation ?? null,
		from,
		to,
		reason,
		time: new Date(at).toISOString(),
		merged,
	} satisfies Record<keyof typeof hookFields, unknown>;
}

/** Returns the variables that a hook gets, for scripts that do not read JSON. Missing values are empty. */
export function eventVariables(
	event: HookEvent,
): Readonly<Record<keyof typeof hookVariables, string>> {
	const { kind, account, computer, from, to, reason } = eventRecord(event);
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
