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
import { createElection } from '../../source/sharing/election.ts';
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

const owner = { account: 'https://a.example user', hostId: 'host' };

/** Opens the elections of several processes in a folder. */
function openElections(stateFolder = temporaryFolder()) {
	let count = 0;
	const enter = () => {
		count += 1;
		const election = createElection({ id: String(count), stateFolder, ...owner });
		onTestFinished(election.close);
		return {
			...election,
			async elect(canLead: boolean, replaced?: string) {
				const result = await election.elect(canLead, replaced);
				if (result.role === 'follower') result.socket.on('error', () => {});
				return result;
			},
		};
	};
	return { folder: stateFolder, leader: enter().leaderPath() ?? '', enter };
}

const socketsIn = (folder: string, name: string) =>
	readdirSync(folder).filter(each => each.startsWith(name));

const sevenFollowOne = [...Array(7).fill('follower'), 'leader'];

test('of several processes that start at the same moment, one becomes the leader', async () => {
	const { enter, folder, leader } = openElections();
	const results = await Promise.all(Array.from({ length: 8 }, () => enter().elect(true)));
	expect(results.map(({ role }) => role).sort()).toEqual(sevenFollowOne);
	expect(socketsIn(folder, 'leader')).toHaveLength(1);
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
});

test('a process that cannot read does not lead, and follows', async () => {
	const { enter } = openElections();
	expect(await enter().elect(false)).toEqual({ role: 'alone', records: false });
	expect(await enter().elect(true)).toMatchObject({ role: 'leader' });
	expect(await enter().elect(false)).toMatchObject({ role: 'follower' });
});

test('one of several processes takes the place of a leader that they replace, and none that of its successor', async () => {
	const { enter, folder, leader } = openElections();
	await listen(leader);
	const before = await enter().elect(true);
	if (before.role !== 'follower') throw new Error('nobody listens');
	const replace = async () => (await enter().elect(true, before.place)).role;
	const roles = await Promise.all(Array.from({ length: 8 }, replace));
	expect(roles.sort()).toEqual(sevenFollowOne);
	expect(await replace()).toBe('follower');
	expect(socketsIn(folder, 'leader')).toHaveLength(1);
});

test('a process that was slow while others led one after another follows the last one', async () => {
	const { enter, folder, leader } = openElections();
	await leaveDeadSocket(leader);
	await listen(join(folder, 'other.sock'));
	const slow = enter().elect(true);
	rmSync(leader);
	symlinkSync('other.sock', leader.replace('000001', '000003'));
	expect(await slow).toMatchObject({ role: 'follower' });
});

test('a leader of another build is not taken for one of this build', async () => {
	const { enter, leader } = openElections();
	await enter().elect(true);
	expect(await enter().isOtherBuildOpen()).toBe(false);
	await listen(leader.replace(/-\d+-000001/, '-1'));
	expect(await enter().isOtherBuildOpen()).toBe(true);
	expect(await enter().elect(true)).toMatchObject({ role: 'follower' });
});

test('a process has ended if nobody listens on its socket, which is then removed', async () => {
	const { enter, folder } = openElections();
	const [one, other] = [enter(), enter()];
	await one.listen();
	expect(await other.hasEnded(one.id)).toBe(false);
	const [name = ''] = socketsIn(folder, 'process');
	rmSync(join(folder, name));
	await one.listen();
	expect(await other.hasEnded(one.id)).toBe(false);
	one.close();
	expect(await other.hasEnded(one.id)).toBe(true);
	const dead = join(folder, name);
	await leaveDeadSocket(dead);
	expect(await other.hasEnded(one.id)).toBe(true);
	expect(existsSync(dead)).toBe(false);
});

test('the sockets of each account and each host have names of their own', () => {
	const stateFolder = temporaryFolder();
	const paths = [{}, { account: 'https://b.example user' }, { hostId: 'other' }].map(other =>
		createElection({ id: 'x', stateFolder, ...owner, ...other }).leaderPath(),
	);
	expect(new Set(paths).size).toBe(3);
});

test('there are no sockets in a folder that other users can enter', async () => {
	const { folder, enter } = openElections();
	chmodSync(folder, 0o755);
	expect(await enter().elect(true)).toEqual({ role: 'alone', records: true });
	expect(await enter().hasEnded('1')).toBe(false);
	expect(readdirSync(folder)).toEqual([]);
});

test('sockets whose paths would be too long lie in a private folder of the system', () => {
	const stateFolder = join(temporaryFolder(), 'a'.repeat(120));
	mkdirSync(stateFolder);
	const path = createElection({ id: '../../etc/passwd', stateFolder, ...owner }).leaderPath() ?? '';
	expect(path.startsWith(tmpdir())).toBe(true);
	expect(Buffer.byteLength(path)).toBeLessThan(100);
});
