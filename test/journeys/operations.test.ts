import { expect, test } from 'vitest';
import { type MatrixStage, openMatrixStage } from './fault-matrix-stage.ts';

const second = 1_000;

async function opened(wish: Parameters<typeof openMatrixStage>[0] = {}): Promise<MatrixStage> {
	const stage = await openMatrixStage({ computers: 7, size: [120, 40], ...wish });
	await stage.pass(9 * second, 3 * second);
	return stage;
}

const bodyOf = (stage: MatrixStage, name: string) => stage.simulator.world.named(name);

test('a start says what it costs and keeps, and is followed until it runs', async () => {
	const stage = await opened();
	await stage.goTo('cygnus');
	await stage.press('s');
	await stage.see('It runs, and burns credits, until stopped or idle for 30 min (Pro).');
	await stage.see('Its files and processes are as they were. It takes 5 to 15 s.');
	await stage.see('crowsnest start cygnus --yes');
	await stage.answer('s', 'enter');
	expect(stage.deeds()).toEqual([]);
	await stage.press('y');
	await stage.quiet();
	await stage.see(/cygnus +\S \w+ +Starting \d/);
	await stage.pass(20 * second, second);
	await stage.see(/cygnus +● Active/);
	await stage.see('you started cygnus');
	expect(stage.deeds()).toEqual(['POST /cygnus/start 200']);
});

test('a restart says that processes end, and is settled only when it runs anew', async () => {
	const stage = await opened();
	await stage.press('r');
	await stage.see('Its running processes end. /workspace stays.');
	await stage.answer('y');
	await stage.quiet();
	await stage.pass(3 * second, second);
	await stage.see(/atlas +\S \w+ +Restarting \ds/);
	await stage.pass(20 * second, second);
	await stage.see('you restarted atlas');
	await stage.see(/atlas +● Active +1\.4\.2 +\d+s/);
	expect(stage.deeds()).toEqual(['POST /atlas/restart 200']);
});

test('an update says from where to where and that there is no way back, and is seen through', async () => {
	const stage = await opened();
	await stage.press('u');
	await stage.see('atlas: it runs the latest version already, 1.4.2');
	await stage.goTo('fornax');
	await stage.press('u');
	await stage.see('1.3.9 → 1.4.2');
	await stage.see('running processes end. /workspace stays.');
	await stage.see('There is no automatic rollback.');
	await stage.answer('u', 'y');
	await stage.quiet();
	await stage.pass(3 * second, second);
	await stage.see(/fornax +\S \w+ +Updating \ds/);
	await stage.pass(40 * second, second);
	await stage.see('you updated fornax');
	expect(bodyOf(stage, 'fornax').version).toBe('1.4.2');
	expect(stage.deeds()).toEqual(['POST /fornax/update 200']);
});

test('a port is published, visited, and its address copied', async () => {
	const stage = await opened();
	await stage.press('p');
	await stage.see('Take it as open to the whole internet');
	await stage.see('Published now: 8080 5173');
	await stage.answer(...'8080', 'enter');
	await stage.see('port 8080 is published already');
	await stage.press('ctrl-u', ...'70000', 'enter');
	await stage.see('a port is a number from 1 to 65535');
	await stage.press('ctrl-u', ...'9000', '\x19');
	expect(stage.said.copied, 'the command, as far as it is told').toEqual([
		'crowsnest publish atlas PORT --yes',
	]);
	expect(stage.deeds()).toEqual([]);
	await stage.press('enter');
	await stage.quiet();
	await stage.see('you published port 9000 of atlas');
	await stage.see(/atlas: published at http\S+\/9000 · Y copies it/);
	await stage.press('enter');
	await stage.see(/9000 +http\S+\/9000 +answers, \d+s ago/);
	await stage.press('Y');
	expect(stage.said.copied.at(-1)).toMatch(new RegExp(`/v1/p/${bodyOf(stage, 'atlas').id}/9000$`));
	expect(stage.deeds()).toEqual(['POST /atlas/preview/start 200']);
});

test('that nothing answers behind a published port is said', async () => {
	const stage = await opened();
	stage.simulator.setFaults([{ where: 'page', kind: '502' }]);
	await stage.press('p');
	await stage.answer(...'9000', 'enter');
	await stage.quiet();
	await stage.see(/published at http\S+\/9000, where nothing answers yet/);
	await stage.press('enter');
	await stage.see(/9000 +http\S+\/9000 +nothing answers, \d+s ago/);
});

test('of several published ports one is named to end it, and a single one is meant', async () => {
	const stage = await opened();
	await stage.press('P');
	await stage.see('Published now: 8080 5173');
	await stage.answer(...'80', 'enter');
	await stage.see('port 80 is not published');
	await stage.press('ctrl-u', ...'5173', 'enter');
	await stage.quiet();
	await stage.see('you unpublished port 5173 of atlas');
	expect(bodyOf(stage, 'atlas').ports.map(({ port }) => port)).toEqual([8080]);
	await stage.press('P');
	await stage.see('Unpublish port 8080 of atlas?');
	await stage.see('The application itself goes on running.');
	await stage.answer('y');
	await stage.quiet();
	await stage.press('P');
	await stage.see('atlas: it publishes no port');
	expect(bodyOf(stage, 'atlas').ports).toEqual([]);
	expect(stage.deeds()).toHaveLength(2);
});

test('several are started on a y, and only those that can be', async () => {
	const stage = await opened();
	await stage.press('a', 's');
	await stage.see('Start 3 computers?');
	await stage.see('Left out: 3, each because it is running already: atlas, fornax, gemini');
	await stage.see('Left out: borealis, it is still being created');
	await stage.see(/Sending 3 requests takes/);
	await stage.see('crowsnest start cygnus draco eridanus --yes');
	await stage.answer('y');
	await stage.pass(30 * second, second);
	await stage.see(/Started 2 of 3: 1 failed|Started 3 of 3/);
	expect(stage.deeds().map(deed => deed.replace(/ \d+$/, ''))).toEqual([
		'POST /cygnus/start',
		'POST /draco/start',
		'POST /eridanus/start',
	]);
});

test('what failed of many is told, and asked for again alone', async () => {
	const stage = await opened();
	await stage.press('/status:active', 'enter', 'a');
	stage.simulator.setFaults([{ where: 'restart', kind: '503', count: 1 }]);
	await stage.press('r');
	await stage.see('Type restart 3:');
	await stage.answer(...'restart 3', 'enter');
	await stage.pass(60 * second, second);
	await stage.see('Restarted 2 of 3: 1 failed');
	await stage.press('F');
	await stage.see('Restart atlas?');
	await stage.answer('F', 'n');
	await stage.press('escape');
	await stage.unseen('Restarted 2 of 3');
	expect(stage.deeds()).toHaveLength(3);
});

test('a name that is nowhere to be read in full is not wanted typed, but the id', async () => {
	const stage = await openMatrixStage({ computers: 0 });
	const { id } = stage.simulator.world.add({ name: `nova-${'x'.repeat(50)}` });
	await stage.pass(9 * second, 3 * second);
	await stage.press('D');
	await stage.see(`${id}, active`);
	await stage.see('Type its id to delete it:');
	await stage.answer(...id, 'enter');
	await stage.see(/Deleting \S+ in \d s, Esc to keep it/);
});
