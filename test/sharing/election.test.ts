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
import { expect, onTestFinished, test } from 'vitest';
import { createElection, socketPathsOf } from '../../source/sharing/election.ts';
import { isListening } from '../../source/sharing/socket.ts';
import { temporaryFolder } from '../journal/state-directory.ts';

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

/** Opens the elections of several processes in a folder. */
function openElections(leader = join(temporaryFolder(), 'leader.sock')) {
	const folder = join(leader, '..');
	let count = 0;
	const enter = () => {
		count += 1;
		const paths = { leader, process: (id: string) => join(folder, `process-${id}.sock`) };
		const election = createElection({ id: String(count), paths: () => paths });
		onTestFinished(election.close);
		return {
			...election,
			async elect(canLead: boolean) {
				const result = await election.elect(canLead);
				if (result.role === 'follower') result.socket.on('error', () => {});
				return result;
			},
		};
	};
	return { folder, leader, enter };
}

const sevenFollowOne = [...Array(7).fill('follower'), 'leader'];

test('of several processes that start at the same moment, one becomes the leader', async () => {
	const { enter, folder, leader } = openElections();
	const results = await Promise.all(Array.from({ length: 8 }, () => enter().elect(true)));
	expect(results.map(({ role }) => role).sort()).toEqual(sevenFollowOne);
	const others = readdirSync(folder).filter(name => !name.startsWith('process'));
	expect(others).toEqual(['leader.sock']);
	expect(statSync(leader).mode & 0o777).toBe(0o600);
});

test.each([
	['replaces a socket on which no process listens any more', leaveDeadSocket, 'leader'],
	['follows a process that accepts connections and says nothing', listen, 'follower'],
])('a process %s', async (_, prepare, role) => {
	const { enter, leader } = openElections();
	await prepare(leader);
	expect(await enter().elect(true)).toMatchObject({ role });
});

test('a process leaves a path alone that it cannot connect to for another reason', async () => {
	const { enter, leader } = openElections();
	symlinkSync(leader, leader);
	expect(await enter().elect(true)).toEqual({ role: 'alone', records: true });
	expect(lstatSync(leader).isSymbolicLink()).toBe(true);
	const nowhere = openElections(join(temporaryFolder(), 'no', 'leader.sock'));
	expect(await nowhere.enter().elect(true)).toMatchObject({ role: 'alone' });
});

test('a process that cannot read does not lead, and follows', async () => {
	const { enter } = openElections();
	expect(await enter().elect(false)).toEqual({ role: 'alone', records: false });
	expect(await enter().elect(true)).toMatchObject({ role: 'leader' });
	expect(await enter().elect(false)).toMatchObject({ role: 'follower' });
});

test('one of several processes takes the place of a leader that they depose, and none that of its successor', async () => {
	const { enter, leader } = openElections();
	await listen(leader);
	const before = await enter().elect(true);
	if (before.role !== 'follower') throw new Error('nobody listens');
	const replace = async () => {
		const election = enter();
		election.depose(before.place);
		return (await election.elect(true)).role;
	};
	const roles = await Promise.all(Array.from({ length: 8 }, replace));
	expect(roles.sort()).toEqual(sevenFollowOne);
	expect(await replace()).toBe('follower');
});

test('a leader notices that its socket was deleted, and does not remove the socket of another one', async () => {
	const { enter, leader } = openElections();
	const first = enter();
	await first.elect(true);
	expect(first.isInPlace()).toBe(true);
	rmSync(leader);
	expect(first.isInPlace()).toBe(false);
	expect(await enter().elect(true)).toMatchObject({ role: 'leader' });
	first.resign();
	expect(await isListening(leader)).toBe(true);
});

test('a process has ended if nobody listens on its socket, which is then removed', async () => {
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

const owner = { account: 'https://a.example user', hostId: 'host' };

test('the paths of the sockets differ for each account and each host', () => {
	const stateFolder = temporaryFolder();
	const paths = [{}, { account: 'https://b.example user' }, { hostId: 'other' }].map(other =>
		socketPathsOf({ stateFolder, ...owner, ...other }),
	);
	expect(new Set(paths.map(({ leader }) => leader)).size).toBe(3);
	expect(new Set(paths.map(({ process }) => process('x'))).size).toBe(3);
});

test('the paths of the sockets are refused if other users can enter their folder', () => {
	const stateFolder = temporaryFolder();
	chmodSync(stateFolder, 0o755);
	expect(() => socketPathsOf({ stateFolder, ...owner })).toThrow('can be read by others');
});

test('sockets whose paths would be too long lie in a private folder of the system, and never outside of it', () => {
	const stateFolder = join(temporaryFolder(), 'a'.repeat(120));
	mkdirSync(stateFolder);
	const { leader, process } = socketPathsOf({ stateFolder, ...owner });
	expect(leader.startsWith(tmpdir())).toBe(true);
	expect(process('../../etc/passwd')).toMatch(/process-\w+-\w+\.sock$/);
	for (const path of [`${leader}.12345678`, process('12345678')])
		expect(Buffer.byteLength(path)).toBeLessThan(100);
});
