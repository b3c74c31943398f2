import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDiskLedger } from '../../source/pace/disk-ledger.ts';
import { createMemoryLedger } from '../../source/pace/ledger.ts';
import type { LimitsByScope, Scope } from '../../source/pace/limits.ts';
import { rateLimitHeadersFrom } from '../../source/pace/rate-limit-headers.ts';
import { createHeldClock } from '../held-clock.ts';
import { createHeldPace, type PendingRequest, responseHead } from '../pace/held-pace.ts';
import { runs } from './runs.ts';

const limits: LimitsByScope = {
	create: { maxRequests: 2, windowMs: 2_000, reservedShare: 0, marginMs: 10, maxTransitMs: 600 },
	status: { maxRequests: 4, windowMs: 600, reservedShare: 0, marginMs: 10, maxTransitMs: 600 },
	other: { maxRequests: 6, windowMs: 600, reservedShare: 1 / 5, marginMs: 10, maxTransitMs: 600 },
};
const patience = 600;
const longestRetry = 60 * 60_000;

const value = fc.oneof(
	fc.nat({ max: 10 }).map(String),
	fc.integer().map(String),
	fc.double({ noNaN: true }).map(String),
	fc.constantFrom('-1', '1e9', '9'.repeat(400), '12, 12', 'Infinity', '2026-11-21T08:00:01Z'),
	fc
		.integer({ min: -5_000, max: 5_000 })
		.map(ms => new Date(Date.UTC(2026, 10, 21, 8) + ms).toUTCString()),
	fc.integer({ min: -5, max: 5 }).map(seconds => `${Date.UTC(2026, 10, 21, 8) / 1_000 + seconds}`),
	fc.string({ unit: 'grapheme-ascii' }),
);

const headers = fc
	.record(
		{
			'x-ratelimit-limit': value,
			'x-ratelimit-remaining': value,
			'x-ratelimit-reset': value,
			'retry-after': value,
			date: value,
		},
		{ requiredKeys: [] },
	)
	.map(all => Object.fromEntries(Object.entries(all).filter(([, text]) => text !== undefined)));

const requestPlan = fc.record({
	kind: fc.constant('request' as const),
	scope: fc.constantFrom<Scope>('create', 'status', 'other'),
	priority: fc.constantFrom('operation' as const, 'read' as const),
	duration: fc.nat({ max: 500 }),
	/** The moment at which the request arrives at the platform, as a fraction of `duration`. */
	arrival: fc.double({ min: 0, max: 1, noNaN: true }),
	end: fc.constantFrom(
		'answered' as const,
		'answered' as const,
		'lost' as const,
		'forgotten' as const,
	),
	status: fc.constantFrom(200, 200, 200, 404, 429, 500, 503),
	headers,
	/** The request is cancelled if it still waits after this many milliseconds; null means never. */
	patience: fc.option(fc.nat({ max: 1_000 }), { freq: 8 }),
});

const jump = fc.record({
	kind: fc.constant('jump' as const),
	by: fc.oneof(fc.integer({ min: -5_000, max: 5_000 }), fc.integer({ min: -1e10, max: 1e10 })),
});

const schedule = fc.array(
	fc.record({
		// A wait of zero is frequent, so that bursts of requests occur.
		wait: fc.oneof(fc.constant(0), fc.constant(0), fc.nat({ max: 400 })),
		process: fc.nat({ max: 1 }),
		event: fc.oneof({ weight: 9, arbitrary: requestPlan }, { weight: 1, arbitrary: jump }),
	}),
	{ minLength: 1, maxLength: 60 },
);

test('no window exceeds its limit and no request waits for ever with any requests, responses and clock jumps', async () => {
	await fc.assert(
		fc.asyncProperty(schedule, async events => {
			const clock = createHeldClock();
			const ledger = createMemoryLedger({ msSinceBoot: clock.now });
			const paces = [0, 1].map(() => createHeldPace({ limits, clock, ledger }));
			const arrivals: Record<Scope, number[]> = { create: [], status: [], other: [] };
			const waiting = new Set<{ ticket: PendingRequest; send: () => void }>();

			async function pass(milliseconds: number, step: number) {
				for (let left = milliseconds; left > 0; left -= step) {
					clock.move(Math.min(step, left));
					await sendGranted();
				}
			}

			async function sendGranted() {
				await new Promise(setImmediate);
				for (const request of waiting) {
					if (request.ticket.reason !== undefined) waiting.delete(request);
					if (!request.ticket.permit) continue;
					waiting.delete(request);
					request.send();
				}
			}

			for (const { wait, process, event } of events) {
				await pass(wait, 20);
				const pace = paces[process];
				if (!pace) continue;
				if (event.kind === 'jump') {
					pace.jump(event.by);
					continue;
				}
				const ticket = pace.ask(event.scope, event.priority);
				if (event.patience !== null) clock.after(event.patience, ticket.leave);
				const send = () => {
					arrivals[event.scope].push(clock.now() + event.arrival * event.duration);
					clock.after(event.duration, () => {
						if (event.end === 'answered')
							ticket.permit?.reportResponse(responseHead(event.status, event.headers));
						if (event.end === 'lost') ticket.permit?.reportNoResponse();
					});
				};
				waiting.add({ ticket, send });
				await sendGranted();
			}

			// After an hour no header restricts requests any longer, so each window lets its full limit pass.
			await pass(10_000, 20);
			await pass(longestRetry, 60_000);
			await pass(events.length * (patience + 2_010), patience / 2);
			for (const request of waiting)
				expect(request.ticket.permit ?? request.ticket.reason).toBeDefined();

			for (const scope of ['create', 'status', 'other'] as const) {
				const { maxRequests: limit, windowMs: window } = limits[scope];
				const times = arrivals[scope].sort((a, b) => a - b);
				const spans = times.slice(limit).map((time, index) => time - (times[index] ?? 0));
				for (const span of spans) expect(span).toBeGreaterThanOrEqual(window);
			}
		}),
		runs(60),
	);
});

test('every rate limit header is parsed to a number or is ignored', () => {
	fc.assert(
		fc.property(headers, fc.nat(), (all, now) => {
			for (const parsed of Object.values(rateLimitHeadersFrom(new Headers(all), now))) {
				expect(parsed).not.toBeNaN();
			}
		}),
		runs(100),
	);
});

test('a ledger file that holds any bytes is read, or is replaced and counted as full, and counting continues', () => {
	const place = mkdtempSync(join(tmpdir(), 'pace-'));
	const file = join(place, 'pace-1.1');
	const open = (pid: number) =>
		createDiskLedger({
			directory: place,
			baseName: 'pace-1',
			pid,
			random: () => 0,
			msSinceBoot: () => 5_000,
		});
	try {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 100 }), fc.boolean(), (bytes, isAdded) => {
				rmSync(place, { recursive: true });
				const first = open(1);
				const spend = { id: first.newSlotId(), number: 1, at: 5_000, hold: 1_000 };
				first.append({ kind: 'take', scope: 'status', ...spend });
				if (isAdded) appendFileSync(file, bytes);
				else writeFileSync(file, bytes);

				const second = open(2);
				const page = second.refresh().status;
				const isFull = page.fullSince === 5_000;
				if (isAdded) expect(isFull || page.spends.has(spend.id)).toBe(true);
				const next = { id: second.newSlotId(), number: page.taken + 1, at: 5_000, hold: 1_000 };
				expect(
					second.append({ kind: 'take', scope: 'status', ...next }).status.spends.has(next.id),
				).toBe(true);
				expect(second.problem()).toBeUndefined();
				expect(first.refresh().status.spends.has(next.id)).toBe(true);
				expect(first.refresh().status.spends.has(spend.id)).toBe(true);
				first.close();
				second.close();
			}),
			runs(50),
		);
	} finally {
		rmSync(place, { recursive: true, force: true });
	}
});
