import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentedLimits, type Priority, type Scope, scopes } from '../../source/limits/limits.ts';
import { minute, second } from '../durations.ts';
import { createHeldLimiter, responseHead } from '../limits/held-limiter.ts';
import { runs } from '../runs.ts';

const scope = fc.constantFrom<Scope>(...scopes);
const priority = fc.constantFrom<Priority>('operation', 'requestedRead', 'read');
const number = fc.oneof(
	fc.integer({ min: 0, max: 100 }).map(String),
	fc.constantFrom('-1', '1e9', 'soon', '', '99999999999999999999', '12, 100;w=60'),
);
const headers = fc.record(
	{
		'X-RateLimit-Limit': number,
		'X-RateLimit-Remaining': number,
		'X-RateLimit-Reset': number,
		'Retry-After': number,
		Date: fc.constantFrom('Sat, 21 Nov 2026 08:00:00 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT', 'noon'),
	},
	{ requiredKeys: [] },
);
const pause = fc.integer({ min: 1, max: 40 * second });
/** A pause in milliseconds, or a request. */
const step = fc.oneof(fc.record({ scope, priority, headers }), pause);

test('headers make the limits stricter, and never looser', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 80 }), async steps => {
			const [told, untold] = [createHeldLimiter(), createHeldLimiter()];
			for (const each of steps) {
				if (typeof each === 'number') {
					await told.move(each);
					await untold.move(each);
				} else if (told.limiter.slots()[each.scope].free[each.priority] > 0) {
					const asked = [told, untold].map(({ ask }) => ask(each.scope, each.priority));
					await told.flush();
					asked[0]?.slot?.end(responseHead(200, each.headers));
					asked[1]?.slot?.end(responseHead(200));
				}
				const [strict, documented] = [told.limiter.slots(), untold.limiter.slots()];
				for (const name of scopes) {
					expect(strict[name].limit).toBeLessThanOrEqual(documented[name].limit);
					for (const kind of ['operation', 'requestedRead', 'read'] as const) {
						expect(strict[name].free[kind]).toBeLessThanOrEqual(documented[name].free[kind]);
						expect(strict[name].nextAt[kind]).toBeGreaterThanOrEqual(documented[name].nextAt[kind]);
					}
				}
			}
		}),
		runs(60),
	);
});

test('what a response reports holds until its reset, whatever later responses leave out', async () => {
	const upTo = (max: number, min = 1) => fc.integer({ min, max });
	const report = fc.tuple(upTo(59), upTo(59, 0), upTo(60));
	const pauses = fc.array(fc.integer({ min: 0, max: 10 * second }), { maxLength: 10 });
	await fc.assert(
		fc.asyncProperty(report, pauses, async ([limit, remaining, reset], pauses) => {
			const { limiter, ask, move, date } = createHeldLimiter();
			const answer = async (heads: Record<string, string>) => {
				const asked = ask('status', 'operation');
				await move(0);
				asked.slot?.end(responseHead(200, heads));
				if (!asked.slot) asked.leave();
			};
			const end = date() + reset * second;
			await answer({
				'X-RateLimit-Limit': String(limit),
				'X-RateLimit-Remaining': String(remaining),
				'X-RateLimit-Reset': String(reset),
			});
			for (const pause of pauses) {
				await move(pause);
				const { limit: inForce, free } = limiter.slots().status;
				if (date() < end) {
					expect(inForce).toBe(limit);
					expect(free.operation).toBeLessThanOrEqual(remaining);
				}
				await answer({});
			}
		}),
		runs(60),
	);
});

test.each([1 / 2, 1 / 4, 1 / 10])(
	'the reads of a process use at most its share of a limit in any window (%f)',
	async share => {
		const names = fc.constantFrom<'status' | 'other'>('status', 'other');
		const pause = fc.integer({ min: 0, max: 8 * second });
		const pauses = fc.array(pause, { minLength: 20, maxLength: 60 });
		await fc.assert(
			fc.asyncProperty(names, pauses, async (name, pauses) => {
				const { limiter, ask, move, date } = createHeldLimiter();
				limiter.slotsWithin(share);
				const sentAt: number[] = [];
				for (const pause of pauses) {
					const asked = [1, 2, 3].map(() => ask(name));
					await move(pause);
					for (const { slot, leave } of asked) {
						if (slot) sentAt.push(date());
						slot?.end(responseHead());
						if (!slot) leave();
					}
				}
				const most = Math.floor(documentedLimits[name].maxRequests * share);
				for (const start of sentAt) {
					const inWindow = sentAt.filter(at => at >= start && at < start + minute);
					expect(inWindow.length).toBeLessThanOrEqual(most);
				}
				expect(sentAt.length).toBeGreaterThanOrEqual(most);
			}),
			runs(20),
		);
	},
);
