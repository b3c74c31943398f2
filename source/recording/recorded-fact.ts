import type { Credits, Model, Release, Subscription } from '../fleet/account.ts';
import type { Change } from '../fleet/change.ts';
import type { PublishedPort, Reading } from '../fleet/computer.ts';
import type { Fact, RestoredComputer, ScopeUsage } from '../fleet/fact.ts';
import type { Failure } from '../fleet/failure.ts';
import type { OperationSpec } from '../fleet/operation.ts';
import type { CreditSample } from '../fleet/runway.ts';
import type { Since } from '../fleet/uptime.ts';
import {
	account,
	address,
	type Field,
	type FieldsOf,
	flag,
	id,
	listOf,
	name,
	nullable,
	number,
	oneOf,
	optional,
	percent,
	person,
	port,
	publicAddress,
	type ShapesOf,
	secret,
	shaped,
	tagged,
	text,
	time,
	word,
} from './field.ts';
import type { Patch, ReadingField, RecordedFact } from './list-delta.ts';

// This file defines everything that a recording may contain, field by field. The kind of each field says
// whether the field identifies a person or a place, contains a secret, or may contain anything. The types
// require a definition for every field of a fact.

const operation = oneOf(
	...(['create', 'start', 'stop', 'restart', 'update', 'delete', 'publish', 'unpublish'] as const),
);

const stopReason = oneOf('asked', 'asleep', 'credits', 'unknown');

const publishedPort = shaped<PublishedPort>({
	port,
	// The token must come before the address, which may contain the token.
	shareToken: optional(secret),
	url: optional(publicAddress),
	isOurs: optional(flag),
});

const readingFields: FieldsOf<Reading> = {
	id,
	name: optional(nullable(name)),
	status: optional(word),
	stage: optional(nullable(word)),
	stageProgress: optional(nullable(percent)),
	stageMessage: optional(nullable(text)),
	version: optional(nullable(word)),
	error: optional(nullable(text)),
	address: optional(nullable(address)),
	provider: optional(nullable(word)),
	location: optional(nullable(word)),
	serverType: optional(nullable(word)),
	cpu: optional(nullable(percent)),
	memory: optional(nullable(percent)),
	storage: optional(nullable(percent)),
	startedAt: optional(nullable(time)),
	createdAt: optional(nullable(time)),
	updatedAt: optional(nullable(time)),
	ports: optional(nullable(listOf(publishedPort))),
};

const reading = shaped<Reading>(readingFields);

const { id: _, ...fieldsButId } = readingFields;
const patch = shaped<Patch>({
	...readingFields,
	without: optional(listOf(oneOf(...(Object.keys(fieldsButId) as ReadingField[])))),
});

const operationSpec = shaped<OperationSpec>({
	key: word,
	operation,
	computer: optional(id),
	name: optional(name),
	port: optional(port),
	version: optional(word),
	batch: optional(word),
});

const failure = shaped<Failure>({
	kind: oneOf(
		...(['auth', 'denied', 'missing', 'limited', 'conflict', 'payment', 'invalid'] as const),
		...(['server', 'offline', 'unreadable', 'cancelled'] as const),
	),
	message: text,
	advice: text,
	status: optional(number),
	code: optional(text),
	// Everyone who knows the address of a payment page can open it.
	url: optional(secret),
	retryAfter: optional(number),
	isOutcomeUnknown: flag,
});

const since = shaped<Since>({ at: time, isLowerBound: flag });

const recalled = shaped<RestoredComputer>({
	reading,
	seenAt: time,
	since: optional(since),
	stopReason: optional(stopReason),
});

const noticed = { at: time, notBefore: time };

const change = tagged<Change>({
	statusChanged: {
		...noticed,
		id,
		name: optional(name),
		from: nullable(word),
		to: nullable(word),
		lasted: optional(number),
		reason: optional(stopReason),
	},
	operationMoved: {
		at: time,
		wish: operationSpec,
		to: oneOf('sent', 'unknown', 'failed', 'settled', 'cancelled'),
		took: number,
		who: optional(person),
		message: optional(text),
	},
	toppedUp: { ...noticed, from: number, to: number },
	released: { ...noticed, from: word, to: word },
});

const credits = shaped<Credits>({
	balance: nullable(number),
	daily: optional(number),
	monthly: optional(number),
	extra: optional(number),
	expiring: optional(number),
	nonExpiring: optional(number),
	canRun: optional(flag),
});

const subscription = shaped<Subscription>({
	plan: word,
	planName: text,
	status: optional(word),
	periodEndsAt: optional(time),
	endsWithPeriod: optional(flag),
});

const release = shaped<Release>({
	version: word,
	channel: optional(word),
	releasedAt: optional(time),
	title: optional(text),
	description: optional(text),
	changes: listOf(shaped({ type: word, text })),
});

const model = shaped<Model>({
	id: word,
	owner: optional(word),
	contextWindow: optional(number),
	inputPrice: optional(number),
	outputPrice: optional(number),
});

const standing = shaped<ScopeUsage>({
	limit: number,
	spent: number,
	frozenUntil: optional(time),
	isAlone: optional(flag),
	nextReadAt: optional(time),
});

const common: FieldsOf<Pick<Fact, 'account' | 'at' | 'askedAt' | 'every'>> = {
	account,
	at: time,
	askedAt: optional(time),
	every: optional(number),
};

const shapes: ShapesOf<RecordedFact> = {
	fleetRecalled: { ...common, computers: listOf(recalled) },
	pastRecalled: {
		...common,
		changes: listOf(change),
		samples: listOf(shaped<CreditSample>({ at: time, balance: number })),
	},
	historyRecalled: { ...common, id, changes: listOf(change) },
	listRead: {
		...common,
		computers: listOf(patch),
		order: optional(listOf(id)),
		unreadable: optional(number),
	},
	detailRead: { ...common, computer: reading },
	statusRead: { ...common, computer: reading },
	computerMissed: { ...common, id },
	readFailed: {
		...common,
		read: oneOf('list', 'status', 'detail', 'credits', 'subscription', 'release', 'models'),
		id: optional(id),
		failure,
		nextAt: optional(time),
	},
	creditsRead: { ...common, credits },
	subscriptionRead: { ...common, subscription: nullable(subscription) },
	releaseRead: { ...common, release },
	modelsRead: { ...common, models: listOf(model) },
	operationAsked: { ...common, wish: operationSpec },
	operationSent: { ...common, key: word },
	operationAccepted: {
		...common,
		key: word,
		computer: optional(id),
		reading: optional(reading),
		published: optional(publishedPort),
	},
	operationSettled: { ...common, key: word },
	operationFailed: { ...common, key: word, failure },
	operationUnknown: { ...common, key: word, failure },
	operationCancelled: { ...common, key: word },
	operationSeen: { ...common, key: word },
	paceChanged: {
		...common,
		standings: shaped({ create: standing, status: standing, other: standing }),
	},
	signedIn: { ...common, email: optional(person) },
	signInFailed: { ...common, failure },
};

export const recordedFact: Field<RecordedFact> = tagged<RecordedFact>(shapes);
