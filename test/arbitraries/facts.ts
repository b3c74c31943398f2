import fc from 'fast-check';
import { accountEvents } from '../../source/fleet/change.ts';
import type { Fact, FactBody, RateLimitUsage, ScopeUsage } from '../../source/fleet/fact.ts';
import { operationSteps } from '../../source/fleet/operations/operation.ts';
import type { OperationChanged } from '../../source/fleet/operations/operation-fact.ts';
import { readShareNames } from '../../source/fleet/operations/preferences.ts';
import { type AccountReadName, type Answers, readNames } from '../../source/fleet/reads.ts';
import { change, creditSample, operation } from './changes.ts';
import { credits, failure, model, reading, release, subscription } from './readings.ts';
import { id, key, maybe, now, portNumber, record, text, time, version } from './values.ts';

const read = fc.constantFrom(...readNames);

const scopeUsage = record<ScopeUsage>({
	limit: fc.nat(60),
	spent: fc.nat(60),
	frozenUntil: maybe(time),
	isAlone: maybe(fc.boolean()),
	nextReadAt: maybe(time),
	nextOperationAt: maybe(time),
	elsewhere: maybe(fc.nat(60)),
});

type BodyOfType<T extends FactBody['type']> = Extract<FactBody, { type: T }>;
type FactBodies = { readonly [T in FactBody['type']]: fc.Arbitrary<BodyOfType<T>> };

/** Builds fact bodies of one type from arbitraries of its other fields. */
const bodyOf = <const T extends FactBody['type']>(
	type: T,
	fields: {
		[K in Exclude<keyof BodyOfType<T>, 'type'>]-?: fc.Arbitrary<BodyOfType<T>[K] | undefined>;
	},
) =>
	record<Record<string, unknown>>({ type: fc.constant(type), ...fields }) as fc.Arbitrary<
		BodyOfType<T>
	>;

const answered = <Name extends AccountReadName>(read: Name, answer: fc.Arbitrary<Answers[Name]>) =>
	answer.map(value => ({ type: 'answered', read, answer: value }) as BodyOfType<'answered'>);

const levels = fc.array(fc.nat(63), { maxLength: 45 });

/** Arbitraries of every type of fact. The compiler reports a type of fact that is missing here. */
const factBodies: FactBodies = {
	accountClosed: bodyOf('accountClosed', {}),
	watchShared: bodyOf('watchShared', { leader: maybe(text), followers: maybe(fc.nat()) }),
	accountNoted: bodyOf('accountNoted', {
		event: fc.constantFrom(...accountEvents),
		message: maybe(text),
	}),
	hookFailed: bodyOf('hookFailed', { hook: text, message: text }),
	shareChosen: bodyOf('shareChosen', {
		share: fc.constantFrom(...readShareNames),
		chosenAt: time,
	}),
	paneLeft: bodyOf('paneLeft', { left: text, hasEnded: maybe(fc.boolean()) }),
	recalled: bodyOf('recalled', {
		computers: maybe(
			fc.array(
				record({
					reading,
					seenAt: time,
					since: maybe(fc.record({ at: time, isLowerBound: fc.boolean() })),
					stopReason: maybe(fc.constantFrom('asked', 'asleep', 'credits', 'unknown')),
				}),
				{ maxLength: 3 },
			),
		),
		changes: maybe(fc.array(change, { maxLength: 8 })),
		samples: maybe(fc.array(creditSample, { maxLength: 20 })),
		usage: maybe(
			fc.record({
				lastSlotAt: time,
				computers: fc.array(fc.record({ id, cpu: levels, memory: levels }), { maxLength: 3 }),
			}),
		),
		history: maybe(fc.record({ id, changes: fc.array(change, { maxLength: 4 }) })),
	}),
	listRead: bodyOf('listRead', {
		computers: fc.array(reading, { maxLength: 4 }),
		repeated: maybe(fc.nat(5)),
		unreadable: maybe(fc.nat(1)),
	}),
	detailRead: bodyOf('detailRead', { computer: reading }),
	statusRead: bodyOf('statusRead', { computer: reading }),
	computerMissed: bodyOf('computerMissed', { id }),
	readFailed: bodyOf('readFailed', { read, id: maybe(id), failure, nextAt: maybe(time) }),
	answered: fc.oneof(
		answered('credits', credits),
		answered('subscription', fc.option(subscription)),
		answered('release', release),
		answered('models', fc.array(model, { maxLength: 30 })),
	),
	operationChanged: bodyOf('operationChanged', {
		key,
		operation,
		computer: maybe(id),
		name: maybe(text),
		port: maybe(portNumber),
		version: maybe(version),
		batch: maybe(fc.constantFrom('b1', 'b2')),
		step: fc.constantFrom(...operationSteps),
		times: record<OperationChanged['times']>({
			asked: time,
			until: maybe(time),
			left: maybe(fc.nat(5_000)),
			sent: maybe(time),
			accepted: maybe(time),
			ended: maybe(time),
		}),
		failure: maybe(failure),
		skipped: maybe(fc.nat(3)),
		abandonedBy: maybe(text),
		reading: maybe(reading),
		published: maybe(fc.record({ port: portNumber })),
	}),
	limitsChanged: bodyOf('limitsChanged', {
		standings: record<RateLimitUsage>({
			create: scopeUsage,
			status: scopeUsage,
			other: scopeUsage,
		}),
	}),
	signedIn: bodyOf('signedIn', { email: maybe(fc.constant('owner@example.com')) }),
	signInFailed: bodyOf('signInFailed', { failure }),
};

/** Generates the facts that are frequent in practice more often than the others. */
const weights: Partial<Record<FactBody['type'], number>> = {
	listRead: 4,
	statusRead: 4,
	detailRead: 2,
	operationChanged: 6,
};

/** Generates fact bodies of all types except the excluded types. */
export function factBodyExcept(...excluded: readonly FactBody['type'][]): fc.Arbitrary<FactBody> {
	const types = (Object.keys(factBodies) as FactBody['type'][]).filter(
		each => !excluded.includes(each),
	);
	return fc.oneof(
		...types.map(each => ({
			weight: weights[each] ?? 1,
			arbitrary: factBodies[each] as fc.Arbitrary<FactBody>,
		})),
	);
}

export const factBody = factBodyExcept();

/** Generates facts of two accounts with arbitrary times, in any order. */
export const anyFacts: fc.Arbitrary<readonly Fact[]> = fc.array(
	fc
		.record({
			account: fc.constantFrom('owner', '__proto__'),
			at: fc.nat(300_000).map(later => now + later),
			askedAt: maybe(fc.nat(400_000).map(later => now + later)),
		})
		.chain(({ askedAt, ...origin }) =>
			factBody.map(body => ({ ...origin, ...(askedAt !== undefined && { askedAt }), ...body })),
		),
	{ maxLength: 40 },
);

/** Generates facts as one process produces them: the request of each was sent after the previous fact. */
export const sequentialFacts = (body: fc.Arbitrary<FactBody>): fc.Arbitrary<readonly Fact[]> =>
	fc.array(fc.tuple(fc.integer({ min: 2, max: 9_000 }), body), { maxLength: 60 }).map(steps => {
		let at = now;
		return steps.map(([wait, each]) => {
			at += wait;
			return { account: 'owner', at, askedAt: at - 1, ...each };
		});
	});
