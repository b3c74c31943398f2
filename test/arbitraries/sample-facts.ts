import type { Reading } from '../../source/fleet/computers/computer.ts';
import {
	type Fact,
	type FactBody,
	factTable,
	type OperationChanged,
} from '../../source/fleet/fact.ts';
import type { OperationSpec } from '../../source/fleet/operations/operation.ts';
import type { Failure } from '../../source/foundation/failure.ts';
import { unionOf } from '../../source/foundation/schema.ts';
import { type AccountState, emptyAccount, emptyState } from '../../source/store/state.ts';
import { fold } from '../../source/store/store.ts';
import { wholeValuesOf } from './from-schema.ts';

export const account = 'work-fleet';
export const start = Date.UTC(2026, 10, 21, 8);

export const shareToken = 'k3TgVq9x';

const texts: Readonly<Record<string, string>> = {
	id: 'sb_atlas01',
	computer: 'sb_atlas01',
	operation: 'publish',
	status: 'active',
	shareToken,
	'answer.id': 'poet-3-5-medium-20241022-long',
	'ports.url': 'https://api.acme.test/v1/p/sb_atlas01/8080',
	'published.url': `https://api.acme.test/v1/p/share/${shareToken}`,
	'failure.url': 'https://pay.acme.test/s/cs_live_4242abcd',
	email: 'owner@acme.test',
};

/** One fact of each kind, with every field that it can have, and one with null wherever that is allowed. */
export const everyFact: readonly Fact[] = Object.entries(factTable)
	.flatMap(([type, row]) => wholeValuesOf(unionOf({ [type]: row }), texts, start))
	.map((body, place) => ({ account, at: start + place * 1_000, ...(body as FactBody) }));

/** Adds the account and the times to the body of a fact. */
export function fact(at: number, body: FactBody, askedAt?: number): Fact {
	return { account, at, ...(askedAt !== undefined && { askedAt }), ...body };
}

export function listRead(at: number, computers: readonly Reading[], askedAt?: number): Fact {
	return fact(at, { type: 'listRead', computers }, askedAt);
}

export function statusRead(at: number, computer: Reading, askedAt?: number): Fact {
	return fact(at, { type: 'computerRead', read: 'status', computer }, askedAt);
}

/** A read of a computer that the platform did not find. */
export function missed(at: number, id: string, askedAt?: number): Fact {
	return fact(
		at,
		{ type: 'computerRead', read: 'status', computer: { id }, isMissing: true },
		askedAt,
	);
}

type Step = OperationChanged['step'];

/** Returns the body of a fact about an operation. */
export const operationChanged = (
	spec: OperationSpec,
	step: Step,
	times: Partial<OperationChanged['times']> = {},
	more: Partial<OperationChanged> = {},
): OperationChanged => ({
	type: 'operationChanged',
	...spec,
	step,
	times: { asked: 0, ...times },
	...more,
});

/** Returns the facts of an operation that takes these steps, each at its time, in this order. */
export function operationFacts(
	spec: OperationSpec,
	steps: Readonly<Partial<Record<Step, number>>>,
	more: Partial<OperationChanged> & Pick<Partial<Fact>, 'pane'> = {},
): readonly Fact[] {
	const { counting, held, queued, sent } = steps;
	const names = Object.keys(steps) as readonly Step[];
	return names.map((step, place) => {
		const at = steps[step] ?? 0;
		const timeOf = (earlier: Step) =>
			names.slice(0, place + 1).includes(earlier) ? steps[earlier] : undefined;
		const times = {
			asked: counting ?? held ?? queued ?? sent ?? at,
			sent: timeOf('sent'),
			accepted: timeOf('accepted'),
			ended: ['done', 'failed', 'unknown', 'cancelled', 'seen'].includes(step) ? at : undefined,
		};
		const fails = step === 'failed' || step === 'unknown';
		return fact(at, {
			type: 'operationChanged',
			...spec,
			step,
			times,
			failure: fails ? failure : undefined,
			...more,
		});
	});
}

export const failure: Failure = {
	kind: 'server',
	message: 'internal error',
	advice: 'Try again later.',
	isOutcomeUnknown: false,
};

/** Returns the state of the account after the facts. */
export function accountAfter(...facts: readonly Fact[]): AccountState {
	return facts.reduce(fold, emptyState).accounts.get(account) ?? emptyAccount;
}
