import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { createQrOf } from '../../source/drawing/qr.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import type { Payment } from '../../source/screen/screen.ts';
import { fold } from '../../source/store/fold.ts';
import { createRowsOf, createRunwayOf } from '../../source/store/selectors.ts';
import { emptyAccount, emptyState } from '../../source/store/state.ts';
import { BillingView } from '../../source/views/BillingView.tsx';
import { DetailView } from '../../source/views/DetailView.tsx';
import { LogView } from '../../source/views/LogView.tsx';
import { ModelsView } from '../../source/views/ModelsView.tsx';
import { VersionsView } from '../../source/views/VersionsView.tsx';
import { createLogFilter } from '../../source/wording/log-text.ts';
import { modelFields } from '../../source/wording/models-text.ts';
import { createVersionCounts } from '../../source/wording/versions-text.ts';
import { happening } from '../arbitraries/facts.ts';
import { failure } from '../arbitraries/readings.ts';
import { maybe, now, text, time, url } from '../arbitraries/values.ts';
import { runs } from '../properties/runs.ts';
import { drawn, markedTheme } from './drawn.tsx';

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
		view: (
			<VersionsView {...around} {...each} versionCounts={createVersionCounts()(each.account)} />
		),
	})),
	log: fc.tuple(place, text).map(([each, filter]) => ({ ...each, view: logView(each, filter) })),
	detail: place.map(each => ({ ...each, view: detailView(each) })),
};

function logView(each: Place, filter: string) {
	const { changes } = each.account;
	const entries = createLogFilter()(changes, filter);
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
				canChange: true,
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
		runs(25),
	);
});
