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
	booleanField,
	type Field,
	type FieldsOf,
	id,
	listOf,
	name,
	nullable,
	number,
	objectField,
	oneOf,
	optional,
	percent,
	person,
	port,
	publicAddress,
	type ShapesOf,
	secret,
	text,
	timeField,
	unionField,
	wordField,
} from './field.ts';
import type { Patch, ReadingField, RecordedFact } from './list-delta.ts';

// This file defines everything that a recording may contain, field by field. The kind of each field says
// whether the field identifies a person or a place, contains a secret, or may contain anything. The types
// require a definition for every field of a fact.

const stopReason = oneOf('asked', 'asleep', 'credits', 'unknown');

const publishedPort = objectField<PublishedPort>({
	port,
	// The token must come before the address, which may contain the token.
	shareToken: optional(secret),
	url: optional(publicAddress),
	isOurs: optional(booleanField),
});

const readingFields: FieldsOf<Reading> = {
	id,
	name: optional(nullable(name)),
	status: optional(wordField),
	stage: optional(nullable(wordField)),
	stageProgress: optional(nullable(percent)),
	stageMessage: optional(nullable(text)),
	version: optional(nullable(wordField)),
	error: optional(nullable(text)),
	address: optional(nullable(address)),
	provider: optional(nullable(wordField)),
	location: optional(nullable(wordField)),
	serverType: optional(nullable(wordField)),
	cpu: optional(nullable(percent)),
	memory: optional(nullable(percent)),
	storage: optional(nullable(percent)),
	startedAt: optional(nullable(timeField)),
	createdAt: optional(nullable(timeField)),
	updatedAt: optional(nullable(timeField)),
	ports: optional(nullable(listOf(publishedPort))),
};

const reading = objectField<Reading>(readingFields);

const { id: _, ...fieldsButId } = readingFields;
const patch = objectField<Patch>({
	...readingFields,
	without: optional(listOf(oneOf(...(Object.keys(fieldsButId) as ReadingField[])))),
});

const operationSpec = objectField<OperationSpec>({
	key: wordField,
	operation: wordField,
	computer: optional(id),
	name: optional(name),
	port: optional(port),
	version: optional(wordField),
	batch: optional(wordField),
});

const failure = objectField<Failure>({
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
	isOutcomeUnknown: booleanField,
});

const since = objectField<Since>({ at: timeField, isLowerBound: booleanField });

const recalled = objectField<RestoredComputer>({
	reading,
	seenAt: timeField,
	since: optional(since),
	stopReason: optional(stopReason),
});

const noticed = { at: timeField, notBefore: timeField };

const change = unionField<Change>({
	statusChanged: {
		...noticed,
		id,
		name: optional(name),
		from: nullable(wordField),
		to: nullable(wordField),
		lasted: optional(number),
		reason: optional(stopReason),
	},
	operationMoved: {
		at: timeField,
		wish: operationSpec,
		to: oneOf('sent', 'unknown', 'failed', 'settled', 'cancelled'),
		took: number,
		who: optional(person),
		message: optional(text),
	},
	toppedUp: { ...noticed, from: number, to: number },
	released: { ...noticed, from: wordField, to: wordField },
});

const credits = objectField<Credits>({
	balance: nullable(number),
	daily: optional(number),
	monthly: optional(number),
	extra: optional(number),
	expiring: optional(number),
	nonExpiring: optional(number),
	canRun: optional(booleanField),
});

const subscription = objectField<Subscription>({
	plan: wordField,
	planName: text,
	status: optional(wordField),
	periodEndsAt: optional(timeField),
	endsWithPeriod: optional(booleanField),
});

const release = objectField<Release>({
	version: wordField,
	channel: optional(wordField),
	releasedAt: optional(timeField),
	title: optional(text),
	description: optional(text),
	changes: listOf(objectField({ type: wordField, text })),
});

const model = objectField<Model>({
	id: wordField,
	owner: optional(wordField),
	contextWindow: optional(number),
	inputPrice: optional(number),
	outputPrice: optional(number),
});

const standing = objectField<ScopeUsage>({
	limit: number,
	spent: number,
	frozenUntil: optional(timeField),
	isAlone: optional(booleanField),
	nextReadAt: optional(timeField),
});

const common: FieldsOf<Pick<Fact, 'account' | 'at' | 'askedAt' | 'every'>> = {
	account,
	at: timeField,
	askedAt: optional(timeField),
	every: optional(number),
};

const shapes: ShapesOf<RecordedFact> = {
	fleetRecalled: { ...common, computers: listOf(recalled) },
	pastRecalled: {
		...common,
		changes: listOf(change),
		samples: listOf(objectField<CreditSample>({ at: timeField, balance: number })),
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
		nextAt: optional(timeField),
	},
	creditsRead: { ...common, credits },
	subscriptionRead: { ...common, subscription: nullable(subscription) },
	releaseRead: { ...common, release },
	modelsRead: { ...common, models: listOf(model) },
	operationAsked: { ...common, wish: operationSpec },
	operationSent: { ...common, key: wordField },
	operationAccepted: {
		...common,
		key: wordField,
		computer: optional(id),
		reading: optional(reading),
		published: optional(publishedPort),
	},
	operationSettled: { ...common, key: wordField },
	operationFailed: { ...common, key: wordField, failure },
	operationUnknown: { ...common, key: wordField, failure },
	operationCancelled: { ...common, key: wordField },
	operationSeen: { ...common, key: wordField },
	paceChanged: {
		...common,
		standings: objectField({ create: standing, status: standing, other: standing }),
	},
	signedIn: { ...common, email: optional(person) },
	signInFailed: { ...common, failure },
};

export const recordedFact: Field<RecordedFact> = unionField<RecordedFact>(shapes);
