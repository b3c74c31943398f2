import { expect, test } from 'vitest';
import { createTheme } from '../../../source/drawing/theme.ts';
import type { Change } from '../../../source/fleet/change.ts';
import { type Reading, readingFields } from '../../../source/fleet/computers/computer.ts';
import type { FactBody } from '../../../source/fleet/fact.ts';
import { bindings } from '../../../source/keys/bindings.ts';
import { createRowsSelector } from '../../../source/store/selectors.ts';
import { emptyUsage, slotMs, usageAfter } from '../../../source/store/usage-history.ts';
import { dayStripLines } from '../../../source/wording/views/day-strip-text.ts';
import { detailSections, detailTitle } from '../../../source/wording/views/detail-text.ts';
import { storyLines } from '../../../source/wording/views/story-text.ts';
import { accountAfter, fact, failure } from '../../arbitraries/sample-facts.ts';
import { hour, now } from '../../arbitraries/values.ts';
import { rowId } from '../../opened-account.ts';
import { theme } from '../../sample-theme.ts';

const atlas: Reading = {
	id: 'sb_atlas01',
	name: 'atlas',
	status: 'active',
	version: '1.3.9',
	address: '10.0.0.2',
	provider: 'opensandbox',
	location: 'fsn1',
	serverType: 'cpx31',
	cpu: 12,
	memory: 41,
	storage: 91,
	createdAt: now - 7 * 24 * hour,
	startedAt: now - 6 * 24 * hour,
	updatedAt: now - 2 * hour,
	ports: [{ port: 8080 }, { port: 5173, shareToken: 'k3TgVq' }],
};

const stop: Change = {
	type: 'statusChanged',
	id: 'sb_atlas01',
	name: 'atlas',
	at: now - 3 * hour,
	notBefore: now - 3 * hour,
	from: 'active',
	to: 'stopped',
	lasted: 2 * hour,
	reason: 'asleep',
};

function detail(reading: Reading, ...happenings: readonly FactBody[]) {
	const facts = happenings.map(each => fact(now - 2000, each));
	const account = accountAfter(
		...facts,
		fact(now - 4000, { type: 'listRead', computers: [reading] }),
		...facts,
	);
	const [row] = createRowsSelector('test')(account);
	if (!row) throw new Error('no row');
	return {
		account,
		row,
		history: [stop],
		checks: [
			{
				id: rowId(reading.id),
				port: 8080,
				checkedAt: now - 4000,
				state: 'silent',
				status: 502,
			} as const,
		],
		context: {
			now,
			latestVersion: account.release?.version,
			lastReadAtOf: () => now,
			ageOf: () => 'fresh' as const,
			waitingFor: () => undefined,
			canChange: true,
			changes: [],
			usage: emptyUsage,
			listFields: new Set(readingFields),
			theme,
		},
		width: 100,
		lines: 24,
		bindings,
		publicAddress: (id: string, port: number) => `https://example.com/v1/p/${id}/${port}`,
		shareAddress: (token: string) => `https://example.com/v1/p/share/${token}`,
	};
}

/** Returns the text of all sections, with one line per row. */
function said(asked: ReturnType<typeof detail>): string {
	return detailSections(asked)
		.flat()
		.flatMap(block => {
			if (block.type === 'lines')
				return block.lines.map(spans => spans.map(([text]) => text).join(''));
			return block.type === 'table' ? block.rows.map(row => row.join(' ')) : [];
		})
		.join('\n');
}

test('the details show every reported property of a computer', () => {
	const text = said(
		detail(atlas, {
			type: 'subscriptionRead',
			subscription: { plan: 'pro', planName: 'Pro' },
		}),
	);
	for (const each of [
		'Status    active since 2026-11-15 08:00',
		'Created   2026-11-14 08:00 (7 d ago)',
		'Changed   06:00 (2 h ago)',
		'Plan      Pro, auto-sleep after 30 min idle',
		'Server    cpx31',
		'Provider  opensandbox',
		'CPU        12 %  ',
		'Memory     41 %',
		'Storage    91 %  ━━━━━━━━━━━━━━━━━━──',
		'8080 nothing answers, 4 s ago https://example.com/v1/p/sb_atlas01/8080',
		'5173 not checked https://example.com/v1/p/sb_atlas01/5173',
		'https://example.com/v1/p/share/k3TgVq',
		'Y copies the address · v checks · P unpublishes',
		'05:00:00     active for 2 h → asleep',
	]) {
		expect(text).toContain(each);
	}
	expect(text).not.toContain('other');
});

test('the details keep a place for some properties that the platform does not report, and leave out the others', () => {
	const text = said(detail({ id: 'sb_1', status: 'active' }));
	for (const label of ['Address', 'Started', 'Plan', 'Provider', 'null']) {
		expect(text).not.toContain(label);
	}
	expect(text).toMatch(/Created {3}–$/m);
});

test.each([120, 100, 80, 60])(
	'the title and the list of the details have the same properties for each computer at %i columns',
	width => {
		const labelsOf = (reading: Reading) =>
			said({ ...detail(reading), width }).match(
				/(?<=^ | {2})(Id|Address|Location|Version|Created|Storage)(?= )/gm,
			);
		const labels = labelsOf(atlas);
		expect(labels).toContain('Created');
		const bare: Reading = { id: 'sb_u8z6heiabwnt', name: 'borealis', status: 'creating' };
		expect(labelsOf(bare)).toEqual(labels);
		expect(labelsOf({ ...atlas, name: 'zosma-21', id: 'sb_u8z6heiabwnt' })).toEqual(labels);
	},
);

test('the details say a time once', () => {
	const at = now - 6 * 24 * hour;
	const text = said(detail({ ...atlas, startedAt: at, updatedAt: at }));
	expect(text).toMatch(/Status {4}active since 2026-11-15 08:00/);
	expect(text).not.toMatch(/Started|Changed/);
});

test('in the details, a property that is too long for half the width gets its own line', () => {
	const provider = 'p'.repeat(70);
	const lines = said(detail({ ...atlas, provider })).split('\n');
	expect(lines).toContain(` Provider  ${provider}`);
	expect(lines.some(line => line.endsWith('Server    cpx31'))).toBe(true);
});

test('the title of the details has the name, id, status and uptime of the computer', () => {
	const words = (asked: ReturnType<typeof detail>) =>
		detailTitle(asked).map(spans => spans.map(([text]) => text).join(''));
	expect(words(detail(atlas))).toEqual([
		'atlas  sb_atlas01  10.0.0.2  fsn1',
		'  ● Active  6d 0h   data 4 s old ',
	]);
	expect(words({ ...detail(atlas), width: 120 })[0]).toBe(
		'atlas  sb_atlas01  10.0.0.2  fsn1  1.3.9',
	);
	expect(words({ ...detail(atlas), width: 60 })).toEqual([
		'atlas  sb_atlas01',
		'  ● Active  6d 0h   data 4 s old ',
	]);
	expect(words(detail({ id: 'sb_1', status: 'zzz' }))).toEqual(['sb_1', '  ? zzz   data 4 s old ']);
});

test('the details list the id of a computer if their title has no room for it', () => {
	expect(said({ ...detail(atlas), width: 44 })).toMatch(/^ Id {8}sb_atlas01$/m);
	expect(said(detail(atlas))).not.toMatch(/^ Id /m);
});

test('the story says from when to when an uncertain change may have happened', () => {
	const late = { ...stop, notBefore: stop.at - 2 * hour };
	const [line] = storyLines([late], { now, email: undefined, theme });
	expect(line?.map(([text]) => text).join('')).toBe(
		' 05:00:00     active for 2 h → asleep, some time after 03:00:00',
	);
});

test('the details show the notes of a new version only if the computer runs an older version', () => {
	const release: FactBody = {
		type: 'releaseRead',
		release: { version: '1.4.2', title: 'Faster starts', changes: [{ type: 'fixed', text: 'a' }] },
	};
	const text = said(detail(atlas, release));
	expect(text).toMatch(/New in 1\.4\.2\n Faster starts\n · fixed: a/);
	const current = said(detail({ ...atlas, version: '1.4.2' }, release));
	expect(current).not.toContain('New in');
});

test('the details show the whole text of an error on as many lines as it needs', () => {
	const error = 'image pull failed: disk quota exceeded for this account, '.repeat(3).trim();
	const text = said(detail({ ...atlas, status: 'error', error }));
	expect(text.replace(/\s+/g, ' ')).toContain(error);

	const wish = { key: 'k', operation: 'stop', computer: 'sb_atlas01' } as const;
	const refused = said(
		detail(atlas, { type: 'operationAsked', wish }, { type: 'operationFailed', key: 'k', failure }),
	);
	expect(refused).toMatch(/^ Stop failed: internal error\n CPU .*\n Advice +Try again later\./s);
});

test('the details say what to try for a computer in error, in the terms of the platform', () => {
	const inError = (error: string | null) => said(detail({ id: 'sb_1', status: 'error', error }));
	expect(inError('image pull failed: disk quota exceeded')).toContain(
		'The storage of the plan is used up.',
	);
	const quota = 'disk quota exceeded';
	const withStorage = (storage: number) =>
		said(detail({ id: 'sb_1', status: 'error', error: quota, storage }));
	expect(withStorage(40)).toContain(
		'The full quota is probably that of the plan: its own storage is 40 % used.',
	);
	expect(withStorage(40)).not.toContain('is used up');
	expect(withStorage(97)).toContain('The storage of the plan is used up.');
	const capacity = 'no capacity left in the chosen location';
	expect(inError(capacity)).toMatch(/create another one\s+instead/);
	const withFiles = said(detail({ id: 'sb_1', status: 'error', error: capacity, storage: 31 }));
	expect(withFiles).toContain('Its files are kept. Restart it in a few minutes.');
	expect(withFiles).not.toContain('create another');
	expect(inError('image pull failed')).toContain('The image did not load.');
	expect(inError('flux capacitor worn')).toContain('A restart keeps /workspace and often helps.');
	expect(inError(null)).toMatch(/^ no reason given\n CPU .*\n Advice +A restart keeps/s);
});

test('the values stay on their lines from a running computer to one in error, and the advice comes first if there is little room', () => {
	const error = 'image pull failed: disk quota exceeded for this account, '.repeat(3).trim();
	const broken = detail({ ...atlas, status: 'error', error });
	const lineOf = (text: string, begin: string) =>
		text.split('\n').findIndex(line => line.includes(begin));
	for (const value of [' CPU', ' Storage', ' Created', ' 24 h']) {
		const place = lineOf(said(detail(atlas)), value);
		expect(place, value).toBeGreaterThan(0);
		expect(lineOf(said(broken), value), value).toBe(place);
	}
	const low = said({ ...broken, lines: 9 });
	expect(low).toMatch(/^ image pull failed.*\n The storage of the plan is used up\..*\n Storage /s);
});

test('the details show CPU and memory over time on one scale, with gaps where nothing was read', () => {
	const asked = detail(atlas);
	const usage = [3, 2, 0].reduce(
		(history, slotsAgo) =>
			usageAfter(
				history,
				[{ id: atlas.id, cpu: 100, memory: 1 }],
				now - slotsAgo * 2 * slotMs,
				() => true,
			),
		asked.context.usage,
	);
	const charts = (width: number) => said({ ...asked, context: { ...asked.context, usage }, width });
	expect(charts(100)).toMatch(/CPU +12 % {2} {16}▇▇ ▇/);
	expect(charts(100)).toMatch(/Memory +41 % {2} {16}▁▁ ▁/);
	expect(charts(140), 'twice as wide').toMatch(/CPU +12 % {2} {33}▇ ▇ {3}▇/);
});

test('on a tall screen, CPU and memory are charts with an axis and times, above the other values', () => {
	const asked = detail(atlas);
	const usage = [39, 1, 0].reduce(
		(history, slotsAgo) =>
			usageAfter(
				history,
				[{ id: atlas.id, cpu: 50, memory: 0.4 }],
				now - slotsAgo * slotMs,
				() => true,
			),
		asked.context.usage,
	);
	const context = { ...asked.context, usage };
	const drawn = (width: number, lines: number, look = context) =>
		// The line of the stage is kept free above the charts.
		said({ ...asked, context: look, width, lines })
			.replace(/^\n/, '')
			.split('\n');
	const beside = drawn(100, 30);
	expect(beside.slice(0, 6).map(line => line.trimEnd())).toEqual([
		' CPU        12 %                                  Memory     41 %',
		' 100 │                                            100 │',
		'     │                                                │',
		'     │█                                     ██        │',
		'   0 │█                                     ██      0 │▁                                     ▁▁',
		'      07:30          07:45                 now         07:30          07:45                 now',
	]);
	expect(beside[6]).toMatch(/^ Storage {4}91 %/);
	expect(beside.join('\n')).not.toMatch('▂▂▂');
	const large = drawn(190, 60);
	expect(
		large.findIndex(line => line.startsWith(' Storage')),
		'eight rows',
	).toBe(10);
	expect(large[8]).toMatch(/^ {3}0 │██ {74}████/);
	const stacked = drawn(60, 51);
	expect(stacked[0]).toMatch(/^ CPU {8}12 %$/);
	expect(stacked[6]).toMatch(/^ Memory {5}41 %$/);
	expect(drawn(60, 52)[10], 'eight rows').toMatch(/^ Memory {5}41 %$/);
	for (const [width, lines] of [
		[60, 44],
		[100, 29],
		[46, 60],
	] as const)
		expect(drawn(width, lines)[0], `${width}x${lines}`).toMatch(/CPU +12 % {2}/);
	const coarse = createTheme({
		...{ colourBits: 24, background: 'dark', hasUnicode: true, hasCoarseTimes: true },
	});
	expect(drawn(100, 60, { ...context, theme: coarse })[0], 'slow line').toMatch(/CPU +12 % {2}/);
	const plain = createTheme({ colourBits: 0, background: 'dark', hasUnicode: false });
	expect(drawn(100, 30, { ...context, theme: plain })[4]).toMatch(
		/^ {3}0 \|# {37}## +0 \|_ {37}__/,
	);
});

test('with room, the charts and the values keep their lines for a computer that is stopped or calm', () => {
	const stopped = { id: 'sb_1', status: 'stopped', storage: 40 };
	for (const [width, lines] of [
		[48, 54],
		[100, 30],
		[78, 18],
	] as const) {
		const lineOf = (label: string, asked: ReturnType<typeof detail>) =>
			said({ ...asked, width, lines })
				.split('\n')
				.findIndex(line => line.includes(` ${label} `));
		for (const label of ['CPU', 'Memory', 'Storage'])
			expect(lineOf(label, detail(stopped)) - lineOf('CPU', detail(stopped)), label).toBe(
				lineOf(label, detail(atlas)) - lineOf('CPU', detail(atlas)),
			);
	}
	const low = { ...detail(stopped), width: 58, lines: 9 };
	expect(said(low)).not.toContain('CPU');
});

test('the charts colour a share over 80 % and over 95 %', () => {
	const asked = detail(atlas);
	const usage = [50, 81, 96].reduce(
		(history, cpu, at) =>
			usageAfter(history, [{ id: atlas.id, cpu }], now - (2 - at) * slotMs, () => true),
		asked.context.usage,
	);
	const [, blocks = []] = detailSections({
		...asked,
		lines: 30,
		context: { ...asked.context, usage },
	});
	const [block] = blocks;
	const row = block?.type === 'lines' ? (block.lines[4] ?? []) : [];
	const coloured = row.flatMap(([text, tone]) => (text.includes('█') ? [[text.trim(), tone]] : []));
	expect(coloured).toEqual([
		['█', 'accent'],
		['█', 'busy'],
		['█', 'bad'],
	]);
});

const day = (...history: readonly Change[]) => {
	const asked = detail({ ...atlas, startedAt: now - 2 * hour });
	const lines = dayStripLines({
		computer: asked.row.computer,
		history,
		email: 'me@example.com',
		now,
		width: 100,
		theme,
	});
	return lines.map(spans => spans.map(([text]) => text).join(''));
};

test('the day strip reaches the right edge, and shows sleep, operations and the share of each phase', () => {
	const [strip, hours, legend] = day(stop);
	expect(strip).toMatch(/^ 24 h {6}·+█+·+█+$/);
	expect(strip).toHaveLength(99);
	expect(hours).toMatch(/^ {11}24 h ago +12:00 +18:00 +00:00 +now$/);
	expect(hours).toHaveLength(99);
	expect(legend).toMatch(/█ up all of the 4 h watched$/);
	const wish = { key: 'k', operation: 'restart', computer: atlas.id } as const;
	const restart: Change = {
		type: 'operationMoved',
		wish,
		at: now - 2 * hour,
		to: 'settled',
		took: 9000,
	};
	const wakeUp: Change = {
		...stop,
		from: 'stopped',
		to: 'active',
		lasted: hour,
		at: now - 2 * hour,
		notBefore: now - 2 * hour,
	};
	expect(day(stop, wakeUp, restart)[0]).toMatch(/^ 24 h {6}·+█+░+▼█+$/);
	expect(day(stop, wakeUp, restart)[2]).toMatch(
		/█ up 80 % {2}░ asleep 20 % {2}watched since 03:00 +▼ 06:00 restarted by you $/,
	);
	expect(day(stop, wakeUp, { ...restart, who: 'norma@example.com' })[2]).toMatch(
		/restarted by norma@example.com $/,
	);
});

test('the legend of the day strip explains every sign in the strip, and no other, from 60 columns', () => {
	const { computer } = detail(atlas).row;
	const wish = { key: 'k', operation: 'restart', computer: atlas.id } as const;
	const settled = { type: 'operationMoved', wish, to: 'settled', took: 9000 } as const;
	const restarting: Change = {
		...{ ...stop, from: 'restarting', to: 'active', lasted: 9000 },
		...{ at: now - 2 * hour, notBefore: now - 2 * hour },
	};
	const history: readonly Change[] = [
		{
			...restarting,
			from: 'active',
			to: 'restarting',
			lasted: 2 * hour,
			at: now - 2 * hour - 9000,
		},
		restarting,
		{ ...settled, at: now - 2 * hour },
	];
	for (const width of [60, 80, 100]) {
		const options = { computer, history, email: undefined, now, width, theme };
		const [strip = '', , legend = ''] = dayStripLines(options).map(spans =>
			spans.map(([text]) => text).join(''),
		);
		for (const sign of ['█', '▒', '▼'])
			expect(legend.includes(sign), `${sign} ${width}`).toBe(strip.includes(sign));
	}
});

test('a narrow legend of the day strip leaves out words instead of cutting them', () => {
	const { computer } = detail(atlas).row;
	const failed: Change = {
		...{ ...stop, from: 'active', to: 'error', at: now - 2 * hour, notBefore: now - 2 * hour },
		...{ lasted: 3 * hour, error: 'disk quota exceeded' },
	};
	const { reason: _, ...failure } = failed;
	const since = { at: now - 2 * hour, isLowerBound: false };
	const inError = { ...computer, phase: 'error', since } as const;
	const options = { computer: inError, history: [failure], email: undefined, now, theme };
	const legendAt = (width: number) =>
		dayStripLines({ ...options, width })[2]
			?.map(([text]) => text)
			.join('')
			.trim();
	expect(legendAt(64)).toBe('█ up 60 %  ✖ error 40 %  watched since 03:00');
	expect(legendAt(48)).toBe('█ up 60 %  ✖ error 40 %  since 03:00');
	expect(legendAt(40)).toBe('█ up 60 %  ✖ error 40 %');
	expect(legendAt(30)).toBe('█ up 60 %');
});

test('the day strip of a computer that was just seen for the first time says for how short a time it was watched', () => {
	const { computer } = detail(atlas).row;
	const since = { at: now - 5_000, isLowerBound: true };
	const lines = dayStripLines({
		...{ computer: { ...computer, phase: 'error', since }, history: [], email: undefined },
		...{ now, width: 100, theme },
	});
	const legend = lines.at(-1)?.map(([text]) => text);
	expect(legend?.join('').trim()).toBe('✖ error  watched for under a minute');
});

test('the story and the day strip say why the computer was in error, after it has recovered', () => {
	const failed: Change = {
		...{ ...stop, to: 'error', at: now - 2 * hour, notBefore: now - 2 * hour },
		...{ lasted: hour, error: 'disk quota exceeded' },
	};
	const { reason: _, ...failure } = failed;
	const recovered: Change = { ...failure, from: 'error', to: 'active', at: now - hour };
	const { error: __, ...recovery } = { ...recovered, notBefore: now - hour };
	const [, line] = storyLines([failure, recovery], { now, email: undefined, theme });
	expect(line?.map(([text]) => text).join('')).toBe(
		' 06:00:00     active for 1 h → error: disk quota exceeded',
	);
	expect(day(failure, recovery)[2]).toMatch(/✖ 06:00 disk quota exceeded $/);
	const wish = { key: 'k', operation: 'restart', computer: atlas.id } as const;
	const settled = { type: 'operationMoved', wish, to: 'settled', took: 9000 } as const;
	expect(day(failure, { ...settled, at: now - hour }, recovery)[2]).toMatch(
		/✖ 06:00 disk quota exceeded ▼ 07:00 $/,
	);
});

test('the story has one line for an operation and the changes that it caused, with the time that it took', () => {
	const wish = { key: 'k', operation: 'restart', computer: atlas.id } as const;
	const moved = (at: number, to: 'sent' | 'settled'): Change => ({
		type: 'operationMoved',
		wish,
		at,
		to,
		took: 9000,
	});
	const changed = (at: number, from: string | null, to: string | null): Change => ({
		type: 'statusChanged',
		id: atlas.id,
		at,
		notBefore: at,
		from,
		to,
	});
	const at = now - 60_000;
	const history = [
		changed(now - 30 * 24 * hour, null, 'provisioning'),
		changed(now - 50 * hour, 'active', 'error'),
		changed(now - 49 * hour, 'error', 'active'),
		{
			...changed(now - 20 * hour, 'active', 'stopping'),
			lasted: 29 * hour,
			reason: 'asleep' as const,
		},
		{
			...changed(now - 20 * hour + 4000, 'stopping', 'stopped'),
			lasted: 4000,
			reason: 'asleep' as const,
		},
		changed(now - 19 * hour - 9000, 'stopped', 'starting'),
		{ ...changed(now - 19 * hour, 'starting', 'active'), lasted: 9000 },
		moved(at - 9000, 'sent'),
		changed(at - 8000, 'active', 'restarting'),
		changed(at, 'restarting', 'active'),
		moved(at, 'settled'),
	];
	const lines = storyLines(history, { now, email: undefined, theme });
	expect(lines.map(spans => spans.map(([text]) => text).join(''))).toEqual([
		' 07:59:00     restarted by you (9 s)',
		' Fri 13:00    woke in 9 s',
		' Fri 12:00    active for 1 d 5 h → asleep',
		' Thu 07:00    active',
		' Thu 06:00    error',
		expect.stringMatching(/^ 10-22 \d\d:\d\d {2}new: creating$/),
	]);
});
