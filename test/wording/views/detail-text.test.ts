import { expect, test } from 'vitest';
import type { Change } from '../../../source/fleet/change.ts';
import { type Reading, readingFields } from '../../../source/fleet/computers/computer.ts';
import type { FactBody } from '../../../source/fleet/fact.ts';
import { bindings } from '../../../source/keys/bindings.ts';
import { createRowsSelector } from '../../../source/store/selectors.ts';
import { emptyUsage, slotMs, usageAfter } from '../../../source/store/usage-history.ts';
import { dayStripLines } from '../../../source/wording/views/day-strip-text.ts';
import { detailSections, detailTitle } from '../../../source/wording/views/detail-text.ts';
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
			statusAgeOf: () => undefined,
			isOlderThanRow: () => false,
			waitingFor: () => undefined,
			canChange: true,
			changes: [],
			usage: emptyUsage,
			listFields: new Set(readingFields),
			theme,
		},
		width: 100,
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

test('the details show every reported property of a computer, and no line for what is not reported', () => {
	const text = said(detail(atlas));
	for (const each of [
		'CPU  12 %  ',
		'Memory  41 %',
		'Storage  91 %  ━━━━━━━━━─',
		'Id sb_atlas01   Address 10.0.0.2   Location fsn1   Created 2026-11-14 08:00 (7 d ago)',
		'Server cpx31   Provider opensandbox',
		'8080 nothing answers, 4 s ago https://example.com/v1/p/sb_atlas01/8080',
		'5173 not checked https://example.com/v1/p/sb_atlas01/5173',
		' shared link https://example.com/v1/p/share/k3TgVq',
		'Y copies the address · v checks · P unpublishes',
		'05:00:00 ○ active for 2 h → stopped (asleep)',
	]) {
		expect(text).toContain(each);
	}
	const bare = { ...detail({ id: 'sb_1', status: 'active' }), history: [] };
	expect(said(bare)).toBe(' Id sb_1');
});

test('what has no room in a line stands in the next one, whole', () => {
	for (const width of [100, 60, 40])
		for (const line of said({ ...detail(atlas), width }).split('\n'))
			if (!/http|copies/.test(line)) expect(line.length, line).toBeLessThanOrEqual(width);
	expect(said({ ...detail(atlas), width: 40 })).toMatch(/^ Location fsn1$/m);
});

test('the title of the details has the name, the status with its time, and the version', () => {
	const words = (asked: ReturnType<typeof detail>) =>
		detailTitle(asked).map(spans => spans.map(([text]) => text).join(''));
	expect(words(detail(atlas))).toEqual(['atlas  ● Active 6d 0h', '  1.3.9 ']);
	const release: FactBody = { type: 'releaseRead', release: { version: '1.4.2', changes: [] } };
	expect(words(detail(atlas, release))[1]).toBe('  1.3.9 ↑ 1.4.2 is out ');
	expect(words({ ...detail(atlas, release), width: 38 })[1]).toBe('  1.3.9 ↑ ');
	const stopped = { ...atlas, status: 'stopped', updatedAt: now - 53 * 60_000 };
	expect(words(detail(stopped))[0]).toBe('atlas  ○ Stopped ≥53m');
	expect(words(detail({ id: 'sb_1', status: 'zzz' }))).toEqual(['sb_1  ? zzz', '']);
	const asked = detail(atlas);
	const lagging = { ...asked.context, statusAgeOf: () => (9 * 60_000) as never };
	expect(words({ ...asked, context: lagging })[0]).toBe('atlas  ● Active, 9 m old');
});

test('the details say an update and an error once', () => {
	const release: FactBody = {
		type: 'releaseRead',
		release: { version: '1.4.2', title: 'Faster starts', changes: [{ type: 'fixed', text: 'a' }] },
	};
	expect(said(detail(atlas, release))).not.toMatch(/1\.4\.2|Faster/);
	const error = 'disk quota exceeded';
	const failed: Change = {
		...{ type: 'statusChanged', id: atlas.id, at: now - hour, notBefore: now - hour },
		...{ from: 'active', to: 'error', error },
	};
	const asked = { ...detail({ ...atlas, status: 'error', error }), history: [failed] };
	expect(said(asked).match(/disk quota exceeded/g)).toHaveLength(1);
	expect(said(asked)).toContain('07:00:00 ✖ active → error');
});

/** The lines of the log about atlas, which the details end with. */
function logOf(history: readonly Change[]): readonly string[] {
	const [block] = detailSections({ ...detail(atlas), history }).at(-1) ?? [];
	return block?.type === 'lines'
		? block.lines.map(spans => spans.map(([text]) => text).join(''))
		: [];
}

test('the log in the details says from when to when an uncertain change may have happened', () => {
	const late = { ...stop, notBefore: stop.at - 2 * hour };
	expect(logOf([late])).toEqual([
		' 05:00:00 ○ active for 2 h → stopped (asleep), some time after 03:00',
	]);
});

test('the details show the whole text of an error on as many lines as it needs', () => {
	const error = 'image pull failed: disk quota exceeded for this account, '.repeat(3).trim();
	const text = said(detail({ ...atlas, status: 'error', error }));
	expect(text.replace(/\s+/g, ' ')).toContain(error);

	const wish = { key: 'k', operation: 'stop', computer: 'sb_atlas01' } as const;
	const refused = said(
		detail(atlas, { type: 'operationAsked', wish }, { type: 'operationFailed', key: 'k', failure }),
	);
	expect(refused).toMatch(/^ Stop failed: internal error\n Try again later\.\n CPU /s);
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
	expect(inError(null)).toMatch(/^ no reason given\n A restart keeps/s);
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
	expect(charts(120), 'wider').toMatch(/CPU +12 % {2} +▇+ +▇/);
	expect(charts(60)).toMatch(/CPU.*Memory.*\n Storage/);
});

const day = (...history: readonly Change[]) => {
	const asked = detail({ ...atlas, startedAt: now - 2 * hour });
	const lines = dayStripLines({
		computer: asked.row.computer,
		history,
		now,
		width: 100,
		theme,
	});
	return lines.map(spans => spans.map(([text]) => text).join(''));
};

test('the day strip shows sleep and operations, and the share of each phase', () => {
	const [line = ''] = day(stop);
	expect(line).toMatch(/^ 24 h {2}·+█+·+█+ {3}█ up 100 % of the 4 h watched$/);
	expect(line.length).toBeLessThan(100);
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
	expect(day(stop, wakeUp, restart)[0]).toMatch(
		/^ 24 h {2}·+█+░+▼█+ {3}█ up 80 % {2}░ asleep 20 % of the 5 h watched$/,
	);
});

test('where the day strip would be too short, the shares stand below it', () => {
	const { computer } = detail({ ...atlas, startedAt: now - 2 * hour }).row;
	const lines = dayStripLines({ computer, history: [stop], now, width: 60, theme }).map(spans =>
		spans.map(([text]) => text).join(''),
	);
	expect(lines).toEqual([
		expect.stringMatching(/^ 24 h {2}·+█+·+█+$/),
		expect.stringMatching(/^ {7}█ up 100 % of the 4 h watched/),
	]);
});

test('a computer that was just seen for the first time has no day strip', () => {
	const { computer } = detail(atlas).row;
	const since = { at: now - 5_000, isLowerBound: true };
	const seen = { ...computer, phase: 'error' as const, since };
	expect(dayStripLines({ computer: seen, history: [], now, width: 100, theme })).toEqual([]);
});

test('the log in the details says why the computer was in error, after it has recovered', () => {
	const failed: Change = {
		...{ ...stop, to: 'error', at: now - 2 * hour, notBefore: now - 2 * hour },
		...{ lasted: hour, error: 'disk quota exceeded' },
	};
	const { reason: _, ...failure } = failed;
	const recovered: Change = { ...failure, from: 'error', to: 'active', at: now - hour };
	const { error: __, ...recovery } = { ...recovered, notBefore: now - hour };
	expect(logOf([failure, recovery])).toEqual([
		expect.stringContaining('error'),
		' 06:00:00 ✖ active for 1 h → error: disk quota exceeded',
	]);
});

test('the log in the details has one line for an operation and the changes that it caused, with the time that it took', () => {
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
	expect(logOf(history)).toEqual([
		' 07:59:00            ● restarted by you in 9 s',
		' 2026-11-20 13:00:00 ● stopped → active',
		' 2026-11-20 12:00:04 ○ active for 1 d 5 h → stopped (asleep)',
		' 2026-11-19 07:00:00 ● error → active',
		' 2026-11-19 06:00:00 ✖ active → error',
		' 2026-10-22 08:00:00 ◐ new: creating',
	]);
});
