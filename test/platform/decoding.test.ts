import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { allPortsOf, omittedPortCount } from '../../source/fleet/computers/computer.ts';
import {
	checkJson,
	readText,
	redactedJson,
	responseLimits,
} from '../../source/platform/decoding/answer.ts';
import { cleanLine, cleanText } from '../../source/platform/decoding/clean.ts';
import { timeFrom } from '../../source/platform/decoding/decode.ts';
import {
	creditsFrom,
	modelFrom,
	modelsPageFrom,
	paymentPageFrom,
	releaseFrom,
	subscriptionFrom,
} from '../../source/platform/decoding/decode-account.ts';
import {
	computersFrom,
	computersPageFrom,
	createdReadingFrom,
	detailReadingFrom,
	statusReadingFrom,
} from '../../source/platform/decoding/decode-computer.ts';
import { failureFrom } from '../../source/platform/decoding/decode-failure.ts';
import { PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { tokenFrom } from '../../source/platform/sign-in.ts';
import { computerListFrom } from './computer-list.ts';
import { serveResponses } from './loopback.ts';
import { failureOf, platformAt, readOptions } from './platform-at.ts';

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

// Texts, records and ids of the platform are accepted only if cleaning and encoding do not change their meaning.

/** Starts a platform that records its requests and responds to each with this body. */
async function recording(body = '{}') {
	const requests: string[] = [];
	const origin = await serveResponses((request, response) => {
		requests.push(`${request.method} ${request.url}`);
		response.end(body);
	});
	return { ...platformAt(origin, { redact: withoutToken }), requests };
}

const withoutToken = (text: string) => text.replaceAll('secret-token', '…');

test.each(['.', '..', ''])(
	'the client sends no request for a computer with the id %j, which would change the path of the request',
	async id => {
		const { platform, requests } = await recording();
		for (const asked of [
			() => platform.deleteComputer(id, readOptions()),
			() => platform.sendAction(id, 'stop', readOptions()),
			() => platform.sendAction(id, 'start', readOptions()),
			() => platform.sendAction(id, 'restart', readOptions()),
			() => platform.sendAction(id, 'update', readOptions(), {}),
			() => platform.readComputer(id, readOptions()),
			() => platform.readStatus(id, readOptions()),
			() => platform.publishPort(id, 8080, readOptions()),
			() => platform.unpublishPort(id, 8080, readOptions()),
			() => platform.visitPort(id, 8080, readOptions()),
		]) {
			expect(await failureOf(asked())).toMatchObject({ kind: 'invalid', isOutcomeUnknown: false });
		}
		expect(requests).toEqual([]);
		expect(() => platform.publicAddress(id, 8080)).toThrow(PlatformError);
		expect(() => platform.shareAddress(id)).toThrow(PlatformError);
	},
);

test.each([
	['sb_9/../../x', '/v1/platform/sandbox/sb_9%2F..%2F..%2Fx'],
	['%2e%2e', '/v1/platform/sandbox/%252e%252e'],
	['a?b#c', '/v1/platform/sandbox/a%3Fb%23c'],
	['...', '/v1/platform/sandbox/...'],
])(
	'the client encodes the id %j of a computer as one segment of the request path',
	async (id, path) => {
		const { platform, requests } = await recording();
		await platform.deleteComputer(id, readOptions());
		expect(requests).toEqual([`DELETE ${path}`]);
	},
);

test('the client removes the token from every record in which the platform quotes it', async () => {
	const { platform } = await recording(
		JSON.stringify([
			{
				sandbox_id: 'sb_one',
				status: 'error',
				name: 'x secret-token',
				error: 'no access with "Bearer secret-token"',
				metadata: { provisioningMessage: 'secret-token' },
				ports: [{ port: 80, share_token: 'secret-token' }],
			},
		]),
	);
	const { computers } = await platform.listComputers(readOptions());
	expect(JSON.stringify(computers)).not.toContain('secret-token');
	expect(computers[0]).toMatchObject({ status: 'error', name: 'x …' });
});

test('the client removes a quoted token from a successful response, even if JSON escapes hide it', async () => {
	const escaped = await recording('{"name": "\\u0073ecret-token", "id": "sb_one"}');
	expect(await escaped.platform.readComputer('sb_one', readOptions())).toMatchObject({ name: '…' });
	const said = await recording('{"message": "stopped with secret-token"}');
	expect(await said.platform.sendAction('sb_one', 'stop', readOptions())).toEqual({
		message: 'stopped with …',
	});
});

test('the client removes a quoted token from the title of a web page that comes in place of a response', async () => {
	const origin = await serveResponses((_, response) => {
		response.statusCode = 502;
		response.end('<html><title>No route for secret-token</title></html>');
	});
	const { platform } = platformAt(origin, { redact: withoutToken });
	const { message } = await failureOf(platform.listComputers(readOptions()));
	expect(message).toContain('No route for …');
	expect(message).not.toContain('secret-token');
});

test('the client finds a secret that is written with JSON escapes anywhere in a long response', () => {
	const redact = (text: string) => text.replaceAll('secret', '…');
	const redacted = (text: string) => redactedJson(JSON.parse(text), text, redact);
	const long = Array.from({ length: 3_000 }, () => `{"name": "${'x'.repeat(40)}"}`);
	for (const at of [0, 1_500, 3_000]) {
		const text = `[${long.toSpliced(at, 0, '{"name": "a \\u0073ecret"}').join()}]`;
		expect(redacted(text)).toContainEqual({ name: 'a …' });
	}
	expect(redacted('{"list": [{"\\u0073ecret": 1}]}')).toEqual({ list: [{ '…': 1 }] });
	expect(redacted('["\\u0073ec", "ret"]')).toEqual(['sec', 'ret']);
});

test('the client refuses a computer whose id contains a secret, and keeps a status word that equals a secret', async () => {
	const origin = await serveResponses((_, response) =>
		response.end('[{"id": "sb_secret", "status": "active"}, {"id": "sb_two", "status": "active"}]'),
	);
	const redact = (text: string) => text.replaceAll('secret', '…').replaceAll('active', '…');
	const { computers, unreadable } = await platformAt(origin, { redact }).platform.listComputers(
		readOptions(),
	);
	expect(computers).toEqual([{ id: 'sb_two', status: 'active' }]);
	expect(unreadable).toBe(1);
});

// A response is bounded in bytes, values, fields, names and depth. All of them are counted before it is parsed.

const encode = (text: string) => new TextEncoder().encode(text);

/** Creates an endless body, and records how much of it was read. */
function endless(piece: string) {
	const chunk = encode(piece.repeat(Math.ceil(65_536 / piece.length)));
	const taken = { bytes: 0, isCancelled: false };
	const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
		pull(controller) {
			taken.bytes += chunk.length;
			controller.enqueue(chunk);
		},
		cancel() {
			taken.isCancelled = true;
		},
	});
	return { body, taken };
}

test('the client stops reading an endless body at the size limit', async () => {
	const { body, taken } = endless('x');
	const error = await readText(body, responseLimits.fleet).catch((reason: unknown) => reason);
	expect(error).toBeInstanceOf(PlatformError);
	expect(error).toMatchObject({ failure: { kind: 'unreadable', isOutcomeUnknown: true } });
	expect(String(error)).toContain('at most 14 MB');
	expect(taken.isCancelled).toBe(true);
	// The stream may have queued a few more chunks than were read.
	expect(taken.bytes).toBeLessThan(14 * 1_048_576 + 3 * 65_536 + 10);
});

const wide = (count: number) => Array.from({ length: count }, (_, at) => `"n${at}":0`).join();

const layouts = (count: number) =>
	`[${Array.from({ length: count }, (_, at) => `{"n${at}":0}`).join()}]`;

test.each<[string, string, string | undefined]>([
	['as many values as allowed', `[${'0,'.repeat(399_998)}0]`, undefined],
	['one value too many', `[${'0,'.repeat(399_999)}0]`, 'at most 400000 values'],
	['as many records as allowed', `[${'{"a":0},'.repeat(199_999)}0]`, undefined],
	['too many records', `[${'{},'.repeat(200_000)}0]`, 'at most 400000 values'],
	['as many fields as allowed', `{${wide(200)}}`, undefined],
	['one field too many', `{${wide(201)}}`, 'at most 200 fields in a record'],
	['an escaped quote in a text', `["${'x'.repeat(300)}\\"${'['.repeat(90)}"]`, undefined],
	['an escaped backslash at the end', `["\\\\",${'['.repeat(64)}`, 'at most 64 levels'],
	['one record after another', `[{${wide(150)}},{${wide(150)}}]`, undefined],
	['records of many layouts', layouts(20_000), undefined],
	['records of too many layouts', layouts(20_001), 'at most 20000 different layouts of records'],
	['the same record again and again', `[${`{${wide(20)}},`.repeat(5_000)}0]`, undefined],
	['as many levels as allowed', '['.repeat(64), undefined],
	['one level too many', '['.repeat(65), 'at most 64 levels'],
	['brackets and commas in a text', `["${'[{,'.repeat(200_000)}"]`, undefined],
	['a byte order mark', `\uFEFF${'['.repeat(65)}`, 'at most 64 levels'],
	['a web page', `\n<script>${'['.repeat(65)}</script>`, undefined],
])('JSON with “%s” is refused exactly if it exceeds a limit', (_, text, excess) => {
	if (excess === undefined) expect(() => checkJson(encode(text))).not.toThrow();
	else expect(() => checkJson(encode(text))).toThrow(excess);
});

test('the client accepts a list of ten thousand computers with every field', async () => {
	const record = (index: number) => ({
		sandbox_id: `sb_${index}`,
		...Object.fromEntries(
			Array.from({ length: 25 }, (_, at) => [`field_${at}`, 'a text of some length']),
		),
		metadata: { publicIp: '198.18.0.1', serverType: 'c2', location: 'fsn1', version: '1.4.2' },
		ports: [{ port: 8080, url: 'https://platform.example/p/sb/8080', share_token: 'tok' }],
	});
	const list = JSON.stringify(Array.from({ length: 10_000 }, (_, index) => record(index)));
	const origin = await serveResponses((_, response) => response.end(list));
	const { computers } = await platformAt(origin).platform.listComputers(readOptions());
	expect(computers).toHaveLength(10_000);
});

test('the client refuses a list with more records than any fleet has, on a single page or on several pages', async () => {
	const page = (from: number, count: number, next?: string) =>
		JSON.stringify({
			items: Array.from({ length: count }, (_, index) => ({ id: `sb_${from + index}` })),
			next_cursor: next,
		});
	const origin = await serveResponses((request, response) => {
		const from = Number(new URL(request.url ?? '', 'http://here').searchParams.get('cursor') ?? 0);
		response.end(page(from, 9_000, `${from + 9_000}`));
	});
	const failure = await failureOf(platformAt(origin).platform.listComputers(readOptions()));
	expect(failure.message).toBe('the list: expected at most 20000 records');
	const one = await serveResponses((_, response) => response.end(page(0, 20_001)));
	expect((await failureOf(platformAt(one).platform.listComputers(readOptions()))).kind).toBe(
		'unreadable',
	);
	const most = await serveResponses((_, response) => response.end(page(0, 20_000)));
	const { computers } = await platformAt(most).platform.listComputers(readOptions());
	expect(computers).toHaveLength(20_000);
});

test('the client cuts a name that is longer than any screen', async () => {
	const { computers } = await computerListFrom([{ id: 'sb_a', name: 'x'.repeat(3_000) }]);
	expect(computers[0]?.name).toMatch(/^x{499,500}…?$/);
});

test('the client counts unreadable records, however many there are', async () => {
	const none = Array(5_000).fill({});
	expect(await computerListFrom([...none, { id: 'sb_one' }])).toEqual({
		computers: [{ id: 'sb_one' }],
		unreadable: 5_000,
	});
	await expect(computerListFrom(none)).rejects.toThrow('sandbox_id: expected an id');
});

describe('a computer with more ports than are read', () => {
	const withPorts = (id: string, count: number) => ({
		id,
		ports: Array.from({ length: count }, (_, index) => ({ port: index + 1 })),
	});

	test('keeps its row, with the first 100 ports and the number of the others', async () => {
		const crowded = [withPorts('sb_one', 130), withPorts('sb_two', 100)];
		const { computers, unreadable } = await computerListFrom(crowded);
		expect(unreadable).toBeUndefined();
		const [one, two] = computers;
		expect(one?.ports).toHaveLength(100);
		expect(one?.ports?.at(-1)).toEqual({ port: 100, omittedAfter: 30 });
		expect(two?.ports?.at(-1)).toEqual({ port: 100 });
	});

	test('is never taken for a computer whose ports are all known', async () => {
		const [reading] = (await computerListFrom([withPorts('sb_one', 130)])).computers;
		expect(reading && allPortsOf(reading)).toBeUndefined();
		expect(reading && omittedPortCount(reading)).toBe(30);
	});
});

test('the client cancels an answer about one computer after 256 kB, and a sign-in after 64 kB', async () => {
	const record = await readText(endless('x').body, responseLimits.record).catch(String);
	expect(record).toContain('expected at most 256 kB');
	const { body, taken } = endless('x');
	await readText(body, responseLimits.token).catch(String);
	expect(taken.bytes).toBeLessThan(4 * 65_536);
	const origin = await serveResponses((_, response) =>
		response.end(`{"name":"${'x'.repeat(300_000)}"}`),
	);
	const failure = await failureOf(platformAt(origin).platform.readStatus('sb_one', readOptions()));
	expect(failure.message).toBe('the answer: expected at most 256 kB');
});

test('the client cancels a response body that arrives in too many single bytes', async () => {
	let pieces = 0;
	const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
		pull(controller) {
			pieces += 1;
			controller.enqueue(Uint8Array.of(0x20));
		},
	});
	expect(await readText(body, responseLimits.fleet).catch(String)).toContain(
		'at most 20000 pieces',
	);
	expect(pieces).toBeLessThan(20_010);
});

test('the client limits the total size of all pages of a list', async () => {
	const page = (next: number) =>
		JSON.stringify({
			items: [],
			next_cursor: `${next}`,
			notes: Array(12).fill('x'.repeat(1_000_000)),
		});
	let pages = 0;
	const origin = await serveResponses((_, response) => response.end(page(++pages)));
	const failure = await failureOf(platformAt(origin).platform.listComputers(readOptions()));
	expect(failure.message).toBe('the list: expected at most 28 MB');
	expect(pages).toBe(3);
});

test.each([1, 1_000, 65_535, 65_537])(
	'the client decodes a response body that arrives in chunks of %d bytes',
	async size => {
		const text = 'aö京🚀'.repeat(size === 1 ? 1_000 : 30_000);
		const bytes = encode(text);
		let at = 0;
		const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
			pull(controller) {
				if (at >= bytes.length) return controller.close();
				controller.enqueue(bytes.slice(at, at + size));
				at += size;
			},
		});
		expect((await readText(body, responseLimits.fleet)).text).toBe(text);
	},
);

test('the client replaces bytes that are not UTF-8', async () => {
	const bytes = encode('\uFEFF["ö"]'.padEnd(65_536));
	bytes[6] = 0xff;
	const read = (content: Uint8Array<ArrayBuffer>) =>
		readText(new Response(content).body, responseLimits.fleet);
	expect((await read(bytes)).text).toBe(new TextDecoder().decode(bytes));
});

test.each([
	['\x1b[31mred\x1b[0m', 'red'],
	['\x9b1;31mred', 'red'],
	['before\x1b]0;a title\x07after', 'beforeafter'],
	['before\x1b]8;;https://evil.example\x1b\\after', 'beforeafter'],
	['before\x1bPdevice control\x1b\\after', 'beforeafter'],
	['an end\x1b]52;c;never closed', 'an end'],
	['charset\x1b(0qq', 'charsetqq'],
	['a\x9dhidden\x1b[0mb', 'ab'],
	['a\x1b]0;title\x1b[31mb', 'ab'],
	[`${'\x9d'.repeat(3_999)}\x1b`, ''],
	['two\nlines\r\nand\ttabs', 'two lines and tabs'],
	['invoice\u202Efdp.exe', 'invoicefdp.exe'],
	['ad\u200Bmin', 'admin'],
	['a\u2066b\u2069c', 'abc'],
	['tag\u{E0041}ged', 'tagged'],
	['lone \ud83d surrogate', 'lone  surrogate'],
	['  trimmed  ', 'trimmed'],
	['grüße 東京 🚀', 'grüße 東京 🚀'],
])('the client cleans the text %j to %j', (text, clean) => {
	expect(cleanText(text)).toBe(clean);
});

test('the client limits the combining marks on a letter, and the length of a text', () => {
	expect(cleanText(`z${'\u0301'.repeat(40)}`)).toBe(`z${'\u0301'.repeat(3)}`);
	expect(cleanText('x'.repeat(100_000))).toHaveLength(4000);
});

test.each([
	['status:stopped', 'status:stopped'],
	[' and more ', ' and more '],
	['\x1b[1;31matlas\x1b[0m', 'atlas'],
	['\x9b31matlas', 'atlas'],
	['atlas\nborealis\n', 'atlas'],
	['atlas\r\n', 'atlas'],
	['atlas\u2028borealis', 'atlas'],
	['atlas\tborealis', 'atlas borealis'],
	['\x1b]0;a\ntitle\x07atlas', 'atlas'],
	['at\u0007l\u200bas\u202e', 'atlas'],
	['東京 🚀', '東京 🚀'],
])('of the pasted text %j, the input field gets %j', (text, line) => {
	expect(cleanLine(text)).toBe(line);
});

test('the client limits the length of a pasted line', () => {
	expect(cleanLine('x'.repeat(100_000))).toHaveLength(4000);
});

test.each([
	['a pair of surrogates', `${'x'.repeat(8)}🚀`, 'x'.repeat(8)],
	['a letter and its mark', `${'x'.repeat(8)}e\u0301y`, 'x'.repeat(8)],
	['the two letters of a flag', `${'x'.repeat(4)}🇩🇪🇫🇷`, `${'x'.repeat(4)}🇩🇪`],
	['an emoji and its skin tone', `${'x'.repeat(7)}👍🏽y`, 'x'.repeat(7)],
	['the parts of a syllable', `${'x'.repeat(8)}\u1112\u1161\u11ab`, 'x'.repeat(8)],
])('the client never shortens a long text inside %s', (_, text, rest) => {
	expect(cleanText(text, 10)).toBe(text.length > 10 ? `${rest}…` : text);
});

test('the client does not cut a text that is short enough after its escape sequences are removed', () => {
	expect(cleanText('\x1b[31ma\x1b[0mb'.repeat(5), 10)).toBe('ab'.repeat(5));
});

test('the client reads only the beginning of a text that is far too long', () => {
	expect(cleanText(`${'\u200b'.repeat(4_500)}atlas`)).toBe('');
	expect(cleanText(`${'\u200b'.repeat(4_400)}atlas`)).toBe('atlas');
	expect(cleanText(`a${'\u200b'.repeat(16_000_000)}`, 500)).toBe('…');
});
