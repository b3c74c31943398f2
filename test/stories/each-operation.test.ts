import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';
import { type FaultyMonitor, openFaultyMonitor } from './faulty-monitor.ts';

const second = 1_000;

const openFleet = (options: Parameters<typeof openFaultyMonitor>[0] = {}) =>
	openFaultyMonitor({ computers: 7, size: [120, 40], ...options });

/** A fleet whose list tells little, so that the reads of single computers tell how an operation goes. */
const openMinimal = () => openFleet({ shapes: { list: 'minimal' } });

const recordOf = (monitor: FaultyMonitor, name: string) => monitor.simulator.world.get(name);

type Course = {
	key: string;
	name: string;
	/** What the question says. */
	question: readonly string[];
	/** After how many seconds the operation runs, and how the row shows that. */
	runsAfter: number;
	running: RegExp;
	done: readonly (string | RegExp)[];
};

const courses: Readonly<Record<string, Course>> = {
	start: {
		key: 's',
		name: 'cygnus',
		question: ['It runs and burns credits until stopped or idle for 30 min (Pro).'],
		runsAfter: 0,
		running: /cygnus +(\S Starting \d|\S \w+( \w+)? +Starting \d)/,
		done: [/cygnus +● Active/, 'cygnus: started by you'],
	},
	stop: {
		key: 'x',
		name: 'atlas',
		question: ['Files and processes are kept.'],
		runsAfter: 3,
		running: /atlas +◐ Stopping \d/,
		done: [/atlas +○ Stopped/, 'atlas: stopped by you'],
	},
	restart: {
		key: 'r',
		name: 'atlas',
		question: ['Its running processes end. /workspace is kept.'],
		runsAfter: 7,
		running: /atlas +(\S Restarting \ds|\S \w+ +Restarting \ds)/,
		// It is done only when the computer has started again.
		done: ['atlas: restarted by you', /atlas +● Active +restarted \d+ s ago .+ 1\.4\.2 +\d+s/],
	},
	update: {
		key: 'u',
		name: 'fornax',
		question: [
			...['1.3.9 → 1.4.2', 'running processes end. /workspace is kept.'],
			'There is no automatic rollback.',
		],
		runsAfter: 7,
		running: /fornax +(\S Updating \ds|\S \w+ +Updating \ds)/,
		done: ['fornax: updated by you'],
	},
};

test.each(Object.entries(courses))(
	'the question of “%s” says what it means, only y answers it, and the operation is sent once and shown until it is done',
	async (operation, { key, name, question, runsAfter, running, done }) => {
		const monitor = await openMinimal();
		await monitor.goTo(name);
		await monitor.press(key).see(...question, `crowsnest ${operation} ${name} --yes`);
		await monitor.answer(key, 'enter');
		expect(monitor.operationRequests()).toEqual([]);
		await monitor.press('y');
		await monitor.pass(runsAfter * second).see(running);
		await monitor.pass(40 * second, 5 * second).see(...done);
		expect(monitor.operationRequests()).toEqual([`POST /${name}/${operation} 200`]);
	},
);

test('a port is validated and published, the details say whether something answers on it, and its address is copied and whole on a narrow screen', async () => {
	const monitor = await openFleet();
	await monitor.press('p').see('Treat it as public', 'publishes ports 8080 5173');
	await monitor.answer('8080', 'enter').see('Port 8080 is already published.');
	await monitor.press('ctrl-u', '70000', 'enter').see('A port is a number from 1 to 65535.');
	await monitor.press('ctrl-u', '9000', '\x19');
	expect(monitor.effects.copied, 'the command with the typed port').toEqual([
		'crowsnest publish atlas 9000 --yes',
	]);
	await monitor.answer('enter').see('Publish port 9000 of atlas?');
	expect(monitor.operationRequests()).toEqual([]);
	await monitor.answer('y').see('port 9000 of atlas: published by you');
	await monitor.see(/port 9000 of atlas: published: http\S+\/9000; Y copies the address/);
	await monitor.press('enter').see(/9000 +answers, \d+ s ago +http\S+\/9000/);
	await monitor.press('Y');
	expect(monitor.effects.copied.at(-1)).toMatch(
		new RegExp(`/v1/p/${recordOf(monitor, 'atlas').id}/9000$`),
	);
	expect(monitor.operationRequests()).toEqual(['POST /atlas/preview/start 200']);
	monitor.simulator.setFaults([{ target: 'page', kind: '502' }]);
	await monitor.press('p');
	await monitor.answer('9001', 'enter', 'y');
	await monitor.see(/published: http\S+\/9001 \(nothing answers yet\)/);
	await monitor.see(/9001 +nothing answers, \d+ s ago +http\S+\/9001/);
	monitor.endFaults();
	await monitor.press('escape');
	monitor.resize(60, 15);
	await monitor.press('p');
	await monitor.answer('9002', 'enter', 'y').see(/^ (9002: )?http\S+\/v1\/p\/\w+\/9002\s*$/m);
});

test('unpublishing asks for the port if several ports are published, and only for y or n if one port is published', async () => {
	const monitor = await openFleet();
	await monitor.press('P').see('publishes ports 8080 5173');
	await monitor.answer('80', 'enter').see('Port 80 is not published.');
	await monitor.press('ctrl-u', '5173');
	await monitor.answer('enter', 'y');
	await monitor.pass(5 * second, 5 * second).see('port 5173 of atlas: unpublished by you');
	expect(recordOf(monitor, 'atlas').ports.map(({ port }) => port)).toEqual([8080]);
	await monitor.press('P').see('Unpublish port 8080 of atlas?');
	await monitor.see('The application itself keeps running.');
	await monitor.answer('y');
	await monitor.pass(5 * second, 5 * second);
	await monitor.press('P').see('Cannot unpublish a port of atlas: no port is published');
	expect(recordOf(monitor, 'atlas').ports).toEqual([]);
	expect(monitor.operationRequests()).toHaveLength(2);
});

test('starting several computers asks y/n and skips those that cannot be started', async () => {
	const monitor = await openMinimal();
	await monitor.pass(9 * second, 9 * second);
	await monitor.press('a', 's').see('Start 3 computers?');
	await monitor.see('Skipped 3 (already running): atlas, fornax, gemini');
	await monitor.see('Skipped borealis: still being created');
	await monitor.see('crowsnest start cygnus draco eridanus --yes');
	await monitor.answer('y');
	await monitor.pass(30 * second, 5 * second).see(/Started 2 of 3, 1 failed|Started 3 of 3/);
	expect(monitor.operationRequests().map(request => request.replace(/ \d+$/, ''))).toEqual([
		'POST /cygnus/start',
		'POST /draco/start',
		'POST /eridanus/start',
	]);
});

test('a batch says how many failed, and “F” retries only those', async () => {
	const monitor = await openMinimal();
	await monitor.press('/status:active', 'enter', 'a');
	monitor.simulator.setFaults([{ target: 'restart', kind: '503', count: 1 }]);
	await monitor.press('r').see('Restart 3 computers?');
	await monitor.answer('y');
	await monitor.pass(60 * second, 5 * second).see('Restarted 2 of 3, 1 failed');
	await monitor.press('F').see('Restart atlas?');
	await monitor.answer('F', 'n');
	await monitor.press('escape').seeNo('Restarted 2 of 3');
	expect(monitor.operationRequests()).toHaveLength(3);
});

test('a delete asks for the id if the name is too long to be shown in full', async () => {
	const monitor = await openFaultyMonitor({ computers: 0 });
	const { id } = monitor.simulator.world.add({ name: `nova-${'x'.repeat(50)}` });
	await monitor.pass(9 * second, 9 * second);
	await monitor.press('D').see(`${id}, active`, `Type ${id} to delete it:`);
	await monitor.answer(...id, 'enter').see(/Deleting \S+ in \d s, Esc to cancel/);
});

test('“v” checks whether a published port answers, and what is not possible is refused with the reason', async () => {
	const monitor = await openMonitor();
	await monitor.press('v').see('answers');
	await monitor.press('escape', 's').see('Cannot start atlas: already running');
	await monitor.press('u').see('Cannot update atlas: already on 1.4.2, the latest');
	await monitor.press('j', 'v').see('No published port');
	await monitor.seeNo('p publishes one');
});
