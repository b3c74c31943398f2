import { allPortsOf, type Reading } from '../fleet/computer.ts';
import type { Fact, RestoredComputer } from '../fleet/fact.ts';
import { statusAnswerOf } from '../store/answer-times.ts';
import type { AccountState } from '../store/state.ts';
import {
	type Check,
	isBoolean,
	isListOf,
	isNullOr,
	isNumber,
	isObject,
	isObjectWith,
	isOneOf,
	isText,
	jsonFrom,
} from './validators.ts';

// The largest number of computers in one fact. Serialising this many takes less time than a frame.
const computersPerFact = 500;

/** Returns the facts that restore an account at the next start. */
export function* snapshotFacts(name: string, account: AccountState, now: number): Iterable<Fact> {
	const { reads, subscription, release, credits } = account;
	const toldAt = (read: 'subscription' | 'release' | 'credits') => ({
		account: name,
		at: reads[read]?.answer?.at ?? now,
	});
	if (subscription !== undefined) {
		yield { ...toldAt('subscription'), type: 'subscriptionRead', subscription };
	}
	if (release) yield { ...toldAt('release'), type: 'releaseRead', release };
	if (credits) yield { ...toldAt('credits'), type: 'creditsRead', credits };
	const all = [...account.computers.values()];
	for (let place = 0; place < all.length; place += computersPerFact) {
		const computers = all
			.slice(place, place + computersPerFact)
			.map((computer): RestoredComputer => {
				const { reading, since, stopReason } = computer;
				const seenAt = statusAnswerOf(account, computer)?.at ?? now;
				const kept = { reading: withoutSecretsAndUncertainPorts(reading), seenAt, since };
				return stopReason ? { ...kept, stopReason } : kept;
			});
		yield { account: name, at: now, type: 'fleetRecalled', computers };
	}
}

// A share token is a secret, both on its own and within an address, so it is never written to disk. If the full
// list of ports is not known, the ports are dropped: those that this program published itself may no longer
// exist at the next start.
function withoutSecretsAndUncertainPorts(reading: Reading): Reading {
	const { ports, ...rest } = reading;
	if (ports && !allPortsOf(reading)) return rest;
	if (!ports?.some(({ shareToken }) => shareToken)) return reading;
	const withoutTokens = ports.map(({ port, url, shareToken }) => ({
		port,
		...(url !== undefined && !(shareToken && url.includes(shareToken)) && { url }),
	}));
	return { ...reading, ports: withoutTokens };
}

const isTextOrNull = isNullOr(isText);
const isNumberOrNull = isNullOr(isNumber);

const readingFields: Readonly<Record<Exclude<keyof Reading, 'id'>, Check>> = {
	name: isTextOrNull,
	status: isText,
	stage: isTextOrNull,
	stageProgress: isNumberOrNull,
	stageMessage: isTextOrNull,
	version: isTextOrNull,
	error: isTextOrNull,
	address: isTextOrNull,
	provider: isTextOrNull,
	location: isTextOrNull,
	serverType: isTextOrNull,
	cpu: isNumberOrNull,
	memory: isNumberOrNull,
	storage: isNumberOrNull,
	startedAt: isNumberOrNull,
	createdAt: isNumberOrNull,
	updatedAt: isNumberOrNull,
	ports: isNullOr(isListOf(isObjectWith({ port: isNumber }, { url: isText, shareToken: isText }))),
};

const isRecalled = isObjectWith(
	{ reading: isObjectWith({ id: isText }, readingFields), seenAt: isNumber },
	{
		since: isObjectWith({ at: isNumber, isLowerBound: isBoolean }),
		stopReason: isOneOf('asked', 'asleep', 'credits', 'unknown'),
	},
);

const isCredits = isObjectWith(
	{ balance: isNumberOrNull },
	{
		daily: isNumber,
		monthly: isNumber,
		extra: isNumber,
		expiring: isNumber,
		nonExpiring: isNumber,
		canRun: isBoolean,
	},
);

const isSubscription = isObjectWith(
	{ plan: isText, planName: isText },
	{ status: isText, periodEndsAt: isNumber, endsWithPeriod: isBoolean },
);

const isRelease = isObjectWith(
	{ version: isText, changes: isListOf(isObjectWith({ type: isText, text: isText })) },
	{ channel: isText, releasedAt: isNumber, title: isText, description: isText },
);

const factChecks: Readonly<Record<string, Check>> = {
	fleetRecalled: isObjectWith({ computers: isListOf(isRecalled) }),
	subscriptionRead: isObjectWith({ subscription: isNullOr(isSubscription) }),
	releaseRead: isObjectWith({ release: isRelease }),
	creditsRead: isObjectWith({ credits: isCredits }),
};

const hasAccountAndTime = isObjectWith({ account: isText, at: isNumber, type: isText });

/**
 * Returns the fact in a line; undefined if the line is damaged, or contains a fact that snapshots do not store.
 */
export function snapshotFactFrom(line: string): Fact | undefined {
	const value = jsonFrom(line);
	if (!isObject(value) || !hasAccountAndTime(value)) return undefined;
	const type = String(value['type']);
	const isSound = Object.hasOwn(factChecks, type) && factChecks[type]?.(value);
	return isSound ? (value as Fact) : undefined;
}
