import {
	chmodSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ElectionOptions, type ElectionResult, elect } from '../../source/sharing/election.ts';
import { protocolNumber, socketPathOf } from '../../source/sharing/socket-path.ts';
import { takeStartLock } from '../../source/sharing/start-lock.ts';

const clock = {
	monotonic: () => performance.now(),
	now: () => 0,
	after(_: number, call: () => void) {
		const waiting = setImmediate(call);
		return () => clearImmediate(waiting);
	},
};

function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'election-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	return folder;
}

function close(result: ElectionResult) {
	if (result.role === 'leader') result.listener.close();
	if (result.role === 'follower') result.socket.destroy();
}

async function joinAs(
	path: string,
	options: Partial<ElectionOptions> = {},
): Promise<ElectionResult> {
	const result = await elect({
		path,
		clock,
		canLead: true,
		random: Math.random,
		isRunning: () => true,
		holder: { pid: process.pid, hostId: 'host' },
		...options,
	});
	onTestFinished(() => close(result));
	return result;
}

describe('the election', () => {
	test('makes the first process the leader, and every later one a follower', async () => {
		const path = join(temporaryFolder(), 'watch.sock');
		const first = await joinAs(path);
		expect(first.role).toBe('leader');
		expect((await joinAs(path)).role).toBe('follower');
		expect((await joinAs(path)).role).toBe('follower');
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});

	test('leaves a path alone that cannot be connected to for another reason than a dead socket', async () => {
		const path = join(temporaryFolder(), 'watch.sock');
		symlinkSync(path, path);
		expect(await joinAs(path)).toMatchObject({ role: 'alone' });
		expect(lstatSync(path).isSymbolicLink()).toBe(true);
	});

	test('elects exactly one leader among processes that start at the same moment', async () => {
		const folder = temporaryFolder();
		const path = join(folder, 'watch.sock');
		const results = await Promise.all(Array.from({ length: 8 }, () => joinAs(path)));
		const roles = results.map(({ role }) => role);
		expect(roles.filter(role => role === 'leader')).toHaveLength(1);
		expect(roles.filter(role => role === 'alone')).toEqual([]);
		expect(readdirSync(folder)).toEqual(['watch.sock']);
	});

	test('replaces a socket on which no process listens any more', async () => {
		const folder = temporaryFolder();
		const path = join(folder, 'watch.sock');
		const server = createServer();
		await new Promise<void>(ready => server.listen(`${path}.old`, ready));
		// The hard link stays behind when the server closes, and so imitates the socket of a killed process.
		const { linkSync } = await import('node:fs');
		linkSync(`${path}.old`, path);
		await new Promise(closed => server.close(closed));
		expect((await joinAs(path)).role).toBe('leader');
	});

	test('never replaces a socket that accepts connections but says nothing', async () => {
		const path = join(temporaryFolder(), 'watch.sock');
		const server = createServer();
		await new Promise<void>(ready => server.listen(path, ready));
		onTestFinished(() => void server.close());
		expect((await joinAs(path)).role).toBe('follower');
	});

	test('leads to watching alone where the path cannot be a socket', async () => {
		const folder = temporaryFolder();
		mkdirSync(join(folder, 'watch.sock'));
		const result = await joinAs(join(folder, 'watch.sock', 'missing', 'watch.sock'));
		expect(result.role).toBe('alone');
	});

	test('leads to watching alone while a living process holds the start lock for long', async () => {
		const path = join(temporaryFolder(), 'watch.sock');
		writeFileSync(`${path}.lock`, JSON.stringify({ pid: 7, hostId: 'host' }));
		expect(await joinAs(path)).toEqual({
			role: 'alone',
			reason: 'another process holds the start lock',
			isForNow: true,
		});
	});

	test('does not let a process that is signed out lead', async () => {
		const path = join(temporaryFolder(), 'watch.sock');
		expect((await joinAs(path, { canLead: false })).role).toBe('alone');
		await joinAs(path);
		expect((await joinAs(path, { canLead: false })).role).toBe('follower');
	});

	test('notices that the socket was deleted, and does not remove the socket of another leader', async () => {
		const path = join(temporaryFolder(), 'watch.sock');
		const first = await joinAs(path);
		if (first.role !== 'leader') throw new Error('no leader');
		expect(first.listener.isInPlace()).toBe(true);
		rmSync(path);
		expect(first.listener.isInPlace()).toBe(false);
		const second = await joinAs(path);
		expect(second.role).toBe('leader');
		first.listener.close();
		await new Promise<void>((connected, failed) =>
			connect(path).once('connect', connected).once('error', failed).unref(),
		);
	});
});

describe('the start lock', () => {
	const take = (
		path: string,
		uniqueSuffix: string,
		isRunning: (pid: number) => boolean = () => true,
	) => takeStartLock({ path, holder: { pid: 1, hostId: 'host' }, uniqueSuffix, isRunning });

	test('belongs to one process until that process releases it', () => {
		const path = join(temporaryFolder(), 'lock');
		const release = take(path, 'a');
		expect(release).toBeDefined();
		expect(take(path, 'b')).toBeUndefined();
		release?.();
		expect(take(path, 'c')).toBeDefined();
	});

	test.each([
		['a process that has ended', JSON.stringify({ pid: 9, hostId: 'host' }), false],
		['a process of an earlier boot', JSON.stringify({ pid: 9, hostId: 'earlier' }), true],
		['no process, because the file is damaged', '{"pid"', true],
	])('is replaced if it belongs to %s', (_, text, isRunning) => {
		const folder = temporaryFolder();
		const path = join(folder, 'lock');
		writeFileSync(path, text);
		expect(take(path, 'a', () => isRunning)).toBeDefined();
		expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ pid: 1, hostId: 'host' });
		expect(readdirSync(folder)).toEqual(['lock']);
	});
});

describe('the path of the socket', () => {
	const owner = { account: 'https://a.example user', hostId: 'host' };

	test('differs for each account and each host', () => {
		const stateFolder = temporaryFolder();
		const paths = [
			socketPathOf({ stateFolder, ...owner }),
			socketPathOf({ stateFolder, ...owner, account: 'https://b.example user' }),
			socketPathOf({ stateFolder, ...owner, hostId: 'other' }),
		];
		expect(new Set(paths).size).toBe(3);
	});

	test('contains the number of the protocol, unlike the path of the recorder lease', () => {
		const stateFolder = temporaryFolder();
		expect(socketPathOf({ stateFolder, ...owner })).toContain(`-${protocolNumber}.sock`);
	});

	test('is refused if other users can enter its folder', () => {
		const stateFolder = temporaryFolder();
		chmodSync(stateFolder, 0o755);
		expect(() => socketPathOf({ stateFolder, ...owner })).toThrow('can be read by others');
	});

	test('lies in a private folder of the system if it would be too long for a socket', () => {
		const stateFolder = join(temporaryFolder(), 'a'.repeat(120));
		const path = socketPathOf({ stateFolder, ...owner });
		expect(Buffer.byteLength(path)).toBeLessThan(100);
		expect(path.startsWith(tmpdir())).toBe(true);
	});
});
