import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { Model, Release } from '../../source/fleet/account.ts';
import type { Change } from '../../source/fleet/change.ts';
import type { Reading } from '../../source/fleet/computer.ts';
import type { Fact, Happening } from '../../source/fleet/fact.ts';
import type { Failure } from '../../source/fleet/failure.ts';
import { cleanText } from '../../source/platform/clean.ts';
import { fold } from '../../source/store/fold.ts';
import { createRowsOf } from '../../source/store/rows.ts';
import { createRunwayOf } from '../../source/store/runway.ts';
import type { Payment } from '../../source/store/screen.ts';
import { type AccountState, emptyAccount, emptyState } from '../../source/store/state.ts';
import { BillingView } from '../../source/views/BillingView.tsx';
import { DetailView } from '../../source/views/DetailView.tsx';
import { LogView } from '../../source/views/LogView.tsx';
import { createLogOf } from '../../source/views/log.ts';
import { ModelsView } from '../../source/views/ModelsView.tsx';
import { modelFields } from '../../source/views/model-columns.ts';
import { createQrOf } from '../../source/views/qr.ts';
import { createRunningOf } from '../../source/views/running.ts';
import { VersionsView } from '../../source/views/VersionsView.tsx';
import { drawn, hour, markedTheme, now } from './drawn.tsx';

// Long, wide, joined and combining, as the decoder lets them through; without Ink's own ellipsis.
const text = fc
	.oneof(
		fc.string({ unit: 'grapheme', maxLength: 60 }),
		fc.constantFrom(
			'東京の非常に長い名前'.repeat(4),
			'👩‍👩‍👧‍👦🚀'.repeat(9),
			'cafe\u0301 '.repeat(20),
		),
		fc.constantFrom('atlas', 'x'.repeat(300), 'words and words '.repeat(20)),
	)
	.map(each => cleanText(each).replaceAll('…', ''));
const maybe = <T,>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const status = fc.constantFrom('active', 'stopped', 'error', 'provisioning', 'sleeping', 'odd');
const time = fc.integer({ min: now - 100 * 24 * hour, max: now + hour });
const amount = fc.double({ min: 0, max: 1e7, noNaN: true });
const url = fc
	.integer({ min: 1, max: 1200 })
	.map(length => `https://pay.example.com/${'aB3'.repeat(length).slice(0, length)}`);

/** Fields that are undefined are left out, as in what was decoded. */
const record = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K] | undefined> }) =>
	fc.record<Record<string, unknown>>(fields).map(each => {
		const known = Object.entries(each).filter(([, value]) => value !== undefined);
		return Object.fromEntries(known) as T;
	});

const reading = record<Reading>({
	id: fc.constantFrom('sb_1', 'sb_2', 'sb_3'),
	name: maybe(text),
	status,
	stage: maybe(text),
	stageProgress: maybe(fc.nat(100)),
	stageMessage: maybe(text),
	version: maybe(fc.oneof(text, fc.constantFrom('1.3.9', '1.4.2'))),
	error: maybe(text),
	address: maybe(text),
	provider: maybe(text),
	location: maybe(text),
	serverType: maybe(text),
	cpu: maybe(fc.double({ min: 0, max: 1000 })),
	memory: maybe(amount),
	storage: maybe(fc.nat(100)),
	startedAt: maybe(time),
	createdAt: maybe(time),
	updatedAt: maybe(time),
	ports: maybe(
		fc.array(
			record<{ port: number; url?: string; shareToken?: string }>({
				port: fc.nat(65_535),
				url: maybe(url),
				shareToken: maybe(text),
			}),
			{ maxLength: 5 },
		),
	),
});

const failure: fc.Arbitrary<Failure> = fc.record({
	kind: fc.constantFrom('offline', 'server', 'limited'),
	message: text,
	advice: text,
	isOutcomeUnknown: fc.boolean(),
});

const change: fc.Arbitrary<Change> = fc.oneof(
	record<Extract<Change, { type: 'statusChanged' }>>({
		type: fc.constant('statusChanged' as const),
		at: time,
		notBefore: time,
		id: fc.constantFrom('sb_1', 'sb_2'),
		name: maybe(text),
		from: fc.option(status),
		to: fc.option(status),
		lasted: maybe(fc.nat(90 * hour)),
		reason: maybe(fc.constantFrom('asleep' as const, 'credits' as const)),
	}),
	record<Extract<Change, { type: 'operationMoved' }>>({
		type: fc.constant('operationMoved' as const),
		at: time,
		wish: fc.record({ key: text, operation: fc.constant('stop' as const), name: text }),
		to: fc.constantFrom('settled', 'failed', 'unknown'),
		took: fc.nat(hour),
		who: maybe(text),
		message: maybe(text),
	}),
	fc.record({
		type: fc.constant('released' as const),
		at: time,
		notBefore: time,
		from: text,
		to: text,
	}),
);

const release = record<Release>({
	version: fc.oneof(text, fc.constant('1.4.2')),
	channel: maybe(text),
	releasedAt: maybe(time),
	title: maybe(text),
	description: maybe(text),
	changes: fc.array(fc.record({ type: fc.constantFrom('fixed', 'change'), text }), {
		maxLength: 4,
	}),
});

const model = record<Model>({
	id: text,
	owner: maybe(text),
	contextWindow: maybe(fc.nat()),
	inputPrice: maybe(amount),
	outputPrice: maybe(amount),
});

const type = <T extends Happening['type']>(name: T) => fc.constant(name);
const happening: fc.Arbitrary<Happening> = fc.oneof(
	fc.record({ type: type('listRead'), computers: fc.array(reading, { maxLength: 4 }) }),
	fc.record({
		type: type('pastRecalled'),
		changes: fc.array(change, { maxLength: 8 }),
		samples: fc.array(fc.record({ at: time, balance: amount }), { maxLength: 20 }),
	}),
	fc.record({
		type: type('creditsRead'),
		credits: record<Extract<Happening, { type: 'creditsRead' }>['credits']>({
			balance: fc.option(amount),
			daily: maybe(amount),
			extra: maybe(amount),
			canRun: maybe(fc.boolean()),
		}),
	}),
	fc.record({
		type: type('subscriptionRead'),
		subscription: fc.option(
			record<NonNullable<AccountState['subscription']>>({
				plan: fc.constantFrom('pro', 'ultra', 'odd'),
				planName: text,
				status: maybe(text),
				periodEndsAt: maybe(time),
				endsWithPeriod: maybe(fc.boolean()),
			}),
		),
	}),
	fc.record({ type: type('releaseRead'), release }),
	fc.record({ type: type('modelsRead'), models: fc.array(model, { maxLength: 30 }) }),
	fc.record({
		type: type('readFailed'),
		read: fc.constantFrom('credits', 'subscription', 'release', 'models'),
		failure,
	}),
	fc.record({
		type: type('operationAsked'),
		wish: fc.record({
			key: fc.constant('k'),
			operation: fc.constantFrom('stop', 'update'),
			computer: fc.constantFrom('sb_1', 'sb_2'),
		}),
	}),
	fc.record({ type: type('operationFailed'), key: fc.constant('k'), failure }),
);

const account = fc.array(happening, { maxLength: 12 }).map(happenings => {
	const facts = happenings.map(
		(each, at): Fact => ({ account: 'test', at: now - 1000 + at, ...each }),
	);
	return facts.reduce(fold, emptyState).accounts.get('test') ?? emptyAccount;
});

const payment: fc.Arbitrary<Payment | undefined> = maybe(
	fc.oneof(
		fc.record({ state: fc.constant('opening' as const) }),
		fc.record({ state: fc.constant('open' as const), url, at: time }),
		fc.record({ state: fc.constant('failed' as const), failure }),
	),
);

const place = fc.record({
	account,
	width: fc.integer({ min: 30, max: 300 }),
	lines: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 100 })),
	first: fc.nat(60),
	isLowBandwidth: fc.boolean(),
});

type Place = typeof place extends fc.Arbitrary<infer T> ? T : never;

const around = { now, theme: markedTheme };

const views = {
	billing: fc.tuple(place, payment).map(([each, paying]) => ({
		...each,
		view: (
			<BillingView
				{...around}
				{...each}
				runway={createRunwayOf()(each.account)}
				qrOf={createQrOf()}
				{...(paying && { payment: paying })}
			/>
		),
	})),
	models: fc
		.tuple(place, fc.record({ by: fc.constantFrom(...modelFields), isReversed: fc.boolean() }))
		.map(([each, ordering]) => ({
			...each,
			view: <ModelsView {...around} {...each} ordering={ordering} />,
		})),
	versions: place.map(each => ({
		...each,
		view: <VersionsView {...around} {...each} running={createRunningOf()(each.account)} />,
	})),
	log: fc.tuple(place, text).map(([each, filter]) => ({ ...each, view: logView(each, filter) })),
	detail: place.map(each => ({ ...each, view: detailView(each) })),
};

function logView(each: Place, filter: string) {
	const { changes } = each.account;
	const entries = createLogOf()(changes, filter);
	return <LogView {...around} {...each} entries={entries} total={changes.length} filter={filter} />;
}

function detailView(each: Place) {
	const { changes, release: latest } = each.account;
	const found = createRowsOf()(each.account)[0];
	const computer = {
		id: 'sb_1',
		reading: { id: 'sb_1' },
		phase: 'unknown' as const,
		since: { at: now, isLowerBound: true },
		listed: 'told' as const,
		isMissing: false,
	};
	return (
		<DetailView
			{...each}
			row={found ?? { computer, isBehind: false }}
			history={changes}
			checks={[]}
			context={{
				...around,
				latest: latest?.version,
				seenAt: () => now,
				ageOf: () => 'fresh' as const,
				waitingFor: () => undefined,
				hasKeys: true,
				changes: [],
			}}
			publicAddress={(id, port) => `https://example.com/v1/p/${id}/${port}`}
			shareAddress={token => `https://example.com/v1/p/share/${encodeURIComponent(token)}`}
		/>
	);
}

test.each(Object.entries(views))('%s takes its lines, and none is too long', (_, view) => {
	fc.assert(
		fc.property(view, ({ view: element, width, lines }) => {
			const shown = drawn(element, width);
			expect(shown.length).toBe(lines);
			for (const line of shown) {
				expect(stringWidth(line), line).toBeLessThanOrEqual(width);
				expect(line, 'cut by Ink').not.toContain('…');
			}
		}),
		{ numRuns: 25 },
	);
});
