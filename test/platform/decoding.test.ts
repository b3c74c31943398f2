import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { allPortsOf, omittedPortCount } from '../../source/fleet/computers/computer.ts';
import { accountReadNames } from '../../source/fleet/reads.ts';
import { createJsonCheck, readText } from '../../source/platform/decoding/answer.ts';
import { cleanLine, cleanText } from '../../source/platform/decoding/clean.ts';
import {
	accountRequests,
	computersFrom,
	computersPageFrom,
	createdReadingFrom,
	detailReadingFrom,
	paymentPageFrom,
	statusReadingFrom,
	timeFrom,
} from '../../source/platform/decoding/decode.ts';
import { failureFrom } from '../../source/platform/decoding/decode-failure.ts';
import { tokenFrom } from '../../source/platform/sign-in.ts';
import { serveResponses } from './loopback.ts';
import { failureOf, platformAnswering, platformAt, readOptions } from './platform-at.ts';

// Each line of shapes.jsonl is an answer of a platform, and what the client reads from it.

const now = Date.UTC(2026, 10, 21, 8);

const listFrom = (body: unknown) =>
	computersFrom([computersPageFrom(body).items], { now: () => now });

type RefusedAnswer = { status: number; headers: Record<string, string>; content: unknown };

const readers: Readonly<Record<string, (body: unknown) => unknown>> = {
	computers: listFrom,
	cursor: body => computersPageFrom(body).cursor ?? null,
	status: body => statusReadingFrom(body, 'sb_one', now),
	detail: body => detailReadingFrom(body, 'sb_one', now),
	created: body => createdReadingFrom(body, now),
	...Object.fromEntries(accountReadNames.map(name => [name, accountRequests[name].answerFrom])),
	payment: paymentPageFrom,
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
});

test.each(shapes)(
	'the client reads the shape of $reads: $name',
	async ({ reads, body, becomes, throws }) => {
		const read = async () => readers[reads]?.(body);
		if (throws === undefined) expect(await read()).toEqual(becomes);
		else await expect(read()).rejects.toThrow(throws);
	},
);

test('the client counts unreadable records, however many there are, and cuts a name that is longer than any screen', async () => {
	const none = Array(5_000).fill({});
	const { computers, unreadable } = await listFrom([
		...none,
		{ id: 'sb_one', name: 'x'.repeat(3_000) },
	]);
	expect(unreadable).toBe(5_000);
	expect(computers[0]?.name).toMatch(/^x{499}…$/);
});

test('a computer with more ports than are read keeps its row, and its ports are never taken for all', async () => {
	const ports = Array.from({ length: 130 }, (_, index) => ({ port: index + 1 }));
	const { computers } = await listFrom([
		{ id: 'sb_one', ports },
		{ id: 'sb_two', ports: ports.slice(0, 100) },
	]);
	const [one, two] = computers;
	expect(one?.ports).toHaveLength(100);
	expect(one && [allPortsOf(one), omittedPortCount(one)]).toEqual([undefined, 30]);
	expect(two && [allPortsOf(two)?.length, omittedPortCount(two)]).toEqual([100, 0]);
});

// Secrets

const redact = (text: string) => text.replaceAll('secret', '…').replaceAll('active', '…');

test.each([
	['every field', '{"id": "sb_one", "name": "x secret", "metadata": {"errorMessage": "a secret"}}'],
	['JSON escapes', '{"id": "sb_one", "name": "x \\u0073ecret"}'],
	['a name of a field', '{"id": "sb_one", "name": "x …", "metadata": {"\\u0073ecret": "secret"}}'],
])('the client removes a quoted secret from %s', async (_, body) => {
	const { platform } = await platformAnswering(body, { redact });
	const reading = await platform.readComputer('sb_one', readOptions());
	expect(reading.name).toBe('x …');
	expect(JSON.stringify(reading)).not.toContain('secret');
});

test('the client removes a quoted secret from an acknowledgement, a refusal and a web page in its place', async () => {
	const { platform } = await platformAnswering('{"message": "no \\u0073ecret"}', { redact });
	expect(await platform.initializeBilling(readOptions())).toEqual({ message: 'no …' });
	for (const body of ['{"error": "no \\u0073ecret"}', '<html><title>no secret</title></html>']) {
		const refusing = await platformAnswering(body, { redact }, 502);
		const { message } = await failureOf(refusing.platform.listComputers(readOptions()));
		expect(message).toContain('no …');
		expect(message).not.toContain('secret');
	}
});

test('the client refuses a computer whose id contains a secret, and keeps a status word that equals a secret', async () => {
	const records = ['sb_secret', 'sb_two'].map(id => ({ id, status: 'active' }));
	const { platform } = await platformAnswering(JSON.stringify(records), { redact });
	expect(await platform.listComputers(readOptions())).toEqual({
		computers: [{ id: 'sb_two', status: 'active' }],
		unreadable: 1,
		requestCount: 1,
	});
});

// A response is bounded in bytes, pieces, values, fields, layouts and depth. All are counted before it is parsed.

const encode = (text: string) => new TextEncoder().encode(text);

/** A body of pieces that are made when they are read; it records how many were. */
function bodyOf(pieceAt: (at: number) => Uint8Array<ArrayBuffer> | undefined) {
	const taken = { pieces: 0, isCancelled: false };
	const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
		pull(controller) {
			const piece = pieceAt(taken.pieces);
			taken.pieces += 1;
			if (piece) controller.enqueue(piece);
			else controller.close();
		},
		cancel() {
			taken.isCancelled = true;
		},
	});
	return { body, taken };
}

test.each([
	['14 MB', 65_536, 14 * 1_048_576, 'at most 14 MB'],
	['256 kB', 65_536, 262_144, 'at most 256 kB'],
	['20000 pieces', 1, 262_144, 'at most 20000 pieces'],
])('the client stops reading an endless body after %s', async (_, size, maxBytes, message) => {
	const { body, taken } = bodyOf(() => new Uint8Array(size).fill(0x20));
	await expect(readText(body, maxBytes)).rejects.toMatchObject({
		failure: {
			kind: 'unreadable',
			isOutcomeUnknown: true,
			message: `the answer: expected ${message}`,
		},
	});
	expect(taken.isCancelled).toBe(true);
	// The stream may have queued a few more pieces than were read.
	expect(taken.pieces).toBeLessThan(Math.min(20_000, maxBytes / size) + 5);
});

test.each([1, 1_000, 65_535])('the client decodes a body in pieces of %d bytes', async size => {
	const text = 'aö京🚀'.repeat(1_500);
	const bytes = encode(text);
	const { body } = bodyOf(at =>
		at * size < bytes.length ? bytes.slice(at * size, (at + 1) * size) : undefined,
	);
	expect((await readText(body, 1_000_000)).text).toBe(text);
});

test('the client replaces bytes that are not UTF-8, and drops a byte order mark', async () => {
	const bytes = encode('\uFEFF["ö"]');
	bytes[6] = 0xff;
	expect((await readText(new Response(bytes).body, 1_000)).text).toBe('["\ufffd\ufffd"]');
	const cut = encode('["ö').subarray(0, 3);
	expect((await readText(new Response(cut).body, 1_000)).text).toBe('["\ufffd');
});

const wide = (count: number) => Array.from({ length: count }, (_, at) => `"n${at}":0`).join();
const layouts = (count: number) =>
	`[${Array.from({ length: count }, (_, at) => `{"n${at}":0}`).join()}]`;
const shuffled = (at: number) =>
	`{${['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((_, field) => `"${(at * 7 ** field) % 8191}":0`)}}`;

test.each<[string, string, string | undefined]>([
	['as many values as allowed', `[${'0,'.repeat(419_998)}0]`, undefined],
	['one value too many', `[${'0,'.repeat(419_999)}0]`, 'at most 420000 values'],
	['too many records', `[${'{},'.repeat(140_000)}0]`, 'at most 420000 values'],
	['as many fields as allowed', `{${wide(100)}}`, undefined],
	['one field too many', `{${wide(101)}}`, 'at most 100 fields in a record'],
	['one record after another', `[{${wide(80)}},{${wide(80)}}]`, undefined],
	['records of many layouts', layouts(20_000), undefined],
	['one layout too many', layouts(20_001), 'at most 20000 different layouts of records'],
	[
		'fields in another order each',
		`[${Array.from({ length: 4_000 }, (_, at) => shuffled(at))}]`,
		'layouts',
	],
	['the same record again and again', `[${`{${wide(20)}},`.repeat(5_000)}0]`, undefined],
	['an escaped quote in a text', `["${'x'.repeat(300)}\\"${'['.repeat(90)}"]`, undefined],
	['an escaped backslash at the end', `["\\\\",${'['.repeat(64)}`, 'at most 64 levels'],
	['as many levels as allowed', '['.repeat(64), undefined],
	['one level too many', '['.repeat(65), 'at most 64 levels'],
	['brackets and commas in a text', `["${'[{,'.repeat(200_000)}"]`, undefined],
	['a byte order mark', `\uFEFF${'['.repeat(65)}`, 'at most 64 levels'],
	['a web page', `\n<p>5" ${'['.repeat(65)}</p>`, undefined],
])('JSON with “%s” is refused exactly if it exceeds a limit', (_, text, excess) => {
	for (const size of [3, Number.POSITIVE_INFINITY]) {
		const check = createJsonCheck();
		const bytes = encode(text);
		const checkAll = () => {
			for (let at = 0; at < bytes.length; at += size) check(bytes.subarray(at, at + size));
		};
		if (excess === undefined) expect(checkAll).not.toThrow();
		else expect(checkAll).toThrow(excess);
	}
});

test('the client accepts a list of ten thousand computers with every field', async () => {
	const fields = Array.from({ length: 25 }, (_, at) => [`field_${at}`, 'a text of some length']);
	const record = (index: number) => ({
		sandbox_id: `sb_${index}`,
		...Object.fromEntries(fields),
		metadata: { publicIp: '198.18.0.1', serverType: 'c2', location: 'fsn1', version: '1.4.2' },
		ports: [{ port: 8080, url: 'https://platform.example/p/sb/8080', share_token: 'tok' }],
	});
	const list = JSON.stringify(Array.from({ length: 10_000 }, (_, index) => record(index)));
	const { platform } = await platformAnswering(list);
	expect((await platform.listComputers(readOptions())).computers).toHaveLength(10_000);
});

test.each([
	['records on one page', 'at most 20000 records', 1, () => ({ items: Array(20_001).fill({}) })],
	[
		'records on all pages',
		'at most 20000 records',
		3,
		(page: number) => ({
			items: Array.from({ length: 9_000 }, (_, at) => ({ id: `sb_${page}_${at}` })),
		}),
	],
	[
		'bytes on all pages',
		'at most 28 MB',
		3,
		() => ({
			notes: Array(12).fill('x'.repeat(1_000_000)),
			items: [],
		}),
	],
])('the client refuses a list with too many %s', async (_, message, pages, pageAt) => {
	let count = 0;
	const origin = await serveResponses((_, response) => {
		count += 1;
		response.end(JSON.stringify({ ...pageAt(count), next_cursor: `${count}` }));
	});
	const failure = await failureOf(platformAt(origin).platform.listComputers(readOptions()));
	expect([failure.message, count]).toEqual([`the list: expected ${message}`, pages]);
});

test('the client refuses an answer about one computer that is longer than 256 kB', async () => {
	const { platform } = await platformAnswering(`{"name":"${'x'.repeat(300_000)}"}`);
	const failure = await failureOf(platform.readStatus('sb_one', readOptions()));
	expect(failure.message).toBe('the answer: expected at most 256 kB');
});

// Texts

test.each([
	['\x1b[31mred\x1b[0m', 'red'],
	['\x9b1;31mred', 'red'],
	['before\x1b]0;a title\x07after', 'beforeafter'],
	['before\x1bPdevice control\x1b\\after', 'beforeafter'],
	['an end\x1b]52;c;never closed', 'an end'],
	['charset\x1b(0qq', 'charsetqq'],
	['a\x1b]0;title\x1b[31mb', 'ab'],
	[`${'\x9d'.repeat(3_999)}\x1b`, ''],
	['two\nlines\r\nand\ttabs', 'two lines and tabs'],
	['invoice\u202Efdp.exe', 'invoicefdp.exe'],
	['a\u2066b\u2069c', 'abc'],
	['an\ufff9 annotation\ufffb', 'an annotation'],
	['an \u{e0041}invisible\ufe0f\u115f letter', 'an invisible letter'],
	['lone \ud83d surrogate', 'lone  surrogate'],
	['  trimmed  ', 'trimmed'],
	['grüße 東京 🚀', 'grüße 東京 🚀'],
	[`z${'\u0301'.repeat(40)}`, `z${'\u0301'.repeat(3)}`],
	['x'.repeat(100_000), `${'x'.repeat(3_999)}…`],
	// Only the beginning of a text that is far too long is read.
	[`${'\u200b'.repeat(4_500)}atlas`, ''],
	[`${'\u200b'.repeat(4_400)}atlas`, 'atlas'],
])('the client cleans the text %j to %j', (text, clean) => {
	expect(cleanText(text)).toBe(clean);
});

test.each([
	[' and more ', ' and more '],
	['\x1b[1;31matlas\x1b[0m', 'atlas'],
	['atlas\r\nborealis\n', 'atlas'],
	['atlas\u2028borealis', 'atlas'],
	['atlas\tborealis', 'atlas borealis'],
	['\x1b]0;a\ntitle\x07atlas', 'atlas'],
	['at\u0007l\u200bas\u202e', 'atlas'],
	['東京 🚀', '東京 🚀'],
	['x'.repeat(100_000), 'x'.repeat(4_000)],
])('of the pasted text %j, the input field gets %j', (text, line) => {
	expect(cleanLine(text)).toBe(line);
});

test.each([
	['a pair of surrogates', `${'x'.repeat(8)}🚀y`, `${'x'.repeat(8)}…`],
	['a letter and its mark', `${'x'.repeat(8)}e\u0301y`, `${'x'.repeat(8)}…`],
	['the two letters of a flag', `${'x'.repeat(4)}🇩🇪🇫🇷`, `${'x'.repeat(4)}🇩🇪…`],
	['an emoji and its skin tone', `${'x'.repeat(7)}👍🏽y`, `${'x'.repeat(7)}…`],
	['escape sequences, which do not count', '\x1b[31ma\x1b[0mb'.repeat(5), 'ab'.repeat(5)],
])('the client never shortens a long text inside %s', (_, text, shortened) => {
	expect(cleanText(text, 10)).toBe(shortened);
});
