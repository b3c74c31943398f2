import {
	chmodSync,
	existsSync,
	linkSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	rmSync,
	statSync,
	symlinkSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createElection, socketPathsOf } from '../../source/sharing/election.ts';
import { isListening } from '../../source/sharing/socket.ts';
import { temporaryFolder } from '../journal/hooked-fleet.ts';

const listen = (path: string) =>
	new Promise<Server>(resolve => {
		const server = createServer();
		onTestFinished(() => void server.close());
		server.listen(path, () => resolve(server));
	});

/** Leaves a socket behind on which nobody listens, as a killed process does. */
async function leaveDeadSocket(path: string) {
	const server = await listen(`${path}.bound`);
	linkSync(`${path}.bound`, path);
	await new Promise(closed => server.close(closed));
}

/** Opens the elections of an account in a folder, of which several processes take part. */
function openElections(leader = join(temporaryFolder(), 'leader.sock')) {
	const folder = join(leader, '..');
	let count = 0;
	return {
		folder,
		leader,
		enter() {
			count += 1;
			const paths = { leader, process: (id: string) => join(folder, `process-${id}.sock`) };
			const election = createElection({ id: String(count), paths: () => paths });
			onTestFinished(election.close);
			return {
				...election,
				async join(canLead = true) {
					const result = await election.elect(canLead);
					onTestFinished(() => {
						election.resign();
						if (result.role === 'follower') result.socket.destroy();
					});
					return result;
				},
			};
		},
	};
}

describe('the election', () => {
	test('makes exactly one process the leader, also of several that start at the same moment', async () => {
		const { enter, folder, leader } = openElections();
		const results = await Promise.all(Array.from({ length: 8 }, () => enter().join()));
		const roles = results.map(({ role }) => role).sort();
		expect(roles).toEqual([...Array(7).fill('follower'), 'leader']);
		expect(readdirSync(folder).filter(name => !name.startsWith('process'))).toEqual([
			'leader.sock',
		]);
		expect(statSync(leader).mode & 0o777).toBe(0o600);
	});

	test('replaces a socket on which no process listens any more, and none that accepts connections', async () => {
		const dead = openElections();
		await leaveDeadSocket(dead.leader);
		expect((await dead.enter().join()).role).toBe('leader');
		const silent = openElections();
		await listen(silent.leader);
		expect((await silent.enter().join()).role).toBe('follower');
	});

	test('leaves a path alone that cannot be connected to for another reason', async () => {
		const { enter, leader } = openElections();
		symlinkSync(leader, leader);
		expect(await enter().join()).toEqual({ role: 'alone', records: true });
		expect(lstatSync(leader).isSymbolicLink()).toBe(true);
		const { enter: enterNowhere } = openElections(join(temporaryFolder(), 'no', 'leader.sock'));
		expect((await enterNowhere().join()).role).toBe('alone');
	});

	test('does not let a process lead that cannot read', async () => {
		const { enter } = openElections();
		expect(await enter().join(false)).toEqual({ role: 'alone', records: false });
		expect((await enter().join()).role).toBe('leader');
		expect((await enter().join(false)).role).toBe('follower');
	});

	test('puts one of several processes in the place of a leader that is deposed, and none in the place of its successor', async () => {
		const { enter, leader } = openElections();
		await listen(leader);
		const before = await enter().join();
		if (before.role !== 'follower') throw new Error('nobody listens');
		const replace = async () => {
			const election = enter();
			election.depose(before.place);
			return (await election.join()).role;
		};
		const roles = await Promise.all(Array.from({ length: 8 }, replace));
		expect(roles.sort()).toEqual([...Array(7).fill('follower'), 'leader']);
		expect(await replace()).toBe('follower');
	});

	test('notices that the socket was deleted, and does not remove the socket of another leader', async () => {
		const { enter, leader } = openElections();
		const first = enter();
		await first.join();
		expect(first.isInPlace()).toBe(true);
		rmSync(leader);
		expect(first.isInPlace()).toBe(false);
		expect((await enter().join()).role).toBe('leader');
		first.resign();
		expect(await isListening(leader)).toBe(true);
	});
});

test('a process has ended if nobody listens on its socket', async () => {
	const { enter, folder } = openElections();
	const [one, other] = [enter(), enter()];
	await one.listen();
	expect(await other.hasEnded('1')).toBe(false);
	rmSync(join(folder, 'process-1.sock'));
	await one.listen();
	expect(await other.hasEnded('1')).toBe(false);
	one.close();
	expect(await other.hasEnded('1')).toBe(true);
	const dead = join(folder, 'process-3.sock');
	await leaveDeadSocket(dead);
	expect(await other.hasEnded('3')).toBe(true);
	expect(existsSync(dead)).toBe(false);
});

describe('the paths of the sockets', () => {
	const owner = { account: 'https://a.example user', hostId: 'host' };

	test('differ for each account and each host', () => {
		const stateFolder = temporaryFolder();
		const paths = [
			socketPathsOf({ stateFolder, ...owner }),
			socketPathsOf({ stateFolder, ...owner, account: 'https://b.example user' }),
			socketPathsOf({ stateFolder, ...owner, hostId: 'other' }),
		];
		expect(new Set(paths.map(({ leader }) => leader)).size).toBe(3);
		expect(new Set(paths.map(({ process }) => process('x'))).size).toBe(3);
	});

	test('are refused if other users can enter their folder', () => {
		const stateFolder = temporaryFolder();
		chmodSync(stateFolder, 0o755);
		expect(() => socketPathsOf({ stateFolder, ...owner })).toThrow('can be read by others');
	});

	test('lie in a private folder of the system if they would be too long, and never outside of it', () => {
		const stateFolder = join(temporaryFolder(), 'a'.repeat(120));
		mkdirSync(stateFolder);
		const { leader, process } = socketPathsOf({ stateFolder, ...owner });
		expect(leader.startsWith(tmpdir())).toBe(true);
		expect(process('../../etc/passwd')).toMatch(/process-\w+-\w+\.sock$/);
		for (const path of [`${leader}.12345678`, process('12345678')])
			expect(Buffer.byteLength(path)).toBeLessThan(100);
	});
});
