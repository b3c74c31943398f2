import { expect, test } from 'vitest';
import { balanceChartLines } from '../../../source/drawing/balance-chart.ts';
import { createQrRenderer } from '../../../source/drawing/qr.ts';
import type { Block } from '../../../source/drawing/section.ts';
import { createTheme } from '../../../source/drawing/theme.ts';
import type { CreditSample } from '../../../source/fleet/computers/runway.ts';
import { type AccountState, emptyAccount } from '../../../source/store/state.ts';
import { billingSections } from '../../../source/wording/views/billing-text.ts';
import { paymentSection } from '../../../source/wording/views/payment-text.ts';
import { failure } from '../../arbitraries/sample-facts.ts';
import { hour, now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';

function said(blocks: readonly Block[]): string {
	return blocks
		.flatMap(block => {
			if (block.type === 'lines' || block.type === 'values' || block.type === 'chart')
				return block.lines.map(spans => spans.map(([text]) => text).join(''));
			if (block.type === 'table') return block.rows.map(row => row.join(' ').trim());
			if (block.type === 'link') return [`link ${block.url}`];
			if (block.type === 'waiting') return [`waiting: ${block.text}`];
			return block.type === 'paper' ? block.lines : [];
		})
		.join('\n');
}

const burning = { burnPerHour: 0.82, timeLeftMs: 50 * hour };

function billing(
	account: Partial<AccountState>,
	runway: typeof burning | null = burning,
	width = 100,
) {
	const known = { ...emptyAccount, ...account };
	const room = { now, width, lines: 40, theme };
	return said(
		billingSections({ account: known, runway, qrOf: createQrRenderer(), ...room }).flat(),
	);
}

test('the billing view shows the credits, what they consist of, the burn rate and how long they last', () => {
	const text = billing({ credits: { balance: 41.5, daily: 5, monthly: 30, extra: 6.5 } });
	expect(text).toContain('Credits   41.50: 5.00 daily + 30.00 monthly + 6.50 bought');
	expect(text).toContain('Burn rate 0.82 an hour, 19.68 a day');
	expect(text).toContain('Lasts     2 d 2 h, until ≈ Mon 10:00 at this rate');
	expect(billing({ credits: { balance: 41.5, daily: 0, monthly: 0, extra: 41.5 } })).toContain(
		'Credits   41.50 ',
	);
	const young = billing({ credits: { balance: 41.5 } }, null);
	expect(young).toContain('Lasts     burn rate not known yet');
	expect(billing({ credits: { balance: 1, canRun: false } })).toContain(
		'too few to run a computer',
	);
	expect(billing({ credits: { balance: null } })).toContain('Credits   not reported');
});

test('the numbers of the billing view stand in two columns at 80 columns, and only the forecast has a line of its own', () => {
	const periodEndsAt = now + 7.2 * 24 * hour;
	const subscription = { plan: 'pro', planName: 'Pro', status: 'active', periodEndsAt };
	const credits = { balance: 71.03, daily: 0, monthly: 0, extra: 71.03 };
	const [first, second, third] = billing({ credits, subscription }, burning, 80).split('\n');
	expect(first).toMatch(/^ Credits .* Burn rate 0\.82 an hour/);
	expect(second).toMatch(/^ Lasts .*at this rate$/);
	expect(third).toMatch(/^ Plan .* Renews .*\)$/);
});

test('the billing view shows the plan, its renewal or end, and the auto-sleep of each plan', () => {
	const subscription = { plan: 'pro', planName: 'Pro', status: 'active' };
	const periodEndsAt = now + 10 * 24 * hour;
	const text = billing({ subscription: { ...subscription, periodEndsAt } });
	expect(text).toContain('Plan      Pro, active');
	expect(text).toContain('Renews    2026-12-01 08:00 (in 10 d)');
	const ending = { ...subscription, periodEndsAt, endsWithPeriod: true };
	expect(billing({ subscription: ending })).toContain('Ends      2026-12-01');
	expect(text).toMatch(
		/Free after 15 min idle\nPro after 30 min idle ← your plan\nPower .* 1 h idle\nUltra never/,
	);
	expect(billing({ subscription: { plan: 'team', planName: 'Team' } })).toContain(
		'Team unknown ← your plan',
	);
	expect(billing({ subscription: null })).toContain('none; billing is not set up');
	expect(billing({})).toContain('Plan      not read yet');
});

test('the billing view shows why the credits or the subscription cannot be read', () => {
	const failing = {
		failure,
		firstAskedAt: now - 1000,
		firstFailedAt: now - 1000,
		lastFailedAt: now,
		attempts: 2,
	};
	const offer = 'Starting billing is offered once the plan is read: it may have started.';
	expect(billing({ reads: { subscription: { failing } } })).toContain(offer);
	expect(billing({ reads: { subscription: { failing } }, subscription: null })).not.toContain(
		offer,
	);
	const text = billing({ reads: { credits: { failing } } });
	expect(text).toContain('Cannot read the credits: internal error\n Try again later.');
});

const every = (minutes: number, balances: readonly number[]): CreditSample[] =>
	balances.map((balance, at) => ({
		at: now - (balances.length - 1 - at) * minutes * 60_000,
		balance,
	}));

const chart = (
	samples: readonly CreditSample[],
	width = 28,
	height = 5,
	burnPerHour: number | undefined = undefined,
) =>
	balanceChartLines(samples, now, { width, height, burnPerHour }, theme).map(spans =>
		spans.map(([text]) => text).join(''),
	);

test('the chart of the balance falls when the balance falls, above an axis that begins at zero', () => {
	expect(chart(every(10, [40, 40, 30, 20, 10, 10, 40, 40, 40]))).toEqual([
		' 40.00 │ ────╮  +30.00 ╭────',
		'       │     ╰──╮     ╭╯    ',
		'       │        ╰─────╯     ',
		'  0.00 │                    ',
		'         06:40           now',
	]);
});

test('a jump of the chart is labelled with the sum of the rises that it shows', () => {
	const samples = every(2, [...Array<number>(30).fill(40), 40.5, ...Array<number>(30).fill(80)]);
	const text = chart(samples, 40, 8).join('\n');
	expect(text).toContain('+40.00');
	expect(text).not.toContain('+0.50');
});

test('the chart of the balance continues with a dashed forecast until the credits are used up', () => {
	const lines = chart(every(60, [50, 40, 30, 20]), 49, 6, 10);
	expect(lines).toEqual([
		' 50.00 │ ─────╮                                  ',
		'       │      ╰─────────╮                        ',
		' 20.00 │                ╰────────                ',
		'       │                         ╌╌╌╌╌╌╌╌╌╌      ',
		'  0.00 │                                   ╌╌╌╌╌╌',
		'         05:00                now     empty 10:00',
	]);
	expect(chart(every(60, [50, 40, 30, 20]), 60, 6, 0.1).at(-1)).toMatch(/now +2026-11-24 08:00$/);
});

const young = {
	burnPerHour: 10,
	timeLeftMs: 4.15 * hour,
	measuredMs: 3 * 60_000,
	isEstimate: true,
} as const;

test('a rounded forecast has a sign, and one from an estimate says only the hour', () => {
	const early = billing({ credits: { balance: 41.5 }, samples: every(3, [42, 41.5]) }, young);
	expect(early).toMatch(/now +empty ≈ 12:00$/m);
	const sure = billing({ credits: { balance: 41.5 }, samples: every(3, [42, 41.5]) });
	expect(sure).toMatch(/now +empty ≈ Mon 10:30$/m);
});

test('credits have a separator for thousands', () => {
	const credits = { balance: 12_345.6, daily: 1_000, extra: 11_345.6 };
	const text = billing({ credits, samples: every(3, [12_400, 12_345.6]) });
	expect(text).toContain('Credits   12,345.60: 1,000.00 daily + 11,345.60 bought');
	expect(text).toContain('12,400.00 │');
});

test('the chart of the balance has a gap for times without a read', () => {
	const [early, late] = [every(10, [20, 20, 20]), every(10, [10, 10, 10])];
	const before = early.map(({ at, balance }) => ({ at: at - 9 * hour, balance }));
	const [top = '', , middle = ''] = chart([...before, ...late], 40);
	expect(top.slice(9).trimEnd()).toMatch(/^─{1,3}$/);
	expect(middle.slice(9)).toMatch(/^ {20,}─{1,3}$/);
});

test('the chart draws a high balance that hardly changes at the top', () => {
	const curve = chart(every(10, [42, 42, 42, 41.995, 41.99])).map(line => line.trimEnd());
	expect(curve[0]).toMatch(/^ 42\.00 │ ─+$/);
	expect(curve.slice(1, 4)).toEqual(['       │', '       │', '  0.00 │']);
});

test('a balance that has not changed is a sentence instead of a chart', () => {
	expect(billing({ samples: every(10, [42, 42, 42]) })).toContain(
		'The balance has been 42.00 since 07:40.',
	);
	expect(billing({ samples: every(10, [42, 42, 41]) })).not.toContain('has been');
});

test('the burn rate is an estimate at first, and marked as one', () => {
	const credits = { balance: 41.5 };
	const samples = every(3, [42, 41.5]);
	const text = billing({ credits, samples }, young);
	expect(text).toContain('Burn rate ≈ 10.00 an hour, estimated from 3 min of readings');
	expect(text).toContain('Lasts     ≈ 4 h 9 min, until ≈ 12:00');
	expect(billing({ credits, samples }, null)).toContain('needs 10 min of readings (3 so far)');
	expect(billing({ credits, samples })).toContain('Burn rate 0.82 an hour');
});

test('a renewal before the end of the credits is named, and no end is promised after it', () => {
	const renewing = (endsWithPeriod: boolean) => {
		const periodEndsAt = now + 24 * hour;
		const subscription = { plan: 'pro', planName: 'Pro', periodEndsAt, endsWithPeriod };
		return billing({ credits: { balance: 41.5 }, samples: every(3, [42, 41.5]), subscription });
	};
	expect(renewing(false)).toMatch(
		/Lasts +2 d 2 h; before that, the plan renews Sun 08:00, amount unknown/,
	);
	expect(renewing(false)).toMatch(/now +renews Sun 08:00$/m);
	expect(renewing(true)).toMatch(/Lasts +2 d 2 h, until ≈ Mon/);
});

test('the chart of the balance is left out with fewer than two samples or too little room', () => {
	expect(chart([])).toEqual([]);
	expect(chart(every(1, [10]))).toEqual([]);
	expect(chart(every(1, [10, 9]))).toHaveLength(5);
	expect(chart(every(1, [10, 9]), 15)).toEqual([]);
	expect(chart(every(1, [0, 0]))).toEqual([]);
});

const url = 'https://pay.example.com/c/cs_test_a1B2c3';
const page = { state: 'open', url, openedAt: now - 4000 } as const;
const paying = (
	payment: Parameters<typeof paymentSection>[0]['payment'],
	maxLines = 60,
	look = theme,
) => paymentSection({ payment, qrOf: createQrRenderer(), now, width: 80, maxLines, theme: look });

test('the billing view shows a payment page as a link, and as a QR code if the code fits', () => {
	const [head, link, code] = paying(page);
	expect(said([head, link].flatMap(each => each ?? []))).toBe(
		` Payment page  opened 4 s ago   y copies the address   Esc closes\nlink ${url}`,
	);
	if (code?.type !== 'paper') throw new Error('no code');
	const [width] = code.lines.map(line => line.length);
	expect(code.lines.every(line => line.length === width)).toBe(true);
	expect(code.lines.length).toBe(Math.ceil((width ?? 0) / 2));
	// A QR code begins with an empty margin, followed by the corner squares by which cameras find the code.
	expect(code.lines[0]?.trim()).toBe('');
	expect(code.lines[1]?.trim()).toBe('');
	expect(code.lines[2]).toMatch(/^ {4}█▀▀▀▀▀█ .* █▀▀▀▀▀█ {4}$/);
	expect(code.lines[3]).toMatch(/^ {4}█ ███ █ .* █ ███ █ {4}$/);
	expect(code.lines.at(-1)?.trim()).toBe('');

	expect(said(paying(page, 1 + 1 + code.lines.length - 1))).toContain('No room for the QR code');
	expect(paying(page, 1 + 1 + code.lines.length)).toHaveLength(3);
	const ascii = createTheme({ colourBits: 0, background: 'dark', hasUnicode: false });
	expect(paying(page, 60, ascii)).toHaveLength(2);
});

test('the numbers stand beside the QR code if there is room', () => {
	const credits = { balance: 41.5 };
	const at = (width: number) =>
		billingSections({
			...{ account: { ...emptyAccount, credits }, runway: burning, payment: page },
			...{ qrOf: createQrRenderer(), now, width, lines: 60, theme },
		}).flat();
	const besideIn = (blocks: readonly Block[]) =>
		blocks.flatMap(block => (block.type === 'paper' ? (block.beside ?? []) : []));
	expect(JSON.stringify(besideIn(at(100)))).toContain('41.50');
	expect(at(100).some(({ type }) => type === 'values')).toBe(false);
	expect(besideIn(at(60))).toEqual([]);
	expect(at(60).some(({ type }) => type === 'values')).toBe(true);
});

test('the billing view says that a payment page is opening, or why it did not open', () => {
	expect(said(paying({ state: 'opening' }))).toBe('waiting: Opening a payment page');
	expect(said(paying({ state: 'failed', failure }))).toBe(
		' ✖ Cannot open a payment page: internal error\n Try again later.',
	);
});
