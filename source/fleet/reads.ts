import { minuteMs, secondMs } from '../foundation/duration.ts';
import * as v from '../foundation/schema.ts';
import {
	creditsSchema,
	modelSchema,
	releaseSchema,
	subscriptionSchema,
} from './computers/account.ts';

export type PollingMode = 'moving' | 'calm' | 'unattended';

type ReadRow = {
	words: string;
	title: string;
	scope: 'status' | 'other';
	/** While no read is answered, these are tried in turn: the credits may be answered when a list is too large. */
	isTriedInOutage?: true;
	isOfComputer?: true;
	/** It is read only while this view is open. */
	view?: string;
	/** If the limits allow it. What is read at the opening of its view only is due never. */
	intervalMs: Readonly<Record<PollingMode, number>>;
};

const neverMs = Infinity;

const fleetReads = {
	/** Even unattended panes show nothing older than ten seconds. */
	list: {
		words: 'the list of computers',
		title: 'List',
		scope: 'other',
		isTriedInOutage: true,
		intervalMs: { moving: 2 * secondMs, calm: 5 * secondMs, unattended: 9 * secondMs },
	},
	/** The platform recommends this interval for polling. */
	status: {
		words: 'the status of computers',
		title: 'Status',
		scope: 'status',
		isOfComputer: true,
		intervalMs: { moving: 3 * secondMs, calm: 3 * secondMs, unattended: minuteMs },
	},
	/** Read while they are open on screen, or if they have fields that neither the list nor the status has. */
	detail: {
		words: 'the records of computers',
		title: 'Detail',
		scope: 'other',
		isOfComputer: true,
		intervalMs: { moving: 10 * secondMs, calm: 30 * secondMs, unattended: 5 * minuteMs },
	},
} as const satisfies Readonly<Record<string, ReadRow>>;

type AccountRead<Schema extends v.GenericSchema> = ReadRow & {
	answer: Schema;
	/** In the file of the last known fleet, for the next start. */
	isKept: boolean;
	contents: (answer: v.ValueOf<Schema>) => string;
};

const accountRead = <Schema extends v.GenericSchema>(row: AccountRead<Schema>) => row;

/** What is sent for each, and how its answer is decoded: `accountRequests` in `platform/`. */
const accountReads = {
	credits: accountRead({
		words: 'the credits',
		title: 'Credits',
		scope: 'other',
		isTriedInOutage: true,
		intervalMs: { moving: minuteMs, calm: minuteMs, unattended: 5 * minuteMs },
		answer: creditsSchema,
		isKept: true,
		contents: ({ balance }) =>
			`the answer ${balance === null ? 'does not contain' : 'contains'} the balance`,
	}),
	subscription: accountRead({
		words: 'the plan',
		title: 'Subscription',
		scope: 'other',
		intervalMs: { moving: 10 * minuteMs, calm: 10 * minuteMs, unattended: 30 * minuteMs },
		answer: v.nullable(subscriptionSchema),
		isKept: true,
		contents: subscription => (subscription ? `plan ${subscription.planName}` : 'none'),
	}),
	release: accountRead({
		words: 'the latest version',
		title: 'Latest version',
		scope: 'other',
		intervalMs: { moving: 30 * minuteMs, calm: 30 * minuteMs, unattended: 60 * minuteMs },
		answer: releaseSchema,
		isKept: true,
		contents: ({ version }) => version,
	}),
	models: accountRead({
		words: 'the list of models',
		title: 'Models',
		scope: 'other',
		view: 'models',
		intervalMs: { moving: neverMs, calm: neverMs, unattended: neverMs },
		answer: v.listOf(modelSchema),
		isKept: false,
		contents: ({ length }) => (length === 1 ? '1 model' : `${length} models`),
	}),
};

type FleetReadName = keyof typeof fleetReads;
export type ComputerReadName = {
	[Name in FleetReadName]: (typeof fleetReads)[Name] extends { isOfComputer: true } ? Name : never;
}[FleetReadName];
export type AccountReadName = keyof typeof accountReads;
export type ReadName = FleetReadName | AccountReadName;
export type WholeReadName = Exclude<ReadName, ComputerReadName>;

export type Answers = {
	[Name in AccountReadName]: v.ValueOf<(typeof accountReads)[Name]['answer']>;
};

export const readRows: Readonly<Record<ReadName, ReadRow>> = { ...fleetReads, ...accountReads };

export const accountReadRows: {
	readonly [Name in AccountReadName]: AccountRead<v.GenericSchema<Answers[Name]>>;
} = accountReads;

export const readNames = Object.keys(readRows) as readonly ReadName[];
export const accountReadNames = Object.keys(accountReads) as readonly AccountReadName[];

export const readOfView = (view: string): AccountReadName | undefined =>
	accountReadNames.find(name => readRows[name].view === view);

export const polledReads = (openViews: readonly string[]): readonly AccountReadName[] =>
	accountReadNames.filter(
		name => openViews.includes(readRows[name].view ?? '') || readRows[name].view === undefined,
	);

/** The largest part of each rate limit that reads may use, by its name in the configuration. */
export const readShares = { full: 1, half: 1 / 2, quarter: 1 / 4 } as const;

export type ReadShare = keyof typeof readShares;

export const readShareNames = Object.keys(readShares) as readonly ReadShare[];

export const isComputerRead = (name: ReadName): name is ComputerReadName =>
	readRows[name].isOfComputer === true;

export const computerReadNames = readNames.filter(isComputerRead);

export const isAccountRead = (name: ReadName): name is AccountReadName => name in accountReads;

export type Answered = {
	[Name in AccountReadName]: { read: Name; answer: Answers[Name] };
}[AccountReadName];
