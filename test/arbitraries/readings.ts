import fc from 'fast-check';
import type {
	Credits,
	Model,
	Release,
	Subscription,
} from '../../source/fleet/computers/account.ts';
import type { PublishedPort, Reading } from '../../source/fleet/computers/computer.ts';
import type { Failure } from '../../source/foundation/failure.ts';
import {
	amount,
	id,
	maybe,
	percent,
	portNumber,
	record,
	status,
	text,
	time,
	url,
	version,
} from './values.ts';

/** Generates a field: absent if the response lacks the field, and null if the response reports no value. */
const maybeNull = <T>(arbitrary: fc.Arbitrary<T>) => maybe(fc.option(arbitrary));

/** Generates a published port as in a response. */
const port = record<Omit<PublishedPort, 'isOurs' | 'omittedAfter'>>({
	port: portNumber,
	url: maybe(url),
	shareToken: maybe(text),
});

export const reading = record<Reading>({
	id,
	name: maybeNull(text),
	status: maybe(status),
	stage: maybeNull(text),
	stageProgress: maybeNull(fc.nat(100)),
	stageMessage: maybeNull(text),
	version: maybeNull(version),
	error: maybeNull(text),
	address: maybeNull(text),
	provider: maybeNull(text),
	location: maybeNull(text),
	serverType: maybeNull(text),
	cpu: maybeNull(percent),
	memory: maybeNull(percent),
	storage: maybeNull(fc.nat(100)),
	startedAt: maybeNull(time),
	createdAt: maybeNull(time),
	updatedAt: maybeNull(time),
	ports: maybeNull(fc.array(port, { maxLength: 5 })),
});

export const failure = record<Failure>({
	kind: fc.constantFrom('offline', 'server', 'limited', 'cancelled', 'missing', 'payment', 'auth'),
	message: text,
	advice: text,
	status: maybe(fc.constantFrom(402, 429, 500)),
	code: maybe(fc.constantFrom('no_payment_method', 'busy')),
	url: maybe(url),
	retryAfter: maybe(fc.nat(100_000)),
	isDeliberate: maybe(fc.constant(true)),
	isOutcomeUnknown: fc.boolean(),
});

export const credits = record<Credits>({
	balance: fc.option(amount),
	daily: maybe(amount),
	monthly: maybe(amount),
	extra: maybe(amount),
	expiring: maybe(amount),
	nonExpiring: maybe(amount),
	canRun: maybe(fc.boolean()),
});

export const subscription = record<Subscription>({
	plan: fc.constantFrom('free', 'pro', 'power', 'ultra', 'odd', '__proto__'),
	planName: text,
	status: maybe(text),
	periodEndsAt: maybe(time),
	endsWithPeriod: maybe(fc.boolean()),
});

export const release = record<Release>({
	version,
	channel: maybe(text),
	releasedAt: maybe(time),
	title: maybe(text),
	description: maybe(text),
	changes: fc.array(fc.record({ type: fc.constantFrom('fixed', 'change'), text }), {
		maxLength: 4,
	}),
});

export const model = record<Model>({
	id: text,
	owner: maybe(text),
	contextWindow: maybe(fc.nat()),
	inputPrice: maybe(amount),
	outputPrice: maybe(amount),
});
