import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { modelFields } from '../../source/fleet/computers/account.ts';
import { readingFields } from '../../source/fleet/computers/computer.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import { bindings } from '../../source/keys/bindings.ts';
import { initialScreen, type Payment, type Screen } from '../../source/screen/screen.ts';
import { initialFilters, initialOrderings, type TextView } from '../../source/screen/view-table.ts';
import { fold } from '../../source/store/fold.ts';
import { createRowsSelector, createRunwaySelector } from '../../source/store/selectors.ts';
import { emptyAccount, emptyState } from '../../source/store/state.ts';
import { emptyUsage } from '../../source/store/usage-history.ts';
import { Stack } from '../../source/views/Stack.tsx';
import { detailSections, detailTitle } from '../../source/wording/views/detail-text.ts';
import { createViewSelectors, viewTexts } from '../../source/wording/views/view-texts.ts';
import { factBody } from '../arbitraries/facts.ts';
import { failure } from '../arbitraries/readings.ts';
import { maybe, now, text, time, url } from '../arbitraries/values.ts';
import { noOperations, onlyAccount, rowId } from '../opened-account.ts';
import { runs } from '../properties/runs.ts';
import { themeWithTildeEllipsis } from '../sample-theme.ts';
import { renderLines } from './rendered.tsx';

const account = fc.array(factBody, { maxLength: 12 }).map(happenings => {
	const facts = happenings.map(
		(each, at): Fact => ({ account: 'test', at: now - 1000 + at, ...each }),
	);
	return facts.reduce(fold, emptyState).accounts.get('test') ?? emptyAccount;
});

const payment: fc.Arbitrary<Payment | undefined> = maybe(
	fc.oneof(
		fc.record({ state: fc.constant('opening' as const) }),
		fc.record({ state: fc.constant('open' as const), url, openedAt: time }),
		fc.record({ state: fc.constant('failed' as const), failure }),
	),
);

const place = fc.record({
	account,
	width: fc.integer({ min: 30, max: 300 }),
	lines: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 100 })),
	firstLine: fc.nat(60),
	isLowBandwidth: fc.boolean(),
});

type Place = typeof place extends fc.Arbitrary<infer T> ? T : never;

const around = { now, theme: themeWithTildeEllipsis };

function textView(view: TextView, place: Place, change: Partial<Screen> = {}) {
	const options = {
		...initialScreen(),
		...createViewSelectors(),
		...around,
		...change,
		...place,
		accounts: onlyAccount(place.account),
		runway: createRunwaySelector()(place.account),
		...noOperations,
	};
	const { title, sections } = viewTexts[view];
	return {
		...place,
		view: <Stack {...options} title={title(options)} sections={sections(options)} />,
	};
}

const views = {
	billing: fc
		.tuple(place, payment)
		.map(([each, paying]) => textView('billing', each, { payment: paying })),
	models: fc
		.tuple(place, fc.record({ by: fc.constantFrom(...modelFields), isReversed: fc.boolean() }))
		.map(([each, models]) =>
			textView('models', each, { orderings: { ...initialOrderings, models } }),
		),
	versions: place.map(each => textView('versions', each)),
	log: fc
		.tuple(place, text)
		.map(([each, log]) => textView('log', each, { filters: { ...initialFilters, log } })),
	detail: place.map(each => ({ ...each, view: detailView(each) })),
};

function detailView(each: Place) {
	const { changes, release: latest } = each.account;
	const found = createRowsSelector('test')(each.account)[0];
	const computer = {
		id: 'sb_1',
		reading: { id: 'sb_1' },
		phase: 'unknown' as const,
		since: { at: now, isLowerBound: true },
		listed: 'with-status' as const,
		isMissing: false,
	};
	const options = {
		...each,
		row: found ?? { id: rowId('sb_1'), account: 'test', computer, isOutdated: false },
		history: changes,
		checks: [],
		context: {
			...around,
			latestVersion: latest?.version,
			lastReadAtOf: () => now,
			ageOf: () => 'fresh' as const,
			statusAgeOf: () => undefined,
			isOlderThanRow: () => false,
			waitingFor: () => undefined,
			canChange: true,
			changes: [],
			usage: emptyUsage,
			listFields: new Set(readingFields),
		},
		bindings,
		publicAddress: (id: string, port: number) => `https://example.com/v1/p/${id}/${port}`,
		shareAddress: (token: string) => `https://example.com/v1/p/share/${encodeURIComponent(token)}`,
	};
	return (
		<Stack
			{...each}
			theme={around.theme}
			title={detailTitle(options)}
			sections={detailSections(options)}
		/>
	);
}

test.each(Object.entries(views))(
	'the %s view draws exactly as many lines as requested, none wider than the view',
	(_, view) => {
		fc.assert(
			fc.property(view, ({ view: element, width, lines }) => {
				const shown = renderLines(element, width);
				expect(shown.length).toBe(lines);
				for (const line of shown) {
					expect(stringWidth(line), line).toBeLessThanOrEqual(width);
					expect(line, 'cut by Ink').not.toContain('…');
				}
			}),
			runs(25),
		);
	},
);
