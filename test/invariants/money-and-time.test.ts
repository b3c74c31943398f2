import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import { runwayOf } from '../../source/fleet/computers/runway.ts';
import { phaseStartOf, uptimeOf } from '../../source/fleet/computers/uptime.ts';
import { durationText } from '../../source/foundation/duration.ts';
import { plainText } from '../../source/lines/print.ts';
import { textOf } from '../../source/lines/span.ts';
import { createJointRunwaySelector, rowsOf } from '../../source/store/selectors.ts';
import { billing, creditsValues } from '../../source/views/billing.ts';
import { lastEventOfRow } from '../../source/views/fleet/status.ts';
import { creditsParts } from '../../source/views/frame/header.ts';
import { usualCreationMs } from '../../source/views/phrases/creation.ts';
import { printedScene } from '../../source/views/read-scene.ts';
import { accountAfter, fact, listRead, statusRead } from '../arbitraries/sample-facts.ts';
import { onlyAccount, profileOf } from '../opened-account.ts';
import { ask, hour, now } from '../operations/ask-question.ts';
import { runs } from '../runs.ts';
import { theme } from '../sample-theme.ts';

const ids = ['sb_1', 'sb_2', 'sb_3'] as const;
const statuses = ['provisioning', 'active', 'stopped', 'starting', 'error', 'restarting'] as const;

const ago = fc.integer({ min: 0, max: 6 * hour });
/** How long ago the platform says that a computer was created, started and changed; nothing if it tells none. */
const times = fc.record({ createdAt: ago, startedAt: ago, updatedAt: ago }, { requiredKeys: [] });
const answer = fc.record({
	agoMs: fc.integer({ min: 0, max: 3 * hour }),
	tells: fc.constantFrom('list', 'status', 'credits'),
	id: fc.constantFrom(...ids),
	statuses: fc.tuple(...ids.map(() => fc.constantFrom(...statuses))),
	times: fc.tuple(...ids.map(() => times)),
	balance: fc.integer({ min: 0, max: 900 }),
});

/** Three hours of answers, at any distance and in any order, from a platform whose clock is minutes apart. */
const told = fc
	.record({
		clockApartMs: fc.integer({ min: -600_000, max: 600_000 }),
		answers: fc.array(answer, { minLength: 1, maxLength: 30 }),
		renewsInMs: fc.option(fc.integer({ min: -hour, max: 90 * hour }), { nil: undefined }),
	})
	.map(({ clockApartMs, answers, renewsInMs }) => {
		const facts = answers.map(({ agoMs, tells, id, balance, ...told }) => {
			const at = now - agoMs;
			const readings = ids.map((each, place): Reading => {
				const ago = told.times[place] ?? {};
				const times = Object.entries(ago).map(([name, ms]) => [name, now - ms + clockApartMs]);
				const status = told.statuses[place] ?? 'active';
				return { id: each, name: each, status, ...Object.fromEntries(times) };
			});
			if (tells === 'credits')
				return fact(at, { type: 'answered', read: 'credits', answer: { balance: balance / 10 } });
			const one = readings.find(reading => reading.id === id);
			return tells === 'list' || !one ? listRead(at, readings) : statusRead(at, one, at - 100);
		});
		const periodEndsAt = renewsInMs === undefined ? {} : { periodEndsAt: now + renewsInMs };
		const subscription = { plan: 'pro', planName: 'Pro', endsWithPeriod: false, ...periodEndsAt };
		return accountAfter(
			...facts,
			fact(now, { type: 'answered', read: 'subscription', answer: subscription }),
		);
	});

test('whatever the platform tells, no two places show different money for one account', () => {
	const seen = new Set<string>();
	fc.assert(
		fc.property(told, account => {
			const runway = runwayOf(account);
			const profile = profileOf('test');
			const shown = createJointRunwaySelector()([{ profile, state: account }]);
			expect({ ...shown, level: undefined }).toEqual({ ...runway });
			if (!account.credits || runway === null || runway.timeLeftMs === null) return;
			const { burnPerHour, timeLeftMs } = runway;
			expect(burnPerHour).toBeGreaterThan(0);
			const lasts = durationText(timeLeftMs);
			const values = new Map(
				creditsValues(account, runway, now).map(([label, spans]) => [label, textOf(spans)]),
			);
			const rate = burnPerHour.toFixed(2).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
			expect(values.get('Burn rate')).toContain(`${rate} an hour`);
			expect(values.get('Lasts')).toContain(lasts);
			const accounts = [
				{ profile, state: account },
				{ profile: profileOf('other'), state: account },
			];
			const view = billing.lines(printedScene({ accounts, now, width: 200, theme }));
			const line = view.map(plainText).find(text => text.startsWith('test '));
			expect(line).toContain(` ${rate} `);
			expect(line).toContain(` ${lasts} `);
			const header = creditsParts(account.credits, runway).map(({ spans }) => textOf(spans));
			expect(header.join('')).toMatch(/\/h/);
			// What a question about stopping says of today is what the header says.
			const active = ids.filter(id => account.computers.get(id)?.phase === 'active');
			const lines = active.length === 0 ? [] : ask('stop', active.slice(0, 1), { account }).lines;
			const instead = / instead of (.+?)[;.]/.exec(lines.join('\n'))?.[1];
			if (instead !== undefined) expect(instead).toBe(lasts);
			seen.add(instead === undefined ? 'no question' : 'a question');
			const renewsAt = account.subscription?.periodEndsAt ?? 0;
			const isBefore = renewsAt > now && renewsAt < now + timeLeftMs;
			expect(values.get('Lasts')?.includes('until')).toBe(!isBefore);
		}),
		runs(100),
	);
	expect(seen).toContain('a question');
});

test('whatever the platform tells, nothing is older than the computer it belongs to', () => {
	const seen = new Set<string>();
	fc.assert(
		fc.property(told, account => {
			const scene = { accounts: onlyAccount(account), now };
			for (const row of rowsOf('test', account)) {
				const { computer } = row;
				const { createdAt } = computer.reading;
				const duration = Math.max(0, now - phaseStartOf(computer).at);
				expect(duration).toBeGreaterThanOrEqual(0);
				if (typeof createdAt === 'number')
					expect(duration).toBeLessThanOrEqual(Math.max(0, now - createdAt));
				const uptime = uptimeOf(computer, now);
				if (uptime) expect(uptime.milliseconds).toBe(duration);
				// The start that the table names and the uptime beside it are of one clock.
				const event = lastEventOfRow(row, scene);
				if (!event || computer.phase !== 'active') continue;
				const start = phaseStartOf(computer);
				if (event.startedAfter !== undefined && event.at !== start.at)
					expect(start.at < event.startedAfter || start.at > event.at).toBe(true);
				seen.add(event.text);
			}
			for (const change of account.changes) {
				if (change.type !== 'statusChanged' || change.lasted === undefined) continue;
				expect(change.lasted).toBeGreaterThanOrEqual(0);
				seen.add('lasted');
			}
			expect(usualCreationMs(account.changes) ?? 0).toBeLessThan(7 * hour);
		}),
		runs(100),
	);
	for (const each of ['lasted', 'started']) expect(seen).toContain(each);
});
