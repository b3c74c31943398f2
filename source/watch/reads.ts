import type { Fact, ReadName } from '../fleet/fact.ts';
import type { Scope } from '../pace/limits.ts';
import type { Platform } from '../platform/platform.ts';
import type { RequestOptions } from '../platform/transport.ts';

type WithoutPlaceAndTime<F> = F extends Fact ? Omit<F, 'account' | 'at' | 'askedAt'> : never;
export type Happening = WithoutPlaceAndTime<Fact>;

/** What an answer told, and how many requests it took. */
export type ReadResult = { happening: Happening; requests: number };

/** The part of the platform that only tells. */
export type ReadApi = Pick<
	Platform,
	| 'listComputers'
	| 'readStatus'
	| 'readComputer'
	| 'credits'
	| 'subscription'
	| 'latestRelease'
	| 'models'
>;

type Rule = {
	scope: Exclude<Scope, 'create'>;
	/** Milliseconds between two for the same thing, while someone looks and the budget allows it. */
	best: number;
	/** The same, while nobody looks or there is little to be learnt. */
	worst: number;
	/** Asks, and says which fact the answer gives. */
	ask: (platform: ReadApi, asking: RequestOptions) => Promise<ReadResult>;
};

type RuleForOne = Omit<Rule, 'ask'> & {
	ask: (platform: ReadApi, asking: RequestOptions, id: string) => Promise<ReadResult>;
};

const second = 1000;
const minute = 60 * second;

/** THE table of what is polled. How the budgets are shared among these is in `plan.ts`. */
export const reads = {
	/** The cheapest truth: all that `other` has left goes here when the list tells the status. */
	list: {
		scope: 'other',
		best: 2 * second,
		worst: 15 * second,
		async ask(platform, asking) {
			const { requests, ...list } = await platform.listComputers(asking);
			return { happening: { type: 'listRead', ...list }, requests };
		},
	},
	/** At best as often as the platform's own guide to polling does it. */
	status: {
		scope: 'status',
		best: 3 * second,
		worst: minute,
		async ask(platform, asking, id) {
			const computer = await platform.readStatus(id, asking);
			return one({ type: 'statusRead', computer });
		},
	},
	/** Only while it tells what neither the list nor the status does. */
	detail: {
		scope: 'other',
		best: 10 * second,
		worst: 5 * minute,
		async ask(platform, asking, id) {
			const computer = await platform.readComputer(id, asking);
			return one({ type: 'detailRead', computer });
		},
	},
	credits: {
		scope: 'other',
		best: minute,
		worst: 5 * minute,
		async ask(platform, asking) {
			return one({ type: 'creditsRead', credits: await platform.credits(asking) });
		},
	},
	subscription: {
		scope: 'other',
		best: 10 * minute,
		worst: 30 * minute,
		async ask(platform, asking) {
			const subscription = await platform.subscription(asking);
			return one({ type: 'subscriptionRead', subscription });
		},
	},
	release: {
		scope: 'other',
		best: 30 * minute,
		worst: 60 * minute,
		async ask(platform, asking) {
			return one({ type: 'releaseRead', release: await platform.latestRelease(asking) });
		},
	},
	/** Only when a person looks at them. */
	models: {
		scope: 'other',
		best: Number.POSITIVE_INFINITY,
		worst: Number.POSITIVE_INFINITY,
		async ask(platform, asking) {
			return one({ type: 'modelsRead', models: await platform.models(asking) });
		},
	},
} as const satisfies Record<'status' | 'detail', RuleForOne> &
	Record<Exclude<ReadName, 'status' | 'detail'>, Rule>;

/** The reads that go by the clock alone, and are asked for the whole account. */
export const accountReads = ['credits', 'subscription', 'release'] as const;

function one(happening: Happening): ReadResult {
	return { happening, requests: 1 };
}
