import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { timeFrom } from '../../../source/platform/decoding/decode.ts';
import {
	creditsFrom,
	modelFrom,
	modelsPageFrom,
	paymentPageFrom,
	releaseFrom,
	subscriptionFrom,
} from '../../../source/platform/decoding/decode-account.ts';
import {
	computersFrom,
	computersPageFrom,
	createdReadingFrom,
	detailReadingFrom,
	statusReadingFrom,
} from '../../../source/platform/decoding/decode-computer.ts';
import { failureFrom } from '../../../source/platform/decoding/decode-failure.ts';
import { tokenFrom } from '../../../source/platform/sign-in.ts';
import { computerListFrom } from './computer-list.ts';

// Each line of shapes.jsonl is an answer of a platform, and what the client reads from it.

const now = Date.UTC(2026, 10, 21, 8);

type RefusedAnswer = { status: number; headers: Record<string, string>; content: unknown };

const readers: Readonly<Record<string, (body: unknown) => unknown>> = {
	computers: body => computerListFrom(body, now),
	cursor: body => computersPageFrom(body).cursor ?? null,
	status: body => statusReadingFrom(body, 'sb_one', now),
	detail: body => detailReadingFrom(body, 'sb_one', now),
	created: body => createdReadingFrom(body, now),
	credits: creditsFrom,
	subscription: subscriptionFrom,
	payment: paymentPageFrom,
	release: releaseFrom,
	models: body => modelsPageFrom(body).items.map(modelFrom),
	token: body => tokenFrom(body, now),
	time: timeFrom,
	failure(body) {
		const { status, headers, content } = body as RefusedAnswer;
		const [text, json] = typeof content === 'string' ? [content] : ['', content];
		const all = failureFrom({ status, headers: new Headers(headers), text, json, now });
		const { advice: _, isOutcomeUnknown: __, ...failure } = all;
		return failure;
	},
};

type Shape = { reads: string; name: string; body: unknown; becomes?: unknown; throws?: string };

const shapes: readonly Shape[] = readFileSync(join(import.meta.dirname, 'shapes.jsonl'), 'utf8')
	.trim()
	.split('\n')
	.map(line => JSON.parse(line));

beforeEach(() => {
	// Times must not depend on the local time zone.
	vi.stubEnv('TZ', 'America/New_York');
	onTestFinished(() => void vi.unstubAllEnvs());
	expect(new Date(now).getHours()).toBe(3);
});

test.each(shapes)(
	'the client reads the shape of $reads: $name',
	async ({ reads, body, becomes, throws }) => {
		const read = async () => readers[reads]?.(body);
		if (throws === undefined) expect(await read()).toEqual(becomes);
		else await expect(read()).rejects.toThrow(throws);
	},
);

test('the client keeps the last record of a computer that appears on two pages', async () => {
	const pages = ['active', 'stopped'].map(
		status => computersPageFrom([{ id: 'sb_one', status }]).items,
	);
	expect(await computersFrom(pages, { now: () => now })).toEqual({
		computers: [{ id: 'sb_one', status: 'stopped' }],
	});
});
