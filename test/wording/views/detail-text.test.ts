import { expect, test } from 'vitest';
import type { Change } from '../../../source/fleet/change.ts';
import type { Reading } from '../../../source/fleet/computers/computer.ts';
import type { FactBody } from '../../../source/fleet/fact.ts';
import { createRowsSelector } from '../../../source/store/selectors.ts';
import { emptyUsage } from '../../../source/store/usage-history.ts';
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
			waitingFor: () => undefined,
			canChange: true,
			changes: [],
			usage: emptyUsage,
			theme,
		},
		width: 100,
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
		'Address   10.0.0.2',
		'Version   1.3.9',
		'Status    active for at least 4s (watched since 07:59)',
		'Data      4 s old (from: list)',
		'Created   2026-11-14 08:00 (7d ago)',
		'Started   2026-11-15 08:00 (6d ago)',
		'Changed   06:00 (2h ago)',
		'Plan      Pro, auto-sleep after 30 min idle',
		'Location  fsn1',
		'Server    cpx31',
		'Provider  opensandbox',
		'12%',
		'41%',
		'91%',
		'8080 https://example.com/v1/p/sb_atlas01/8080 nothing answers, 4s ago',
		'5173 https://example.com/v1/p/sb_atlas01/5173',
		'https://example.com/v1/p/share/k3TgVq',
		'05:00  ○ atlas: active → stopped after 2 h (asleep)',
	]) {
		expect(text).toContain(each);
	}
	expect(text).not.toContain('other');
});

test('the details leave out properties that the platform does not report', () => {
	const text = said(detail({ id: 'sb_1', status: 'active' }));
	for (const label of ['Address', 'Created', 'Started', 'CPU', 'Plan', 'Provider', 'null']) {
		expect(text).not.toContain(label);
	}
	expect(text).toContain('Version   unknown');
});

test('in the details, a property that is too long for half the width gets its own line', () => {
	const provider = 'p'.repeat(70);
	const lines = said(detail({ ...atlas, provider, location: 'fsn1' })).split('\n');
	expect(lines).toContain(` Provider  ${provider}`);
	expect(lines.some(line => line.endsWith('Server    cpx31'))).toBe(true);
});

test('the title of the details has the name, id, status and uptime of the computer', () => {
	const words = (asked: ReturnType<typeof detail>) =>
		detailTitle(asked).map(spans => spans.map(([text]) => text).join(''));
	expect(words(detail(atlas))).toEqual(['atlas  sb_atlas01', '  ● Active  6d 0h ']);
	expect(words(detail({ id: 'sb_1', status: 'zzz' }))).toEqual(['sb_1', '  ? zzz ']);
});

test('the details show the notes of a new version only if the computer runs an older version', () => {
	const release: FactBody = {
		type: 'releaseRead',
		release: { version: '1.4.2', title: 'Faster starts', changes: [{ type: 'fixed', text: 'a' }] },
	};
	const text = said(detail(atlas, release));
	expect(text).toContain('1.3.9 ↑ 1.4.2 is out');
	expect(text).toMatch(/New in 1\.4\.2\n Faster starts\n · fixed: a/);
	const current = said(detail({ ...atlas, version: '1.4.2' }, release));
	expect(current).toContain('1.4.2 (latest)');
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
	expect(refused).toContain('Stop failed: internal error\n Try again later.');
});

test('the day strip shows the phases of the last 24 hours and the share of each phase', () => {
	const text = said(detail({ ...atlas, startedAt: now - hour }));
	const ribbon = text.split('\n').find(line => line.startsWith(' Last 24 h')) ?? '';
	expect(ribbon).toMatch(/^ Last 24 h ·+█+·+█+$/);
	expect(text).toMatch(/█ active all of the 3 h watched {2}· not watched/);
});
