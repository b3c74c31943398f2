import type { Reading } from '../../source/fleet/computers/computer.ts';
import type { Fact, FactBody, OperationChanged } from '../../source/fleet/fact.ts';
import type { OperationSpec } from '../../source/fleet/operations/operation.ts';
import type { AccountReadName } from '../../source/fleet/reads.ts';
import type { Failure } from '../../source/foundation/failure.ts';
import { fold } from '../../source/store/fold.ts';
import { type AccountState, emptyAccount, emptyState } from '../../source/store/state.ts';

export const account = 'work-fleet';
export const start = Date.UTC(2026, 10, 21, 8);

export const shareToken = 'k3TgVq9x';

/** A failure in which every field is present. */
const refusal: Failure = {
	kind: 'payment',
	message: 'no payment method on file for owner@acme.test',
	advice: 'Open the page and add one.',
	status: 402,
	code: 'no_payment_method',
	isOutcomeUnknown: false,
};

const atlas = { id: 'sb_atlas01', name: 'atlas', status: 'active', cpu: 12, address: '10.0.0.2' };

type WithoutOrigin<F> = F extends Fact ? Omit<F, 'account' | 'at'> : never;
type SampleBody = WithoutOrigin<Fact>;

const wish = { key: 'k1', operation: 'publish', computer: 'sb_atlas01', name: 'atlas' } as const;

/** One fact of each type, with every field that it can have. */
const sampleBodies: { readonly [T in Fact['type']]: Extract<SampleBody, { type: T }> } = {
	watchShared: { type: 'watchShared', followers: 2 },
	changeNoted: {
		type: 'changeNoted',
		change: {
			type: 'accountNoted',
			at: start,
			notBefore: start,
			event: 'accountDown',
			name: 'work',
			message: 'no answer',
		},
	},
	shareChosen: { type: 'shareChosen', share: 'half', chosenAt: start },
	paneLeft: { type: 'paneLeft', left: 'pane-4121' },
	recalled: {
		type: 'recalled',
		computers: [
			{
				reading: { ...atlas, ports: [{ port: 8080 }] },
				seenAt: start - 5_000,
				since: { at: start - 9_000, isLowerBound: true },
				stopReason: 'asleep',
			},
		],
		usage: [
			{
				id: 'sb_atlas01',
				lastSlot: 40_000_000,
				busySlot: 39_999_990,
				cpu: [8, null, 12],
				memory: [18, 18, 20],
			},
		],
		history: {
			id: 'sb_atlas01',
			changes: [
				{
					type: 'statusChanged',
					at: start - 90_000,
					notBefore: start - 91_000,
					id: 'sb_atlas01',
					name: 'atlas',
					from: 'stopped',
					to: 'active',
				},
			],
		},
		changes: [
			{
				type: 'statusChanged',
				at: start - 60_000,
				notBefore: start - 61_000,
				id: 'sb_atlas01',
				name: 'atlas',
				from: 'active',
				to: null,
				lasted: 5,
				reason: 'asked',
			},
			{
				type: 'operationMoved',
				at: start - 50_000,
				wish: { ...wish, port: 8080, version: '1.4.2', batch: 'b1' },
				to: 'failed',
				took: 12,
				who: 'owner@acme.test',
				message: 'atlas does not answer at 10.0.0.2',
			},
			{ type: 'toppedUp', at: start, notBefore: start - 1, from: 1.5, to: 20 },
			{ type: 'released', at: start, notBefore: start - 1, from: '1.4.1', to: '1.4.2' },
		],
		samples: [{ at: start - 1, balance: 41.5 }],
	},
	listRead: {
		type: 'listRead',
		askedAt: start - 40,
		computers: [
			atlas,
			{ id: 'sb_borealis', name: 'borealis', status: 'error', error: 'atlas is not reachable' },
		],
		unreadable: 1,
	},
	computerRead: {
		type: 'computerRead',
		read: 'detail',
		isMissing: false,
		computer: {
			...atlas,
			stage: null,
			stageProgress: 63,
			stageMessage: 'loading for atlas',
			version: '1.4.2',
			error: null,
			provider: 'opensandbox',
			location: 'fsn1',
			serverType: 'cx22',
			memory: 41.5,
			storage: null,
			startedAt: start - 1,
			createdAt: start - 2,
			updatedAt: start - 3,
			ports: [
				{ port: 8080, url: 'https://api.acme.test/v1/p/sb_atlas01/8080' },
				{ port: 5173, url: `https://api.acme.test/v1/p/share/${shareToken}`, shareToken },
			],
		},
	},
	readFailed: {
		type: 'readFailed',
		read: 'status',
		id: 'sb_atlas01',
		failure: refusal,
		nextAt: start + 4,
	},
	answered: { type: 'answered', read: 'subscription', answer: null },
	operationChanged: {
		type: 'operationChanged',
		...wish,
		port: 8080,
		version: '1.4.2',
		batch: 'b1',
		step: 'failed',
		times: {
			asked: start,
			until: start + 5_000,
			sent: start + 1,
			accepted: start + 2,
			ended: start + 3,
		},
		failure: { ...refusal, retryAfter: 5 },
		skipped: 2,
		abandonedBy: 'pane-4121',
		reading: { ...atlas, ports: [{ port: 8080 }] },
		published: { port: 8080, shareToken },
	},
	limitsChanged: {
		type: 'limitsChanged',
		standings: {
			create: { limit: 5, spent: 0 },
			status: { limit: 60, spent: 41 },
			other: { limit: 30, spent: 30, frozenUntil: start + 1 },
		},
	},
	signInTried: {
		type: 'signInTried',
		email: 'owner@acme.test',
		failure: { ...refusal, kind: 'auth', url: 'https://pay.acme.test/s/cs_live_4242abcd' },
	},
};

/** One answer to each read about the account, with every field that it can have. */
const sampleAnswers: { readonly [Name in AccountReadName]: SampleBody & { read: Name } } = {
	credits: {
		type: 'answered',
		read: 'credits',
		answer: {
			balance: 12.5,
			daily: 1,
			monthly: 2,
			extra: 3,
			expiring: 4,
			nonExpiring: 5,
			canRun: true,
		},
	},
	subscription: {
		type: 'answered',
		read: 'subscription',
		answer: {
			plan: 'pro',
			planName: 'Pro',
			status: 'active',
			periodEndsAt: start,
			endsWithPeriod: false,
		},
	},
	release: {
		type: 'answered',
		read: 'release',
		answer: {
			version: '1.4.2',
			channel: 'stable',
			releasedAt: start,
			title: 'Faster',
			description: 'Starts in half the time',
			changes: [{ type: 'fix', text: 'No more waiting' }],
		},
	},
	models: {
		type: 'answered',
		read: 'models',
		answer: [
			{
				id: 'poet-3-5-medium-20241022-long',
				owner: 'poets',
				contextWindow: 200_000,
				inputPrice: 3,
				outputPrice: 15,
			},
		],
	},
};

export const everyFact: readonly Fact[] = [
	...Object.values(sampleBodies),
	...Object.values(sampleAnswers),
].map((each, place) => ({ account, at: start + place * 1_000, ...each }) as Fact);

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

export function computerAfter(id: string, ...facts: readonly Fact[]) {
	return accountAfter(...facts).computers.get(id);
}
